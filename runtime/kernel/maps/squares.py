"""Squares by column and row: how they are found, and the ways that lead from one to the next.

Squares are numbered after the containers, in the order in which they were laid. A table finds the square, or the rock, at a
column and row. The ways out of a square are numbered clockwise from the north; a bit of SQUARE_OPEN says that a step leads
that way. Through a gate a step leads to a square far away.
"""

from __future__ import annotations

from talewright.runtime.kernel.memory import (
    FIRST_DIRECTION,
    FIRST_SQUARE,
    GRID_RIGHT,
    HASH_CELL,
    HASH_KEY,
    HASH_MASK,
    LINK_COUNT,
    LINKS,
    NONE,
    OPEN_WORD,
    SQUARE_COUNT,
    SQUARE_OPEN,
    SQUARE_X,
    SQUARE_Y,
    SQUARES_MOST,
    THINGS,
    M,
)

# Columns and rows may be negative: they are packed with this added.
MIDDLE = 1 << 14
SHIFT = 15
LOW = (1 << 15) - 1
ROCK = -1


# ------------------------------------------------------------------ ways
def way_x(way: int) -> int:
    """How far a way leads to the east."""
    if way == 0 or way == 4:
        return 0
    if way < 4:
        return 1
    return -1


def way_y(way: int) -> int:
    """How far a way leads to the south."""
    if way == 2 or way == 6:
        return 0
    if way > 2 and way < 6:
        return 1
    return -1


def way_to(across: int, down: int) -> int:
    """The one of eight ways that leads there; -1 for nowhere."""
    if across == 0:
        if down == 0:
            return -1
        if down < 0:
            return 0
        return 4
    if across > 0:
        if down < 0:
            return 1
        if down == 0:
            return 2
        return 3
    if down > 0:
        return 5
    if down == 0:
        return 6
    return 7


def way_of_direction(direction: int) -> int:
    """The number of the way that a direction of the language means; -1 if it is none."""
    found = direction - FIRST_DIRECTION
    if found >= 0 and found < 8:
        return found
    if found == 8:
        return 0
    if found == 9:
        return 4
    if found == 10:
        return 6
    if found == 11:
        return 2
    return -1


# ------------------------------------------------------------------ squares by column and row
def packed(x: int, y: int) -> int:
    """A column and row as one number; in the order of rows, then columns."""
    return ((y + MIDDLE) << SHIFT) | (x + MIDDLE)


def packed_x(at: int) -> int:
    """The column of a packed square."""
    return (at & LOW) - MIDDLE


def packed_y(at: int) -> int:
    """The row of a packed square."""
    return (at >> SHIFT) - MIDDLE


def hash_slot(x: int, y: int) -> int:
    """The slot of a column and row in the table, or the free one where it would go."""
    key = packed(x, y) + 1
    slot = ((key * 40503) ^ (key >> 11)) & HASH_MASK
    while M[HASH_KEY + slot] != 0:
        if M[HASH_KEY + slot] == key:
            return slot
        slot = (slot + 1) & HASH_MASK
    return slot


def square_at(x: int, y: int) -> int:
    """The square in a column and row, or none."""
    slot = hash_slot(x, y)
    if M[HASH_KEY + slot] == 0 or M[HASH_CELL + slot] == ROCK:
        return 0
    return M[HASH_CELL + slot]


def square_named(column: int, row: int) -> int:
    """The square in a column and row, counted from one, or none."""
    if column < 1 - MIDDLE or row < 1 - MIDDLE or column >= MIDDLE or row >= MIDDLE:
        return 0
    return square_at(column - 1, row - 1)


def base_size(base: int) -> int:
    """How many columns and rows, multiplied, a base takes up."""
    return (base & 255) * ((base >> 8) & 255)


