"""How far a figure gets: the spots that it can walk to by a movement, with what each costs and the way there."""

from __future__ import annotations

from talewright.runtime.kernel.maps.areas import ONE_SQUARE
from talewright.runtime.kernel.maps.movements import (
    BARRED,
    BLOCKED_BY,
    HALTS_AT,
    HELD,
    OCCUPIED,
    OWN,
    SWAPS,
    TRADED,
    TRADES_WITH,
    flag_things,
    flag_under,
    is_about,
    movement_flags,
    price_of,
    step_is_modified_open,
)
from talewright.runtime.kernel.maps.squares import (
    base_size,
    end_square,
    hash_slot,
    is_step,
    neighbour_by,
    neighbours_most,
    offset_under,
    square_at,
    square_under,
    way_step,
)
from talewright.runtime.kernel.maps.standing import SIZE, covers, is_stance, new_spot, next_figure
from talewright.runtime.kernel.memory import (
    BLOCKS,
    DIAGONAL,
    FIRST_SQUARE,
    HASH_MASK,
    LINK_COUNT,
    LINKS,
    OPEN_WAY,
    SQUARE_AT,
    STACK_TOP,
    STAND_AT,
    STAND_BASE,
    M,
    copy,
)
from talewright.runtime.kernel.storage.lists import finish, new_list, push, zeroed

# The parts of a stance that a walk can come to: order, where, cost, the one before, the next in order of cost.
KEY = 0
AT = 1
COST = 2
CAME_FROM = 3
AFTER = 4
STANCE_CELLS = 5


def reach(mover: int, limit: int, way: int) -> int:
    """The spots that a figure can walk to, cheapest first, with what each costs and the way there."""
    bottom = M[STACK_TOP]
    if mover == 0 or M[STAND_BASE + mover] == 0 or way < BLOCKS:
        return new_list()
    flags = movement_flags(mover, way)
    flag_occupied(flags, mover)
    flag_things(flags, way, HALTS_AT, mover, HELD)
    flag_swaps(flags, way, mover)
    base = M[STAND_BASE + mover]
    known = zeroed(HASH_MASK + 1)
    start = new_stance(base, M[STAND_AT + mover], 0, 0)
    M[known + hash_slot(M[start + AT])] = start
    here = start
    while here != 0:
        if here == start or holds(flags, way, mover, base, here) == 0:
            spread_walk(flags, known, way, mover, base, limit, here)
        here = M[here + AFTER]
    made = reached_spots(flags, base, start)
    # The list and its spots move down to where the stack began.
    count = M[STACK_TOP] - made
    gone = made - bottom
    copy(bottom, made, count)
    for i in range(1, M[bottom] + 1):
        M[bottom + i] -= gone
    M[STACK_TOP] = bottom + count
    return bottom


def flag_occupied(flags: int, mover: int) -> None:
    """Notes where the mover and all others stand."""
    flag_under(flags, mover, OWN)
    other = next_figure(0, mover)
    while other != 0:
        flag_under(flags, other, OCCUPIED)
        other = next_figure(other, mover)


def flag_swaps(flags: int, way: int, mover: int) -> None:
    """Notes the taken squares on which the mover trades places."""
    for square in range(FIRST_SQUARE, end_square()):
        found = M[flags + square - FIRST_SQUARE]
        if (
            (found & (OCCUPIED | BARRED)) != 0
            and (found & OWN) == 0
            and is_about(flags, way, TRADES_WITH, TRADED, mover, square) != 0
        ):
            M[flags + square - FIRST_SQUARE] |= SWAPS


def new_stance(base: int, at: int, cost: int, came: int) -> int:
    """A place that a walk can come to, on top of the stack."""
    made = M[STACK_TOP]
    M[STACK_TOP] = made + STANCE_CELLS
    M[made + KEY] = at
    if (base & SIZE) == ONE_SQUARE:
        M[made + KEY] = square_at(at)
    M[made + AT] = at
    M[made + COST] = cost
    M[made + CAME_FROM] = came
    M[made + AFTER] = 0
    return made


def holds(flags: int, way: int, mover: int, base: int, stance: int) -> int:
    """Whether a walk ends once it has come to a place."""
    for i in range(base_size(base)):
        square = square_under(base, M[stance + AT], i)
        if square != 0 and is_about(flags, way, HALTS_AT, HELD, mover, square) != 0:
            return 1
    return 0


def spread_walk(flags: int, known: int, way: int, mover: int, base: int, limit: int, here: int) -> None:
    """Goes on from a place by every step."""
    at = M[here + AT]
    if (base & SIZE) == ONE_SQUARE:
        square = square_at(at)
        for number in range(neighbours_most()):
            there = neighbour_by(square, number)
            if there != 0:
                try_step(flags, known, way, mover, base, limit, here, M[SQUARE_AT + there])
        return
    for direction in range(8):
        if can_shift(base, at, direction) != 0:
            try_step(flags, known, way, mover, base, limit, here, at + way_step(direction))
    for i in range(M[LINK_COUNT]):
        for side in range(2):
            if covers(base, at, M[LINKS + 2 * i + side]) != 0:
                step_through(flags, known, way, mover, base, limit, here, M[LINKS + 2 * i + 1 - side])


def step_through(
    flags: int, known: int, way: int, mover: int, base: int, limit: int, here: int, far: int
) -> None:
    """Goes on through a gate to every place that covers its far square."""
    for i in range(base_size(base) - 1, -1, -1):
        at = M[SQUARE_AT + far] - offset_under(base, i)
        if is_stance(base, at) != 0:
            try_step(flags, known, way, mover, base, limit, here, at)


