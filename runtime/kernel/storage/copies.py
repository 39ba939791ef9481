"""Copies of a game: its state and the used part of every other region, one behind the other."""

from __future__ import annotations

from talewright.runtime.ir.header import FRAME_TOP
from talewright.runtime.kernel.memory import (
    DICE,
    DICE_TOP,
    DIE_CELLS,
    FRAMES,
    HEAP,
    HEAP_TOP,
    RUN,
    RUN_TOP,
    STACK,
    STACK_TOP,
    STATE_END,
    TRAIT_RECORDS,
    TRAIT_TOP,
    UNTIL,
    UNTIL_TOP,
    M,
    copy,
)


def save_game(at: int) -> int:
    """Copies the game to an address outside of it; gives how many cells that took."""
    return copy_game(at, 1)


def load_game(at: int) -> None:
    """Puts a copy back in place of the game."""
    copy_game(at, 0)


def copy_game(at: int, saving: int) -> int:
    """Copies the game to an address, or back from there; gives how many cells that took."""
    # The state comes first: it says how much of every other region is used.
    end = copy_region(at, 0, STATE_END, saving)
    end = copy_region(end, HEAP, M[HEAP_TOP], saving)
    end = copy_region(end, DICE, DICE + M[DICE_TOP] * DIE_CELLS, saving)
    end = copy_region(end, RUN, M[RUN_TOP], saving)
    end = copy_region(end, UNTIL, M[UNTIL_TOP], saving)
    end = copy_region(end, TRAIT_RECORDS, M[TRAIT_TOP], saving)
    end = copy_region(end, FRAMES, M[FRAME_TOP], saving)
    return copy_region(end, STACK, M[STACK_TOP], saving) - at


def copy_region(at: int, region: int, top: int, saving: int) -> int:
    """Copies the used part of a region, or puts it back; gives the address behind its copy."""
    count = top - region
    if count > 0:
        if saving != 0:
            copy(at, region, count)
        else:
            copy(region, at, count)
    return at + count
