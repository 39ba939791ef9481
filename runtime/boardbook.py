"""The part of a generated program that knows the map: adjacency, ways, staging.

Like the kernel, it runs inside the name space of a game, but only if the document has places on a plan.
Places are things; a place on the map has a cell. Squares of a grid are no things: they are `Cell` numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from talewright.runtime.charts import Cell, open_neighbours
from talewright.runtime.faults import Fault
from talewright.runtime.space import Board, Cells, Movement, Spot, cells_in, is_adjacent, on_edge
from talewright.runtime.space import adjacent as cells_adjacent
from talewright.runtime.space import along as cells_along
from talewright.runtime.space import area as cells_area
from talewright.runtime.space import border as cells_border
from talewright.runtime.space import distance as cells_distance
from talewright.runtime.space import neighbour as cell_neighbour
from talewright.runtime.space import steps as cells_steps
from talewright.runtime.space import way as cells_way
from talewright.runtime.space import within as cells_within

if TYPE_CHECKING:
    from talewright.runtime.bookspace import (
        BOX,
        GAME,
        ITEMS,
        LOC,
        OCCUPANTS,
        PLACE_OF_PILE,
        PLACE_ORDER,
        SUPPLY,
        TITLES,
        TOKENS,
        S,
    )
    from talewright.runtime.deckbook import put_token
    from talewright.runtime.rulebook import core_action, gain_trait, look_again, uninstall
    from talewright.runtime.thingbook import inside, prop_place, put_in, some_copies

BOARD: Board
CELL: dict[int, int]
PLACE_AT: list[int]
STANDS: dict[int, Spot]
JOINT_AT: dict[int, Any]
MAPS: dict[int | None, tuple[Any, list[int]]]
CASTS: dict[int, list[Any]]
CAST: list[int]
PLACE_LISTS: list[list[int]]
STAGED: int
GRIDS: set[int]
THING_IDS: list[str]
STATIONED: bool

FIXED_WAYS: set[Any]

FAR = 10**9
MOST_KNOWN = 10_000
KNOWN_STEPS: dict[tuple[int, Any, Cells], dict[int, int]] = {}


# ------------------------------------------------------------------ places, cells and sets of cells
def cells_of(what: Any) -> Cells:
    """The cells of anything that is somewhere: a thing, a cell, a spot, an area or a set of these."""
    if isinstance(what, int) and type(what) is not Cell:
        spot = STANDS.get(what)
        if spot is not None:
            return spot.cells
        cell = CELL.get(what)
        if cell is not None:
            return 1 << cell
        if what in BOARD.chart.pieces:
            return BOARD.chart.pieces[what].cells
        if what in JOINT_AT:
            return joint_cells(what)
        if what in GRIDS:
            return BOARD.chart.everywhere
        if not PLACE_AT:
            return 0
        place = prop_place(what)
        return 0 if place is None or place == what or place in GRIDS else cells_of(place)
    if what is None:
        return 0
    if isinstance(what, Cell):
        return 1 << what
    if isinstance(what, Spot):
        return what.cells
    if isinstance(what, str):
        return BOARD.chart.everywhere
    found = 0
    for item in what:
        found |= cells_of(item)
    return found


def joint_cells(joint: int) -> Cells:
    piece, mark = JOINT_AT[joint]
    laid = BOARD.chart.pieces.get(piece)
    if laid is None or mark not in laid.joints:
        return 0
    found = 0
    for cell in laid.joints[mark].cells:
        found |= 1 << cell
    return found


def cell_values(cells: Cells) -> list[Any]:
    """Cells as Tale knows them: the places of a plan, or squares."""
    if PLACE_AT:
        return [PLACE_AT[c] for c in cells_in(cells)]
    return [Cell(c) for c in cells_in(cells)]


def one_cell(what: Any) -> int | None:
    cells = cells_of(what)
    return (cells & -cells).bit_length() - 1 if cells else None


# ------------------------------------------------------------------ questions
inside_places = inside


def inside(thing: Any, where: Any) -> bool:  # type: ignore[no-redef]
    """Whether a thing stands in a place, or on a tile of the map."""
    if isinstance(where, int) and type(where) is not Cell and where in BOARD.chart.pieces:
        return bool(cells_of(thing) & cells_of(where))
    return bool(inside_places(thing, where))


def near(a: Any, b: Any) -> bool:
    """In one place, or a step away."""
    here, there = cells_of(a), cells_of(b)
    return bool(here & there) or bool(here and there and cells_adjacent(BOARD, here) & there)


def adjacent(a: Any, b: Any) -> bool:
    here, there = cells_of(a), cells_of(b)
    return bool(here and there) and is_adjacent(BOARD, here, there)


def within(a: Any, far: int, b: Any) -> bool:
    here, there = cells_of(a), cells_of(b)
    return bool(here and there) and bool(cells_within(BOARD, there, far) & here)


def core_distance(a: Any, b: Any, way: Any = None) -> int | None:
    here, there = cells_of(a), cells_of(b)
    if not here or not there:
        return None
    if way in FIXED_WAYS:
        return fixed_distance(here, there, way)
    if callable(way):
        return steps_by(a, here, there, way)
    return cells_distance(BOARD, here, there, None if way is None else movement_of(way, a))


def core_steps(a: Any, b: Any, way: Any = None) -> Any:
    """With two arguments the next cells on a shortest way; with a way, how many steps it takes."""
    if way is not None:
        return core_distance(a, b, way)
    here = cells_of(a)
    if not here:
        return []
    if isinstance(b, int) and THING_IDS[b] in DIRECTIONS:
        return cell_values(toward(here, THING_IDS[b]))
    there = cells_of(b)
    return cell_values(cells_steps(BOARD, here, there)) if there else []


DIRECTIONS = {
    "north": (0, -1), "north_east": (1, -1), "east": (1, 0), "south_east": (1, 1), "south": (0, 1),
    "south_west": (-1, 1), "west": (-1, 0), "north_west": (-1, -1), "up": (0, -1), "down": (0, 1),
    "left_side": (-1, 0), "right_side": (1, 0),
}  # fmt: skip


def toward(here: Cells, direction: str) -> Cells:
    """The neighbours whose middle lies further that way."""
    across, down = DIRECTIONS[direction]
    found = 0
    for start in cells_in(here):
        x, y = middle(start)
        for cell in cells_in(cells_adjacent(BOARD, here)):
            u, v = middle(cell)
            if (u - x) * across + (v - y) * down > 0:
                found |= 1 << cell
    return found


def middle(cell: int) -> tuple[float, float]:
    squares = BOARD.chart.squares[cell] or ((0, 0),)
    return sum(x for x, _ in squares) / len(squares), sum(y for _, y in squares) / len(squares)


def steps_by(mover: Any, here: Cells, goal: Cells, way: Callable[..., Any]) -> int | None:
    """The steps of a shortest way on which the mover's own rule opens every step."""
    if here & goal:
        return 0
    layer = cells_in(here)
    reached, count = here, 0
    while layer:
        count += 1
        layer, reached = spread_by(mover, layer, reached, way)
        for cell in layer:
            if goal >> cell & 1:
                return count
    return None


