"""Statements behind something that always ends the block."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from talewright.compiler.checks._control_flow import always_ends, verb_of
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic, Label


def find(context: Context) -> Iterator[Diagnostic]:
    """The first statement of each block that nothing can reach."""
    for body, unit in index(context).blocks:
        verb = verb_of(unit)
        for statement, following in pairwise(body):
            if always_ends(statement, verb):
                if "at" in following and "at" in statement:
                    yield CHECK.finding(
                        context.span(following["at"]),
                        "this is never done: what stands above it always ends the block",
                        "move it up, or take it away",
                        [Label(context.span(statement["at"]), "nothing gets past this")],
                    )
                break


CHECK = Check(
    code="F417",
    name="never-done",
    severity="warning",
    why="""`go to` leaves the chapter, `give` ends an action with its result, `stop` leaves the loop, and
    a `repeat` without an end never goes on. What stands behind them in the same block is never done.""",
    bad="""
    track hope 0..9 start 4
    Ending home "Home"
    action game:
        go to home
        hope + 1  # <-
    """,
    good="""
    track hope 0..9 start 4
    Ending home "Home"
    action game:
        hope + 1
        go to home
    """,
    find=find,
    local=True,
)
