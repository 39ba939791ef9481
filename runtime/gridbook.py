"""The part of a generated program about squares: pieces, joints, figures on several cells, reach and sight.

It runs in the name space of games whose document has a grid, after the part about maps in general. What
stands on the grid lies in the grid's own pile and has a spot; a piece that is laid lies there too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from talewright.runtime.charts import Cell
from talewright.runtime.faults import Fault
from talewright.runtime.space import (
    Base,
    Cells,
    Joint,
    Movement,
    PlanError,
    Spot,
    cells_in,
    pieces_at,
    read_plan,
    spot_at,
    square_cell,
    trade_spots,
)
from talewright.runtime.space import beyond as beyond_joint
from talewright.runtime.space import (
    cap as cap_joint,
)
from talewright.runtime.space import column as column_of
from talewright.runtime.space import (
    fits as plan_fits,
)
from talewright.runtime.space import (
    join as join_plan,
)
from talewright.runtime.space import (
    joined as joined_pieces,
)
from talewright.runtime.space import (
    lay as lay_plan,
)
from talewright.runtime.space import (
    link as link_sets,
)
from talewright.runtime.space import (
    marked as marked_cells,
)
from talewright.runtime.space import (
    reach as reach_of,
)
from talewright.runtime.space import row as row_of
from talewright.runtime.space import same_colour as cells_same_colour
from talewright.runtime.space import (
    sees as cells_see,
)
from talewright.runtime.space import (
    spots as spots_of,
)

if TYPE_CHECKING:
    from talewright.runtime.askbook import grouped, show_value
    from talewright.runtime.boardbook import BOARD, GRIDS, JOINT_AT, STANDS, cells_of, one_cell
    from talewright.runtime.bookspace import GAME, ITEMS, KIND_OF, LOC, OCCUPANTS, WATCH, S
    from talewright.runtime.thingbook import destination, exchange, in_area, inside, put_in

GRID: int
GRID_PILE: int
PLAN_COLUMN: list[Any]
BASES: dict[str, tuple[list[Any] | None, list[Any] | None]]
PIECES: set[int]
FIGURES: set[int]
LENT_BASE: dict[str, list[Any]]
PLANS: dict[tuple[str, ...], Any] = {}
EMPTY = BOARD.snapshot()


class MovementRules:
    """A way of walking of the document: for a mover, what the search for ways asks of it."""

    def __init__(self, clauses: dict[str, tuple[str, Callable[..., Any]]]) -> None:
        self.clauses = clauses

    def __call__(self, mover: Any) -> Movement:
        made: dict[str, Any] = {}
        for clause, (form, ask) in self.clauses.items():
            name = {
                "blocked by": "blocked",
                "halts at": "halts",
                "trades with": "trades",
                "costs at": "costs",
            }[clause]
            if form == "things":
                made[name] = cells_of([t for t in ask(mover) if t != mover and t in STANDS])
            else:
                made[name] = lambda cell, ask=ask: ask(mover, Cell(cell))
        return Movement(**made)


# ------------------------------------------------------------------ pieces and joints
def plan_of(piece: int) -> Any:
    """The drawing of a piece, read once."""
    rows = PLAN_COLUMN[piece]
    if not rows:
        return None
    key = tuple("".join(row) for row in rows)
    if key not in PLANS:
        try:
            PLANS[key] = read_plan("\n".join(key))
        except PlanError as error:
            raise Fault("R15", f"a plan cannot be read: {error}") from None
    return PLANS[key]


def laid_joint(joint: int | None) -> Joint | None:
    """A joint that lies on the map."""
    if joint is None:
        return None
    piece, mark = JOINT_AT[joint]
    laid = BOARD.chart.pieces.get(piece)
    return None if laid is None else laid.joints.get(mark)


def joints_of(piece: int | None) -> list[int]:
    return [joint for joint, (owner, _) in JOINT_AT.items() if owner == piece]


def prop_joints(piece: int | None) -> list[int]:
    return joints_of(piece)


def core_joint(piece: int | None, mark: Any) -> int | None:
    for joint, where in JOINT_AT.items():
        if where == (piece, mark):
            return joint
    return None


def prop_mark(joint: int | None) -> Any:
    return None if joint is None else JOINT_AT[joint][1]


def prop_beyond(joint: int | None) -> Any:
    laid = laid_joint(joint)
    return None if laid is None else beyond_joint(BOARD, laid)


def core_fits(piece: int | None, joint: int | None, mark: Any) -> bool:
    laid = laid_joint(joint)
    plan = None if piece is None else plan_of(piece)
    return laid is not None and plan is not None and plan_fits(BOARD, plan, laid, mark)


def join_piece(piece: int | None, joint: int | None, mark: Any) -> bool:
    """Joins a piece to the map; one without a plan, or with nothing but a joint, covers the joint."""
    laid = laid_joint(joint)
    if piece is None or laid is None or piece in BOARD.chart.pieces or beyond_joint(BOARD, laid) is not None:
        return False
    plan = plan_of(piece)
    if plan is None or any(len(own.squares) == len(plan.floor) for own in plan.joints.values()):
        cap_joint(BOARD, piece, laid)
    else:
        own = mark if mark is not None else next(iter(plan.joints), None)
        if own is None or not plan_fits(BOARD, plan, laid, own):
            return False
        join_plan(BOARD, piece, plan, laid, own)
    onto_grid(piece)
    return True


def lay_piece(piece: int | None, grid: int | None) -> bool:
    """Lays a piece apart from everything that is there."""
    if piece is None or grid is None or piece in BOARD.chart.pieces:
        return False
    plan = plan_of(piece)
    if plan is None:
        return False
    lay_plan(BOARD, piece, plan)
    onto_grid(piece)
    return True


def onto_grid(thing: int) -> None:
    if LOC[thing] != GRID_PILE:
        put_plainly(thing, GRID_PILE)
    else:
        moved(thing)


def moved(thing: int) -> None:
    """Rules that look where a thing is look again."""
    for look in WATCH[thing] or ():
        look(thing)


def link_cells(near_side: Any, far_side: Any) -> None:
    a, b = cells_of(near_side), cells_of(far_side)
    if a and b and not a & b:
        link_sets(BOARD, a, b)


def core_pieces(what: Any) -> list[int]:
    return [p for p in pieces_at(BOARD, cells_of(what)) if isinstance(p, int)]


def core_joined(what: Any) -> list[int]:
    found: dict[int, None] = {}
    for piece in what if isinstance(what, list) else [what]:
        if piece in BOARD.chart.pieces:
            found.update(dict.fromkeys(p for p in joined_pieces(BOARD, piece) if isinstance(p, int)))
    return list(found)


def core_marked(piece: int | None, mark: Any) -> list[Any]:
    if piece not in BOARD.chart.pieces:
        return []
    return [Cell(c) for c in cells_in(marked_cells(BOARD, piece, mark))]


def core_cells(what: Any) -> list[Any]:
    return [Cell(c) for c in cells_in(cells_of(what))]


def prop_cells(what: Any) -> list[Any]:
    return core_cells(what)


def core_square(column: int, row: int) -> Any:
    """The square in a column and row; in an answer its name, for the map may not be laid yet."""
    if GAME.answering:
        return f"square({column}, {row})"
    cell = square_cell(BOARD, column, row)
    return None if cell is None else Cell(cell)


def core_row(cell: Any, joint: int | None) -> int | None:
    laid, here = laid_joint(joint), one_cell(cell)
    return None if laid is None or here is None else row_of(BOARD, here, laid)


def core_column(cell: Any, joint: int | None) -> int | None:
    laid, here = laid_joint(joint), one_cell(cell)
    return None if laid is None or here is None else column_of(BOARD, here, laid)


def core_same_colour(a: Any, b: Any) -> bool:
    here, there = one_cell(a), one_cell(b)
    return here is not None and there is not None and cells_same_colour(BOARD, here, there)


def core_sees(a: Any, b: Any) -> bool:
    here, there = cells_of(a), cells_of(b)
    return bool(here and there) and cells_see(BOARD, here, there)


# ------------------------------------------------------------------ figures
def base_of(figure: int) -> Base:
    """The squares a figure takes up: its own field, or that of the sheet it reads through."""
    kind = KIND_OF[figure]
    sizes, overhangs = BASES.get(kind, (None, None))
    size = sizes[figure] if sizes is not None else None
    overhang = overhangs[figure] if overhangs is not None else 0
    for column in LENT_BASE.get(kind, ()):
        sheet = column[figure]
        if sheet is not None and size in (None, (1, 1)):
            lent, over = BASES.get(KIND_OF[sheet], (None, None))
            size = lent[sheet] if lent is not None else size
            overhang = over[sheet] if over is not None else overhang
    width, height = size or (1, 1)
    return Base(width, height, overhang or 0)


def occupied_by_others(figure: int | None) -> Cells:
    found = 0
    for other, spot in STANDS.items():
        if other != figure and other in FIGURES:
            found |= spot.cells
    return found


def free_spots(figure: Any) -> list[Any]:
    """Where a figure could stand, clear of the others."""
    return [] if figure is None else list(spots_of(BOARD, base_of(figure), occupied_by_others(figure)))


def core_can_stand(figure: int | None, where: Any) -> bool:
    return figure is not None and spot_for(figure, where) is not None


def spot_for(figure: int, where: Any) -> Spot | None:
    """The spot on which a figure put there comes to stand, if it is free."""
    others = occupied_by_others(figure)
    if isinstance(where, Spot):
        return Spot(where.base, where.cells, where.corner) if not where.cells & others else None
    for cell in cells_in(cells_of(where)):
        spot = spot_at(BOARD, base_of(figure), cell, others)
        if spot is not None:
            return spot
    return None


def stand(figure: int | None, where: Any) -> bool:
    """Puts a figure on the map; where there is no room nothing happens."""
    if figure is None or where is None:
        return False
    spot = spot_for(figure, where)
    if spot is None:
        return False
    STANDS[figure] = spot
    onto_grid(figure)
    return True


def walk(figure: int | None, where: Any) -> bool:
    """Walks a figure along the route of a spot; whoever it trades places with goes where it came from."""
    if figure is None or where is None or figure not in STANDS:
        return False
    if not isinstance(where, Spot):
        return stand(figure, where)
    for step in where.route or (where,):
        shove(figure, STANDS[figure], step)
        STANDS[figure] = Spot(step.base, step.cells, step.corner)
    moved(figure)
    return True


def shove(mover: int, before: Spot, after: Spot) -> None:
    for other, spot in list(STANDS.items()):
        if other == mover or other not in FIGURES or not spot.cells & after.cells:
            continue
        taken = occupied_by_others(other) & ~before.cells | after.cells
        free = trade_spots(BOARD, before, after, base_of(other), taken)
        if free:
            STANDS[other] = free[0]
            moved(other)


def core_reach(figure: int | None, limit: int, rules: Any) -> list[Any]:
    """The spots a figure can walk to, with their cost and route."""
    if figure is None or figure not in STANDS:
        return []
    return list(reach_of(BOARD, STANDS[figure], limit, rules(figure), occupied_by_others(figure)))


def prop_cell(figure: Any) -> Any:
    cell = one_cell(figure)
    return None if cell is None else Cell(cell)


def prop_spot(figure: Any) -> Any:
    return STANDS.get(figure)


def spot_cost(spot: Any) -> Any:
    return None if spot is None else spot.cost


def spot_route(spot: Any) -> list[Any]:
    return [] if spot is None else [Cell(cells_in(s.cells)[0]) for s in spot.route]


def spot_cells(spot: Any) -> list[Any]:
    return core_cells(spot)


# ------------------------------------------------------------------ what the kernel asks, on a grid
put_plainly = put_in
exchange_plainly = exchange
grouped_plainly = grouped
inside_plainly = inside
destination_plainly = destination
show_plainly = show_value
in_area_plainly = in_area


def put_in(thing: int | None, pile: Any, under: bool = False) -> bool:  # type: ignore[no-redef]
    """Moves a thing; onto a cell, spot or piece it stands, and off the grid it stands nowhere."""
    if thing is None or pile is None:
        return False
    if isinstance(pile, (Cell, Spot, Onto)):
        return stand(thing, pile.piece if isinstance(pile, Onto) else pile)
    if pile == GRID_PILE and thing in PIECES:
        return lay_piece(thing, GRID)
    moved = put_plainly(thing, pile, under)
    if moved and thing in STANDS and pile != GRID_PILE:
        del STANDS[thing]
    return moved


def grouped(options: Any, by: Any, group: int) -> list[Any]:  # type: ignore[no-redef]
    """Who stands on the map stands alone: only what lies elsewhere can look alike."""
    alike = set(grouped_plainly([t for t in options if t not in STANDS], by, group))
    return [t for t in options if t in STANDS or t in alike]


def exchange(a: int | None, b: int | None) -> bool:  # type: ignore[no-redef]
    """Two things change places; on the map each takes the other's spot."""
    if a is None or b is None:
        return False
    spots = {a: STANDS.pop(b, None), b: STANDS.pop(a, None)}
    exchange_plainly(a, b)
    for thing, spot in spots.items():
        if spot is not None:
            STANDS[thing] = Spot(base_of(thing), spot.cells, spot.corner)
            moved(thing)
    return True


