"""Actions that nobody calls."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._reachable_actions import CALLED_BY_CORE
from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, in_main, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every action that nothing but itself calls, and that the core does not call either."""
    for verb, actions in context.work.table.verbs.items():
        if verb in CALLED_BY_CORE:
            continue
        for symbol in actions:
            if symbol.id in context.content["start_after"]:
                continue
            if in_main(context, symbol.origin) and not is_used(context, "action", symbol.id, "action"):
                yield report(
                    CHECK,
                    context,
                    symbol,
                    f"nothing calls the action `{verb}`",
                    "call it, offer it, or take it away",
                )


CHECK = Check(
    code="F423",
    name="unused-action",
    severity="warning",
    why="""An action runs when something calls it: another action, a rule, a card, an offer in a menu. The
    core calls `game` and `play` by itself. An action that nothing calls never runs, and rules that wait
    for it never apply."""
    + WHY_SYSTEMS,
    bad="""
    track hope 0..9 start 4
    action game: rest
    action rest: hope + 1
    action despair: hope - 1  # <-
    """,
    good="""
    track hope 0..9 start 4
    action game:
        rest
        if hope > 5: despair
    action rest: hope + 1
    action despair: hope - 1
    """,
    find=find,
)
