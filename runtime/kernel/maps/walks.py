"""Figures on a map of squares: where a base can stand, how far a figure gets, and the ways over squares.

A base is packed: width, height times 256, and how many of its squares may stick out over rock times 65536. Where it stands is
the packed square under its upper left corner. A spot is a list `[n, SPOT, base, where, cost, squares of the way there ...]`.

A way of walking is 0 (any step), the number of a function in the table that says whether a step is open, or the address of
the block of a movement: for `blocked by`, `halts at`, `trades with` and `costs at` a form (nothing, things, square by square)
and a function.
"""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import call_table
from talewright.runtime.kernel.components.containers import is_inside
from talewright.runtime.kernel.maps.squares import (
    SPOT,
    add_squares,
    add_under,
    end_square,
    hash_slot,
    insert_square,
    is_drawn,
    is_figure,
    is_square,
    is_step,
    neighbour_by,
    neighbours_most,
    onto_grid,
    packed,
    packed_x,
    packed_y,
    square_at,
    squares_meet,
    squares_of,
    way_x,
    way_y,
)
from talewright.runtime.kernel.memory import (
    BLOCKS,
    DIAGONAL,
    FIELD,
    FIELD_GOAL,
    FIELD_LAST,
    FIRST,
    FIRST_SQUARE,
    GRID,
    HASH_KEY,
    HASH_MASK,
    LINK_COUNT,
    LINKS,
    NEXT,
    NONE,
    OPEN_WAY,
    PIECE_AT,
    SQUARE_COUNT,
    SQUARE_X,
    SQUARE_Y,
    STACK_TOP,
    STAND_AT,
    STAND_BASE,
    THINGS,
    M,
    base_of,
    copy,
)
from talewright.runtime.kernel.storage.lists import finish, includes_item, new_list, push

ONE_SQUARE = 257
SIZE = 65535
# What is known of a square while ways are looked for, as bits.
OCCUPIED = 1
OWN = 2
BARRED = 4
SWAPS = 8
TRADED = 16
HELD = 32
ASKED_BLOCKED = 64
BLOCKED = 128
ASKED_HALT = 256
HALTS = 512
PRICE_SHIFT = 16
# The parts of a movement.
BLOCKED_BY = 0
HALTS_AT = 2
TRADES_WITH = 4
COSTS_AT = 6
BY_THINGS = 1
BY_SQUARE = 2
# The parts of a stance that a walk can come to: order, where, cost, the one before, the next in order of cost.
KEY = 0
AT = 1
COST = 2
CAME_FROM = 3
AFTER = 4
STANCE_CELLS = 5
MOST_GOALS = 64


# ------------------------------------------------------------------ standing
def packed_base(size: int, over: int) -> int:
    """A base from its field, width times 256 and height, and its overhang; nothing said is one square."""
    if size == NONE or size == 0:
        size = ONE_SQUARE
    if over == NONE:
        over = 0
    return (size >> 8) | ((size & 255) << 8) | (over << 16)


def is_spot(what: int) -> int:
    """Whether a value is a spot."""
    return what >= BLOCKS and M[what] > 0 and M[what + 1] == SPOT


def new_spot(base: int, at: int, cost: int) -> int:
    """A spot on top of the stack; the way there can be added."""
    made = new_list()
    push(made, SPOT)
    push(made, base)
    push(made, at)
    push(made, cost)
    return made


def spot_of(thing: int) -> int:
    """The spot that a thing stands on, or none."""
    if thing == 0 or M[STAND_BASE + thing] == 0:
        return 0
    return new_spot(M[STAND_BASE + thing], M[STAND_AT + thing], 0)


def spot_cost(spot: int) -> int:
    """What it costs to get to a spot."""
    if spot == 0:
        return NONE
    return M[spot + 4]


def spot_route(spot: int) -> int:
    """The squares on the way to a spot: the lowest of those under each step."""
    made = new_list()
    if spot == 0:
        return made
    i = 5
    while i <= M[spot]:
        top = M[STACK_TOP]
        under = new_list()
        add_under(under, M[spot + 2], packed_x(M[spot + i]), packed_y(M[spot + i]))
        square = M[under + 1]
        M[STACK_TOP] = top
        push(made, square)
        i += 1
    return made


def same_spot(first: int, second: int) -> int:
    """Whether two spots are the same place for the same base."""
    if first == 0 or second == 0:
        return first == second
    return M[first + 2] == M[second + 2] and M[first + 3] == M[second + 3]


