"""Ways on: fixed rows `[n, (condition, label, target, fallback) ...]`, asked for a page."""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import call_table
from talewright.runtime.kernel.memory import M
from talewright.runtime.kernel.storage.lists import new_list, push

EDGE_CELLS = 4
# The number of the text that is the title of a thing.
TITLE = -1


def is_open(row: int, page: int) -> int:
    """Whether the condition of a way holds."""
    if M[row] == 0:
        return 1
    return call_table(M[row], page)


def first_way(rows: int, page: int) -> int:
    """The target of the first way that is open."""
    for i in range(M[rows]):
        row = rows + 1 + i * EDGE_CELLS
        if M[row + 3] != 0 or is_open(row, page) != 0:
            return M[row + 2]
    return 0


def open_ways(rows: int, page: int) -> int:
    """The numbers of the ways that are open, counted from 1, as a list."""
    made = new_list()
    for i in range(M[rows]):
        if is_open(rows + 1 + i * EDGE_CELLS, page) != 0:
            push(made, i + 1)
    return made


def way_target(rows: int, number: int) -> int:
    """Where a way leads."""
    return M[rows + 1 + (number - 1) * EDGE_CELLS + 2]


def way_labels(rows: int, ways: int) -> int:
    """The texts of some ways, as a list; one without a text is called by the title of its target."""
    made = new_list()
    for i in range(1, M[ways] + 1):
        push(made, M[rows + 1 + (M[ways + i] - 1) * EDGE_CELLS + 1])
    for i in range(1, M[made] + 1):
        if M[made + i] == 0:
            title = new_list()
            push(title, TITLE)
            push(title, way_target(rows, M[ways + i]))
            M[made + i] = title
    return made


def all_ways(ways: int) -> int:
    """Every page that some ways lead to, as a list."""
    made = new_list()
    if ways == 0:
        return made
    rows = M[ways + 1]
    for i in range(M[rows]):
        target = way_target(rows, i + 1)
        if target != 0:
            push(made, target)
    return made


def fallback_way(rows: int) -> int:
    """Where ways lead when no condition holds."""
    for i in range(M[rows]):
        row = rows + 1 + i * EDGE_CELLS
        if M[row + 3] != 0:
            return M[row + 2]
    return 0


def look_up(rows: int, key: int, nothing: int) -> int:
    """The entry of a map: a list of keys and values in turn."""
    if rows == 0:
        return nothing
    i = 1
    while i < M[rows]:
        if M[rows + i] == key:
            return M[rows + i + 1]
        i += 2
    return nothing


def with_entry(rows: int, key: int, held: int) -> int:
    """A map with one more entry, or another one."""
    made = new_list()
    found = 0
    i = 1
    if rows != 0:
        while i < M[rows]:
            push(made, M[rows + i])
            if M[rows + i] == key:
                push(made, held)
                found = 1
            else:
                push(made, M[rows + i + 1])
            i += 2
    if found == 0:
        push(made, key)
        push(made, held)
    return made


def band_row(rows: int, number: int) -> int:
    """The row of the band that a number lies in, or 0: rows are `[n, (low, high, list) ...]`."""
    if rows == 0:
        return 0
    for i in range(M[rows]):
        row = rows + 1 + i * 3
        if M[row] <= number and number <= M[row + 1]:
            return row
    return 0


def band_items(rows: int, number: int) -> int:
    """The list that the band of a number brings, or 0."""
    row = band_row(rows, number)
    if row == 0:
        return 0
    return M[row + 2]
