"""Maps of zones: rows of names, rings of names, and tiles of zones laid side by side."""

from collections.abc import Iterable, Mapping, Sequence

from talewright.schemas.records import field, record

from .board import WALL, Board, Cell, cell_set
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


def rows_to_zones(rows: Rows, borders: Mapping[str, Pairs] | None = None) -> Board:
    """A map from rows of names: equal neighbours are one zone, other neighbours are adjacent."""
    drawing = {(x, y): name for y, row in enumerate(rows) for x, name in enumerate(row) if name != NOWHERE}
    board = _draw_zones(drawing, frozenset())
    for mark, pairs in (borders or {}).items():
        _mark_borders(board, mark, pairs)
    return board


def ring_to_zones(names: Sequence[str]) -> Board:
    """A map of places in a ring, in the order of their names."""
    board = Board()
    for name in names:
        if name in board.named:
            raise PlanError(f"`{name}` is named twice in one ring")
        board.add_cell(name)
    for cell in range(len(names) if len(names) > 1 else 0):
        board.connect(cell, (cell + 1) % len(names))
    return board


def tiles_to_zones(
    layout: Rows,
    tiles: Mapping[str, ZoneTile],
    borders: Mapping[str, Pairs] | None = None,
    ids: Mapping[str, int] | None = None,
) -> Board:
    """A map of tiles in rows; `>`, `^`, `<` after a name turn the tile clockwise by 1, 2, 3 quarters.

    Zones at the touching sides of two tiles are adjacent (and one zone when they have one name)
    unless one of the two sides is closed. Closed sides turn with their tile. The layout may mark
    borders of its own, those between two tiles included; a tile goes by its id, if it has one.
    """
    drawing: dict[Square, str] = {}
    owner: dict[Square, str] = {}
    shut: set[tuple[Square, Square]] = set()
    placed: list[str] = []
    for (name, quarters), corner, rows in _lay_out(layout, tiles):
        if name in placed:
            raise PlanError(f"the tile `{name}` is laid twice")
        placed.append(name)
        if not tiles[name].closed <= set(SIDES):
            raise PlanError(f"a closed side of the tile `{name}` is not one of {', '.join(SIDES)}")
        ways = {turn_way(side, quarters) for side in tiles[name].closed}
        inside = {
            (corner[0] + x, corner[1] + y): zone
            for y, row in enumerate(rows)
            for x, zone in enumerate(row)
            if zone != NOWHERE
        }
        drawing.update(inside)
        for square in inside:
            owner[square] = name
            for way in ways:
                beyond = beside(square, way)
                if beyond not in inside:
                    shut |= {(square, beyond), (beyond, square)}
    board = _draw_zones(drawing, frozenset(shut))
    for name in placed:
        cells = cell_set({board.at[square] for square, tile in owner.items() if tile == name})
        board.tiles[name if ids is None else ids[name]] = cells
        for mark, pairs in tiles[name].borders.items():
            _mark_borders(board, mark, pairs)
    for mark, marked in (borders or {}).items():
        _mark_borders(board, mark, marked)
    return board


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


def _draw_zones(drawing: Mapping[Square, str], shut: _Sides) -> Board:
    board = Board()
    for square in sorted(drawing, key=lambda square: (square[1], square[0])):
        if square in board.at:
            continue
        name = drawing[square]
        if name in board.named:
            raise PlanError(f"`{name}` is drawn in two places that do not touch")
        board.add_cell(name, _patch(drawing, shut, square))
    walled: list[tuple[Cell, Cell]] = []
    for square, cell in board.at.items():
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
    return board


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
