"""A map of squares that grows piece by piece: squares, pieces, joints, gates, and who sees whom.

Squares are numbered after the containers, in the order in which they were laid. A table finds the square, or the rock, at a
column and row. A piece that lies on the map has a row `[piece, plan, column, row, quarter turns, covered joint]`. The ways out
of a square are numbered clockwise from the north; a bit of SQUARE_OPEN says that a step leads that way.

The drawing of a piece is a fixed block: width, height, then how many and where: squares of floor, rock, joints
`[mark, way, how many, squares]` and marks `[mark, how many, squares]`.
"""

from __future__ import annotations

from talewright.runtime.kernel.components.containers import put_in
from talewright.runtime.kernel.memory import (
    BLOCKS,
    BOX,
    CORNERS_OPEN,
    DIAGONAL,
    DIRTY,
    FIELD_GOAL,
    FIRST,
    FIRST_DIRECTION,
    FIRST_JOINT,
    FIRST_SQUARE,
    GRID,
    GRID_PART,
    GRID_RIGHT,
    HASH_CELL,
    HASH_KEY,
    HASH_MASK,
    JOINT_NUMBER,
    JOINT_PIECE,
    LINK_COUNT,
    LINKS,
    NEXT,
    NONE,
    OPEN_WORD,
    PIECE_AT,
    PIECE_COUNT,
    PIECE_ROWS,
    PLAN_OF,
    SQUARE_COUNT,
    SQUARE_OPEN,
    SQUARE_OTHER,
    SQUARE_OWNER,
    SQUARE_X,
    SQUARE_Y,
    SQUARES_MOST,
    STACK_TOP,
    STAND_AT,
    STAND_BASE,
    THINGS,
    WHERE,
    M,
    armed_by_move,
    fault,
)
from talewright.runtime.kernel.storage.lists import includes_item, new_list, push

R14 = 14
# Columns and rows may be negative: they are packed with this added.
MIDDLE = 1 << 14
SHIFT = 15
LOW = (1 << 15) - 1
# A square of a drawing: its row times this, and its column.
ROW = 1 << 12
ROCK = -1
PIECE = 1
FIGURE = 2
PIECE_CELLS = 6
MOST_LINKS = 256
# How far apart pieces lie that do not touch.
GAP = 2
# The first item of a list that is a spot: `[n, SPOT, base, where, cost, squares of the way there ...]`.
SPOT = -7777


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


# ------------------------------------------------------------------ lists of squares
def insert_square(squares: int, square: int) -> None:
    """Adds a square to the list on top of the stack, which stays in order and holds each once."""
    i = M[squares]
    while i > 0 and M[squares + i] > square:
        i -= 1
    if i > 0 and M[squares + i] == square:
        return
    push(squares, square)
    j = M[squares]
    while j > i + 1:
        M[squares + j] = M[squares + j - 1]
        j -= 1
    M[squares + i + 1] = square


def add_under(squares: int, base: int, x: int, y: int) -> None:
    """Adds the squares under a base to the list on top of the stack."""
    width = base & 255
    height = (base >> 8) & 255
    j = 0
    while j < height:
        i = 0
        while i < width:
            square = square_at(x + i, y + j)
            if square != 0:
                insert_square(squares, square)
            i += 1
        j += 1


def add_squares(squares: int, what: int) -> None:
    """Adds the squares of a thing, square, spot or list to the list on top of the stack."""
    if what == 0 or what == NONE:
        return
    if is_square(what) != 0:
        insert_square(squares, what)
    elif what > 0 and what <= THINGS:
        add_squares_of_thing(squares, what)
    elif what >= BLOCKS:
        if M[what] > 0 and M[what + 1] == SPOT:
            add_under(squares, M[what + 2], packed_x(M[what + 3]), packed_y(M[what + 3]))
            return
        i = 1
        while i <= M[what]:
            add_squares(squares, M[what + i])
            i += 1


