"""Tests written in Tale, as functions of the program that they test: one for each step.

The function `trial(number)` runs a step, then takes down whatever a `go to`, a `stop` or the end of the game has left
standing. What a step gives is left in RESULT: the truth of an expectation, or the list `[n, who, value 1, ...]` of values.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ONE, ZERO, both, cell, const, equal, negate, set_cell
from talewright.runtime.ir.header import RESULT, STEP_LIMIT, STEPS
from talewright.runtime.ir.nodes import AskingCall, AskingCallIndirect, Call, Expression, Function, Local
from talewright.runtime.lower.builds.scenes import marks_at, set_scene
from talewright.runtime.lower.code import Code, Scope, local_names, local_types
from talewright.runtime.lower.dispatch import block, condition, statement, unknown, value
from talewright.runtime.lower.expressions.fields import deciders
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.lower.program import Program, Trial
from talewright.runtime.lower.rules.watch import look, settle_table
from talewright.runtime.lower.statements.actions import need_action, need_possible
from talewright.runtime.lower.statements.story import need_enter, need_play
from talewright.runtime.lower.typing import type_of
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
from talewright.schemas.nodes.literals import IntLiteral, NoneLiteral, Text
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.statements import Call as CallStatement
from talewright.schemas.nodes.statements import CoreCall, RunEffect
from talewright.schemas.nodes.types import Type

Moment = CallStatement | CoreCall | RunEffect
# A test without a `start`, and the sides of an expectation, have places apart from the steps.
NO_START = -1
# Checks stand in the place of a test.
CHECK = -1
SIDES = 1 << 16


def lower_trials(program: Program) -> Function:
    """Writes the functions of the tests that belong to the program; gives the one that runs a step."""

    def add(index: int, position: int, write: Callable[[Code], tuple[Type, ...]]) -> None:
        test = program.document.content.tests[index]
        name = f"trial:{index}:{position}"
        code = program.code(name, 0, gives=False, scope=_scope(test))
        types = write(code)
        program.functions[name] = code.function()
        program.trials[index, position] = Trial(program.slot(name, asks=True), types)

    for index in program.build.tests:
        test = program.document.content.tests[index]
        try:
            with program.located():
                if not any(isinstance(step, t.StartStep) for step in test.steps):
                    program.trials[index, NO_START] = _started(program, 0)
                for position, step in enumerate(test.steps):
                    if isinstance(step, t.StartStep) and not step.refused:
                        page = program.world.number.get(step.chapter or "", 0)
                        program.trials[index, position] = _started(program, page)
                        continue
                    add(index, position, partial(_step, test, position, step))
                    if isinstance(step, t.ExpectStep):
                        add(index, position + SIDES, partial(_sides, step))
        except LoadError as error:
            program.unplayable[index] = str(error)
    if program.build.checks:
        _lower_checks(program)
    return _trial_function(program)


def _lower_checks(program: Program) -> None:
    """Writes a function for every check that counts under the options of the program."""
    for index, check in enumerate(program.world.content.checks):
        if not program.world.allows(check.guards):
            continue
        name = f"check:{index}"
        types, names = local_types(check.locals), local_names(check.locals)
        code = program.code(name, 0, gives=False, scope=Scope({}, types=types, names=names, in_test=True))
        code.spot = check.at
        code.set(RESULT, condition(code, check.condition))
        program.functions[name] = code.function()
        program.trials[CHECK, index] = Trial(program.slot(name, asks=True))


def _trial_function(program: Program) -> Function:
    code = program.code("trial", 1, gives=False)
    code.emit(set_cell(STEPS, STEP_LIMIT), set_cell(CALLS_RUNNING, 0), set_cell(HALTED, 0))
    code.emit(AskingCallIndirect(Local(0), (), None))
    code.when(cell(LEAVING), lambda: leave(code))
    code.emit(set_cell(HALT_VERB, 0), set_cell(ASLEEP, 0))
    return code.function()


def leave(code: Code) -> None:
    """Takes down what was left standing; after a `go to` its page is the present one."""
    going = both(equal(cell(LEAVING), GOING), both(negate(cell(HALTED)), negate(cell(ENDING))))
    kept = code.hold(going)
    code.do("unwind")
    with code.if_(kept):
        page = code.hold(cell(TARGET))
        code.emit(AskingCall(need_enter(code.program), (page,), None))
        code.when(of_kind(code, page, "Ending"), lambda: code.set(ENDING, page))


def _scope(test: TestDeclaration) -> Scope:
    return Scope(
        {}, types=local_types(test.locals), names=local_names(test.locals), verb="test", in_test=True
    )


def _step(test: TestDeclaration, position: int, step: t.TestStep, code: Code) -> tuple[Type, ...]:
    code.spot = step.at
    match step:
        case t.SceneStep():
            set_scene(code, step, marks_at(test, position))
            return () if step.on is None else _drawn(test, position, step.on, code)
        case t.MarksStep():
            return ()
        case t.ExpectSceneStep():
            return _drawn(test, position, NoneLiteral() if step.on is None else step.on, code)
        case t.StartStep():
            return _refused(code)
        case t.GivenStep():
            return _given(code, step)
        case t.WhenStep():
            return _when(code, step)
        case t.ExpectStep():
            code.set(RESULT, condition(code, step.condition))
            return ()
        case t.RigStep():
            return _values(code, step.values, None)
        case t.AnswerStep():
            return _values(code, tuple(map(_named, step.values)), step.by)
    raise unknown(step)


def _drawn(test: TestDeclaration, position: int, place: object, code: Code) -> tuple[Type, ...]:
    """What is needed to compare a drawing with the map: the place, and who the signs are."""
    return _values(code, (place, *(node for _, node in marks_at(test, position))), None)


def _named(node: object) -> object:
    """A square that an answer names is known by its name: the map may not be laid yet."""
    match node:
        case CoreFunctionCall(function="square", args=(IntLiteral(value=column), IntLiteral(value=row))):
            return Text((f"square({column}, {row})",))
    return node


# ------------------------------------------------------------------ reaching the chapter
def _refused(code: Code) -> tuple[Type, ...]:
    """Whether the game can begin."""
    game = code.program.actions.get("game/")
    code.set(RESULT, ONE if game is None else Call(need_possible(code.program, game), ()))
    return ()


def _started(program: Program, page: int) -> Trial:
    """The step that begins on a page, one for all tests that do; 0: before the first."""

    def write(code: Code) -> None:
        begin = program.function("start test", 1, _start_test, gives=False)
        code.emit(AskingCall(begin, (const(page),), None))

    name = program.function(f"start test on {page}", 0, write, gives=False)
    return Trial(program.slot(name, asks=True))


def _start_test(code: Code) -> None:
    """start test(page): the table as it is when a page begins; without a page, before the first."""
    program = code.program
    page = Local(0)
    code.emit(AskingCall(need_enter(program), (page,), None))
    if program.world.content.start_after:
        code.when(page, lambda: _play_into(code, page))
    settle_table(code)
    code.set(EVENT_TOP, 0)


def _play_into(code: Code, page: Expression) -> None:
    """Plays until setting up is over on a page."""
    program = code.program
    code.set(HALT_PAGE, page)
    with code.block("there") as there:
        game = program.actions.get("game/")
        with code.block("begun") as begun, code.leaving_to(begun):
            if game is not None:
                code.ask_call(need_action(program, game), ())
                code.go(there)
        _stay_if_there(code, there)
        code.do("unwind")
        code.emit(AskingCall(need_enter(program), (page,), None))
        code.emit(AskingCall(need_play(program), (page,), None))
        _stay_if_there(code, there)
        target = code.hold(cell(TARGET))
        with code.if_(equal(cell(LEAVING), GOING)):
            code.do("unwind")
            code.emit(AskingCall(need_enter(program), (target,), None))
    code.do("unwind")
    code.emit(set_cell(HALT_PAGE, 0), set_cell(HALTED, 0))


def _stay_if_there(code: Code, there: str) -> None:
    code.leave_if(cell(HALTED), there)
    code.leave_if(cell(ENDING), there)


# ------------------------------------------------------------------ steps
def _given(code: Code, step: t.GivenStep) -> tuple[Type, ...]:
    code.set(ASLEEP, 1)
    code.do("forget_taken")
    with code.block("set") as out, code.leaving_to(out, out):
        block(code, step.body)
    code.set(ASLEEP, 0)
    settle_table(code)
    return ()


def _when(code: Code, step: t.WhenStep) -> tuple[Type, ...]:
    code.set(EVENT_TOP, 0)
    for moment in step.moments:
        until = getattr(moment, "until", None)
        if isinstance(until, str) and isinstance(moment, CallStatement | CoreCall | RunEffect):
            verb = until.partition(":")[2]
            code.set(HALT_VERB, code.program.verb_number(verb))
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
    types = tuple(type_of(code, node) for node in nodes)
    who = ZERO if by is None else code.keep(deciders(code, by))
    values = [code.keep(value(code, node)) for node in nodes]
    code.set(RESULT, code.new_list(who, *values))
    return types
