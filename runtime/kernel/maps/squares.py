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
    SQUARE_AT,
    SQUARE_COUNT,
    SQUARE_OPEN,
    SQUARES_MOST,
    THINGS,
    WAY_STEP,
    M,
)

# Columns and rows may be negative: they are packed with this added.
MIDDLE = 1 << 14
SHIFT = 15
LOW = (1 << 15) - 1
ROCK = -1


# ------------------------------------------------------------------ ways
def way_step(way: int) -> int:
    """What a step that way adds to a packed square."""
    return M[WAY_STEP + way]


def way_by(across: int, down: int) -> int:
    """The way of a step so far to the east and to the south; -1 for none."""
    for way in range(8):
        if M[WAY_STEP + way] == across + (down << SHIFT):
            return way
    return -1


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


def hash_slot(at: int) -> int:
    """The slot of a packed square in the table, or the free one where it would go."""
    key = at + 1
    slot = ((key * 40503) ^ (key >> 11)) & HASH_MASK
    while M[HASH_KEY + slot] != 0:
        if M[HASH_KEY + slot] == key:
            return slot
        slot = (slot + 1) & HASH_MASK
    return slot


def square_at(at: int) -> int:
    """The square that lies there, or none."""
    slot = hash_slot(at)
    if M[HASH_KEY + slot] == 0 or M[HASH_CELL + slot] == ROCK:
        return 0
    return M[HASH_CELL + slot]


def square_named(column: int, row: int) -> int:
    """The square in a column and row, counted from one, or none."""
    if column < 1 - MIDDLE or row < 1 - MIDDLE or column >= MIDDLE or row >= MIDDLE:
        return 0
    return square_at(packed(column - 1, row - 1))


def base_size(base: int) -> int:
    """How many columns and rows, multiplied, a base takes up."""
    return (base & 255) * ((base >> 8) & 255)


def offset_under(base: int, i: int) -> int:
    """How far the i-th square under a base lies from its corner, counted from 0 row by row."""
    return i % (base & 255) + ((i // (base & 255)) << SHIFT)


def square_under(base: int, at: int, i: int) -> int:
    """The i-th square under a base with its corner there, or none."""
    return square_at(at + offset_under(base, i))


def is_drawn(at: int) -> int:
    """Whether floor or rock lies there."""
    return M[HASH_KEY + hash_slot(at)] != 0


def enter_square(at: int, what: int) -> None:
    """Puts floor or rock into the table."""
    slot = hash_slot(at)
    M[HASH_KEY + slot] = at + 1
    M[HASH_CELL + slot] = what
    if M[GRID_RIGHT] == NONE or packed_x(at) > M[GRID_RIGHT]:
        M[GRID_RIGHT] = packed_x(at)


def end_square() -> int:
    """The number behind the last square."""
    return FIRST_SQUARE + M[SQUARE_COUNT]


def is_square(what: int) -> int:
    """Whether a value is a square."""
    return what >= FIRST_SQUARE and what < FIRST_SQUARE + SQUARES_MOST


# ------------------------------------------------------------------ neighbours
def across_between(here: int, there: int) -> int:
    """How many columns a square lies to the east of another one."""
    return packed_x(M[SQUARE_AT + there]) - packed_x(M[SQUARE_AT + here])


def down_between(here: int, there: int) -> int:
    """How many rows a square lies to the south of another one."""
    return packed_y(M[SQUARE_AT + there]) - packed_y(M[SQUARE_AT + here])


def along_way(square: int, origin: int, way: int) -> int:
    """How far a square lies from another one, counted along a way."""
    ahead = packed(0, 0) + way_step(way)
    return across_between(origin, square) * packed_x(ahead) + down_between(origin, square) * packed_y(ahead)


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
        return square_at(M[SQUARE_AT + square] + way_step(number))
    link = LINKS + 2 * (number - 8)
    if M[link] == square:
        return M[link + 1]
    if M[link + 1] == square:
        return M[link]
    return 0


def is_step(here: int, there: int) -> int:
    """Whether a step leads from one square to another."""
    if here == 0 or there == 0:
        return 0
    way = way_by(across_between(here, there), down_between(here, there))
    if way >= 0 and ((M[SQUARE_OPEN + here] >> way) & 1) != 0:
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
    for side in range(4):
        if square_at(M[SQUARE_AT + square] + way_step(2 * side)) == 0:
            return 1
    return 0


def square_neighbour(square: int, direction: int) -> int:
    """The square a step away in a direction, or none."""
    way = way_of_direction(direction)
    if square == 0 or way < 0:
        return 0
    found = square_at(M[SQUARE_AT + square] + way_step(way))
    if is_step(square, found) == 0:
        return 0
    return found


def square_way(here: int, there: int) -> int:
    """The direction from one square to another, or none."""
    if here == 0 or there == 0 or FIRST_DIRECTION > THINGS:
        return 0
    way = way_by(sign(across_between(here, there)), sign(down_between(here, there)))
    if way < 0:
        return 0
    return FIRST_DIRECTION + way


def sign(number: int) -> int:
    """1, 0 or -1, as a number is above, at or below zero."""
    return (number > 0) - (number < 0)


def same_colour(here: int, there: int) -> int:
    """Whether a chequerboard would colour two squares alike."""
    if here == 0 or there == 0:
        return 0
    return ((across_between(here, there) + down_between(here, there)) & 1) == 0
