"""Which of several rules about one call comes next: the replacement that wins, and orders that somebody decides.

Of replacements in one layer the one that came into force last wins. Things, gained traits and rules for a while are counted
by one clock as they come into force, so that it can be told which that is.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, both, call, const, equal, load, negate, some
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.kernel.components.until import KEY
from talewright.runtime.kernel.storage.lists import RIVAL_CELLS
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.decisions.decisions import ask, new_point, worked_out_anew
from talewright.runtime.lower.decisions.describe import count_point
from talewright.runtime.lower.dispatch import Member, gather
from talewright.runtime.lower.expressions.fields import deciders
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

# A rank is a layer and a time, then a place among the rules and a bearer: two cells.
TIME_BITS = 27
BEARER_BITS = 18
# What is known of each rule that may come next stands in a row: place, bearer, record, and the two cells of its rank; in an
# order that somebody decides, by what it is told from others in place of a rank.
RULES = "rules"


# ------------------------------------------------------------------ replacements
def replace(
    code: Code, entries: list[RuleEntry], parts: Parts, verb: str, below: Rank | None, use: Use, asks: bool
) -> None:
    """Runs a body for the replacement that wins, if any applies below a rank; entries are the lowest first.

    `asks` says whether somebody may be asked where that is theirs to decide; else the highest counts.
    """
    order = code.program.order_of(verb) if asks else None
    found = code.hold(0)

    def row(push: Member, place: int, entry: RuleEntry, me: Expression) -> None:
        first = code.keep((entry.layer << TIME_BITS) + entered(code, entry, me))
        second = code.keep((place << BEARER_BITS) + (ZERO if entry.bearer == "until" else me))
        with code.if_(ONE if below is None else _is_lower(first, second, below)):
            _push_row(code, push, place, entry, me, first, second)

    def fill(rivals: list[tuple[int, RuleEntry]], push: Member) -> None:
        for place, entry in rivals:
            each_applying(code, entry, parts, verb, partial(row, push, place, entry))

    for layer in sorted({entry.layer for entry in entries}, reverse=True):
        rivals = [(place, entry) for place, entry in enumerate(entries, 1) if entry.layer == layer]
        with code.if_(negate(found)):
            if order is None:
                code.assign(found, call("highest_row", gather(code, partial(fill, rivals), INT)))
            else:
                _pick(code, order, verb, partial(fill, rivals), found, counted=False)
    if entries:
        with code.if_(found):
            _use_found(code, entries, found, parts, verb, use)


def _is_lower(first: Expression, second: Expression, rank: Rank) -> Expression:
    return some([first < rank.first, both(equal(first, rank.first), second < rank.second)])


def _push_row(
    code: Code,
    push: Member,
    place: int,
    entry: RuleEntry,
    me: Expression,
    first: Expression,
    second: Expression,
) -> None:
    for part in (const(place), me, code.instances.get(entry.number, ZERO), first, second):
        push(part)


def _use_found(
    code: Code, entries: list[RuleEntry], found: Expression, parts: Parts, verb: str, use: Use
) -> None:
    """Runs a body in the scope of the rule whose row was found."""
    place, me, record, first, second = (code.hold(load(found, 1 + i)) for i in range(RIVAL_CELLS))
    for number, entry in enumerate(entries, 1):
        known = code.of_record(entry.number, record) if entry.bearer == "until" else nullcontext()
        with code.if_(equal(place, number)), known, code.in_scope(rule_scope(code, entry, me, parts, verb)):
            use(entry, me, Rank(first, second))


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

    def identity(push: Member, place: int, entry: RuleEntry, me: Expression) -> None:
        push(const(place))
        push(_identity(code, entry, me))

    def known(push: Member) -> None:
        for place, entry in places:
            each_bearer(code, entry, partial(identity, push, place, entry))

    left = code.hold(gather(code, known, INT))
    found = code.hold(0)

    def row(push: Member, place: int, entry: RuleEntry, me: Expression) -> None:
        who = _identity(code, entry, me)
        with code.if_(call("has_pair", left, place, who)):
            _push_row(code, push, place, entry, me, who, ZERO)

    def ready(push: Member) -> None:
        for place, entry in places:
            each_applying(code, entry, parts, verb, partial(row, push, place, entry))

    with code.loop() as (_, out):
        code.assign(found, 0)
        _pick(code, order, verb, ready, found, counted=True)
        code.leave_if(negate(found), out)
        code.do("forget_pair", left, load(found, 1), load(found, 4))
        _use_found(code, entries, found, parts, verb, lambda entry, me, rank: run(entry, me))


def _identity(code: Code, entry: RuleEntry, me: Expression) -> Expression:
    """By what the bearer of a rule is told from its others: a record moves, its time does not."""
    return code.keep(load(code.instances[entry.number], KEY) if entry.bearer == "until" else me)


def _pick(
    code: Code,
    order: OrderDeclaration,
    verb: str,
    fill: Callable[[Member], None],
    found: Local,
    counted: bool,
) -> None:
    """Finds the row of the only one of some rules, or asks which."""
    spot, code.spot = code.spot, order.at
    point = new_point(code, RULES, "order", id_=f"{verb}.order")
    code.spot = spot
    if counted:
        count_point(code, point)

    def bearers(push: Member) -> None:
        with code.count_up(0, count) as index:
            push(load(rules + index * RIVAL_CELLS, 2))

    with worked_out_anew(code) as again:
        rules = code.hold(gather(code, fill, INT))
        count = code.hold(load(rules) // RIVAL_CELLS)
        index = code.hold(0)
        with code.if_(count > 1):
            if not counted:
                count_point(code, point)
            options = code.hold(gather(code, bearers, INT))
            mask = code.keep(deciders(code, order.by))
            code.assign(index, ask(code, point, mask, options, count, None, again))
        with code.if_(count):
            code.assign(found, rules + index * RIVAL_CELLS)
