"""Who sees whom: a line from the centre of one square to the centre of another."""

from .board import Board
from .cells import Cell, Cells, cells_in
from .chart import Chart


def sees(board: Board, here: Cells, there: Cells) -> bool:
    """Whether a line from the centre of one of these cells to one of those meets no rock and no wall.

    Whatever is no cell of the map is rock. Figures never stop the line; grazing a corner does not
    either, where the rules leave corners open. A zone sees itself and the zones next to it.
    """
    chart = board.chart
    if here & there:
        return True
    targets = cells_in(there)
    return any(_cell_sees(chart, cell, target) for cell in cells_in(here) for target in targets)


def _cell_sees(chart: Chart, here: Cell, there: Cell) -> bool:
    # The line is the same both ways, and so is the table of answers.
    key = (here, there) if here < there else (there, here)
    found = chart.sights.get(key)
    if found is None:
        found = chart.sights[key] = _line_is_clear(chart, *key)
    return found


def _line_is_clear(chart: Chart, here: Cell, there: Cell) -> bool:
    start, end = chart.square(here), chart.square(there)
    if start is None or end is None:
        return bool(chart.steps[here] >> there & 1 or chart.steps[there] >> here & 1)
    at, steps = chart.at, chart.steps
    x, y = start
    across, down = abs(end[0] - x), abs(end[1] - y)
    east, south = (1 if end[0] > x else -1), (1 if end[1] > y else -1)
    done_across = done_down = 0
    cell = here
    while done_across < across or done_down < down:
        # Which side of the square does the line leave by? Compared without fractions.
        lead = (1 + 2 * done_across) * down - (1 + 2 * done_down) * across
        if lead == 0:
            if not chart.rules.corners_open and ((x + east, y) not in at or (x, y + south) not in at):
                return False
            x, y = x + east, y + south
            done_across, done_down = done_across + 1, done_down + 1
        elif lead < 0:
            x, done_across = x + east, done_across + 1
        else:
            y, done_down = y + south, done_down + 1
        onward = at.get((x, y))
        if onward is None:
            return False
        if lead and not (steps[cell] >> onward & 1 or steps[onward] >> cell & 1):
            return False
        cell = onward
    return True
