"""What a seat is asked: a decision with its options, in words and by ids that stay the same from game to game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from talewright.runtime.host.words import Words, square_id
from talewright.runtime.ir.header import NONE, OPTIONS
from talewright.runtime.kernel.components import payments
from talewright.runtime.lower.decisions.anytime import FIRST_OPTION
from talewright.runtime.model.cells import (
    DECIDER,
    DECISION,
    LABELS,
    OPTION_LIST,
    PROMPT,
    SETTLER,
)
from talewright.runtime.model.types import is_number
from talewright.runtime.model.world import World, plain
from talewright.schemas.nodes.rules import OfferRule
from talewright.schemas.nodes.statements import Call, ChooseOne
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import record, replace
from talewright.schemas.wording import noun_text

NOTHING_CHOSEN = "None of these"
PASS = "Pass"
# Where ways to pay stand in their region, which begins at 0 for whoever reads the kernel as Python.
SOURCES, SOURCE, WAY, MOST = payments.SOURCES, payments.SOURCE, payments.WAY, payments.MOST


@record(frozen=True)
class Option:
    """One legal choice: a stable id, the cell behind it, and a label for people."""

    id: str
    value: int | None
    """The cell of the value; none where nothing is chosen."""
    label: str
    type: Type = ANY

    def text(self) -> str:
        """The label."""
        return self.label


@record(frozen=True)
class Decision:
    """Something that one of some seats must decide."""

    id: str
    seats: tuple[int, ...]
    options: tuple[Option, ...]
    prompt: str
    form: str
    mask: int
    """The seats as bits."""
    settles: int
    """Of several who decide together, the bit of the one who has the last word; 0 if nobody has."""

    @property
    def name(self) -> str:
        """The id without the number that counts how often somebody came here."""
        return self.id.partition("#")[0]


def read_decision(words: Words) -> Decision:
    """The decision that a game has stopped at."""
    return Decision(*decision_parts(words))


def decision_parts(words: Words) -> tuple[str, tuple[int, ...], tuple[Option, ...], str, str, int, int]:
    """The parts of the decision that a game has stopped at, in their order."""
    machine, program = words.machine, words.program
    number, mask = machine[DECISION], machine[DECIDER]
    point = program.points[number]
    cells = machine.read(machine[OPTION_LIST] + 1, machine[OPTIONS])
    labels = list(map(words.text, words.items(machine[LABELS])))
    prompt = words.text(machine[PROMPT])
    seats = words.seats(mask)
    extras = _anytime_options(words, cells) if program.world.anytime else []
    if extras:
        cells = cells[: -len(extras)]
    options = options_of(words, number, cells, labels, prompt, mask)
    name = point.id
    if number not in program.way_points:
        name = f"{name}#{machine[point.counter] if point.counter else 1}"
    return name, seats, (*options, *extras), prompt, point.form, mask, machine[SETTLER]


def options_of(
    words: Words, number: int, cells: Sequence[int], labels: Sequence[str], prompt: str, mask: int
) -> list[Option]:
    """The options of a decision: how they are read depends on what it asks for."""
    program = words.program
    point = program.points[number]
    if number in program.way_points:
        return list(map(_way, cells, labels))
    if number in program.menu_points:
        return _offers(words, cells, labels, program.menu_points[number].pass_text, mask)
    if number in program.choice_points:
        return [
            _choice(program.choice_points[number], cell, label)
            for cell, label in zip(cells, _numbered(labels), strict=False)
        ]
    if point.form == "rules":
        return _rules(words, cells)
    if point.form == "pay":
        return _ways_to_pay(words, cells)
    if point.form == "yes":
        return [Option("yes", 1, prompt or "Yes"), Option("no", 0, "No")]
    type_ = plain(point.type or Type("thing", "Thing"))
    if type_.tag == "thing":
        return _things(words, cells, type_, mask)
    nothing = NONE if is_number(type_) else 0
    return [_value_option(words, None if cell == nothing else cell, type_) for cell in cells]


@lru_cache(1 << 12)
def _way(cell: int, label: str) -> Option:
    """A way on; pages that are read again offer the same ones."""
    return Option(label, cell, label)


def _anytime_options(words: Words, cells: Sequence[int]) -> list[Option]:
    """What the deciders may do first, behind the options of the decision."""
    world = words.program.world
    found: list[Option] = []
    for cell in reversed(cells):
        index = FIRST_OPTION - cell
        if not 0 <= index < len(world.anytime):
            break
        name, label = anytime_words(world, index)
        found.append(Option(name, cell, label))
    return found[::-1]


def anytime_words(world: World, index: int) -> tuple[str, str]:
    """The id of something that may be done at any time, and what players read: the wording of its action, else its name."""
    body = world.anytime[index].body
    call = body[0] if body else None
    if not isinstance(call, Call):
        return f"anytime {index + 1}", f"Anytime {index + 1}"
    name = call.action.partition("/")[0]
    said = next(
        (each.reads for each in world.content.actions if each.id == call.action and not each.params), None
    )
    label = noun_text(said) if said else name.replace("_", " ")
    return name, f"{label[:1].upper()}{label[1:]}"


def _ways_to_pay(words: Words, cells: Sequence[int]) -> list[Option]:
    """What each way to pay spends, as the kernel has found it."""
    count = words.cell(SOURCES)
    sources = words.machine.read(SOURCE, count)
    made: list[Option] = []
    for cell in cells:
        used = words.machine.read(WAY + (cell - 1) * MOST, count)
        text = ", ".join(_spent(words, sources, used)) or "nothing"
        made.append(Option(text, cell, text))
    return made


def _spent(words: Words, sources: Sequence[int], used: Sequence[int]) -> list[str]:
    """The things of a way to pay in order of their sorts, then its tokens."""
    parts: list[tuple[bool, str, str]] = []
    for source, count in zip(sources, used, strict=True):
        if count:
            token = source <= 0
            key = words.program.world.content.tokens[-source].id if token else words.thing(source).sort
            name = key.replace("_", " ") if token else shown_title(words, source)
            parts.append((token, key, name if count == 1 else f"{count} {name}"))
    return [text for _, _, text in sorted(parts)]


def _rules(words: Words, cells: Sequence[int]) -> list[Option]:
    """Rules are called after who bears them, and numbered where that is not enough."""
    names = [words.title(cell) if cell else "the rules" for cell in cells]
    told = [
        name if names.count(name) == 1 else f"{name} {names[: index + 1].count(name)}"
        for index, name in enumerate(names)
    ]
    return [Option(label, cell, label) for cell, label in zip(cells, told, strict=True)]


def _choice(node: ChooseOne, cell: int, label: str) -> Option:
    if cell == 0:
        return Option("none", None, NOTHING_CHOSEN)
    return Option(node.options[cell - 1].id, cell, label)


def _numbered(labels: Sequence[str]) -> list[str]:
    """Labels, with a number behind those that read alike."""
    return [
        f"{label} ({labels[: index + 1].count(label)})" if labels.count(label) > 1 else label
        for index, label in enumerate(labels)
    ]


def _offers(
    words: Words, cells: Sequence[int], labels: Sequence[str], passing: str | None, mask: int
) -> list[Option]:
    made = [
        Option(label, cell, label) if cell else Option("pass", None, passing or PASS)
        for cell, label in zip(cells, labels, strict=False)
    ]
    numbered = _numbered([option.label for option in made])
    return [
        option if option.label == label else _told_apart(words, option, label, mask)
        for option, label in zip(made, numbered, strict=True)
    ]


def _told_apart(words: Words, option: Option, numbered: str, mask: int) -> Option:
    """Offers that read alike are told with where the first thing is that each is about, else with what offers it; those of
    nobody are numbered."""
    if option.value is None:
        return option  # what passes has a place of its own
    offer, bearer, *shown = words.items(option.value)
    rule = words.program.world.rules[offer].rule
    assert isinstance(rule, OfferRule)
    for part, cell in zip(rule.unbound, shown, strict=False):
        if plain(part.type).tag == "thing" and cell:
            return replace(option, label=with_place(words, option.id, cell))
    named = bearer and knows_face(words, bearer, mask)
    return replace(option, label=f"{option.id} ({words.title(bearer)})" if named else numbered)


def _value_option(words: Words, cell: int | None, type_: Type) -> Option:
    """An option that is a value of a type."""
    if cell is None:
        return Option("none", None, NOTHING_CHOSEN, type_)
    label = words.value(cell, type_)
    square = type_.tag in ("cell", "spot")
    return Option(square_id(*words.square(cell, type_)) if square else label, cell, label, type_)


# ------------------------------------------------------------------ what options that are things are called
def knows_face(words: Words, thing: int, mask: int) -> bool:
    """Whether all seats whose bits are set know the face of a thing."""
    machine, names = words.machine, words.program.layout.names
    return bool(
        machine[names["FACE"] + thing]
        or not machine[names["WHERE"] + thing]
        or machine[names["KNOWN"] + thing] & mask == mask
    )


def hidden_name(words: Words, thing: int) -> str:
    """What can be said of a thing whose face is not known."""
    kind = words.thing(thing).kind
    name = "".join(f" {c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(kind))
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} face down"


def hidden_id(words: Words, thing: int) -> str:
    """An option id that tells no more than where a thing lies and what its back shows."""
    return f"face down: {location_name(words, words.column('WHERE', thing))} {words.thing(thing).kind}"


def location_name(words: Words, where: int) -> str:
    """What a container or a place is called."""
    world = words.program.world
    if where > len(world.things):
        return world.piles[where - len(world.things) - 1].id
    return world.thing(where).id if where else "nowhere"


def shown_title(words: Words, thing: int) -> str:
    """The title of a thing; a die is called by the face that is up."""
    if not is_die(words, thing):
        return words.title(thing)
    kind = words.thing(thing).kind
    column = words.program.layout.columns[f"{kind}.face"]
    face = words.cell(column.address + thing)
    return words.title(face) if 0 < face <= len(words.program.world.things) else words.value(face, ANY)


def _things(words: Words, cells: Sequence[int], type_: Type, mask: int) -> list[Option]:
    """Options that are things. No more is told of them than the deciders know: title, content of a part, and where it is
    when titles agree."""
    fixed = words.fixed_labels
    own = {thing: fixed.get(thing) or _own_label(words, thing, mask) for thing in cells if thing}
    alike = Counter(own.values()) if len(set(own.values())) < len(own) else {}
    parts = {thing for thing in own if thing not in fixed and is_part(words, thing)}
    owners = {words.thing(thing).owner for thing in own} if parts else ()
    made = []
    for cell in cells:
        label = own.get(cell)
        if label is None:
            made.append(Option("none", None, NOTHING_CHOSEN, type_))
        elif not knows_face(words, cell, mask):
            label = with_place(words, hidden_name(words, cell), cell)
            made.append(Option(hidden_id(words, cell), cell, label, type_))
        else:
            thing = words.thing(cell)
            several = alike and alike[label] > 1
            if cell in parts and (several or len(owners) > 1):
                label = f"{words.title(thing.owner)}, {label}"
            elif several:
                label = with_place(words, label, cell)
            made.append(Option(thing.id, cell, label, type_))
    return made


def _own_label(words: Words, thing: int, mask: int) -> str:
    """The title of a thing, and of a part what lies in it."""
    title = shown_title(words, thing)
    if not is_part(words, thing):
        if words.is_fixed_title(thing) and not is_die(words, thing):
            words.fixed_labels[thing] = title
        return title
    held = [
        shown_title(words, inner) if knows_face(words, inner, mask) else hidden_name(words, inner)
        for pile in words.program.world.piles_of(thing)
        for inner in words.inside(pile.number)
    ]
    return f"{title.replace('_', ' ')}: {', '.join(held) or 'empty'}"


def is_die(words: Words, thing: int) -> bool:
    """Whether a thing is a die."""
    return words.program.world.kinds[words.thing(thing).kind].die is not None


def is_part(words: Words, thing: int) -> bool:
    """Whether a thing came with another as one of its fields."""
    entry = words.thing(thing)
    return bool(entry.owner) and entry.id.startswith(f"{words.thing(entry.owner).id}.")


def with_place(words: Words, label: str, thing: int) -> str:
    """A label with where the thing is: its place, whoever holds it, or the pile it lies in."""
    world = words.program.world
    where = words.column("WHERE", thing)
    if not where:
        return label
    at = where
    while at > len(world.things) and world.piles[at - len(world.things) - 1].owner:
        owner = world.piles[at - len(world.things) - 1].owner
        at = words.column("WHERE", owner) or (words.thing(owner).owner if is_part(words, owner) else owner)
    if at <= len(world.things):
        return f"{label} ({words.title(at)})" if at != thing else label
    if where > len(world.things) and world.piles[where - len(world.things) - 1].owner:
        return f"{label} ({words.title(world.piles[where - len(world.things) - 1].owner)})"
    name = location_name(words, where)
    return label if name in ("box", "limbo") else f"{label} ({name.replace('_', ' ')})"
