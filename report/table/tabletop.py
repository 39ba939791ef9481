"""The table as one seat sees it: tracks, map, people, piles; never what the seat does not know."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len
from rich.text import Text

from talewright.report.table.board_map import FINE, Lines, map_lines, rows_of_places, squares_lines
from talewright.report.table.prose import clean, prose_lines, wrapped
from talewright.report.table.visibility import (
    Seat,
    content,
    kind_words,
    name_of,
    open_field,
    value_text,
    visible,
    words,
)
from talewright.runtime.game import Game, Option
from talewright.runtime.labels import is_part

BAR = 16
SHORT_PILE = 4
NARROW = 60
READABLE = ("int", "range", "target", "ints", "truth", "words", "thing", "set", "list")


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the table that changes as one: its key, and its lines; several brief ones share a line."""

    key: str
    lines: tuple[Text, ...]
    brief: bool = False

    @property
    def plain(self) -> str:
        """The lines without style, to compare."""
        return "\n".join(line.plain for line in self.lines)


def table_blocks(game: Game, seat: Seat, width: int = 80) -> list[Block]:
    """Everything on the table, a block for each thing that can change."""
    return [
        *_heading(game, width),
        *_tracks(game, width),
        *_places(game, seat, width),
        *_block("squares", squares_lines(game, seat, width)),
        *_people(game, seat, width),
        *_laid_out(game, seat, width),
        *_piles(game, seat),
    ]


def table_lines(game: Game, seat: Seat, width: int = 80, signs: Lines = FINE) -> list[Text]:
    """The whole table, with the map drawn where it fits."""
    drawn = (
        map_lines(game, lambda place: _in_box(game, place, seat), width, signs) if width >= NARROW else None
    )
    blocks = table_blocks(game, seat, width)
    if drawn is None:
        return lines_of(blocks, width)
    on_map = {f"place {p}" for row in rows_of_places(game) for p in row if p is not None}
    first = next((n for n, block in enumerate(blocks) if block.key in on_map), len(blocks))
    rest = [block for block in blocks[first:] if block.key not in on_map]
    return [*lines_of(blocks[:first], width), *(drawn if first < len(blocks) else ()), *lines_of(rest, width)]


def lines_of(blocks: list[Block], width: int) -> list[Text]:
    """The lines of some blocks, one after the other."""
    lines: list[Text] = []
    for brief, group in groupby(blocks, key=lambda block: block.brief):
        told = [line for block in group for line in block.lines]
        if brief:
            told = wrapped(Text("  ") + Text("; ").join(told), width, 4)
            for line in told:
                line.stylize("dim")
        lines += told
    return lines


def thing_lines(game: Game, thing: int, seat: Seat, width: int = 80) -> list[Text]:
    """One thing looked at closely."""
    if not visible(game, thing, seat):
        return [Text("It lies face down.")]
    source = game.layout.things[thing]
    lines = [Text.assemble((game.title(thing), "bold"), f" ({kind_words(source.kind)})")]
    place = game.space["prop_place"](thing)
    if place is not None and place != thing:
        lines += wrapped(Text(f"  at {name_of(game, place, seat)}"), width, 4)
    occupants = game.space["OCCUPANTS"].get(thing)
    here = [] if occupants is None else [t for t in game.space["ITEMS"][occupants] if not is_part(game, t)]
    if here:
        lines += wrapped(Text(f"  here: {content(game, here, seat)}"), width, 4)
    prose = game.prose(thing)
    if prose:
        lines += [Text("  ") + line for line in prose_lines(prose, width - 4)]
    for name, field in game.layout.fields_of(source.kind).items():
        value = game.space[f"F{field.number}"][thing]
        if not open_field(game, thing, field, seat):
            continue
        if field.tag == "pile":
            held = game.space["ITEMS"][value]
            if held:
                lines += wrapped(Text(f"  {words(name)}: {content(game, held, seat)}"), width, 4)
        elif field.tag == "thing" and isinstance(value, int) and is_part(game, value):
            for told in _piles_of(game, value, seat, words(name)):
                lines += wrapped(Text("  ") + told, width, 4)
        elif field.tag in READABLE and value not in (None, False, [], ()) and not callable(value):
            lines += wrapped(Text(f"  {words(name)}: {value_text(game, value, field.type, seat)}"), width, 4)
    for token, column in game.space["TOKENS"].items():
        if column[thing]:
            lines.append(Text(f"  {words(token)}: {column[thing]}"))
    if any(entry[3] for entry in game.space["BEARER_RULES"].get(thing, ())):
        lines.append(Text("  its rules are in force", style="dim"))
    return lines


