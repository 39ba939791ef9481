"""Maps of places: the plans that are always there, and those of chapters, as fixed blocks.

A map has a number of places, called cells; a set of cells is a word of bits.
"""

from __future__ import annotations

from collections.abc import Iterable

from talewright.runtime.faults import LoadError, misfit
from talewright.runtime.kernel.memory import (
    MAP_BESIDE,
    MAP_BORDER,
    MAP_CELLS,
    MAP_COUNT,
    MAP_EDGE,
    MAP_NEIGHBOUR,
    MAP_PLACE,
    MAP_STEPS,
    MAP_TOWARD,
    MAP_WAY,
    MAP_WIDTH,
)
from talewright.runtime.model.layout import Layout
from talewright.runtime.model.world import World
from talewright.runtime.space.board import WALL, Board
from talewright.runtime.space.errors import PlanError
from talewright.runtime.space.squares import WAYS, Square
from talewright.runtime.space.zones import ZoneTile, draw_ring, draw_rows, draw_tiles
from talewright.schemas.nodes.declared import ThingDeclaration
from talewright.schemas.nodes.literals import SetLiteral
from talewright.schemas.nodes.names import ThingRef
from talewright.schemas.nodes.operators import Pair
from talewright.schemas.nodes.things import PlanRows

MOST_CELLS = MAP_WIDTH - 1
DIRECTIONS: dict[str, Square] = {
    **WAYS, "up": WAYS["north"], "down": WAYS["south"], "left_side": WAYS["west"], "right_side": WAYS["east"],
}  # fmt: skip
# Drawings that are laid out together lie so far apart.
APART = 10_000

Names = list[list[str]]
Pairs = list[tuple[str, str]]


# ------------------------------------------------------------------ blocks
def places_of(world: World, board: Board) -> list[int]:
    """The places of a map in reading order."""
    return [world.number[name] for name in board.names]


def map_block(layout: Layout, board: Board) -> int:
    """A map as a fixed block, as `kernel/maps/board.py` reads it."""
    places = places_of(layout.world, board)
    every = range(len(places))
    cells = [0] * (MAP_CELLS + layout.width)

    def table(at: int, entries: Iterable[int]) -> None:
        """An entry for each place; there is room for the largest map."""
        cells[at : at + len(places)] = entries

    cells[MAP_COUNT] = len(places)
    cells[MAP_EDGE] = sum(1 << cell for cell in every if board.on_edge(cell))
    table(MAP_PLACE, places)
    table(MAP_STEPS, board.steps)
    table(MAP_BESIDE, (board.drawn_beside(cell) for cell in every))
    for here in every:
        marks = [board.border(here, there) for there in every]
        table(MAP_BORDER + here * MAP_WIDTH, (layout.word(mark) if mark else 0 for mark in marks))
        ways = [board.way(here, there) for there in every]
        table(MAP_WAY + here * MAP_WIDTH, (1 + list(WAYS).index(way) if way else 0 for way in ways))
    for number, offset in enumerate(DIRECTIONS.values()):
        table(MAP_TOWARD + number * MAP_WIDTH, (board.toward(cell, offset) for cell in every))
    for number, way in enumerate(WAYS):
        beside = [board.neighbour(cell, way) for cell in every]
        table(MAP_NEIGHBOUR + number * MAP_WIDTH, (0 if other is None else 1 + other for other in beside))
    for cell, place in enumerate(places):
        cells[MAP_CELLS + place] |= 1 << cell
    for tile, covered in board.tiles.items():
        cells[MAP_CELLS + layout.world.number[tile]] |= covered
    return layout.fixed(cells)


# ------------------------------------------------------------------ drawing
def find_maps(world: World) -> dict[int, Board]:
    """The map that is always there, under 0, and the maps of chapters that have a plan."""
    maps = {
        thing.number: _drawn(world, thing.declaration)
        for thing in world.things
        if thing.declaration is not None
        and world.is_a(thing.kind, "Chapter")
        and _plan_of(thing.declaration) is not None
    }
    if world.content.plans or maps:
        maps[0] = _drawn(world, None)
    return maps


def _drawn(world: World, chapter: ThingDeclaration | None) -> Board:
    """What is always there, and what a chapter adds."""
    board = Board()
    rows = None if chapter is None else _plan_of(chapter)
    try:
        for number, plan in enumerate(world.content.plans):
            _draw(world, board, _names(plan.rows), plan.ring, {}, number * APART)
        if chapter is not None and rows is not None:
            _draw(world, board, rows, False, _borders(chapter), len(world.content.plans) * APART)
    except PlanError as error:
        raise LoadError(f"a map cannot be drawn: {error}") from None
    except KeyError as error:
        raise misfit(f"a map names `{error.args[0]}`, which does not exist") from None
    if len(board.names) > MOST_CELLS:
        raise LoadError(f"a map has more than {MOST_CELLS} places")
    return board


def _draw(world: World, board: Board, names: Names, ring: bool, borders: dict[str, Pairs], left: int) -> None:
    """Draws places in rows or in a ring, or tiles, from a column on."""
    known = {name.rstrip("<>^") for row in names for name in row if name != "."}
    if not all(world.is_a(world.thing(world.number[name]).kind, "Place") for name in known):
        draw_tiles(board, names, {name: _tile(world, name) for name in known}, borders, left)
    elif ring:
        draw_ring(board, [name for row in names for name in row if name != "."])
    else:
        draw_rows(board, names, borders, left)


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
