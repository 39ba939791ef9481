"""The table of what many games come to: a sum has a key `part, a, b, c` and a number, by which its row is found.

What a running game adds is only listed. It is added when the game has ended, so that a game that breaks off leaves no trace.
"""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import seldom
from talewright.runtime.kernel.memory import (
    GAME_NUMBER,
    LAST_OFFERED,
    LISTED,
    LISTED_END,
    OFFERED,
    OFFERED_BEFORE,
    OPTIONS_USED,
    SUM_NUMBERS,
    SUM_ROWS,
    SUMS,
    SUMS_USED,
    M,
)
from talewright.runtime.kernel.storage.lists import clear
from talewright.runtime.model.layout import SUM_CELLS

# The parts of the table.
OPTION = 1
ROUND = 2
FINAL = 3
MEASURE = 4
VISIT = 5
EDGE = 6
PAGE_OUTCOME = 7
LAST_PAGE = 8
OUTCOME = 9
STREAM = 10
LENGTH = 11
TRIED = 12
# A sum is a row `[part and a, b, c, times, times in games that were won, games, last game, free]`.
TIMES = 3
WON_TIMES = 4
GAMES = 5
LAST_GAME = 6


def sum_of(part: int, a: int, b: int, c: int) -> int:
    """The number of a sum, a new one if there is none yet."""
    head = a * 16 + part
    # Sums that differ by little stand near each other.
    place = ((head * -1640531527 >> 15) + b + c * 37) & (SUM_ROWS - 1)
    number = M[SUM_NUMBERS + place]
    if is_sum(number, head, b, c) != 0:
        return number
    return search_sum(place, head, b, c)


def is_sum(number: int, head: int, b: int, c: int) -> int:
    """Whether a sum has this key."""
    cells = number * SUM_CELLS
    return M[cells + SUMS] == head and M[cells + SUMS + 1] == b and M[cells + SUMS + 2] == c


@seldom
def search_sum(place: int, head: int, b: int, c: int) -> int:
    """The number of a sum that is not the first of its place."""
    while M[SUM_NUMBERS + place] != 0:
        if is_sum(M[SUM_NUMBERS + place], head, b, c) != 0:
            return M[SUM_NUMBERS + place]
        place = (place + 1) & (SUM_ROWS - 1)
    if head % 16 == OPTION:
        M[OPTIONS_USED] += 1
        number = M[OPTIONS_USED]
        M[OFFERED + number] = 0
        M[OFFERED_BEFORE + number] = 0
        M[LAST_OFFERED + number] = -1
    else:
        number = SUM_ROWS + M[SUMS_USED]
        M[SUMS_USED] += 1
    M[SUM_NUMBERS + place] = number
    row = row_of(number)
    clear(row, SUM_CELLS)
    M[row] = head
    M[row + 1] = b
    M[row + 2] = c
    return number


def row_of(number: int) -> int:
    """Where the row of a sum stands."""
    return SUMS + number * SUM_CELLS


def list_sum(number: int) -> None:
    """One more in a sum, once this game has ended."""
    at = M[LISTED]
    if at < LISTED_END:
        M[at] = number
        M[LISTED] = at + 1


def add_to(number: int, times: int, won: int, game: int) -> None:
    """Adds to a sum what a game has met."""
    cells = number * SUM_CELLS
    M[cells + SUMS + TIMES] += times
    M[cells + SUMS + WON_TIMES] += times * won
    if M[cells + SUMS + LAST_GAME] != game:
        M[cells + SUMS + LAST_GAME] = game
        M[cells + SUMS + GAMES] += 1


def add_sum(part: int, a: int, b: int, c: int, won: int) -> None:
    """One more in a sum."""
    add_to(sum_of(part, a, b, c), 1, won, M[GAME_NUMBER])


def set_sum(part: int, a: int, b: int, c: int, times: int) -> None:
    """Sets a sum that the host knows."""
    M[row_of(sum_of(part, a, b, c)) + TIMES] = times
