"""Drawings in tests: the map becomes a drawing, with figures on the squares that bear their signs."""

from __future__ import annotations

from collections.abc import Collection

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import both, const, equal, load, negate
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import value
from talewright.runtime.lower.expressions.values import stored
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.watch import settle_table
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.grids import lenders, packed_squares, plan_cells, read_drawing
from talewright.runtime.model.world import plain
from talewright.runtime.space.squares import Square
from talewright.schemas.nodes import tests as t
from talewright.schemas.nodes.declared import TestDeclaration
from talewright.schemas.nodes.names import ThingRef

Marks = tuple[tuple[str, object], ...]


def marks_at(test: TestDeclaration, position: int) -> Marks:
    """Who the signs of a drawing are: the `marks` that follow a scene hold from there on."""
    steps = tuple(enumerate(test.steps))
    found: Marks = ()
    for at, step in steps[: position + 1]:
        if isinstance(step, t.SceneStep):
            later = (other for after, other in steps if after > at and isinstance(other, t.MarksStep))
            found = next((marks.marks for marks in later), found)
        elif isinstance(step, t.MarksStep):
            found = step.marks
    return found


def set_scene(code: Code, step: t.SceneStep, marks: Marks) -> None:
    """Makes the map a drawing, or leaves it as it lies if one of its pieces is drawn; and puts figures on it."""
    program = code.program
    if program.grid is None:
        raise LoadError("a scene needs a grid, which this game does not have")
    plan = read_drawing(step.rows, joints=False)
    piece = _piece(program, step)
    if piece is None:
        # The ground of a scene counts as a piece, so that those who stand on it stand on one together.
        ground = min(program.world.of_kind("Piece"), default=0)
        code.do("set_scene", ground, plan_cells(program.layout, plan))
    else:
        ground = piece
    known = dict(marks)
    joints: Collection[str] = () if piece is None else program.plans[piece].joints
    for sign, squares in plan.marks.items():
        if sign in known:
            _place(code, known[sign], ground, squares)
        elif sign not in joints:
            raise LoadError(f"`{sign}` stands in the scene, but `marks` does not say who it is")
    settle_table(code)


def _piece(program: Program, step: t.SceneStep) -> int | None:
    """The piece that a scene shows; none where it shows the whole map."""
    assert program.grid is not None
    if step.on is None:
        return None
    number = program.world.number.get(step.on.id, 0) if isinstance(step.on, ThingRef) else 0
    if number == program.grid.number:
        return None
    if number not in program.plans:
        raise LoadError("a scene can be drawn on the grid, or on a piece with a plan")
    return number


def _place(code: Code, node: object, ground: int, squares: tuple[Square, ...]) -> None:
    """Puts one figure, or as many of a sort or of a sheet as there are squares, on some squares of a piece."""
    program = code.program
    type_ = plain(type_of(code, node))
    code.uses_stack()
    first = code.keep(value(code, node))
    cells = const(program.layout.fixed(packed_squares(squares)))
    there = code.keep(code.call("drawn_squares", ground, cells, len(squares)))
    if type_.tag == "sort":
        figures: Expression = code.call("copies_of", first)
    elif type_.tag == "thing" and program.world.is_a(type_.name, "Figure"):
        _stand(code, first, there, 0)
        return
    else:
        figures = code.call(program.function("lent_figures", 1, _lent_figures), first)
    for index in range(len(squares)):
        with code.if_(load(figures) > index):
            _stand(code, load(figures, index + 1), there, index)


def _stand(code: Code, figure: Expression, there: Expression, index: int) -> None:
    """Puts a figure on one of some squares, if there are so many."""
    with code.if_(load(there) > index):
        code.do("stand", figure, load(there, index + 1))


def _lent_figures(code: Code) -> None:
    """lent_figures(sheet): the figures that read through a sheet and stand nowhere, as a list."""
    world = code.program.world
    code.giving()
    made = code.new_list()
    standing = code.names["STAND_BASE"]
    for number in world.of_kind("Figure"):
        for field in lenders(world, world.thing(number).kind):
            lent = equal(stored(code, const(number), field, False), Local(0))
            with code.if_(both(lent, negate(load(number, standing)))):
                code.do("push", made, number)
    code.give(made)
