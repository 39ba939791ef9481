"""Who may walk where: the conditions of a mover that the search for ways asks."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from .cells import Cell, Cells, cells_in

CellTest: TypeAlias = Callable[[Cell], bool]


@dataclass(frozen=True, slots=True)
class Movement:
    """A way of walking; each condition is a set of cells or a function asked cell by cell.

    blocked: cells that cannot be entered; when not given, the occupied ones.
    halts: cells where a walk ends once entered. The cell it starts from does not hold it.
    trades: occupied or blocked cells that can be entered all the same, for the mover trades places.
    costs: what entering a cell costs, one at least; when not given, one.
    step_open: whether a step from one cell to the next is open to this mover.
    """

    blocked: Cells | CellTest | None = None
    halts: Cells | CellTest = 0
    trades: Cells | CellTest = 0
    costs: Callable[[Cell], int] | None = None
    step_open: Callable[[Cell, Cell], bool] | None = None


WALK = Movement()


def chosen(among: Cells, test: Cells | CellTest) -> Cells:
    """Those of some cells that are in a set, or pass a test."""
    if isinstance(test, int):
        return among & test
    found = 0
    for cell in cells_in(among):
        if test(cell):
            found |= 1 << cell
    return found


def price(movement: Movement, cell: Cell) -> int:
    """What entering a cell costs; never less than one, so that no walk goes on for nothing."""
    return 1 if movement.costs is None else max(1, movement.costs(cell))