def add_squares_of_thing(squares: int, thing: int) -> None:
    """Adds the squares under a figure, of a piece, of a joint, or of the whole grid."""
    if M[STAND_BASE + thing] != 0:
        add_under(
            squares, M[STAND_BASE + thing], packed_x(M[STAND_AT + thing]), packed_y(M[STAND_AT + thing])
        )
    elif M[PIECE_AT + thing] != 0 or thing == GRID:
        square = FIRST_SQUARE
        while square < end_square():
            if thing == GRID or M[SQUARE_OWNER + square] == thing or M[SQUARE_OTHER + square] == thing:
                insert_square(squares, square)
            square += 1
    elif M[JOINT_PIECE + thing] != 0:
        # The run of a joint has its own order; squares come in theirs.
        i = 0
        while i < joint_width(thing):
            insert_square(squares, joint_square(thing, i))
            i += 1


def squares_of(what: int) -> int:
    """The squares of anything that is somewhere, as a list in order."""
    made = new_list()
    add_squares(made, what)
    return made


def all_squares() -> int:
    """Every square of the map, as a list."""
    made = new_list()
    square = FIRST_SQUARE
    while square < end_square():
        push(made, square)
        square += 1
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


# ------------------------------------------------------------------ pieces
def turned_x(plan: int, at: int, turn: int) -> int:
    """The column of a square of a drawing after so many quarter turns."""
    x = at % ROW
    y = at // ROW
    if turn == 1:
        return M[plan + 1] - 1 - y
    if turn == 2:
        return M[plan] - 1 - x
    if turn == 3:
        return y
    return x


def turned_y(plan: int, at: int, turn: int) -> int:
    """The row of a square of a drawing after so many quarter turns."""
    x = at % ROW
    y = at // ROW
    if turn == 1:
        return x
    if turn == 2:
        return M[plan + 1] - 1 - y
    if turn == 3:
        return M[plan] - 1 - x
    return y


def belongs(square: int, piece: int) -> int:
    """Whether a square is one of a piece."""
    return M[SQUARE_OWNER + square] == piece or M[SQUARE_OTHER + square] == piece


def own_square(square: int, piece: int) -> None:
    """Makes a square one of a piece, beside the one that has it already."""
    if belongs(square, piece) != 0:
        return
    if M[SQUARE_OWNER + square] == 0:
        M[SQUARE_OWNER + square] = piece
    else:
        M[SQUARE_OTHER + square] = piece


def new_piece(piece: int, plan: int, x: int, y: int, turn: int, covered: int) -> None:
    """Notes that a piece lies on the map."""
    row = PIECE_ROWS + M[PIECE_COUNT] * PIECE_CELLS
    M[PIECE_COUNT] += 1
    M[row] = piece
    M[row + 1] = plan
    M[row + 2] = x
    M[row + 3] = y
    M[row + 4] = turn
    M[row + 5] = covered
    M[PIECE_AT + piece] = row
    M[FIELD_GOAL] = 0


def lay_down(piece: int, plan: int, x: int, y: int, turn: int) -> None:
    """Lays a piece with its upper left corner there: its squares are numbered row by row as it lies."""
    top = M[STACK_TOP]
    order = new_list()
    i = 0
    while i < M[plan + 2]:
        at = M[M[plan + 3] + i]
        insert_square(order, packed(x + turned_x(plan, at, turn), y + turned_y(plan, at, turn)))
        i += 1
    i = 1
    while i <= M[order]:
        own_square(need_square(packed_x(M[order + i]), packed_y(M[order + i])), piece)
        i += 1
    i = 1
    while i <= M[order]:
        connect_square(square_at(packed_x(M[order + i]), packed_y(M[order + i])), piece)
        i += 1
    M[STACK_TOP] = top
    i = 0
    while i < M[plan + 4]:
        at = M[M[plan + 5] + i]
        enter_square(x + turned_x(plan, at, turn), y + turned_y(plan, at, turn), ROCK)
        i += 1
    new_piece(piece, plan, x, y, turn, 0)


def need_square(x: int, y: int) -> int:
    """The square in a column and row, made if it is not there."""
    square = square_at(x, y)
    if square != 0:
        return square
    if M[SQUARE_COUNT] >= SQUARES_MOST:
        fault(R14, 0)
    square = end_square()
    M[SQUARE_COUNT] += 1
    M[SQUARE_X + square] = x
    M[SQUARE_Y + square] = y
    M[SQUARE_OPEN + square] = 0
    M[SQUARE_OWNER + square] = 0
    M[SQUARE_OTHER + square] = 0
    enter_square(x, y, square)
    return square


