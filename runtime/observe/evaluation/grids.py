"""Grids of squares: what is asked about squares, spots and pieces. Squares are numbers."""

from __future__ import annotations

from talewright.runtime.kernel.maps.areas import ONE_SQUARE, SPOT
from talewright.runtime.lower.maps.questions import GRID_PROPERTIES
from talewright.runtime.model.types import is_list, none_of
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Scope, asked_by_kernel
from talewright.runtime.observe.evaluation.payments import list_on_stack
from talewright.runtime.observe.evaluation.values import Spot, Value
from talewright.schemas.nodes.names import AreaRef
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.types import Type

Arguments = tuple[object, ...]


def as_cell(ev: Evaluator, value: Value) -> int:
    """A value as the kernel takes it; a list is put on the stack of the copy."""
    if isinstance(value, Spot):
        return list_on_stack(ev, (SPOT, value.base, value.at, *value.rest))
    if isinstance(value, tuple):
        return list_on_stack(ev, tuple(as_cell(ev, member) for member in value))
    return value if isinstance(value, int) else 0


def squares_of(ev: Evaluator, node: object, scope: Scope) -> int:
    """The squares of anything that is somewhere, as a list in order."""
    if isinstance(node, AreaRef):
        return ev.kernel.run("squares_of", ev.program.layout.names["GRID"])
    return ev.kernel.run("squares_of", as_cell(ev, ev.value(node, scope)))


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
        return int(bool(ev.kernel.run("square_edge", ev.kernel.run("first_square", cell))))
    return ev.read(ev.kernel.run(GRID_PROPERTIES[name], cell), type_)


@asked_by_kernel
def base_of(ev: Evaluator, figure: int) -> int:
    """The base of a figure: its own, or that of the sheet that it is lent."""
    size, over = _base(ev, figure)
    if size in (None, 0, ONE_SQUARE):
        world = ev.program.world
        for field in world.lenders():
            sheet = ev.stored(figure, field)
            if isinstance(sheet, int) and "base" in world.fields_of(world.thing(sheet).kind):
                size, over = _base(ev, sheet)
    return ev.kernel.run("packed_base", size or ONE_SQUARE, over)


def _base(ev: Evaluator, thing: int) -> tuple[int | None, int]:
    fields = ev.program.world.fields_of(ev.program.world.thing(thing).kind)
    held = [ev.stored(thing, fields[name]) if name in fields else None for name in ("base", "overhang")]
    size, over = (cell if isinstance(cell, int) else None for cell in held)
    return size, over or 0