def can_shift(base: int, at: int, direction: int) -> int:
    """Whether a base can move one step: no wall in the way, and the ground under it hangs together as it moves."""
    after = at + way_step(direction)
    if (DIAGONAL == 0 and direction % 2 != 0) or is_stance(base, after) == 0:
        return 0
    together = 0
    for i in range(base_size(base)):
        here = square_under(base, at, i)
        there = square_under(base, after, i)
        if here != 0 and there != 0 and is_step(here, there) == 0:
            return 0
        if here != 0 and together == 0:
            together = covers(base, after, here) != 0 or leads_under(base, after, here) != 0
    return together


def leads_under(base: int, at: int, square: int) -> int:
    """Whether a step leads from a square to one under a base."""
    for i in range(base_size(base)):
        if is_step(square, square_under(base, at, i)) != 0:
            return 1
    return 0


def try_step(flags: int, known: int, way: int, mover: int, base: int, limit: int, here: int, at: int) -> None:
    """Notes a place one step further, if it can be entered and nothing cheaper leads there."""
    before = M[here + AT]
    if at == before:
        return
    slot = known + hash_slot(at)
    old = M[slot]
    if old != 0 and M[old + COST] <= M[here + COST] + 1:
        return
    price = 1
    traded = 0
    for i in range(base_size(base)):
        square = square_under(base, at, i)
        if square != 0:
            if is_shut(flags, way, mover, square) != 0:
                return
            if covers(base, before, square) == 0:
                if (M[flags + square - FIRST_SQUARE] & SWAPS) != 0:
                    traded += 1
                cost = price_of(way, mover, square)
                if cost > price:
                    price = cost
                if OPEN_WAY != 0 and opens_from(base, before, square) == 0:
                    return
    if traded > 0 and traded > squares_left(base, before, at):
        return
    total = M[here + COST] + price
    if total > limit or (old != 0 and M[old + COST] <= total):
        return
    if old != 0:
        unlink_stance(here, old)
        M[old + COST] = total
        M[old + CAME_FROM] = here
    else:
        old = new_stance(base, at, total, here)
        M[slot] = old
    # Places wait in order of cost, then of their own.
    ahead = here
    while M[ahead + AFTER] != 0 and waits_longer(old, M[ahead + AFTER]) != 0:
        ahead = M[ahead + AFTER]
    M[old + AFTER] = M[ahead + AFTER]
    M[ahead + AFTER] = old


def waits_longer(stance: int, other: int) -> int:
    """Whether a place comes after another one."""
    if M[stance + COST] != M[other + COST]:
        return M[stance + COST] > M[other + COST]
    return M[stance + KEY] > M[other + KEY]


def unlink_stance(before: int, stance: int) -> None:
    """Takes a place out of those that wait."""
    while M[before + AFTER] != stance:
        before = M[before + AFTER]
    M[before + AFTER] = M[stance + AFTER]


def is_shut(flags: int, way: int, mover: int, square: int) -> int:
    """Whether a walk cannot enter a square: one's own and those where places are traded are always open."""
    found = M[flags + square - FIRST_SQUARE]
    if (found & (OWN | SWAPS)) != 0:
        return 0
    if M[way + BLOCKED_BY] == 0:
        return (found & OCCUPIED) != 0
    return is_about(flags, way, BLOCKED_BY, BARRED, mover, square)


def opens_from(base: int, at: int, square: int) -> int:
    """Whether a square, if it is next to a base at all, can be stepped on from under it."""
    beside = 0
    for i in range(base_size(base)):
        here = square_under(base, at, i)
        if is_step(here, square) != 0:
            beside = 1
            if step_is_modified_open(here, square) != 0:
                return 1
    return beside == 0


def squares_left(base: int, before: int, after: int) -> int:
    """How many squares a base leaves that moves from one place to another."""
    left = 0
    for i in range(base_size(base)):
        square = square_under(base, before, i)
        if square != 0 and covers(base, after, square) == 0:
            left += 1
    return left


def reached_spots(flags: int, base: int, start: int) -> int:
    """The places that a walk can end on as a list of spots on top of the stack, in their order."""
    made = new_list()
    here = start
    while here != 0:
        if can_end(flags, base, here) != 0:
            push(made, here)
        here = M[here + AFTER]
    for i in range(1, M[made] + 1):
        stance = M[made + i]
        M[made + i] = new_spot(base, M[stance + AT], M[stance + COST])
        add_route(M[made + i], stance)
    return made


def can_end(flags: int, base: int, stance: int) -> int:
    """Whether a walk can end on a place: not where others stand, unless the mover trades places."""
    for i in range(base_size(base)):
        square = square_under(base, M[stance + AT], i)
        if square != 0:
            found = M[flags + square - FIRST_SQUARE]
            if (found & OCCUPIED) != 0 and (found & (OWN | SWAPS)) == 0:
                return 0
    return 1


def add_route(spot: int, stance: int) -> None:
    """Adds the places on the way to a spot, without the first one."""
    length = 0
    here = stance
    while M[here + CAME_FROM] != 0:
        length += 1
        here = M[here + CAME_FROM]
    M[spot] += length
    finish(spot)
    here = stance
    i = M[spot]
    while M[here + CAME_FROM] != 0:
        M[spot + i] = M[here + AT]
        i -= 1
        here = M[here + CAME_FROM]