def piece_square(x: int, y: int, piece: int) -> int:
    """The square of a piece in a column and row, or none."""
    square = square_at(x, y)
    if square == 0 or belongs(square, piece) == 0:
        return 0
    return square


def connect_square(square: int, piece: int) -> None:
    """Lets steps lead to the neighbours of one piece; other pieces meet it in joints only."""
    x = M[SQUARE_X + square]
    y = M[SQUARE_Y + square]
    way = 0
    while way < 8:
        across = way_x(way)
        down = way_y(way)
        leads = piece_square(x + across, y + down, piece) != 0
        if leads and across != 0 and down != 0:
            leads = DIAGONAL != 0
            if leads and CORNERS_OPEN == 0:
                leads = piece_square(x + across, y, piece) != 0 and piece_square(x, y + down, piece) != 0
        if leads:
            M[SQUARE_OPEN + square] |= 1 << way
        way += 1


def onto_grid(thing: int) -> None:
    """Puts a thing onto the grid; who is there already has moved all the same."""
    if M[WHERE + thing] != GRID:
        put_in(thing, GRID, 0)
        return
    M[DIRTY] = 1
    armed_by_move(thing, GRID, GRID)


def lay_piece(piece: int) -> int:
    """Lays a piece apart from everything that is there."""
    if piece == 0 or M[PIECE_AT + piece] != 0 or M[PLAN_OF + piece] == 0:
        return 0
    x = 0
    if M[GRID_RIGHT] != NONE:
        x = M[GRID_RIGHT] + 1 + GAP
    lay_down(piece, M[PLAN_OF + piece], x, 0, 0)
    onto_grid(piece)
    return 1


# ------------------------------------------------------------------ joints
def joint_row(joint: int) -> int:
    """The row of a joint in the drawing of its piece, if the piece lies on the map with that joint; else 0."""
    if joint == 0 or M[JOINT_PIECE + joint] == 0:
        return 0
    row = M[PIECE_AT + M[JOINT_PIECE + joint]]
    if row == 0 or M[row + 5] != 0:
        return 0
    plan = M[row + 1]
    if M[JOINT_NUMBER + joint] >= M[plan + 6]:
        return 0
    return M[plan + 7] + 4 * M[JOINT_NUMBER + joint]


def joint_width(joint: int) -> int:
    """How many squares a joint has that lies on the map."""
    row = joint_row(joint)
    if row == 0:
        return 0
    return M[row + 2]


def joint_way(joint: int) -> int:
    """The way that a joint on the map looks out."""
    row = M[PIECE_AT + M[JOINT_PIECE + joint]]
    return (M[joint_row(joint) + 1] + 2 * M[row + 4]) & 7


def joint_square(joint: int, index: int) -> int:
    """A square of a joint on the map, in the order of its drawing."""
    row = M[PIECE_AT + M[JOINT_PIECE + joint]]
    at = M[M[joint_row(joint) + 3] + index]
    plan = M[row + 1]
    turn = M[row + 4]
    return square_at(M[row + 2] + turned_x(plan, at, turn), M[row + 3] + turned_y(plan, at, turn))


def joint_origin(joint: int) -> int:
    """The first square of a joint on the map, from left to right as seen from inside, looking out."""
    way = (joint_way(joint) + 2) & 7
    best = joint_square(joint, 0)
    i = 1
    while i < joint_width(joint):
        square = joint_square(joint, i)
        if along_way(square, best, way) < 0:
            best = square
        i += 1
    return best


def along_way(square: int, origin: int, way: int) -> int:
    """How far a square lies from another one, counted along a way."""
    across = M[SQUARE_X + square] - M[SQUARE_X + origin]
    down = M[SQUARE_Y + square] - M[SQUARE_Y + origin]
    return across * way_x(way) + down * way_y(way)


def joint_beyond(joint: int) -> int:
    """The piece on the far side of a joint, or none."""
    if joint_row(joint) == 0:
        return 0
    square = joint_origin(joint)
    piece = M[JOINT_PIECE + joint]
    if M[SQUARE_OWNER + square] != piece:
        return M[SQUARE_OWNER + square]
    return M[SQUARE_OTHER + square]


