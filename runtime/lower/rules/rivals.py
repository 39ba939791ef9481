"""Which of several rules about one call comes next: the replacement that wins, and orders that somebody decides.

Of replacements in one layer the one that came into force last wins. Things, gained traits and rules for a while are counted
by one clock as they come into force, so that it can be told which that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, both, call, const, equal, load, negate, some
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.kernel.components.until import KEY
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.decisions.decisions import ask, new_point, worked_out_anew
from talewright.runtime.lower.decisions.describe import count_point
from talewright.runtime.lower.dispatch import Member, gather
from talewright.runtime.lower.expressions.fields import deciders
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import (
    Parts,
    Rank,
    Use,
    each_applying,
    each_bearer,
    entered,
    rule_scope,
)
from talewright.runtime.model.types import INT
from talewright.runtime.model.world import RuleEntry
from talewright.schemas.nodes.declared import OrderDeclaration
from talewright.schemas.records import record

# A rank is a layer and a time, then a place among the rules and a bearer: two cells.
TIME_BITS = 27
BEARER_BITS = 18
# What is known of each rule that somebody may pick: place, bearer, record, and the two cells of its rank.
CELLS = 5
RULES = "rules"


# ------------------------------------------------------------------ replacements
def replace(
    code: Code, entries: list[RuleEntry], parts: Parts, verb: str, below: Rank | None, use: Use, asks: bool
) -> None:
    """Runs a body for the replacement that wins, if any applies below a rank; entries are the lowest first.

    `asks` says whether somebody may be asked where that is theirs to decide; else the highest counts.
    """
    order = code.program.order_of(verb) if asks else None
    if order is None and _is_settled(code.program, entries):
        _replace_in_order(code, entries, parts, verb, below, use)
        return
    layers = sorted({entry.layer for entry in entries}, reverse=True)
    found = _Found(*(code.hold(0) for _ in range(CELLS)))
    for layer in layers:
        rivals = [(place, entry) for place, entry in enumerate(entries, 1) if entry.layer == layer]
        if order is None:
            look = partial(_highest, code, rivals, parts, verb, below, found)
        else:
            look = partial(_picked, code, rivals, parts, verb, below, found, order)
        code.when(negate(found.place), look)
    for place, entry in enumerate(entries, 1):
        code.when(equal(found.place, place), partial(_use, code, entry, found, parts, verb, use))


@record(frozen=True)
class _Found:
    """The rule that was found: its place, counted from 1, its bearer, its record if it is one for a while, its rank."""

    place: Local
    me: Local
    record: Local
    first: Local
    second: Local

    def set(self, code: Code, cells: tuple[Expression, ...]) -> None:
        for local, held in zip(
            (self.place, self.me, self.record, self.first, self.second), cells, strict=True
        ):
            code.assign(local, held)


def _use(code: Code, entry: RuleEntry, found: _Found, parts: Parts, verb: str, use: Use) -> None:
    """Runs a body in the scope of the rule that was found."""
    with (
        _of_record(code, entry, found.record),
        code.in_scope(rule_scope(code, entry, found.me, parts, verb)),
    ):
        use(entry, found.me, Rank(found.first, found.second))


@contextmanager
def _of_record(code: Code, entry: RuleEntry, record: Expression) -> Iterator[None]:
    """Inside, a rule for a while is known by its record."""
    if entry.bearer != "until":
        yield
        return
    code.instances[entry.number] = record
    yield
    del code.instances[entry.number]


def _is_settled(program: Program, entries: list[RuleEntry]) -> bool:
    """Whether it is known now which of any two replacements wins."""
    for layer in {entry.layer for entry in entries}:
        rivals = [entry for entry in entries if entry.layer == layer]
        if all(entry.bearer in ("", "chapter") for entry in rivals):
            continue
        if len(rivals) > 1 or not _has_one_bearer(program, rivals[0]):
            return False
    return True


def _has_one_bearer(program: Program, entry: RuleEntry) -> bool:
    if entry.bearer == "thing":
        return len(program.world.sorts[entry.owner]) == 1 and not program.world.can_be_made(entry.owner)
    return entry.bearer in ("", "chapter")


def _replace_in_order(
    code: Code, entries: list[RuleEntry], parts: Parts, verb: str, below: Rank | None, use: Use
) -> None:
    for place, entry in reversed(list(enumerate(entries, 1))):
        rank = Rank(ZERO, const(place))
        apply = partial(
            each_applying, code, entry, parts, verb, partial(_use_ranked, entry, rank, use), steady=False
        )
        code.when(ONE if below is None else rank.second < below.second, apply)


def _use_ranked(entry: RuleEntry, rank: Rank, use: Use, me: Expression) -> None:
    use(entry, me, rank)


def _highest(
    code: Code,
    rivals: list[tuple[int, RuleEntry]],
    parts: Parts,
    verb: str,
    below: Rank | None,
    found: _Found,
) -> None:
    """The highest of one layer."""

    def consider(cells: tuple[Expression, ...]) -> None:
        held = tuple(code.keep(part) for part in cells)
        code.when(_is_lower(found.first, found.second, held[3], held[4]), partial(found.set, code, held))

    _each_rival(code, rivals, parts, verb, below, consider)


def _picked(
    code: Code,
    rivals: list[tuple[int, RuleEntry]],
    parts: Parts,
    verb: str,
    below: Rank | None,
    found: _Found,
    order: OrderDeclaration,
) -> None:
    """One of those of one layer; somebody is asked which if there are several."""

    def fill(push: Member) -> None:
        def add_one(cells: tuple[Expression, ...]) -> None:
            for part in cells:
                push(part)

        _each_rival(code, rivals, parts, verb, below, add_one)

    _pick(code, order, verb, fill, found, counted=False)


def _each_rival(
    code: Code,
    rivals: list[tuple[int, RuleEntry]],
    parts: Parts,
    verb: str,
    below: Rank | None,
    use: Callable[[tuple[Expression, ...]], None],
) -> None:
    for place, entry in rivals:

        def one(me: Expression, place: int = place, entry: RuleEntry = entry) -> None:
            first = code.keep((entry.layer << TIME_BITS) + entered(code, entry, me))
            second = code.keep((place << BEARER_BITS) + (ZERO if entry.bearer == "until" else me))
            cells = (const(place), me, code.instances.get(entry.number, ZERO), first, second)
            test = ONE if below is None else _is_lower(first, second, below.first, below.second)
            code.when(test, lambda: use(cells))

        each_applying(code, entry, parts, verb, one)


def _is_lower(
    first: Expression, second: Expression, other: Expression, other_second: Expression
) -> Expression:
    return some([first < other, both(equal(first, other), second < other_second)])


# ------------------------------------------------------------------ orders
def run_in_chosen_order(
    code: Code,
    order: OrderDeclaration,
    entries: list[RuleEntry],
    parts: Parts,
    verb: str,
    run: Callable[[RuleEntry, Expression], None],
) -> None:
    """Runs the rules of a pass; whoever decides picks which of those that apply is next."""
    places = list(enumerate(entries, 1))

    def known(push: Member) -> None:
        for place, entry in places:
            each_bearer(code, entry, partial(_push_identity, code, push, place, entry))

    left = code.hold(gather(code, known, INT))
    found = _Found(*(code.hold(0) for _ in range(CELLS)))

    def ready(push: Member) -> None:
        for place, entry in places:
            each_applying(code, entry, parts, verb, partial(_push_ready, code, push, left, place, entry))

    with code.loop() as (_, out):
        code.assign(found.place, 0)
        _pick(code, order, verb, ready, found, counted=True)
        code.leave_if(negate(found.place), out)
        code.do("forget_pair", left, found.place, found.first)
        for place, entry in places:
            code.when(
                equal(found.place, place),
                partial(_use, code, entry, found, parts, verb, lambda e, me, rank: run(e, me)),
            )


def _identity(code: Code, entry: RuleEntry, me: Expression) -> Expression:
    """By what the bearer of a rule is told from its others: a record moves, its time does not."""
    return code.keep(load(code.instances[entry.number], KEY) if entry.bearer == "until" else me)


def _push_identity(code: Code, push: Member, place: int, entry: RuleEntry, me: Expression) -> None:
    push(const(place))
    push(_identity(code, entry, me))


def _push_ready(
    code: Code, push: Member, left: Expression, place: int, entry: RuleEntry, me: Expression
) -> None:
    who = _identity(code, entry, me)
    with code.if_(call("has_pair", left, place, who)):
        for part in (const(place), me, code.instances.get(entry.number, ZERO), who, ZERO):
            push(part)


def _pick(
    code: Code,
    order: OrderDeclaration,
    verb: str,
    fill: Callable[[Member], None],
    found: _Found,
    counted: bool,
) -> None:
    """Takes the only one of some rules, or asks which."""
    code.uses_stack()
    spot, code.spot = code.spot, order.at
    point = new_point(code, RULES, "order", id_=f"{verb}.order")
    code.spot = spot
    if counted:
        count_point(code, point)
    with worked_out_anew(code) as again:
        rules = code.hold(gather(code, fill, INT))
        count = code.hold(load(rules) // CELLS)
        index = code.hold(0)
        with code.if_(count > 1):
            if not counted:
                count_point(code, point)
            bearers = code.hold(gather(code, partial(_push_bearers, code, rules, count), INT))
            mask = code.keep(deciders(code, order.by))
            code.assign(index, ask(code, point, mask, bearers, count, None, again))
        with code.if_(count):
            at = code.hold(rules + index * CELLS)
            found.set(code, tuple(load(at, 1 + i) for i in range(CELLS)))


def _push_bearers(code: Code, rules: Expression, count: Expression, push: Member) -> None:
    with code.count_up(0, count) as index:
        push(load(rules + index * CELLS, 2))
