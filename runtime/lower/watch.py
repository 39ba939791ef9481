"""Periods and state rules: what is looked at when an action has ended."""

from __future__ import annotations

from collections.abc import Callable

from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    add,
    both,
    cell,
    const,
    equal,
    less,
    load,
    negate,
    set_cell,
    store,
    truth,
    unlike,
)
from talewright.runtime.ir.nodes import AskingCall, Branch, Expression, Fault, Function, If, Local
from talewright.runtime.lower.actions import LOOKS
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import condition
from talewright.runtime.lower.moments import NO_STOP, begin_anew, remember_stop, stop_again
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules import Parts, each_bearer, in_scope, rule_scope, run_rule
from talewright.runtime.lower.scopes import local_types
from talewright.runtime.model.cells import ASLEEP, DIRTY, GOING, HELD, LEAVING
from talewright.runtime.model.world import RuleEntry
from talewright.schemas.nodes.declared import PeriodDeclaration
from talewright.schemas.nodes.rules import GrantRule, PeriodRule, StateRule

GRANTS: list[Callable[[Code], None]] = []
"""The look at grants; `traits` enters it."""

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
    name = program.need("look", lambda: _look_function(program))

    def call() -> None:
        code.emit(AskingCall(name, (), None))
        code.leave_if_leaving()

    code.when(both(cell(DIRTY), negate(cell(HELD))), call)


LOOKS.append(look)


def _look_function(program: Program) -> Function:
    """Until nothing changes: periods end and begin, then state rules that have become true run as a batch."""
    code = program.code("look", 0, gives=False)
    if program.build.tested:
        code.when(cell(ASLEEP), lambda: code.emit(Branch(code.exit)))
    rounds = code.hold(ZERO)
    with code.loop() as (again, out):
        code.emit(set_cell(DIRTY, ZERO))
        changed = code.hold(ZERO)
        if any(isinstance(entry.rule, GrantRule) for entry in program.world.rules):
            GRANTS[0](code)
        for period in program.world.content.periods:
            if program.world.allows(period.guards):
                _look_at_period(code, period, changed)
        _run_due(code, changed)
        code.assign(rounds, add(rounds, ONE))
        code.when(less(const(MOST_ROUNDS), rounds), lambda: code.emit(Fault(6, 0)))
        code.emit(If(changed, (Branch(again),)))
        code.emit(If(cell(DIRTY), (Branch(again),)))
        code.emit(Branch(out))
    return code.function()


# ------------------------------------------------------------------ periods
def _look_at_period(code: Code, period: PeriodDeclaration, changed: Local) -> None:
    program = code.program
    at = program.period_cell(period.id)
    now = _lasts(code, period)

    def turn() -> None:
        code.emit(set_cell(at, now))
        code.assign(changed, ONE)
        code.when(now, lambda: _begin(code, period), lambda: _end(code, period))

    code.when(unlike(now, cell(at)), turn)


def _lasts(code: Code, period: PeriodDeclaration) -> Local:
    """Whether the condition of a period holds."""
    me: Expression = code.program.thing(period.chapter) if period.chapter else ZERO
    with in_scope(code, Scope({}, types=local_types(period.locals), me=me, chapter=period.chapter or "")):
        return code.hold(truth(condition(code, period.condition)))


def _begin(code: Code, period: PeriodDeclaration) -> None:
    for declared in code.program.facts.periodic.get(f"period:{period.id}", []):
        begin_anew(code, declared)
    _run_edge(code, period.id, "start")


def _end(code: Code, period: PeriodDeclaration) -> None:
    _run_edge(code, period.id, "end")
    if period.id in code.program.facts.awaited_periods:
        code.do("end_period", const(code.program.number("period", period.id)))


def _run_edge(code: Code, period: str, edge: str) -> None:
    entries = [
        e for e in code.program.world.rules
        if isinstance(e.rule, PeriodRule) and e.rule.period == period and e.rule.edge == edge
    ]  # fmt: skip
    entries.sort(key=lambda e: (e.layer, e.number))
    stopped = code.hold(const(NO_STOP))
    for entry in entries:
        _run_entry(code, entry, stopped)
    if entries:
        _finish_batch(code, stopped)


