"""Sets and lists: their members, and what is read off them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from talewright.runtime.model.types import item_of
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation.evaluator import (
    Evaluator,
    Items,
    Scope,
    Unanswerable,
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
@evaluates(n.ThingsOfKind)
def things_of_kind(ev: Evaluator, node: n.ThingsOfKind, scope: Scope) -> Value:
    return tuple(of_kind_in_order(ev, node.id))


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


@evaluates(n.TeamRef)
def team(ev: Evaluator, node: n.TeamRef, scope: Scope) -> Value:
    declared = next(t for t in ev.program.world.content.teams if t.id == node.id)
    return tuple(ev.program.world.of_kind(declared.role))


@evaluates(n.Bearers)
def bearers(ev: Evaluator, node: n.Bearers, scope: Scope) -> Value:
    return tuple(bearers_of(ev, node.trait))


@evaluates(r.PileItems, DonePileItems)
def pile_items(ev: Evaluator, node: r.PileItems, scope: Scope) -> Value:
    where = ev.value(node.of, scope)
    if isinstance(where, tuple):
        return where
    return tuple(ev.words.inside(where)) if isinstance(where, int) else ()


@evaluates(r.SortCopies, DoneSortCopies)
def sort_copies(ev: Evaluator, node: r.SortCopies, scope: Scope) -> Value:
    if isinstance(node.of, n.SortRef):
        return tuple(copies_of(ev, node.of.id))
    held = ev.value(node.of, scope)
    things = range(1, len(ev.program.world.things) + 1)
    return tuple(thing for thing in things if ev.column("SORT", thing) == held)


@evaluates(r.OneCopy, DoneOneCopy)
def one_copy(ev: Evaluator, node: r.OneCopy, scope: Scope) -> Value:
    return ev.kernel.call("one_copy", ev.thing(node.of, scope)) or None


@evaluates(o.SomeCopies)
def some_copies(ev: Evaluator, node: o.SomeCopies, scope: Scope) -> Value:
    return tuple(ev.kernel.list_of("copies_in_box", ev.thing(node.of, scope), ev.number(node.count, scope)))


@evaluates(o.Span)
def span(ev: Evaluator, node: o.Span, scope: Scope) -> Value:
    return tuple(range(ev.number(node.low, scope), ev.number(node.high, scope) + 1))


@evaluates(li.SetLiteral, DoneSet)
def set_literal(ev: Evaluator, node: li.SetLiteral, scope: Scope) -> Value:
    made: list[Value] = []
    for item in node.items:
        if isinstance(item, r.Spread):
            made.extend(ev.items(item.of, scope))
            continue
        held = ev.value(item, scope)
        if held is not None or not node.drop:
            made.append(held)
    return tuple(made)


@evaluates(r.Spread)
def spread(ev: Evaluator, node: r.Spread, scope: Scope) -> Value:
    return ev.items(node.of, scope)


@evaluates(q.Filter)
def filter_(ev: Evaluator, node: q.Filter, scope: Scope) -> Value:
    return tuple(_passing(ev, node, scope))


def _passing(ev: Evaluator, node: q.Filter, scope: Scope) -> Iterator[Value]:
    for member in ev.items(node.of, scope):
        if ev.condition(node.test, scope.bind(node.local, member)):
            yield member


@evaluates(q.Each)
def each(ev: Evaluator, node: q.Each, scope: Scope) -> Value:
    made: list[Value] = []
    for member in ev.items(node.of, scope):
        inner = scope.bind(node.local, member)
        if node.flat:
            made.extend(ev.items(node.body, inner))
            continue
        held = ev.value(node.body, inner)
        if held is not None:
            made.append(held)
    return tuple(made)


@evaluates(o.SetUnion)
def set_union(ev: Evaluator, node: o.SetUnion, scope: Scope) -> Value:
    return union(ev.items(node.left, scope), ev.items(node.right, scope), node.repeats)


@evaluates(o.SetMinus)
def set_minus(ev: Evaluator, node: o.SetMinus, scope: Scope) -> Value:
    return minus(ev.items(node.left, scope), ev.items(node.right, scope), node.repeats)


@evaluates(o.Rotate)
def rotate(ev: Evaluator, node: o.Rotate, scope: Scope) -> Value:
    things, start = ev.items(node.of, scope), ev.value(node.start, scope)
    ring: Items = next((tuple(ring) for ring in ev.program.rings() if start in ring), things)
    if start not in ring:
        return things
    at = ring.index(start) + (0 if node.first else 1)
    return tuple(member for member in (*ring[at:], *ring[:at]) if member in things)


@evaluates(q.Best)
def best(ev: Evaluator, node: q.Best, scope: Scope) -> Value:
    things = ev.items(node.of, scope)
    for direction, key in node.keys:
        if len(things) <= 1:
            break
        keys = _keys(ev, node, things, direction, key, scope)
        known = [k for k in keys if k is not None]
        top = (max(known) if direction == "highest" else min(known)) if known else None
        things = tuple(thing for thing, k in zip(things, keys, strict=True) if k is not None and k == top)
    return things


@evaluates(q.Sorted)
def sorted_(ev: Evaluator, node: q.Sorted, scope: Scope) -> Value:
    things = ev.items(node.of, scope)
    for direction, key in reversed(node.keys):
        keys = _keys(ev, node, things, direction, key, scope)
        lowest = -(2**31)
        pairs = sorted(
            zip(things, keys, strict=True),
            key=lambda pair: lowest if pair[1] is None else pair[1],
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


@evaluates(r.Slice)
def slice_(ev: Evaluator, node: r.Slice, scope: Scope) -> Value:
    low, high = max(1, ev.number(node.low, scope)), ev.number(node.high, scope)
    return ev.items(node.of, scope)[low - 1 : max(low - 1, high)]


@evaluates(r.PoolDice, DonePoolDice, r.AsPool)
def pool_dice(ev: Evaluator, node: r.PoolDice, scope: Scope) -> Value:
    return ev.value(node.of, scope)


@evaluates(r.EachDie, DoneEachDie)
def each_die(ev: Evaluator, node: r.EachDie, scope: Scope) -> Value:
    return tuple(ev.die(die) for die in ev.items(node.of, scope) if isinstance(die, Die))


@evaluates(n.Offers)
def offers(ev: Evaluator, node: n.Offers, scope: Scope) -> Value:
    return OFFERS[0](ev, node.menu)


OFFERS: list[Callable[[Evaluator, str], Items]] = []
"""What a menu without parameters offers now; `offers` enters it."""


# ------------------------------------------------------------------ what is read off a collection
@evaluates(q.Exists)
def exists(ev: Evaluator, node: q.Exists, scope: Scope) -> Value:
    return int(some(ev, node.of, scope))


@evaluates(o.IsEmpty)
def is_empty(ev: Evaluator, node: o.IsEmpty, scope: Scope) -> Value:
    return int(not some(ev, node.of, scope))


def some(ev: Evaluator, node: object, scope: Scope) -> bool:
    """Whether a collection has a member; those after the first are not asked."""
    if isinstance(node, q.Filter):
        return next(_passing(ev, node, scope), NOBODY) is not NOBODY
    return bool(ev.items(node, scope))


NOBODY = Die(-1)


@evaluates(q.First)
def first(ev: Evaluator, node: q.First, scope: Scope) -> Value:
    if isinstance(node.of, q.Filter):
        return next(_passing(ev, node.of, scope), None)
    items = ev.items(node.of, scope)
    return items[0] if items else None


@evaluates(q.Last)
def last(ev: Evaluator, node: q.Last, scope: Scope) -> Value:
    items = ev.items(node.of, scope)
    return items[-1] if items else None


@evaluates(q.Count)
def count(ev: Evaluator, node: q.Count, scope: Scope) -> Value:
    return len(ev.items(node.of, scope))


@evaluates(q.Total)
def total(ev: Evaluator, node: q.Total, scope: Scope) -> Value:
    made = 0
    for member in ev.items(node.of, scope):
        made = calculated(int.__add__, made, as_thing(member))
    return made


@evaluates(q.Highest, q.Lowest)
def extreme(ev: Evaluator, node: q.Highest | q.Lowest, scope: Scope) -> Value:
    numbers = [member for member in ev.items(node.of, scope) if isinstance(member, int)]
    pick = max if isinstance(node, q.Highest) else min
    return pick(numbers, default=None)


@evaluates(o.Member)
def member(ev: Evaluator, node: o.Member, scope: Scope) -> Value:
    item = ev.value(node.item, scope)
    if isinstance(node.of, n.ThingsOfKind):
        return int(of_kind(ev, item, node.of.id))
    return int(item in ev.items(node.of, scope))


@evaluates(o.Includes)
def includes(ev: Evaluator, node: o.Includes, scope: Scope) -> Value:
    have, want = ev.items(node.of, scope), ev.items(node.items, scope)
    if _of_sorts(ev, node.items, scope) and not _of_sorts(ev, node.of, scope):
        have = tuple(ev.column("SORT", as_thing(thing)) for thing in have)
    return int(not Counter(want) - Counter(have))


def _of_sorts(ev: Evaluator, node: object, scope: Scope) -> bool:
    """Whether an expression gives sorts rather than copies."""
    type_ = plain(ev.type_of(node, scope))
    return "sort" in (type_.tag, item_of(type_).tag)


@evaluates(q.RandomOne, q.NewThing, q.Agreed)
def unanswerable(ev: Evaluator, node: object, scope: Scope) -> Value:
    if isinstance(node, q.RandomOne):
        raise Unanswerable("which one depends on chance")
    raise Unanswerable("this is known only when it happens")


# ------------------------------------------------------------------ containers and tokens
@evaluates(r.SlotContent, DoneSlotContent, r.PileTop)
def pile_top(ev: Evaluator, node: r.SlotContent | r.PileTop, scope: Scope) -> Value:
    return ev.column("FIRST", ev.thing(node.of, scope)) or None


@evaluates(r.PileBottom)
def pile_bottom(ev: Evaluator, node: r.PileBottom, scope: Scope) -> Value:
    return ev.column("LAST", ev.thing(node.of, scope)) or None


@evaluates(r.TokensOn)
def tokens_on(ev: Evaluator, node: r.TokensOn, scope: Scope) -> Value:
    return ev.kernel.call("tokens_on", token_number(ev, node.token), ev.thing(node.of, scope))


@evaluates(r.TokensAt)
def tokens_at(ev: Evaluator, node: r.TokensAt, scope: Scope) -> Value:
    return tokens_somewhere(ev, node.token, node.place, scope)


def tokens_somewhere(ev: Evaluator, token: object, place: object, scope: Scope) -> int:
    """How many tokens lie on a place, or on the whole board."""
    number = ev.number(token, scope) - 1
    if isinstance(place, n.AreaRef):
        return ev.kernel.call("tokens_on_map", number)
    return ev.kernel.call("tokens_on", number, ev.thing(place, scope))


# ------------------------------------------------------------------ functions of the core
@evaluates(q.CoreFunctionCall, DoneFunction)
def core_function(ev: Evaluator, node: q.CoreFunctionCall | DoneFunction, scope: Scope) -> Value:
    handler = CORE_FUNCTIONS.get(node.function)
    if handler is None:
        raise Unanswerable(f"nobody can tell what `{node.function}` gives")
    return handler(ev, node.args, scope)


Arguments = tuple[object, ...]
CoreFunction = Callable[[Evaluator, Arguments, Scope], Value]


def _distinct(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    return tuple(dict.fromkeys(ev.items(args[0], scope)))


def _room(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    return ev.kernel.call("room", ev.thing(args[0], scope))


def _top(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    return ev.column("FIRST", ev.thing(args[0], scope)) or None


def _supply(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    held = ev.thing(args[0], scope)
    if plain(ev.type_of(args[0], scope)).tag == "pile":
        return ev.column("COUNT", held)
    return ev.column("TOKEN_SUPPLY", held - 1)


def _pairs(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    return tuple(zip(ev.items(args[0], scope), ev.items(args[1], scope), strict=False))


def _newcomers(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    known = ev.memory[ev.program.cell("seats that were asked for")]
    return tuple(
        seat for seat in ev.items(args[0], scope) if not known & ev.column("SEAT_BIT", as_thing(seat))
    )


def _rolled(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    return ev.kernel.call("count_rolled", ev.thing(args[0], scope))


def _chance(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    raise Unanswerable("the order depends on chance")


def _tokens(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    return tokens_somewhere(ev, args[0], args[1], scope)


CORE_FUNCTIONS: dict[str, CoreFunction] = {
    "newcomers": _newcomers,
    "distinct": _distinct,
    "shuffled": _chance,
    "room": _room,
    "top": _top,
    "supply": _supply,
    "pairs": _pairs,
    "rolled": _rolled,
    "tokens": _tokens,
}
"""Functions of the core by name; `places` adds those about the map."""