def is_taken(square: int, figure: int) -> int:
    """Whether another figure stands on a square."""
    x = M[SQUARE_X + square]
    y = M[SQUARE_Y + square]
    other = M[FIRST + GRID]
    while other != 0:
        base = M[STAND_BASE + other]
        if base != 0 and other != figure and is_figure(other) != 0:
            across = x - packed_x(M[STAND_AT + other])
            down = y - packed_y(M[STAND_AT + other])
            if across >= 0 and down >= 0 and across < (base & 255) and down < ((base >> 8) & 255):
                return 1
        other = M[NEXT + other]
    return 0


def is_stance(base: int, x: int, y: int) -> int:
    """Whether a base can lie there: on squares, and on no more rock than it may stick out over."""
    width = base & 255
    height = (base >> 8) & 255
    if width == 1 and height == 1:
        return square_at(x, y) != 0
    rock = 0
    j = 0
    while j < height:
        i = 0
        while i < width:
            if square_at(x + i, y + j) == 0:
                if is_drawn(x + i, y + j) == 0:
                    return 0
                rock += 1
            i += 1
        j += 1
    return rock <= (base >> 16) and rock < width * height


def is_clear(base: int, x: int, y: int, figure: int) -> int:
    """Whether no other figure stands where a base would lie."""
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            square = square_at(x + i, y + j)
            if square != 0 and is_taken(square, figure) != 0:
                return 0
            i += 1
        j += 1
    return 1


def is_free(base: int, x: int, y: int, figure: int) -> int:
    """Whether a figure can stand there, clear of the others."""
    return is_stance(base, x, y) != 0 and is_clear(base, x, y, figure) != 0


def stance_on(figure: int, base: int, square: int) -> int:
    """Where a base put on a square comes to stand, packed: its corner there, or else the first place that covers it; else NONE."""
    x = M[SQUARE_X + square]
    y = M[SQUARE_Y + square]
    if is_free(base, x, y, figure) != 0:
        return packed(x, y)
    j = ((base >> 8) & 255) - 1
    while j >= 0:
        i = (base & 255) - 1
        while i >= 0:
            if is_free(base, x - i, y - j, figure) != 0:
                return packed(x - i, y - j)
            i -= 1
        j -= 1
    return NONE


def stance_for(figure: int, where: int) -> int:
    """Where a figure put there comes to stand, packed, or NONE if there is no room."""
    if figure == 0 or where == 0:
        return NONE
    if is_spot(where) != 0:
        x = packed_x(M[where + 3])
        y = packed_y(M[where + 3])
        if is_clear(M[where + 2], x, y, figure) != 0:
            return M[where + 3]
        return NONE
    base = base_of(figure)
    if is_square(where) != 0:
        return stance_on(figure, base, where)
    top = M[STACK_TOP]
    squares = squares_of(where)
    found = NONE
    i = 1
    while i <= M[squares] and found == NONE:
        found = stance_on(figure, base, M[squares + i])
        i += 1
    M[STACK_TOP] = top
    return found


def can_stand(figure: int, where: int) -> int:
    """Whether there is room for a figure."""
    return stance_for(figure, where) != NONE


def stand(figure: int, where: int) -> int:
    """Puts a figure on the map; where there is no room nothing happens."""
    at = stance_for(figure, where)
    if at == NONE:
        return 0
    base = base_of(figure)
    if is_spot(where) != 0:
        base = M[where + 2]
    M[STAND_BASE + figure] = base
    M[STAND_AT + figure] = at
    onto_grid(figure)
    return 1


def walk(figure: int, where: int) -> int:
    """Walks a figure along the way to a spot; whoever it trades places with goes where it came from."""
    if figure == 0 or where == 0 or M[STAND_BASE + figure] == 0:
        return 0
    if is_spot(where) == 0:
        return stand(figure, where)
    i = 5
    while i <= M[where]:
        step_onto(figure, M[where + 2], M[where + i])
        i += 1
    if M[where] < 5:
        step_onto(figure, M[where + 2], M[where + 3])
    onto_grid(figure)
    return 1


def step_onto(figure: int, base: int, at: int) -> None:
    """One step of a walk."""
    top = M[STACK_TOP]
    before = new_list()
    add_under(before, M[STAND_BASE + figure], packed_x(M[STAND_AT + figure]), packed_y(M[STAND_AT + figure]))
    after = new_list()
    add_under(after, base, packed_x(at), packed_y(at))
    M[STAND_BASE + figure] = base
    M[STAND_AT + figure] = at
    left = new_list()
    i = 1
    while i <= M[before]:
        if includes_item(after, M[before + i]) == 0:
            push(left, M[before + i])
        i += 1
    other = M[FIRST + GRID]
    while other != 0:
        following = M[NEXT + other]
        if other != figure and M[STAND_BASE + other] != 0 and is_figure(other) != 0:
            under = squares_of(other)
            if squares_meet(under, after) != 0:
                make_way(other, left)
            finish(left)
        other = following
    M[STACK_TOP] = top


