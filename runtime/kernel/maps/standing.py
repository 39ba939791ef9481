"""Figures on a map of squares: where a base can stand, and how a figure is put there or walks there.

A base is packed: width, height times 256, and how many of its squares may stick out over rock times 65536. Where it stands is
the packed square under its upper left corner. A spot is a list `[n, SPOT, base, where, cost, squares of the way there ...]`.
"""

from __future__ import annotations

from talewright.runtime.kernel.components.containers import exchange
from talewright.runtime.kernel.maps.areas import ONE_SQUARE, SPOT, add_under, squares_meet, squares_of
from talewright.runtime.kernel.maps.pieces import is_figure, onto_grid
from talewright.runtime.kernel.maps.squares import (
    base_size,
    end_square,
    is_drawn,
    offset_under,
    packed_x,
    packed_y,
    square_at,
    square_under,
)
from talewright.runtime.kernel.memory import (
    BLOCKS,
    FIRST,
    FIRST_SQUARE,
    GRID,
    HASH_KEY,
    HASH_MASK,
    NEXT,
    NONE,
    SQUARE_AT,
    STACK_TOP,
    STAND_AT,
    STAND_BASE,
    M,
    base_of,
)
from talewright.runtime.kernel.storage.lists import (
    copy_list,
    finish,
    includes_item,
    insert,
    minus,
    new_list,
    push,
)

SIZE = 65535


# ------------------------------------------------------------------ spots
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
    for i in range(5, M[spot] + 1):
        top = M[STACK_TOP]
        under = new_list()
        add_under(under, M[spot + 2], M[spot + i])
        square = M[under + 1]
        M[STACK_TOP] = top
        push(made, square)
    return made


def same_spot(first: int, second: int) -> int:
    """Whether two spots are the same place for the same base."""
    if first == 0 or second == 0:
        return first == second
    return M[first + 2] == M[second + 2] and M[first + 3] == M[second + 3]


# ------------------------------------------------------------------ room
def next_figure(after: int, figure: int) -> int:
    """The figure behind another one (0: the first) of those that stand on the map, but for one; 0 behind the last."""
    other = M[NEXT + after] if after != 0 else M[FIRST + GRID]
    while other != 0 and (other == figure or M[STAND_BASE + other] == 0 or is_figure(other) == 0):
        other = M[NEXT + other]
    return other


def is_taken(square: int, figure: int) -> int:
    """Whether another figure stands on a square."""
    other = next_figure(0, figure)
    while other != 0 and covers(M[STAND_BASE + other], M[STAND_AT + other], square) == 0:
        other = next_figure(other, figure)
    return other != 0


def is_stance(base: int, at: int) -> int:
    """Whether a base can lie there: on squares, and on no more rock than it may stick out over."""
    rock = 0
    count = base_size(base)
    for i in range(count):
        if square_under(base, at, i) == 0:
            if is_drawn(at + offset_under(base, i)) == 0:
                return 0
            rock += 1
    return rock <= (base >> 16) and rock < count


def is_clear(base: int, at: int, figure: int) -> int:
    """Whether no other figure stands where a base would lie."""
    for i in range(base_size(base)):
        square = square_under(base, at, i)
        if square != 0 and is_taken(square, figure) != 0:
            return 0
    return 1


def is_free(base: int, at: int, figure: int) -> int:
    """Whether a figure can stand there, clear of the others."""
    return is_stance(base, at) != 0 and is_clear(base, at, figure) != 0


def stance_on(figure: int, base: int, square: int) -> int:
    """Where a base put on a square comes to stand: its corner there, or else the first place that covers it; else NONE."""
    at = M[SQUARE_AT + square]
    if is_free(base, at, figure) != 0:
        return at
    for i in range(base_size(base) - 1, -1, -1):
        if is_free(base, at - offset_under(base, i), figure) != 0:
            return at - offset_under(base, i)
    return NONE


