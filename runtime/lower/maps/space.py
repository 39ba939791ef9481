"""Places: where things stand, what lies near what, and ways from one place to another."""

from __future__ import annotations

from collections.abc import Callable

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import both, call, const, equal, load, truth, unlike
from talewright.runtime.ir.header import NONE
from talewright.runtime.ir.nodes import Const, Expression
from talewright.runtime.kernel.memory import MAP_CELLS
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import each, lowers_value, value
from talewright.runtime.lower.expressions.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.lower.expressions.fields import SPACE_PROPERTIES
from talewright.runtime.lower.expressions.modifiers import (
    PLAIN_FUNCTIONS,
    modified_function,
    need_function,
    need_value,
)
from talewright.runtime.lower.expressions.values import token_value
from talewright.runtime.lower.maps.grid import lay_out_grid, movement_block, on_map, squares_of
from talewright.runtime.lower.maps.questions import (
    BY_WAY,
    GRID_PROPERTIES,
    ON_GRIDS,
    ON_PLANS,
    TOWARD,
    WITH_TOKEN,
    Form,
)
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.verbs import VERBS, Do, Verb, verb
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.maps import find_maps, map_block
from talewright.runtime.model.types import is_list, none_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes.names import AreaRef, MovementRef, ValueAsWay
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.reads import SpotProperty, TokensAt
from talewright.schemas.nodes.types import Type

Handler = Callable[[Code, Arguments], Expression]


def lay_out_maps(program: Program) -> None:
    """The maps of the document as fixed blocks, and the cell that says which one is played on."""
    world, layout = program.world, program.layout
    program.maps = find_maps(world)
    program.map_blocks = {key: map_block(layout, board) for key, board in program.maps.items()}
    empty = program.map_blocks.get(0) or layout.fixed([0] * (MAP_CELLS + layout.width))
    names = layout.names
    names["NO_MAP"] = empty
    names["MAP"] = layout.reserve([empty])
    lay_out_grid(program)
    if program.grid is not None and program.maps:
        raise LoadError("a document has either plans of places or a grid, not both")
    names["OPEN_WAY"] = open_way(program)
    names["FIRST_DIRECTION"] = world.number.get("north", 0) or layout.things + 1


def open_way(program: Program) -> int:
    """The function that says whether a step is open, where rules modify that; 0 where none does."""
    if "core:open" not in program.modifiers:
        return 0
    return program.slot(need_function(program, "open", 2))


def lay_map(code: Code, page: Expression) -> None:
    """Lays the map of a chapter that has one."""
    program = code.program
    for key, block in program.map_blocks.items():
        if key:
            with code.if_(equal(page, key)):
                code.do("clear_board")
                code.do("lay_map", block)


# ------------------------------------------------------------------ cells
def cells_of(code: Code, node: object) -> Expression:
    """The cells of anything that is somewhere on a plan, as a set."""
    if isinstance(node, AreaRef):
        return call("all_cells")
    type_ = type_of(code, node)
    if is_list(type_):
        mask = code.hold(0)
        each(code, node, lambda thing: code.assign(mask, mask | call("cells", thing)))
        return mask
    return code.hold(call("cells_of_any" if type_.tag == "any" else "cells", value(code, node)))


@lowers_value(o.Inside)
def inside(code: Code, node: o.Inside) -> Expression:
    thing = code.keep(value(code, node.thing))
    names = code.program.layout.names
    if isinstance(node.place, AreaRef):
        return in_area(code, thing, node.place.name)
    where = code.keep(value(code, node.place))
    if code.program.grid is not None and where == const(names["GRID"]):
        return truth(code.call("on_grid", thing))
    kind = plain(type_of(code, node.place))
    if code.program.grid is None and kind.tag == "thing" and code.program.world.is_a(kind.name, "Place"):
        stands = equal(load(thing, names["WHERE"]), where)
        return stands if isinstance(where, Const) else both(where, stands)
    return truth(code.call(lies_inside(code.program), thing, where))


def lies_inside(program: Program) -> str:
    """The function of the kernel that says whether something lies in something else."""
    return "is_inside" if program.grid is None else "lies_inside"


def in_area(code: Code, thing: Expression, name: str) -> Expression:
    """Whether a thing is on the board, in play, or in the box."""
    if name in ("box", "supply"):
        names = code.program.layout.names
        return equal(load(thing, names["WHERE"]), names["BOX"])
    return truth(code.call("on_board" if code.program.grid is None else "on_grid", thing))


@lowers_value(o.InsideAny)
def inside_any(code: Code, node: o.InsideAny) -> Expression:
    thing = code.keep(value(code, node.thing))
    found = code.hold(0)
    function = lies_inside(code.program)
    each(
        code,
        node.places,
        lambda place: code.when(code.call(function, thing, place), lambda: code.assign(found, 1)),
    )
    return found


@lowers_value(o.Adjacent)
def adjacent(code: Code, node: o.Adjacent) -> Expression:
    return truth(_asked(code, "adjacent", (node.left, node.right)))


@lowers_value(o.Near)
def near(code: Code, node: o.Near) -> Expression:
    return truth(_asked(code, "near", (node.left, node.right)))


@lowers_value(o.Within)
def within(code: Code, node: o.Within) -> Expression:
    far = code.keep(value(code, node.distance))
    # Steps are counted from the right side: where rules modify `open`, the two ways can differ.
    held = code.keep(_asked(code, "distance", (node.right, node.left)))
    return both(unlike(held, NONE), held <= far)


