"""Drawings in tests: the map becomes a drawing, with figures on the squares that bear their signs."""

from __future__ import annotations

from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import both, const, equal, less, load, negate
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import value
from talewright.runtime.lower.expressions.columns import stored
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.watch import settle_table
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.grids import lenders, plan_cells, read_drawing
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import tests as t
from talewright.schemas.nodes.declared import TestDeclaration

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
    """Puts a drawing on the grid, and figures on it."""
    program = code.program
    if program.grid is None:
        raise LoadError("a scene needs a grid, which this game does not have")
    plan = read_drawing(step.rows, joints=False)
    pieces = program.world.of_kind("Piece")
    # The ground of a scene counts as a piece, so that those who stand on it stand on one together.
    ground = min(pieces, default=0)
    code.do("set_scene", const(ground), const(plan_cells(program.layout, plan)))
    known = dict(marks)
    for sign, squares in plan.marks.items():
        if sign not in known:
            raise LoadError(f"`{sign}` stands in the scene, but `marks` does not say who it is")
        _place(code, known[sign], sorted(squares, key=lambda square: (square[1], square[0])))
    settle_table(code)


def _place(code: Code, node: object, squares: list[tuple[int, int]]) -> None:
    """Puts one figure, or as many of a sort or of a sheet as there are squares, on some squares."""
    program = code.program
    type_ = plain(type_of(code, node))
    code.uses_stack()
    first = code.keep(value(code, node))
    if type_.tag == "sort":
        figures: Expression = code.call("copies_of", first)
    elif type_.tag == "thing" and program.world.is_a(type_.name, "Figure"):
        code.do("stand", first, _square(code, squares[0]))
        return
    else:
        figures = code.call(program.need("lent_figures", partial(_lent_figures, program)), first)
    for index, square in enumerate(squares):
        code.when(less(const(index), load(figures)), partial(_stand, code, figures, index, square))


def _stand(code: Code, figures: Expression, index: int, square: tuple[int, int]) -> None:
    """Puts one of several figures on a square."""
    code.do("stand", load(figures, index + 1), _square(code, square))


def _square(code: Code, square: tuple[int, int]) -> Expression:
    return code.call("square_at", const(square[0]), const(square[1]))


def _lent_figures(program: Program) -> Function:
    """lent_figures(sheet): the figures that read through a sheet and stand nowhere, as a list."""
    code = program.code("lent_figures", 1)
    world = program.world
    code.giving()
    made = code.call("new_list")
    standing = program.layout.names["STAND_BASE"]
    for number in world.of_kind("Figure"):
        for field in lenders(world, world.thing(number).kind):
            lent = equal(stored(code, const(number), field, False), Local(0))
            free = negate(load(const(number), standing))
            code.when(both(lent, free), partial(code.do, "push", made, const(number)))
    code.give(made)
    return code.function()
