"""Grids of squares: the tables of pieces, ways of walking, and what is asked about squares."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.faults import LoadError, misfit
from talewright.runtime.ir.build import both, call, const, equal
from talewright.runtime.ir.header import NONE
from talewright.runtime.ir.nodes import Const, Expression, Local
from talewright.runtime.kernel.maps.areas import ONE_SQUARE
from talewright.runtime.kernel.maps.movements import BY_SQUARE, BY_THINGS
from talewright.runtime.kernel.maps.pieces import PIECE_CELLS
from talewright.runtime.kernel.maps.routes import MOST_FIELDS, MOST_GOALS
from talewright.runtime.lower.code import Code, Scope, local_names, local_types
from talewright.runtime.lower.dispatch import condition, listed, value, value_as
from talewright.runtime.lower.expressions.values import of_kind, stored
from talewright.runtime.lower.program import Passage, Program
from talewright.runtime.model.grids import (
    FIGURE,
    MOST_LINKS,
    MOST_SQUARES,
    PIECE,
    find_grid,
    lenders,
    packed_squares,
    plan_cells,
    plan_of,
    read_drawing,
    scenes,
)
from talewright.runtime.model.types import INT
from talewright.runtime.model.world import Field
from talewright.runtime.space.plans import Plan
from talewright.runtime.space.squares import WAYS
from talewright.schemas.nodes.components import MovementClause
from talewright.schemas.nodes.declared import MovementDeclaration
from talewright.schemas.nodes.names import AreaRef

# The parts of a movement in the order of its block, and the forms that they have.
CLAUSES = ("blocked by", "halts at", "trades with", "costs at")
NOTHING = 0


# ------------------------------------------------------------------ tables
def lay_out_grid(program: Program) -> None:
    """The grid of the document: what its pieces look like, and the cells of the map that grows in play."""
    world, layout = program.world, program.layout
    names = layout.names
    program.grid = grid = find_grid(world)
    names["BLOCKS"] = BLOCKS_START
    names["GRID"] = 0 if grid is None else grid.number
    if grid is None:
        return
    width = layout.width
    names["DIAGONAL"], names["CORNERS_OPEN"] = int(grid.diagonal), int(grid.corners_open)
    plans = {thing.number: plan_of(world, thing) for thing in world.things if world.is_a(thing.kind, "Piece")}
    _lay_out_pieces(program, plans)
    program.plans = {number: plan for number, plan in plans.items() if plan is not None}
    drawn = list(program.plans.values())
    scenery = [read_drawing(rows, joints=False) for rows in scenes(world)] if program.build.tested else []
    squares = _room(drawn, scenery, lambda plan: len(plan.floor))
    if squares > MOST_SQUARES:
        raise LoadError(f"a map could have {squares:,} squares; {MOST_SQUARES:,} are the most")
    _lay_out_squares(program, squares, _room(drawn, scenery, lambda plan: len(plan.floor) + len(plan.rock)))
    names["PIECE_COUNT"] = layout.reserve([0])
    names["PIECE_ROWS"] = layout.reserve([0] * (PIECE_CELLS * (len(plans) + 1)))
    names["PIECE_AT"] = layout.reserve([0] * width)
    names["LINK_COUNT"] = layout.reserve([0])
    names["LINKS"] = layout.reserve([0] * (2 * MOST_LINKS))
    names["STAND_BASE"] = layout.reserve([0] * width)
    names["STAND_AT"] = layout.reserve([0] * width)
    names["OPEN_WORD"] = layout.word("open")


BLOCKS_START = 1 << 18
"""Lists lie from here on; things, containers and squares have lower numbers."""


def _room(plans: list[Plan], scenery: list[Plan], size: Callable[[Plan], int]) -> int:
    """The most that all pieces together, or one drawing of a test, take up."""
    return max(1, sum(map(size, plans)), *(size(plan) for plan in scenery), 1)


def _lay_out_pieces(program: Program, plans: dict[int, Plan | None]) -> None:
    world, layout = program.world, program.layout
    columns = {name: [0] * layout.width for name in ("PLAN_OF", "FIRST_JOINT", "JOINT_PIECE")}
    known: dict[tuple[str, ...], int] = {}
    for number, plan in plans.items():
        if plan is not None:
            if plan.rows not in known:
                known[plan.rows] = plan_cells(layout, plan)
            columns["PLAN_OF"][number] = known[plan.rows]
    for joint, (piece, _) in world.joints.items():
        columns["JOINT_PIECE"][joint] = piece
        # The joints of a piece have numbers one behind the other.
        columns["FIRST_JOINT"][piece] = columns["FIRST_JOINT"][piece] or joint
    parts = [0] * layout.width
    for bit, kind in ((PIECE, "Piece"), (FIGURE, "Figure")):
        for number in world.numbers_of_kind(kind) if kind in world.kinds else ():
            parts[number] |= bit
    for name, cells in (*columns.items(), ("GRID_PART", parts)):
        layout.names[name] = layout.fixed(cells)


def _lay_out_squares(program: Program, squares: int, drawn: int) -> None:
    layout, names = program.layout, program.layout.names
    first = layout.locations + 1
    names["FIRST_SQUARE"], names["SQUARES_MOST"] = first, squares
    names["SQUARE_COUNT"] = layout.reserve([0])
    for name in ("SQUARE_AT", "SQUARE_OPEN", "SQUARE_OWNER", "SQUARE_OTHER"):
        names[name] = layout.reserve([0] * squares) - first
    names["GRID_RIGHT"] = layout.reserve([NONE])
    names["WAY_STEP"] = layout.fixed(packed_squares(WAYS.values()))
    size = 1 << (2 * drawn).bit_length()
    names["HASH_MASK"] = size - 1
    names["HASH_KEY"] = layout.reserve([0] * size)
    names["HASH_CELL"] = layout.reserve([0] * size)
    names["FIELDS"] = layout.reserve([0] * (MOST_FIELDS * (MOST_GOALS + 1 + squares)))
    names["FIELDS_MADE"] = layout.reserve([0])
    names["FIELD_LAST"] = layout.reserve([0])


# ------------------------------------------------------------------ bases
def base_of(code: Code) -> None:
    """base_of(figure): the squares that it takes up, by its own field or that of the sheet it reads through."""
    code.giving()
    world = code.program.world
    thing = Local(0)
    for kind in {t.kind: None for t in world.things}:
        fields = world.fields_of(kind)
        lent = lenders(world, kind)
        if "base" in fields or any("base" in world.fields_of(_lent(field)) for field in lent):
            with code.if_(of_kind(code, thing, kind)):
                _give_base(code, fields, lent)
    code.give(ONE_SQUARE)


def _lent(field: Field) -> str:
    """The kind of what a field lends."""
    inner = field.type.args[0] if field.type.tag == "optional" else field.type
    return getattr(inner, "name", "")


def _give_base(code: Code, fields: dict[str, Field], lent_by: list[Field]) -> None:
    thing = Local(0)
    size, over = code.hold(0), code.hold(0)
    _read_base(code, thing, fields, size, over)
    for field in lent_by:
        lent = code.program.world.fields_of(_lent(field))
        if "base" in lent:
            sheet = code.hold(stored(code, thing, field, False))
            is_plain = equal(call("packed_base", size, 0), ONE_SQUARE)
            code.when(both(sheet, is_plain), partial(_read_base, code, sheet, lent, size, over))
    code.give(call("packed_base", size, over))


def _read_base(code: Code, thing: Expression, fields: dict[str, Field], size: Local, over: Local) -> None:
    if "base" in fields:
        code.assign(size, stored(code, thing, fields["base"], False))
    if "overhang" in fields:
        code.assign(over, stored(code, thing, fields["overhang"], False))


# ------------------------------------------------------------------ movements
def movement_block(program: Program, name: str) -> Const:
    """The block of a movement: for each of its clauses a form and the number of a function."""
    known = {movement.id: movement for movement in program.world.content.movements}
    if name not in known:
        raise misfit(f"there is no movement `{name}`")
    key = f"movement {name}"
    names = program.layout.names
    if key not in names:
        chain: list[MovementDeclaration] = [known[name]]
        while chain[-1].parent in known and len(chain) < len(known) + 1:
            chain.append(known[chain[-1].parent])
        clauses: dict[str, MovementClause] = {}
        for owner in reversed(chain):
            clauses |= {str(clause.clause): clause for clause in owner.clauses}
        cells = [cell for part in CLAUSES for cell in _clause(program, clauses.get(part))]
        names[key] = program.layout.fixed(cells)
    return const(names[key])


def _clause(program: Program, clause: MovementClause | None) -> tuple[int, int]:
    if clause is None:
        return NOTHING, 0
    name = f"movement:{program.number('clause', str(id(clause)))}:{clause.clause}"
    types, names = local_types(clause.locals), local_names(clause.locals)
    known = clause.mover, clause.cell
    locals_: dict[int, Expression] = {clause.mover: Local(0), clause.cell: Local(1)}
    scope = Scope(locals_, types=types, names=names, sure=frozenset(known), verb="movement")
    things = clause.things is not None
    slot = program.slot(program.function(name, 1 if things else 2, partial(_say, clause), scope=scope))
    program.passages[slot] = Passage(clause, types, "")
    return BY_THINGS if things else BY_SQUARE, slot


def _say(clause: MovementClause, code: Code) -> None:
    """A clause as a function of the mover that gives things, or of the mover and a square."""
    code.spot = clause.at
    code.giving()
    if clause.things is not None:
        code.give(listed(code, clause.things))
        # What it gives stays on the stack: whoever asks takes it down.
        code.mark = None
    elif clause.clause == "costs at":
        code.give(value_as(code, clause.value, INT))
    else:
        code.give(condition(code, clause.value))


# ------------------------------------------------------------------ squares
def on_map(code: Code, node: object) -> Expression:
    """What lies somewhere on a grid; the board is the grid itself."""
    if isinstance(node, AreaRef):
        return const(code.program.layout.names["GRID"])
    return value(code, node)


def squares_of(code: Code, node: object) -> Expression:
    """The squares of anything that is somewhere, as a list in order."""
    code.uses_stack()
    return code.call("squares_of", on_map(code, node))
