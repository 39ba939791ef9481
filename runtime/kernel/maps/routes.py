"""Ways over squares: what they cost, and the squares that lie on the cheapest."""

from __future__ import annotations

from talewright.runtime.kernel.maps.areas import squares_meet, squares_of
from talewright.runtime.kernel.maps.movements import is_closed, movement_flags, price_of, step_leads
from talewright.runtime.kernel.maps.squares import neighbour_by, neighbours_most
from talewright.runtime.kernel.memory import (
    BLOCKS,
    FIELD_LAST,
    FIELDS,
    FIELDS_MADE,
    FIRST_SQUARE,
    NONE,
    OPEN_WAY,
    SQUARE_COUNT,
    SQUARES_MOST,
    STACK_TOP,
    M,
    copy,
)
from talewright.runtime.kernel.storage.heap import SHAPE_FLAT, same_blocks
from talewright.runtime.kernel.storage.lists import filled, finish, insert, new_list, push, zeroed

# So many fields are kept while the map stays as it is: the squares they lead to, at most so many, then their costs.
MOST_FIELDS = 8
MOST_GOALS = 64
FIELD_COSTS = MOST_GOALS + 1
FIELD_CELLS = FIELD_COSTS + SQUARES_MOST


def ways_field(sources: int, mover: int, way: int, forward: int, flags: int) -> int:
    """What it costs to get from each square to some squares, or from them (forward); -1 where no way leads.

    The result lies on top of the stack, a cell for each square.
    """
    count = M[SQUARE_COUNT]
    costs = filled(count, -1)
    # Squares wait in a chain; one to which a cheaper way is found later waits again.
    after = zeroed(count)
    first = 0
    last = 0
    for i in range(1, M[sources] + 1):
        M[costs + M[sources + i] - FIRST_SQUARE] = 0
        if first == 0:
            first = M[sources + i]
        else:
            M[after + last - FIRST_SQUARE] = M[sources + i]
        last = M[sources + i]
    here = first
    while here != 0:
        if way < BLOCKS or is_closed(flags, way, mover, here) == 0:
            total = M[costs + here - FIRST_SQUARE] + price_of(way, mover, here)
            for number in range(neighbours_most()):
                there = neighbour_by(here, number)
                if there != 0:
                    known = M[costs + there - FIRST_SQUARE]
                    start = here if forward != 0 else there
                    end = there if forward != 0 else here
                    if (known < 0 or known > total) and step_leads(mover, way, start, end) != 0:
                        M[costs + there - FIRST_SQUARE] = total
                        if there != last and M[after + there - FIRST_SQUARE] == 0:
                            M[after + last - FIRST_SQUARE] = there
                            last = there
        following = M[after + here - FIRST_SQUARE]
        M[after + here - FIRST_SQUARE] = 0
        here = following
    M[STACK_TOP] = after
    return costs


def lowest_cost(costs: int, squares: int) -> int:
    """The least cost of some squares, or none."""
    best = NONE
    for i in range(1, M[squares] + 1):
        cost = M[costs + M[squares + i] - FIRST_SQUARE]
        if cost >= 0 and (best == NONE or cost < best):
            best = cost
    return best


def squares_apart(here: int, there: int) -> int:
    """The steps of a shortest way between two lists of squares, or none.

    Steps lead both ways: the costs from a list are kept, and serve whoever asks for the way to it or from it.
    """
    if M[here] == 0 or M[there] == 0:
        return NONE
    if OPEN_WAY != 0:
        return cheapest(0, here, there, 0)
    kept = M[FIELDS_MADE]
    if kept > MOST_FIELDS:
        kept = MOST_FIELDS
    for i in range(kept):
        field = FIELDS + i * FIELD_CELLS
        if same_blocks(field, there, SHAPE_FLAT) != 0:
            return lowest_cost(field + FIELD_COSTS, here)
        if same_blocks(field, here, SHAPE_FLAT) != 0:
            return lowest_cost(field + FIELD_COSTS, there)
    # Whoever asked from here before may ask from here again.
    goal = there
    if M[FIELD_LAST] == M[here + 1] and M[here] <= M[there]:
        goal = here
    M[FIELD_LAST] = M[here + 1]
    top = M[STACK_TOP]
    costs = ways_field(goal, 0, 0, 0, 0)
    if M[goal] <= MOST_GOALS:
        # What was kept longest makes room.
        field = FIELDS + M[FIELDS_MADE] % MOST_FIELDS * FIELD_CELLS
        copy(field, goal, M[goal] + 1)
        copy(field + FIELD_COSTS, costs, M[SQUARE_COUNT])
        M[FIELDS_MADE] += 1
    found = lowest_cost(costs, here)
    if goal == here:
        found = lowest_cost(costs, there)
    M[STACK_TOP] = top
    return found