def make_way(other: int, left: int) -> None:
    """Puts somebody on squares that were left: the first place in reading order, where the whole base has room."""
    base = base_of(other)
    best = NONE
    i = 1
    while i <= M[left]:
        x = M[SQUARE_X + M[left + i]]
        y = M[SQUARE_Y + M[left + i]]
        j = ((base >> 8) & 255) - 1
        while j >= 0:
            k = (base & 255) - 1
            while k >= 0:
                at = packed(x - k, y - j)
                if best == NONE or comes_first(base, at, best) != 0:
                    free = is_within(base, at, left) != 0 and is_clear(base, x - k, y - j, other) != 0
                    if free:
                        best = at
                k -= 1
            j -= 1
        i += 1
    if best != NONE:
        M[STAND_BASE + other] = base
        M[STAND_AT + other] = best
        onto_grid(other)


def comes_first(base: int, at: int, other: int) -> int:
    """Which of two places of a base comes first: by the numbers of squares for one, by rows and columns for larger ones."""
    if (base & SIZE) == ONE_SQUARE:
        return square_at(packed_x(at), packed_y(at)) < square_at(packed_x(other), packed_y(other))
    return at < other


def is_within(base: int, at: int, squares: int) -> int:
    """Whether a base lies there on nothing but squares of a list, and rock."""
    x = packed_x(at)
    y = packed_y(at)
    if is_stance(base, x, y) == 0:
        return 0
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            square = square_at(x + i, y + j)
            if square != 0 and includes_item(squares, square) == 0:
                return 0
            i += 1
        j += 1
    return 1


def free_spots(figure: int) -> int:
    """Every spot where a figure could stand clear of the others, as a list."""
    made = new_list()
    if figure == 0:
        return made
    base = base_of(figure)
    top = M[STACK_TOP]
    found = new_list()
    if (base & SIZE) == ONE_SQUARE:
        square = FIRST_SQUARE
        while square < end_square():
            if is_taken(square, figure) == 0:
                push(found, packed(M[SQUARE_X + square], M[SQUARE_Y + square]))
            square += 1
    else:
        slot = 0
        while slot <= HASH_MASK:
            if M[HASH_KEY + slot] != 0:
                at = M[HASH_KEY + slot] - 1
                if is_free(base, packed_x(at), packed_y(at), figure) != 0:
                    push(found, at)
            slot += 1
        sort_numbers(found)
    count = M[found]
    # The list comes first, then its spots; what was found moves behind them while they are made.
    source = made + 1 + count + count * 5
    copy(source, found + 1, count)
    M[made] = count
    M[STACK_TOP] = top + count
    i = 0
    while i < count:
        M[made + 1 + i] = new_spot(base, M[source + i], 0)
        i += 1
    return made


def sort_numbers(things: int) -> None:
    """Sorts a list of numbers."""
    count = M[things]
    gap = count // 2
    while gap > 0:
        i = gap + 1
        while i <= count:
            item = M[things + i]
            j = i
            while j > gap and M[things + j - gap] > item:
                M[things + j] = M[things + j - gap]
                j -= gap
            M[things + j] = item
            i += 1
        gap //= 2


def exchange_spots(first: int, second: int, spot: int, other: int) -> None:
    """Puts two things that changed places on each other's spots; these are packed, or NONE."""
    settle_on(first, other)
    settle_on(second, spot)


def settle_on(thing: int, at: int) -> None:
    """Puts a thing that is on the grid where another one stood."""
    M[STAND_BASE + thing] = 0
    if at != NONE:
        M[STAND_BASE + thing] = base_of(thing)
        M[STAND_AT + thing] = at
        onto_grid(thing)


def stood_at(thing: int) -> int:
    """Where a thing stands, packed, or NONE."""
    if M[STAND_BASE + thing] == 0:
        return NONE
    return M[STAND_AT + thing]


# ------------------------------------------------------------------ what a movement asks
def zeroed(count: int) -> int:
    """So many cells of nothing on top of the stack."""
    made = M[STACK_TOP]
    M[STACK_TOP] = made + count
    i = 0
    while i < count:
        M[made + i] = 0
        i += 1
    return made


