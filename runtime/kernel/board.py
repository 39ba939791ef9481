"""The board: distances between the places of plans."""

from __future__ import annotations

from talewright.runtime.kernel.memory import DISTANCES, NONE, PLACE_COUNT, PLACE_INDEX, THINGS, WHERE, M


def steps_between(first: int, second: int) -> int:
    """The number of steps from one place to another, or none."""
    if first == 0 or second == 0:
        return NONE
    a = M[PLACE_INDEX + first]
    b = M[PLACE_INDEX + second]
    if a < 0 or b < 0:
        return NONE
    steps = M[DISTANCES + a * PLACE_COUNT + b]
    if steps < 0:
        return NONE
    return steps


def on_board(thing: int) -> int:
    """Whether a thing is a place of a plan, or stands on one."""
    if thing == 0:
        return 0
    if M[PLACE_INDEX + thing] >= 0:
        return 1
    where = M[WHERE + thing]
    if where == 0 or where > THINGS:
        return 0
    return M[PLACE_INDEX + where] >= 0
