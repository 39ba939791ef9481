"""Maps of squares that grow piece by piece: lay one apart, join one at a joint, cap a joint."""

from collections.abc import Iterable

from .board import Board, Draft
from .cells import Cell, Cells, cell_set
from .chart import WALL, Joint, Piece, PieceId, Rules
from .errors import SpaceError
from .plans import Plan, read_plan
from .squares import SIDES, WAYS, Square, opposite, turn_square, turn_way

# So that no two pieces laid apart touch, not even at a corner.
_GAP = 2


def plan_to_squares(text: str, rules: Rules | None = None, *, piece: PieceId = "plan") -> Board:
    """A board of one drawing, on which letters of either case are marks and not joints."""
    board = Board(rules or Rules(squares=True))
    place(board, piece, read_plan(text, joints=False))
    return board


def place(board: Board, piece: PieceId, plan: Plan, corner: Square = (0, 0), turn: int = 0) -> Piece:
    """Lay a piece with its upper left corner there, turned clockwise by so many quarters."""
    if not _lies_free(board, plan, corner, turn, frozenset()):
        raise SpaceError(f"`{piece}` would lie on something else")
    return _lay_down(board, piece, plan, corner, turn)


def lay(board: Board, piece: PieceId, plan: Plan) -> Piece:
    """Lay a piece apart from everything that is on the map."""
    taken = [x for x, _ in board.chart.at] + [x for x, _ in board.chart.rock]
    return place(board, piece, plan, (max(taken) + 1 + _GAP, 0) if taken else (0, 0))


def joint_of(board: Board, piece: PieceId, mark: str) -> Joint | None:
    """The joint of a piece that has this mark."""
    return board.chart.pieces[piece].joints.get(mark)


def beyond(board: Board, joint: Joint) -> PieceId | None:
    """The piece joined here, or none."""
    for owner in board.chart.belongs[joint.cells[0]]:
        if owner != joint.piece:
            return owner
    return None


def joined(board: Board, piece: PieceId) -> tuple[PieceId, ...]:
    """The pieces that share a cell with this one, in the order they were laid."""
    chart = board.chart
    cells = chart.pieces[piece].cells
    return tuple(other.id for other in chart.pieces.values() if other.cells & cells and other.id != piece)


def pieces_at(board: Board, cells: Cells) -> tuple[PieceId, ...]:
    """The pieces that these cells belong to, in the order they were laid."""
    return tuple(piece.id for piece in board.chart.pieces.values() if piece.cells & cells)


def piece_cells(board: Board, pieces: Iterable[PieceId]) -> Cells:
    """All cells of these pieces."""
    found = 0
    for piece in pieces:
        found |= board.chart.pieces[piece].cells
    return found


def marked(board: Board, piece: PieceId, mark: str) -> Cells:
    """The cells of a piece whose squares bear this mark on its plan."""
    return board.chart.pieces[piece].marks.get(mark, 0)


def fits(board: Board, plan: Plan, joint: Joint, mark: str) -> bool:
    """Whether a piece can be joined here by its joint of this mark: only its rock may lie on rock."""
    return _fitting(board, plan, joint, mark) is not None


def join(board: Board, piece: PieceId, plan: Plan, joint: Joint, mark: str) -> Piece:
    """Join a piece: the half squares of the two joints become full squares that belong to both pieces."""
    found = _fitting(board, plan, joint, mark)
    if found is None:
        raise SpaceError(f"`{piece}` does not fit at joint `{joint.mark}` of `{joint.piece}`")
    corner, turn = found
    return _lay_down(board, piece, plan, corner, turn)


def cap(board: Board, piece: PieceId, joint: Joint) -> Piece:
    """Close a joint with a piece that covers its squares and nothing else."""
    if beyond(board, joint) is not None:
        raise SpaceError(f"joint `{joint.mark}` of `{joint.piece}` is joined already")
    draft = board.draft()
    added = Piece(piece, cell_set(joint.cells), corner=min(joint.squares))
    draft.add_piece(added)
    board.adopt(draft)
    return added


