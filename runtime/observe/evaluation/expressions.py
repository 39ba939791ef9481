"""Literals, names, arithmetic, comparisons, questions about things, fields and properties."""

from __future__ import annotations

import operator
from collections.abc import Callable

from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.ir.header import NONE
from talewright.runtime.lower.expressions.fields import role_field_of
from talewright.runtime.model.cells import CHAPTER, ENDING
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation.evaluator import (
    DECIDERS,
    NO_POSITION,
    NO_ROW,
    NOTHING_THERE,
    Evaluator,
    Items,
    Scope,
    as_items,
    as_thing,
    calculated,
    evaluates,
    of_kind,
)
from talewright.runtime.observe.evaluation.modifiers import field_value
from talewright.runtime.observe.evaluation.traits import has_trait, trait_parameter
from talewright.runtime.observe.evaluation.values import Bands, Behaviour, Die, Formula, TraitUse, Value
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.arguments import (
    DoneDieValue,
    DoneFixedDice,
    DonePoolTotal,
    DoneProperty,
)
from talewright.schemas.nodes.types import Type


# ------------------------------------------------------------------ literals and names
@evaluates(li.IntLiteral, li.TruthLiteral)
def number(ev: Evaluator, node: li.IntLiteral | li.TruthLiteral, scope: Scope) -> Value:
    return int(node.value)


@evaluates(li.NoneLiteral)
def none(ev: Evaluator, node: li.NoneLiteral, scope: Scope) -> Value:
    return None


@evaluates(li.WordLiteral, li.MarkLiteral)
def word(ev: Evaluator, node: li.WordLiteral | li.MarkLiteral, scope: Scope) -> Value:
    return ev.word(node.value)


@evaluates(li.SizeLiteral)
def size(ev: Evaluator, node: li.SizeLiteral, scope: Scope) -> Value:
    return node.width * 256 + node.height


@evaluates(li.DiceLiteral)
def dice(ev: Evaluator, node: li.DiceLiteral, scope: Scope) -> Value:
    return Formula((ev.program.die_number(f"d{node.sides}", list(range(1, node.sides + 1))), node.count))


@evaluates(li.Text)
def text(ev: Evaluator, node: li.Text, scope: Scope) -> Value:
    return "".join(part if isinstance(part, str) else str(ev.value(part, scope)) for part in node.parts)


@evaluates(li.Show)
def show(ev: Evaluator, node: li.Show, scope: Scope) -> Value:
    return ev.shown(ev.value(node.of, scope), node.type)


@evaluates(li.MapLiteral)
def map_(ev: Evaluator, node: li.MapLiteral, scope: Scope) -> Value:
    return {ev.value(key, scope): ev.value(held, scope) for key, held in node.rows}


@evaluates(n.ThingRef)
def thing(ev: Evaluator, node: n.ThingRef, scope: Scope) -> Value:
    return ev.program.thing(node.id).value


@evaluates(n.SortRef)
def sort(ev: Evaluator, node: n.SortRef, scope: Scope) -> Value:
    copies = ev.program.world.sorts.get(node.id)
    return copies[0] if copies else ev.word(f"sort {node.id}")


@evaluates(n.PileRef)
def pile(ev: Evaluator, node: n.PileRef, scope: Scope) -> Value:
    return ev.program.world.pile_numbers[node.id]


@evaluates(n.AreaRef)
def area(ev: Evaluator, node: n.AreaRef, scope: Scope) -> Value:
    return ev.word(f"area:{node.name}")


@evaluates(n.StateRef)
def state(ev: Evaluator, node: n.StateRef, scope: Scope) -> Value:
    declared = next(x for x in ev.program.world.content.states if x.id == node.id)
    return ev.read(ev.memory[ev.program.layout.state_cells[node.id]], declared.type)


@evaluates(n.TrackRef)
def track(ev: Evaluator, node: n.TrackRef, scope: Scope) -> Value:
    return ev.memory[ev.program.layout.track_cells[node.id]]


@evaluates(n.OptionRef)
def option(ev: Evaluator, node: n.OptionRef, scope: Scope) -> Value:
    chosen = ev.program.world.settings.options[node.id]
    return ev.word(chosen) if isinstance(chosen, str) else None if chosen is None else int(chosen)


@evaluates(n.TokenRef)
def token(ev: Evaluator, node: n.TokenRef, scope: Scope) -> Value:
    return 1 + token_number(ev, node.id)


def token_number(ev: Evaluator, name: str) -> int:
    """The number of a token, counted from 0; as a value it is one more."""
    return next(i for i, token in enumerate(ev.program.world.content.tokens) if token.id == name)


