"""Bases and the spots where one can stand; the spots of a base form a network of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from .board import Board
from .cells import Cell, Cells, cell_set, cells_in
from .chart import Chart
from .errors import SpaceError
from .network import Network, network_of, reversed_steps
from .squares import WAYS, Square


@dataclass(frozen=True, slots=True)
class Base:
    """The squares a figure takes up, and how many may stick out over rock (never over the map's edge)."""

    width: int = 1
    height: int = 1
    overhang: int = 0


ONE = Base()


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a base stands: the cells under it and the upper left square; in a reach also cost and route."""

    base: Base
    cells: Cells
    corner: Square | None = None
    cost: int = field(default=0, compare=False)
    trace: Callable[[], tuple[Spot, ...]] | None = field(default=None, compare=False, repr=False)

    @property
    def route(self) -> tuple[Spot, ...]:
        """The spots one step after the other on the way here, without the first and with the last."""
        return self.trace() if self.trace is not None else ()

    @property
    def squares(self) -> tuple[Square, ...]:
        """All squares under the base, rock included; none on a map of zones."""
        if self.corner is None:
            return ()
        return _footprint(self.base, self.corner)


@dataclass(frozen=True, eq=False)
class Stances:
    """The spots of one base on one chart, numbered, with the steps between them."""

    base: Base
    cells: tuple[Cells, ...]
    corners: tuple[Square | None, ...]
    covering: tuple[Cells, ...]
    forward: Network
    into: tuple[Cells, ...]
    by_corner: Mapping[Square, int]
    single: bool

    def over(self, cells: Cells) -> Cells:
        """The numbers of the spots that cover one of these cells."""
        if self.single:
            return cells
        found = 0
        for cell in cells_in(cells):
            found |= self.covering[cell]
        return found

    def spot(self, number: int, cost: int = 0, trace: Callable[[], tuple[Spot, ...]] | None = None) -> Spot:
        """The spot of that number."""
        return Spot(self.base, self.cells[number], self.corners[number], cost, trace)

    def number(self, spot: Spot) -> int:
        """The number of a spot of this base."""
        if self.single:
            return spot.cells.bit_length() - 1
        if spot.corner is None or spot.corner not in self.by_corner:
            raise SpaceError(f"no base of {self.base.width} x {self.base.height} stands at {spot.corner}")
        return self.by_corner[spot.corner]


def stances_of(chart: Chart, base: Base) -> Stances:
    """The spots of a base on a chart, worked out once. On a map of zones every base takes one zone."""
    found = chart.stances.get(base)
    if found is None:
        single = base.width == base.height == 1 or not chart.rules.squares
        found = _single(chart, base) if single else _wide(chart, base)
        chart.stances[base] = found
    return found


def spots(board: Board, base: Base = ONE, occupied: Cells = 0) -> tuple[Spot, ...]:
    """Every spot where a base can stand clear of the occupied cells."""
    stances = stances_of(board.chart, base)
    free = ((1 << len(stances.cells)) - 1) & ~stances.over(occupied)
    return tuple(stances.spot(number) for number in cells_in(free))


def spots_over(board: Board, base: Base, cell: Cell, occupied: Cells = 0) -> tuple[Spot, ...]:
    """The spots of a base that cover a cell and no occupied one; first the one with its corner there."""
    stances = stances_of(board.chart, base)
    numbers = cells_in(stances.covering[cell] & ~stances.over(occupied))
    corner = board.chart.square(cell)
    return tuple(stances.spot(n) for n in sorted(numbers, key=lambda n: stances.corners[n] != corner))


def spot_at(board: Board, base: Base, cell: Cell, occupied: Cells = 0) -> Spot | None:
    """Where a base put on a cell stands: its corner there, or else the first spot that covers the cell."""
    found = spots_over(board, base, cell, occupied)
    return found[0] if found else None


def can_stand(board: Board, base: Base, cell: Cell, occupied: Cells = 0) -> bool:
    """Whether a base can be put on a cell, clear of the occupied ones and within its overhang."""
    stances = stances_of(board.chart, base)
    return bool(stances.covering[cell] & ~stances.over(occupied))


def trade_spots(board: Board, before: Spot, after: Spot, base: Base, occupied: Cells = 0) -> tuple[Spot, ...]:
    """Where a smaller base can go that trades places with one that steps from `before` to `after`."""
    left = before.cells & ~after.cells
    stances = stances_of(board.chart, base)
    numbers = stances.over(left) & ~stances.over(occupied & ~left | after.cells)
    return tuple(stances.spot(number) for number in cells_in(numbers) if not stances.cells[number] & ~left)


def _single(chart: Chart, base: Base) -> Stances:
    count = len(chart.names)
    bits = tuple(1 << cell for cell in range(count))
    return Stances(
        base=base,
        cells=bits,
        corners=tuple(chart.square(cell) for cell in range(count)),
        covering=bits,
        forward=chart.forward,
        into=chart.backward.steps,
        by_corner={},
        single=True,
    )


def _wide(chart: Chart, base: Base) -> Stances:
    at, rock = chart.at, chart.rock
    corners: set[Square] = set()
    for x, y in at:
        corners.update((x - i, y - j) for i in range(base.width) for j in range(base.height))
    numbers: dict[Square, int] = {}
    under: list[Cells] = []
    for corner in sorted(corners, key=lambda square: (square[1], square[0])):
        footprint = _footprint(base, corner)
        covered = [at[square] for square in footprint if square in at]
        over_rock = sum(square in rock for square in footprint if square not in at)
        if len(footprint) - len(covered) == over_rock <= base.overhang:
            numbers[corner] = len(under)
            under.append(cell_set(covered))
    covering = [0] * len(chart.names)
    for number, cells in enumerate(under):
        for cell in cells_in(cells):
            covering[cell] |= 1 << number
    steps = [0] * len(under)
    for (x, y), number in numbers.items():
        for across, down in WAYS.values():
            other = numbers.get((x + across, y + down))
            if other is not None and _can_shift(
                chart, base, (x, y), (across, down), under[number], under[other]
            ):
                steps[number] |= 1 << other
    for here, there in chart.links:
        for near_side, far_side in ((here, there), (there, here)):
            for number in cells_in(covering[near_side]):
                steps[number] |= covering[far_side] & ~(1 << number)
    return Stances(
        base=base,
        cells=tuple(under),
        corners=tuple(numbers),
        covering=tuple(covering),
        forward=network_of(steps),
        into=reversed_steps(steps),
        by_corner=numbers,
        single=False,
    )


def _footprint(base: Base, corner: Square) -> tuple[Square, ...]:
    x, y = corner
    return tuple((x + i, y + j) for j in range(base.height) for i in range(base.width))


def _can_shift(chart: Chart, base: Base, corner: Square, way: Square, old: Cells, new: Cells) -> bool:
    """Whether no wall stands in the way and the ground under the base hangs together as it moves."""
    if way[0] and way[1] and not chart.rules.diagonal:
        return False
    for x, y in _footprint(base, corner):
        here, there = chart.at.get((x, y)), chart.at.get((x + way[0], y + way[1]))
        if here is not None and there is not None and not chart.steps[here] >> there & 1:
            return False
    return bool(old & new) or any(chart.steps[cell] & new for cell in cells_in(old))
