"""Two rules that always replace the same thing, and rules that may."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._call_cycles import show
from talewright.compiler.checks._rule_conflicts import Pair, rivals
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic, Label


def find_certain(context: Context) -> Iterator[Diagnostic]:
    """Two rules of one layer that both apply at all times."""
    for pair in rivals(context):
        if pair.certain:
            yield CERTAIN.finding(
                context.span(pair.second.rule.ir["at"]),
                f"two rules of one layer {_doing(pair)}, and both always apply",
                "take one of them away, or give each a `when` that excludes the other",
                [Label(context.span(pair.first.rule.ir["at"]), "the other one")],
            )


def find_possible(context: Context) -> Iterator[Diagnostic]:
    """Two rules of one layer whose conditions can hold at the same time."""
    for pair in rivals(context):
        if pair.certain:
            continue
        label = [Label(context.span(pair.first.rule.ir["at"]), "the other one")]
        if pair.what == "action":
            verb = show(pair.name)
            yield POSSIBLE.finding(
                context.span(pair.second.rule.ir["at"]),
                f"two rules of one layer {_doing(pair)}, and both may apply at once",
                f"let their conditions exclude each other, or somebody decide: `order of {verb} by ...`",
                label,
            )
        else:
            yield POSSIBLE.finding(
                context.span(pair.second.rule.ir["at"]),
                f"this always overrules another rule of its layer: both {_doing(pair)}, and the last wins",
                "put the general case first and the special one below it",
                label,
            )


def _doing(pair: Pair) -> str:
    if pair.what == "action":
        return f"replace `{show(pair.name)}`"
    if pair.what == "value":
        return f"set `{pair.name.partition('#')[0]}`"
    return f"set `{pair.name.partition('.')[2]}`"


CERTAIN = Check(
    code="F411",
    name="rival-rules",
    severity="error",
    why="""Of several `instead of` rules that match, the one of the highest layer wins: card over chapter,
    chapter over adventure, adventure over system. Inside one layer nothing tells two of them apart, and
    the same goes for two `modify` with `=`. If both apply at all times, one of them can never have been
    meant.""",
    bad="""
    track hope 0..9 start 4
    action game: rest
    action rest: hope + 1
    instead of rest: hope + 2
    instead of rest: hope - 1  # <-
    """,
    good="""
    track hope 0..9 start 4
    action game: rest
    action rest: hope + 1
    instead of rest when hope > 5: hope - 1
    instead of rest when hope <= 5: hope + 2
    """,
    find=find_certain,
)
POSSIBLE = Check(
    code="F412",
    name="rules-may-clash",
    severity="warning",
    why="""Two `instead of` rules of one layer whose conditions can hold at the same time: in play the one
    that came into force last wins, unless `order of ACTION by ROLE` lets somebody decide. For `modify`
    with `=` the last one counts, so a special case stands below the general one; above it, it has no
    effect.

    Rules on different cards are not compared: which of them are in force together only the game can tell.""",
    bad="""
    track hope 0..9 start 4
    state dark: yes | no = no
    action game: rest
    action rest: hope + 1
    instead of rest when dark: hope - 1
    instead of rest when hope > 5: hope + 2  # <-
    """,
    good="""
    track hope 0..9 start 4
    state dark: yes | no = no
    action game: rest
    action rest: hope + 1
    instead of rest when dark: hope - 1
    instead of rest when hope > 5 and not dark: hope + 2
    """,
    find=find_possible,
)
CHECKS = (CERTAIN, POSSIBLE)