def flag_things(flags: int, way: int, part: int, mover: int, flag: int) -> None:
    """Notes the squares under the things that a part of a movement is about."""
    if M[way + part] != BY_THINGS:
        return
    top = M[STACK_TOP]
    things = call_table(M[way + part + 1], mover)
    i = 1
    while i <= M[things]:
        thing = M[things + i]
        if thing != mover and M[STAND_BASE + thing] != 0:
            flag_under(flags, thing, flag)
        i += 1
    M[STACK_TOP] = top


def flag_under(flags: int, thing: int, flag: int) -> None:
    """Notes the squares under a thing."""
    base = M[STAND_BASE + thing]
    x = packed_x(M[STAND_AT + thing])
    y = packed_y(M[STAND_AT + thing])
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            square = square_at(x + i, y + j)
            if square != 0:
                M[flags + square - FIRST_SQUARE] |= flag
            i += 1
        j += 1


def asked(way: int, part: int, mover: int, square: int) -> int:
    """What a part of a movement says of a square."""
    top = M[STACK_TOP]
    found = call_table(M[way + part + 1], mover, square)
    M[STACK_TOP] = top
    return found


def may_trade(flags: int, way: int, mover: int, square: int) -> int:
    """Whether a mover may trade places with whoever stands on a square."""
    if way < BLOCKS:
        return 0
    if M[way + TRADES_WITH] == BY_THINGS:
        return (M[flags + square - FIRST_SQUARE] & TRADED) != 0
    if M[way + TRADES_WITH] == BY_SQUARE:
        return asked(way, TRADES_WITH, mover, square) == 1
    return 0


def is_barred(flags: int, way: int, mover: int, square: int) -> int:
    """Whether a movement says that a square cannot be entered."""
    if M[way + BLOCKED_BY] == BY_THINGS:
        return (M[flags + square - FIRST_SQUARE] & BARRED) != 0
    if M[way + BLOCKED_BY] != BY_SQUARE:
        return 0
    at = flags + square - FIRST_SQUARE
    if (M[at] & ASKED_BLOCKED) == 0:
        M[at] |= ASKED_BLOCKED
        if asked(way, BLOCKED_BY, mover, square) == 1:
            M[at] |= BLOCKED
    return (M[at] & BLOCKED) != 0


def price_of(flags: int, way: int, mover: int, square: int) -> int:
    """What entering a square costs; never less than one."""
    if way < BLOCKS or M[way + COSTS_AT] != BY_SQUARE:
        return 1
    at = flags + square - FIRST_SQUARE
    if (M[at] >> PRICE_SHIFT) == 0:
        price = asked(way, COSTS_AT, mover, square)
        if price < 1:
            price = 1
        if price > 16000:
            price = 16000
        M[at] |= price << PRICE_SHIFT
    return M[at] >> PRICE_SHIFT


def is_held(flags: int, way: int, mover: int, square: int) -> int:
    """Whether a walk ends on a square."""
    at = flags + square - FIRST_SQUARE
    if M[way + HALTS_AT] == BY_THINGS:
        return (M[at] & HELD) != 0
    if M[way + HALTS_AT] != BY_SQUARE:
        return 0
    if (M[at] & ASKED_HALT) == 0:
        M[at] |= ASKED_HALT
        if asked(way, HALTS_AT, mover, square) == 1:
            M[at] |= HALTS
    return (M[at] & HALTS) != 0


def step_is_modified_open(here: int, there: int) -> int:
    """Whether rules that modify `open` leave a step open."""
    if OPEN_WAY == 0:
        return 1
    top = M[STACK_TOP]
    found = call_table(OPEN_WAY, here, there) == 1
    M[STACK_TOP] = top
    return found


# ------------------------------------------------------------------ reach
def reach(mover: int, limit: int, way: int) -> int:
    """The spots that a figure can walk to, cheapest first, with what each costs and the way there."""
    bottom = M[STACK_TOP]
    if mover == 0 or M[STAND_BASE + mover] == 0 or way < BLOCKS:
        return new_list()
    flags = zeroed(M[SQUARE_COUNT])
    flag_occupied(flags, mover)
    flag_things(flags, way, BLOCKED_BY, mover, BARRED)
    flag_things(flags, way, HALTS_AT, mover, HELD)
    flag_things(flags, way, TRADES_WITH, mover, TRADED)
    flag_swaps(flags, way, mover)
    base = M[STAND_BASE + mover]
    known = zeroed(HASH_MASK + 1)
    start = new_stance(base, M[STAND_AT + mover], 0, 0)
    M[known + hash_slot(packed_x(M[start + AT]), packed_y(M[start + AT]))] = start
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
    i = 1
    while i <= M[bottom]:
        M[bottom + i] -= gone
        i += 1
    M[STACK_TOP] = bottom + count
    return bottom


