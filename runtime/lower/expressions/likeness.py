"""Which copies are alike: those that agree in everything that tells things of one sort apart."""

from __future__ import annotations

from talewright.runtime.ir.build import both, call, equal, load, negate, unlike
from talewright.runtime.ir.nodes import Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.expressions.storage import same_block
from talewright.runtime.lower.expressions.values import bears_trait
from talewright.runtime.model.layout import Column
from talewright.runtime.model.types import BEHAVIOUR, is_block
from talewright.runtime.model.world import plain


def alike(code: Code) -> None:
    """alike(first, second): whether two things of one sort agree in fields, tokens, traits and faces."""
    program = code.program
    first, second = Local(0), Local(1)
    for column in program.layout.columns.values():
        if not column.static and column.high >= column.low:
            _tell_by_field(code, column)
    for token in range(len(program.world.content.tokens)):
        code.give_if(unlike(call("tokens_on", token, first), call("tokens_on", token, second)), 0)
    for trait in program.world.traits:
        code.give_if(unlike(bears_trait(code, first, trait), bears_trait(code, second, trait)), 0)
    face = program.layout.names.get("FACE_WORD")
    if face is not None:
        code.give_if(unlike(load(first, face), load(second, face)), 0)
    code.give(1)


def _tell_by_field(code: Code, column: Column) -> None:
    """Things without the field have none to differ in; behaviour is told by its number in the table."""
    one, other = Local(0), Local(1)
    inside = both(column.low <= one, one <= column.high)
    also = both(column.low <= other, other <= column.high)
    first, second = load(one, column.address), load(other, column.address)
    lists = is_block(column.type) and plain(column.type).tag not in BEHAVIOUR
    same = same_block(first, second, column.type) if lists else equal(first, second)
    code.give_if(both(both(inside, also), negate(same)), 0)