def _run_entry(code: Code, entry: RuleEntry, stopped: Local) -> None:
    """Runs a rule for each of its bearers, if its condition holds."""
    rule = entry.rule
    parts = Parts({}, {})

    def one(me: Expression) -> None:
        with in_scope(code, rule_scope(code, entry, me, parts, "period")):
            when = getattr(rule, "when", None)
            test = ONE if when is None else condition(code, when)
            code.when(test, lambda: _run_and_remember(code, entry, me, parts, stopped))

    each_bearer(code, entry, one, steady=False)


def _run_and_remember(code: Code, entry: RuleEntry, me: Expression, parts: Parts, stopped: Local) -> None:
    """Runs a rule of a batch; a stop waits until the others have run."""
    with code.block("ran") as ran, code.leaving_to(ran):
        run_rule(code, entry, me, parts, "state")
    code.emit(If(equal(cell(LEAVING), const(GOING)), (Branch(code.leave),)))
    code.when(cell(LEAVING), lambda: remember_stop(code, stopped))


def _finish_batch(code: Code, stopped: Local) -> None:
    def leave() -> None:
        stop_again(code, stopped)
        code.emit(Branch(code.leave))

    code.when(unlike(stopped, const(NO_STOP)), leave)


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
        _each_watched(code, entry, lambda me, entry=entry: _note(code, entry, me))
    stopped = code.hold(const(NO_STOP))
    for entry in entries:

        def run(me: Expression, entry: RuleEntry = entry) -> None:
            at = program.armed_cell(entry, me)

            def due() -> None:
                code.emit(store(at, 0, ZERO))
                parts = Parts({}, {})

                def fire() -> None:
                    code.assign(changed, ONE)
                    _run_and_remember(code, entry, me, parts, stopped)

                code.when(_holds(code, entry, me), fire)

            code.when(equal(load(at), const(DUE)), due)

        _each_watched(code, entry, run, steady=False)
    _finish_batch(code, stopped)


# What the cell of a state rule holds: it waits to be false, it waits to be true, it is about to run.
WAITING, ARMED, DUE = 0, 1, 2


def _each_watched(code: Code, entry: RuleEntry, run: object, steady: bool = True) -> None:
    each_bearer(code, entry, run, steady)  # type: ignore[arg-type]


def _holds(code: Code, entry: RuleEntry, me: Expression) -> Expression:
    rule = entry.rule
    assert isinstance(rule, StateRule)
    with in_scope(code, rule_scope(code, entry, me, Parts({}, {}), "state")):
        return condition(code, rule.condition)


def _note(code: Code, entry: RuleEntry, me: Expression) -> None:
    at = code.program.armed_cell(entry, me)
    true = code.hold(truth(_holds(code, entry, me)))

    def is_true() -> None:
        code.when(equal(load(at), const(ARMED)), lambda: code.emit(store(at, 0, const(DUE))))

    code.when(true, is_true, lambda: code.emit(store(at, 0, const(ARMED))))


def arm_all(code: Code, for_a_while: bool = False) -> None:
    """Arms the state rules that are false now; those that are true wait until they have been false once."""
    for entry in _state_rules(code.program):
        if entry.bearer == "until" and not for_a_while:
            continue

        def arm(me: Expression, entry: RuleEntry = entry) -> None:
            at = code.program.armed_cell(entry, me)
            code.emit(store(at, 0, negate(_holds(code, entry, me))))

        each_bearer(code, entry, arm)


def settle_table(code: Code) -> None:
    """What is true now counts as having been true before: nothing begins or ends by it."""
    program = code.program
    if any(isinstance(entry.rule, GrantRule) for entry in program.world.rules):
        GRANTS[0](code)
    for period in program.world.content.periods:
        if program.world.allows(period.guards):
            code.emit(set_cell(program.period_cell(period.id), _lasts(code, period)))
    arm_all(code, for_a_while=True)
    code.emit(set_cell(DIRTY, ZERO))
