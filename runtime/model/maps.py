"""Maps of places: the plans that are always there, and those of chapters, as fixed tables.

A map has a number of places, called cells; a set of cells is a word of bits.
"""

from __future__ import annotations

from collections.abc import Iterable

from talewright.runtime.faults import LoadError, misfit
from talewright.runtime.model.world import World
from talewright.runtime.space.board import WALL, Board, cells_in
from talewright.runtime.space.errors import SpaceError
from talewright.runtime.space.squares import WAYS, way_between
from talewright.runtime.space.zones import ZoneTile, ring_to_zones, rows_to_zones, tiles_to_zones
from talewright.schemas.nodes.declared import ThingDeclaration
from talewright.schemas.nodes.literals import SetLiteral
from talewright.schemas.nodes.names import ThingRef
from talewright.schemas.nodes.operators import Pair
from talewright.schemas.nodes.things import PlanRows
from talewright.schemas.records import record

MOST_CELLS = 31
DIRECTIONS = {
    "north": (0, -1), "north_east": (1, -1), "east": (1, 0), "south_east": (1, 1), "south": (0, 1),
    "south_west": (-1, 1), "west": (-1, 0), "north_west": (-1, -1), "up": (0, -1), "down": (0, 1),
    "left_side": (-1, 0), "right_side": (1, 0),
}  # fmt: skip

Names = list[list[str]]
Pairs = list[tuple[str, str]]


@record(frozen=True)
class Map:
    """A map: its places in reading order, and what lies between them."""

    board: Board
    places: tuple[int, ...]

    def steps(self) -> list[int]:
        """For each cell the cells a step away."""
        return list(self.board.steps)

    def drawn_together(self) -> list[int]:
        """For each cell the cells drawn beside it, walls or not."""
        found = list(self.board.steps)
        for (here, there), mark in self.board.borders.items():
            if mark == WALL:
                found[here] |= 1 << there
        return found

    def distances(self) -> list[int]:
        """The steps between each two cells; -1 without a way."""
        return [steps for here in range(len(self.places)) for steps in self.board.distances(here)]

    def borders(self) -> list[str]:
        """What lies between each two cells; nothing where they are no neighbours."""
        count = len(self.places)
        return [self.board.border(here, there) or "" for here in range(count) for there in range(count)]

    def edges(self) -> int:
        """The cells at the edge of the map."""
        return sum(1 << cell for cell in range(len(self.places)) if self.board.on_edge(cell))

    def toward(self, direction: str) -> list[int]:
        """For each cell its neighbours whose middle lies further that way."""
        across, down = DIRECTIONS[direction]
        made = []
        for here in range(len(self.places)):
            x, y = self._middle(here)
            found = 0
            for there in cells_in(self.board.steps[here]):
                u, v = self._middle(there)
                if (u - x) * across + (v - y) * down > 0:
                    found |= 1 << there
            made.append(found)
        return made

    def ways(self) -> list[int]:
        """The way from each cell to each other one, counted from 1 clockwise from the north; 0 where there is none."""
        count = len(self.places)
        return [self._way(here, there) for here in range(count) for there in range(count)]

    def _way(self, here: int, there: int) -> int:
        """Places whose columns overlap lie above each other, those whose rows overlap beside each other."""
        first, second = self.board.squares[here], self.board.squares[there]
        if here == there or not first or not second:
            return 0
        across, down = (_side([s[axis] for s in first], [s[axis] for s in second]) for axis in (0, 1))
        if not across and not down:
            # One lies in a bend of the other: the way is the longer of the two between their middles.
            x, y = (b - a for a, b in zip(self._middle(here), self._middle(there), strict=True))
            across, down = (_sign(x), 0) if abs(x) > abs(y) else (0, _sign(y))
        found = way_between((0, 0), (across, down))
        return 0 if found is None else 1 + list(WAYS).index(found)

    def neighbours(self, way: str) -> list[int]:
        """For each cell the one a step away that way, counted from 1; 0 where there is none, or several."""
        found = (self.board.neighbour(cell, way) for cell in range(len(self.places)))
        return [0 if other is None else 1 + other for other in found]

    def _middle(self, cell: int) -> tuple[float, float]:
        squares = self.board.squares[cell] or ((0, 0),)
        return sum(x for x, _ in squares) / len(squares), sum(y for _, y in squares) / len(squares)

    def pieces(self) -> dict[int, int]:
        """The cells of each tile."""
        return {tile: cells for tile, cells in self.board.tiles.items() if isinstance(tile, int)}


