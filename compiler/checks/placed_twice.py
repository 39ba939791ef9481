"""One figure in two places of one cast."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import own_things
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic, Label


def find(context: Context) -> Iterator[Diagnostic]:
    """Single things and single copies that a cast names a second time."""
    for thing in own_things(context):
        first: dict[str, int] = {}
        for line in thing.get("cast", ()):
            for group in line["groups"]:
                name = group.get("thing", "")
                symbol = context.work.thing(name)
                if symbol is None or symbol.copies != 1 or symbol.per is not None or group["count"] != 1:
                    continue
                if name not in first:
                    first[name] = group["at"]
                    continue
                yield CHECK.finding(
                    context.span(group["at"]),
                    f"`{name}` is already placed in this cast, and there is only one",
                    "take one of the lines away, or declare copies with `* n`",
                    [Label(context.span(first[name]), "placed here")],
                )


CHECK = Check(
    code="C504",
    name="placed-twice",
    severity="warning",
    why="""A thing stands in one place. When a cast names a single figure twice, the second line
    moves it away from the first, and the first place stays empty.""",
    bad="""
    Figure ferryman "The Ferryman"
    plan river: bank ford
    Chapter dusk "Dusk":
        cast:
            ferryman at bank
            ferryman at ford  # <-
    """,
    good="""
    Figure ferryman "The Ferryman"
    plan river: bank ford
    Chapter dusk "Dusk":
        cast:
            ferryman at ford
    """,
    find=find,
)
