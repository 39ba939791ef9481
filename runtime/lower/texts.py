"""Texts are never in memory: a text is a block `[n, which text, what it shows ...]`, and the host makes words of it."""

from __future__ import annotations

from talewright.runtime.ir.build import const
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import listed, lowers_value, value
from talewright.runtime.lower.verbs import Verb, verb
from talewright.runtime.model.types import is_list
from talewright.schemas.nodes.literals import Show, Text
from talewright.schemas.nodes.names import SelfRef, ThingRef

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
    code.uses_stack()
    values = [code.keep(_shown(code, part)) for part in shown]
    made = code.call("new_list")
    code.do("push", made, const(number))
    for held in values:
        code.do("push", made, held)
    return made


def _shown(code: Code, part: Show) -> Expression:
    if is_list(part.type) and not isinstance(part.of, SelfRef | ThingRef):
        return listed(code, part.of)
    return value(code, part.of)


@verb("say")
def say(code: Code, call_: Verb) -> Expression | None:
    """Says a text to everybody, if anybody listens."""
    if code.program.build.events:
        code.do("say_text", call_.part("first"))
    return None