@evaluates(n.DieRef)
def die(ev: Evaluator, node: n.DieRef, scope: Scope) -> Value:
    known = ev.program.dice.get(node.id)
    return Formula((known[0] if known is not None else 0, 1))


@evaluates(n.SeatRef)
def seat(ev: Evaluator, node: n.SeatRef, scope: Scope) -> Value:
    return ev.program.world.seats.get((node.role, node.number))


@evaluates(n.LocalRef)
def local(ev: Evaluator, node: n.LocalRef, scope: Scope) -> Value:
    return scope.locals[node.number]


@evaluates(n.SelfRef)
def self_(ev: Evaluator, node: n.SelfRef, scope: Scope) -> Value:
    return scope.me


@evaluates(n.ResultRef)
def result(ev: Evaluator, node: n.ResultRef, scope: Scope) -> Value:
    return scope.result


@evaluates(n.ChapterRef)
def chapter(ev: Evaluator, node: n.ChapterRef, scope: Scope) -> Value:
    return ev.memory[CHAPTER] or None


@evaluates(n.EndingRef)
def ended(ev: Evaluator, node: n.EndingRef, scope: Scope) -> Value:
    return ev.memory[ENDING] or None


@evaluates(n.KindRef)
def kind(ev: Evaluator, node: n.KindRef, scope: Scope) -> Value:
    return 1 + list(ev.program.world.kinds).index(node.id)


@evaluates(n.TraitRef)
def trait(ev: Evaluator, node: n.TraitRef, scope: Scope) -> Value:
    return TraitUse(node.id)


@evaluates(n.TraitParam)
def trait_param(ev: Evaluator, node: n.TraitParam, scope: Scope) -> Value:
    return trait_parameter(ev, as_thing(scope.me), scope.owner, node.name)


# ------------------------------------------------------------------ arithmetic and comparison
_ARITHMETIC: dict[type, Callable[[int, int], int]] = {
    o.Add: operator.add, o.Sub: operator.sub, o.Mul: operator.mul, o.Div: operator.floordiv, o.Mod: operator.mod,
}  # fmt: skip
_COMPARISONS: dict[type, Callable[[int, int], bool]] = {
    o.Eq: operator.eq, o.Ne: operator.ne, o.Lt: operator.lt, o.Le: operator.le, o.Gt: operator.gt, o.Ge: operator.ge,
}  # fmt: skip


@evaluates(*_ARITHMETIC)
def arithmetic(ev: Evaluator, node: o.Add, scope: Scope) -> Value:
    left, right = ev.number(node.left, scope), ev.number(node.right, scope)
    return calculated(_ARITHMETIC[type(node)], left, right)


@evaluates(*_COMPARISONS)
def comparison(ev: Evaluator, node: o.Eq, scope: Scope) -> Value:
    left, right = ev.value(node.left, scope), ev.value(node.right, scope)
    if not isinstance(left, int) or not isinstance(right, int):
        return 0
    return int(_COMPARISONS[type(node)](left, right))


