"""Places: where things stand, what lies near what, and ways from one place to another."""

from __future__ import annotations

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    at_most,
    binary,
    both,
    call,
    const,
    equal,
    load,
    truth,
    unlike,
)
from talewright.runtime.ir.header import NONE
from talewright.runtime.ir.nodes import Const, Expression
from talewright.runtime.lower.casts import MAPS
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.collections import CORE_FUNCTIONS, TOKENS_ON_BOARD, Arguments, tokens_at
from talewright.runtime.lower.dispatch import each, lowers_value, value
from talewright.runtime.lower.fields import SPACE_PROPERTIES
from talewright.runtime.lower.modifiers import need_value
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.typing import type_of
from talewright.runtime.lower.values import token_value
from talewright.runtime.model.maps import DIRECTIONS, MOST_CELLS, Map, find_maps
from talewright.runtime.model.types import is_list
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes.names import AreaRef, MovementRef, ValueAsWay
from talewright.schemas.nodes.reads import TokensAt
from talewright.schemas.nodes.types import Type

# The parts of a map, as `kernel/board.py` reads them; tables of cells have room for the largest map.
WIDTH = MOST_CELLS + 1
MAP_COUNT, MAP_EDGE, MAP_PLACE = 0, 1, 2
MAP_STEPS = MAP_PLACE + WIDTH
MAP_BESIDE = MAP_STEPS + WIDTH
MAP_DISTANCE = MAP_BESIDE + WIDTH
MAP_BORDER = MAP_DISTANCE + WIDTH * WIDTH
MAP_TOWARD = MAP_BORDER + WIDTH * WIDTH
MAP_CELLS = MAP_TOWARD + len(DIRECTIONS) * WIDTH


def lay_out_maps(program: Program) -> None:
    """The maps of the document as fixed blocks, and the cell that says which one is played on."""
    world, layout = program.world, program.layout
    program.maps = find_maps(world)
    blocks = {key: layout.fixed(_cells(program, made)) for key, made in program.maps.items()}
    empty = blocks.get(0)
    if empty is None:
        empty = layout.fixed([0] * (MAP_CELLS + layout.width))
    program.map_blocks = blocks
    names = layout.names
    names["NO_MAP"] = empty
    names["MAP"] = layout.reserve([empty])
    names["FIRST_DIRECTION"] = world.number.get("north", 0) or layout.things + 1
    names |= {
        "MAP_WIDTH": WIDTH, "MAP_COUNT": MAP_COUNT, "MAP_EDGE": MAP_EDGE, "MAP_PLACE": MAP_PLACE,
        "MAP_STEPS": MAP_STEPS, "MAP_BESIDE": MAP_BESIDE, "MAP_DISTANCE": MAP_DISTANCE, "MAP_BORDER": MAP_BORDER,
        "MAP_TOWARD": MAP_TOWARD, "MAP_CELLS": MAP_CELLS,
    }  # fmt: skip


def _cells(program: Program, made: Map) -> list[int]:
    count = len(made.places)
    cells = [0] * (MAP_CELLS + program.layout.width)
    cells[MAP_COUNT], cells[MAP_EDGE] = count, made.edges()
    distances, borders = made.distances(), made.borders()
    cells[MAP_PLACE : MAP_PLACE + count] = made.places
    cells[MAP_STEPS : MAP_STEPS + count] = made.steps()
    cells[MAP_BESIDE : MAP_BESIDE + count] = made.drawn_together()
    for here in range(count):
        at = here * count
        cells[MAP_DISTANCE + here * WIDTH : MAP_DISTANCE + here * WIDTH + count] = distances[at : at + count]
        marks = [program.layout.word(mark) if mark else 0 for mark in borders[at : at + count]]
        cells[MAP_BORDER + here * WIDTH : MAP_BORDER + here * WIDTH + count] = marks
    for number, direction in enumerate(DIRECTIONS):
        at = MAP_TOWARD + number * WIDTH
        cells[at : at + count] = made.toward(direction)
    for cell, place in enumerate(made.places):
        cells[MAP_CELLS + place] |= 1 << cell
    for tile, mask in made.pieces().items():
        cells[MAP_CELLS + tile] |= mask
    return cells


def _lay_map(code: Code, page: Expression) -> None:
    """Lays the map of a chapter that has one."""
    program = code.program
    for key, block in program.map_blocks.items():
        if key:

            def lay(block: int = block) -> None:
                code.do("clear_board")
                code.do("lay_map", const(block))

            code.when(equal(page, const(key)), lay)


MAPS.append(_lay_map)


# ------------------------------------------------------------------ cells
def cells_of(code: Code, node: object) -> Expression:
    """The cells of anything that is somewhere, as a set."""
    if isinstance(node, AreaRef):
        return call("all_cells")
    type_ = type_of(code, node)
    if is_list(type_):
        mask = code.hold(ZERO)
        each(code, node, lambda thing: code.assign(mask, binary("or", mask, call("cells", thing))))
        return mask
    return code.hold(call("cells", value(code, node)))


