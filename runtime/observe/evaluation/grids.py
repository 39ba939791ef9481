"""Grids of squares: what is asked about squares, spots and pieces. Squares are numbers."""

from __future__ import annotations

from collections.abc import Callable

from talewright.runtime.kernel.maps.areas import SPOT
from talewright.runtime.lower.maps.grid import ONE_SQUARE
from talewright.runtime.model.types import is_list, none_of
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation.evaluator import LOWERED, Evaluator, Scope
from talewright.runtime.observe.evaluation.payments import list_on_stack
from talewright.runtime.observe.evaluation.values import Spot, Value
from talewright.schemas.nodes.names import AreaRef
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.types import Type

Arguments = tuple[object, ...]
# What the arguments of a function of the kernel are: lists of squares, first squares, or plain values.
SQUARES, SQUARE, PLAIN = "squares", "square", "plain"
FUNCTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "cells": ("squares_of", (PLAIN,)),
    "pieces": ("pieces_at", (SQUARES,)),
    "joined": ("joined_to", (PLAIN,)),
    "joint": ("find_joint", (PLAIN, PLAIN)),
    "marked": ("marked_squares", (PLAIN, PLAIN)),
    "fits": ("fits", (PLAIN, PLAIN, PLAIN)),
    "border": ("square_border", (SQUARE, SQUARE)),
    "open": ("is_step", (SQUARE, SQUARE)),
    "way": ("square_way", (SQUARE, SQUARE)),
    "sees": ("squares_see", (SQUARES, SQUARES)),
    "area": ("square_area", (SQUARES, PLAIN)),
    "neighbour": ("square_neighbour", (SQUARE, PLAIN)),
    "row": ("square_row", (SQUARE, PLAIN)),
    "column": ("square_column", (SQUARE, PLAIN)),
    "same_colour": ("same_colour", (SQUARE, SQUARE)),
    "spots": ("free_spots", (PLAIN,)),
    "can_stand": ("can_stand", (PLAIN, PLAIN)),
    "square": ("square_named", (PLAIN, PLAIN)),
    "reach": ("reach", (PLAIN, PLAIN, PLAIN)),
}
"""Questions about squares: the function of the kernel, and what its arguments are."""
PROPERTIES = {
    "cells": "squares_of", "joints": "joints_of", "spot": "spot_of", "cell": "first_square",
    "beyond": "joint_beyond", "mark": "joint_mark", "edge": "square_edge",
}  # fmt: skip


def as_cell(ev: Evaluator, value: Value) -> int:
    """A value as the kernel takes it; a list is put on the stack of the copy."""
    if isinstance(value, Spot):
        return list_on_stack(ev, (SPOT, value.base, value.at, *value.rest))
    if isinstance(value, tuple):
        return list_on_stack(ev, tuple(as_cell(ev, member) for member in value))
    return value if isinstance(value, int) else 0


def run(ev: Evaluator, function: str, *cells: int) -> int:
    """Runs a function of the kernel; what it makes stays in the copy."""
    return ev.kernel.run(function, *cells)


def squares_of(ev: Evaluator, node: object, scope: Scope) -> int:
    """The squares of anything that is somewhere, as a list in order."""
    if isinstance(node, AreaRef):
        return run(ev, "all_squares")
    return run(ev, "squares_of", as_cell(ev, ev.value(node, scope)))


def answer(ev: Evaluator, function: str, args: Arguments, scope: Scope) -> Value:
    """A question about squares."""
    called, kinds = FUNCTIONS[function]
    cells = []
    for argument, kind in zip(args, kinds, strict=True):
        if kind == SQUARES or (function == "cells"):
            cells.append(squares_of(ev, argument, scope))
        elif kind == SQUARE:
            cells.append(run(ev, "first_square", as_cell(ev, ev.value(argument, scope))))
        else:
            cells.append(as_cell(ev, ev.value(argument, scope)))
    type_ = function_type(ev, function, args, scope)
    made = cells[0] if function == "cells" else run(ev, called, *cells)
    return int(bool(made)) if plain(type_).tag == "truth" else ev.read(made, type_)


def function_type(ev: Evaluator, function: str, args: Arguments, scope: Scope) -> Type:
    """The type of what a function of the core gives."""
    return ev.type_of(CoreFunctionCall(function, args), scope)  # type: ignore[arg-type]


def nothing(ev: Evaluator, function: str, args: Arguments, scope: Scope) -> Value:
    """The answer to a question about squares where there are none."""
    type_ = function_type(ev, function, args, scope)
    if is_list(type_):
        return ()
    return 0 if plain(type_).tag == "truth" else ev.read(none_of(type_), type_)


def property_of(ev: Evaluator, name: str, held: Value, type_: Type) -> Value:
    """A property of what is on a grid."""
    cell = as_cell(ev, held)
    if name == "edge":
        return int(bool(run(ev, "square_edge", run(ev, "first_square", cell))))
    return ev.read(run(ev, PROPERTIES[name], cell), type_)


def _base_of(ev: Evaluator) -> Callable[..., int]:
    def base_of(figure: int) -> int:
        """The base of a figure: its own, or that of the sheet that it is lent."""
        size, over = _base(ev, figure)
        if size in (None, 0, ONE_SQUARE):
            world = ev.program.world
            for field in world.lenders():
                sheet = ev.stored(figure, field)
                if isinstance(sheet, int) and "base" in world.fields_of(world.thing(sheet).kind):
                    size, over = _base(ev, sheet)
        return run(ev, "packed_base", size or ONE_SQUARE, over)

    return base_of


def _base(ev: Evaluator, thing: int) -> tuple[int | None, int]:
    fields = ev.program.world.fields_of(ev.program.world.thing(thing).kind)
    held = [ev.stored(thing, fields[name]) if name in fields else None for name in ("base", "overhang")]
    size, over = (cell if isinstance(cell, int) else None for cell in held)
    return size, over or 0


LOWERED["base_of"] = _base_of