def flag_occupied(flags: int, mover: int) -> None:
    """Notes where the mover and all others stand."""
    flag_under(flags, mover, OWN)
    other = M[FIRST + GRID]
    while other != 0:
        if other != mover and M[STAND_BASE + other] != 0 and is_figure(other) != 0:
            flag_under(flags, other, OCCUPIED)
        other = M[NEXT + other]


def flag_swaps(flags: int, way: int, mover: int) -> None:
    """Notes the taken squares on which the mover trades places."""
    square = FIRST_SQUARE
    while square < end_square():
        found = M[flags + square - FIRST_SQUARE]
        if (
            (found & (OCCUPIED | BARRED)) != 0
            and (found & OWN) == 0
            and may_trade(flags, way, mover, square) != 0
        ):
            M[flags + square - FIRST_SQUARE] |= SWAPS
        square += 1


def new_stance(base: int, at: int, cost: int, came: int) -> int:
    """A place that a walk can come to, on top of the stack."""
    made = M[STACK_TOP]
    M[STACK_TOP] = made + STANCE_CELLS
    M[made + KEY] = at
    if (base & SIZE) == ONE_SQUARE:
        M[made + KEY] = square_at(packed_x(at), packed_y(at))
    M[made + AT] = at
    M[made + COST] = cost
    M[made + CAME_FROM] = came
    M[made + AFTER] = 0
    return made


def holds(flags: int, way: int, mover: int, base: int, stance: int) -> int:
    """Whether a walk ends once it has come to a place."""
    x = packed_x(M[stance + AT])
    y = packed_y(M[stance + AT])
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            square = square_at(x + i, y + j)
            if square != 0 and is_held(flags, way, mover, square) != 0:
                return 1
            i += 1
        j += 1
    return 0


def spread_walk(flags: int, known: int, way: int, mover: int, base: int, limit: int, here: int) -> None:
    """Goes on from a place by every step."""
    x = packed_x(M[here + AT])
    y = packed_y(M[here + AT])
    if (base & SIZE) == ONE_SQUARE:
        square = square_at(x, y)
        number = 0
        while number < neighbours_most():
            there = neighbour_by(square, number)
            if there != 0:
                at = packed(M[SQUARE_X + there], M[SQUARE_Y + there])
                try_step(flags, known, way, mover, base, limit, here, at)
            number += 1
        return
    direction = 0
    while direction < 8:
        if can_shift(base, x, y, direction) != 0:
            at = packed(x + way_x(direction), y + way_y(direction))
            try_step(flags, known, way, mover, base, limit, here, at)
        direction += 1
    i = 0
    while i < M[LINK_COUNT]:
        if covers(base, x, y, M[LINKS + 2 * i]) != 0:
            step_through(flags, known, way, mover, base, limit, here, M[LINKS + 2 * i + 1])
        if covers(base, x, y, M[LINKS + 2 * i + 1]) != 0:
            step_through(flags, known, way, mover, base, limit, here, M[LINKS + 2 * i])
        i += 1


def covers(base: int, x: int, y: int, square: int) -> int:
    """Whether a base that stands there covers a square."""
    across = M[SQUARE_X + square] - x
    down = M[SQUARE_Y + square] - y
    return across >= 0 and down >= 0 and across < (base & 255) and down < ((base >> 8) & 255)


def step_through(
    flags: int, known: int, way: int, mover: int, base: int, limit: int, here: int, far: int
) -> None:
    """Goes on through a gate to every place that covers its far square."""
    j = ((base >> 8) & 255) - 1
    while j >= 0:
        i = (base & 255) - 1
        while i >= 0:
            x = M[SQUARE_X + far] - i
            y = M[SQUARE_Y + far] - j
            if is_stance(base, x, y) != 0:
                try_step(flags, known, way, mover, base, limit, here, packed(x, y))
            i -= 1
        j -= 1


def can_shift(base: int, x: int, y: int, direction: int) -> int:
    """Whether a base can move one step: no wall in the way, and the ground under it hangs together as it moves."""
    across = way_x(direction)
    down = way_y(direction)
    if DIAGONAL == 0 and across != 0 and down != 0:
        return 0
    if is_stance(base, x + across, y + down) == 0:
        return 0
    width = base & 255
    height = (base >> 8) & 255
    together = 0
    j = 0
    while j < height:
        i = 0
        while i < width:
            here = square_at(x + i, y + j)
            there = square_at(x + i + across, y + j + down)
            if here != 0 and there != 0 and is_step(here, there) == 0:
                return 0
            if here != 0 and together == 0:
                together = covers(base, x + across, y + down, here)
                if together == 0:
                    together = leads_under(base, x + across, y + down, here)
            i += 1
        j += 1
    return together