def _fitting(board: Board, plan: Plan, joint: Joint, mark: str) -> tuple[Square, int] | None:
    """The corner and turn that lay the joint of a plan on a joint of the map, face to face."""
    own = plan.joints.get(mark)
    if own is None or len(own.squares) != len(joint.squares) or beyond(board, joint) is not None:
        return None
    turn = (SIDES.index(opposite(joint.way)) - SIDES.index(own.way)) % 4
    turned = min(turn_square(square, plan.width, plan.height, turn) for square in own.squares)
    target = min(joint.squares)
    corner = target[0] - turned[0], target[1] - turned[1]
    if not _lies_free(board, plan, corner, turn, frozenset(joint.squares)):
        return None
    return corner, turn


def _shifted(plan: Plan, squares: Iterable[Square], corner: Square, turn: int) -> list[Square]:
    across, down = corner
    turned = (turn_square(square, plan.width, plan.height, turn) for square in squares)
    return [(x + across, y + down) for x, y in turned]


def _lies_free(board: Board, plan: Plan, corner: Square, turn: int, shared: frozenset[Square]) -> bool:
    at, rock = board.chart.at, board.chart.rock
    for square in _shifted(plan, plan.floor, corner, turn):
        if square not in shared and (square in at or square in rock):
            return False
    return not any(square in at for square in _shifted(plan, plan.rock, corner, turn))


def _lay_down(board: Board, piece: PieceId, plan: Plan, corner: Square, turn: int) -> Piece:
    if not board.chart.rules.squares:
        raise SpaceError("pieces are laid on a map of squares only")
    draft = board.draft()
    # Cells are numbered row by row as the piece now lies: neighbours then differ by few numbers,
    # which is what makes spreading over them quick.
    squares = sorted(_shifted(plan, plan.floor, corner, turn), key=lambda square: (square[1], square[0]))
    cells: dict[Square, Cell] = {}
    for square in squares:
        known = draft.at.get(square)
        cells[square] = draft.add_cell(squares=(square,)) if known is None else known
    _connect_squares(draft, cells)
    draft.rock.update(_shifted(plan, plan.rock, corner, turn))
    joints = {}
    for mark, joint in plan.joints.items():
        way = turn_way(joint.way, turn)
        across, down = WAYS[turn_way(way, 1)]
        run = sorted(_shifted(plan, joint.squares, corner, turn), key=lambda s: s[0] * across + s[1] * down)
        joints[mark] = Joint(piece, mark, tuple(run), tuple(cells[square] for square in run), way)
    marks = {
        mark: cell_set(cells[square] for square in _shifted(plan, squares, corner, turn))
        for mark, squares in plan.marks.items()
    }
    added = Piece(piece, cell_set(cells.values()), joints, marks, plan, turn, corner)
    draft.add_piece(added)
    board.adopt(draft)
    return added


def _connect_squares(draft: Draft, cells: dict[Square, Cell]) -> None:
    """Let steps lead between neighbouring squares of one piece; other pieces meet it in joints only."""
    rules = draft.rules
    for (x, y), cell in cells.items():
        for across, down in WAYS.values():
            other = cells.get((x + across, y + down))
            if other is None or draft.borders.get((cell, other)) == WALL:
                continue
            if across and down:
                if not rules.diagonal:
                    continue
                if not rules.corners_open and ((x + across, y) not in cells or (x, y + down) not in cells):
                    continue
            draft.steps[cell] |= 1 << other


def open_joints(board: Board) -> tuple[Joint, ...]:
    """The joints with nothing beyond them, in the order their pieces were laid."""
    return tuple(
        joint
        for piece in board.chart.pieces.values()
        for joint in piece.joints.values()
        if beyond(board, joint) is None
    )
