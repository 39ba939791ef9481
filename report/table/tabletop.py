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
    seats_of,
    value_text,
    visible,
    words,
)
from talewright.report.wording.phrases import bare_place
from talewright.runtime.host.decisions import Option
from talewright.runtime.model.types import item_of
from talewright.runtime.model.world import Pile
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.declared import PileDeclaration

BAR = 16
SHORT_PILE = 4
NARROW = 60
OUT_OF_PLAY = ("box", "limbo")
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


def table_blocks(view: View, seat: Seat, width: int = 80) -> list[Block]:
    """Everything on the table, a block for each thing that can change."""
    return [
        *_heading(view, width),
        *_tracks(view, width),
        *_places(view, seat, width),
        *_block("squares", squares_lines(view, seat, width)),
        *_people(view, seat, width),
        *_laid_out(view, seat, width),
        *_piles(view, seat),
    ]


def table_lines(view: View, seat: Seat, width: int = 80, signs: Lines = FINE) -> list[Text]:
    """The whole table, with the map drawn where it fits."""
    drawn = (
        map_lines(view, lambda place: _in_box(view, place, seat), width, signs) if width >= NARROW else None
    )
    blocks = table_blocks(view, seat, width)
    if drawn is None:
        return lines_of(blocks, width)
    on_map = {f"place {p}" for row in rows_of_places(view) for p in row if p is not None}
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


def thing_lines(view: View, thing: int, seat: Seat, width: int = 80) -> list[Text]:
    """One thing looked at closely."""
    if not visible(view, thing, seat):
        return [Text("It lies face down.")]
    lines = [Text.assemble((view.title(thing), "bold"), f" ({_kind_name(view, thing)})")]
    place = view.place_of(thing)
    if place and place != thing:
        lines += wrapped(Text(f"  at {name_of(view, place, seat)}"), width, 4)
    here = [standing for standing in view.inside(thing) if not view.is_part(standing)]
    if here:
        lines += wrapped(Text(f"  here: {content(view, here, seat)}"), width, 4)
    prose = view.prose(thing)
    if prose:
        lines += [Text("  ") + line for line in prose_lines(prose, width - 4)]
    for name, field in view.fields(thing).items():
        if not open_field(view, thing, field, seat):
            continue
        value = view.stored(thing, field)
        if field.tag == "pile" and isinstance(value, int):
            held = view.inside(value)
            if held:
                lines += wrapped(Text(f"  {words(name)}: {content(view, held, seat)}"), width, 4)
        elif field.tag == "thing" and isinstance(value, int) and view.is_part(value):
            for told in _piles_of(view, value, seat, words(name)):
                lines += wrapped(Text("  ") + told, width, 4)
        elif field.tag in READABLE and value not in (None, ()) and not (field.tag == "truth" and not value):
            lines += wrapped(Text(f"  {words(name)}: {value_text(view, value, field.type, seat)}"), width, 4)
    for token, count in view.tokens(thing).items():
        lines.append(Text(f"  {words(token)}: {count}"))
    if view.has_rules_in_force(thing):
        lines.append(Text("  its rules are in force", style="dim"))
    return lines


def printed_lists(view: View, option: Option, seat: Seat) -> str:
    """What an option that is a thing lists of other things, as the cost of a card does; empty if nothing."""
    thing = view.number(option.id)
    if not thing or thing != option.value or not visible(view, thing, seat):
        return ""
    told = []
    for name, field in view.fields(thing).items():
        if (
            field.tag != "list"
            or item_of(field.type).tag != "thing"
            or not open_field(view, thing, field, seat)
        ):
            continue
        value = view.stored(thing, field)
        if value:
            told.append(f"{words(name)}: {value_text(view, value, field.type, seat)}")
    return f" ({'; '.join(told)})" if told else ""


def _block(key: str, lines: list[Text]) -> list[Block]:
    return [Block(key, tuple(lines))] if lines else []