def plan_joint(plan: int, mark: int) -> int:
    """The row of the joint with a mark in a drawing, or 0."""
    i = 0
    while i < M[plan + 6]:
        if M[M[plan + 7] + 4 * i] == mark:
            return M[plan + 7] + 4 * i
        i += 1
    return 0


def find_joint(piece: int, mark: int) -> int:
    """The joint of a piece with a letter, or none."""
    if piece == 0 or M[FIRST_JOINT + piece] == 0:
        return 0
    plan = M[PLAN_OF + piece]
    row = plan_joint(plan, mark)
    if row == 0:
        return 0
    return M[FIRST_JOINT + piece] + (row - M[plan + 7]) // 4


def joint_mark(joint: int) -> int:
    """The letter of a joint."""
    if joint == 0 or M[JOINT_PIECE + joint] == 0:
        return 0
    plan = M[PLAN_OF + M[JOINT_PIECE + joint]]
    return M[M[plan + 7] + 4 * M[JOINT_NUMBER + joint]]


def joints_of(piece: int) -> int:
    """The joints of a piece, as a list."""
    made = new_list()
    if piece == 0 or M[FIRST_JOINT + piece] == 0:
        return made
    i = 0
    while i < M[M[PLAN_OF + piece] + 6]:
        push(made, M[FIRST_JOINT + piece] + i)
        i += 1
    return made


