"""A `where` that never looks at its element."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every `where` whose test is the same for all elements."""
    for node, origin in context.work.idle_where:
        span = origin.source.span(node.start, node.end)
        yield CHECK.finding(
            span,
            "this `where` never looks at its element",
            "write `it` (or the name after `named`), or ask the question before with `if`",
        )


CHECK = Check(
    code="F430",
    name="idle-where",
    severity="warning",
    why="""A `where` narrows a set one element at a time. A test that does not mention the element gives
    the same answer for all of them: the set stays whole or becomes empty. Most often a name was meant to
    be `it`.""",
    bad="""
    kind Coin:
        worn: yes | no = no
    Coin penny, groat
    state dark: yes | no = no
    value usable = Coin where dark  # <-
    """,
    good="""
    kind Coin:
        worn: yes | no = no
    Coin penny, groat
    value usable = Coin where not it.worn
    """,
    find=find,
)
