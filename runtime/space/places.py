"""Where cells lie: neighbours by way, rows and columns from a joint, areas, borders, order."""

from .board import Board
from .cells import Cell, Cells, cells_in
from .chart import OPEN, Joint
from .squares import SIDES, WAYS, Square, beside, opposite, turn_way, way_between
from .ways import within


def square_cell(board: Board, column: int, row: int) -> Cell | None:
    """The cell in a column and row of the drawing, counted from one at the upper left."""
    return board.chart.at.get((column - 1, row - 1))


def neighbour(board: Board, cell: Cell, way: str) -> Cell | None:
    """The cell a step away that way; none for rock, for a wall, and where a zone has several."""
    chart = board.chart
    found = {chart.at.get(beside(square, way), cell) for square in chart.squares[cell]} - {cell}
    if len(found) != 1:
        return None
    other = found.pop()
    return other if chart.steps[cell] >> other & 1 else None


def way(board: Board, here: Cell, there: Cell) -> str | None:
    """The one of eight ways that leads from one square toward another."""
    start, end = board.chart.square(here), board.chart.square(there)
    return None if start is None or end is None else way_between(start, end)


def row(board: Board, cell: Cell, joint: Joint) -> int | None:
    """How many rows inside a joint a square lies; the joint's own row is 0."""
    return _offset(board, cell, joint.squares[0], opposite(joint.way))


def column(board: Board, cell: Cell, joint: Joint) -> int | None:
    """How many columns a square lies to the right of a joint's first square, looking out."""
    return _offset(board, cell, joint.squares[0], turn_way(joint.way, 1))


def same_colour(board: Board, here: Cell, there: Cell) -> bool:
    """Whether two squares would have one colour if the map were a chessboard."""
    start, end = board.chart.square(here), board.chart.square(there)
    if start is None or end is None:
        return here == there
    return (start[0] + start[1] - end[0] - end[1]) % 2 == 0


def area(board: Board, cells: Cells, size: int) -> Cells:
    """The squares at most so many columns and rows away, rock between or not; zones within so many steps."""
    chart = board.chart
    if not chart.rules.squares:
        return within(board, cells, size)
    found = 0
    for cell in cells_in(cells):
        for x, y in chart.squares[cell]:
            for down in range(-size, size + 1):
                for across in range(-size, size + 1):
                    other = chart.at.get((x + across, y + down))
                    if other is not None:
                        found |= 1 << other
    return found


def border(board: Board, here: Cell, there: Cell) -> str | None:
    """What lies between two neighbours: `open`, `wall` or a mark; none if they are no neighbours."""
    chart = board.chart
    mark = chart.borders.get((here, there))
    if mark is not None:
        return mark
    return OPEN if chart.steps[here] >> there & 1 else None


def on_edge(board: Board, cell: Cell) -> bool:
    """Whether a cell lies at an outer side of the map or at a gap in it."""
    chart = board.chart
    return any(beside(square, side) not in chart.at for square in chart.squares[cell] for side in SIDES)


def following(board: Board, cell: Cell) -> tuple[Cell, ...]:
    """The cells after one in the order of the plan; in a ring, round to the one before it."""
    count = len(board.chart.names)
    after = tuple(range(cell + 1, count))
    return after + tuple(range(cell)) if board.chart.rules.ring else after


def _offset(board: Board, cell: Cell, origin: Square, way: str) -> int | None:
    square = board.chart.square(cell)
    if square is None:
        return None
    across, down = WAYS[way]
    return (square[0] - origin[0]) * across + (square[1] - origin[1]) * down
