"""Arrows behind one that is always taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import folding
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic, Label

IR = dict[str, Any]


def find(context: Context) -> Iterator[Diagnostic]:
    """Every arrow below `otherwise`, or below a condition that is always true."""
    fold = folding(context)
    for node, _ in index(context).of("edges"):
        always: IR | None = None
        for row in node["rows"]:
            if always is not None:
                word = "`otherwise`" if always.get("otherwise") else "an arrow that is always taken"
                yield CHECK.finding(
                    context.span(row["at"]),
                    f"this arrow is never taken: {word} stands above it",
                    "move the arrow that is always taken to the end",
                    [Label(context.span(always["at"]), "always taken")],
                )
            elif row.get("otherwise") or ("label" not in row and "if" in row and fold.settled(row["if"])):
                always = row


CHECK = Check(
    code="F408",
    name="arrow-never-taken",
    severity="warning",
    why="""The arrows of a chapter are tried from the top, and the first whose condition holds is taken.
    `otherwise` always holds: what stands below it is never reached.""",
    bad="""
    state wet: yes | no = no
    Chapter moor "The Moor":
        outcome:
            otherwise -> home
            wet -> lost  # <-
    Ending home "Home"
    Ending lost "Lost"
    """,
    good="""
    state wet: yes | no = no
    Chapter moor "The Moor":
        outcome:
            wet -> lost
            otherwise -> home
    Ending home "Home"
    Ending lost "Lost"
    """,
    find=find,
)
