"""The pieces of which a map of squares is made: how they lie, their joints, and what is asked about them.

A piece that lies on the map has a row `[piece, plan, corner, quarter turns, covered joint]`.

The drawing of a piece is a fixed block: width, height, then how many and where: squares of floor, rock, joints
`[mark, way, how many, squares]` and marks `[mark, how many, squares]`. A square of a drawing is what it adds to the packed corner.
"""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.components.containers import put_in
from talewright.runtime.kernel.maps.squares import (
    LOW,
    ROCK,
    SHIFT,
    along_way,
    end_square,
    enter_square,
    is_drawn,
    is_square,
    packed,
    square_at,
    way_step,
)
from talewright.runtime.kernel.memory import (
    BLOCKS,
    BOX,
    CORNERS_OPEN,
    DIAGONAL,
    DIRTY,
    FIELDS_MADE,
    FIRST,
    FIRST_JOINT,
    FIRST_SQUARE,
    GRID,
    GRID_PART,
    GRID_RIGHT,
    HASH_KEY,
    HASH_MASK,
    JOINT_PIECE,
    LINK_COUNT,
    NEXT,
    NONE,
    PIECE_AT,
    PIECE_COUNT,
    PIECE_ROWS,
    PLAN_OF,
    SQUARE_AT,
    SQUARE_COUNT,
    SQUARE_OPEN,
    SQUARE_OTHER,
    SQUARE_OWNER,
    SQUARES_MOST,
    STACK_TOP,
    STAND_BASE,
    THINGS,
    WHERE,
    M,
    armed_by_move,
    fault,
)
from talewright.runtime.kernel.storage.lists import clear, includes_item, insert, new_list, push

PIECE = 1
FIGURE = 2
PIECE_CELLS = 5
# How far apart pieces lie that do not touch.
GAP = 2


# ------------------------------------------------------------------ laying
def turned(plan: int, at: int, turn: int) -> int:
    """A square of a drawing after so many quarter turns."""
    x = at & LOW
    y = at >> SHIFT
    if turn == 1:
        return (x << SHIFT) + M[plan + 1] - 1 - y
    if turn == 2:
        return ((M[plan + 1] - 1 - y) << SHIFT) + M[plan] - 1 - x
    if turn == 3:
        return ((M[plan] - 1 - x) << SHIFT) + y
    return at


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


def new_piece(piece: int, plan: int, corner: int, turn: int, covered: int) -> None:
    """Notes that a piece lies on the map."""
    row = PIECE_ROWS + M[PIECE_COUNT] * PIECE_CELLS
    M[PIECE_COUNT] += 1
    M[row] = piece
    M[row + 1] = plan
    M[row + 2] = corner
    M[row + 3] = turn
    M[row + 4] = covered
    M[PIECE_AT + piece] = row
    M[FIELDS_MADE] = 0


def lay_down(piece: int, plan: int, corner: int, turn: int) -> None:
    """Lays a piece with its upper left corner there: its squares are numbered row by row as it lies."""
    top = M[STACK_TOP]
    order = new_list()
    for i in range(M[plan + 2]):
        insert(order, corner + turned(plan, M[M[plan + 3] + i], turn))
    for i in range(1, M[order] + 1):
        own_square(need_square(M[order + i]), piece)
    for i in range(1, M[order] + 1):
        connect_square(square_at(M[order + i]), piece)
    M[STACK_TOP] = top
    for i in range(M[plan + 4]):
        enter_square(corner + turned(plan, M[M[plan + 5] + i], turn), ROCK)
    new_piece(piece, plan, corner, turn, 0)


def need_square(at: int) -> int:
    """The square that lies there, made if it is not there."""
    square = square_at(at)
    if square != 0:
        return square
    if M[SQUARE_COUNT] >= SQUARES_MOST:
        fault(TOO_MUCH)
    square = end_square()
    M[SQUARE_COUNT] += 1
    M[SQUARE_AT + square] = at
    M[SQUARE_OPEN + square] = 0
    M[SQUARE_OWNER + square] = 0
    M[SQUARE_OTHER + square] = 0
    enter_square(at, square)
    return square


def lies_on(piece: int, at: int) -> int:
    """Whether a square of a piece lies there."""
    square = square_at(at)
    return square != 0 and belongs(square, piece) != 0