def fixed_distance(here: Cells, goal: Cells, way: Callable[..., Any]) -> int | None:
    """The same for a way that depends on the map alone: worked out once, it holds as long as the map."""
    key = (BOARD.version, way, here)
    steps = KNOWN_STEPS.get(key)
    if steps is None:
        if len(KNOWN_STEPS) > MOST_KNOWN:
            KNOWN_STEPS.clear()
        steps = KNOWN_STEPS[key] = {}
        layer, reached, count = cells_in(here), here, 0
        while layer:
            steps.update(dict.fromkeys(layer, count))
            layer, reached = spread_by(None, layer, reached, way)
            count += 1
    return min((steps[cell] for cell in cells_in(goal) if cell in steps), default=None)


def spread_by(
    mover: Any, layer: list[int], reached: Cells, way: Callable[..., Any]
) -> tuple[list[int], Cells]:
    """The cells one open step further, and all that have been reached."""
    found: list[int] = []
    ways = open_neighbours(BOARD.chart)
    value = PLACE_AT.__getitem__ if PLACE_AT else Cell
    for cell in layer:
        for other in ways[cell]:
            if not reached >> other & 1 and way(mover, value(cell), value(other)):
                reached |= 1 << other
                found.append(other)
    return found, reached


def core_roads(mover: Any, goal: Any, way: Callable[..., Any]) -> list[Any]:
    """All first steps of the shortest ways on which the mover's own rule opens every step."""
    here, there = cells_of(mover), cells_of(goal)
    if not here or not there or here & there:
        return []
    layers = [cells_in(here)]
    reached = here
    while layers[-1] and not any(there >> cell & 1 for cell in layers[-1]):
        layer, reached = spread_by(mover, layers[-1], reached, way)
        layers.append(layer)
    ahead = [cell for cell in layers[-1] if there >> cell & 1]
    value = PLACE_AT.__getitem__ if PLACE_AT else Cell
    ways = open_neighbours(BOARD.chart)
    for layer in reversed(layers[1:-1]):
        ahead = [c for c in layer if any(n in ways[c] and way(mover, value(c), value(n)) for n in ahead)]
    found = 0
    for cell in ahead:
        found |= 1 << cell
    return cell_values(found)


def core_along(mover: Any, goal: Any, limit: int, way: Any) -> Any:
    """Where the mover is after so many steps down a shortest way; none without a way."""
    here, there = cells_of(mover), cells_of(goal)
    if not here or not there:
        return None
    if not callable(way):
        cell = cells_along(
            BOARD,
            (here & -here).bit_length() - 1,
            there,
            limit,
            None if way is None else movement_of(way, mover),
        )
        return None if cell is None else cell_values(1 << cell)[0]
    layers = [cells_in(here)]
    reached = here
    while layers[-1] and not any(there >> cell & 1 for cell in layers[-1]):
        layer, reached = spread_by(mover, layers[-1], reached, way)
        layers.append(layer)
    if not layers[-1]:
        return None
    # Back from the goal along the layers, always by the first cell that opens the step.
    cell = min(c for c in layers[-1] if there >> c & 1)
    route = [cell]
    value = PLACE_AT.__getitem__ if PLACE_AT else Cell
    ways = open_neighbours(BOARD.chart)
    for layer in reversed(layers[:-1]):
        cell = next(c for c in sorted(layer) if cell in ways[c] and way(mover, value(c), value(cell)))
        route.append(cell)
    route.reverse()
    return value(route[min(max(limit, 0), len(route) - 1)])


