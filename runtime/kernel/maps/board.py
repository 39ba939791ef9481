"""Maps of places. A set of places is a word of bits, one for each place of the map.

A map is a fixed block: how many places, which lie at the edge, the places, for each the cells a step away, the cells drawn
beside it, what lies between it and each other one, for each of twelve directions the neighbours that way, the way to each
other one, for each of eight ways the one neighbour, and for every thing the cells that it has.
"""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import call_table, lowest_bit
from talewright.runtime.kernel.components.containers import place_of, put_in, return_tokens
from talewright.runtime.kernel.maps.squares import way_of_direction
from talewright.runtime.kernel.memory import (
    BLOCKS,
    BOX,
    DIRTY,
    FIRST,
    FIRST_DIRECTION,
    MAP,
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
    NEXT,
    NO_MAP,
    NONE,
    ON_TABLE,
    OPEN_WAY,
    STACK_TOP,
    THINGS,
    TOKEN_CELL,
    WHERE,
    WIDTH,
    M,
)
from talewright.runtime.kernel.storage.lists import new_list, push

DIRECTIONS = 12


def cells(thing: int) -> int:
    """The cells of a place or tile, else of the place that a thing stands on."""
    if thing == 0:
        return 0
    found = M[M[MAP] + MAP_CELLS + thing]
    if found != 0 or M[ON_TABLE + thing] != 0:
        return found
    place = place_of(thing)
    if place == 0:
        return 0
    return M[M[MAP] + MAP_CELLS + place]


def cells_of_list(things: int) -> int:
    """The cells of all members of a list."""
    found = 0
    for i in range(M[things], 0, -1):
        found |= cells(M[things + i])
    return found


def cells_of_any(what: int) -> int:
    """The cells of a thing, or of all members of a list."""
    if what >= BLOCKS:
        return cells_of_list(what)
    return cells(what)


def first_cell(found: int) -> int:
    """The number of the lowest cell of a set, or -1."""
    if found == 0:
        return -1
    return lowest_bit(found)


def places_of(found: int) -> int:
    """The places of a set of cells, as a list."""
    made = new_list()
    while found != 0:
        push(made, M[M[MAP] + MAP_PLACE + lowest_bit(found)])
        found &= found - 1
    return made


def first_place(found: int) -> int:
    """The place of the lowest cell of a set, or none."""
    if found == 0:
        return 0
    return M[M[MAP] + MAP_PLACE + first_cell(found)]


def all_cells() -> int:
    """Every cell of the map."""
    return (1 << M[M[MAP] + MAP_COUNT]) - 1


def all_places() -> int:
    """Every place of the map, as a list."""
    return places_of(all_cells())


def beside(found: int) -> int:
    """The cells a step away from a set."""
    made = 0
    while found != 0:
        made |= M[M[MAP] + MAP_STEPS + lowest_bit(found)]
        found &= found - 1
    return made


def is_near(here: int, there: int) -> int:
    """Whether two sets of cells touch, or are one step apart."""
    if here == 0 or there == 0:
        return 0
    return (here & there) != 0 or (beside(here) & there) != 0


def is_adjacent(here: int, there: int) -> int:
    """Whether two sets of cells are one step apart."""
    if here == 0 or there == 0 or (here & there) != 0:
        return 0
    return (beside(here) & there) != 0


def cells_within(here: int, far: int) -> int:
    """The cells at most so many steps from a set, the set included."""
    reached = here
    while far > 0:
        further = reached | spread_by(0, 0, reached, reached)
        if further == reached:
            return reached
        reached = further
        far -= 1
    return reached


def places_within(here: int, far: int) -> int:
    """The places at most so many steps from a set of cells, those of the set included, as a list."""
    return places_of(cells_within(here, far))


def steps_between(here: int, there: int) -> int:
    """The steps of a shortest way between two sets of cells, or none."""
    return shortest(0, here, there, 0)


