"""The table as one seat sees it: tracks, places, people, piles; never what the seat does not know."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from talewright.runtime.game import Game

BAR = 24


def table_lines(game: Game, seat: int | None, width: int = 80) -> list[str]:
    """The whole table in lines of at most `width` columns."""
    lines: list[str] = []
    chapter = game.space["S"][game.space["CHAPTER"]]
    if chapter is not None:
        lines += [f"== {game.title(chapter)} ".ljust(min(width, 76), "=")]
    lines += _tracks(game)
    lines += _places(game, seat, width)
    lines += _seats(game, seat, width)
    lines += _piles(game, width)
    return lines


def thing_lines(game: Game, thing: int, seat: int | None, width: int = 80) -> list[str]:
    """One thing looked at closely."""
    if not visible(game, thing, seat):
        return ["It lies face down."]
    source = game.layout.things[thing]
    lines = [f"{game.title(thing)} ({_kind(source.kind)})"]
    place = game.space["prop_place"](thing)
    if place is not None:
        lines.append(f"  at {game.title(place)}")
    prose = game.prose(thing)
    if prose:
        lines += [f"  {line}" for line in _prose(prose, width - 4)]
    for name, field in game.layout.fields_of(source.kind).items():
        value = game.space[f"F{field.number}"][thing]
        if field.tag == "pile":
            held = game.space["ITEMS"][value]
            if held:
                lines += _wrapped(f"  {_words(name)}: {_content(game, held, seat)}", width)
        elif field.tag in ("int", "range", "target", "ints", "truth", "words", "thing") and value not in (None, False):
            shown = game.space["show_value"](value, _frozen(field.type))
            lines.append(f"  {_words(name)}: {shown}")
    for token, column in game.space["TOKENS"].items():
        if column[thing]:
            lines.append(f"  {_words(token)}: {column[thing]}")
    for entry in game.space["BEARER_RULES"].get(thing, ()):
        if entry[3]:
            lines.append("  its rules are in force")
            break
    return lines


def visible(game: Game, thing: int, seat: int | None) -> bool:
    """Whether a seat knows the face of a thing."""
    if game.space["UP"][thing]:
        return True
    return seat is not None and bool(game.space["knows"](seat, thing))


def _tracks(game: Game) -> list[str]:
    lines = []
    for track in game.program.content["tracks"]:
        value = game.space["S"][game.layout.scalars[f"track:{track['id']}"]]
        lines.append(f"  {_words(track['id']):<14} {_bar(value, track['low'], track['high'])} {value} of {track['high']}")
    return lines


def _bar(value: int, low: int, high: int) -> str:
    size = min(BAR, max(1, high - low))
    full = round((value - low) / max(1, high - low) * size)
    return "[" + "#" * full + "." * (size - full) + "]"


def _places(game: Game, seat: int | None, width: int) -> list[str]:
    lines: list[str] = []
    order = game.space["PLACE_ORDER"]
    places = sorted(order, key=lambda p: order[p])
    others = [
        t.number for t in game.layout.things
        if t.number in game.space["OCCUPANTS"] and t.number not in order and t.owner is None and game.space["ITEMS"][game.space["OCCUPANTS"][t.number]]
    ]  # fmt: skip
    name_width = max((len(game.title(p)) for p in [*places, *others]), default=0)
    for place in [*places, *others]:
        people = [t for t in game.space["ITEMS"][game.space["OCCUPANTS"][place]] if t not in game.space["OCCUPANTS"]]
        parts = [_content(game, people, seat)] if people else []
        for name, field in game.layout.fields_of(game.layout.things[place].kind).items():
            if field.tag == "pile":
                held = game.space["ITEMS"][game.space[f"F{field.number}"][place]]
                if held:
                    parts.append(f"{_words(name)}: {_content(game, held, seat)}")
        for part in (t for t in game.layout.things if t.owner == place and t.number in game.space["OCCUPANTS"]):
            for name, field in game.layout.fields_of(part.kind).items():
                if field.tag == "pile":
                    held = game.space["ITEMS"][game.space[f"F{field.number}"][part.number]]
                    if held:
                        parts.append(f"{_words(part.title)} {_words(name)}: {_content(game, held, seat)}")
        lines += _wrapped(f"  {game.title(place):<{name_width}}  {'; '.join(parts)}".rstrip(), width, name_width + 4)
    return lines


def _seats(game: Game, seat: int | None, width: int) -> list[str]:
    lines: list[str] = []
    for thing in game.layout.things:
        if thing.kind not in game.layout.seats:
            continue
        parts = []
        for name, field in game.layout.fields_of(thing.kind).items():
            value = game.space[f"F{field.number}"][thing.number]
            if field.tag == "pile":
                held = game.space["ITEMS"][value]
                if held:
                    parts.append(f"{_words(name)}: {_content(game, held, seat)}")
            elif "track" in field.source:
                parts.append(f"{_words(name)} {value}")
        if parts:
            mark = ">" if thing.number == seat else " "
            lines += _wrapped(f"{mark} {game.title(thing.number):<6} {'; '.join(parts)}", width, 9)
    return lines


def _piles(game: Game, width: int) -> list[str]:
    parts = []
    for pile in game.layout.piles:
        if pile.owner is None and pile.id != "box" and pile.form != "place":
            held = game.space["ITEMS"][pile.number]
            if held:
                top = held[0] if pile.form == "deck" else held[-1]
                face = f" ({game.title(top)})" if game.space["UP"][top] and pile.form != "bag" else ""
                parts.append(f"{_words(pile.id)} {len(held)}{face}")
    return _wrapped("  " + "; ".join(parts), width, 4) if parts else []


def _content(game: Game, things: list[int], seat: int | None) -> str:
    """Things in a few words: copies counted, what lies face down only as such."""
    counted: dict[str, int] = {}
    for thing in things:
        name = game.title(thing) if visible(game, thing, seat) else "a card face down"
        counted[name] = counted.get(name, 0) + 1
    return ", ".join(name if count == 1 else f"{count} {name}" for name, count in counted.items())


def _wrapped(text: str, width: int, hanging: int = 4) -> list[str]:
    return wrap(text, width, subsequent_indent=" " * hanging, break_long_words=False, drop_whitespace=True) or [text]


def _prose(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for paragraph in text.split("\n\n"):
        lines += [*wrap(" ".join(paragraph.split()), width), ""]
    return lines[:-1]


def prose_lines(text: str, width: int = 72) -> list[str]:
    """Prose set in paragraphs."""
    return _prose(text, width)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _kind(name: str) -> str:
    return "".join(f" {c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(name))


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value