@evaluates(o.Between)
def between(ev: Evaluator, node: o.Between, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    if not isinstance(held, int):
        return 0
    return int(ev.number(node.low, scope) <= held <= ev.number(node.high, scope))


@evaluates(o.Same, o.SamePile)
def same(ev: Evaluator, node: o.Same, scope: Scope) -> Value:
    left, right = ev.value(node.left, scope), ev.value(node.right, scope)
    if isinstance(node, o.Same) and node.unordered:
        return int(same_members(left, right))
    return int(left == right)


def same_members(left: Value, right: Value) -> bool:
    """Whether two sets have the same members, in whatever order."""
    if not (isinstance(left, tuple) and isinstance(right, tuple)):
        return left == right
    return len(left) == len(right) and all(item in right for item in left)


@evaluates(o.And)
def and_(ev: Evaluator, node: o.And, scope: Scope) -> Value:
    return int(ev.condition(node.left, scope) and ev.condition(node.right, scope))


@evaluates(o.Or)
def or_(ev: Evaluator, node: o.Or, scope: Scope) -> Value:
    return int(ev.condition(node.left, scope) or ev.condition(node.right, scope))


@evaluates(o.Not)
def not_(ev: Evaluator, node: o.Not, scope: Scope) -> Value:
    return int(not ev.condition(node.of, scope))


@evaluates(o.Pick)
def pick(ev: Evaluator, node: o.Pick, scope: Scope) -> Value:
    return ev.value(node.yes if ev.condition(node.condition, scope) else node.no, scope)


@evaluates(q.Least, q.Greatest)
def extreme_of(ev: Evaluator, node: q.Least | q.Greatest, scope: Scope) -> Value:
    # None is less than every number, as in a cell.
    numbers = [value if isinstance(value := ev.value(item, scope), int) else NONE for item in node.items]
    found = min(numbers) if isinstance(node, q.Least) else max(numbers)
    return None if found == NONE else found


@evaluates(o.Rank)
def rank(ev: Evaluator, node: o.Rank, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    return next((place for place, name in enumerate(node.words) if ev.word(name) == held), None)


@evaluates(r.AsInt)
def as_int(ev: Evaluator, node: r.AsInt, scope: Scope) -> Value:
    return ev.value(node.of, scope)


# ------------------------------------------------------------------ questions about things
@evaluates(o.IsNone)
def is_none(ev: Evaluator, node: o.IsNone, scope: Scope) -> Value:
    return int(ev.value(node.of, scope) is None)


@evaluates(o.IsKind)
def is_kind(ev: Evaluator, node: o.IsKind, scope: Scope) -> Value:
    return int(of_kind(ev, ev.value(node.of, scope), node.kind))


@evaluates(o.IsTrait)
def is_trait(ev: Evaluator, node: o.IsTrait, scope: Scope) -> Value:
    return int(has_trait(ev, ev.thing(node.of, scope), node.trait))


@evaluates(o.IsSort)
def is_sort(ev: Evaluator, node: o.IsSort, scope: Scope) -> Value:
    return int((ev.column("SORT", ev.thing(node.of, scope)) or None) == ev.value(node.sort, scope))


@evaluates(o.IsFace)
def is_face(ev: Evaluator, node: o.IsFace, scope: Scope) -> Value:
    held = ev.thing(node.of, scope)
    return int(bool(held) and bool(ev.column("FACE", held)) == (node.face == "face_up"))


@evaluates(o.LiesIn)
def lies_in(ev: Evaluator, node: o.LiesIn, scope: Scope) -> Value:
    held, where = ev.thing(node.thing, scope), ev.thing(node.pile, scope)
    return int(bool(where) and bool(held) and ev.column("WHERE", held) == where)


@evaluates(o.Knows)
def knows(ev: Evaluator, node: o.Knows, scope: Scope) -> Value:
    what = ev.thing(node.what, scope)
    seats = ev.items(node.who, scope)
    return int(all(ev.kernel.call("knows", as_thing(seat), what) for seat in seats))


@evaluates(o.Pair)
def pair(ev: Evaluator, node: o.Pair, scope: Scope) -> Value:
    return (ev.value(node.left, scope), ev.value(node.right, scope))


@evaluates(o.During)
def during(ev: Evaluator, node: o.During, scope: Scope) -> Value:
    form, _, name = node.moment.partition(":")
    if form == "period":
        return ev.memory[ev.program.period_cell(name)]
    verb = ev.program.verb_number(name)
    if node.of is None:
        return int(ev.kernel.call("running_call", verb) > 0)
    return ev.kernel.call("running_of", verb, ev.thing(node.of, scope))


# ------------------------------------------------------------------ fields and properties
@evaluates(r.FieldOf)
def field_of(ev: Evaluator, node: r.FieldOf, scope: Scope) -> Value:
    held = ev.thing(node.of, scope)
    field = ev.program.world.fields.get((node.owner, node.name))
    if field is None:
        return trait_parameter(ev, held, node.owner, node.name)
    lender = node.of
    if isinstance(lender, r.FieldOf):
        lends = ev.program.world.fields.get((lender.owner, lender.name))
        if lends is not None and "lends all" in lends.declaration.flags:
            return field_value(ev, held, field, ev.thing(lender.of, scope))
    return field_value(ev, held, field)


@evaluates(r.LateField)
def late_field(ev: Evaluator, node: r.LateField, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    for (owner, name), field in ev.program.world.fields.items():
        if name == node.name and owner in ev.program.world.kinds and of_kind(ev, held, owner):
            return ev.stored(as_thing(held), field)
    return None


@evaluates(r.Property, DoneProperty)
def property_(ev: Evaluator, node: r.Property, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    thing_ = as_thing(held)
    match node.name:
        case "place":
            return ev.kernel.call("place_of", thing_) or None
        case "holder":
            return ev.kernel.call("holder_of", thing_) or None
        case "owner":
            return ev.column("OWNER", thing_) or ev.kernel.call("holder_of", thing_) or None
        case "sort":
            return ev.column("SORT", thing_) or None
        case "title":
            return ev.words.title(thing_) if thing_ else "none"
        case "prose":
            return ev.words.prose(thing_)
        case "face":
            return ev.column("FACE_WORD", thing_) or None if "FACE_WORD" in ev.program.layout.names else None
    return SPACE_PROPERTIES[node.name](ev, held, ev.type_of(node, scope))


SPACE_PROPERTIES: dict[str, Callable[[Evaluator, Value, Type], Value]] = {}
"""Properties about the map, by name; `places` enters them."""


@evaluates(r.Decider)
def decider(ev: Evaluator, node: r.Decider, scope: Scope) -> Value:
    field = role_field_of(ev.program.world, node.kind)
    held = ev.value(node.of, scope)
    return held if field is None else ev.stored(as_thing(held), field)


def deciders(ev: Evaluator, node: object, scope: Scope) -> Items:
    """The seats of those who decide; a thing decides through the seat that it belongs to, else through its team."""
    world = ev.program.world
    if node is None:
        return tuple(world.seats.values())
    if isinstance(node, r.Decider):
        found = decider(ev, node, scope)
        field = role_field_of(world, node.kind)
        if found is None and field is not None:
            role = plain(field.type).name
            return tuple(s for team in world.content.teams if team.role == role for s in world.of_kind(role))
        return as_items(found)
    made: list[Value] = []
    for held in ev.items(node, scope):
        seat_ = held
        if isinstance(held, int) and held not in world.seats.values():
            field = role_field_of(world, world.thing(held).kind)
            seat_ = None if field is None else ev.stored(held, field)
        if seat_ is not None:
            made.append(seat_)
    return tuple(made)


DECIDERS.append(deciders)


# ------------------------------------------------------------------ maps and bands
@evaluates(r.LookUp)
def look_up(ev: Evaluator, node: r.LookUp, scope: Scope) -> Value:
    rows, key = ev.value(node.of, scope), ev.value(node.key, scope)
    if isinstance(rows, Bands):
        items = band_items(ev, rows, key)
        return items[0] if items else None
    found = rows.get(key) if isinstance(rows, dict) else None
    if isinstance(found, Behaviour) and isinstance(node.of, r.FieldOf):
        return Behaviour(found.slot, ev.thing(node.of.of, scope), found.handed_over)
    return found


def band_items(ev: Evaluator, rows: Bands, key: Value) -> Items | None:
    """What the band of a number brings; none if there is no such band."""
    block = ev.kernel.call("band_items", rows.address, as_thing(key)) if key is not None else 0
    return tuple(ev.read(cell, rows.item) for cell in ev.words.items(block)) if block else None


@evaluates(r.BandOf)
def band_of(ev: Evaluator, node: r.BandOf, scope: Scope) -> Value:
    rows = ev.value(node.of, scope)
    found = band_items(ev, rows, ev.value(node.number, scope)) if isinstance(rows, Bands) else None
    if found is None:
        raise EngineFault(NO_ROW)
    return found


@evaluates(r.Nth)
def nth(ev: Evaluator, node: r.Nth, scope: Scope) -> Value:
    items, position = ev.items(node.of, scope), ev.value(node.position, scope)
    if not isinstance(position, int) or not 1 <= position <= len(items):
        raise EngineFault(NO_POSITION)
    return items[position - 1]


# ------------------------------------------------------------------ dice
FACE, KIND, PURPOSE, ROLLER, REROLLED = range(5)


@evaluates(r.PoolTotal, DonePoolTotal, r.DieValue, DoneDieValue)
def pool_total(ev: Evaluator, node: r.PoolTotal, scope: Scope) -> Value:
    return total_of(ev, ev.value(node.of, scope))


def total_of(ev: Evaluator, held: Value) -> Value:
    """What dice show together; a number is itself."""
    if isinstance(held, tuple):
        return sum(ev.die(die) for die in held if isinstance(die, Die))
    if isinstance(held, Die):
        return ev.die(held)
    return held if isinstance(held, int) else None


@evaluates(r.DieProperty)
def die_property(ev: Evaluator, node: r.DieProperty, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    if not isinstance(held, Die):
        return None
    return ev.die(held, {"face": FACE, "rerolled": REROLLED, "purpose": PURPOSE}[node.name])


@evaluates(r.PoolProperty)
def pool_property(ev: Evaluator, node: r.PoolProperty, scope: Scope) -> Value:
    return int(len({ev.die(die) for die in ev.items(node.of, scope) if isinstance(die, Die)}) == 1)


@evaluates(r.FixedDice, DoneFixedDice)
def fixed_dice(ev: Evaluator, node: r.FixedDice, scope: Scope) -> Value:
    return Formula((0, ev.number(node.of, scope)))


@evaluates(o.ManyDice)
def many_dice(ev: Evaluator, node: o.ManyDice, scope: Scope) -> Value:
    held, count = ev.value(node.dice, scope), max(0, ev.number(node.count, scope))
    if not isinstance(held, Formula):
        raise EngineFault(NOTHING_THERE)
    return Formula(tuple(cell * count if index % 2 else cell for index, cell in enumerate(held.cells)))
