"""Copies of a game: its state and the used part of heap, dice, frames and list stack, one behind the other."""

from __future__ import annotations

from talewright.runtime.ir.header import FRAME_TOP
from talewright.runtime.kernel.memory import (
    DICE,
    DICE_TOP,
    DIE_CELLS,
    FRAMES,
    HEAP,
    HEAP_TOP,
    STACK,
    STACK_TOP,
    STATE_END,
    M,
    copy,
)


def save_game(at: int) -> int:
    """Copies the game to an address outside of it; gives how many cells that took."""
    copy(at, 0, STATE_END)
    end = at + STATE_END
    size = M[HEAP_TOP] - HEAP
    copy(end, HEAP, size)
    end += size
    size = M[DICE_TOP] * DIE_CELLS
    copy(end, DICE, size)
    end += size
    size = M[FRAME_TOP] - FRAMES
    copy(end, FRAMES, size)
    end += size
    size = M[STACK_TOP] - STACK
    copy(end, STACK, size)
    return end + size - at


def load_game(at: int) -> None:
    """Puts a copy back in place of the game."""
    copy(0, at, STATE_END)
    end = at + STATE_END
    size = M[HEAP_TOP] - HEAP
    copy(HEAP, end, size)
    end += size
    size = M[DICE_TOP] * DIE_CELLS
    copy(DICE, end, size)
    end += size
    size = M[FRAME_TOP] - FRAMES
    copy(FRAMES, end, size)
    end += size
    copy(STACK, end, M[STACK_TOP] - STACK)
