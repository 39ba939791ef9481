"""Maps of zones: rows of names, rings of names, and tiles of zones laid side by side."""

from collections.abc import Iterable, Mapping, Sequence

from talewright.schemas.records import field, record

from .board import WALL, Board, Cell
from .errors import PlanError
from .squares import SIDES, TURN_SIGNS, Square, beside, turn_square, turn_way

NOWHERE = "."
Rows = Sequence[Sequence[str]]
Pairs = Iterable[tuple[str, str]]
_Sides = frozenset[tuple[Square, Square]]


@record(frozen=True)
class ZoneTile:
    """A tile drawn as rows of names, with its closed sides and the marks of borders inside it."""

    rows: tuple[tuple[str, ...], ...]
    closed: frozenset[str] = frozenset()
    borders: Mapping[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)


def draw_rows(board: Board, rows: Rows, borders: Mapping[str, Pairs], left: int) -> None:
    """Draws rows of names from a column on: equal neighbours are one zone, other neighbours are adjacent."""
    _draw_zones(board, _named_squares(rows, (left, 0)), frozenset())
    for mark, pairs in borders.items():
        _mark_borders(board, mark, pairs)


def draw_ring(board: Board, names: Sequence[str]) -> None:
    """Draws places in a ring, in the order of their names."""
    ring = [board.add_cell(name) for name in names]
    for cell, following in zip(ring, ring[1:] + ring[:1], strict=True):
        if cell != following:
            board.connect(cell, following)


def draw_tiles(
    board: Board, layout: Rows, tiles: Mapping[str, ZoneTile], borders: Mapping[str, Pairs], left: int
) -> None:
    """Draws tiles in rows; `>`, `^`, `<` after a name turn the tile clockwise by 1, 2, 3 quarters.

    Zones at the touching sides of two tiles are adjacent (and one zone when they have one name)
    unless one of the two sides is closed. Closed sides turn with their tile. The layout may mark
    borders of its own, those between two tiles included.
    """
    drawing: dict[Square, str] = {}
    covered: dict[str, list[Square]] = {}
    shut: set[tuple[Square, Square]] = set()
    for (name, quarters), (x, y), rows in _lay_out(layout, tiles):
        if name in covered:
            raise PlanError(f"the tile `{name}` is laid twice")
        if not tiles[name].closed <= set(SIDES):
            raise PlanError(f"a closed side of the tile `{name}` is not one of {', '.join(SIDES)}")
        ways = {turn_way(side, quarters) for side in tiles[name].closed}
        inside = _named_squares(rows, (left + x, y))
        drawing.update(inside)
        covered[name] = list(inside)
        for square in inside:
            for way in ways:
                beyond = beside(square, way)
                if beyond not in inside:
                    shut |= {(square, beyond), (beyond, square)}
    _draw_zones(board, drawing, frozenset(shut))
    for name, squares in covered.items():
        board.tiles[name] = sum(1 << cell for cell in {board.at[square] for square in squares})
        for mark, pairs in tiles[name].borders.items():
            _mark_borders(board, mark, pairs)
    for mark, marked in borders.items():
        _mark_borders(board, mark, marked)


def _named_squares(rows: Rows, corner: Square) -> dict[Square, str]:
    """The squares of rows of names, from a corner on."""
    return {
        (corner[0] + x, corner[1] + y): name
        for y, row in enumerate(rows)
        for x, name in enumerate(row)
        if name != NOWHERE
    }


def turn_rows(rows: Rows, quarters: int) -> list[list[str]]:
    """Rows of names after so many quarter turns clockwise."""
    height, width = len(rows), len(rows[0])
    if any(len(row) != width for row in rows):
        raise PlanError("the rows of a tile are not equally long")
    turned = {
        turn_square((x, y), width, height, quarters): name
        for y, row in enumerate(rows)
        for x, name in enumerate(row)
    }
    if quarters % 2:
        width, height = height, width
    return [[turned[x, y] for x in range(width)] for y in range(height)]


def _lay_out(
    layout: Rows, tiles: Mapping[str, ZoneTile]
) -> list[tuple[tuple[str, int], Square, list[list[str]]]]:
    """Each tile of a layout with its turn, its corner and its rows as turned."""
    turned: dict[Square, tuple[tuple[str, int], list[list[str]]]] = {}
    widths: dict[int, int] = {}
    heights: dict[int, int] = {}
    for y, row in enumerate(layout):
        for x, word in enumerate(row):
            if word == NOWHERE:
                continue
            quarters = TURN_SIGNS.get(word[-1], 0)
            name = word[:-1] if quarters else word
            if name not in tiles:
                raise PlanError(f"there is no tile named `{name}`")
            rows = turn_rows(tiles[name].rows, quarters)
            size = len(rows[0]), len(rows)
            if (widths.setdefault(x, size[0]), heights.setdefault(y, size[1])) != size:
                raise PlanError(f"the tile `{name}` is not as wide and high as the tiles in line with it")
            turned[x, y] = (name, quarters), rows
    found = []
    for (x, y), (which, rows) in turned.items():
        corner = (sum(widths.get(i, 1) for i in range(x)), sum(heights.get(i, 1) for i in range(y)))
        found.append((which, corner, rows))
    return found


def _draw_zones(board: Board, drawing: Mapping[Square, str], shut: _Sides) -> None:
    for square in sorted(drawing, key=lambda square: (square[1], square[0])):
        if square in board.at:
            continue
        name = drawing[square]
        if name in board.named:
            raise PlanError(f"`{name}` is drawn in two places that do not touch")
        board.add_cell(name, _patch(drawing, shut, square))
    walled: list[tuple[Cell, Cell]] = []
    for square in drawing:
        cell = board.at[square]
        for way in SIDES:
            beyond = beside(square, way)
            other = board.at.get(beyond, cell)
            if other == cell:
                continue
            if (square, beyond) in shut:
                walled.append((cell, other))
            else:
                board.connect(cell, other)
    for cell, other in walled:
        if not board.steps[cell] >> other & 1:
            board.set_border(cell, other, WALL)


def _patch(drawing: Mapping[Square, str], shut: _Sides, start: Square) -> list[Square]:
    """All squares of one name that hang together with a square, row by row."""
    found = {start}
    waiting = [start]
    while waiting:
        square = waiting.pop()
        for way in SIDES:
            beyond = beside(square, way)
            if beyond not in found and drawing.get(beyond) == drawing[start] and (square, beyond) not in shut:
                found.add(beyond)
                waiting.append(beyond)
    return sorted(found, key=lambda square: (square[1], square[0]))


def _mark_borders(board: Board, mark: str, pairs: Pairs) -> None:
    for pair in pairs:
        for name in pair:
            if name not in board.named:
                raise PlanError(f"there is no zone named `{name}`")
        here, there = (board.named[name] for name in pair)
        if not (board.steps[here] >> there & 1 or (here, there) in board.borders):
            raise PlanError(f"`{pair[0]}` and `{pair[1]}` have no border to mark as {mark}")
        board.set_border(here, there, mark)
