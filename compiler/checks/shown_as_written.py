"""Braces in a title, or in the prose of a thing, that nothing works out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.compiler.checks._content_walks import IR, is_own
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic

_HOLE = re.compile(r"\{[^{}\n]+\}")


def find(context: Context) -> Iterator[Diagnostic]:
    """Things, kinds and traits whose title or prose would show a value."""
    for part in ("things", "kinds", "traits"):
        for item in context.content[part]:
            at = item.get("at")
            if at is None or not is_own(context, at):
                continue
            title = _HOLE.search(str(item.get("title", "")))
            if title is not None:
                yield CHECK.finding(
                    context.span(at),
                    f"the title of `{item['id']}` is shown as it is written, with `{title.group()}` in it",
                    "leave it out, or declare a field `title: text` and set it in an action",
                )
            if _shows(item):
                yield CHECK.finding(
                    context.span(at),
                    f"the prose of `{item['id']}` describes it in every game alike: no value is shown in it",
                    'leave out what stands in braces, or say it where it happens: `say "..."`',
                )


def _shows(item: IR) -> bool:
    """Whether the prose of something holds an expression."""
    prose = item.get("text")
    if isinstance(prose, dict):
        return any(not isinstance(part, str) for part in prose["parts"])
    return prose is not None and _HOLE.search(prose) is not None


CHECK = Check(
    code="X616",
    name="shown-as-written",
    severity="warning",
    why="""A title, and the prose that describes a thing, a kind, a chapter or an ending, are printed on it: they are
    the same in every game, and no value is worked out in them. What changes is said where it happens, or kept
    in a field of the type `text`.""",
    bad="""
    track water 0..9 start 4
    Chapter flood "The Flood":  # <-
        \"\"\"The water stands at {water}.\"\"\"
        goal: "Stay dry."
    action game:
        go to flood
    """,
    good="""
    track water 0..9 start 4
    Chapter flood "The Flood":
        \"\"\"The water rises.\"\"\"
        goal: "Stay dry."
    action game:
        say "The water stands at {water}."
        go to flood
    """,
    find=find,
)
