"""A map of squares drawn with signs again, with figures on it."""

from collections.abc import Mapping

from .board import Board
from .chart import PieceId
from .plans import FLOOR, NOTHING, ROCK
from .squares import Square, turn_square


def picture(board: Board, figures: Mapping[Square, str], piece: PieceId | None = None) -> str:
    """The whole map, or one piece the way its own plan is drawn, with signs for the squares under figures."""
    if piece is not None:
        return _piece_picture(board, figures, piece)
    chart = board.chart
    drawn = {*chart.at, *chart.rock, *figures}
    if not drawn:
        return ""
    left, right = min(x for x, _ in drawn), max(x for x, _ in drawn)
    top, bottom = min(y for _, y in drawn), max(y for _, y in drawn)

    def sign(square: Square) -> str:
        if square in figures:
            return figures[square]
        if square in chart.at:
            return FLOOR
        return ROCK if square in chart.rock else NOTHING

    rows = ("".join(sign((x, y)) for x in range(left, right + 1)) for y in range(top, bottom + 1))
    return "\n".join(line.rstrip() for line in rows)


def _piece_picture(board: Board, figures: Mapping[Square, str], piece: PieceId) -> str:
    laid = board.chart.pieces[piece]
    plan = laid.plan
    if plan is None:
        return ""

    def sign(x: int, y: int, drawn: str) -> str:
        across, down = turn_square((x, y), plan.width, plan.height, laid.turn)
        shown = figures.get((across + laid.corner[0], down + laid.corner[1]))
        if shown is not None:
            return shown
        is_plain = drawn in (ROCK, NOTHING) or drawn in laid.joints
        return drawn if is_plain else FLOOR

    return "\n".join(
        "".join(sign(x, y, drawn) for x, drawn in enumerate(line)) for y, line in enumerate(plan.rows)
    )
