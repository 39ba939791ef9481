"""Lists of squares: the squares of anything that is somewhere, which of them touch, and who sees whom."""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.components.containers import is_inside
from talewright.runtime.kernel.maps.pieces import joint_square, joint_width
from talewright.runtime.kernel.maps.squares import (
    SHIFT,
    across_between,
    along_way,
    are_linked,
    base_size,
    down_between,
    end_square,
    is_square,
    is_step,
    neighbour_by,
    neighbours_most,
    sign,
    square_at,
    square_under,
    way_of_direction,
)
from talewright.runtime.kernel.memory import (
    BLOCKS,
    CORNERS_OPEN,
    DIRTY,
    FIELDS_MADE,
    FIRST_SQUARE,
    GRID,
    JOINT_PIECE,
    LINK_COUNT,
    LINKS,
    NONE,
    PIECE_AT,
    SQUARE_AT,
    SQUARE_OTHER,
    SQUARE_OWNER,
    STACK_TOP,
    STAND_AT,
    STAND_BASE,
    THINGS,
    M,
    fault,
)
from talewright.runtime.kernel.storage.lists import includes_item, insert, new_list

# The first item of a list that is a spot: `[n, SPOT, base, where, cost, squares of the way there ...]`.
SPOT = -7777
MOST_LINKS = 256
# The base of a figure on one square: a column, and a row in the upper byte.
ONE_SQUARE = 257


# ------------------------------------------------------------------ lists of squares
def add_under(squares: int, base: int, at: int) -> None:
    """Adds the squares under a base to the list on top of the stack."""
    for i in range(base_size(base)):
        square = square_under(base, at, i)
        if square != 0:
            insert(squares, square)


def add_squares(squares: int, what: int) -> None:
    """Adds the squares of a thing, square, spot or list to the list on top of the stack."""
    if what == 0 or what == NONE:
        return
    if is_square(what) != 0:
        insert(squares, what)
    elif what > 0 and what <= THINGS:
        add_squares_of_thing(squares, what)
    elif what >= BLOCKS:
        if M[what] > 0 and M[what + 1] == SPOT:
            add_under(squares, M[what + 2], M[what + 3])
            return
        for i in range(1, M[what] + 1):
            add_squares(squares, M[what + i])


def add_squares_of_thing(squares: int, thing: int) -> None:
    """Adds the squares under a figure, of a piece, of a joint, or of the whole grid."""
    if M[STAND_BASE + thing] != 0:
        add_under(squares, M[STAND_BASE + thing], M[STAND_AT + thing])
    elif M[PIECE_AT + thing] != 0 or thing == GRID:
        for square in range(FIRST_SQUARE, end_square()):
            if thing == GRID or M[SQUARE_OWNER + square] == thing or M[SQUARE_OTHER + square] == thing:
                insert(squares, square)
    elif M[JOINT_PIECE + thing] != 0:
        # The run of a joint has its own order; squares come in theirs.
        for i in range(joint_width(thing)):
            insert(squares, joint_square(thing, i))


def squares_of(what: int) -> int:
    """The squares of anything that is somewhere, as a list in order."""
    made = new_list()
    add_squares(made, what)
    return made


def first_square(what: int) -> int:
    """The lowest square of anything that is somewhere, or none."""
    if is_square(what) != 0:
        return what
    top = M[STACK_TOP]
    made = squares_of(what)
    found = 0
    if M[made] > 0:
        found = M[made + 1]
    M[STACK_TOP] = top
    return found


def squares_meet(first: int, second: int) -> int:
    """Whether two lists of squares, both in order, have one in common."""
    i = 1
    j = 1
    while i <= M[first] and j <= M[second]:
        if M[first + i] == M[second + j]:
            return 1
        if M[first + i] < M[second + j]:
            i += 1
        else:
            j += 1
    return 0


def link_squares(near_side: int, far_side: int) -> None:
    """Makes every square of one list a neighbour of every square of another."""
    if M[near_side] == 0 or M[far_side] == 0 or squares_meet(near_side, far_side) != 0:
        return
    for i in range(1, M[near_side] + 1):
        for j in range(1, M[far_side] + 1):
            if are_linked(M[near_side + i], M[far_side + j]) == 0:
                if M[LINK_COUNT] >= MOST_LINKS:
                    fault(TOO_MUCH)
                M[LINKS + 2 * M[LINK_COUNT]] = M[near_side + i]
                M[LINKS + 2 * M[LINK_COUNT] + 1] = M[far_side + j]
                M[LINK_COUNT] += 1
    M[FIELDS_MADE] = 0
    M[DIRTY] = 1


