"""Grids of squares: what the drawings of pieces show, as fixed tables, and how large a map can become."""

from __future__ import annotations

from collections.abc import Iterable

from talewright.runtime.faults import LoadError
from talewright.runtime.model.layout import Layout
from talewright.runtime.model.world import Field, Thing, World, drawing_of
from talewright.runtime.space.errors import PlanError
from talewright.runtime.space.plans import Plan, read_plan
from talewright.runtime.space.squares import WAYS, Square
from talewright.schemas.nodes.literals import SetLiteral, WordLiteral
from talewright.schemas.nodes.tests import SceneStep
from talewright.schemas.records import record

# A square of a drawing is one number, as the kernel packs them: its row times this, and its column.
ROW = 1 << 15
# What a thing can be on a grid, as bits.
PIECE, FIGURE = 1, 2
MOST_LINKS = 256
MOST_SQUARES = 1 << 14


@record(frozen=True)
class Grid:
    """The grid of a document."""

    number: int
    diagonal: bool
    corners_open: bool


def find_grid(world: World) -> Grid | None:
    """The grid that the document is played on, if there is one."""
    numbers = world.of_kind("Grid") if "Grid" in world.kinds else []
    if not numbers:
        return None
    if len(numbers) > 1:
        raise LoadError("there is more than one grid; a document can have one")
    fields = world.thing(numbers[0]).fields
    steps, corners = fields.get("steps"), fields.get("corners")
    listed = steps.items if isinstance(steps, SetLiteral) else () if steps is None else (steps,)
    ways = {item.value for item in listed if isinstance(item, WordLiteral)}
    is_open = not isinstance(corners, WordLiteral) or corners.value == "open"
    return Grid(numbers[0], not ways or "diagonal" in ways, is_open)


def plan_of(world: World, thing: Thing) -> Plan | None:
    """The drawing of a piece, read; none if it has none."""
    return read_drawing("\n".join(drawing_of(world, thing))) if drawing_of(world, thing) else None


def read_drawing(text: str, joints: bool = True) -> Plan:
    """A drawing, read; what cannot be read is an error of the document."""
    try:
        return read_plan(text, joints=joints)
    except PlanError as error:
        raise LoadError(f"a plan cannot be read: {error}") from None


def plan_cells(layout: Layout, plan: Plan) -> int:
    """A drawing as a fixed block, as `kernel/maps/pieces.py` reads it."""
    ways = list(WAYS)
    joints = [
        cell
        for mark, joint in plan.joints.items()
        for cell in (
            layout.word(mark),
            ways.index(joint.way),
            len(joint.squares),
            layout.fixed(packed_squares(joint.squares)),
        )
    ]
    marks = [
        cell
        for mark, squares in plan.marks.items()
        for cell in (layout.word(mark), len(squares), layout.fixed(packed_squares(squares)))
    ]
    return layout.fixed(
        [
            plan.width, plan.height, len(plan.floor), layout.fixed(packed_squares(plan.floor)),
            len(plan.rock), layout.fixed(packed_squares(plan.rock)), len(plan.joints), layout.fixed(joints),
            len(plan.marks), layout.fixed(marks),
        ]
    )  # fmt: skip


def packed_squares(squares: Iterable[Square]) -> list[int]:
    """Squares of a drawing, each as one number."""
    return [y * ROW + x for x, y in squares]


def scenes(world: World) -> list[str]:
    """The drawings that tests set up."""
    return [step.rows for test in world.content.tests for step in test.steps if isinstance(step, SceneStep)]


def lenders(world: World, kind: str) -> list[Field]:
    """The fields of a kind through which its things read another one."""
    return [field for field in world.fields_of(kind).values() if "lends all" in field.declaration.flags]
