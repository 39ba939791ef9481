"""The map of a table: places in boxes where they lie, a ring as a row, a map of squares by signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from talewright.report.table.prose import wrapped
from talewright.report.table.visibility import Seat, name_of
from talewright.runtime.kernel.maps.squares import packed, packed_x, packed_y
from talewright.runtime.model.maps import APART, places_of
from talewright.runtime.observe.view import View
from talewright.runtime.space.board import WALL, Board
from talewright.runtime.space.plans import FLOOR, NOTHING, ROCK
from talewright.schemas.records import record

Walls = frozenset[tuple[int | None, int | None]]

NARROWEST = 11
COMFORTABLE = 16
WIDEST = 26
# So many lines an entry of a box may take.
MOST_LINES = 20
SIGNS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789"
# Rock is looked for so far around the squares.
AROUND = 8


@record(frozen=True)
class Lines:
    """The signs boxes are drawn with."""

    across: str = "─"
    down: str = "│"
    cross: str = "┼"
    corners: str = "┌┬┐├┤└┴┘"
    wall_across: str = "═"
    wall_down: str = "║"


ASCII = Lines("-", "|", "+", "++++++++", "=", "#")
FINE = Lines()


def rows_of_places(view: View) -> list[list[int | None]]:
    """The places of the map that is laid out in rows as they are drawn, none where there is nothing; empty without a map."""
    laid = laid_out(view)
    if laid is None:
        return []
    covered, places = laid.squares, places_of(view.program.world, laid)
    squares = {square: places[cell] for cell, own in enumerate(covered) for square in own}
    # The places of a ring lie nowhere in particular: they make one row.
    ring = [place for cell, place in enumerate(places) if not covered[cell]]
    rows: list[list[int | None]] = [list(ring)] if ring else []
    for part in sorted({x // APART for x, _ in squares}):
        here = {(x, y): place for (x, y), place in squares.items() if x // APART == part}
        left, right = min(x for x, _ in here), max(x for x, _ in here)
        top, bottom = min(y for _, y in here), max(y for _, y in here)
        rows += [[here.get((x, y)) for x in range(left, right + 1)] for y in range(top, bottom + 1)]
    return rows


def laid_out(view: View) -> Board | None:
    """The map that is played on."""
    block = view.memory[view.program.layout.names["MAP"]]
    found = next((key for key, at in view.program.map_blocks.items() if at == block), None)
    return None if found is None else view.program.maps[found]


def _walls(view: View) -> Walls:
    """The places that have a wall between them, in both directions."""
    laid = laid_out(view)
    if laid is None:
        return frozenset()
    places = places_of(view.program.world, laid)
    return frozenset((places[a], places[b]) for (a, b), mark in laid.borders.items() if mark == WALL)


def map_lines(
    view: View, tell: Callable[[int], list[Text]], width: int, signs: Lines = FINE
) -> list[Text] | None:
    """Places in boxes with what `tell` says of each; none when they do not fit the width."""
    rows = rows_of_places(view)
    if not rows or not any(place is not None for row in rows for place in row):
        return None
    rows = _condensed(rows)
    columns = max(len(row) for row in rows)
    room = (width - 1) // columns - 1
    if room < (NARROWEST if len(rows) > 1 else _narrowest(rows[0], tell)):
        if len(rows) > 1:
            return None
        # A single row, as a ring is, may go on below itself.
        columns = max(1, (width - 1) // (COMFORTABLE + 1))
        lines_needed = -(-len(rows[0]) // columns)
        columns = -(-len(rows[0]) // lines_needed)
        rows = [rows[0][i : i + columns] for i in range(0, len(rows[0]), columns)]
        room = (width - 1) // columns - 1
    if columns < 2:
        return None
    return _boxes(rows, columns, min(room, WIDEST), tell, signs, _walls(view))


def _narrowest(row: list[int | None], tell: Callable[[int], list[Text]]) -> int:
    """How wide the boxes of a single row must be at least: so wide that no word is broken, if that is not much."""
    told = [entry.plain for place in row if place is not None for entry in tell(place)]
    longest = max((cell_len(word) for text in told for word in text.split()), default=0)
    return max(NARROWEST, min(longest + 1, COMFORTABLE))


def _condensed(rows: list[list[int | None]]) -> list[list[int | None]]:
    """The same map without rows and columns that only repeat the one before."""
    columns = max(len(row) for row in rows)
    padded = [row + [None] * (columns - len(row)) for row in rows]
    for _ in range(2):
        kept = [row for number, row in enumerate(padded) if number == 0 or row != padded[number - 1]]
        padded = [list(column) for column in zip(*kept, strict=True)]
    return padded


def _boxes(
    rows: list[list[int | None]],
    columns: int,
    room: int,
    tell: Callable[[int], list[Text]],
    signs: Lines,
    walls: Walls,
) -> list[Text]:
    told: set[int] = set()
    made: list[Text] = []
    padded = [row + [None] * (columns - len(row)) for row in rows]
    for number, row in enumerate(padded):
        above: list[int | None] = padded[number - 1] if number else [None] * columns
        made.append(_edge(above, row, room, signs, walls))
        runs = _runs(row)
        cells: list[list[Text]] = []
        for place, count in runs:
            if place is None or place in told:
                cells.append([])
                continue
            told.add(place)
            wide = count * (room + 1) - 1
            cells.append([line for entry in tell(place) for line in wrapped(_short(entry, wide), wide, 1)])
        for height in range(max(1, *(len(cell) for cell in cells))):
            made.append(_line(runs, cells, height, room, signs, walls))
    below: list[int | None] = [None] * columns
    made.append(_edge(padded[-1], below, room, signs, walls))
    return [_trim(line) for line in made]


def _short(entry: Text, wide: int) -> Text:
    """An entry of a box; one that would fill the screen by itself is cut off."""
    cut = entry.copy()
    cut.truncate(MOST_LINES * wide, overflow="ellipsis")
    return cut


def _runs(row: list[int | None]) -> list[tuple[int | None, int]]:
    """Neighbours in a row that are one place, with how many squares they take; gaps stay apart."""
    runs: list[tuple[int | None, int]] = []
    for place in row:
        if runs and place is not None and runs[-1][0] == place:
            runs[-1] = (place, runs[-1][1] + 1)
        else:
            runs.append((place, 1))
    return runs


def _line(
    runs: list[tuple[int | None, int]],
    cells: list[list[Text]],
    height: int,
    room: int,
    signs: Lines,
    walls: Walls,
) -> Text:
    line = Text()
    before: int | None = None
    for (place, count), cell in zip(runs, cells, strict=True):
        border = signs.wall_down if (before, place) in walls else signs.down
        line.append(border if before is not None or place is not None else " ", style="dim")
        text = cell[height] if height < len(cell) else Text()
        line.append_text(_sized(text, count * (room + 1) - 1))
        before = place
    line.append(signs.down if before is not None else " ", style="dim")
    return line


def _sized(text: Text, room: int) -> Text:
    have = cell_len(text.plain)
    if have > room:
        return Text(set_cell_size(text.plain, room))
    return text + Text(" " * (room - have))


def _edge(above: list[int | None], below: list[int | None], room: int, signs: Lines, walls: Walls) -> Text:
    line = ""
    for column in range(len(above) + 1):
        up_left = above[column - 1] if column else None
        up_right = above[column] if column < len(above) else None
        low_left = below[column - 1] if column else None
        low_right = below[column] if column < len(below) else None
        line += _corner(up_left, up_right, low_left, low_right, signs)
        if column < len(above):
            inside = up_right is not None and up_right == low_right
            border = signs.wall_across if (up_right, low_right) in walls else signs.across
            line += (" " if inside or (up_right is None and low_right is None) else border) * room
    return Text(line, style="dim")


def _corner(
    up_left: int | None, up_right: int | None, low_left: int | None, low_right: int | None, signs: Lines
) -> str:
    up, low = up_left != up_right, low_left != low_right
    left, right = up_left != low_left, up_right != low_right
    shapes = {
        (False, True, False, True): 0, (False, True, True, True): 1, (False, True, True, False): 2,
        (True, True, False, True): 3, (True, True, True, False): 4, (True, False, False, True): 5,
        (True, False, True, True): 6, (True, False, True, False): 7,
    }  # fmt: skip
    shape = (up, low, left, right)
    if shape in shapes:
        return signs.corners[shapes[shape]]
    if not any(shape):
        return " "
    if all(shape):
        return signs.cross
    return signs.down if up or low else signs.across


def _trim(line: Text) -> Text:
    line.rstrip()
    return line


def squares_lines(view: View, seat: Seat, width: int) -> list[Text]:
    """A map of squares, its columns and rows numbered, with a sign for every figure, and what the signs mean."""
    if view.program.grid is None:
        return []
    ev, names = view.evaluator, view.program.layout.names
    count, first = view.memory[names["SQUARE_COUNT"]], names["FIRST_SQUARE"]
    squares = [_column_and_row(view, square) for square in range(first, first + count)]
    figures: dict[tuple[int, int], str] = {}
    legend: list[str] = []
    standing = [t.number for t in view.things if ev.kernel("is_figure", t.number)]
    under = {thing: ev.kernel_list("squares_of", thing) for thing in standing}
    for sign, thing in zip(SIGNS, (thing for thing in standing if under[thing]), strict=False):
        at = [_column_and_row(view, square) for square in under[thing]]
        legend.append(f"{sign} {name_of(view, thing, seat)} ({at[0][0] + 1}, {at[0][1] + 1})")
        figures.update(dict.fromkeys(at, sign))
    if not squares:
        return []
    floor = set(squares)
    drawn = {*floor, *_rock(view, squares)}
    left, right = min(x for x, _ in drawn), max(x for x, _ in drawn)
    top, bottom = min(y for _, y in drawn), max(y for _, y in drawn)
    if right - left + 1 > width - 8:
        return []

    def sign_at(square: tuple[int, int]) -> str:
        if square in figures:
            return figures[square]
        return FLOOR if square in floor else ROCK if square in drawn else NOTHING

    across = range(left, right + 1)
    lines = {y: "".join(sign_at((x, y)) for x in across).rstrip() for y in range(top, bottom + 1)}
    columns = "".join(str(abs(x + 1) % 10) for x in across)
    tens = "".join("-" if x < -1 else str((x + 1) // 10) if x > 8 else " " for x in across).rstrip()
    rows = [f"{y + 1:>5} {line}" for y, line in lines.items()]
    return [
        *([Text(f"      {tens}", style="dim")] if tens else []),
        Text(f"      {columns}", style="dim"),
        *map(Text, rows),
        *(wrapped(Text("  " + "; ".join(legend)), width, 4) if legend else ()),
    ]


def _rock(view: View, floor: Sequence[tuple[int, int]]) -> set[tuple[int, int]]:
    """The columns and rows around some squares in which rock is drawn."""
    across, down = [x for x, _ in floor], [y for _, y in floor]
    return {
        (x, y)
        for y in range(min(down) - AROUND, max(down) + AROUND + 1)
        for x in range(min(across) - AROUND, max(across) + AROUND + 1)
        if view.evaluator.kernel("is_drawn", packed(x, y))
    }


def _column_and_row(view: View, square: int) -> tuple[int, int]:
    at = view.words.column("SQUARE_AT", square)
    return packed_x(at), packed_y(at)