def places_toward(here: int, direction: int) -> int:
    """The neighbours of a set of cells that way, as a list."""
    made = 0
    if direction >= FIRST_DIRECTION and direction < FIRST_DIRECTION + DIRECTIONS:
        row = M[MAP] + MAP_TOWARD + (direction - FIRST_DIRECTION) * MAP_WIDTH
        while here != 0:
            made |= M[row + lowest_bit(here)]
            here &= here - 1
    return places_of(made)


def way_between(here: int, there: int) -> int:
    """The direction from one cell to another, or none."""
    a = first_cell(here)
    b = first_cell(there)
    if a < 0 or b < 0 or FIRST_DIRECTION > THINGS:
        return 0
    way = M[M[MAP] + MAP_WAY + a * MAP_WIDTH + b]
    if way == 0:
        return 0
    return FIRST_DIRECTION + way - 1


def neighbour_toward(here: int, direction: int) -> int:
    """The one place a step away in a direction, or none."""
    a = first_cell(here)
    way = way_of_direction(direction)
    if a < 0 or way < 0:
        return 0
    found = M[M[MAP] + MAP_NEIGHBOUR + way * MAP_WIDTH + a]
    if found == 0:
        return 0
    return M[M[MAP] + MAP_PLACE + found - 1]


def step_is_open(here: int, there: int) -> int:
    """Whether a step leads from one cell to another."""
    if here == 0:
        return 0
    # Of several cells, the lowest.
    lowest = there & (0 - there)
    return (M[M[MAP] + MAP_STEPS + first_cell(here)] & lowest) != 0


def border_between(here: int, there: int) -> int:
    """What lies between two cells; none if they are no neighbours."""
    a = first_cell(here)
    b = first_cell(there)
    if a < 0 or b < 0:
        return 0
    return M[M[MAP] + MAP_BORDER + a * MAP_WIDTH + b]


def at_edge(here: int) -> int:
    """Whether a cell lies at the edge of the map."""
    a = first_cell(here)
    if a < 0:
        return 0
    return (M[M[MAP] + MAP_EDGE] >> a) & 1


def spread_by(mover: int, way: int, layer: int, reached: int) -> int:
    """The cells one step further that a way of walking opens; without one, those that rules leave open."""
    if way == 0 and OPEN_WAY == 0:
        return beside(layer) & (-1 ^ reached)
    found = 0
    while layer != 0:
        here = lowest_bit(layer)
        onward = M[M[MAP] + MAP_BESIDE + here] & (-1 ^ (reached | found))
        while onward != 0:
            if step_opens(mover, way, here, lowest_bit(onward)) != 0:
                found |= onward & (0 - onward)
            onward &= onward - 1
        layer &= layer - 1
    return found


def step_opens(mover: int, way: int, here: int, there: int) -> int:
    """Whether a way of walking opens a step between two cells; without one, whether rules leave the step open."""
    start = M[M[MAP] + MAP_PLACE + here]
    end = M[M[MAP] + MAP_PLACE + there]
    if way != 0:
        return call_table(way, mover, start, end) == 1
    if OPEN_WAY != 0:
        return call_table(OPEN_WAY, start, end) == 1
    return (M[M[MAP] + MAP_STEPS + here] >> there) & 1


def steps_by(mover: int, goal: int, way: int) -> int:
    """The steps of a shortest way of a walker that a way of walking opens, or none."""
    return shortest(mover, cells(mover), goal, way)


def shortest(mover: int, here: int, goal: int, way: int) -> int:
    """The steps of a shortest way between two sets of cells, or none."""
    steps = 0
    reached = here
    while goal != 0 and here != 0:
        if (here & goal) != 0:
            return steps
        here = spread_by(mover, way, here, reached)
        reached |= here
        steps += 1
    return NONE


def layers_by(mover: int, here: int, goal: int, way: int) -> int:
    """The cells reached after each step until the goal is among them, as a list that begins with the first ones."""
    made = new_list()
    push(made, here)
    layer = here
    reached = here
    while layer != 0 and (layer & goal) == 0:
        layer = spread_by(mover, way, layer, reached)
        reached |= layer
        push(made, layer)
    return made