def leads_under(base: int, x: int, y: int, square: int) -> int:
    """Whether a step leads from a square to one under a base."""
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            there = square_at(x + i, y + j)
            if there != 0 and is_step(square, there) != 0:
                return 1
            i += 1
        j += 1
    return 0


def try_step(flags: int, known: int, way: int, mover: int, base: int, limit: int, here: int, at: int) -> None:
    """Notes a place one step further, if it can be entered and nothing cheaper leads there."""
    if at == M[here + AT]:
        return
    x = packed_x(at)
    y = packed_y(at)
    slot = known + hash_slot(x, y)
    old = M[slot]
    total = M[here + COST] + 1
    if old != 0 and M[old + COST] <= total:
        return
    width = base & 255
    height = (base >> 8) & 255
    from_x = packed_x(M[here + AT])
    from_y = packed_y(M[here + AT])
    price = 1
    traded = 0
    entered = 0
    j = 0
    while j < height:
        i = 0
        while i < width:
            square = square_at(x + i, y + j)
            if square != 0:
                if is_shut(flags, way, mover, square) != 0:
                    return
                if covers(base, from_x, from_y, square) == 0:
                    entered += 1
                    if (M[flags + square - FIRST_SQUARE] & SWAPS) != 0:
                        traded += 1
                    cost = price_of(flags, way, mover, square)
                    if cost > price:
                        price = cost
                    if OPEN_WAY != 0 and opens_from(base, from_x, from_y, square) == 0:
                        return
            i += 1
        j += 1
    if traded > 0 and traded > squares_left(base, from_x, from_y, x, y):
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
    before = here
    while M[before + AFTER] != 0 and waits_longer(old, M[before + AFTER]) != 0:
        before = M[before + AFTER]
    M[old + AFTER] = M[before + AFTER]
    M[before + AFTER] = old


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
    return is_barred(flags, way, mover, square)


def opens_from(base: int, x: int, y: int, square: int) -> int:
    """Whether a square, if it is next to a base at all, can be stepped on from under it."""
    beside = 0
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            here = square_at(x + i, y + j)
            if here != 0 and is_step(here, square) != 0:
                beside = 1
                if step_is_modified_open(here, square) != 0:
                    return 1
            i += 1
        j += 1
    return beside == 0


def squares_left(base: int, x: int, y: int, u: int, v: int) -> int:
    """How many squares a base leaves that moves from one place to another."""
    count = 0
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            square = square_at(x + i, y + j)
            if square != 0 and covers(base, u, v, square) == 0:
                count += 1
            i += 1
        j += 1
    return count


def reached_spots(flags: int, base: int, start: int) -> int:
    """The places that a walk can end on as a list of spots on top of the stack, in their order."""
    made = new_list()
    count = 0
    here = start
    while here != 0:
        if can_end(flags, base, here) != 0:
            count += 1
        here = M[here + AFTER]
    M[made] = count
    finish(made)
    i = 0
    here = start
    while here != 0:
        if can_end(flags, base, here) != 0:
            i += 1
            M[made + i] = new_spot(base, M[here + AT], M[here + COST])
            add_route(M[made + i], here)
        here = M[here + AFTER]
    return made


def can_end(flags: int, base: int, stance: int) -> int:
    """Whether a walk can end on a place: not where others stand, unless the mover trades places."""
    x = packed_x(M[stance + AT])
    y = packed_y(M[stance + AT])
    j = 0
    while j < ((base >> 8) & 255):
        i = 0
        while i < (base & 255):
            square = square_at(x + i, y + j)
            if square != 0:
                found = M[flags + square - FIRST_SQUARE]
                if (found & OCCUPIED) != 0 and (found & (OWN | SWAPS)) == 0:
                    return 0
            i += 1
        j += 1
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