def printed_lists(game: Game, option: Option, seat: Seat) -> str:
    """What an option that is a thing lists of other things, as the cost of a card does; empty if nothing."""
    thing = game.layout.number.get(option.id)
    if thing is None or thing != option.value or not visible(game, thing, seat):
        return ""
    told = []
    for name, field in game.layout.fields_of(game.layout.things[thing].kind).items():
        value = game.space[f"F{field.number}"][thing]
        if field.tag != "list" or not value or not open_field(game, thing, field, seat):
            continue
        if (
            isinstance(value, (list, tuple))
            and isinstance(field.type, list)
            and field.type[2][0][0] == "thing"
        ):
            told.append(f"{words(name)}: {value_text(game, value, field.type, seat)}")
    return f" ({'; '.join(told)})" if told else ""


def _block(key: str, lines: list[Text]) -> list[Block]:
    return [Block(key, tuple(lines))] if lines else []


def _heading(game: Game, width: int) -> list[Block]:
    chapter = game.space["S"][game.space["CHAPTER"]]
    if chapter is None:
        return []
    title = f"== {game.title(chapter)} "
    lines = [Text(title[:width].ljust(min(width, 76), "="), style="bold")]
    fields = game.layout.fields_of(game.layout.things[chapter].kind)
    goal = game.space[f"F{fields['goal'].number}"][chapter] if "goal" in fields else None
    told = goal() if callable(goal) else goal
    if told:
        lines += wrapped(Text(f"  Goal: {clean(str(told))}", style="italic"), width, 8)
    return _block("chapter", lines)