def connect_square(square: int, piece: int) -> None:
    """Lets steps lead to the neighbours of one piece; other pieces meet it in joints only."""
    at = M[SQUARE_AT + square]
    for way in range(8):
        leads = lies_on(piece, at + way_step(way)) != 0
        if leads and way % 2 != 0:
            leads = DIAGONAL != 0
            if leads and CORNERS_OPEN == 0:
                # The ways on both sides of a diagonal one.
                leads = (
                    lies_on(piece, at + way_step(way - 1)) != 0
                    and lies_on(piece, at + way_step((way + 1) & 7)) != 0
                )
        if leads:
            M[SQUARE_OPEN + square] |= 1 << way


def onto_grid(thing: int) -> None:
    """Puts a thing onto the grid; who is there already has moved all the same."""
    if M[WHERE + thing] != GRID:
        put_in(thing, GRID, 0)
        return
    M[DIRTY] = 1
    armed_by_move(thing)


def lay_piece(piece: int) -> int:
    """Lays a piece apart from everything that is there."""
    if piece == 0 or M[PIECE_AT + piece] != 0 or M[PLAN_OF + piece] == 0:
        return 0
    x = 0
    if M[GRID_RIGHT] != NONE:
        x = M[GRID_RIGHT] + 1 + GAP
    lay_down(piece, M[PLAN_OF + piece], packed(x, 0), 0)
    onto_grid(piece)
    return 1


# ------------------------------------------------------------------ joints
def joint_row(joint: int) -> int:
    """The row of a joint in the drawing of its piece, if the piece lies on the map with that joint; else 0."""
    if joint == 0 or M[JOINT_PIECE + joint] == 0:
        return 0
    row = M[PIECE_AT + M[JOINT_PIECE + joint]]
    if row == 0 or M[row + 4] != 0:
        return 0
    plan = M[row + 1]
    if joint_number(joint) >= M[plan + 6]:
        return 0
    return M[plan + 7] + 4 * joint_number(joint)


def joint_number(joint: int) -> int:
    """Which of the joints of its piece a joint is, counted from 0."""
    return joint - M[FIRST_JOINT + M[JOINT_PIECE + joint]]


def joint_width(joint: int) -> int:
    """How many squares a joint has that lies on the map."""
    row = joint_row(joint)
    if row == 0:
        return 0
    return M[row + 2]


def joint_way(joint: int) -> int:
    """The way that a joint on the map looks out."""
    row = M[PIECE_AT + M[JOINT_PIECE + joint]]
    return (M[joint_row(joint) + 1] + 2 * M[row + 3]) & 7


def joint_square(joint: int, index: int) -> int:
    """A square of a joint on the map, in the order of its drawing."""
    row = M[PIECE_AT + M[JOINT_PIECE + joint]]
    return square_at(M[row + 2] + turned(M[row + 1], M[M[joint_row(joint) + 3] + index], M[row + 3]))


def joint_origin(joint: int) -> int:
    """The first square of a joint on the map, from left to right as seen from inside, looking out."""
    way = (joint_way(joint) + 2) & 7
    best = joint_square(joint, 0)
    for i in range(1, joint_width(joint)):
        square = joint_square(joint, i)
        if along_way(square, best, way) < 0:
            best = square
    return best


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
    for i in range(M[plan + 6]):
        if M[M[plan + 7] + 4 * i] == mark:
            return M[plan + 7] + 4 * i
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
    return M[M[plan + 7] + 4 * joint_number(joint)]


def joints_of(piece: int) -> int:
    """The joints of a piece, as a list."""
    made = new_list()
    if piece == 0 or M[FIRST_JOINT + piece] == 0:
        return made
    for i in range(M[M[PLAN_OF + piece] + 6]):
        push(made, M[FIRST_JOINT + piece] + i)
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
    """Where the upper left corner of a piece comes to lie that is joined there."""
    own = plan_joint(plan, mark)
    # The squares of both joints lie in one line: their first ones, by row and then column, come together.
    first = turned(plan, M[M[own + 3]], turn)
    at = M[SQUARE_AT + joint_square(joint, 0)]
    for i in range(1, M[own + 2]):
        first = lower(first, turned(plan, M[M[own + 3] + i], turn))
        at = lower(at, M[SQUARE_AT + joint_square(joint, i)])
    return at - first