def before_on_way(mover: int, way: int, layer: int, ahead: int) -> int:
    """The cells of a layer from which a step leads to some others."""
    made = 0
    while layer != 0:
        here = lowest_bit(layer)
        onward = M[M[MAP] + MAP_BESIDE + here] & ahead
        while onward != 0:
            if step_opens(mover, way, here, lowest_bit(onward)) != 0:
                made |= 1 << here
                break
            onward &= onward - 1
        layer &= layer - 1
    return made


def roads(here: int, goal: int) -> int:
    """The places one step from a set of cells on the shortest ways to another one, as a list."""
    return first_steps(0, here, goal, 0)


def roads_by(mover: int, goal: int, way: int) -> int:
    """The same for a walker, and the ways that a way of walking opens."""
    return first_steps(mover, cells(mover), goal, way)


def first_steps(mover: int, here: int, goal: int, way: int) -> int:
    """The places one step further on the shortest ways, as a list."""
    if here == 0 or goal == 0 or (here & goal) != 0:
        return new_list()
    layers = layers_by(mover, here, goal, way)
    ahead = M[layers + M[layers]] & goal
    for i in range(M[layers] - 1, 1, -1):
        ahead = before_on_way(mover, way, M[layers + i], ahead)
    return places_of(ahead)


def along_by(mover: int, goal: int, limit: int, way: int) -> int:
    """The place of a walker after so many steps down a shortest way; none without a way."""
    here = cells(mover)
    if here == 0 or goal == 0:
        return 0
    top = M[STACK_TOP]
    layers = layers_by(mover, here, goal, way)
    last = M[layers]
    at = M[layers + last] & goal
    if limit < 0:
        limit = 0
    for i in range(last - 1, limit, -1):
        at = before_on_way(mover, way, M[layers + i], first_of(at))
    M[STACK_TOP] = top
    return first_place(at)


def first_of(found: int) -> int:
    """The lowest cell of a set, as a set."""
    return found & (0 - found)


def on_board(thing: int) -> int:
    """Whether a thing is a place of the map, or stands on one."""
    if thing == 0:
        return 0
    if M[M[MAP] + MAP_CELLS + thing] != 0:
        return 1
    where = M[WHERE + thing]
    if where == 0 or where > THINGS:
        return 0
    return M[M[MAP] + MAP_CELLS + where] != 0


def tokens_on_map(token: int) -> int:
    """How many tokens lie on places of the map."""
    total = 0
    for i in range(M[M[MAP] + MAP_COUNT]):
        cell = M[TOKEN_CELL + token * WIDTH + M[M[MAP] + MAP_PLACE + i]]
        if cell != 0:
            total += M[cell]
    return total


def places_with_token(token: int) -> int:
    """The places of the map on which a token lies, as a list."""
    made = new_list()
    for i in range(M[M[MAP] + MAP_COUNT]):
        place = M[M[MAP] + MAP_PLACE + i]
        cell = M[TOKEN_CELL + token * WIDTH + place]
        if cell != 0 and M[cell] > 0:
            push(made, place)
    return made


def clear_place(place: int) -> None:
    """Everything that stands on a place goes into the box, tokens included."""
    thing = M[FIRST + place]
    while thing != 0:
        following = M[NEXT + thing]
        put_in(thing, BOX, 0)
        thing = following
    return_tokens(place)


def clear_board() -> None:
    """Everything that stands on the map goes into the box; the map of a chapter is taken up."""
    for i in range(M[M[MAP] + MAP_COUNT]):
        clear_place(M[M[MAP] + MAP_PLACE + i])
    lay_map(NO_MAP)


def lay_map(block: int) -> None:
    """Makes a map the one that is played on."""
    M[MAP] = block
    M[DIRTY] = 1
