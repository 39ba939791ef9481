"""The chance of bots: apart from that of the game, and not part of its state, so that imagining changes nothing."""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import random
from talewright.runtime.kernel.memory import BOT_HIGH, BOT_LOW, BOT_STEP, M

BOT_STREAM = -2


def seed_bot(low: int, high: int) -> None:
    """Sets the seed of the bots."""
    M[BOT_LOW] = low
    M[BOT_HIGH] = high
    M[BOT_STEP] = 0


def bot_draw(count: int) -> int:
    """A number from 0 to below `count`; 0 stands for 2**32."""
    if count == 1:
        return 0
    step = M[BOT_STEP]
    M[BOT_STEP] = step + 1
    return random(M[BOT_LOW], M[BOT_HIGH], BOT_STREAM, step, count)
