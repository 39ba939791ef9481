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
    copy(at, 0, STATE_END)
    end = at + STATE_END
    end = save_region(end, HEAP, M[HEAP_TOP])
    end = save_region(end, DICE, DICE + M[DICE_TOP] * DIE_CELLS)
    end = save_region(end, RUN, M[RUN_TOP])
    end = save_region(end, UNTIL, M[UNTIL_TOP])
    end = save_region(end, TRAIT_RECORDS, M[TRAIT_TOP])
    end = save_region(end, FRAMES, M[FRAME_TOP])
    return save_region(end, STACK, M[STACK_TOP]) - at


def save_region(at: int, region: int, top: int) -> int:
    """Copies the used part of a region; gives the address behind the copy."""
    copy(at, region, top - region)
    return at + top - region


def load_game(at: int) -> None:
    """Puts a copy back in place of the game."""
    copy(0, at, STATE_END)
    end = at + STATE_END
    end = load_region(end, HEAP, M[HEAP_TOP])
    end = load_region(end, DICE, DICE + M[DICE_TOP] * DIE_CELLS)
    end = load_region(end, RUN, M[RUN_TOP])
    end = load_region(end, UNTIL, M[UNTIL_TOP])
    end = load_region(end, TRAIT_RECORDS, M[TRAIT_TOP])
    end = load_region(end, FRAMES, M[FRAME_TOP])
    load_region(end, STACK, M[STACK_TOP])


def load_region(at: int, region: int, top: int) -> int:
    """Puts the used part of a region back; gives the address behind its copy."""
    copy(region, at, top - region)
    return at + top - region