def stance_for(figure: int, where: int) -> int:
    """Where a figure put there comes to stand, or NONE if there is no room."""
    if figure == 0 or where == 0:
        return NONE
    if is_spot(where) != 0:
        if is_clear(M[where + 2], M[where + 3], figure) != 0:
            return M[where + 3]
        return NONE
    base = base_of(figure)
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


# ------------------------------------------------------------------ putting and walking
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
    for i in range(5, M[where] + 1):
        step_onto(figure, M[where + 2], M[where + i])
    if M[where] < 5:
        step_onto(figure, M[where + 2], M[where + 3])
    onto_grid(figure)
    return 1


def step_onto(figure: int, base: int, at: int) -> None:
    """One step of a walk."""
    top = M[STACK_TOP]
    before = new_list()
    add_under(before, M[STAND_BASE + figure], M[STAND_AT + figure])
    after = new_list()
    add_under(after, base, at)
    M[STAND_BASE + figure] = base
    M[STAND_AT + figure] = at
    left = minus(before, after)
    other = next_figure(0, figure)
    while other != 0:
        under = squares_of(other)
        if squares_meet(under, after) != 0:
            make_way(other, left)
        finish(left)
        other = next_figure(other, figure)
    M[STACK_TOP] = top


def make_way(other: int, left: int) -> None:
    """Puts somebody on squares that were left: the first place in reading order, where the whole base has room."""
    base = base_of(other)
    best = NONE
    for i in range(1, M[left] + 1):
        for k in range(base_size(base) - 1, -1, -1):
            at = M[SQUARE_AT + M[left + i]] - offset_under(base, k)
            first = best == NONE or comes_first(base, at, best) != 0
            if first and is_within(base, at, left) != 0 and is_clear(base, at, other) != 0:
                best = at
    if best != NONE:
        M[STAND_BASE + other] = base
        M[STAND_AT + other] = best
        onto_grid(other)


def comes_first(base: int, at: int, other: int) -> int:
    """Which of two places of a base comes first: by the numbers of squares for one, by rows and columns for larger ones."""
    if (base & SIZE) == ONE_SQUARE:
        return square_at(at) < square_at(other)
    return at < other


def is_within(base: int, at: int, squares: int) -> int:
    """Whether a base lies there on nothing but squares of a list, and rock."""
    if is_stance(base, at) == 0:
        return 0
    for i in range(base_size(base)):
        square = square_under(base, at, i)
        if square != 0 and includes_item(squares, square) == 0:
            return 0
    return 1


# ------------------------------------------------------------------ every spot
def free_spots(figure: int) -> int:
    """Every spot where a figure could stand clear of the others, as a list."""
    if figure == 0:
        return new_list()
    base = base_of(figure)
    found = new_list()
    if (base & SIZE) == ONE_SQUARE:
        for square in range(FIRST_SQUARE, end_square()):
            if is_taken(square, figure) == 0:
                push(found, M[SQUARE_AT + square])
    else:
        for slot in range(HASH_MASK + 1):
            if M[HASH_KEY + slot] != 0 and is_free(base, M[HASH_KEY + slot] - 1, figure) != 0:
                insert(found, M[HASH_KEY + slot] - 1)
    # The list comes first, then its spots.
    made = copy_list(found)
    for i in range(1, M[made] + 1):
        M[made + i] = new_spot(base, M[found + i], 0)
    return made


def exchange_figures(first: int, second: int) -> int:
    """Two things change places, and take each other's spots."""
    if first == 0 or second == 0:
        return 0
    spot = stood_at(first)
    other = stood_at(second)
    exchange(first, second)
    settle_on(first, other)
    settle_on(second, spot)
    return 1


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


def covers(base: int, at: int, square: int) -> int:
    """Whether a base that stands there covers a square."""
    across = packed_x(M[SQUARE_AT + square]) - packed_x(at)
    down = packed_y(M[SQUARE_AT + square]) - packed_y(at)
    return across >= 0 and down >= 0 and across < (base & 255) and down < ((base >> 8) & 255)