def lower(first: int, second: int) -> int:
    """The lower one of two numbers."""
    if second < first:
        return second
    return first


def is_of_joint(joint: int, square: int) -> int:
    """Whether a square is one of a joint on the map."""
    for i in range(joint_width(joint)):
        if joint_square(joint, i) == square:
            return 1
    return 0


def lies_free(plan: int, corner: int, turn: int, joint: int) -> int:
    """Whether a piece would lie on nothing but the squares of a joint; its rock may lie on rock."""
    for i in range(M[plan + 2]):
        at = corner + turned(plan, M[M[plan + 3] + i], turn)
        if is_drawn(at) != 0 and is_of_joint(joint, square_at(at)) == 0:
            return 0
    for i in range(M[plan + 4]):
        if square_at(corner + turned(plan, M[M[plan + 5] + i], turn)) != 0:
            return 0
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
    for i in range(M[plan + 6]):
        if M[M[plan + 7] + 4 * i + 2] == M[plan + 2]:
            return 1
    return 0


def join_piece(piece: int, joint: int, mark: int) -> int:
    """Joins a piece to the map; one without a drawing, or with nothing but a joint, covers the joint."""
    if piece == 0 or joint_row(joint) == 0 or M[PIECE_AT + piece] != 0 or joint_beyond(joint) != 0:
        return 0
    plan = M[PLAN_OF + piece]
    if covers_joint(plan) != 0:
        for i in range(joint_width(joint)):
            own_square(joint_square(joint, i), piece)
        new_piece(piece, plan, packed(0, 0), 0, joint)
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
    lay_down(piece, plan, corner, turn)
    onto_grid(piece)
    return 1


# ------------------------------------------------------------------ questions
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


def pieces_at(squares: int) -> int:
    """The pieces that some squares belong to, in the order they were laid."""
    made = new_list()
    for i in range(M[PIECE_COUNT]):
        piece = M[PIECE_ROWS + i * PIECE_CELLS]
        for j in range(1, M[squares] + 1):
            if belongs(M[squares + j], piece) != 0:
                push(made, piece)
                break
    return made


def add_joined(made: int, piece: int) -> None:
    """Adds the pieces that share a square with one to the list on top of the stack, in the order they were laid."""
    if piece == 0:
        return
    for i in range(M[PIECE_COUNT]):
        other = M[PIECE_ROWS + i * PIECE_CELLS]
        if other != piece and includes_item(made, other) == 0 and share_square(piece, other) != 0:
            push(made, other)


def share_square(piece: int, other: int) -> int:
    """Whether a square belongs to both of two pieces."""
    for square in range(FIRST_SQUARE, end_square()):
        if belongs(square, piece) != 0 and belongs(square, other) != 0:
            return 1
    return 0


def joined_to(what: int) -> int:
    """The pieces joined to a piece, or to those of a list."""
    made = new_list()
    if what <= THINGS:
        add_joined(made, what)
        return made
    for i in range(1, M[what] + 1):
        add_joined(made, M[what + i])
    return made


def marked_squares(piece: int, mark: int) -> int:
    """The squares of a piece that are drawn with a mark."""
    made = new_list()
    if piece == 0 or M[PIECE_AT + piece] == 0:
        return made
    row = M[PIECE_AT + piece]
    plan = M[row + 1]
    if plan == 0 or M[row + 4] != 0:
        return made
    for i in range(M[plan + 8]):
        known = M[plan + 9] + 3 * i
        if M[known] == mark:
            add_drawn(made, row, M[known + 2], M[known + 1])
    return made


def drawn_squares(piece: int, drawn: int, count: int) -> int:
    """The squares of the map on which squares of the drawing of a piece lie; none where it does not lie there."""
    made = new_list()
    if M[PIECE_AT + piece] != 0:
        add_drawn(made, M[PIECE_AT + piece], drawn, count)
    return made


def add_drawn(made: int, row: int, drawn: int, count: int) -> None:
    """Puts squares of the drawing of a piece that lies on the map into a list."""
    for i in range(count):
        insert(made, square_at(M[row + 2] + turned(M[row + 1], M[drawn + i], M[row + 3])))


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
    M[FIELDS_MADE] = 0
    clear(HASH_KEY, HASH_MASK + 1)
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
    lay_down(ground, plan, packed(0, 0), 0)