# ------------------------------------------------------------------ ways over squares
def ways_field(sources: int, mover: int, way: int, forward: int, flags: int) -> int:
    """What it costs to get from each square to some squares, or from them (forward); -1 where no way leads.

    The result lies on top of the stack, a cell for each square.
    """
    count = M[SQUARE_COUNT]
    costs = M[STACK_TOP]
    after = costs + count
    M[STACK_TOP] = after + count
    i = 0
    while i < count:
        M[costs + i] = -1
        M[after + i] = 0
        i += 1
    # Squares wait in a chain, in order of cost; a square is known by its number.
    first = 0
    last = 0
    i = 1
    while i <= M[sources]:
        M[costs + M[sources + i] - FIRST_SQUARE] = 0
        if first == 0:
            first = M[sources + i]
        else:
            M[after + last - FIRST_SQUARE] = M[sources + i]
        last = M[sources + i]
        i += 1
    here = first
    while here != 0:
        if way < BLOCKS or is_closed(flags, way, mover, here) == 0:
            entering = price_of(flags, way, mover, here)
            number = 0
            while number < neighbours_most():
                there = neighbour_by(here, number)
                if there != 0:
                    total = M[costs + here - FIRST_SQUARE] + entering
                    known = M[costs + there - FIRST_SQUARE]
                    if known < 0 or known > total:
                        leads = 0
                        if forward != 0:
                            leads = step_leads(mover, way, here, there)
                        else:
                            leads = step_leads(mover, way, there, here)
                        if leads != 0:
                            if known >= 0:
                                unlink_square(after, here, there)
                            M[costs + there - FIRST_SQUARE] = total
                            link_square(costs, after, here, there)
                number += 1
        here = M[after + here - FIRST_SQUARE]
    M[STACK_TOP] = after
    return costs


def link_square(costs: int, after: int, before: int, square: int) -> None:
    """Lets a square wait behind all that cost no more."""
    cost = M[costs + square - FIRST_SQUARE]
    following = M[after + before - FIRST_SQUARE]
    while following != 0 and M[costs + following - FIRST_SQUARE] <= cost:
        before = following
        following = M[after + before - FIRST_SQUARE]
    M[after + square - FIRST_SQUARE] = following
    M[after + before - FIRST_SQUARE] = square


def unlink_square(after: int, before: int, square: int) -> None:
    """Takes a square out of those that wait."""
    while M[after + before - FIRST_SQUARE] != square:
        before = M[after + before - FIRST_SQUARE]
    M[after + before - FIRST_SQUARE] = M[after + square - FIRST_SQUARE]


def step_leads(mover: int, way: int, here: int, there: int) -> int:
    """Whether a way of walking opens a step."""
    if way > 0 and way < BLOCKS:
        top = M[STACK_TOP]
        found = call_table(way, mover, here, there) == 1
        M[STACK_TOP] = top
        return found
    return step_is_modified_open(here, there)


def is_closed(flags: int, way: int, mover: int, square: int) -> int:
    """Whether a movement leads no way over a square."""
    if is_barred(flags, way, mover, square) == 0:
        return 0
    return may_trade(flags, way, mover, square) == 0


def movement_flags(mover: int, way: int) -> int:
    """What a movement says of squares, on top of the stack; nothing for other ways of walking."""
    if way < BLOCKS:
        return 0
    flags = zeroed(M[SQUARE_COUNT])
    flag_things(flags, way, BLOCKED_BY, mover, BARRED)
    flag_things(flags, way, TRADES_WITH, mover, TRADED)
    return flags


def lowest_cost(costs: int, squares: int) -> int:
    """The least cost of some squares, or none."""
    best = NONE
    i = 1
    while i <= M[squares]:
        cost = M[costs + M[squares + i] - FIRST_SQUARE]
        if cost >= 0 and (best == NONE or cost < best):
            best = cost
        i += 1
    return best


def same_squares(kept: int, squares: int) -> int:
    """Whether a list of squares that was kept is the same as another one."""
    if M[kept] != M[squares]:
        return 0
    i = M[squares]
    while i > 0:
        if M[kept + i] != M[squares + i]:
            return 0
        i -= 1
    return 1


def squares_apart(here: int, there: int) -> int:
    """The steps of a shortest way between two lists of squares, or none.

    Steps lead both ways: the costs from one list are kept, and serve whoever asks for the way to it or from it.
    """
    if M[here] == 0 or M[there] == 0:
        return NONE
    if OPEN_WAY != 0:
        return squares_by(0, here, there, 0)
    if same_squares(FIELD_GOAL, there) != 0:
        return lowest_cost(FIELD, here)
    if same_squares(FIELD_GOAL, here) != 0:
        return lowest_cost(FIELD, there)
    # Whoever asked from here before may ask from here again.
    goal = there
    if M[FIELD_LAST] == M[here + 1] and M[here] <= M[there]:
        goal = here
    M[FIELD_LAST] = M[here + 1]
    top = M[STACK_TOP]
    costs = ways_field(goal, 0, 0, 0, 0)
    if M[goal] <= MOST_GOALS:
        copy(FIELD, costs, M[SQUARE_COUNT])
        copy(FIELD_GOAL, goal, M[goal] + 1)
    found = lowest_cost(costs, here)
    if goal == here:
        found = lowest_cost(costs, there)
    M[STACK_TOP] = top
    return found


