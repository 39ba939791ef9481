"""What tests say that chance will bring: rows `[key, how many, next, values...]` behind one another."""

from __future__ import annotations

from talewright.runtime.kernel.lists import position, remove_at
from talewright.runtime.kernel.memory import NONE, RIG_ROWS, RIGS, WHERE, M


def rig_row(key: int) -> int:
    """The row of a key, or 0."""
    row = RIG_ROWS
    left = M[RIGS]
    while left > 0:
        if M[row] == key:
            return row
        row += 3 + M[row + 1]
        left -= 1
    return 0


def next_rig(key: int) -> int:
    """The next value that was rigged for a key, or NONE."""
    row = rig_row(key)
    if row == 0:
        return NONE
    at = M[row + 2]
    if at >= M[row + 1]:
        return NONE
    M[row + 2] = at + 1
    return M[row + 3 + at]


def rigged_first(where: int, things: int) -> None:
    """Puts what was rigged for a container on top of the list of its things."""
    row = rig_row(where)
    if row == 0:
        return
    i = M[row + 1]
    while i > 0:
        thing = M[row + 2 + i]
        if M[WHERE + thing] == where:
            at = position(things, thing)
            if at != 0:
                count = M[things]
                remove_at(things, at)
                j = count
                while j > 1:
                    M[things + j] = M[things + j - 1]
                    j -= 1
                M[things + 1] = thing
                M[things] = count
        i -= 1
