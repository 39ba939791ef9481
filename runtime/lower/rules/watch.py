"""Periods and state rules: what is looked at when an action has ended."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import ZERO, both, cell, equal, every, load, negate, some, truth, unlike
from talewright.runtime.ir.header import ENDLESS_RULES, NOWHERE
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.kernel.components.until import WITH_PERIOD
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.dispatch import condition, each
from talewright.runtime.lower.expressions.collections import each_of_fixed, each_of_sort
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.lower.program import NOT_IN_FORCE, Program
from talewright.runtime.lower.rules.rules import (
    NO_PARTS,
    comes_and_goes,
    each_applying,
    each_bearer,
    in_force,
    rule_scope,
    run_rule,
)
from talewright.runtime.lower.rules.traits import look_at_grants
from talewright.runtime.lower.statements.moments import NO_STOP, begin_anew, run_in_batch, stop_again
from talewright.runtime.model.cells import ASLEEP, DIRTY, FORCE_CLOCK, HELD
from talewright.runtime.model.world import RuleEntry
from talewright.schemas.nodes.declared import PeriodDeclaration
from talewright.schemas.nodes.names import ThingsOfKind
from talewright.schemas.nodes.rules import GrantRule, PeriodRule, StateRule
from talewright.schemas.records import replace

# So often may state rules set each other off.
MOST_ROUNDS = 1000


def watches(program: Program) -> bool:
    """Whether anything is looked at."""
    return bool(program.world.content.periods) or any(
        isinstance(entry.rule, StateRule | GrantRule) for entry in program.world.rules
    )


def look(code: Code) -> None:
    """Looks at periods and state rules if something was written that they may read."""
    program = code.program
    if not watches(program):
        return
    name = program.function("look", 0, _look, gives=False)
    with code.if_(both(cell(DIRTY), negate(cell(HELD)))):
        code.ask_call(name, ())


def _look(code: Code) -> None:
    """Until nothing changes: periods end and begin, then state rules that have become true run as a batch."""
    program = code.program
    if program.build.tested:
        code.leave_if(cell(ASLEEP), code.exit)
    rounds = code.hold(0)
    with code.loop() as (again, out):
        code.set(DIRTY, 0)
        changed = code.hold(0)
        look_at_grants(code)
        for period in _periods(program):
            _look_at_period(code, period, changed)
        _run_due(code, changed)
        code.assign(rounds, rounds + 1)
        code.fault_if(rounds > MOST_ROUNDS, ENDLESS_RULES, NOWHERE)
        code.leave_if(changed, again)
        code.leave_if(cell(DIRTY), again)
        code.go(out)


# ------------------------------------------------------------------ periods
def _periods(program: Program) -> list[PeriodDeclaration]:
    """The periods that these options let exist."""
    return [period for period in program.world.content.periods if program.world.allows(period.guards)]


def _look_at_period(code: Code, period: PeriodDeclaration, changed: Local) -> None:
    at = code.program.period_cell(period.id)
    now = _lasts(code, period)
    with code.if_(unlike(now, cell(at))):
        code.set(at, now)
        code.assign(changed, 1)
        code.when(now, lambda: _begin(code, period), lambda: _end(code, period))


def _lasts(code: Code, period: PeriodDeclaration) -> Local:
    """Whether the condition of a period holds."""
    me: Expression = code.program.thing(period.chapter) if period.chapter else ZERO
    with code.in_scope(Scope({}, types=local_types(period.locals), me=me, chapter=period.chapter or "")):
        return code.hold(truth(condition(code, period.condition)))


def _begin(code: Code, period: PeriodDeclaration) -> None:
    for declared in code.program.facts.periodic.get(f"period:{period.id}", []):
        begin_anew(code, declared)
    _run_edge(code, period.id, "start")


def _end(code: Code, period: PeriodDeclaration) -> None:
    _run_edge(code, period.id, "end")
    if period.id in code.program.facts.awaited_periods:
        code.do("end_matching", WITH_PERIOD, code.program.number("period", period.id))
        look_at_grants(code, True)


def _run_edge(code: Code, period: str, edge: str) -> None:
    """Runs the rules at the beginning or end of a period for each of their bearers, if their conditions hold."""
    entries = [
        e for e in code.program.world.rules
        if isinstance(e.rule, PeriodRule) and e.rule.period == period and e.rule.edge == edge
    ]  # fmt: skip
    stopped = code.hold(NO_STOP)
    for entry in sorted(entries, key=lambda e: (e.layer, e.number)):
        each_applying(code, entry, NO_PARTS, "period", partial(_run, code, entry, stopped), steady=False)
    if entries:
        stop_again(code, stopped, leave=True)


def _run(code: Code, entry: RuleEntry, stopped: Local, me: Expression) -> None:
    """Runs a rule of a batch; a stop waits until the others have run."""
    run_in_batch(code, stopped, lambda: run_rule(code, entry, me, NO_PARTS, "state"))


# ------------------------------------------------------------------ state rules
def _state_rules(program: Program) -> list[RuleEntry]:
    entries = [e for e in program.world.rules if isinstance(e.rule, StateRule)]
    return sorted(entries, key=lambda e: (e.layer, e.bearer == "until", e.number))


def _run_due(code: Code, changed: Local) -> None:
    """Notes which armed rules have become true, arms those that are false, then runs the noted ones, each asked again."""
    program = code.program
    entries = _state_rules(program)
    if not entries:
        return
    for entry in entries:
        each_bearer(code, entry, partial(_note, code, entry))
    stopped = code.hold(NO_STOP)

    def run(entry: RuleEntry, me: Expression) -> None:
        at = program.armed_cell(entry, me)
        with code.if_(equal(load(at), DUE)):
            code.put(at, 0)
            holds = _holds(code, entry, me)
            if holds != ZERO:
                with code.if_(holds):
                    code.assign(changed, 1)
                    _run(code, entry, stopped, me)

    for entry in entries:
        each_bearer(code, entry, partial(run, entry), steady=False)
    stop_again(code, stopped, leave=True)


# What the cell of a state rule holds: it waits to be false, it waits to be true, it is about to run, its bearer is not in force.
WAITING, ARMED, DUE, OUT = 0, 1, 2, NOT_IN_FORCE


def _holds(code: Code, entry: RuleEntry, me: Expression) -> Expression:
    rule = entry.rule
    assert isinstance(rule, StateRule)
    with code.in_scope(rule_scope(code, entry, me, NO_PARTS, "state")):
        return condition(code, rule.condition)


def _note(code: Code, entry: RuleEntry, me: Expression) -> None:
    at = code.program.armed_cell(entry, me)
    true = code.hold(truth(_holds(code, entry, me)))

    def is_true() -> None:
        with code.if_(equal(load(at), ARMED)):
            code.put(at, DUE)

    code.when(true, is_true, lambda: code.put(at, ARMED))


def armed_by_move(code: Code) -> Function:
    """armed_by_move(thing): rules that come into force by a move are armed if they are false; else they wait."""
    program = code.program
    note_force(code, Local(0))
    entries = [entry for entry in _state_rules(program) if _comes_and_goes(program, entry)]
    if entries:
        code.leave_if(cell(ASLEEP), code.exit)
    for entry in entries:
        with code.if_(_bears(code, entry)):
            _arm_moved(code, entry)
    granting = [
        e for e in program.world.rules if isinstance(e.rule, GrantRule) and _comes_and_goes(program, e)
    ]
    if granting:
        mine = some([_bears(code, entry) for entry in granting])
        with code.if_(both(mine, negate(cell(ASLEEP)))):
            look_at_grants(code)
    return replace(code.function(), seldom=True)


def moves_that_arm(program: Program) -> list[int]:
    """For each thing, whether `armed_by_move` has anything to do when it moves."""
    world = program.world
    kinds = {kind for kind in world.kinds if world.kinds[kind].in_force is not None}
    for entry in world.rules:
        if isinstance(entry.rule, StateRule | GrantRule) and _comes_and_goes(program, entry):
            kinds.add(_kind_of_bearers(program, entry))
    return [0, *(int(any(world.is_a(thing.kind, kind) for kind in kinds)) for thing in world.things)]


def note_force(code: Code, thing: Expression) -> None:
    """Notes when a thing comes into force, and that it is no longer."""
    world = code.program.world
    kinds = [kind for kind in world.kinds if world.kinds[kind].in_force is not None]
    at = thing + code.names["FORCED"]
    for kind in kinds:
        special = [other for other in kinds if other != kind and world.is_a(other, kind)]
        if not world.numbers_of_kind(kind):
            continue
        with code.if_(
            every([of_kind(code, thing, kind), *(negate(of_kind(code, thing, other)) for other in special)])
        ):
            code.when(
                code.all_of(in_force(code, thing, kind)),
                partial(_enter, code, at),
                lambda: code.put(at, 0),
            )


def _enter(code: Code, at: Expression) -> None:
    with code.if_(negate(load(at))):
        code.set(FORCE_CLOCK, cell(FORCE_CLOCK) + 1)
        code.put(at, cell(FORCE_CLOCK))


def first_force(program: Program, code: Code) -> None:
    """Notes what is in force when a game begins."""
    kinds = [kind for kind in program.world.kinds if program.world.kinds[kind].in_force is not None]
    numbers = sorted({number for kind in kinds for number in program.world.of_kind(kind)})
    each_of_fixed(code, numbers, partial(note_force, code))


def _comes_and_goes(program: Program, entry: RuleEntry) -> bool:
    """Whether the bearers of a rule are in force at times only."""
    world = program.world
    if entry.bearer not in ("kind", "thing"):
        return False
    kind = _kind_of_bearers(program, entry)
    return bool(world.pools_of(kind)) or comes_and_goes(program, kind)


def _kind_of_bearers(program: Program, entry: RuleEntry) -> str:
    """The kind that says when the bearers of a rule are in force."""
    return entry.owner if entry.bearer == "kind" else program.world.kind_of_sort(entry.owner)


def _bears(code: Code, entry: RuleEntry) -> Expression:
    """Whether a thing that moves bears a rule."""
    program = code.program
    if entry.bearer == "kind":
        return of_kind(code, Local(0), entry.owner)
    if program.world.can_be_made(entry.owner):
        return equal(load(Local(0), program.layout.names["SORT"]), program.sort_number(entry.owner))
    return some([equal(Local(0), number) for number in program.world.sorts[entry.owner]])


def _arm_moved(code: Code, entry: RuleEntry) -> None:
    """Arms a rule of a thing that came into force; what was in force before stays as it is."""
    kind = _kind_of_bearers(code.program, entry)
    at = code.program.armed_cell(entry, Local(0))

    def inside() -> None:
        with code.if_(equal(load(at), OUT)):
            code.put(at, negate(_holds(code, entry, Local(0))))

    code.when(code.all_of(in_force(code, Local(0), kind)), inside, lambda: code.put(at, OUT))


def arm_all(code: Code, for_a_while: bool = False) -> None:
    """Arms the state rules that are false now; those that are true wait until they have been false once."""

    def arm(entry: RuleEntry, me: Expression) -> None:
        code.put(code.program.armed_cell(entry, me), negate(_holds(code, entry, me)))

    for entry in _state_rules(code.program):
        if entry.bearer != "until" or for_a_while:
            each_bearer(code, entry, partial(arm, entry))


def settle_table(code: Code) -> None:
    """What is true now counts as having been true before: nothing begins or ends by it."""
    code.do(code.program.function("settle table", 0, _settle, gives=False))


def _settle(code: Code) -> None:
    program = code.program
    look_at_grants(code)
    for period in _periods(program):
        code.set(program.period_cell(period.id), _lasts(code, period))
    arm_all(code, for_a_while=True)
    for entry in _state_rules(program):
        if _comes_and_goes(program, entry):
            _mark_absent(code, entry)
    code.set(DIRTY, 0)


def _mark_absent(code: Code, entry: RuleEntry) -> None:
    """The rules of things that are not in force wait until they are."""
    kind = _kind_of_bearers(code.program, entry)

    def one(thing: Expression) -> None:
        with code.if_(negate(code.all_of(in_force(code, thing, kind)))):
            code.put(code.program.armed_cell(entry, thing), OUT)

    if entry.bearer == "kind":
        each(code, ThingsOfKind(entry.owner), one)
    else:
        each_of_sort(code, entry.owner, one)
