"""Texts are never in memory: a text is a block `[n, which text, what it shows ...]`, and the host makes words of it."""

from __future__ import annotations

from talewright.runtime.ir.build import call, const, set_cell
from talewright.runtime.ir.header import OPTIONS
from talewright.runtime.ir.nodes import Ask, Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import listed, lowers_value, value
from talewright.runtime.lower.program import Point, Program
from talewright.runtime.model.cells import DECISION, OPTION_LIST
from talewright.runtime.model.types import TEXT, is_list
from talewright.schemas.nodes.literals import Show, Text
from talewright.schemas.nodes.names import SelfRef, ThingRef

# The question that only steps of tests ask: whether two texts read the same (1) or not (0).
SAME_TEXT_POINT = "same text"
# Texts with these numbers are made of a thing: its title, its prose.
TITLE, PROSE = -1, -2


def text_number(code: Code, text: Text) -> int:
    """The number of a text."""
    return code.program.text_number(text)


@lowers_value(Text)
def text(code: Code, node: Text) -> Expression:
    number = text_number(code, node)
    shown = [part for part in node.parts if isinstance(part, Show)]
    if not shown:
        return const(code.program.layout.fixed_list([number]))
    values = [code.keep(_shown(code, part)) for part in shown]
    return code.new_list(number, *values)


def _shown(code: Code, part: Show) -> Expression:
    if is_list(part.type) and not isinstance(part.of, SelfRef | ThingRef):
        return listed(code, part.of)
    return value(code, part.of)


def need_titles(program: Program) -> None:
    """Sees to it that the title of every thing is known as a text."""
    layout = program.layout
    if "TITLE_TEXTS" not in layout.names:
        titles = [layout.fixed_list([program.text_number(Text((t.title,)))]) for t in program.world.things]
        layout.names["TITLE_TEXTS"] = layout.fixed([0, *titles])


def same_text(code: Code, left: Expression, right: Expression) -> Expression:
    """Whether two texts read the same. Only the host knows words, so that a test asks it.

    In play, texts are the same if they come from the same words and show the same; titles are words, too.
    """
    if not code.scope.in_test:
        need_titles(code.program)
        return call("same_text", left, right)
    first, second = code.keep(left), code.keep(right)
    made = code.new_list(first, second)
    point = code.program.point(Point(SAME_TEXT_POINT, SAME_TEXT_POINT, TEXT, code.spot))
    code.emit(set_cell(DECISION, point), set_cell(OPTION_LIST, made), set_cell(OPTIONS, 2))
    answer = code.fresh()
    code.emit(Ask(answer.index))
    return answer
