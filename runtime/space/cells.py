"""Cells are small whole numbers; a set of cells is one integer with a bit for each."""

from collections.abc import Iterable
from typing import TypeAlias

Cell: TypeAlias = int
Cells: TypeAlias = int


def cell_set(cells: Iterable[Cell]) -> Cells:
    """The set that holds these cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def cells_in(cells: Cells) -> list[Cell]:
    """The cells of a set, lowest first."""
    found = []
    while cells:
        lowest = cells & -cells
        found.append(lowest.bit_length() - 1)
        cells ^= lowest
    return found


def first_cell(cells: Cells) -> Cell:
    """The lowest cell of a set that is not empty."""
    return (cells & -cells).bit_length() - 1
