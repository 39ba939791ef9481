"""Plans that may come to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._possible_lists import Plan, plans
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Plans whose last entry may be impossible; one finding where a whole set of cards is so."""
    by_kind: dict[str, list[Plan]] = {}
    for plan in plans(context):
        if not at_in_main(context, plan.node["at"]):
            continue
        if plan.unit.form == "thing":
            by_kind.setdefault(plan.unit.ir["kind"], []).append(plan)
        elif plan.sure is None:
            yield _finding(context, plan, "if none of these is possible, nothing happens")
    for kind, group in by_kind.items():
        bare = [plan for plan in group if plan.sure is None]
        if len(bare) > 1 and len(bare) == len(group):
            message = f"no `{kind}` has a last entry that is always possible: then nothing happens"
            yield _finding(context, bare[0], message)
        else:
            for plan in bare:
                yield _finding(context, plan, "if none of these is possible, nothing happens")


def _finding(context: Context, plan: Plan, message: str) -> Diagnostic:
    return CHECK.finding(
        context.span(plan.node["at"]),
        message,
        "end with something that can always be done, or with `nothing`",
    )


CHECK = Check(
    code="F419",
    name="plan-without-fallback",
    severity="info",
    why="""`first possible:` does nothing at all when none of its entries can be done, and the card or
    figure that follows the plan stands still. If that is meant, `nothing` as the last entry says so.""",
    bad="""
    track hope 0..9 start 4
    action rest:
        requires hope < 9
        hope + 1
    action game:
        first possible:  # <-
            rest
    """,
    good="""
    track hope 0..9 start 4
    action rest:
        requires hope < 9
        hope + 1
    action game:
        first possible:
            rest
            nothing
    """,
    find=find,
)