# ------------------------------------------------------------------ neighbours
def squares_touch(here: int, there: int) -> int:
    """Whether a step leads from one list of squares to another."""
    for i in range(1, M[here] + 1):
        for j in range(1, M[there] + 1):
            if is_step(M[here + i], M[there + j]) != 0:
                return 1
    return 0


def squares_adjacent(first: int, second: int) -> int:
    """Whether a step leads from one thing, square, spot or list to another that it does not touch."""
    if lies_nowhere(first) != 0 or lies_nowhere(second) != 0:
        return 0
    top = M[STACK_TOP]
    here = squares_of(first)
    there = squares_of(second)
    found = squares_meet(here, there) == 0 and squares_touch(here, there) != 0
    M[STACK_TOP] = top
    return found


def squares_near(first: int, second: int) -> int:
    """Whether a thing, square, spot or list and another one touch, or are one step apart."""
    if lies_nowhere(first) != 0 or lies_nowhere(second) != 0:
        return 0
    top = M[STACK_TOP]
    here = squares_of(first)
    there = squares_of(second)
    found = squares_meet(here, there) != 0 or squares_touch(here, there) != 0
    M[STACK_TOP] = top
    return found


def lies_nowhere(what: int) -> int:
    """Whether a thing has no squares, as most have none: it neither stands nor lies on the map."""
    return (
        what > 0
        and what <= THINGS
        and M[STAND_BASE + what] == 0
        and M[PIECE_AT + what] == 0
        and M[JOINT_PIECE + what] == 0
        and what != GRID
    )


def squares_toward(here: int, direction: int) -> int:
    """The neighbours of some squares that lie further in a direction, as a list."""
    made = new_list()
    way = way_of_direction(direction)
    if way < 0:
        return made
    for i in range(1, M[here] + 1):
        for j in range(1, M[here] + 1):
            for number in range(neighbours_most()):
                there = neighbour_by(M[here + j], number)
                if there != 0 and along_way(there, M[here + i], way) > 0 and includes_item(here, there) == 0:
                    insert(made, there)
    return made


def square_area(here: int, size: int) -> int:
    """The squares at most so many columns and rows away from those of a list, rock between or not."""
    made = new_list()
    for i in range(1, M[here] + 1):
        for down in range(0 - size, size + 1):
            for across in range(0 - size, size + 1):
                square = square_at(M[SQUARE_AT + M[here + i]] + (down << SHIFT) + across)
                if square != 0:
                    insert(made, square)
    return made


# ------------------------------------------------------------------ sight
def squares_see(here: int, there: int) -> int:
    """Whether a line from the centre of one square to that of another meets no rock and no wall."""
    if squares_meet(here, there) != 0:
        return 1
    for i in range(1, M[here] + 1):
        for j in range(1, M[there] + 1):
            if M[here + i] < M[there + j]:
                if line_is_clear(M[here + i], M[there + j]) != 0:
                    return 1
            elif line_is_clear(M[there + j], M[here + i]) != 0:
                return 1
    return 0


def line_is_clear(here: int, there: int) -> int:
    """Whether nothing stops the line between the centres of two squares; figures never do."""
    across = across_between(here, there)
    down = down_between(here, there)
    east = sign(across)
    south = sign(down) << SHIFT
    across *= sign(across)
    down *= sign(down)
    done_across = 0
    done_down = 0
    square = here
    at = M[SQUARE_AT + here]
    while done_across < across or done_down < down:
        # Which side of the square does the line leave by? Compared without fractions.
        lead = (1 + 2 * done_across) * down - (1 + 2 * done_down) * across
        if lead == 0 and CORNERS_OPEN == 0 and (square_at(at + east) == 0 or square_at(at + south) == 0):
            return 0
        if lead <= 0:
            at += east
            done_across += 1
        if lead >= 0:
            at += south
            done_down += 1
        onward = square_at(at)
        if onward == 0:
            return 0
        if lead != 0 and is_step(square, onward) == 0 and is_step(onward, square) == 0:
            return 0
        square = onward
    return 1


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
