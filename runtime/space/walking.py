"""How far a mover gets: the spots within reach with the cost of each and a cheapest route."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush

from .board import Board
from .cells import Cells, cells_in, first_cell
from .movement import WALK, Movement, chosen, price
from .stances import Spot, Stances, stances_of


@dataclass(frozen=True, eq=False)
class Reach:
    """The spots where a walk can end, by cost; made into spots only when asked for."""

    stances: Stances
    ends: dict[int, Cells]
    before: Callable[[int], int | None]

    @property
    def cells(self) -> Cells:
        """Every cell under one of the spots."""
        found = 0
        for numbers in self.ends.values():
            found |= numbers
        if self.stances.single:
            return found
        cells = 0
        for number in cells_in(found):
            cells |= self.stances.cells[number]
        return cells

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The spots, cheapest first."""
        return tuple(self)

    def __iter__(self) -> Iterator[Spot]:
        for cost in sorted(self.ends):
            for number in cells_in(self.ends[cost]):
                yield self.stances.spot(number, cost, partial(self._route, number))

    def __len__(self) -> int:
        return sum(numbers.bit_count() for numbers in self.ends.values())

    def _route(self, number: int) -> tuple[Spot, ...]:
        way: list[Spot] = []
        here: int | None = number
        while here is not None:
            way.append(self.stances.spot(here))
            here = self.before(here)
        return tuple(reversed(way[:-1]))


def reach(board: Board, start: Spot, limit: int, movement: Movement = WALK, occupied: Cells = 0) -> Reach:
    """The spots a mover can end on at a cost of at most `limit`; where it stands is one, at no cost.

    A walk never ends on an occupied cell, unless it is the mover's own or the mover trades places.
    """
    stances = stances_of(board.chart, start.base)
    own = start.cells
    barred = movement.blocked if isinstance(movement.blocked, int) else 0
    swaps = chosen((occupied | barred) & ~own, movement.trades)
    exempt = own | swaps
    no_end = occupied & ~exempt
    search = _Search(stances, stances.number(start), limit, movement, no_end, exempt, swaps)
    simple = movement.costs is None and movement.step_open is None
    if not stances.single:
        simple = simple and not swaps and not callable(movement.blocked) and not callable(movement.halts)
    return _by_layers(search) if simple else _by_cost(search, board.chart.steps)


@dataclass(frozen=True, slots=True)
class _Search:
    """One question, put in numbers of spots."""

    stances: Stances
    start: int
    limit: int
    movement: Movement
    no_end: Cells
    exempt: Cells
    swaps: Cells

    def closed(self) -> Cells:
        """The spots known from the outset to be out of bounds."""
        blocked = self.movement.blocked
        if blocked is None:
            return self.stances.over(self.no_end)
        return self.stances.over(blocked & ~self.exempt) if isinstance(blocked, int) else 0

    def refused(self, cells: Cells) -> Cells:
        """Those of some cells that turn out to be blocked when asked for."""
        blocked = self.movement.blocked
        if blocked is None or isinstance(blocked, int):
            return 0
        return chosen(cells & ~self.exempt, blocked)

    def result(self, costs: Iterable[tuple[int, Cells]], before: Callable[[int], int | None]) -> Reach:
        """The reach, without the spots where the walk cannot end."""
        no_end = self.stances.over(self.no_end)
        return Reach(self.stances, {cost: spots & ~no_end for cost, spots in costs}, before)


def _by_layers(search: _Search) -> Reach:
    """Every step costs one: spread over whole sets of spots at once."""
    stances, halts = search.stances, search.movement.halts
    forward = stances.forward
    start = 1 << search.start
    unseen = ((1 << len(stances.cells)) - 1) & ~search.closed() & ~start
    ask = callable(search.movement.blocked)
    held = stances.over(halts) if isinstance(halts, int) else 0
    layers, moving = [start], [start]
    fresh = start
    while fresh and unseen and len(layers) <= search.limit:
        found = forward.onward(fresh) & unseen
        unseen ^= found
        if ask:
            found &= ~search.refused(found)
        if not found:
            break
        fresh = found & ~(held if isinstance(halts, int) else chosen(found, halts))
        layers.append(found)
        moving.append(fresh)

    def before(number: int) -> int | None:
        bit = 1 << number
        for cost, layer in enumerate(layers):
            if layer & bit:
                return first_cell(moving[cost - 1] & stances.into[number]) if cost else None
        raise KeyError(number)

    return search.result(enumerate(layers), before)


def _by_cost(search: _Search, steps: tuple[Cells, ...]) -> Reach:
    """Steps may cost more or less, or be closed one by one: always go on from the cheapest spot."""
    stances, movement = search.stances, search.movement
    onward, under = stances.forward.steps, stances.cells
    # Spots that need no second look. Where the price of a spot is the same from every side, the first
    # way found to it is a cheapest one, because ways are followed in the order of their cost.
    settled = search.closed() | 1 << search.start
    one_price = stances.single or movement.costs is None
    granted = 0
    best = {search.start: 0}
    came: dict[int, int | None] = {search.start: None}
    waiting = [(0, search.start)]
    while waiting:
        cost, here = heappop(waiting)
        if best[here] < cost:
            continue
        settled |= 1 << here
        old = under[here]
        if here != search.start and chosen(old, movement.halts):
            continue
        for there in cells_in(onward[here] & ~settled):
            new = under[there]
            if not granted >> there & 1:
                if search.refused(new):
                    settled |= 1 << there
                    continue
                granted |= 1 << there
            total = cost + _step_price(movement, new & ~old)
            if total > search.limit or best.get(there, total + 1) <= total:
                continue
            if _can_trade(search.swaps, old, new) and _is_open(movement, steps, old, new & ~old):
                best[there] = total
                came[there] = here
                heappush(waiting, (total, there))
                if one_price:
                    settled |= 1 << there
    ends: dict[int, Cells] = {}
    for number, cost in best.items():
        ends[cost] = ends.get(cost, 0) | 1 << number
    return search.result(ends.items(), came.__getitem__)


def _step_price(movement: Movement, entered: Cells) -> int:
    """A step costs what the dearest cell it enters costs, and one if it enters none."""
    if movement.costs is None:
        return 1
    return max((price(movement, cell) for cell in cells_in(entered)), default=1)


def _can_trade(swaps: Cells, old: Cells, new: Cells) -> bool:
    """Whether the cells that a step leaves have room for all it trades places with."""
    traded = new & ~old & swaps
    return not traded or traded.bit_count() <= (old & ~new).bit_count()


def _is_open(movement: Movement, steps: tuple[Cells, ...], old: Cells, entered: Cells) -> bool:
    """Whether each cell entered, if it is next to the base at all, can be stepped on from under it."""
    step_open = movement.step_open
    if step_open is None:
        return True
    for there in cells_in(entered):
        sources = [here for here in cells_in(old) if steps[here] >> there & 1]
        if sources and not any(step_open(here, there) for here in sources):
            return False
    return True
