"""Sets and lists: loops over their members, and what is read off them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    binary,
    both,
    cell,
    checked,
    conditional,
    const,
    either,
    equal,
    load,
    negate,
    truth,
    unlike,
)
from talewright.runtime.ir.header import NO_ENTRY, NONE
from talewright.runtime.ir.nodes import BinaryOperator, Expression, Local
from talewright.runtime.kernel.memory import MAP_CELLS, MAP_COUNT, MAP_PLACE
from talewright.runtime.kernel.play.notes import PICKED
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import (
    Member,
    can_loop,
    condition,
    each,
    each_of_list,
    element_type,
    gather,
    listed,
    lowers_loop,
    lowers_value,
    unknown,
    value,
    value_as,
)
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.types import INT, is_list, none_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.arguments import DoneFunction
from talewright.schemas.nodes.types import Type


# ------------------------------------------------------------------ loops
@lowers_loop(n.ThingsOfKind)
def things_of_kind(code: Code, node: n.ThingsOfKind, body: Member) -> None:
    program = code.program
    if program.order_changes(node.id):
        _each_place(code, node.id, body)
        return
    each_of_fixed(code, program.in_order(node.id), body)
    each_made(code, node.id, body)


def each_made(code: Code, kind: str, body: Member) -> None:
    """Runs a body for every thing of a kind that was made in play and still exists."""
    sorts = code.names["SORT"]
    for pool in code.program.world.pools_of(kind):
        made = cell(code.program.made_cell(pool))
        with code.count_up(pool.first, pool.first + made) as thing, code.if_(load(thing, sorts)):
            body(thing)


def _each_place(code: Code, kind: str, body: Member) -> None:
    """The places of a kind: those of the map in reading order, then the others in order of declaration."""
    block = code.hold(cell(code.names["MAP"]))

    with code.count_up(0, load(block, MAP_COUNT)) as index:
        on_map = code.hold(load(block + index, MAP_PLACE))
        with code.if_(of_kind(code, on_map, kind)):
            body(on_map)

    def elsewhere(place: Expression) -> None:
        held = code.keep(place)
        with code.if_(negate(load(block + held, MAP_CELLS))):
            body(held)

    each_of_fixed(code, code.program.world.of_kind(kind), elsewhere)
    each_made(code, kind, elsewhere)


def each_of_fixed(code: Code, numbers: list[int], body: Member) -> None:
    """Runs a body for each of some things that are known now."""
    if len(numbers) <= 2:
        for number in numbers:
            body(const(number))
        return
    if numbers == list(range(numbers[0], numbers[-1] + 1)):
        with code.count_up(numbers[0], numbers[-1] + 1) as thing:
            body(thing)
        return
    at = code.program.layout.fixed_list(numbers)
    with code.count_up(1, len(numbers) + 1) as index:
        body(code.hold(load(index, at)))


@lowers_loop(n.TeamRef)
def team(code: Code, node: n.TeamRef, body: Member) -> None:
    declared = next(t for t in code.program.world.content.teams if t.id == node.id)
    each_of_fixed(code, code.program.world.of_kind(declared.role), body)


@lowers_loop(r.PileItems)
def pile_items(code: Code, node: r.PileItems, body: Member) -> None:
    if plain(type_of(code, node.of)).tag == "any":
        each_of_list(code, value(code, node.of), body)
        return
    each_at(code, value(code, node.of), body)


def each_at(code: Code, where: Expression, body: Member) -> None:
    """Runs a body for everything at a location, which must not move meanwhile."""
    thing = code.hold(load(where, code.names["FIRST"]))
    with code.loop() as (_, out):
        code.leave_if(negate(thing), out)
        body(thing)
        code.assign(thing, load(thing, code.names["NEXT"]))


def each_of_sort(code: Code, sort: str, body: Member) -> None:
    """Runs a body for every copy of a thing, also those that were made in play."""
    each_of_fixed(code, code.program.world.sorts.get(sort, []), body)
    if code.program.world.can_be_made(sort):
        each_made_of_sort(code, sort, body)


def each_made_of_sort(code: Code, sort: str, body: Member) -> None:
    """Runs a body for every copy of a thing that was made in play."""
    program = code.program
    same = const(program.sort_number(sort))

    def one(thing: Expression) -> None:
        code.when(equal(load(thing, program.layout.names["SORT"]), same), lambda: body(thing))

    each_made(code, program.world.kind_of_sort(sort), one)


@lowers_loop(r.SortCopies)
def sort_copies(code: Code, node: r.SortCopies, body: Member) -> None:
    if isinstance(node.of, n.SortRef):
        each_of_sort(code, node.of.id, body)
        return
    held = code.keep(value(code, node.of))
    names, layout = code.names, code.program.layout
    if code.program.world.pools:
        # Copies may be made in play.
        with code.count_up(1, layout.things + 1) as thing, code.if_(equal(load(thing, names["SORT"]), held)):
            body(thing)
    else:
        with code.if_(held <= layout.things):
            each_of_list(code, load(held, names["COPIES"]), body)


@lowers_loop(o.Span)
def span(code: Code, node: o.Span, body: Member) -> None:
    with code.count_up(value(code, node.low), value(code, node.high) + 1) as number:
        body(number)


@lowers_loop(q.Filter)
def filter_(code: Code, node: q.Filter, body: Member) -> None:
    place = _place_of(code, node)
    if place is not None:
        _each_inside(code, node, place, body)
        return
    item = element_type(code, node.of)

    def one(member: Expression) -> None:
        with code.bound(node.local, member, item):
            test = condition(code, node.test)
            code.when(test, lambda: body(member))

    each(code, node.of, one)


def _place_of(code: Code, node: q.Filter) -> o.Inside | None:
    """The question whether a member stands on a place, if that is the first that a filter asks of all things of a kind."""
    test = node.test.left if isinstance(node.test, o.And) else node.test
    if not (isinstance(node.of, n.ThingsOfKind) and isinstance(test, o.Inside)):
        return None
    if test.thing != n.LocalRef(node.local) or isinstance(test.place, n.AreaRef):
        return None
    kind = plain(type_of(code, test.place))
    world = code.program.world
    if kind.tag != "thing" or not world.is_a(kind.name, "Place") or code.program.grid is not None:
        return None
    return test


def _each_inside(code: Code, node: q.Filter, inside: o.Inside, body: Member) -> None:
    """Loops over what stands on a place instead of over all things of a kind."""
    assert isinstance(node.of, n.ThingsOfKind)
    kind = node.of.id
    rest = node.test.right if isinstance(node.test, o.And) else None

    def one(member: Expression) -> None:
        with code.bound(node.local, member, Type("thing", kind)):
            questions: list[Callable[[], Expression]] = [lambda: of_kind(code, member, kind)]
            if rest is not None:
                questions.append(lambda: condition(code, rest))
            code.when(code.all_of(questions), lambda: body(member))

    each_at(code, code.keep(value(code, inside.place)), one)


@lowers_loop(q.Each)
def each_brings(code: Code, node: q.Each, body: Member) -> None:
    item = element_type(code, node.of)

    def one(member: Expression) -> None:
        with code.bound(node.local, member, item):
            if node.flat:
                each(code, node.body, body)
                return
            made = value(code, node.body)
            if not maybe_none(code, node.body):
                body(made)
                return
            held = code.keep(made)
            nothing = const(none_of(type_of(code, node.body)))
            code.when(unlike(held, nothing), lambda: body(held))

    each(code, node.of, one)


@lowers_loop(li.SetLiteral)
def set_literal(code: Code, node: li.SetLiteral, body: Member) -> None:
    for item in node.items:
        if isinstance(item, r.Spread):
            each(code, item.of, body)
            continue
        type_ = element_type(code, node)
        made = value_as(code, item, type_)
        if node.drop and maybe_none(code, item):
            held = code.keep(made)
            code.when(unlike(held, none_of(type_of(code, item))), partial(body, held))
        else:
            body(made)


@lowers_loop(o.SetUnion)
def union(code: Code, node: o.SetUnion, body: Member) -> None:
    if node.repeats:
        each(code, node.left, body)
        each(code, node.right, body)
        return
    first = code.keep(listed(code, node.left))
    if not _each_once(node.right):
        each_of_list(code, code.pushed("union", first, listed(code, node.right)), body)
        return
    each_of_list(code, first, body)

    def one(member: Expression) -> None:
        held = code.keep(member)
        code.when(negate(code.call("includes_item", first, held)), lambda: body(held))

    each(code, node.right, one)


def _each_once(node: object) -> bool:
    """Whether a collection certainly holds each member once."""
    match node:
        case n.ThingsOfKind() | n.TeamRef() | r.PileItems() | r.SortCopies():
            return True
        case q.Filter() | q.Best():
            return _each_once(node.of)
        case li.SetLiteral():
            return len(node.items) < 2 and not any(isinstance(item, r.Spread) for item in node.items)
    return False


@lowers_loop(o.SetMinus)
def minus(code: Code, node: o.SetMinus, body: Member) -> None:
    right = node.right
    if node.repeats:
        each_of_list(code, code.pushed("without", listed(code, node.left), listed(code, right)), body)
        return
    if isinstance(right, n.ThingsOfKind):
        each(
            code,
            node.left,
            lambda member: code.when(negate(of_kind(code, member, right.id)), lambda: body(member)),
        )
        return
    if not is_list(type_of(code, right)) and type_of(code, right).tag != "any":
        held = code.keep(value(code, right))
        each(code, node.left, lambda member: code.when(unlike(member, held), lambda: body(member)))
        return
    without = code.keep(listed(code, right))

    def one(member: Expression) -> None:
        kept = code.keep(member)
        code.when(negate(code.call("includes_item", without, kept)), lambda: body(kept))

    each(code, node.left, one)


# ------------------------------------------------------------------ orders
@lowers_value(o.Rotate)
def rotate(code: Code, node: o.Rotate) -> Expression:
    if isinstance(node.of, n.ThingsOfKind) and code.program.is_fixed(node.of.id):
        return load(value(code, node.start), _turned_lists(code.program, node.of.id, node.first))
    code.uses_stack()
    things = code.keep(listed(code, node.of))
    start = code.keep(value(code, node.start))
    rings = code.program.world.rings()
    ring: Expression = ZERO
    for members in reversed(rings):
        held = const(code.program.layout.fixed_list(members))
        ring = code.keep(conditional(truth(code.call("includes_item", held, start)), held, ring))
    return code.call("rotated", things, ring, start, int(node.first))


def _turned_lists(program: Program, kind: str, first: bool) -> int:
    """A column over things: the things of a kind in ring order from each one on, as lists that are there from the start."""
    things = program.in_order(kind)
    layout = program.layout
    column = [layout.fixed_list(things)] * layout.width
    for ring in reversed((*program.world.rings(), things)):
        for at, start in enumerate(ring):
            order = [*ring[at:], *ring[:at]] if first else [*ring[at + 1 :], *ring[: at + 1]]
            column[start] = layout.fixed_list([thing for thing in order if thing in things])
    return layout.fixed_block(column)


def key_list(code: Code, node: q.Best | q.Sorted, things: Expression, key: object) -> Local:
    """The keys of the members of a list, in the same order."""
    item = element_type(code, node.of)

    def fill(push: Member) -> None:
        def one(member: Expression) -> None:
            with code.bound(node.local, member, item):
                push(value(code, key))

        each_of_list(code, things, one)

    return gather(code, fill, INT)


@lowers_value(q.Best)
def best(code: Code, node: q.Best) -> Expression:
    things = code.hold(_own_list(code, node.of))
    narrow(code, node, things)
    return things


def narrow(code: Code, node: q.Best, things: Expression) -> None:
    """Keeps the best members of a list that belongs to whoever asks."""
    for direction, key in node.keys:
        with code.if_(load(things) > 1):
            keys = key_list(code, node, things, key)
            code.do("keep_best", things, keys, int(direction == "highest"))


@lowers_value(q.Sorted)
def sorted_(code: Code, node: q.Sorted) -> Expression:
    things = code.hold(_own_list(code, node.of))
    for direction, key in reversed(node.keys):
        if direction == "random":
            code.do("mix", things, code.program.layout.stream("random:order"))
            continue
        keys = key_list(code, node, things, key)
        code.do("sort_by", things, keys, int(direction == "highest"))
    return things


def _own_list(code: Code, node: object) -> Expression:
    """A list that may be changed."""
    code.uses_stack()
    made = listed(code, node)
    fresh = isinstance(node, q.Filter | q.Each | o.SetUnion | o.SetMinus | r.PileItems | li.SetLiteral)
    return made if fresh else code.call("copy_list", made)


@lowers_value(r.Slice)
def slice_(code: Code, node: r.Slice) -> Expression:
    return code.pushed("part", listed(code, node.of), value(code, node.low), value(code, node.high))


# ------------------------------------------------------------------ what is read off a collection
@lowers_value(q.Exists)
def exists(code: Code, node: q.Exists) -> Expression:
    return some(code, node.of)


@lowers_value(o.IsEmpty)
def is_empty(code: Code, node: o.IsEmpty) -> Expression:
    return negate(some(code, node.of))


def some(code: Code, node: object) -> Expression:
    """Whether a collection has a member."""
    if isinstance(node, r.PileItems) and plain(type_of(code, node.of)).tag == "pile":
        return truth(load(value(code, node.of), code.names["FIRST"]))
    if isinstance(node, n.ThingsOfKind) and not code.program.world.pools_of(node.id):
        return ONE if code.program.world.of_kind(node.id) else ZERO
    if not can_loop(node) and not isinstance(node, n.ValueCall):
        return truth(load(listed(code, node)))
    with code.search() as (found, leave):
        each(code, node, lambda member: leave())
    return found


@lowers_value(q.First)
def first(code: Code, node: q.First) -> Expression:
    if isinstance(node.of, r.PileItems) and plain(type_of(code, node.of.of)).tag == "pile":
        return load(value(code, node.of.of), code.names["FIRST"])
    if _is_list(code, node.of):
        things = code.keep(listed(code, node.of))
        return conditional(load(things), load(things, 1), none_of(element_type(code, node.of)))
    if isinstance(node.of, q.Filter):
        found = _first_inside(code, node.of)
        if found is not None:
            return found
    with code.search(otherwise=const(none_of(element_type(code, node.of)))) as (found, leave):
        each(code, node.of, leave)
    return found


def _first_inside(code: Code, node: q.Filter) -> Local | None:
    """The first copy of a thing that lies in a container, found among the few things that fit in there."""
    copies, inside = node.of, node.test
    if not (
        isinstance(copies, r.SortCopies) and isinstance(copies.of, n.SortRef) and isinstance(inside, o.LiesIn)
    ):
        return None
    pile = inside.pile
    if inside.thing != n.LocalRef(node.local) or maybe_none(code, pile) or not isinstance(pile, r.FieldOf):
        return None
    room = code.program.world.most_in(pile.name)
    if room is None or room > len(code.program.world.sorts.get(copies.of.id, ())):
        return None
    sorts, sort = code.names["SORT"], const(code.program.sort_number(copies.of.id))
    found = code.hold(0)

    def one(thing: Expression) -> None:
        earlier = either(negate(found), thing < found)
        code.when(both(equal(load(thing, sorts), sort), earlier), lambda: code.assign(found, thing))

    each_at(code, value(code, pile), one)
    return found


@lowers_value(q.Last)
def last(code: Code, node: q.Last) -> Expression:
    nothing = const(none_of(element_type(code, node.of)))
    if _is_list(code, node.of):
        things = code.keep(listed(code, node.of))
        count = code.keep(load(things))
        return conditional(count, load(things + count), nothing)
    found = code.hold(nothing)
    each(code, node.of, lambda member: code.assign(found, member))
    return found


def _is_list(code: Code, node: object) -> bool:
    """Whether a collection is a list, or has to be made one before its members can be looked at."""
    return is_list(type_of(code, node)) and not can_loop(node) and not isinstance(node, n.ValueCall)


@lowers_value(q.Count)
def count(code: Code, node: q.Count) -> Expression:
    if isinstance(node.of, r.PileItems) and plain(type_of(code, node.of.of)).tag == "pile":
        return load(value(code, node.of.of), code.names["COUNT"])
    if isinstance(node.of, n.ThingsOfKind) and not code.program.world.pools_of(node.of.id):
        return const(len(code.program.world.of_kind(node.of.id)))
    type_ = type_of(code, node.of)
    if plain(type_).tag in ("pool", "dice"):
        return code.hold(load(code.pushed("shown_dice", value(code, node.of))))
    if isinstance(node.of, q.Filter | q.Each):
        found = code.hold(0)
        each(code, node.of, lambda member: code.assign(found, found + 1))
        return found
    code.uses_stack()
    return code.hold(load(listed(code, node.of)))


@lowers_value(q.Total)
def total(code: Code, node: q.Total) -> Expression:
    found = code.hold(0)
    each(code, node.of, lambda member: code.assign(found, checked("add", found, member, code.spot)))
    return found


@lowers_value(q.Highest, q.Lowest)
def extreme(code: Code, node: q.Highest | q.Lowest) -> Expression:
    wanted: BinaryOperator = "gt" if isinstance(node, q.Highest) else "lt"
    found = code.hold(NONE)

    def one(member: Expression) -> None:
        held = code.keep(member)
        better = either(equal(found, NONE), binary(wanted, held, found))
        code.when(better, lambda: code.assign(found, held))

    each(code, node.of, one)
    return found


@lowers_value(r.Nth)
def nth(code: Code, node: r.Nth) -> Expression:
    code.uses_stack()
    things = code.keep(listed(code, node.of))
    position = code.keep(value(code, node.position))
    fits = both(position >= 1, position <= load(things))
    code.fault_if(negate(fits), NO_ENTRY)
    return code.hold(load(things + position))


@lowers_value(q.RandomOne)
def random_one(code: Code, node: q.RandomOne) -> Expression:
    code.uses_stack()
    things = code.keep(listed(code, node.of))
    stream = const(code.program.layout.stream(f"random:{code.scope.verb or 'game'}"))
    found = code.hold(none_of(element_type(code, node.of)))
    code.when(load(things), lambda: code.assign(found, code.call("pick_random", things, stream)))
    if code.program.build.traced:
        is_thing = ONE if plain(element_type(code, node.of)).tag == "thing" else ZERO
        parts = (const(PICKED), found, load(things), is_thing)
        code.when(load(things) > 1, lambda: code.do("note_event", *parts))
    return found


@lowers_value(q.CoreFunctionCall, DoneFunction)
def core_function(code: Code, node: q.CoreFunctionCall | DoneFunction) -> Expression:
    handler = CORE_FUNCTIONS.get(node.function)
    if handler is None:
        raise unknown(node)
    return handler(code, node.args)


Arguments = tuple[object, ...]
CORE_FUNCTIONS: dict[str, Callable[[Code, Arguments], Expression]] = {}
"""Functions of the core by name; other modules add theirs."""


def _shuffled(code: Code, args: Arguments) -> Expression:
    things = code.hold(_own_list(code, args[0]))
    code.do("mix", things, code.program.layout.stream("random:shuffled"))
    return things


def _room(code: Code, args: Arguments) -> Expression:
    return code.call("room", value(code, args[0]))


def _top(code: Code, args: Arguments) -> Expression:
    return load(value(code, args[0]), code.names["FIRST"])


def _supply(code: Code, args: Arguments) -> Expression:
    if plain(type_of(code, args[0])).tag == "pile":
        return load(value(code, args[0]), code.names["COUNT"])
    return load(value(code, args[0]) - 1, code.names["TOKEN_SUPPLY"])


def _pairs(code: Code, args: Arguments) -> Expression:
    return code.pushed("pair_up", listed(code, args[0]), listed(code, args[1]))


KNOWN_SEATS = "seats that were asked for"


def _newcomers(code: Code, args: Arguments) -> Expression:
    """The seats that were not there when this was last asked; now they are."""
    known = code.program.cell(KNOWN_SEATS)
    bits = code.names["SEAT_BIT"]

    def fill(push: Member) -> None:
        def one(seat: Expression) -> None:
            held = code.keep(seat)
            code.when(negate(cell(known) & load(held, bits)), lambda: push(held))

        each(code, args[0], one)

    made = gather(code, fill, element_type(code, args[0]))
    each_of_list(code, made, lambda seat: code.set(known, cell(known) | load(seat, bits)))
    return made


CORE_FUNCTIONS |= {
    "newcomers": _newcomers,
    "shuffled": _shuffled,
    "room": _room,
    "top": _top,
    "supply": _supply,
    "pairs": _pairs,
}