def squares_by(mover: int, there: int, way: int) -> int:
    """What the cheapest way of a walker costs that a way of walking opens, or none."""
    top = M[STACK_TOP]
    found = cheapest(mover, squares_of(mover), there, way)
    M[STACK_TOP] = top
    return found


def cheapest(mover: int, here: int, there: int, way: int) -> int:
    """What the cheapest way between two lists of squares costs, or none."""
    if M[here] == 0 or M[there] == 0:
        return NONE
    top = M[STACK_TOP]
    flags = movement_flags(mover, way)
    found = lowest_cost(ways_field(there, mover, way, 0, flags), here)
    M[STACK_TOP] = top
    return found


def add_steps(made: int, costs: int, flags: int, mover: int, way: int, here: int) -> None:
    """Adds the squares on the cheapest ways, one step from some others, to the list on top of the stack."""
    best = lowest_cost(costs, here)
    if best == NONE or best == 0:
        return
    for i in range(1, M[here] + 1):
        square = M[here + i]
        if M[costs + square - FIRST_SQUARE] == best:
            for number in range(neighbours_most()):
                there = neighbour_by(square, number)
                if there != 0 and is_next(costs, flags, mover, way, square, there) != 0:
                    insert(made, there)


def is_next(costs: int, flags: int, mover: int, way: int, here: int, there: int) -> int:
    """Whether a step leads from one square to a neighbour that lies on a cheapest way."""
    left = M[costs + there - FIRST_SQUARE]
    if left < 0 or left + price_of(way, mover, there) != M[costs + here - FIRST_SQUARE]:
        return 0
    if way >= BLOCKS and is_closed(flags, way, mover, there) != 0:
        return 0
    return step_leads(mover, way, here, there)


def square_roads(here: int, there: int) -> int:
    """The squares on the shortest ways from some squares to others, one step from the first, as a list."""
    return next_squares(0, here, there, 0)


def square_roads_by(mover: int, there: int, way: int) -> int:
    """The same for a walker, and the cheapest ways that a way of walking opens."""
    return next_squares(mover, squares_of(mover), there, way)


def next_squares(mover: int, here: int, there: int, way: int) -> int:
    """The squares one step further on the cheapest ways, as a list."""
    bottom = M[STACK_TOP]
    if M[here] == 0 or M[there] == 0 or squares_meet(here, there) != 0:
        return new_list()
    flags = movement_flags(mover, way)
    costs = ways_field(there, mover, way, 0, flags)
    made = new_list()
    add_steps(made, costs, flags, mover, way, here)
    copy(bottom, made, M[made] + 1)
    return finish(bottom)


def square_along(mover: int, there: int, limit: int, way: int) -> int:
    """The square of a walker after so many steps, or so much cost, down a shortest way; none without a way."""
    top = M[STACK_TOP]
    here = squares_of(mover)
    found = 0
    if M[here] != 0 and M[there] != 0:
        if way > 0 and way < BLOCKS:
            found = along_open(mover, here, there, limit, way)
        else:
            found = along_cheapest(mover, M[here + 1], there, limit, way)
    M[STACK_TOP] = top
    return found


def along_cheapest(mover: int, here: int, there: int, limit: int, way: int) -> int:
    """The same for a movement: always on to the first of the next squares, while the limit lasts."""
    flags = movement_flags(mover, way)
    costs = ways_field(there, mover, way, 0, flags)
    if M[costs + here - FIRST_SQUARE] < 0:
        return 0
    start = new_list()
    push(start, here)
    left = limit
    while left >= 0:
        M[start + 1] = here
        finish(start)
        steps = new_list()
        add_steps(steps, costs, flags, mover, way, start)
        if M[steps] == 0:
            return here
        step = M[steps + 1]
        left -= price_of(way, mover, step)
        if left >= 0:
            here = step
    return here


def along_open(mover: int, here: int, there: int, limit: int, way: int) -> int:
    """The same for a way of walking that opens steps: back from the goal, always by the first square that leads on."""
    costs = ways_field(here, mover, way, 1, 0)
    best = lowest_cost(costs, there)
    if best == NONE:
        return 0
    at = 0
    for i in range(M[there], 0, -1):
        if M[costs + M[there + i] - FIRST_SQUARE] == best:
            at = M[there + i]
    if limit < 0:
        limit = 0
    while best > limit:
        best -= 1
        found = 0
        for number in range(neighbours_most()):
            before = neighbour_by(at, number)
            leads = (
                before != 0 and M[costs + before - FIRST_SQUARE] == best and (found == 0 or before < found)
            )
            if leads and step_leads(mover, way, before, at) != 0:
                found = before
        at = found
    return at