# ------------------------------------------------------------------ ways of walking
@lowers_value(ValueAsWay)
def value_as_way(code: Code, node: ValueAsWay) -> Expression:
    """A value of three parameters as a way of moving: its number in the table."""
    program = code.program
    found = [v for v in program.values.values() if v.id.rsplit(":", 1)[-1].split("#")[0] == node.value]
    declared = next((v for v in found if len(v.params) == 3), None)
    if declared is None:
        raise LoadError(f"`{node.value}` is no way of moving")
    need_value(program, declared)
    return const(program.slot(f"value:{declared.id}"))


@lowers_value(MovementRef)
def movement(code: Code, node: MovementRef) -> Expression:
    """A movement: the address of its block."""
    if code.program.grid is None:
        raise LoadError("a movement goes over the squares of a Grid, and this game has none")
    return movement_block(code.program, node.id)


# ------------------------------------------------------------------ questions
def _asked(code: Code, name: str, args: Arguments) -> Expression:
    """Calls the function of the kernel that answers a question."""
    question = (ON_PLANS if code.program.grid is None else ON_GRIDS)[name]
    given = [_argument(code, form, node) for form, node in zip(question.arguments, args, strict=False)]
    return code.call(question.function, *given)


def _argument(code: Code, form: Form, node: object) -> Expression:
    match form:
        case "cells":
            return cells_of(code, node)
        case "squares":
            return squares_of(code, node)
        case "square":
            return code.call("first_square", on_map(code, node))
        case "value":
            return code.keep(on_map(code, node))
        case "token":
            return token_value(code, node)


def _question(code: Code, function: str, args: Arguments) -> str:
    """What a function of the core asks, given what it is given."""
    match function:
        case "distance" | "steps" if len(args) == 3:
            return BY_WAY
        case "steps" if plain(type_of(code, args[1])) == Type("thing", "Direction"):
            return TOWARD
        case "spots" if plain(type_of(code, args[0])).tag == "token":
            return WITH_TOKEN
    return function


def _plain(function: str) -> Handler:
    """A question about the map, without what rules modify; nothing where it is one about squares and there are none."""

    def handler(code: Code, args: Arguments) -> Expression:
        type_ = type_of(code, CoreFunctionCall(function, args))  # type: ignore[arg-type]
        name = _question(code, function, args)
        if name not in (ON_PLANS if code.program.grid is None else ON_GRIDS):
            if is_list(type_):
                return const(code.program.layout.fixed_list([]))
            return const(0 if plain(type_).tag == "truth" else none_of(type_))
        if is_list(type_):
            code.uses_stack()
        made = _asked(code, name, args)
        return truth(made) if plain(type_).tag == "truth" else made

    return handler


def _modified(function: str) -> Handler:
    """A question about the map, with what rules modify."""

    def handler(code: Code, args: Arguments) -> Expression:
        if f"core:{function}" not in code.program.modifiers:
            return PLAIN_FUNCTIONS[function](code, args)
        return modified_function(code, function, args)

    return handler


PLAIN_FUNCTIONS |= {name: _plain(name) for name in {*ON_PLANS, *ON_GRIDS}}
CORE_FUNCTIONS |= {name: _modified(name) for name in PLAIN_FUNCTIONS}


def _tokens(code: Code, args: Arguments) -> Expression:
    return tokens_at(code, TokensAt(args[0], args[1]))  # type: ignore[arg-type]


CORE_FUNCTIONS["tokens"] = _tokens


@lowers_value(TokensAt)
def tokens_at(code: Code, node: TokensAt) -> Expression:
    """How many tokens lie on a place, or on the whole map."""
    token = token_value(code, node.token)
    if isinstance(node.place, AreaRef):
        return code.call("tokens_on_map", token)
    return code.call("tokens_on", token, value(code, node.place))


# ------------------------------------------------------------------ properties and verbs
def _property(name: str) -> Callable[[Code, Expression], Expression]:
    def handler(code: Code, thing: Expression) -> Expression:
        if code.program.grid is None:
            if name == "edge":
                return truth(code.call("at_edge", call("cells", thing)))
            return const(code.program.layout.fixed_list([]) if name in ("cells", "joints") else 0)
        if name == "edge":
            return truth(code.call(GRID_PROPERTIES[name], call("first_square", thing)))
        if name in ("cells", "joints", "spot"):
            return code.pushed(GRID_PROPERTIES[name], thing)
        return code.call(GRID_PROPERTIES[name], thing)

    return handler


SPACE_PROPERTIES |= {name: _property(name) for name in GRID_PROPERTIES}


@lowers_value(SpotProperty)
def spot_property(code: Code, node: SpotProperty) -> Expression:
    spot = code.keep(value(code, node.of))
    if node.name == "cost":
        return code.call("spot_cost", spot)
    return code.pushed("squares_of" if node.name == "cells" else "spot_route", spot)


def _on_grid(function: str, parts: tuple[str, ...]) -> Do:
    """A verb that calls a function of the kernel with its parts, and does nothing where there is no grid."""

    def handler(code: Code, call_: Verb) -> Expression | None:
        return None if code.program.grid is None else code.call(function, *map(call_.part, parts))

    return handler


VERBS |= {
    "stand": _on_grid("stand", ("first", "at")),
    "walk": _on_grid("walk", ("first", "to")),
    "join": _on_grid("join_piece", ("first", "to", "at")),
    "lay": _on_grid("lay_piece", ("first",)),
}


@verb("link")
def link(code: Code, call_: Verb) -> None:
    """Makes far squares neighbours."""
    if code.program.grid is not None:
        near_side = code.pushed("squares_of", call_.part("first"))
        far_side = code.call("squares_of", call_.part("with"))
        code.do("link_squares", near_side, far_side)
