"""Which copies are alike: those that agree in everything that tells things of one sort apart."""

from __future__ import annotations

from talewright.runtime.ir.build import both, call, equal, load, negate, unlike
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.expressions.storage import same_block
from talewright.runtime.lower.expressions.values import bears_trait
from talewright.runtime.lower.program import Program
from talewright.runtime.model.layout import Column
from talewright.runtime.model.types import BEHAVIOUR, is_block
from talewright.runtime.model.world import plain


def alike_function(program: Program) -> Function:
    """alike(first, second): whether two things of one sort agree in fields, tokens, traits and faces."""
    code = program.code("alike", 2)
    for column in program.layout.columns.values():
        if not column.static and column.high >= column.low:
            _tell_by_field(code, column)
    for token in range(len(program.world.content.tokens)):
        first, second = (call("tokens_on", token, Local(i)) for i in (0, 1))
        _differ_if(code, unlike(first, second))
    for trait in program.world.traits:
        _differ_if(code, unlike(bears_trait(code, Local(0), trait), bears_trait(code, Local(1), trait)))
    face = program.layout.names.get("FACE_WORD")
    if face is not None:
        _differ_if(code, unlike(load(Local(0), face), load(Local(1), face)))
    code.give(1)
    return code.function()


def _tell_by_field(code: Code, column: Column) -> None:
    inside = both(Local(0) >= column.low, Local(0) <= column.high)
    also = both(Local(1) >= column.low, Local(1) <= column.high)
    first, second = load(Local(0), column.address), load(Local(1), column.address)
    same: Expression = same_block(first, second, column.type) if _is_list(column) else equal(first, second)
    _differ_if(code, both(both(inside, also), negate(same)))


def _is_list(column: Column) -> bool:
    """Whether a column holds lists; behaviour is told by its number in the table."""
    return is_block(column.type) and plain(column.type).tag not in BEHAVIOUR


def _differ_if(code: Code, condition: Expression) -> None:
    code.give_if(condition, 0)
