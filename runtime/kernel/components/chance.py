"""Chance: every stream counts its draws; a draw depends on the seed, the stream and its count, and on nothing else."""

from __future__ import annotations

from talewright.runtime.ir.header import SEED_HIGH, SEED_LOW
from talewright.runtime.ir.intrinsics import M, random
from talewright.runtime.kernel.memory import COUNTING, STREAM_KEYS, STREAMS, VARIED, VARIED_HIGH, VARIED_LOW

# Seeds are mixed with a stream that nothing draws from.
SEEDING = -1


def seed_chance(low: int, high: int) -> None:
    """Sets the seed, so that neighbouring seeds have nothing in common."""
    M[SEED_LOW] = random(low, high, SEEDING, 0, 0)
    M[SEED_HIGH] = random(low, high, SEEDING, 1, 0)


def rand(stream: int, count: int) -> int:
    """A number from 0 to below `count`. Where there is nothing to choose, no number is drawn."""
    if count < 2:
        return 0
    step = M[STREAMS + stream]
    M[STREAMS + stream] = step + 1
    key = M[STREAM_KEYS + stream]
    if COUNTING != 0 and M[VARIED] == stream + 1:
        # The same game again, but for what this stream decides.
        return random(M[VARIED_LOW], M[VARIED_HIGH], key, step, count)
    return random(M[SEED_LOW], M[SEED_HIGH], key, step, count)
