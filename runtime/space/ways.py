"""Distances over the map, the next steps toward a goal, and what lies within some steps."""

from heapq import heappop, heappush

from .board import Board
from .cells import Cell, Cells, cells_in, first_cell
from .chart import Chart
from .movement import WALK, Movement, chosen, price
from .network import spread

# Goals are few on one map; a game that keeps asking for new sets must not fill the memory.
_GOALS_KEPT = 4096


def adjacent(board: Board, cells: Cells) -> Cells:
    """The cells one step from some cells, without those cells themselves."""
    chart = board.chart
    found = 0
    for cell in cells_in(cells):
        found |= chart.steps[cell]
    return found & ~cells


def is_adjacent(board: Board, here: Cells, there: Cells) -> bool:
    """Whether a step leads from one set of cells to another that it does not touch."""
    return not here & there and bool(adjacent(board, here) & there)


def within(board: Board, cells: Cells, limit: int) -> Cells:
    """The cells at most so many steps from some cells, those cells included."""
    found = 0
    for layer in spread(board.chart.forward, cells, board.chart.everywhere, limit):
        found |= layer
    return found


def distance(board: Board, here: Cells, goal: Cells, movement: Movement | None = None) -> int | None:
    """The steps (or the cost) of the shortest way from a set of cells to another; none without a way.

    With a movement the way keeps to what it may enter; where it would halt makes no difference.
    """
    if movement is not None and not _plain(movement):
        costs = _costs_to(board.chart, goal, movement)
        return min((costs[cell] for cell in cells_in(here) if cell in costs), default=None)
    for count, layer in enumerate(_layers_to(board.chart, goal, _blocked(board.chart, movement))):
        if layer & here:
            return count
    return None


def steps(board: Board, here: Cells, goal: Cells, movement: Movement | None = None) -> Cells:
    """The neighbours of some cells on a shortest way to a goal; empty when there, or without a way."""
    chart = board.chart
    if here & goal:
        return 0
    if movement is not None and not _plain(movement):
        return _cheapest_steps(chart, here, goal, movement)
    blocked = _blocked(chart, movement)
    layers = _layers_to(chart, goal, blocked)
    for count, layer in enumerate(layers):
        if layer & here:
            return _onward(chart, layer & here) & layers[count - 1] & ~blocked
    return 0


def along(board: Board, here: Cell, goal: Cells, limit: int, movement: Movement | None = None) -> Cell | None:
    """Where a walker is after so many steps (or so much cost) down a shortest way; none without a way."""
    if distance(board, 1 << here, goal, movement) is None:
        return None
    left = limit
    while True:
        options = steps(board, 1 << here, goal, movement)
        if not options:
            return here
        step = first_cell(options)
        left -= price(movement or WALK, step)
        if left < 0:
            return here
        here = step


def _plain(movement: Movement) -> bool:
    return movement.costs is None and movement.step_open is None


def _onward(chart: Chart, cells: Cells) -> Cells:
    found = 0
    for cell in cells_in(cells):
        found |= chart.steps[cell]
    return found


def _blocked(chart: Chart, movement: Movement | None) -> Cells:
    if movement is None or movement.blocked is None:
        return 0
    blocked = chosen(chart.everywhere, movement.blocked)
    return blocked & ~chosen(blocked, movement.trades)


def _layers_to(chart: Chart, goal: Cells, blocked: Cells) -> tuple[Cells, ...]:
    """The cells 0, 1, 2 ... steps before a goal."""
    if blocked:
        return _layers_past(chart, goal, blocked)
    found = chart.ways.get(goal)
    if found is None:
        if len(chart.ways) >= _GOALS_KEPT:
            chart.ways.clear()
        found = chart.ways[goal] = spread(chart.backward, goal, chart.everywhere)
    return found


def _layers_past(chart: Chart, goal: Cells, blocked: Cells) -> tuple[Cells, ...]:
    """The same, when some cells cannot be entered: a way may start from one, but not lead over it."""
    layers = [goal]
    fresh = goal & ~blocked
    unseen = chart.everywhere & ~goal
    while fresh and unseen:
        found = chart.backward.onward(fresh) & unseen
        if not found:
            break
        unseen ^= found
        layers.append(found)
        fresh = found & ~blocked
    return tuple(layers)


def _costs_to(chart: Chart, goal: Cells, movement: Movement) -> dict[Cell, int]:
    """What it costs to get from each cell to a goal."""
    blocked = _blocked(chart, movement)
    step_open = movement.step_open
    into = chart.backward.steps
    costs: dict[Cell, int] = {}
    waiting = [(0, cell) for cell in cells_in(goal)]
    while waiting:
        cost, there = heappop(waiting)
        if there in costs:
            continue
        costs[there] = cost
        if blocked >> there & 1:
            continue
        entering = price(movement, there)
        for here in cells_in(into[there]):
            if here not in costs and (step_open is None or step_open(here, there)):
                heappush(waiting, (cost + entering, here))
    return costs


def _cheapest_steps(chart: Chart, here: Cells, goal: Cells, movement: Movement) -> Cells:
    costs = _costs_to(chart, goal, movement)
    starts = [cell for cell in cells_in(here) if cell in costs]
    if not starts:
        return 0
    blocked = _blocked(chart, movement)
    lowest = min(costs[cell] for cell in starts)
    found = 0
    for start in starts:
        if costs[start] > lowest:
            continue
        for cell in cells_in(chart.steps[start] & ~blocked):
            is_open = movement.step_open is None or movement.step_open(start, cell)
            if is_open and cell in costs and costs[cell] + price(movement, cell) == lowest:
                found |= 1 << cell
    return found
