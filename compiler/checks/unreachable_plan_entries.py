"""Entries of a plan behind one that is always possible."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._possible_lists import plans
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic, Label


def find(context: Context) -> Iterator[Diagnostic]:
    """The first entry of each plan that can never be chosen."""
    for plan in plans(context):
        members = plan.node["members"]
        if plan.sure is None or plan.sure + 1 >= len(members):
            continue
        entry, above = members[plan.sure + 1], members[plan.sure]
        labels = [Label(context.span(above["at"]), "always possible")] if "at" in above else []
        yield CHECK.finding(
            context.span(entry.get("at", plan.node["at"])),
            "this entry is never chosen: the one above it is always possible",
            "move the entry that is always possible to the end",
            labels,
        )


CHECK = Check(
    code="F418",
    name="unreachable-entry",
    severity="warning",
    why="""`first possible:` tries its entries from the top and does the first that can be done. An action
    without `requires`, an assignment or a `say` can always be done, so nothing below it is ever tried.""",
    bad="""
    state steps: int = 0
    track hope 0..9 start 4
    action wander: steps + 1
    action rest:
        requires hope < 9
        hope + 1
    action game:
        first possible:
            wander
            rest  # <-
    """,
    good="""
    state steps: int = 0
    track hope 0..9 start 4
    action wander: steps + 1
    action rest:
        requires hope < 9
        hope + 1
    action game:
        first possible:
            rest
            wander
    """,
    find=find,
)
