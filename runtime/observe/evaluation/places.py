"""Where things stand on the map, what lies near what, and ways from one place to another."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.header import NONE
from talewright.runtime.lower.code import local_types
from talewright.runtime.lower.maps.questions import ON_GRIDS, ON_PLANS, Form, MapQuestion
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluation import grids
from talewright.runtime.observe.evaluation.collections import CORE_FUNCTIONS, Arguments, CoreFunction
from talewright.runtime.observe.evaluation.evaluator import (
    Evaluator,
    Scope,
    Unanswerable,
    as_items,
    as_thing,
    asked_by_kernel,
    evaluates,
    of_kind,
)
from talewright.runtime.observe.evaluation.modifiers import PLAIN_FUNCTIONS, declared_value, fold
from talewright.runtime.observe.evaluation.payments import list_on_stack
from talewright.runtime.observe.evaluation.values import Value
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.arguments import DoneProperty
from talewright.schemas.nodes.components import MovementClause
from talewright.schemas.nodes.things import Edge
from talewright.schemas.nodes.types import Type


# ------------------------------------------------------------------ cells
def cells_of(ev: Evaluator, node: object, scope: Scope) -> int:
    """The cells of anything that is somewhere, as bits."""
    if isinstance(node, n.AreaRef):
        return ev.kernel.call("all_cells")
    found = 0
    for thing in as_items(ev.value(node, scope)):
        found |= ev.kernel.call("cells", as_thing(thing))
    return found


@evaluates(o.Inside)
def inside(ev: Evaluator, node: o.Inside, scope: Scope) -> Value:
    held = ev.value(node.thing, scope)
    if isinstance(node.place, n.AreaRef):
        return _in_area(ev, as_thing(held), node.place.name)
    where = ev.value(node.place, scope)
    if ev.program.grid is not None:
        return _inside_grid(ev, node, held, where, scope)
    if of_kind(ev, where, "Place") and not ev.program.has_tiles:
        return int(ev.column("WHERE", as_thing(held)) == where)
    return int(bool(ev.kernel.call("is_inside", as_thing(held), as_thing(where))))


def _inside_grid(ev: Evaluator, node: o.Inside, held: Value, where: Value, scope: Scope) -> int:
    if where == ev.program.layout.names["GRID"]:
        return int(bool(ev.kernel.call("on_grid", as_thing(held))))
    on_squares = plain(ev.type_of(node.thing, scope)).tag in ("cell", "spot", "set", "list")
    function = "grid_inside" if on_squares else "lies_inside"
    return int(bool(ev.kernel.run(function, grids.as_cell(ev, held), grids.as_cell(ev, where))))


def _in_area(ev: Evaluator, thing: int, name: str) -> int:
    if name in ("box", "supply"):
        return int(ev.column("WHERE", thing) == ev.program.layout.names["BOX"])
    return int(bool(ev.kernel.call("on_board" if ev.program.grid is None else "on_grid", thing)))


@evaluates(o.InsideAny)
def inside_any(ev: Evaluator, node: o.InsideAny, scope: Scope) -> Value:
    thing = ev.thing(node.thing, scope)
    function = "is_inside" if ev.program.grid is None else "lies_inside"
    return int(any(ev.kernel.call(function, thing, as_thing(p)) for p in ev.items(node.places, scope)))


def _apart(ev: Evaluator, left: object, right: object, on_plan: str, on_grid: str, scope: Scope) -> int:
    """A question about two sets of cells, on a plan or on a grid."""
    if ev.program.grid is not None:
        return ev.kernel.run(on_grid, grids.squares_of(ev, left, scope), grids.squares_of(ev, right, scope))
    return ev.kernel.call(on_plan, cells_of(ev, left, scope), cells_of(ev, right, scope))


@evaluates(o.Adjacent)
def adjacent(ev: Evaluator, node: o.Adjacent, scope: Scope) -> Value:
    return int(bool(_apart(ev, node.left, node.right, "is_adjacent", "squares_adjacent", scope)))


@evaluates(o.Near)
def near(ev: Evaluator, node: o.Near, scope: Scope) -> Value:
    return int(bool(_apart(ev, node.left, node.right, "is_near", "squares_near", scope)))


@evaluates(o.Within)
def within(ev: Evaluator, node: o.Within, scope: Scope) -> Value:
    far = ev.number(node.distance, scope)
    # Steps are counted from the right side: where rules modify `open`, the two ways can differ.
    steps = _apart(ev, node.right, node.left, "steps_between", "squares_apart", scope)
    return int(steps != NONE and steps <= far)


# ------------------------------------------------------------------ ways
@evaluates(n.ValueAsWay)
def value_as_way(ev: Evaluator, node: n.ValueAsWay, scope: Scope) -> Value:
    values = list(ev.program.values)
    found = (v for v in ev.program.values.values() if v.id.rsplit(":", 1)[-1].split("#")[0] == node.value)
    declared = next(v for v in found if len(v.params) == 3)
    return FIRST_WAY + values.index(declared.id)


# Ways of moving that are values have numbers of their own, above those of the table.
FIRST_WAY = 1 << 20


@evaluates(n.MovementRef)
def movement(ev: Evaluator, node: n.MovementRef, scope: Scope) -> Value:
    block = ev.program.layout.names.get(f"movement {node.id}")
    if block is None:
        raise Unanswerable("nobody moves so in this game")
    return block


@evaluates(r.SpotProperty)
def spot_property(ev: Evaluator, node: r.SpotProperty, scope: Scope) -> Value:
    spot = grids.as_cell(ev, ev.value(node.of, scope))
    if node.name == "cost":
        return _number(ev.kernel.call("spot_cost", spot))
    return tuple(ev.kernel.list_of("squares_of" if node.name == "cells" else "spot_route", spot))


@asked_by_kernel
def call_table(ev: Evaluator, index: int, *arguments: int) -> int:
    """What the kernel calls by a number: ways of moving, steps that rules open, conditions of ways on."""
    given: list[Value] = [argument or None for argument in arguments]
    if index >= FIRST_WAY:
        return as_thing(declared_value(ev, list(ev.program.values.values())[index - FIRST_WAY], given))
    name = ev.program.table[index].function
    if name.startswith("value:"):
        return as_thing(declared_value(ev, ev.program.values[name.removeprefix("value:")], given))
    if name.startswith("core:"):
        return as_thing(_modified(ev, name.split(":")[1], given))
    passage = ev.program.passages[index]
    if isinstance(passage.node, MovementClause):
        return _clause(ev, passage.node, given)
    assert isinstance(passage.node, Edge)
    scope = Scope({}, passage.types, arguments[0], passage.owner)
    return int(ev.condition(passage.node.condition, scope))


def _clause(ev: Evaluator, clause: MovementClause, given: list[Value]) -> int:
    """A clause of a movement: things, or what it says of a square."""
    locals_ = dict(zip((clause.mover, clause.cell), given, strict=False))
    scope = Scope(locals_, local_types(clause.locals))
    if clause.things is not None:
        return list_on_stack(ev, ev.items(clause.things, scope))
    made = ev.value(clause.value, scope)
    if clause.clause == "costs at":
        return made if isinstance(made, int) else NONE
    return int(bool(made))


# ------------------------------------------------------------------ functions
def _distance(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    if len(args) == 2:
        return _number(_apart(ev, args[0], args[1], "steps_between", "squares_apart", scope))
    way = as_thing(ev.value(args[2], scope))
    if ev.program.grid is not None:
        return _number(ev.kernel.run("squares_by", *_walk(ev, args, scope), way))
    return _number(ev.kernel.call("steps_by", *_walk(ev, args, scope), way))


def _walk(ev: Evaluator, args: Arguments, scope: Scope) -> tuple[int, int, int]:
    """Who walks, where that is, and where to."""
    mover = ev.thing(args[0], scope)
    if ev.program.grid is not None:
        return mover, ev.kernel.run("squares_of", mover), grids.squares_of(ev, args[1], scope)
    return mover, ev.kernel.call("cells", mover), cells_of(ev, args[1], scope)


def _number(cell: int) -> Value:
    return None if cell == NONE else cell


def _places(ev: Evaluator, cells: int) -> Value:
    return tuple(ev.kernel.list_of("places_of", cells))


def _steps(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    if len(args) == 3:
        return _distance(ev, args, scope)
    goal = ev.value(args[1], scope)
    toward = of_kind(ev, goal, "Direction")
    if ev.program.grid is not None:
        squares = grids.squares_of(ev, args[0], scope)
        if toward:
            return tuple(ev.kernel.list_of("squares_toward", squares, as_thing(goal)))
        there = grids.squares_of(ev, args[1], scope)
        return tuple(ev.kernel.list_of("square_roads", 0, squares, there, 0))
    here = cells_of(ev, args[0], scope)
    if toward:
        return _places(ev, ev.kernel.call("cells_toward", here, as_thing(goal)))
    return _places(ev, ev.kernel.call("roads_by", 0, here, cells_of(ev, args[1], scope), 0))


def _roads(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    way = as_thing(ev.value(args[2], scope))
    if ev.program.grid is not None:
        return tuple(ev.kernel.list_of("square_roads", *_walk(ev, args, scope), way))
    return _places(ev, ev.kernel.call("roads_by", *_walk(ev, args, scope), way))


def _along(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    limit, way = ev.number(args[2], scope), as_thing(ev.value(args[3], scope))
    if ev.program.grid is not None:
        return ev.kernel.run("square_along", *_walk(ev, args, scope), limit, way) or None
    found = ev.kernel.call("along_by", *_walk(ev, args, scope), limit, way)
    return ev.kernel.call("first_place", found) or None


def _spots(ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    if plain(ev.type_of(args[0], scope)).tag == "token":
        return tuple(ev.kernel.list_of("places_with_token", ev.number(args[0], scope) - 1))
    if ev.program.grid is not None:
        return _answer(ev, "spots", ON_GRIDS["spots"], args, scope)
    return _places(ev, ev.kernel.call("all_cells"))


ON_EVERY_MAP: dict[str, CoreFunction] = {
    "distance": _distance,
    "steps": _steps,
    "roads": _roads,
    "along": _along,
    "spots": _spots,
}


def _answer(ev: Evaluator, function: str, question: MapQuestion, args: Arguments, scope: Scope) -> Value:
    """What the function of the kernel gives that answers a question."""
    given = [_argument(ev, form, node, scope) for form, node in zip(question.arguments, args, strict=True)]
    type_ = grids.function_type(ev, function, args, scope)
    made = ev.kernel.run(question.function, *given) if question.function else given[0]
    return int(bool(made)) if plain(type_).tag == "truth" else ev.read(made, type_)


def _argument(ev: Evaluator, form: Form, node: object, scope: Scope) -> int:
    match form:
        case "cells":
            return cells_of(ev, node, scope)
        case "squares":
            return grids.squares_of(ev, node, scope)
        case "square":
            return ev.kernel.run("first_square", grids.as_cell(ev, ev.value(node, scope)))
        case "value":
            return grids.as_cell(ev, ev.value(node, scope))


def _plain(function: str, ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    """A question about the map, without what rules modify."""
    if function in ON_EVERY_MAP:
        return ON_EVERY_MAP[function](ev, args, scope)
    question = (ON_PLANS if ev.program.grid is None else ON_GRIDS).get(function)
    if question is None:
        return grids.nothing(ev, function, args, scope)
    return _answer(ev, function, question, args, scope)


def _with_rules(function: str, ev: Evaluator, args: Arguments, scope: Scope) -> Value:
    """A question about the map, with what rules modify."""
    if f"core:{function}" not in ev.program.modifiers:
        return PLAIN_FUNCTIONS[function](ev, args, scope)
    return _modified(ev, function, [ev.value(argument, scope) for argument in args])


def _modified(ev: Evaluator, function: str, given: list[Value]) -> Value:
    arguments = tuple(n.LocalRef(number) for number in range(len(given)))
    scope = Scope(dict(enumerate(given)))
    type_ = grids.function_type(ev, function, arguments, scope)
    entries = ev.program.modifiers.get(f"core:{function}", [])
    return fold(ev, entries, type_, given, lambda: PLAIN_FUNCTIONS[function](ev, arguments, scope))


PLAIN_FUNCTIONS |= {name: partial(_plain, name) for name in {*ON_EVERY_MAP, *ON_PLANS, *ON_GRIDS}}
CORE_FUNCTIONS |= {name: partial(_with_rules, name) for name in PLAIN_FUNCTIONS}


# ------------------------------------------------------------------ properties
@evaluates(r.Property, DoneProperty)
def property_(ev: Evaluator, node: r.Property, scope: Scope) -> Value:
    held = ev.value(node.of, scope)
    thing = as_thing(held)
    match node.name:
        case "place":
            return ev.kernel.call("place_of", thing) or None
        case "holder":
            return ev.kernel.call("holder_of", thing) or None
        case "owner":
            return ev.column("OWNER", thing) or ev.kernel.call("holder_of", thing) or None
        case "sort":
            return ev.column("SORT", thing) or None
        case "title":
            return ev.words.title(thing) if thing else "none"
        case "prose":
            return ev.words.prose(thing)
        case "face":
            return ev.column("FACE_WORD", thing) or None if "FACE_WORD" in ev.program.layout.names else None
    return _on_map(ev, node.name, held, ev.type_of(node, scope))


def _on_map(ev: Evaluator, name: str, held: Value, type_: Type) -> Value:
    if ev.program.grid is not None:
        return grids.property_of(ev, name, held, type_)
    if name == "edge":
        return int(bool(ev.kernel.call("at_edge", ev.kernel.call("cells", as_thing(held)))))
    return () if name in ("cells", "joints") else None