def _heading(view: View, width: int) -> list[Block]:
    chapter = view.chapter
    if not chapter:
        return []
    title = f"== {view.title(chapter)} "
    lines = [Text(title[:width].ljust(min(width, 76), "="), style="bold")]
    goal = view.fields(chapter).get("goal")
    told = None if goal is None else view.stored(chapter, goal)
    if told:
        lines += wrapped(Text(f"  Goal: {clean(str(told))}", style="italic"), width, 8)
    return _block("chapter", lines)


# ------------------------------------------------------------------ tracks
def _tracks(view: View, width: int) -> list[Block]:
    told = []
    present = view.thing(view.chapter).id if view.chapter else ""
    for track in view.program.world.content.tracks:
        owner, _, name = track.id.rpartition(":")
        at = view.program.layout.track_cells.get(track.id)
        if at is not None and owner in ("", present):
            value = view.memory[at]
            called = (track.reads or words(name)).rpartition("|")[2].removeprefix("the ")
            told.append((called, _bar(value, track.low, track.high), f"{value}/{track.high}"))
    if not told:
        return []
    names = max(len(name) for name, _, _ in told)
    whole = names + BAR + 12
    beside = max(1, (width - 2) // whole)
    lines = []
    for start in range(0, len(told), beside):
        line = Text("  ")
        for name, bar, reached in told[start : start + beside]:
            line.append(f"{name:<{names}} ")
            line.append(bar, style="cyan")
            line.append(f" {reached}".ljust(whole - names - 1 - len(bar)), style="bold")
        line.rstrip()
        lines.append(line)
    return _block("tracks", lines)


def _bar(value: int, low: int, high: int) -> str:
    size = min(BAR, max(1, high - low))
    full = min(size, max(0, round((value - low) / max(1, high - low) * size)))
    return "[" + "#" * full + "." * (size - full) + "]"


# ------------------------------------------------------------------ places
def _places(view: View, seat: Seat, width: int) -> list[Block]:
    places = view.places
    others = [
        t.number for t in view.things
        if view.is_kind(t.number, "Place") and t.number not in places and not t.owner
        and _told_of_place(view, t.number, seat)
    ]  # fmt: skip
    names = min(24, max((cell_len(name_of(view, p, seat)) for p in [*places, *others]), default=0))
    made: list[Block] = []
    for place in [*places, *others]:
        told = _told_of_place(view, place, seat)
        line = _labelled(Text("  "), name_of(view, place, seat), names, told, width)
        made += _block(f"place {place}", wrapped(line, width, names + 4 if width >= NARROW else 4))
    return made


def _labelled(line: Text, name: str, names: int, told: list[Text], width: int) -> Text:
    """A name and what is told of it: in columns where there is room, else one after the other."""
    line.append(f"{name:<{names}}  " if width >= NARROW else f"{name}{': ' if told else ''}", style="bold")
    line.append_text(Text("; ").join(told))
    return line


def _told_of_place(view: View, place: int, seat: Seat) -> list[Text]:
    """Who stands there, then what lies there."""
    here = [thing for thing in view.inside(place) if not view.is_kind(thing, "Place")]
    told = [Text(content(view, here, seat), style="green")] if here else []
    told += [Text(f"{words(token)} {count}") for token, count in view.tokens(place).items()]
    told += _piles_of(view, place, seat, "")
    for part in view.parts.get(place, ()):
        told += _piles_of(view, part.number, seat, words(part.title))
    return told


def _piles_of(view: View, owner: int, seat: Seat, part: str) -> list[Text]:
    """What lies in the containers of a thing; a part with one container goes by its own name."""
    fields = [
        (name, field) for name, field in view.fields(owner).items()
        if field.tag == "pile" and open_field(view, owner, field, seat)
    ]  # fmt: skip
    told = []
    for name, field in fields:
        where = view.stored(owner, field)
        held = view.inside(where) if isinstance(where, int) else []
        if held:
            label = part if part and len(fields) == 1 else f"{part} {words(name)}".strip()
            told.append(Text(f"{label}: {content(view, held, seat)}"))
    return told


def _in_box(view: View, place: int, seat: Seat) -> list[Text]:
    return [Text(name_of(view, place, seat), style="bold"), *_told_of_place(view, place, seat)]


# ------------------------------------------------------------------ people and what they hold
def _people(view: View, seat: Seat, width: int) -> list[Block]:
    figures = [
        t.number for t in view.things
        if t.number not in view.seats and not view.is_kind(t.number, "Place") and not view.is_part(t.number)
        and (view.place_of(t.number) or view.decider(t.number)) and visible(view, t.number, seat)
    ]  # fmt: skip
    looking = seats_of(seat)
    told = [(person, _told_of_person(view, person, seat)) for person in [*view.seats, *figures]]
    told = [(person, parts) for person, parts in told if parts]
    names = min(20, max((cell_len(name_of(view, person, seat)) for person, _ in told), default=0))
    made: list[Block] = []
    for person, parts in told:
        line = Text("* " if person in looking else "  ", style="bold yellow")
        line = _labelled(line, name_of(view, person, seat), names, parts, width)
        made += _block(f"person {person}", wrapped(line, width, names + 4 if width >= NARROW else 4))
    return made


def _laid_out(view: View, seat: Seat, width: int) -> list[Block]:
    """Things that carry tokens although they are neither places nor people: boards, cards, parts of them."""
    told = []
    for thing in view.things:
        number = thing.number
        if number in view.seats or view.is_kind(number, "Place") or not visible(view, number, seat):
            continue
        held = [f"{words(token)} {count}" for token, count in view.tokens(number).items()]
        if held and not view.place_of(number) and not view.decider(number):
            told.append(f"{name_of(view, number, seat)}: {', '.join(held)}")
    return _block("laid out", wrapped(Text("  " + "; ".join(told)), width, 4)) if told else []


def _told_of_person(view: View, person: int, seat: Seat) -> list[Text]:
    told = []
    for name, field in view.fields(person).items():
        if field.declaration.track is not None and open_field(view, person, field, seat):
            value = view.stored(person, field)
            if value is not None:
                told.append(Text(f"{words(name)} {value}"))
    told += [Text(f"{words(token)} {count}") for token, count in view.tokens(person).items()]
    return told + _piles_of(view, person, seat, "")


def _kind_name(view: View, thing: int) -> str:
    kind = view.thing(thing).kind
    said = view.program.world.kinds[kind].reads
    return said.partition("|")[0] if said else kind_words(kind)


def _pile_name(pile: Pile) -> str | None:
    """What a pile is called; none where it is kept quiet: it reads as nothing, or is a stock that lies face down."""
    declared = pile.declaration
    if not isinstance(declared, PileDeclaration):
        return words(pile.id)
    if declared.reads == "" or (declared.form == "pile" and declared.face == "face_down"):
        return None
    return bare_place(declared.reads).removeprefix("the ") if declared.reads else words(pile.id)


def _piles(view: View, seat: Seat) -> list[Block]:
    told = []
    for pile in view.program.world.piles:
        held = view.inside(pile.number)
        if pile.owner or pile.id in OUT_OF_PLAY or not held:
            continue
        name = _pile_name(pile)
        if name is None:
            continue
        open_ = all(visible(view, thing, seat) for thing in held)
        if open_ and pile.form not in ("deck", "bag") and len(held) <= SHORT_PILE:
            told.append((pile.id, f"{name}: {content(view, held, seat)}"))
            continue
        top = held[0]
        face = f" ({view.title(top)})" if view.face_up(top) and pile.form != "bag" else ""
        told.append((pile.id, f"{name} {len(held)}{face}"))
    return [Block(f"pile {id_}", (Text(text),), brief=True) for id_, text in told]