def core_border(a: Any, b: Any) -> str | None:
    here, there = one_cell(a), one_cell(b)
    return None if here is None or there is None else cells_border(BOARD, here, there)


def core_open(a: Any, b: Any) -> bool:
    here, there = CELL.get(a), CELL.get(b)
    if here is None or there is None:
        here, there = one_cell(a), one_cell(b)
    return here is not None and there is not None and bool(BOARD.chart.steps[here] >> there & 1)


def core_way(a: Any, b: Any) -> int | None:
    here, there = one_cell(a), one_cell(b)
    found = None if here is None or there is None else cells_way(BOARD, here, there)
    return THING_IDS.index(found) if found in THING_IDS else None


def core_neighbour(cell: Any, direction: int | None) -> Any:
    here = one_cell(cell)
    if here is None or direction is None:
        return None
    found = cell_neighbour(BOARD, here, THING_IDS[direction])
    return None if found is None else cell_values(1 << found)[0]


def core_area(what: Any, size: int) -> list[Any]:
    return cell_values(cells_area(BOARD, cells_of(what), size))


def prop_edge(place: Any) -> bool:
    cell = one_cell(place)
    return cell is not None and on_edge(BOARD, cell)


def core_spots(what: Any) -> list[Any]:
    """Of a token: the places that hold one. Of a figure: where it could stand."""
    if isinstance(what, str):
        column = TOKENS[what]
        return [place for place in PLACE_ORDER if column[place]]
    return free_spots(what)


def free_spots(figure: Any) -> list[Any]:
    del figure
    return cell_values(BOARD.chart.everywhere)


def movement_of(rules: Any, mover: Any) -> Movement:
    """A movement of the document for one mover, as the search for ways wants it."""
    return rules(mover)  # type: ignore[no-any-return]


# ------------------------------------------------------------------ staging
def lay_map(key: int | None) -> None:
    """Makes the plan of a chapter, or the plan that is always there, the map."""
    chart, places = MAPS[key]
    BOARD.restore(chart)
    PLACE_AT[:] = places
    CELL.clear()
    CELL.update({place: cell for cell, place in enumerate(places)})
    PLACE_ORDER.clear()
    PLACE_ORDER.update(CELL)
    for things in PLACE_LISTS:
        things.sort(key=reading_order)
    S[STAGED] = key


def reading_order(thing: int) -> tuple[int, int]:
    return PLACE_ORDER.get(thing, FAR), thing


def stage(chapter: int | None) -> None:
    """Lays a chapter's map and puts its cast in place."""
    if chapter is None:
        return
    if chapter in MAPS:
        clear_area("area:board")
        lay_map(chapter)
    for place, groups, traits, fields, entries in CASTS.get(chapter, ()):
        set_cast(place(), groups, traits, fields, entries)


def set_cast(place: int | None, groups: Iterable[Any], traits: Any, fields: Any, entries: Any) -> None:
    """One line of a cast: who and what comes where, with which traits, fields and rules."""
    for count, thing, sort, token in groups:
        if token is not None:
            put_token(count, token, place)
            continue
        for figure in [thing] if thing is not None else some_copies(sort, count):
            if figure not in CAST:
                CAST.append(figure)
            station(figure, place)
            for trait in traits(figure) if traits is not None else ():
                gain_trait(figure, trait)
            if fields is not None:
                fields(figure)
            if entries is not None:
                GAME.cast_rules(figure, entries)
    look_again("traits")


def station(figure: int, place: int | None) -> None:
    if STATIONED:
        core_action("station", ("first", "at"), (figure, place), station_plainly)
    else:
        station_plainly(figure, place)


def station_plainly(figure: int, place: int | None) -> None:
    put_in(figure, None if place is None else OCCUPANTS.get(place))


def clear_area(area: Any) -> None:
    """Everything that stands on the map goes back into the box, tokens included."""
    places = list(PLACE_ORDER) if isinstance(area, str) else [area]
    for place in places:
        for thing in list(ITEMS[OCCUPANTS[place]]) if place in OCCUPANTS else ():
            put_in(thing, BOX)
        for token, column in TOKENS.items():
            if column[place]:
                SUPPLY[token] += column[place]
                column[place] = 0
    if isinstance(area, str) and S[STAGED] is not None:
        lay_map(None)


def drop_cast() -> None:
    """The cast of a chapter that is over: its traits, fields and rules go."""
    for figure in CAST:
        GAME.drop_cast(figure)
    CAST.clear()


def tokens_on_map(token: str) -> int:
    column = TOKENS[token]
    return sum(column[place] for place in PLACE_ORDER)


__all__ = ["FAR", "LOC", "PLACE_OF_PILE", "TITLES", "Fault", "uninstall"]