def _side(first: list[int], second: list[int]) -> int:
    """On which side of some columns or rows others lie: 0 where they overlap."""
    return int(min(second) > max(first)) - int(max(second) < min(first))


def _sign(number: float) -> int:
    return int(number > 0) - int(number < 0)


def find_maps(world: World) -> dict[int, Map]:
    """The map that is always there, under 0, and the maps of chapters that have a plan."""
    always = [_board(world, _names(plan.rows), plan.ring, {}) for plan in world.content.plans]
    maps: dict[int, Map] = {}
    for thing in world.things:
        declared = thing.declaration
        if declared is None or not world.is_a(thing.kind, "Chapter"):
            continue
        rows = _plan_of(declared)
        if rows is not None:
            maps[thing.number] = _merged(world, [*always, _board(world, rows, False, _borders(declared))])
    if always or maps:
        maps[0] = _merged(world, always)
    return maps


def _names(rows: Iterable[Iterable[str | tuple[str, str]]]) -> Names:
    return [[entry if isinstance(entry, str) else "".join(entry) for entry in row] for row in rows]


def _plan_of(declared: ThingDeclaration) -> Names | None:
    for node in (declared.fields or {}).values():
        if isinstance(node, PlanRows):
            return _names(node.rows)
    return None


def _borders(declared: ThingDeclaration) -> dict[str, Pairs]:
    """The pairs of neighbours that a drawing marks, by the field that lists them; `walls` are walls."""
    found: dict[str, Pairs] = {}
    for name, node in (declared.fields or {}).items():
        if not isinstance(node, SetLiteral):
            continue
        pairs = [
            (item.left.id, item.right.id)
            for item in node.items
            if isinstance(item, Pair) and isinstance(item.left, ThingRef) and isinstance(item.right, ThingRef)
        ]
        if pairs:
            found[WALL if name in ("wall", "walls") else name] = pairs
    return found


def _board(world: World, names: Names, ring: bool, borders: dict[str, Pairs]) -> Board:
    known = {name.rstrip("<>^") for row in names for name in row if name != "."}
    try:
        if all(world.is_a(world.thing(world.number[name]).kind, "Place") for name in known):
            if ring:
                return ring_to_zones([name for row in names for name in row if name != "."])
            return rows_to_zones(names, borders)
        tiles = {name: _tile(world, name) for name in known}
        return tiles_to_zones(names, tiles, borders, world.number)
    except SpaceError as error:
        raise LoadError(f"a map cannot be drawn: {error}") from None
    except KeyError as error:
        raise misfit(f"a map names `{error.args[0]}`, which does not exist") from None


def _tile(world: World, name: str) -> ZoneTile:
    declared = world.thing(world.number[name]).declaration
    rows = None if declared is None else _plan_of(declared)
    if declared is None or rows is None:
        raise LoadError(f"`{name}` lies on a map but has no plan")
    closed = (declared.fields or {}).get("closed")
    sides = frozenset(
        item.id
        for item in (closed.items if isinstance(closed, SetLiteral) else ())
        if isinstance(item, ThingRef)
    )
    borders = {mark: tuple(pairs) for mark, pairs in _borders(declared).items()}
    return ZoneTile(tuple(tuple(row) for row in rows), sides, borders)


def _merged(world: World, boards: list[Board]) -> Map:
    """Several drawings as one map, far apart from each other."""
    if len(boards) == 1:
        return _checked(Map(boards[0], tuple(world.number[str(name)] for name in boards[0].names)))
    board = Board()
    places: list[int] = []
    for index, part in enumerate(boards):
        first = len(places)
        for name, squares in zip(part.names, part.squares, strict=True):
            try:
                board.add_cell(name, [(x + 10_000 * index, y) for x, y in squares])
            except SpaceError as error:
                raise LoadError(f"a map cannot be drawn: {error}") from None
            places.append(world.number[str(name)])
        for cell, ways in enumerate(part.steps):
            board.steps[first + cell] |= ways << first
        for (here, there), mark in part.borders.items():
            board.borders[first + here, first + there] = mark
        for tile, cells in part.tiles.items():
            board.tiles[tile] = cells << first
    return _checked(Map(board, tuple(places)))


def _checked(made: Map) -> Map:
    if len(made.places) > MOST_CELLS:
        raise LoadError(f"a map has more than {MOST_CELLS} places")
    return made