def square_under(base: int, x: int, y: int, i: int) -> int:
    """The i-th square under a base with its corner there, counted from 0 row by row, or none."""
    return square_at(x + i % (base & 255), y + i // (base & 255))


def is_drawn(x: int, y: int) -> int:
    """Whether floor or rock lies in a column and row."""
    return M[HASH_KEY + hash_slot(x, y)] != 0


def enter_square(x: int, y: int, what: int) -> None:
    """Puts floor or rock into the table."""
    slot = hash_slot(x, y)
    M[HASH_KEY + slot] = packed(x, y) + 1
    M[HASH_CELL + slot] = what
    if M[GRID_RIGHT] == NONE or x > M[GRID_RIGHT]:
        M[GRID_RIGHT] = x


def end_square() -> int:
    """The number behind the last square."""
    return FIRST_SQUARE + M[SQUARE_COUNT]


def is_square(what: int) -> int:
    """Whether a value is a square."""
    return what >= FIRST_SQUARE and what < FIRST_SQUARE + SQUARES_MOST


# ------------------------------------------------------------------ neighbours
def along_way(square: int, origin: int, way: int) -> int:
    """How far a square lies from another one, counted along a way."""
    across = M[SQUARE_X + square] - M[SQUARE_X + origin]
    down = M[SQUARE_Y + square] - M[SQUARE_Y + origin]
    return across * way_x(way) + down * way_y(way)


def are_linked(here: int, there: int) -> int:
    """Whether a gate leads from one square to another."""
    for i in range(M[LINK_COUNT]):
        a = M[LINKS + 2 * i]
        b = M[LINKS + 2 * i + 1]
        if (a == here and b == there) or (a == there and b == here):
            return 1
    return 0


def neighbours_most() -> int:
    """How many numbers `neighbour_by` takes."""
    return 8 + M[LINK_COUNT]


def neighbour_by(square: int, number: int) -> int:
    """A square one step away: by one of eight ways, or through a gate; none if there is none by that number."""
    if number < 8:
        if ((M[SQUARE_OPEN + square] >> number) & 1) == 0:
            return 0
        return square_at(M[SQUARE_X + square] + way_x(number), M[SQUARE_Y + square] + way_y(number))
    link = LINKS + 2 * (number - 8)
    if M[link] == square:
        return M[link + 1]
    if M[link + 1] == square:
        return M[link]
    return 0


def is_step(here: int, there: int) -> int:
    """Whether a step leads from one square to another."""
    if here == 0 or there == 0 or here == there:
        return 0
    across = M[SQUARE_X + there] - M[SQUARE_X + here]
    down = M[SQUARE_Y + there] - M[SQUARE_Y + here]
    if (
        across >= -1
        and across <= 1
        and down >= -1
        and down <= 1
        and ((M[SQUARE_OPEN + here] >> way_to(across, down)) & 1) != 0
    ):
        return 1
    return are_linked(here, there)


def square_border(here: int, there: int) -> int:
    """What lies between two squares; none if they are no neighbours."""
    if is_step(here, there) != 0:
        return OPEN_WORD
    return 0


def square_edge(square: int) -> int:
    """Whether a square lies at an outer side of the map or at a gap in it."""
    if square == 0:
        return 0
    way = 0
    while way < 8:
        if square_at(M[SQUARE_X + square] + way_x(way), M[SQUARE_Y + square] + way_y(way)) == 0:
            return 1
        way += 2
    return 0


def square_neighbour(square: int, direction: int) -> int:
    """The square a step away in a direction, or none."""
    way = way_of_direction(direction)
    if square == 0 or way < 0:
        return 0
    found = square_at(M[SQUARE_X + square] + way_x(way), M[SQUARE_Y + square] + way_y(way))
    if found == 0 or is_step(square, found) == 0:
        return 0
    return found


def square_way(here: int, there: int) -> int:
    """The direction from one square to another, or none."""
    if here == 0 or there == 0 or FIRST_DIRECTION > THINGS:
        return 0
    way = way_to(M[SQUARE_X + there] - M[SQUARE_X + here], M[SQUARE_Y + there] - M[SQUARE_Y + here])
    if way < 0:
        return 0
    return FIRST_DIRECTION + way


def same_colour(here: int, there: int) -> int:
    """Whether a chequerboard would colour two squares alike."""
    if here == 0 or there == 0:
        return 0
    total = M[SQUARE_X + here] + M[SQUARE_Y + here] - M[SQUARE_X + there] - M[SQUARE_Y + there]
    return (total & 1) == 0
