"""A map of zones: numbered cells, the squares that each covers, steps from cell to cell, and the tiles they lie on.

A set of cells is one integer with a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from talewright.schemas.records import field, record

from .errors import SpaceError
from .squares import SIDES, Square, beside

Cell: TypeAlias = int
Cells: TypeAlias = int

WALL: Final = "wall"
OPEN: Final = "open"


@record
class Board:
    """Cells with what is known of each."""

    names: list[str] = field(default_factory=list)
    squares: list[tuple[Square, ...]] = field(default_factory=list)
    steps: list[Cells] = field(default_factory=list)
    """For each cell the cells a step away."""
    borders: dict[tuple[Cell, Cell], str] = field(default_factory=dict)
    """Walls and marks between neighbours, in both directions."""
    tiles: dict[int | str, Cells] = field(default_factory=dict)
    """The cells of each tile that was laid."""
    named: dict[str, Cell] = field(default_factory=dict)
    at: dict[Square, Cell] = field(default_factory=dict)

    # ------------------------------------------------------------------ drawing
    def add_cell(self, name: str, squares: Iterable[Square] = ()) -> Cell:
        """A new cell, with no step to or from it."""
        if name in self.named:
            raise SpaceError(f"there is a place named `{name}` already")
        cell = len(self.names)
        taken = tuple(squares)
        self.named[name] = cell
        self.at.update(dict.fromkeys(taken, cell))
        self.names.append(name)
        self.squares.append(taken)
        self.steps.append(0)
        return cell

    def connect(self, here: Cell, there: Cell) -> None:
        """Lets a step lead from here to there and back."""
        self.steps[here] |= 1 << there
        self.steps[there] |= 1 << here

    def set_border(self, here: Cell, there: Cell, mark: str) -> None:
        """Marks the border of two neighbours; a wall takes the steps across it away."""
        if mark == WALL:
            self.steps[here] &= ~(1 << there)
            self.steps[there] &= ~(1 << here)
        self.borders[here, there] = self.borders[there, here] = mark

    # ------------------------------------------------------------------ what lies where
    def distances(self, here: Cell) -> list[int]:
        """The steps from a cell to each other one; -1 without a way."""
        found = [-1] * len(self.names)
        fresh, seen, count = 1 << here, 0, 0
        while fresh:
            onward = 0
            for cell in cells_in(fresh):
                found[cell] = count
                onward |= self.steps[cell]
            seen |= fresh
            fresh = onward & ~seen
            count += 1
        return found

    def neighbour(self, cell: Cell, way: str) -> Cell | None:
        """The cell a step away that way; none for a wall, and where a zone has several."""
        found = {self.at.get(beside(square, way), cell) for square in self.squares[cell]} - {cell}
        if len(found) != 1:
            return None
        other = found.pop()
        return other if self.steps[cell] >> other & 1 else None

    def border(self, here: Cell, there: Cell) -> str | None:
        """What lies between two neighbours: `open`, `wall` or a mark; none if they are no neighbours."""
        mark = self.borders.get((here, there))
        if mark is not None:
            return mark
        return OPEN if self.steps[here] >> there & 1 else None

    def on_edge(self, cell: Cell) -> bool:
        """Whether a cell lies at an outer side of the map or at a gap in it."""
        return any(beside(square, side) not in self.at for square in self.squares[cell] for side in SIDES)


def cell_set(cells: Iterable[Cell]) -> Cells:
    """The set that holds these cells."""
    found = 0
    for cell in cells:
        found |= 1 << cell
    return found


def cells_in(cells: Cells) -> Iterator[Cell]:
    """The cells of a set, lowest first."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest
