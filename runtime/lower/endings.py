"""How functions end: what they give outlives their part of the list stack."""

from __future__ import annotations

from talewright.runtime.ir.build import call, conditional, const, set_cell
from talewright.runtime.ir.header import RESULT, STACK_TOP
from talewright.runtime.ir.nodes import Assign, Function, Local, Statement
from talewright.runtime.lower.code import Code
from talewright.runtime.model.types import is_block, item_of, none_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.types import Type


def finish_value(code: Code, type_: Type) -> Function:
    """A function that returns a value: a list is moved down to where the stack stood."""
    given = code.giving()
    default = const(none_of(type_))
    if not is_block(type_):
        return code.function(default=default)
    if holds_blocks(type_):
        code.mark = None
        return code.function(default=default)
    return code.function((_settled(code, given),), default)


def holds_blocks(type_: Type) -> bool:
    """Whether a block holds the addresses of others, which must stay where they are on the stack."""
    inner = plain(type_)
    return inner.tag == "text" or is_block(item_of(inner))


def finish_call(code: Code, type_: Type) -> Function:
    """A function that may ask: what it gives goes to RESULT."""
    given = code.giving()
    closing: list[Statement] = []
    if holds_blocks(type_):
        code.mark = None
    elif is_block(type_):
        closing.append(_settled(code, given))
    elif code.mark is not None:
        closing.append(set_cell(STACK_TOP, Local(code.mark)))
    closing.append(set_cell(RESULT, given))
    return code.function(tuple(closing), const(none_of(type_)))


def _settled(code: Code, given: Local) -> Assign:
    code.uses_stack()
    assert code.mark is not None
    mark = Local(code.mark)
    return Assign(given.index, conditional(given, call("settle", given, mark), call("settle_nothing", mark)))


