"""The table as one seat sees it: tracks, map, people, piles; never what the seat does not know."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from rich.cells import cell_len
from rich.text import Text

from talewright.report.table.board_map import FINE, Lines, map_lines, rows_of_places, squares_lines
from talewright.report.table.prose import clean, prose_lines, wrapped
from talewright.report.table.visibility import (
    Seat,
    content,
    name_of,
    open_field,
    seats_of,
    value_text,
    visible,
    words,
)
from talewright.report.wording.phrases import Phrase, band_text, bare_place
from talewright.runtime.host.decisions import Option
from talewright.runtime.model.types import item_of
from talewright.runtime.model.world import Field, Pile, plain
from talewright.runtime.observe.values import Behaviour, Value
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.declared import PileDeclaration, TrackDeclaration
from talewright.schemas.nodes.literals import IntLiteral, SetLiteral
from talewright.schemas.nodes.names import ThingRef
from talewright.schemas.nodes.tables import Band, RangePattern, ValuePattern
from talewright.schemas.nodes.things import Bands, Edges
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record
from talewright.schemas.wording import noun_forms, noun_text, spaced

# A track is a row of spaces: those passed, the marker, those ahead.
PASSED, MARKER, AHEAD = "=", "O", "."
SHORT_BAR = 18
NAME_AND_NUMBER = 22
SHORT_PILE = 4
SHORT_TRACK = 12
NARROW = 60
OUT_OF_PLAY = ("box", "limbo")
NUMBERS = ("int", "range", "target", "ints")
READABLE = ("ints", "thing", "set", "list")
# What a band may lead to that nobody should know before.
SECRET_ENDS = ("Card", "Chapter", "Ending")
# What stands in one line with others of its sort when a thing is looked at.
BRIEF = ("int", "range", "target", "words")


@record(frozen=True)
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
    whereabouts = _whereabouts(view, thing, seat)
    if whereabouts:
        lines += wrapped(Text(f"  {whereabouts}"), width, 4)
    here = [standing for standing in view.inside(thing) if not view.is_part(standing)]
    if here:
        lines += wrapped(Text(f"  here: {content(view, here, seat)}"), width, 4)
    prose = view.prose(thing)
    if prose:
        lines += [Text("  ") + line for line in prose_lines(prose, width - 4)]
    brief: list[str] = []
    longer: list[Text] = []
    for name, field in view.fields(thing).items():
        if not is_shown(field) or not open_field(view, thing, field, seat):
            continue
        value, label = view.stored(thing, field), field_label(field, name)
        if field.tag == "pile" and isinstance(value, int):
            held = view.inside(value)
            if held:
                longer.append(Text(f"{label}: {content(view, held, seat)}"))
        elif field.tag == "thing" and isinstance(value, int) and view.is_part(value):
            longer += _piles_of(view, value, seat, label)
        elif field.tag == "truth":
            brief += [label] if value else []
        elif (
            field.tag in BRIEF and value is not None and (value or field.declaration.track or _worded(field))
        ):
            reads = view.field(thing, field) if field.tag in NUMBERS else value
            many = noun_text(field.declaration.reads or "").partition("|")[2]
            called = many if many and reads != 1 else label
            brief.append(f"{called} {_told(view, reads, value, field, seat)}{_end(field)}")
        elif field.tag == "text" and isinstance(value, str):
            told = " ".join(value.split())
            longer += [Text(f"{label}: {told}")] if told and told != " ".join(prose.split()) else []
        elif isinstance(value, dict) and value:
            told = _rows_told(view, value, field.type, seat)
            longer += [Text(f"{label}: {told}")] if told else []
        elif field.tag in READABLE and value not in (None, ()):
            longer.append(Text(f"{label}: {value_text(view, value, field.type, seat)}"))
    for name, field, lender in view.lent(thing):
        if field.tag in NUMBERS and is_shown(field) and open_field(view, lender, field, seat):
            reads, printed = view.borrowed(thing, field, lender), view.stored(lender, field)
            brief.append(f"{field_label(field, name)} {_told(view, reads, printed, field, seat)}")
    brief += [f"{words(token)} {count}" for token, count in view.tokens(thing).items()]
    for line in [*([Text("; ".join(brief))] if brief else []), *longer, *_printed(view, thing)]:
        lines += wrapped(Text("  ") + line, width, 4)
    if view.has_rules_in_force(thing):
        lines.append(Text("  its rules are in force", style="dim"))
    return lines


def _whereabouts(view: View, thing: int, seat: Seat) -> str:
    """Where a thing is: in what somebody has, and at which place; empty where it is in neither."""
    told = []
    place, where = view.place_of(thing), view.where(thing)
    pile = next((pile for pile in view.program.world.piles if pile.number == where and pile.owner), None)
    if pile is not None:
        owner, field = pile.owner, view.fields(pile.owner)[pile.field]
        while view.is_part(owner):
            owner = view.thing(owner).owner
        if owner not in (place, thing):
            label = field_label(field, pile.field)
            told.append(f"in {Phrase(name_of(view, owner, seat)).owned(label)}")
    if place and place != thing:
        told.append(f"at {name_of(view, place, seat)}")
    return ", ".join(told)


def _rows_told(view: View, rows: Mapping[Value, Value], type_: Type, seat: Seat) -> str:
    """What a field holds for each key, in a row, with rows inside it in brackets; what is done for a key is not told."""
    key_type, held_type = plain(type_).args
    if not isinstance(key_type, Type) or not isinstance(held_type, Type):
        return ""
    told = []
    for key, held in rows.items():
        name = value_text(view, key, key_type, seat)
        if isinstance(held, dict):
            told.append(f"{name} ({_rows_told(view, held, held_type, seat)})")
        elif not isinstance(held, Behaviour):
            told.append(f"{name} {value_text(view, held, held_type, seat)}")
    return ", ".join(told)


def _printed(view: View, thing: int) -> list[Text]:
    """What is printed on a thing beside its numbers: the bands of its tests, and the ways on that have a label."""
    told = []
    for name, held in view.thing(thing).fields.items():
        field = view.fields(thing).get(name)
        if field is None or not is_shown(field):
            continue
        if isinstance(held, Bands):
            told.append(
                Text(f"{field_label(field, name)}: {', '.join(_band(view, row) for row in held.rows)}")
            )
        elif isinstance(held, Edges):
            labels = [row.label for row in held.rows if row.label is not None]
            ways = [" ".join(part for part in label.parts if isinstance(part, str)) for label in labels]
            if ways:
                told.append(Text("ways on: " + "; ".join(f"“{way}”" for way in ways)))
    return told


def _band(view: View, row: Band) -> str:
    """The range of a band as it is printed, with what it brings if that is neither a card nor a page, which would tell too much."""
    items = row.items.items if isinstance(row.items, SetLiteral) else (row.items,)
    brings = [view.number(item.id) for item in items if isinstance(item, ThingRef)]
    open_ = [one for one in brings if not any(view.is_kind(one, kind) for kind in SECRET_ENDS)]
    told = f" {', '.join(map(view.title, open_))}" if open_ else ""
    pattern = row.pattern
    if isinstance(pattern, RangePattern):
        ends: tuple[object, ...] = (pattern.low, pattern.high)
        return band_text(*(end.value if isinstance(end, IntLiteral) else None for end in ends)) + told
    if isinstance(pattern, ValuePattern) and isinstance(pattern.value, IntLiteral):
        return f"{pattern.value.value}{told}"
    return f"...{told}"


def pile_lines(view: View, name: str, seat: Seat, width: int = 80) -> list[Text]:
    """A container of the table that is opened: what lies in it, as far as the seat knows; empty where none is called so."""
    wanted = name.strip().lower().removeprefix("the ")
    for pile in view.program.world.piles:
        called = _pile_label(pile).lower()
        if pile.owner or pile.id in OUT_OF_PLAY or wanted not in (called, words(pile.id).lower()):
            continue
        held = view.inside(pile.number)
        label = f"{called[:1].upper()}{called[1:]} ({pile.form}, {len(held)})"
        known = [thing for thing in held if visible(view, thing, seat)]
        told = content(view, known, seat) if known else ("nothing" if not held else "")
        if len(known) < len(held):
            told += f"{', and ' if known else ''}{len(held) - len(known)} face down"
        return wrapped(Text(f"{label}: {told}"), width, 4)
    return _own_pile_lines(view, wanted, seat, width)


def _own_pile_lines(view: View, wanted: str, seat: Seat, width: int) -> list[Text]:
    """What somebody at the table has of their own, opened by its name: a hand, a shelf, the pool of whoever they play."""
    seats = seats_of(seat)
    own = [t.number for t in view.things if t.number in seats or view.decider(t.number) in seats]
    lines: list[Text] = []
    for thing in own:
        for name, field in view.fields(thing).items():
            value, label = view.stored(thing, field), field_label(field, name)
            if field.tag != "pile" or not isinstance(value, int) or not is_shown(field):
                continue
            if wanted in (label.lower(), words(name)) and open_field(view, thing, field, seat):
                held = view.inside(value)
                called = f"{label[:1].upper()}{label[1:]} of {view.title(thing)} ({len(held)})"
                lines += wrapped(
                    Text(f"{called}: {content(view, held, seat) if held else 'nothing'}"), width, 4
                )
    return lines


def token_lines(view: View, name: str, seat: Seat, width: int = 80) -> list[Text]:
    """Where the tokens of a name lie; empty where none is called so."""
    wanted = name.strip().lower().removeprefix("the ")
    for token in view.program.world.content.tokens:
        forms = noun_forms(noun_text(token.reads)) if token.reads else (words(token.id), words(token.id))
        if wanted not in (words(token.id).lower(), forms[0].lower(), forms[1].lower()):
            continue
        lying = [(thing.number, view.tokens(thing.number).get(token.id, 0)) for thing in view.things]
        shown = [f"{view.title(one)} {count}" for one, count in lying if count and visible(view, one, seat)]
        told = f"{forms[0][:1].upper()}{forms[0][1:]} (token): {'; '.join(shown) or 'none on the table'}"
        return wrapped(Text(told), width, 4)
    return []


def is_shown(field: Field) -> bool:
    """Whether a field is shown to players at all: one that reads as nothing is not."""
    return field.declaration.reads != ""


def _worded(field: Field) -> bool:
    """Whether the author has said what a field is called: then it is told even where it is 0."""
    return bool(field.declaration.reads)


def field_label(field: Field, name: str) -> str:
    """What a field is called on the table."""
    return noun_text(field.declaration.reads or words(name)).partition("|")[0]


def track_label(track: TrackDeclaration) -> str:
    """What a track is called on the table."""
    called = noun_text(track.reads or words(track.id.rpartition(":")[2]))
    return called.rpartition("|")[2].removeprefix("the ")


def _end(field: Field) -> str:
    """The end of a short track: `/6`. Of a long one it is only a bound."""
    track = field.declaration.track
    return f"/{track.high}" if track is not None and track.high - track.low < SHORT_TRACK else ""


def _told(view: View, reads: Value, printed: Value, field: Field, seat: Seat) -> str:
    """A value as it counts now, and as it is printed where rules have changed it."""
    told = value_text(view, reads, field.type, seat)
    return told if reads == printed else f"{told} (printed {value_text(view, printed, field.type, seat)})"


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
            or not is_shown(field)
            or not open_field(view, thing, field, seat)
        ):
            continue
        value = view.stored(thing, field)
        if value:
            told.append(f"{field_label(field, name)}: {value_text(view, value, field.type, seat)}")
    return f" ({'; '.join(told)})" if told else ""


def _block(key: str, lines: list[Text]) -> list[Block]:
    return [Block(key, tuple(lines))] if lines else []


def _heading(view: View, width: int) -> list[Block]:
    chapter = view.chapter
    if not chapter:
        return []
    title = f"== {view.title(chapter)} "
    lines = [Text(title[:width].ljust(width, "="), style="bold")]
    goal = view.fields(chapter).get("goal")
    told = None if goal is None else view.stored(chapter, goal)
    if told:
        lines += wrapped(Text(f"  Goal: {clean(str(told))}", style="italic"), width, 8)
    return _block("chapter", lines)


# ------------------------------------------------------------------ tracks
def _tracks(view: View, width: int) -> list[Block]:
    told: list[tuple[str, str, str]] = []
    present = view.thing(view.chapter).id if view.chapter else ""
    room = width - 2 - NAME_AND_NUMBER
    for track in view.program.world.content.tracks:
        owner = track.id.rpartition(":")[0]
        at = view.program.layout.track_cells.get(track.id)
        if at is not None and owner in ("", present) and track.reads != "":
            value = view.memory[at]
            told.append(
                (track_label(track), _bar(value, track.low, track.high, room), f"{value}/{track.high}")
            )
    if not told:
        return []
    names = max(len(name) for name, _, _ in told)
    lines: list[Text] = []
    # Short tracks share a line, in columns; a long one has its own.
    short = [row for row in told if len(row[1]) <= SHORT_BAR]
    bars = max((len(bar) for _, bar, _ in short), default=0)
    whole = names + bars + 9
    beside = max(1, (width - 2) // whole)
    for start in range(0, len(short), beside):
        line = Text("  ")
        for name, bar, reached in short[start : start + beside]:
            line.append(f"{name:<{names}} ")
            line.append(f"{bar:<{bars}}", style="cyan")
            line.append(f" {reached}".ljust(whole - names - 1 - bars), style="bold")
        line.rstrip()
        lines.append(line)
    for name, bar, reached in told:
        if len(bar) > SHORT_BAR:
            lines.append(Text.assemble(f"  {name:<{names}} ", (bar, "cyan"), (f" {reached}", "bold")))
    return _block("tracks", lines)


def _bar(value: int, low: int, high: int, most: int) -> str:
    """A track as a row of spaces, one for each value, with its marker; empty where it has too many."""
    size = high - low + 1
    if not 0 < size <= most:
        return ""
    at = min(size - 1, max(0, value - low))
    return f"[{PASSED * at}{MARKER}{AHEAD * (size - at - 1)}]"


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


def _piles_of(view: View, owner: int, seat: Seat, part: str, most: int | None = None) -> list[Text]:
    """What lies in the containers of a thing, or how much where it is more than so much; a part with one container goes by
    its own name."""
    fields = [
        (name, field) for name, field in view.fields(owner).items()
        if field.tag == "pile" and is_shown(field) and open_field(view, owner, field, seat)
    ]  # fmt: skip
    told = []
    for name, field in fields:
        where = view.stored(owner, field)
        held = view.inside(where) if isinstance(where, int) else []
        if held:
            label = part if part and len(fields) == 1 else f"{part} {field_label(field, name)}".strip()
            short = most is None or len(held) <= most
            told.append(Text(f"{label}: {content(view, held, seat)}" if short else f"{label} {len(held)}"))
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
    """Things that carry tokens or tracks although they are neither places nor people: boards, cards, parts of them."""
    told = []
    for thing in view.things:
        number = thing.number
        if number in view.seats or view.is_kind(number, "Place") or not visible(view, number, seat):
            continue
        held = [f"{words(token)} {count}" for token, count in view.tokens(number).items()]
        held += _raised(view, number, seat)
        if held and not view.place_of(number) and not view.decider(number):
            told.append(f"{name_of(view, number, seat)}: {', '.join(held)}")
    return _block("laid out", wrapped(Text("  " + "; ".join(told)), width, 4)) if told else []


def _raised(view: View, thing: int, seat: Seat) -> list[str]:
    """The tracks of a thing that stand above their lower end."""
    told = []
    for name, field in view.fields(thing).items():
        track = field.declaration.track
        if track is None or not is_shown(field) or not open_field(view, thing, field, seat):
            continue
        value = view.stored(thing, field)
        if isinstance(value, int) and value > track.low:
            told.append(f"{field_label(field, name)} {value}{_end(field)}")
    return told


def _told_of_person(view: View, person: int, seat: Seat) -> list[Text]:
    told = []
    for name, field in view.fields(person).items():
        if field.declaration.track is not None and is_shown(field) and open_field(view, person, field, seat):
            value = view.stored(person, field)
            if value is not None:
                told.append(Text(f"{field_label(field, name)} {value}{_end(field)}"))
    told += [Text(f"{words(token)} {count}") for token, count in view.tokens(person).items()]
    # Of somebody else's many cards their number will do; `look` opens them.
    own = person in seats_of(seat) or view.decider(person) in seats_of(seat)
    return told + _piles_of(view, person, seat, "", None if own else SHORT_PILE)


def _kind_name(view: View, thing: int) -> str:
    kind = view.thing(thing).kind
    said = view.program.world.kinds[kind].reads
    return noun_text(said).partition("|")[0] if said else spaced(kind)


def _pile_label(pile: Pile) -> str:
    """What a pile is called."""
    said = pile.declaration.reads if isinstance(pile.declaration, PileDeclaration) else None
    if not said:
        return words(pile.id)
    bare = bare_place(noun_text(said))
    # `on the board` is the board, but what lies `in play` is called so.
    return bare.removeprefix("the ") if bare.startswith("the ") else noun_text(said)


def _is_quiet(pile: Pile, count: int) -> bool:
    """Whether a pile is not on the table: it reads as nothing, lies face down, or is a stock that holds more than a few."""
    declared = pile.declaration
    if not isinstance(declared, PileDeclaration):
        return False
    if declared.reads == "" or (declared.form == "pile" and declared.face == "face_down"):
        return True
    stock = declared.form in ("pile", "bag") and declared.content is not None
    return stock and declared.face != "face_up" and count > SHORT_PILE


def _piles(view: View, seat: Seat) -> list[Block]:
    told = []
    for pile in view.program.world.piles:
        held = view.inside(pile.number)
        if pile.owner or pile.id in OUT_OF_PLAY or not held or _is_quiet(pile, len(held)):
            continue
        name = _pile_label(pile)
        open_ = all(visible(view, thing, seat) for thing in held)
        if open_ and pile.form not in ("deck", "bag") and len(held) <= SHORT_PILE:
            told.append((pile.id, f"{name}: {content(view, held, seat)}"))
            continue
        top = held[0]
        face = f" ({view.title(top)})" if view.face_up(top) and pile.form != "bag" else ""
        told.append((pile.id, f"{name} {len(held)}{face}"))
    return [Block(f"pile {id_}", (Text(text),), brief=True) for id_, text in told]