def squares_by(mover: int, here: int, there: int, way: int) -> int:
    """What the cheapest way costs that a way of walking opens, or none."""
    if M[here] == 0 or M[there] == 0:
        return NONE
    top = M[STACK_TOP]
    flags = movement_flags(mover, way)
    found = lowest_cost(ways_field(there, mover, way, 0, flags), here)
    M[STACK_TOP] = top
    return found


def first_steps(made: int, costs: int, flags: int, mover: int, way: int, here: int) -> None:
    """Adds the squares on the cheapest ways, one step from some others, to the list on top of the stack."""
    best = lowest_cost(costs, here)
    if best == NONE or best == 0:
        return
    i = 1
    while i <= M[here]:
        square = M[here + i]
        if M[costs + square - FIRST_SQUARE] == best:
            number = 0
            while number < neighbours_most():
                there = neighbour_by(square, number)
                if there != 0 and is_next(costs, flags, mover, way, square, there) != 0:
                    insert_square(made, there)
                number += 1
        i += 1


def is_next(costs: int, flags: int, mover: int, way: int, here: int, there: int) -> int:
    """Whether a step leads from one square to a neighbour that lies on a cheapest way."""
    left = M[costs + there - FIRST_SQUARE]
    if left < 0 or left + price_of(flags, way, mover, there) != M[costs + here - FIRST_SQUARE]:
        return 0
    if way >= BLOCKS and is_closed(flags, way, mover, there) != 0:
        return 0
    return step_leads(mover, way, here, there)


def square_roads(mover: int, here: int, there: int, way: int) -> int:
    """The squares on the cheapest ways from some squares to others, one step from the first, as a list."""
    bottom = M[STACK_TOP]
    if M[here] == 0 or M[there] == 0 or squares_meet(here, there) != 0:
        return new_list()
    flags = movement_flags(mover, way)
    costs = ways_field(there, mover, way, 0, flags)
    made = new_list()
    first_steps(made, costs, flags, mover, way, here)
    copy(bottom, made, M[made] + 1)
    return finish(bottom)


def square_along(mover: int, here: int, there: int, limit: int, way: int) -> int:
    """The square of a walker after so many steps, or so much cost, down a shortest way; none without a way."""
    if M[here] == 0 or M[there] == 0:
        return 0
    top = M[STACK_TOP]
    found = 0
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
        first_steps(steps, costs, flags, mover, way, start)
        if M[steps] == 0:
            return here
        step = M[steps + 1]
        left -= price_of(flags, way, mover, step)
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
    i = M[there]
    while i > 0:
        if M[costs + M[there + i] - FIRST_SQUARE] == best:
            at = M[there + i]
        i -= 1
    if limit < 0:
        limit = 0
    while best > limit:
        best -= 1
        found = 0
        number = 0
        while number < neighbours_most():
            before = neighbour_by(at, number)
            leads = (
                before != 0 and M[costs + before - FIRST_SQUARE] == best and (found == 0 or before < found)
            )
            if leads and step_leads(mover, way, before, at) != 0:
                found = before
            number += 1
        at = found
    return at


def squares_within(here: int, far: int) -> int:
    """The squares at most so many steps from some others, those included, as a list."""
    bottom = M[STACK_TOP]
    costs = ways_field(here, 0, 0, 0, 0)
    made = new_list()
    square = FIRST_SQUARE
    while square < end_square():
        cost = M[costs + square - FIRST_SQUARE]
        if cost >= 0 and cost <= far:
            push(made, square)
        square += 1
    copy(bottom, made, M[made] + 1)
    return finish(bottom)


def grid_inside(thing: int, where: int) -> int:
    """Whether something lies on some squares, or on a piece."""
    if thing == 0 or where == 0:
        return 0
    top = M[STACK_TOP]
    here = new_list()
    add_squares(here, thing)
    there = squares_of(where)
    found = squares_meet(here, there)
    M[STACK_TOP] = top
    return found


def lies_inside(thing: int, where: int) -> int:
    """Whether a thing lies in a place or a container, on a piece that lies on the grid, or on some squares."""
    if thing == 0 or where == 0:
        return 0
    if where > THINGS or M[PIECE_AT + where] != 0 or thing > THINGS:
        return grid_inside(thing, where)
    return is_inside(thing, where)
