"""The checks of a package: conditions that must hold after every action, where somebody asks for that."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import cell, negate
from talewright.runtime.ir.header import DOES_NOT_HOLD, STEP_LIMIT, STEPS
from talewright.runtime.ir.nodes import Fault, Function
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import condition
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.scopes import local_types
from talewright.runtime.model.cells import HELD


def look_at_checks(code: Code) -> None:
    """Ends play if a check does not hold, unless rules are held back for the moment."""
    program = code.program
    if not program.build.checked or not any(
        program.world.allows(c.guards) for c in program.world.content.checks
    ):
        return
    name = program.need("checks", partial(_function, program))
    code.when(negate(cell(HELD)), lambda: code.do(name))


def _function(program: Program) -> Function:
    """Checks are no part of the game: they have steps of their own, and take none of its own."""
    code = program.code("checks", 0, gives=False)
    left = code.hold(cell(STEPS))
    code.set(STEPS, STEP_LIMIT)
    for check in program.world.content.checks:
        if program.world.allows(check.guards):
            code.spot = check.at
            with code.in_scope(Scope({}, types=local_types(check.locals), verb="check")):
                test = condition(code, check.condition)
            code.when(negate(test), partial(code.emit, Fault(DOES_NOT_HOLD, check.at)))
    code.set(STEPS, left)
    return code.function()
