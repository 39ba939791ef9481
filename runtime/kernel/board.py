"""The board: distances between the places of plans."""

from __future__ import annotations

from talewright.runtime.kernel.containers import put_in, return_tokens
from talewright.runtime.kernel.memory import (
    BOX,
    DISTANCES,
    FIRST,
    NEXT,
    NONE,
    PLACE_COUNT,
    PLACE_INDEX,
    THINGS,
    WHERE,
    M,
)


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


def clear_place(place: int) -> None:
    """Everything that stands on a place goes into the box, tokens included."""
    thing = M[FIRST + place]
    while thing != 0:
        following = M[NEXT + thing]
        put_in(thing, BOX, 0)
        thing = following
    return_tokens(place)


def clear_board() -> None:
    """Everything that stands on the map goes into the box."""
    place = 1
    while place <= THINGS:
        if M[PLACE_INDEX + place] >= 0:
            clear_place(place)
        place += 1