class Onto:
    """A piece as the place a figure is put on."""

    def __init__(self, piece: int) -> None:
        self.piece = piece


def destination(where: Any) -> Any:  # type: ignore[no-redef]
    if isinstance(where, (Cell, Spot)):
        return where
    if where in PIECES and where not in GRIDS:
        return Onto(where)
    return destination_plainly(where)


def can_move(thing: int | None, pile: Any) -> bool:
    if isinstance(pile, (Cell, Spot, Onto)):
        return (
            thing is not None and spot_for(thing, pile.piece if isinstance(pile, Onto) else pile) is not None
        )
    return thing is not None and pile is not None and LOC[thing] != pile and GAME.space["room_left"](pile) > 0


def inside(thing: Any, where: Any) -> bool:  # type: ignore[no-redef]
    """Whether something lies in a place, on a piece, or on one of some cells."""
    if thing is None or where is None:
        return False
    if (
        isinstance(where, (Cell, Spot, list))
        or isinstance(thing, (Cell, Spot))
        or where in BOARD.chart.pieces
    ):
        return bool(cells_of(thing) & cells_of(where))
    return inside_plainly(thing, where)


def in_area(thing: int, area: str) -> bool:  # type: ignore[no-redef]
    if area in ("area:box", "area:supply"):
        return in_area_plainly(thing, area)
    return LOC[thing] == GRID_PILE


def show_value(value: Any, kind: Any) -> str:  # type: ignore[no-redef]
    """Squares are shown by column and row, counted from one."""
    if isinstance(value, Cell):
        square = BOARD.chart.square(value)
        return "?" if square is None else f"square({square[0] + 1}, {square[1] + 1})"
    if isinstance(value, Spot):
        return "?" if value.corner is None else f"square({value.corner[0] + 1}, {value.corner[1] + 1})"
    return str(show_plainly(value, kind))


def clear_area(area: Any) -> None:
    """Takes every figure and piece off the grid."""
    del area
    for thing in list(ITEMS[GRID_PILE]):
        put_in(thing, 0)
    STANDS.clear()
    BOARD.restore(EMPTY)


__all__ = ["OCCUPANTS", "S"]
