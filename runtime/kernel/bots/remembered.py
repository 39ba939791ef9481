"""Memoization: what values are worth as long as nothing changes.

Hints ask for the same values for every option. While a bot weighs the options of one decision the game stands still, so
that a value with the same arguments is worth the same. The table is not part of the game; a later result takes the row of
an earlier one with the same hash.
"""

from __future__ import annotations

from talewright.runtime.ir.header import FAILED, LENIENT
from talewright.runtime.kernel.memory import REMEMBERED, REMEMBERED_EPOCH, REMEMBERED_ROWS, REMEMBERING, M

# The cells of a row.
EPOCH = 0
VALUE = 1
FIRST_ARGUMENT = 2
SECOND_ARGUMENT = 3
RESULT_CELL = 4
ROW_SHIFT = 3


def begin_remembering() -> None:
    """From now on nothing changes."""
    M[REMEMBERED_EPOCH] += 1
    M[REMEMBERING] = M[REMEMBERED_EPOCH]


def stop_remembering() -> None:
    """From now on anything may change."""
    M[REMEMBERING] = 0


def remembered_row(value: int, first: int, second: int) -> int:
    """The row that a value with such arguments would have."""
    mixed = value * 40503 + first * 2654435 + second * 97531
    return REMEMBERED + (((mixed ^ (mixed >> 13)) & (REMEMBERED_ROWS - 1)) << ROW_SHIFT)


def recall(value: int, first: int, second: int) -> int:
    """The address of what a value was worth; 0 if it is not known."""
    row = remembered_row(value, first, second)
    if (
        M[row + EPOCH] == M[REMEMBERING]
        and M[row + VALUE] == value
        and M[row + FIRST_ARGUMENT] == first
        and M[row + SECOND_ARGUMENT] == second
    ):
        return row + RESULT_CELL
    return 0


def remember(value: int, first: int, second: int, result: int) -> int:
    """Notes what a value is worth, unless working it out went wrong; gives it back."""
    if M[REMEMBERING] != 0 and M[LENIENT] != FAILED:
        row = remembered_row(value, first, second)
        M[row + EPOCH] = M[REMEMBERING]
        M[row + VALUE] = value
        M[row + FIRST_ARGUMENT] = first
        M[row + SECOND_ARGUMENT] = second
        M[row + RESULT_CELL] = result
    return result
