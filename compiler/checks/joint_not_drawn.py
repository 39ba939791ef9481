"""A field that names a joint or mark which the plan does not show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._content_walks import is_own
from talewright.compiler.checks._drawn_pieces import pieces
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Marks in the fields of a piece, its kind's defaults left out, that are not on its plan."""
    for thing, drawing in pieces(context):
        if not is_own(context, thing["at"]):
            continue
        for name, value in thing["fields"].items():
            for mark in sorted(set(_marks(value))):
                if mark not in drawing.joints and mark not in drawing.marks:
                    drawn = ", ".join(f"`{m}`" for m in sorted({*drawing.joints, *drawing.marks}))
                    yield CHECK.finding(
                        context.span(thing["at"]),
                        f"`{name}` of `{thing['id']}` names `{mark}`, which its plan does not show",
                        f"the plan shows {drawn}" if drawn else "draw it as a letter on the plan",
                    )


def _marks(value: Any) -> Iterator[str]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") == "mark":
                yield item["v"]
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


CHECK = Check(
    code="C512",
    name="joint-not-drawn",
    severity="warning",
    why="""The letters on a plan are the names of its joints and marked squares. A field that names
    another letter points at nothing, and whatever asks for that joint gets `none`.""",
    bad='''
    kind Tile is Piece:
        entrance: mark
    Tile gallery "Gallery":  # <-
        entrance: C
        plan: """
            #AA#
            #..#
            #BB#
            """
    ''',
    good='''
    kind Tile is Piece:
        entrance: mark
    Tile gallery "Gallery":
        entrance: A
        plan: """
            #AA#
            #..#
            #BB#
            """
    ''',
    find=find,
)
