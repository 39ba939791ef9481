"""Sets and lists: their members, and what is read off them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import get_args

from talewright.runtime.ir.header import NONE
from talewright.runtime.model.types import item_of
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation.evaluator import (
    Evaluator,
    Items,
    Scope,
    Unanswerable,
    as_items,
    as_thing,
    calculated,
    evaluates,
    minus,
    of_kind,
    union,
)
from talewright.runtime.observe.evaluation.expressions import token_number
from talewright.runtime.observe.evaluation.traits import bearers_of, copies_of, made_of_kind
from talewright.runtime.observe.evaluation.values import Die, Value
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.arguments import (
    DoneEachDie,
    DoneFunction,
    DoneOneCopy,
    DonePileItems,
    DonePoolDice,
    DoneSet,
    DoneSlotContent,
    DoneSortCopies,
)

# ------------------------------------------------------------------ members
Collection = (
    n.ThingsOfKind | n.TeamRef | n.Bearers | n.Offers | r.PileItems | DonePileItems | r.SortCopies | DoneSortCopies
    | o.SomeCopies | o.Span | li.SetLiteral | DoneSet | r.Spread | r.Slice | r.EachDie | DoneEachDie | q.Filter | q.Each
    | q.Best | q.Sorted | o.SetUnion | o.SetMinus | o.Rotate
)  # fmt: skip


@evaluates(*get_args(Collection))
def collection(ev: Evaluator, node: Collection, scope: Scope) -> Items:
    """Several things, numbers or whatever, in order."""
    match node:
        case n.ThingsOfKind():
            return tuple(of_kind_in_order(ev, node.id))
        case n.TeamRef():
            declared = next(team for team in ev.program.world.content.teams if team.id == node.id)
            return tuple(ev.program.world.of_kind(declared.role))
        case n.Bearers():
            return tuple(bearers_of(ev, node.trait))
        case n.Offers():
            return OFFERS[0](ev, node.menu)
        case r.PileItems() | DonePileItems():
            where = ev.value(node.of, scope)
            return tuple(ev.words.inside(where)) if isinstance(where, int) else as_items(where)
        case r.SortCopies(of=n.SortRef(id=sort)):
            return tuple(copies_of(ev, sort))
        case r.SortCopies() | DoneSortCopies():
            held = ev.value(node.of, scope)
            things = range(1, len(ev.program.world.things) + 1)
            return tuple(thing for thing in things if ev.column("SORT", thing) == held)
        case o.SomeCopies():
            thing, count = ev.thing(node.of, scope), ev.number(node.count, scope)
            return tuple(ev.kernel.list_of("copies_in_box", thing, count))
        case o.Span():
            return tuple(range(ev.number(node.low, scope), ev.number(node.high, scope) + 1))
        case li.SetLiteral() | DoneSet():
            return tuple(_written_out(ev, node, scope))
        case r.Spread():
            return ev.items(node.of, scope)
        case r.Slice():
            low, high = max(1, ev.number(node.low, scope)), ev.number(node.high, scope)
            return ev.items(node.of, scope)[low - 1 : max(low - 1, high)]
        case r.EachDie() | DoneEachDie():
            return tuple(ev.die(die) for die in ev.items(node.of, scope) if isinstance(die, Die))
        case q.Filter():
            return tuple(_passing(ev, node, scope))
        case q.Each():
            return tuple(_brought(ev, node, scope))
        case q.Best():
            return _best(ev, node, scope)
        case q.Sorted():
            return _sorted(ev, node, scope)
        case o.SetUnion():
            return union(ev.items(node.left, scope), ev.items(node.right, scope), node.repeats)
        case o.SetMinus():
            return minus(ev.items(node.left, scope), ev.items(node.right, scope), node.repeats)
        case o.Rotate():
            return _rotated(ev, node, scope)


def of_kind_in_order(ev: Evaluator, kind: str) -> list[int]:
    """The things of a kind: places of the map that is laid out in reading order, then all others."""
    program = ev.program
    if not program.order_changes(kind):
        return program.in_order(kind) + made_of_kind(ev, kind)
    names = program.layout.names
    block = ev.memory[names["MAP"]]
    on_map = ev.memory.read(block + names["MAP_PLACE"], ev.memory[block + names["MAP_COUNT"]])
    off_map = program.world.of_kind(kind) + made_of_kind(ev, kind)
    others = [x for x in off_map if not ev.memory[block + names["MAP_CELLS"] + x]]
    return [place for place in on_map if of_kind(ev, place, kind)] + others


def _written_out(ev: Evaluator, node: li.SetLiteral | DoneSet, scope: Scope) -> Iterator[Value]:
    for item in node.items:
        if isinstance(item, r.Spread):
            yield from ev.items(item.of, scope)
            continue
        held = ev.value(item, scope)
        if held is not None or not node.drop:
            yield held


def _passing(ev: Evaluator, node: q.Filter, scope: Scope) -> Iterator[Value]:
    for member in ev.items(node.of, scope):
        if ev.condition(node.test, scope.bind(node.local, member)):
            yield member


def _brought(ev: Evaluator, node: q.Each, scope: Scope) -> Iterator[Value]:
    for member in ev.items(node.of, scope):
        held = ev.value(node.body, scope.bind(node.local, member))
        if node.flat:
            yield from as_items(held)
        elif held is not None:
            yield held


def _rotated(ev: Evaluator, node: o.Rotate, scope: Scope) -> Items:
    things, start = ev.items(node.of, scope), ev.value(node.start, scope)
    ring: Items = next((tuple(ring) for ring in ev.program.rings() if start in ring), things)
    if start not in ring:
        return things
    at = ring.index(start) + (0 if node.first else 1)
    return tuple(member for member in (*ring[at:], *ring[:at]) if member in things)


def _best(ev: Evaluator, node: q.Best, scope: Scope) -> Items:
    things = ev.items(node.of, scope)
    for direction, key in node.keys:
        if len(things) <= 1:
            break
        keys = _keys(ev, node, things, direction, key, scope)
        known = [k for k in keys if k is not None]
        top = (max(known) if direction == "highest" else min(known)) if known else None
        things = tuple(thing for thing, k in zip(things, keys, strict=True) if k is not None and k == top)
    return things


def _sorted(ev: Evaluator, node: q.Sorted, scope: Scope) -> Items:
    things = ev.items(node.of, scope)
    for direction, key in reversed(node.keys):
        keys = _keys(ev, node, things, direction, key, scope)
        pairs = sorted(
            zip(things, keys, strict=True),
            key=lambda pair: NONE if pair[1] is None else pair[1],
            reverse=direction == "highest",
        )
        things = tuple(thing for thing, _ in pairs)
    return things


def _keys(
    ev: Evaluator, node: q.Best | q.Sorted, things: Items, direction: str, key: object, scope: Scope
) -> list[int | None]:
    if direction == "random":
        raise Unanswerable("the order depends on chance")
    found = [ev.value(key, scope.bind(node.local, thing)) for thing in things]
    return [k if isinstance(k, int) else None for k in found]


@evaluates(r.PoolDice, DonePoolDice, r.AsPool, r.AsInt)
def unchanged(ev: Evaluator, node: r.PoolDice, scope: Scope) -> Value:
    return ev.value(node.of, scope)


OFFERS: list[Callable[[Evaluator, str], Items]] = []
"""What a menu without parameters offers now; `offers` enters it."""


# ------------------------------------------------------------------ what is read off a collection
Reading = (
    q.Exists | o.IsEmpty | q.First | q.Last | q.Count | q.Total | q.Highest | q.Lowest | o.Member | o.Includes
    | r.SlotContent | DoneSlotContent | r.PileTop | r.PileBottom | r.TokensOn | r.TokensAt | r.OneCopy | DoneOneCopy
)  # fmt: skip


@evaluates(*get_args(Reading))
def reading(ev: Evaluator, node: Reading, scope: Scope) -> Value:
    """One thing, number or truth about several."""
    match node:
        case q.Exists():
            return int(some(ev, node.of, scope))
        case o.IsEmpty():
            return int(not some(ev, node.of, scope))
        case q.First(of=q.Filter() as members):
            return next(_passing(ev, members, scope), None)
        case q.First():
            return next(iter(ev.items(node.of, scope)), None)
        case q.Last():
            return next(reversed(ev.items(node.of, scope)), None)
        case q.Count():
            return len(ev.items(node.of, scope))
        case q.Total():
            made = 0
            for member in ev.items(node.of, scope):
                made = calculated(int.__add__, made, as_thing(member))
            return made
        case q.Highest() | q.Lowest():
            numbers = [member for member in ev.items(node.of, scope) if isinstance(member, int)]
            return (max if isinstance(node, q.Highest) else min)(numbers, default=None)
        case o.Member():
            item = ev.value(node.item, scope)
            if isinstance(node.of, n.ThingsOfKind):
                return int(of_kind(ev, item, node.of.id))
            return int(item in ev.items(node.of, scope))
        case o.Includes():
            return int(_includes(ev, node, scope))
        case r.SlotContent() | DoneSlotContent() | r.PileTop():
            return ev.column("FIRST", ev.thing(node.of, scope)) or None
        case r.PileBottom():
            return ev.column("LAST", ev.thing(node.of, scope)) or None
        case r.TokensOn():
            return ev.kernel.call("tokens_on", token_number(ev, node.token), ev.thing(node.of, scope))
        case r.TokensAt():
            return _tokens(ev, (node.token, node.place), scope)
        case r.OneCopy() | DoneOneCopy():
            return ev.kernel.call("one_copy", ev.thing(node.of, scope)) or None


def some(ev: Evaluator, node: object, scope: Scope) -> bool:
    """Whether a collection has a member; those after the first are not asked."""
    if isinstance(node, q.Filter):
        return any(True for _ in _passing(ev, node, scope))
    return bool(ev.items(node, scope))


def _includes(ev: Evaluator, node: o.Includes, scope: Scope) -> bool:
    have, want = ev.items(node.of, scope), ev.items(node.items, scope)
    if _of_sorts(ev, node.items, scope) and not _of_sorts(ev, node.of, scope):
        have = tuple(ev.column("SORT", as_thing(thing)) for thing in have)
    return not Counter(want) - Counter(have)


def _of_sorts(ev: Evaluator, node: object, scope: Scope) -> bool:
    """Whether an expression gives sorts rather than copies."""
    type_ = plain(ev.type_of(node, scope))
    return "sort" in (type_.tag, item_of(type_).tag)


@evaluates(q.RandomOne, q.NewThing, q.Agreed)
def unanswerable(ev: Evaluator, node: object, scope: Scope) -> Value:
    if isinstance(node, q.RandomOne):
        raise Unanswerable("which one depends on chance")
    raise Unanswerable("this is known only when it happens")


# ------------------------------------------------------------------ functions of the core
@evaluates(q.CoreFunctionCall, DoneFunction)
def core_function(ev: Evaluator, node: q.CoreFunctionCall | DoneFunction, scope: Scope) -> Value:
    handler = CORE_FUNCTIONS.get(node.function)
    if handler is None:
        raise Unanswerable(f"nobody can tell what `{node.function}` gives")
    return handler(ev, node.args, scope)


Arguments = tuple[object, ...]
CoreFunction = Callable[[Evaluator, Arguments, Scope], Value]


def _supply(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    held = ev.thing(args[0], scope)
    if plain(ev.type_of(args[0], scope)).tag == "pile":
        return ev.column("COUNT", held)
    return ev.column("TOKEN_SUPPLY", held - 1)


def _newcomers(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    known = ev.memory[ev.program.cell("seats that were asked for")]
    return tuple(
        seat for seat in ev.items(args[0], scope) if not known & ev.column("SEAT_BIT", as_thing(seat))
    )


def _chance(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    raise Unanswerable("the order depends on chance")


def _tokens(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    """How many tokens lie on a place, or on the whole board."""
    token, place = args
    number = ev.number(token, scope) - 1
    if isinstance(place, n.AreaRef):
        return ev.kernel.call("tokens_on_map", number)
    return ev.kernel.call("tokens_on", number, ev.thing(place, scope))


CORE_FUNCTIONS: dict[str, CoreFunction] = {
    "newcomers": _newcomers,
    "distinct": lambda ev, args, scope: tuple(dict.fromkeys(ev.items(args[0], scope))),
    "shuffled": _chance,
    "room": lambda ev, args, scope: ev.kernel.call("room", ev.thing(args[0], scope)),
    "top": lambda ev, args, scope: ev.column("FIRST", ev.thing(args[0], scope)) or None,
    "supply": _supply,
    "pairs": lambda ev, args, scope: tuple(zip(*(ev.items(node, scope) for node in args), strict=False)),
    "rolled": lambda ev, args, scope: ev.kernel.call("count_rolled", ev.thing(args[0], scope)),
    "tokens": _tokens,
}
"""Functions of the core by name; `places` adds those about the map."""