# ------------------------------------------------------------------ tracks
def _tracks(game: Game, width: int) -> list[Block]:
    told = []
    chapter = game.space["S"][game.space["CHAPTER"]]
    present = game.layout.things[chapter].id if chapter is not None else ""
    for track in game.program.content["tracks"]:
        owner, _, name = track["id"].rpartition(":")
        number = game.layout.scalars.get(f"track:{track['id']}")
        value = game.space["S"][number] if number is not None else None
        if isinstance(value, int) and owner in ("", present):
            bar = _bar(value, track["low"], track["high"])
            told.append((words(name), bar, f"{value}/{track['high']}"))
    if not told:
        return []
    names = max(len(name) for name, _, _ in told)
    whole = names + BAR + 12
    beside = max(1, (width - 2) // whole)
    lines = []
    for start in range(0, len(told), beside):
        line = Text("  ")
        for name, bar, value in told[start : start + beside]:
            line.append(f"{name:<{names}} ")
            line.append(bar, style="cyan")
            line.append(f" {value}".ljust(whole - names - 1 - len(bar)), style="bold")
        line.rstrip()
        lines.append(line)
    return _block("tracks", lines)


def _bar(value: int, low: int, high: int) -> str:
    size = min(BAR, max(1, high - low))
    full = min(size, max(0, round((value - low) / max(1, high - low) * size)))
    return "[" + "#" * full + "." * (size - full) + "]"


# ------------------------------------------------------------------ places
def _places(game: Game, seat: Seat, width: int) -> list[Block]:
    order = game.space["PLACE_ORDER"]
    places = sorted(order, key=lambda p: order[p])
    others = [
        t.number for t in game.layout.things
        if t.number in game.space["OCCUPANTS"] and t.number not in order and t.owner is None
        and _told_of_place(game, t.number, seat)
    ]  # fmt: skip
    names = min(24, max((cell_len(name_of(game, p, seat)) for p in [*places, *others]), default=0))
    made: list[Block] = []
    for place in [*places, *others]:
        told = _told_of_place(game, place, seat)
        line = _labelled(Text("  "), name_of(game, place, seat), names, told, width)
        made += _block(f"place {place}", wrapped(line, width, names + 4 if width >= NARROW else 4))
    return made


def _labelled(line: Text, name: str, names: int, told: list[Text], width: int) -> Text:
    """A name and what is told of it: in columns where there is room, else one after the other."""
    line.append(f"{name:<{names}}  " if width >= NARROW else f"{name}{': ' if told else ''}", style="bold")
    line.append_text(Text("; ").join(told))
    return line


def _told_of_place(game: Game, place: int, seat: Seat) -> list[Text]:
    """Who stands there, then what lies there."""
    here = [
        t for t in game.space["ITEMS"][game.space["OCCUPANTS"][place]] if t not in game.space["OCCUPANTS"]
    ]
    told = [Text(content(game, here, seat), style="green")] if here else []
    for token, column in game.space["TOKENS"].items():
        if column[place]:
            told.append(Text(f"{words(token)} {column[place]}"))
    told += _piles_of(game, place, seat, "")
    for part in game.layout.things:
        if part.owner == place and is_part(game, part.number):
            told += _piles_of(game, part.number, seat, words(part.title))
    return told


def _piles_of(game: Game, owner: int, seat: Seat, part: str) -> list[Text]:
    """What lies in the containers of a thing; a part with one container goes by its own name."""
    fields = [
        (name, field) for name, field in game.layout.fields_of(game.layout.things[owner].kind).items()
        if field.tag == "pile" and open_field(game, owner, field, seat)
    ]  # fmt: skip
    told = []
    for name, field in fields:
        held = game.space["ITEMS"][game.space[f"F{field.number}"][owner]]
        if held:
            label = part if part and len(fields) == 1 else f"{part} {words(name)}".strip()
            told.append(Text(f"{label}: {content(game, held, seat)}"))
    return told


def _in_box(game: Game, place: int, seat: Seat) -> list[Text]:
    return [Text(name_of(game, place, seat), style="bold"), *_told_of_place(game, place, seat)]


# ------------------------------------------------------------------ people and what they hold
def _people(game: Game, seat: Seat, width: int) -> list[Block]:
    layout = game.layout
    seats = [t.number for t in layout.things if t.kind in layout.seats]
    figures = [
        t.number for t in layout.things
        if t.kind not in layout.seats and t.number not in game.space["OCCUPANTS"]
        and not is_part(game, t.number)
        and (game.space["prop_place"](t.number) is not None or _belongs_to_a_seat(game, t.number))
        and visible(game, t.number, seat)
    ]  # fmt: skip
    looking = (seat,) if isinstance(seat, int) else seat if isinstance(seat, tuple) else ()
    told = [(person, _told_of_person(game, person, seat)) for person in [*seats, *figures]]
    told = [(person, parts) for person, parts in told if parts]
    names = min(20, max((cell_len(name_of(game, person, seat)) for person, _ in told), default=0))
    made: list[Block] = []
    for person, parts in told:
        line = Text("* " if person in looking else "  ", style="bold yellow")
        line = _labelled(line, name_of(game, person, seat), names, parts, width)
        made += _block(f"person {person}", wrapped(line, width, names + 4 if width >= NARROW else 4))
    return made


def _laid_out(game: Game, seat: Seat, width: int) -> list[Block]:
    """Things that carry tokens although they are neither places nor people: boards, cards, parts of them."""
    told = []
    for thing in game.layout.things:
        number = thing.number
        if (
            number in game.space["OCCUPANTS"]
            or not visible(game, number, seat)
            or thing.kind in game.layout.seats
        ):
            continue
        if game.space["prop_place"](number) is not None or _belongs_to_a_seat(game, number):
            continue
        held = [
            f"{words(token)} {column[number]}"
            for token, column in game.space["TOKENS"].items()
            if column[number]
        ]
        if held:
            told.append(f"{name_of(game, number, seat)}: {', '.join(held)}")
    return _block("laid out", wrapped(Text("  " + "; ".join(told)), width, 4)) if told else []


def _belongs_to_a_seat(game: Game, thing: int) -> bool:
    """Whether somebody decides for a thing: what it holds is theirs, wherever it stands."""
    deciders = game.space["DECIDES"].get(game.layout.things[thing].kind)
    return deciders is not None and deciders[thing] is not None


def _told_of_person(game: Game, person: int, seat: Seat) -> list[Text]:
    told = []
    for name, field in game.layout.fields_of(game.layout.things[person].kind).items():
        value = game.space[f"F{field.number}"][person]
        if "track" in field.source and open_field(game, person, field, seat) and value is not None:
            told.append(Text(f"{words(name)} {value}"))
    for token, column in game.space["TOKENS"].items():
        if column[person]:
            told.append(Text(f"{words(token)} {column[person]}"))
    return told + _piles_of(game, person, seat, "")


def _piles(game: Game, seat: Seat) -> list[Block]:
    told = []
    for pile in game.layout.piles:
        held = game.space["ITEMS"][pile.number]
        if pile.owner is not None or pile.id == "box" or pile.form == "place" or not held:
            continue
        name = words(pile.id)
        open_ = all(visible(game, thing, seat) for thing in held)
        if open_ and pile.form not in ("deck", "bag") and len(held) <= SHORT_PILE:
            told.append((name, f"{name}: {content(game, held, seat)}"))
            continue
        top = held[0] if pile.form == "deck" else held[-1]
        face = f" ({game.title(top)})" if game.space["UP"][top] and pile.form != "bag" else ""
        told.append((name, f"{name} {len(held)}{face}"))
    return [Block(f"pile {name}", (Text(text),), brief=True) for name, text in told]
