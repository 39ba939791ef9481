"""Actions that call each other without a choice or a bound."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._call_cycles import rings, show
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every ring of certain calls that actions make by themselves."""
    for ring in rings(context):
        if any(step.rule for step in ring):
            continue
        names = [show(step.start) for step in ring]
        chain = " calls ".join(f"`{name}`" for name in (*names, names[0]))
        yield CHECK.finding(
            context.span(ring[-1].call["at"]),
            f"this never ends: {chain}",
            "put an `if`, a `requires` or a choice before the call, or write `repeat`",
        )


CHECK = Check(
    code="F414",
    name="endless-calls",
    severity="warning",
    why="""An action that calls itself, directly or by way of others, comes to an end only if something
    can break the ring: a condition, a requirement, a choice, a track whose end leads to another chapter.
    Without any of these the calls pile up until the interpreter gives up. Use `repeat` for what goes on
    and on.""",
    bad="""
    state turns: int = 0
    action game: round
    action round:
        turns + 1
        pause
    action pause:
        round  # <-
    """,
    good="""
    state turns: int = 0
    action game: round
    action round:
        turns + 1
        pause
    action pause:
        if turns < 9: round
    """,
    find=find,
)
