"""What tests say that chance will bring: rows `[key, how many, next, values...]` behind one another."""

from __future__ import annotations

from talewright.runtime.ir.header import NO_ANSWER
from talewright.runtime.ir.intrinsics import seldom
from talewright.runtime.kernel.components.chance import rand
from talewright.runtime.kernel.memory import NONE, RIG_RANDOM, RIG_ROWS, RIGS, SORT, THINGS, WHERE, M, fault
from talewright.runtime.kernel.storage.lists import position, remove_at


def rig_row(key: int) -> int:
    """The row of a key, or 0."""
    row = RIG_ROWS
    for _ in range(M[RIGS]):
        if M[row] == key:
            return row
        row += 3 + M[row + 1]
    return 0


@seldom
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


@seldom
def rigged_first(where: int, things: int) -> None:
    """Puts what was rigged for a container on top of the list of its things."""
    row = rig_row(where)
    if row == 0:
        return
    for i in range(M[row + 1], 0, -1):
        thing = M[row + 2 + i]
        if M[WHERE + thing] == where:
            at = position(things, thing)
            if at != 0:
                count = M[things]
                remove_at(things, at)
                for j in range(count, 1, -1):
                    M[things + j] = M[things + j - 1]
                M[things + 1] = thing
                M[things] = count


def pick_random(things: int, stream: int) -> int:
    """One member by chance, or the one that was rigged; a single one uses no chance."""
    if M[things] == 1:
        return M[things + 1]
    if M[RIGS] != 0:
        wanted = next_rig(RIG_RANDOM)
        if wanted != NONE:
            return rigged_member(things, wanted)
    return M[things + 1 + rand(stream, M[things])]


def rigged_member(things: int, wanted: int) -> int:
    """The member that was rigged, or the first of the sort that was."""
    for i in range(1, M[things] + 1):
        if M[things + i] == wanted:
            return wanted
    for i in range(1, M[things] + 1):
        item = M[things + i]
        if item > 0 and item <= THINGS and M[SORT + item] == wanted:
            return item
    fault(NO_ANSWER)
    return 0  # type: ignore[unreachable]
