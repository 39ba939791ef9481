"""Ways on that may leave the story with nowhere to go."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._constant_folding import folding
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every list of arrows in which each arrow has a condition."""
    fold = folding(context)
    for node, _ in index(context).of("edges"):
        rows = node["rows"]
        if not rows or any("if" not in row or fold.settled(row["if"]) for row in rows):
            continue
        yield CHECK.finding(
            context.span(rows[-1]["at"]),
            "if none of these conditions holds, the story has nowhere to go",
            "add `otherwise ->` as the last arrow",
        )


CHECK = Check(
    code="F407",
    name="otherwise-missing",
    severity="warning",
    why="""The arrows of a chapter are tried from the top when it ends. If every one has a condition, a
    game may come in which none holds, and then the chapter leads nowhere. `otherwise`, or an option
    without `when`, is always open.""",
    bad="""
    track hope 0..9 start 4
    Chapter moor "The Moor":
        outcome:
            hope >= 5 -> home
            hope <= 2 -> lost  # <-
    Ending home "Home"
    Ending lost "Lost"
    """,
    good="""
    track hope 0..9 start 4
    Chapter moor "The Moor":
        outcome:
            hope >= 5 -> home
            otherwise -> lost
    Ending home "Home"
    Ending lost "Lost"
    """,
    find=find,
)
