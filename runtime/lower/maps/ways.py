"""Ways on to chapters and endings: fixed rows, asked for a page."""

from __future__ import annotations

from collections.abc import Callable

from talewright.runtime.ir.build import ZERO, load
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import value
from talewright.runtime.lower.expressions.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.lower.program import Program
from talewright.schemas.nodes.names import ThingRef
from talewright.schemas.nodes.things import Edge, Edges


def edge_rows(program: Program, node: Edges, condition_slot: Callable[[Edge], int]) -> int:
    """Ways on as fixed rows."""
    cells = [len(node.rows)]
    for row in node.rows:
        test = 0 if row.condition is None else condition_slot(row)
        label = 0 if row.label is None else program.layout.fixed_list([program.text_number(row.label)])
        target = program.world.number[row.to.id] if isinstance(row.to, ThingRef) else 0
        cells += [test, label, target, int(row.otherwise)]
    return program.layout.fixed(cells)


def _edge(code: Code, args: Arguments) -> Expression:
    ways = code.keep(value(code, args[0]))
    return code.choose(ways, lambda: code.call("first_way", load(ways, 1), load(ways, 2)), lambda: ZERO)


def _ways(code: Code, args: Arguments) -> Expression:
    ways = code.keep(value(code, args[0]))
    return code.pushed("all_ways", ways)


def _fallback(code: Code, args: Arguments) -> Expression:
    ways = code.keep(value(code, args[0]))
    return code.choose(ways, lambda: code.call("fallback_way", load(ways, 1)), lambda: ZERO)


CORE_FUNCTIONS |= {"edge": _edge, "ways": _ways, "fallback": _fallback}
