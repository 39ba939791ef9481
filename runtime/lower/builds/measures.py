"""What is counted when a game ends: an exported function for each measure."""

from __future__ import annotations

from talewright.runtime.ir.nodes import Function
from talewright.runtime.lower.code import Scope, local_types
from talewright.runtime.lower.dispatch import value_as
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.endings import finish_value
from talewright.schemas.nodes.declared import MeasureDeclaration


def measures_of(program: Program) -> list[MeasureDeclaration]:
    """The measures that these options let exist."""
    return [m for m in program.world.content.measures if program.world.allows(m.guards)]


def measure_name(measure: MeasureDeclaration) -> str:
    """The export that works out a measure."""
    return f"measure:{measure.id}"


def measure_function(program: Program, measure: MeasureDeclaration) -> Function:
    """Works out a measure."""
    scope = Scope({}, types=local_types(measure.locals), verb="measure")
    code = program.code(measure_name(measure), 0, scope=scope)
    code.spot = measure.at
    code.giving()
    code.give(value_as(code, measure.value, measure.type))
    return finish_value(code, measure.type)