def fitting_turn(plan: int, joint: int, mark: int) -> int:
    """By how many quarters a piece is turned that is joined there by its joint with a mark; -1 if the two do not meet."""
    if plan == 0 or joint_row(joint) == 0:
        return -1
    own = plan_joint(plan, mark)
    if own == 0 or M[own + 2] != joint_width(joint) or joint_beyond(joint) != 0:
        return -1
    return ((((joint_way(joint) + 4) & 7) - M[own + 1]) // 2) & 3


def fitting_corner(plan: int, joint: int, mark: int, turn: int) -> int:
    """Where the upper left corner of a piece comes to lie that is joined there, packed."""
    own = plan_joint(plan, mark)
    # The squares of both joints lie in one line: their first ones, by column and then row, come together.
    left = NONE
    high = 0
    i = 0
    while i < M[own + 2]:
        at = M[M[own + 3] + i]
        x = turned_x(plan, at, turn)
        y = turned_y(plan, at, turn)
        if left == NONE or x < left or (x == left and y < high):
            left = x
            high = y
        i += 1
    best = joint_square(joint, 0)
    i = 1
    while i < joint_width(joint):
        square = joint_square(joint, i)
        if M[SQUARE_X + square] < M[SQUARE_X + best] or (
            M[SQUARE_X + square] == M[SQUARE_X + best] and M[SQUARE_Y + square] < M[SQUARE_Y + best]
        ):
            best = square
        i += 1
    return packed(M[SQUARE_X + best] - left, M[SQUARE_Y + best] - high)


def is_of_joint(joint: int, square: int) -> int:
    """Whether a square is one of a joint on the map."""
    i = 0
    while i < joint_width(joint):
        if joint_square(joint, i) == square:
            return 1
        i += 1
    return 0


def lies_free(plan: int, corner: int, turn: int, joint: int) -> int:
    """Whether a piece would lie on nothing but the squares of a joint; its rock may lie on rock."""
    x = packed_x(corner)
    y = packed_y(corner)
    i = 0
    while i < M[plan + 2]:
        at = M[M[plan + 3] + i]
        u = x + turned_x(plan, at, turn)
        v = y + turned_y(plan, at, turn)
        if is_drawn(u, v) != 0:
            square = square_at(u, v)
            if square == 0 or is_of_joint(joint, square) == 0:
                return 0
        i += 1
    i = 0
    while i < M[plan + 4]:
        at = M[M[plan + 5] + i]
        if square_at(x + turned_x(plan, at, turn), y + turned_y(plan, at, turn)) != 0:
            return 0
        i += 1
    return 1


def fits(piece: int, joint: int, mark: int) -> int:
    """Whether a piece can be joined there by its joint with a mark."""
    if piece == 0:
        return 0
    plan = M[PLAN_OF + piece]
    turn = fitting_turn(plan, joint, mark)
    if turn < 0:
        return 0
    return lies_free(plan, fitting_corner(plan, joint, mark, turn), turn, joint)


def covers_joint(plan: int) -> int:
    """Whether a piece has nothing but a joint, or no drawing at all."""
    if plan == 0:
        return 1
    i = 0
    while i < M[plan + 6]:
        if M[M[plan + 7] + 4 * i + 2] == M[plan + 2]:
            return 1
        i += 1
    return 0


def join_piece(piece: int, joint: int, mark: int) -> int:
    """Joins a piece to the map; one without a drawing, or with nothing but a joint, covers the joint."""
    if piece == 0 or joint_row(joint) == 0 or M[PIECE_AT + piece] != 0 or joint_beyond(joint) != 0:
        return 0
    plan = M[PLAN_OF + piece]
    if covers_joint(plan) != 0:
        i = 0
        while i < joint_width(joint):
            own_square(joint_square(joint, i), piece)
            i += 1
        new_piece(piece, plan, 0, 0, 0, joint)
        onto_grid(piece)
        return 1
    if mark == 0:
        if M[plan + 6] == 0:
            return 0
        mark = M[M[plan + 7]]
    if fits(piece, joint, mark) == 0:
        return 0
    turn = fitting_turn(plan, joint, mark)
    corner = fitting_corner(plan, joint, mark, turn)
    lay_down(piece, plan, packed_x(corner), packed_y(corner), turn)
    onto_grid(piece)
    return 1


# ------------------------------------------------------------------ gates
def are_linked(here: int, there: int) -> int:
    """Whether a gate leads from one square to another."""
    i = 0
    while i < M[LINK_COUNT]:
        a = M[LINKS + 2 * i]
        b = M[LINKS + 2 * i + 1]
        if (a == here and b == there) or (a == there and b == here):
            return 1
        i += 1
    return 0


def link_squares(near_side: int, far_side: int) -> None:
    """Makes every square of one list a neighbour of every square of another."""
    if M[near_side] == 0 or M[far_side] == 0 or squares_meet(near_side, far_side) != 0:
        return
    i = 1
    while i <= M[near_side]:
        j = 1
        while j <= M[far_side]:
            if are_linked(M[near_side + i], M[far_side + j]) == 0:
                if M[LINK_COUNT] >= MOST_LINKS:
                    fault(R14, 0)
                M[LINKS + 2 * M[LINK_COUNT]] = M[near_side + i]
                M[LINKS + 2 * M[LINK_COUNT] + 1] = M[far_side + j]
                M[LINK_COUNT] += 1
            j += 1
        i += 1
    M[FIELD_GOAL] = 0
    M[DIRTY] = 1


# ------------------------------------------------------------------ neighbours
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


def squares_adjacent(here: int, there: int) -> int:
    """Whether a step leads from one list of squares to another that it does not touch."""
    if squares_meet(here, there) != 0:
        return 0
    return squares_touch(here, there)


def squares_touch(here: int, there: int) -> int:
    """Whether a step leads from one list of squares to another."""
    i = 1
    while i <= M[here]:
        j = 1
        while j <= M[there]:
            if is_step(M[here + i], M[there + j]) != 0:
                return 1
            j += 1
        i += 1
    return 0


def squares_near(here: int, there: int) -> int:
    """Whether two lists of squares touch, or are one step apart."""
    return squares_meet(here, there) != 0 or squares_touch(here, there) != 0


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


def squares_toward(here: int, direction: int) -> int:
    """The neighbours of some squares that lie further in a direction, as a list."""
    made = new_list()
    way = way_of_direction(direction)
    if way < 0:
        return made
    i = 1
    while i <= M[here]:
        j = 1
        while j <= M[here]:
            number = 0
            while number < neighbours_most():
                there = neighbour_by(M[here + j], number)
                if there != 0 and further(M[here + i], there, way) != 0 and includes_item(here, there) == 0:
                    insert_square(made, there)
                number += 1
            j += 1
        i += 1
    return made


def further(here: int, there: int, way: int) -> int:
    """Whether a square lies further than another one along a way."""
    return along_way(there, here, way) > 0


def square_way(here: int, there: int) -> int:
    """The direction from one square to another, or none."""
    if here == 0 or there == 0 or FIRST_DIRECTION > THINGS:
        return 0
    way = way_to(M[SQUARE_X + there] - M[SQUARE_X + here], M[SQUARE_Y + there] - M[SQUARE_Y + here])
    if way < 0:
        return 0
    return FIRST_DIRECTION + way


def square_area(here: int, size: int) -> int:
    """The squares at most so many columns and rows away from those of a list, rock between or not."""
    made = new_list()
    i = 1
    while i <= M[here]:
        x = M[SQUARE_X + M[here + i]]
        y = M[SQUARE_Y + M[here + i]]
        down = 0 - size
        while down <= size:
            across = 0 - size
            while across <= size:
                square = square_at(x + across, y + down)
                if square != 0:
                    insert_square(made, square)
                across += 1
            down += 1
        i += 1
    return made


def square_row(square: int, joint: int) -> int:
    """How many rows inside a joint a square lies, or none."""
    if square == 0 or joint_row(joint) == 0:
        return NONE
    return along_way(square, joint_origin(joint), (joint_way(joint) + 4) & 7)


def square_column(square: int, joint: int) -> int:
    """How many columns to the right of a joint a square lies, looking out, or none."""
    if square == 0 or joint_row(joint) == 0:
        return NONE
    return along_way(square, joint_origin(joint), (joint_way(joint) + 2) & 7)


def same_colour(here: int, there: int) -> int:
    """Whether a chequerboard would colour two squares alike."""
    if here == 0 or there == 0:
        return 0
    total = M[SQUARE_X + here] + M[SQUARE_Y + here] - M[SQUARE_X + there] - M[SQUARE_Y + there]
    return (total & 1) == 0


# ------------------------------------------------------------------ pieces by squares
def pieces_at(squares: int) -> int:
    """The pieces that some squares belong to, in the order they were laid."""
    made = new_list()
    i = 0
    while i < M[PIECE_COUNT]:
        piece = M[PIECE_ROWS + i * PIECE_CELLS]
        j = 1
        while j <= M[squares]:
            if belongs(M[squares + j], piece) != 0:
                push(made, piece)
                j = M[squares]
            j += 1
        i += 1
    return made


def add_joined(made: int, piece: int) -> None:
    """Adds the pieces that share a square with one to the list on top of the stack, in the order they were laid."""
    if piece == 0 or M[PIECE_AT + piece] == 0:
        return
    start = M[made]
    square = FIRST_SQUARE
    while square < end_square():
        other = 0
        if M[SQUARE_OWNER + square] == piece:
            other = M[SQUARE_OTHER + square]
        elif M[SQUARE_OTHER + square] == piece:
            other = M[SQUARE_OWNER + square]
        if other != 0:
            insert_piece(made, start, other)
        square += 1


def insert_piece(made: int, start: int, piece: int) -> None:
    """Adds a piece that is not there yet, behind those before a position, where it belongs by the order of laying."""
    i = 1
    while i <= M[made]:
        if M[made + i] == piece:
            return
        i += 1
    i = M[made]
    push(made, piece)
    while i > start and M[PIECE_AT + M[made + i]] > M[PIECE_AT + piece]:
        M[made + i + 1] = M[made + i]
        i -= 1
    M[made + i + 1] = piece


def joined_to(what: int) -> int:
    """The pieces joined to a piece, or to those of a list."""
    made = new_list()
    if what <= THINGS:
        add_joined(made, what)
        return made
    i = 1
    while i <= M[what]:
        add_joined(made, M[what + i])
        i += 1
    return made


def marked_squares(piece: int, mark: int) -> int:
    """The squares of a piece that are drawn with a mark."""
    made = new_list()
    if piece == 0 or M[PIECE_AT + piece] == 0:
        return made
    row = M[PIECE_AT + piece]
    plan = M[row + 1]
    if plan == 0 or M[row + 5] != 0:
        return made
    i = 0
    while i < M[plan + 8]:
        known = M[plan + 9] + 3 * i
        if M[known] == mark:
            add_drawn(made, row, M[known + 2], M[known + 1])
        i += 1
    return made


def drawn_squares(piece: int, drawn: int, count: int) -> int:
    """The squares of the map on which squares of the drawing of a piece lie; none where it does not lie there."""
    made = new_list()
    if M[PIECE_AT + piece] != 0:
        add_drawn(made, M[PIECE_AT + piece], drawn, count)
    return made


def add_drawn(made: int, row: int, drawn: int, count: int) -> None:
    """Puts squares of the drawing of a piece that lies on the map into a list."""
    plan = M[row + 1]
    i = 0
    while i < count:
        x = M[row + 2] + turned_x(plan, M[drawn + i], M[row + 4])
        y = M[row + 3] + turned_y(plan, M[drawn + i], M[row + 4])
        insert_square(made, square_at(x, y))
        i += 1


def squares_see(here: int, there: int) -> int:
    """Whether a line from the centre of one square to that of another meets no rock and no wall."""
    if squares_meet(here, there) != 0:
        return 1
    i = 1
    while i <= M[here]:
        j = 1
        while j <= M[there]:
            if M[here + i] < M[there + j]:
                if line_is_clear(M[here + i], M[there + j]) != 0:
                    return 1
            elif line_is_clear(M[there + j], M[here + i]) != 0:
                return 1
            j += 1
        i += 1
    return 0


def line_is_clear(here: int, there: int) -> int:
    """Whether nothing stops the line between the centres of two squares; figures never do."""
    x = M[SQUARE_X + here]
    y = M[SQUARE_Y + here]
    across = M[SQUARE_X + there] - x
    down = M[SQUARE_Y + there] - y
    east = 1
    south = 1
    if across < 0:
        east = -1
        across = 0 - across
    if down < 0:
        south = -1
        down = 0 - down
    # A start level with the end never goes that way: which way it would be does not matter.
    done_across = 0
    done_down = 0
    square = here
    while done_across < across or done_down < down:
        # Which side of the square does the line leave by? Compared without fractions.
        lead = (1 + 2 * done_across) * down - (1 + 2 * done_down) * across
        if lead == 0:
            if CORNERS_OPEN == 0 and (square_at(x + east, y) == 0 or square_at(x, y + south) == 0):
                return 0
            x += east
            y += south
            done_across += 1
            done_down += 1
        elif lead < 0:
            x += east
            done_across += 1
        else:
            y += south
            done_down += 1
        onward = square_at(x, y)
        if onward == 0:
            return 0
        if lead != 0 and is_step(square, onward) == 0 and is_step(onward, square) == 0:
            return 0
        square = onward
    return 1


# ------------------------------------------------------------------ the map as a whole
def on_grid(thing: int) -> int:
    """Whether a thing lies or stands on the grid."""
    return thing != 0 and M[WHERE + thing] == GRID


def clear_grid() -> None:
    """Takes every figure and piece off the grid; nothing is left of the map."""
    thing = M[FIRST + GRID]
    while thing != 0:
        following = M[NEXT + thing]
        M[STAND_BASE + thing] = 0
        put_in(thing, BOX, 0)
        thing = following
    while M[PIECE_COUNT] > 0:
        M[PIECE_COUNT] -= 1
        M[PIECE_AT + M[PIECE_ROWS + M[PIECE_COUNT] * PIECE_CELLS]] = 0
    M[SQUARE_COUNT] = 0
    M[LINK_COUNT] = 0
    M[GRID_RIGHT] = NONE
    M[FIELD_GOAL] = 0
    i = 0
    while i <= HASH_MASK:
        M[HASH_KEY + i] = 0
        i += 1
    M[DIRTY] = 1


def is_piece(thing: int) -> int:
    """Whether a thing is a piece of a map."""
    return (M[GRID_PART + thing] & PIECE) != 0


def is_ground(where: int) -> int:
    """Whether something is put there by standing on it: a square, a spot, some of them, or a piece."""
    if where > THINGS:
        return is_square(where) != 0 or where >= BLOCKS
    return where != GRID and is_piece(where) != 0


def is_figure(thing: int) -> int:
    """Whether a thing takes up the squares it stands on."""
    return (M[GRID_PART + thing] & FIGURE) != 0


def set_scene(ground: int, plan: int) -> None:
    """Makes the map a drawing, whose ground counts as a piece."""
    clear_grid()
    lay_down(ground, plan, 0, 0, 0)
