"""How functions end: what they give outlives their part of the list stack."""

from __future__ import annotations

from talewright.runtime.ir.build import call, conditional, const, set_cell
from talewright.runtime.ir.header import RESULT, STACK_TOP
from talewright.runtime.ir.nodes import Assign, Evaluate, Function, If, Local, Statement
from talewright.runtime.lower.code import Code
from talewright.runtime.model.cells import DICE_TOP
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


def finish_call(code: Code, type_: Type, dice: Local | None = None) -> Function:
    """A function that may ask: what it gives goes to RESULT. `dice` is where the dice ended that were rolled before."""
    given = code.giving()
    closing: list[Statement] = []
    if dice is not None:
        closing.append(_release_dice(given, type_, dice))
    if holds_blocks(type_):
        code.mark = None
    elif is_block(type_):
        closing.append(_settled(code, given))
    elif code.mark is not None:
        closing.append(set_cell(STACK_TOP, Local(code.mark)))
    closing.append(set_cell(RESULT, given))
    return code.function(tuple(closing), const(none_of(type_)))


def _release_dice(given: Local, type_: Type, mark: Local) -> Statement:
    """Forgets the dice that a call has rolled, but those that it gives."""
    inner = plain(type_)
    if inner.tag == "pool" or (inner.tag in ("list", "set") and item_of(inner).tag == "die"):
        return If(given, (Evaluate(call("settle_dice", given, mark)),), (set_cell(DICE_TOP, mark),))
    if inner.tag == "die":
        return Assign(given.index, call("settle_die", given, mark))
    return set_cell(DICE_TOP, mark)


def _settled(code: Code, given: Local) -> Assign:
    code.uses_stack()
    assert code.mark is not None
    mark = Local(code.mark)
    return Assign(given.index, conditional(given, call("settle", given, mark), call("settle_nothing", mark)))
