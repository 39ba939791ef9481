"""Tests written in Tale, as functions of the program that they test: one for each step.

The function `trial(number)` runs a step, then takes down whatever a `go to`, a `stop` or the end of the game has left
standing. What a step gives is left in RESULT: the truth of an expectation, or the list `[n, who, value 1, ...]` of values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ONE, ZERO, both, cell, const, equal, negate, set_cell
from talewright.runtime.ir.header import RESULT, STEPS
from talewright.runtime.ir.nodes import (
    AskingCall,
    Branch,
    Call,
    Expression,
    Function,
    Local,
    Statement,
    Switch,
)
from talewright.runtime.kernel.frames import STEP_LIMIT
from talewright.runtime.lower.actions import look, need_action, need_possible
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.decisions import deciders
from talewright.runtime.lower.dispatch import block, condition, statement, value
from talewright.runtime.lower.program import Program, Trial
from talewright.runtime.lower.scopes import local_names, local_types
from talewright.runtime.lower.story import need_enter, need_play
from talewright.runtime.lower.typing import type_of
from talewright.runtime.lower.values import of_kind
from talewright.runtime.lower.watch import settle_table
from talewright.runtime.model.cells import (
    ASLEEP,
    CALLS_RUNNING,
    ENDING,
    EVENT_TOP,
    GOING,
    HALT_PAGE,
    HALT_VERB,
    HALTED,
    LEAVING,
    TARGET,
)
from talewright.schemas.nodes import tests as t
from talewright.schemas.nodes.declared import TestDeclaration
from talewright.schemas.nodes.statements import Call as CallStatement
from talewright.schemas.nodes.statements import CoreCall, RunEffect
from talewright.schemas.nodes.types import Type

Moment = CallStatement | CoreCall | RunEffect
# A test without a `start`, and the sides of an expectation, have places apart from the steps.
NO_START = -1
SIDES = 1 << 16


def lower_trials(program: Program) -> Function:
    """Writes the functions of the tests that belong to the program; gives the one that runs a step."""
    names: list[str] = []

    def add(index: int, position: int, write: Callable[[Code], tuple[Type, ...]]) -> None:
        test = program.document.content.tests[index]
        name = f"trial:{index}:{position}"
        code = program.code(name, 0, gives=False, scope=_scope(test))
        types = write(code)
        program.functions[name] = code.function()
        program.trials[index, position] = Trial(len(names), types)
        names.append(name)

    for index in program.build.tests:
        test = program.document.content.tests[index]
        try:
            add(index, NO_START, lambda code: _start(code, None))
            for position, step in enumerate(test.steps):
                add(index, position, partial(_step, step))
                if isinstance(step, t.ExpectStep):
                    add(index, position + SIDES, partial(_sides, step))
        except LoadError as error:
            program.unplayable[index] = str(error)
    return _trial_function(program, names)


def _trial_function(program: Program, names: list[str]) -> Function:
    code = program.code("trial", 1, gives=False)
    code.emit(set_cell(STEPS, const(STEP_LIMIT)), set_cell(CALLS_RUNNING, ZERO), set_cell(HALTED, ZERO))
    cases: list[tuple[Statement, ...]] = [(AskingCall(name, (), None),) for name in names]
    code.emit(Switch(Local(0), tuple(cases), ()))
    code.when(cell(LEAVING), lambda: leave(code))
    code.emit(set_cell(HALT_VERB, ZERO), set_cell(ASLEEP, ZERO))
    return code.function()


def leave(code: Code) -> None:
    """Takes down what was left standing; after a `go to` its page is the present one."""
    going = both(equal(cell(LEAVING), const(GOING)), both(negate(cell(HALTED)), negate(cell(ENDING))))
    kept = code.hold(going)
    code.do("unwind")

    def turn() -> None:
        page = code.hold(cell(TARGET))
        code.emit(AskingCall(need_enter(code.program), (page,), None))
        code.when(of_kind(code, page, "Ending"), lambda: code.emit(set_cell(ENDING, page)))

    code.when(kept, turn)


def _scope(test: TestDeclaration) -> Scope:
    return Scope(
        {}, types=local_types(test.locals), names=local_names(test.locals), verb="test", in_test=True
    )


def _step(step: t.TestStep, code: Code) -> tuple[Type, ...]:
    code.spot = step.at
    match step:
        case t.StartStep():
            return _start(code, step)
        case t.GivenStep():
            return _given(code, step)
        case t.WhenStep():
            return _when(code, step)
        case t.ExpectStep():
            code.emit(set_cell(RESULT, condition(code, step.condition)))
            return ()
        case t.RigStep():
            return _values(code, step.values, None)
        case t.AnswerStep():
            return _values(code, step.values, step.by)
    raise LoadError("the engine cannot play scenes in tests yet")


# ------------------------------------------------------------------ reaching the chapter
def _start(code: Code, step: t.StartStep | None) -> tuple[Type, ...]:
    program = code.program
    if step is not None and step.refused:
        game = program.actions.get("game/")
        code.emit(set_cell(RESULT, ONE if game is None else Call(need_possible(program, game), ())))
        return ()
    page = ZERO if step is None else const(program.world.number.get(step.chapter, 0))
    code.emit(AskingCall(need_enter(program), (page,), None))
    if page != ZERO and program.world.content.start_after:
        _play_into(code, page)
    settle_table(code)
    code.emit(set_cell(EVENT_TOP, ZERO))
    return ()


def _play_into(code: Code, page: Expression) -> None:
    """Plays until setting up is over on a page."""
    program = code.program
    code.emit(set_cell(HALT_PAGE, page))
    with code.block("there") as there:
        game = program.actions.get("game/")
        with code.block("begun") as begun, code.leaving_to(begun):
            if game is not None:
                code.ask_call(need_action(program, game), ())
                code.emit(Branch(there))
        _stay_if_there(code, there)
        code.do("unwind")
        code.emit(AskingCall(need_enter(program), (page,), None))
        code.emit(AskingCall(need_play(program), (page,), None))
        _stay_if_there(code, there)
        target = code.hold(cell(TARGET))

        def turn() -> None:
            code.do("unwind")
            code.emit(AskingCall(need_enter(program), (target,), None))

        code.when(equal(cell(LEAVING), const(GOING)), turn)
    code.do("unwind")
    code.emit(set_cell(HALT_PAGE, ZERO), set_cell(HALTED, ZERO))


def _stay_if_there(code: Code, there: str) -> None:
    code.leave_if(cell(HALTED), there)
    code.leave_if(cell(ENDING), there)


# ------------------------------------------------------------------ steps
def _given(code: Code, step: t.GivenStep) -> tuple[Type, ...]:
    code.emit(set_cell(ASLEEP, ONE))
    code.do("forget_taken")
    with code.block("set") as out, code.leaving_to(out, out):
        block(code, step.body)
    code.emit(set_cell(ASLEEP, ZERO))
    settle_table(code)
    return ()


def _when(code: Code, step: t.WhenStep) -> tuple[Type, ...]:
    code.emit(set_cell(EVENT_TOP, ZERO))
    for moment in step.moments:
        until = getattr(moment, "until", None)
        if isinstance(until, str) and isinstance(moment, CallStatement | CoreCall | RunEffect):
            verb = until.partition(":")[2]
            code.emit(set_cell(HALT_VERB, const(code.program.verb_number(verb))))
            moment = _without_end(moment)
        statement(code, moment)
        look(code)
    return ()


def _without_end(moment: Moment) -> Moment:
    """The same call without the moment at which a test leaves it."""
    parts = {name: getattr(moment, name) for name in type(moment).__match_args__}
    return type(moment)(**{**parts, "until": None})


def _sides(step: t.ExpectStep, code: Code) -> tuple[Type, ...]:
    _values(code, tuple(side.value for side in step.sides), None)
    return tuple(side.type for side in step.sides)


def _values(code: Code, nodes: tuple[object, ...], by: object | None) -> tuple[Type, ...]:
    """A list: who is meant, as bits (0: anybody), then the values."""
    code.uses_stack()
    types = tuple(type_of(code, node) for node in nodes)
    who = ZERO if by is None else code.keep(deciders(code, by))
    values = [code.keep(value(code, node)) for node in nodes]
    made = code.call("new_list")
    for part in (who, *values):
        code.do("push", made, part)
    code.emit(set_cell(RESULT, made))
    return types
