"""Things that an earlier game of a campaign has left: made when a game begins, there once somebody calls them back.

Rows `[size, thing, seat, whether it is back, (thing, sort, container) ...]` lie behind one another; the first cell of the region
counts the cells that are used. The seat is a bit, 0 for anybody's. A part `(-address, what it holds, 0)` is a cell of a thing that
the package declares: until somebody calls it back, it is as in a first game.
"""

from __future__ import annotations

from talewright.runtime.kernel.components.containers import put_in
from talewright.runtime.kernel.memory import BROUGHT, DIRTY, SORT, M

THING = 1
SEAT = 2
IS_BACK = 3
# The cells of a row before what comes back with it.
ROW = 4
PART_CELLS = 3


def next_brought(row: int) -> int:
    """The row behind one (0: the first); 0 if there is none."""
    if row == 0:
        row = BROUGHT + 1
    else:
        row += M[row]
    if row > BROUGHT + M[BROUGHT]:
        return 0
    return row


def may_come(row: int, seat: int) -> int:
    """Whether somebody can still be called back by a seat (0: by anybody)."""
    return M[row + IS_BACK] == 0 and (seat == 0 or M[row + SEAT] == 0 or M[row + SEAT] == seat)


def come_back(row: int) -> None:
    """Somebody is there again, with what they had."""
    M[row + IS_BACK] = 1
    part = row + ROW
    while part < row + M[row]:
        if M[part] < 0:
            first = M[-M[part]]
            M[-M[part]] = M[part + 1]
            M[part + 1] = first
        else:
            if M[part + 1] != 0:
                M[SORT + M[part]] = M[part + 1]
            if M[part + 2] != 0:
                put_in(M[part], M[part + 2], 1)
        part += PART_CELLS
    M[DIRTY] = 1
