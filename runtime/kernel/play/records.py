"""What is noted for the record of a campaign."""

from __future__ import annotations

from talewright.runtime.kernel.memory import STACK_TOP, M
from talewright.runtime.kernel.storage.heap import SHAPE_FLAT, store_blocks
from talewright.runtime.kernel.storage.lists import copy_list, new_list, push, remove_item


def note_recorded(cell: int, thing: int) -> None:
    """Puts a thing at the end of the list in a cell; noted again, it moves there."""
    if thing == 0:
        return
    top = M[STACK_TOP]
    made = new_list()
    if M[cell] != 0:
        made = copy_list(M[cell])
        remove_item(made, thing)
    push(made, thing)
    store_blocks(cell, made, SHAPE_FLAT)
    M[STACK_TOP] = top
