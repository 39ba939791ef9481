"""A map of zones: numbered cells, the squares that each covers, steps from cell to cell, and the tiles they lie on.

A set of cells is one integer with a bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from talewright.schemas.records import field, record

from .errors import PlanError
from .squares import SIDES, Square, beside, way_between

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
    tiles: dict[str, Cells] = field(default_factory=dict)
    """The cells of each tile that was laid."""
    named: dict[str, Cell] = field(default_factory=dict)
    at: dict[Square, Cell] = field(default_factory=dict)

    # ------------------------------------------------------------------ drawing
    def add_cell(self, name: str, squares: Iterable[Square] = ()) -> Cell:
        """A new cell, with no step to or from it."""
        if name in self.named:
            raise PlanError(f"there is a place named `{name}` already")
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
    def drawn_beside(self, cell: Cell) -> Cells:
        """The cells drawn beside a cell, walls or not."""
        walled = (there for (here, there), mark in self.borders.items() if here == cell and mark == WALL)
        return self.steps[cell] | sum(1 << there for there in walled)

    def toward(self, cell: Cell, offset: Square) -> Cells:
        """The neighbours of a cell whose middle lies further that way."""
        x, y = self._middle(cell)
        across, down = offset
        found = 0
        for there in cells_in(self.steps[cell]):
            u, v = self._middle(there)
            if (u - x) * across + (v - y) * down > 0:
                found |= 1 << there
        return found

    def way(self, here: Cell, there: Cell) -> str | None:
        """The way from one cell to another: those whose columns overlap lie above each other, those whose rows do side by side."""
        first, second = self.squares[here], self.squares[there]
        if here == there or not first or not second:
            return None
        across, down = (_side([s[axis] for s in first], [s[axis] for s in second]) for axis in (0, 1))
        if not across and not down:
            # One lies in a bend of the other: the way is the longer of the two between their middles.
            x, y = (b - a for a, b in zip(self._middle(here), self._middle(there), strict=True))
            across, down = (_sign(x), 0) if abs(x) > abs(y) else (0, _sign(y))
        return way_between((0, 0), (across, down))

    def _middle(self, cell: Cell) -> tuple[float, float]:
        squares = self.squares[cell] or ((0, 0),)
        return sum(x for x, _ in squares) / len(squares), sum(y for _, y in squares) / len(squares)

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


def _side(first: list[int], second: list[int]) -> int:
    """On which side of some columns or rows others lie: 0 where they overlap."""
    return int(min(second) > max(first)) - int(max(second) < min(first))


def _sign(number: float) -> int:
    return int(number > 0) - int(number < 0)


def cells_in(cells: Cells) -> Iterator[Cell]:
    """The cells of a set, lowest first."""
    while cells:
        lowest = cells & -cells
        yield lowest.bit_length() - 1
        cells ^= lowest
