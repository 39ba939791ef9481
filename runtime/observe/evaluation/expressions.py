"""Literals, names, arithmetic, comparisons, questions about things, fields and properties."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import get_args

from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.ir.header import NONE
from talewright.runtime.model.cells import CHAPTER, ENDING
from talewright.runtime.model.settings import COMPARISONS
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
)

# ------------------------------------------------------------------ literals and names
Literal = (
    li.IntLiteral | li.TruthLiteral | li.NoneLiteral | li.WordLiteral | li.MarkLiteral | li.SizeLiteral | li.DiceLiteral
    | li.MapLiteral | li.Text | li.Show
)  # fmt: skip
Name = (
    n.LocalRef | n.SelfRef | n.ResultRef | n.ThingRef | n.SortRef | n.PileRef | n.SeatRef | n.KindRef | n.TraitRef | n.TraitParam
    | n.StateRef | n.TrackRef | n.OptionRef | n.TokenRef | n.DieRef | n.AreaRef | n.ChapterRef | n.EndingRef
)  # fmt: skip


@evaluates(*get_args(Literal))
def literal(ev: Evaluator, node: Literal, scope: Scope) -> Value:
    """What is written out."""
    match node:
        case li.IntLiteral() | li.TruthLiteral():
            return int(node.value)
        case li.NoneLiteral():
            return None
        case li.WordLiteral() | li.MarkLiteral():
            return ev.word(node.value)
        case li.SizeLiteral():
            return node.width * 256 + node.height
        case li.DiceLiteral():
            return Formula(
                (ev.program.die_number(f"d{node.sides}", list(range(1, node.sides + 1))), node.count)
            )
        case li.MapLiteral():
            return {ev.value(key, scope): ev.value(held, scope) for key, held in node.rows}
        case li.Text():
            return "".join(
                part if isinstance(part, str) else str(ev.value(part, scope)) for part in node.parts
            )
        case li.Show():
            return ev.shown(ev.value(node.of, scope), node.type)


@evaluates(*get_args(Name))
def named(ev: Evaluator, node: Name, scope: Scope) -> Value:
    """What a name stands for."""
    program = ev.program
    match node:
        case n.LocalRef():
            return scope.locals[node.number]
        case n.SelfRef():
            return scope.me
        case n.ResultRef():
            return scope.result
        case n.ThingRef():
            return program.thing(node.id).value
        case n.SortRef():
            copies = program.world.sorts.get(node.id)
            return copies[0] if copies else ev.word(f"sort {node.id}")
        case n.PileRef():
            return program.world.pile_numbers[node.id]
        case n.SeatRef():
            return program.world.seats.get((node.role, node.number))
        case n.KindRef():
            return 1 + list(program.world.kinds).index(node.id)
        case n.TraitRef():
            return TraitUse(node.id)
        case n.TraitParam():
            return trait_parameter(ev, as_thing(scope.me), scope.owner, node.name)
        case n.StateRef():
            declared = next(x for x in program.world.content.states if x.id == node.id)
            return ev.read(ev.memory[program.layout.state_cells[node.id]], declared.type)
        case n.TrackRef():
            return ev.memory[program.layout.track_cells[node.id]]
        case n.OptionRef():
            chosen = program.world.settings.options[node.id]
            return ev.word(chosen) if isinstance(chosen, str) else None if chosen is None else int(chosen)
        case n.TokenRef():
            return 1 + token_number(ev, node.id)
        case n.DieRef():
            known = program.dice.get(node.id)
            return Formula((known[0] if known is not None else 0, 1))
        case n.AreaRef():
            return ev.word(f"area:{node.name}")
        case n.ChapterRef():
            return ev.memory[CHAPTER] or None
        case n.EndingRef():
            return ev.memory[ENDING] or None


def token_number(ev: Evaluator, name: str) -> int:
    """The number of a token, counted from 0; as a value it is one more."""
    return next(i for i, token in enumerate(ev.program.world.content.tokens) if token.id == name)


# ------------------------------------------------------------------ arithmetic and comparison
_ARITHMETIC: dict[type, Callable[[int, int], int]] = {
    o.Add: operator.add, o.Sub: operator.sub, o.Mul: operator.mul, o.Div: operator.floordiv, o.Mod: operator.mod,
}  # fmt: skip


@evaluates(*_ARITHMETIC)
def arithmetic(ev: Evaluator, node: o.Add, scope: Scope) -> Value:
    left, right = ev.number(node.left, scope), ev.number(node.right, scope)
    return calculated(_ARITHMETIC[type(node)], left, right)


@evaluates(*COMPARISONS)
def comparison(ev: Evaluator, node: o.Eq, scope: Scope) -> Value:
    left, right = ev.value(node.left, scope), ev.value(node.right, scope)
    if not isinstance(left, int) or not isinstance(right, int):
        return 0
    return int(COMPARISONS[type(node)](left, right))


def same_members(left: Value, right: Value) -> bool:
    """Whether two sets have the same members, in whatever order."""
    if not (isinstance(left, tuple) and isinstance(right, tuple)):
        return left == right
    return len(left) == len(right) and all(item in right for item in left)


@evaluates(q.Least, q.Greatest)
def extreme_of(ev: Evaluator, node: q.Least | q.Greatest, scope: Scope) -> Value:
    # None is less than every number, as in a cell.
    numbers = [value if isinstance(value := ev.value(item, scope), int) else NONE for item in node.items]
    found = min(numbers) if isinstance(node, q.Least) else max(numbers)
    return None if found == NONE else found


# ------------------------------------------------------------------ conditions
Condition = (
    o.And | o.Or | o.Not | o.Between | o.Same | o.SamePile | o.IsNone | o.IsKind | o.IsTrait | o.IsSort | o.IsFace | o.LiesIn
    | o.Knows | o.During
)  # fmt: skip


@evaluates(*get_args(Condition))
def condition(ev: Evaluator, node: Condition, scope: Scope) -> Value:
    return int(_holds(ev, node, scope))


def _holds(ev: Evaluator, node: Condition, scope: Scope) -> bool:
    match node:
        case o.And():
            return ev.condition(node.left, scope) and ev.condition(node.right, scope)
        case o.Or():
            return ev.condition(node.left, scope) or ev.condition(node.right, scope)
        case o.Not():
            return not ev.condition(node.of, scope)
        case o.Between():
            number = ev.value(node.of, scope)
            return isinstance(number, int) and (
                ev.number(node.low, scope) <= number <= ev.number(node.high, scope)
            )
        case o.Same(unordered=True):
            return same_members(ev.value(node.left, scope), ev.value(node.right, scope))
        case o.Same() | o.SamePile():
            return ev.value(node.left, scope) == ev.value(node.right, scope)
        case o.IsNone():
            return ev.value(node.of, scope) is None
        case o.IsKind():
            return of_kind(ev, ev.value(node.of, scope), node.kind)
        case o.IsTrait():
            return has_trait(ev, ev.thing(node.of, scope), node.trait)
        case o.IsSort():
            return (ev.column("SORT", ev.thing(node.of, scope)) or None) == ev.value(node.sort, scope)
        case o.IsFace():
            thing = ev.thing(node.of, scope)
            return bool(thing) and bool(ev.column("FACE", thing)) == (node.face == "face_up")
        case o.LiesIn():
            thing, where = ev.thing(node.thing, scope), ev.thing(node.pile, scope)
            return bool(where) and bool(thing) and ev.column("WHERE", thing) == where
        case o.Knows():
            what = ev.thing(node.what, scope)
            seats = ev.items(node.who, scope)
            return all(ev.kernel.call("knows", as_thing(seat), what) for seat in seats)
        case o.During():
            return _runs(ev, node, scope)


def _runs(ev: Evaluator, node: o.During, scope: Scope) -> bool:
    """Whether a period or a call of a verb has begun and not ended."""
    form, _, name = node.moment.partition(":")
    if form == "period":
        return bool(ev.memory[ev.program.period_cell(name)])
    verb = ev.program.verb_number(name)
    if node.of is None:
        return ev.kernel.call("running_call", verb) > 0
    return bool(ev.kernel.call("running_of", verb, ev.thing(node.of, scope)))


# ------------------------------------------------------------------ values made of others
@evaluates(o.Pick)
def pick(ev: Evaluator, node: o.Pick, scope: Scope) -> Value:
    return ev.value(node.yes if ev.condition(node.condition, scope) else node.no, scope)


@evaluates(o.Rank)
def rank(ev: Evaluator, node: o.Rank, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    return next((place for place, name in enumerate(node.words) if ev.word(name) == held), None)


@evaluates(o.Pair)
def pair(ev: Evaluator, node: o.Pair, scope: Scope) -> Value:
    return (ev.value(node.left, scope), ev.value(node.right, scope))


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


@evaluates(r.Decider)
def decider(ev: Evaluator, node: r.Decider, scope: Scope) -> Value:
    field = ev.program.world.deciding_field(node.kind)
    held = ev.value(node.of, scope)
    return held if field is None else ev.stored(as_thing(held), field)


def deciders(ev: Evaluator, node: object, scope: Scope) -> Items:
    """The seats of those who decide; a thing decides through the seat that it belongs to, else through its team."""
    world = ev.program.world
    if node is None:
        return tuple(world.seats.values())
    if isinstance(node, r.Decider):
        found = decider(ev, node, scope)
        field = world.deciding_field(node.kind)
        if found is None and field is not None:
            role = plain(field.type).name
            return tuple(s for team in world.content.teams if team.role == role for s in world.of_kind(role))
        return as_items(found)
    made: list[Value] = []
    for held in ev.items(node, scope):
        seat_ = held
        if isinstance(held, int) and held not in world.seats.values():
            field = world.deciding_field(world.thing(held).kind)
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
