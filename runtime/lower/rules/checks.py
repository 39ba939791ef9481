"""The checks of a package: conditions that must hold after every action, where somebody asks for that."""

from __future__ import annotations

from talewright.runtime.ir.build import cell, negate
from talewright.runtime.ir.header import DOES_NOT_HOLD, STEP_LIMIT, STEPS
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.dispatch import condition
from talewright.runtime.model.cells import HELD


def look_at_checks(code: Code) -> None:
    """Ends play if a check does not hold, unless rules are held back for the moment."""
    program = code.program
    if not program.build.checked or not any(
        program.world.allows(c.guards) for c in program.world.content.checks
    ):
        return
    name = program.function("checks", 0, _checks, gives=False)
    with code.if_(negate(cell(HELD))):
        code.do(name)


def _checks(code: Code) -> None:
    """Checks are no part of the game: they have steps of their own, and take none of its own."""
    left = code.hold(cell(STEPS))
    code.set(STEPS, STEP_LIMIT)
    for check in code.program.world.content.checks:
        if code.program.world.allows(check.guards):
            code.spot = check.at
            with code.in_scope(Scope({}, types=local_types(check.locals), verb="check")):
                test = condition(code, check.condition)
            code.fault_if(negate(test), DOES_NOT_HOLD, check.at)
    code.set(STEPS, left)
