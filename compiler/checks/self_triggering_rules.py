"""Rules whose own effect sets them off again."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._call_cycles import rings, show
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every ring of certain calls in which a rule takes part."""
    for ring in rings(context):
        step = next((step for step in ring if step.rule), None)
        if step is None:
            continue
        by = (
            ""
            if len(ring) == 1
            else " by way of " + ", ".join(f"`{show(s.end)}`" for s in ring if s is not ring[-1])
        )
        yield CHECK.finding(
            context.span(step.call["at"]),
            f"this sets off the rule it stands in, for ever: `{show(step.start)}` runs again{by}",
            "give the rule a `when` that is false the second time, or write `as usual` in an `instead of`",
        )


CHECK = Check(
    code="F413",
    name="rule-triggers-itself",
    severity="warning",
    why="""A call made inside a rule is a new call, and every rule that matches it applies, also the one
    it stands in. Without a `when` or a choice that breaks the ring the game hangs until the interpreter
    stops it.""",
    bad="""
    track dread 0..20 start 0
    action game: scare
    action scare:
        dread + 1
    after scare:
        scare  # <-
    """,
    good="""
    track dread 0..20 start 0
    action game: scare
    action scare:
        dread + 1
    after scare when dread < 3:
        scare
    """,
    find=find,
)