@lowers_value(o.Inside)
def inside(code: Code, node: o.Inside) -> Expression:
    thing = code.keep(value(code, node.thing))
    names = code.program.layout.names
    if isinstance(node.place, AreaRef):
        return in_area(code, thing, node.place.name)
    where = code.keep(value(code, node.place))
    world = code.program.world
    kind = plain(type_of(code, node.place))
    if kind.tag == "thing" and world.is_a(kind.name, "Place"):
        stands = equal(load(thing, names["WHERE"]), where)
        return stands if isinstance(where, Const) else both(where, stands)
    return truth(code.call("is_inside", thing, where))


def in_area(code: Code, thing: Expression, name: str) -> Expression:
    """Whether a thing is on the board, in play, or in the box."""
    if name in ("box", "supply"):
        names = code.program.layout.names
        return equal(load(thing, names["WHERE"]), const(names["BOX"]))
    return truth(code.call("on_board", thing))


@lowers_value(o.InsideAny)
def inside_any(code: Code, node: o.InsideAny) -> Expression:
    thing = code.keep(value(code, node.thing))
    found = code.hold(ZERO)
    each(
        code,
        node.places,
        lambda place: code.when(code.call("is_inside", thing, place), lambda: code.assign(found, ONE)),
    )
    return found


@lowers_value(o.Adjacent)
def adjacent(code: Code, node: o.Adjacent) -> Expression:
    return truth(code.call("is_adjacent", cells_of(code, node.left), cells_of(code, node.right)))


@lowers_value(o.Near)
def near(code: Code, node: o.Near) -> Expression:
    return truth(code.call("is_near", cells_of(code, node.left), cells_of(code, node.right)))


@lowers_value(o.Within)
def within(code: Code, node: o.Within) -> Expression:
    far = code.keep(value(code, node.distance))
    held = code.call("steps_between", cells_of(code, node.left), cells_of(code, node.right))
    return both(unlike(held, const(NONE)), at_most(held, far))


# ------------------------------------------------------------------ functions
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


def _way(code: Code, node: object) -> Expression:
    if isinstance(node, MovementRef):
        raise LoadError("the engine cannot play `movement` yet")
    return code.keep(value(code, node))


def _distance(code: Code, args: Arguments) -> Expression:
    if len(args) == 2:
        return code.call("steps_between", cells_of(code, args[0]), cells_of(code, args[1]))
    mover = code.keep(value(code, args[0]))
    return code.call("steps_by", mover, call("cells", mover), cells_of(code, args[1]), _way(code, args[2]))


def _steps(code: Code, args: Arguments) -> Expression:
    if len(args) == 3:
        return _distance(code, args)
    code.uses_stack()
    here = code.keep(cells_of(code, args[0]))
    goal = plain(type_of(code, args[1]))
    if goal.tag == "thing" and goal.name == "Direction":
        return code.call("places_of", call("cells_toward", here, value(code, args[1])))
    return code.call("places_of", call("next_steps", here, cells_of(code, args[1])))


def _roads(code: Code, args: Arguments) -> Expression:
    code.uses_stack()
    mover = code.keep(value(code, args[0]))
    goal = code.keep(cells_of(code, args[1]))
    found = code.call("roads_by", mover, call("cells", mover), goal, _way(code, args[2]))
    return code.call("places_of", found)


def _along(code: Code, args: Arguments) -> Expression:
    code.uses_stack()
    mover = code.keep(value(code, args[0]))
    goal = code.keep(cells_of(code, args[1]))
    limit = code.keep(value(code, args[2]))
    found = code.call("along_by", mover, call("cells", mover), goal, limit, _way(code, args[3]))
    return code.call("first_place", found)


def _open(code: Code, args: Arguments) -> Expression:
    return truth(code.call("step_is_open", cells_of(code, args[0]), cells_of(code, args[1])))


def _border(code: Code, args: Arguments) -> Expression:
    return code.call("border_between", cells_of(code, args[0]), cells_of(code, args[1]))


def _spots(code: Code, args: Arguments) -> Expression:
    if plain(type_of(code, args[0])).tag != "token":
        raise LoadError("the engine cannot play `spots` of figures yet")
    code.uses_stack()
    return code.call("places_with_token", token_value(code, args[0]))


def _tokens(code: Code, args: Arguments) -> Expression:
    return tokens_at(code, TokensAt(args[0], args[1]))  # type: ignore[arg-type]


CORE_FUNCTIONS |= {
    "distance": _distance,
    "steps": _steps,
    "roads": _roads,
    "along": _along,
    "open": _open,
    "border": _border,
    "spots": _spots,
    "tokens": _tokens,
}


def _tokens_on_board(code: Code, node: TokensAt) -> Expression:
    """How many tokens lie on the whole map."""
    return code.call("tokens_on_map", token_value(code, node.token))


TOKENS_ON_BOARD.append(_tokens_on_board)


def _edge(code: Code, thing: Expression, type_: Type) -> Expression:
    return truth(code.call("at_edge", call("cells", thing)))


SPACE_PROPERTIES["edge"] = _edge
