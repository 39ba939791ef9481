"""Places: where things stand, and what lies near what.

A board is a graph of the places of the plans at top level.
"""

from __future__ import annotations

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ONE, ZERO, at_most, both, call, const, equal, load, truth, unlike
from talewright.runtime.ir.header import NONE
from talewright.runtime.ir.nodes import Const, Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.lower.dispatch import each, lowers_value, value
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes.names import AreaRef

# Two places between which there is no way.
NO_WAY = -1


def neighbours(program: Program) -> dict[int, list[int]]:
    """The places next to each place of the plans, in reading order."""
    found: dict[int, dict[int, None]] = {}
    for plan in program.world.content.plans:
        rows = [[entry if isinstance(entry, str) else entry[0] for entry in row] for row in plan.rows]
        number = program.world.number
        for y, row in enumerate(rows):
            for x, name in enumerate(row):
                if name == ".":
                    continue
                here = found.setdefault(number[name], {})
                steps = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
                if plan.ring:
                    steps = [((x - 1) % len(row), y), ((x + 1) % len(row), y)]
                for nx, ny in steps:
                    if 0 <= ny < len(rows) and 0 <= nx < len(rows[ny]) and rows[ny][nx] not in (".", name):
                        here[number[rows[ny][nx]]] = None
    return {place: list(near) for place, near in found.items()}


def distance_table(program: Program) -> tuple[int, int, int]:
    """The address of the distances between places, how many places there are, and the column of their indexes."""
    names = program.layout.names
    if "DISTANCES" not in names:
        graph = neighbours(program)
        places = list(graph)
        index = {place: i for i, place in enumerate(places)}
        cells: list[int] = []
        for start in places:
            steps = {start: 0}
            waiting = [start]
            for place in waiting:
                for near in graph[place]:
                    if near not in steps:
                        steps[near] = steps[place] + 1
                        waiting.append(near)
            cells += [steps.get(place, NO_WAY) for place in places]
        names["DISTANCES"] = program.layout.fixed(cells)
        column = [NO_WAY] * program.layout.width
        for place, i in index.items():
            column[place] = i
        names["PLACE_INDEX"] = program.layout.fixed(column)
        names["PLACE_COUNT"] = len(places)
    return names["DISTANCES"], names["PLACE_COUNT"], names["PLACE_INDEX"]


def place_of(code: Code, node: object) -> Expression:
    """The place that something is, or stands on."""
    type_ = plain(type_of(code, node))
    made = value(code, node)
    if type_.tag == "thing" and code.program.world.is_a(type_.name, "Place"):
        return made
    held = code.keep(made)
    places = code.program.layout.names["ON_TABLE"]
    return code.choose(truth(load(held, places)), lambda: held, lambda: code.hold(call("place_of", held)))


def distance(code: Code, left: object, right: object) -> Expression:
    """The number of steps between two things, or none."""
    distance_table(code.program)
    return code.hold(call("steps_between", place_of(code, left), place_of(code, right)))


@lowers_value(o.Inside)
def inside(code: Code, node: o.Inside) -> Expression:
    thing = code.keep(value(code, node.thing))
    names = code.program.layout.names
    if isinstance(node.place, AreaRef):
        return in_area(code, thing, node.place.name)
    where = value(code, node.place)
    world = code.program.world
    kind = plain(type_of(code, node.place))
    if kind.tag == "thing" and world.is_a(kind.name, "Place") and not code.program.has_tiles:
        stands = equal(load(thing, names["WHERE"]), where)
        return stands if isinstance(where, Const) else both(where, stands)
    return truth(code.call("is_inside", thing, where))


def in_area(code: Code, thing: Expression, name: str) -> Expression:
    """Whether a thing is on the board, in play, or in the box."""
    names = code.program.layout.names
    if name in ("box", "supply"):
        return equal(load(thing, names["WHERE"]), const(names["BOX"]))
    distance_table(code.program)
    return truth(code.call("on_board", thing))


@lowers_value(o.InsideAny)
def inside_any(code: Code, node: o.InsideAny) -> Expression:
    thing = code.keep(value(code, node.thing))
    found = code.hold(ZERO)

    def one(place: Expression) -> None:
        code.when(code.call("is_inside", thing, place), lambda: code.assign(found, ONE))

    each(code, node.places, one)
    return found


@lowers_value(o.Adjacent)
def adjacent(code: Code, node: o.Adjacent) -> Expression:
    return equal(distance(code, node.left, node.right), ONE)


@lowers_value(o.Near)
def near(code: Code, node: o.Near) -> Expression:
    held = distance(code, node.left, node.right)
    return both(unlike(held, const(NONE)), at_most(held, ONE))


@lowers_value(o.Within)
def within(code: Code, node: o.Within) -> Expression:
    far = code.keep(value(code, node.distance))
    held = distance(code, node.left, node.right)
    return both(unlike(held, const(NONE)), at_most(held, far))


def _distance(code: Code, args: Arguments) -> Expression:
    if len(args) > 2:
        raise LoadError("the engine cannot play ways of moving yet")
    return distance(code, args[0], args[1])


CORE_FUNCTIONS |= {"distance": _distance}

