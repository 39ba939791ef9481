"""Requirements that can never be met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import Fact, contradict, facts_of, folding
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]


def find(context: Context) -> Iterator[Diagnostic]:
    """Every `requires` that no state of the game meets, alone or together with those above it."""
    fold = folding(context)
    settled = {id(node) for node, _ in index(context).of("requires") if fold.settled(node["if"]) is False}
    for node, _ in index(context).of("requires"):
        if id(node) in settled:
            yield CHECK.finding(
                context.span(node["at"]),
                "this requirement can never be met, so the action never runs",
                "mend what it compares, or take the action away",
            )
    for body, _ in index(context).blocks:
        if body[0].get("op") == "requires" and body[1].get("op") == "requires":
            yield from _together(context, [s for s in body if s.get("op") == "requires"], settled)


def _together(context: Context, head: list[IR], settled: set[int]) -> Iterator[Diagnostic]:
    known: list[Fact] = []
    for node in head:
        if id(node) in settled:
            continue
        facts = [*known, *facts_of(node["if"])]
        if contradict(facts, context.work):
            yield CHECK.finding(
                context.span(node["at"]),
                "this requirement contradicts another one of the same action",
                "mend one of them, or take the action away",
            )
        else:
            known = facts


CHECK = Check(
    code="F435",
    name="impossible-requirement",
    severity="warning",
    why="""`requires` says when an action is possible. One that no state of the game can meet makes it
    impossible for good: it is missing from every menu, and a call of it does nothing.""",
    bad="""
    track hope 0..9 start 4
    action game: pray
    action pray:
        requires hope < 3
        requires hope > 6, "Only the hopeful pray."  # <-
        hope + 1
    """,
    good="""
    track hope 0..9 start 4
    action game: pray
    action pray:
        requires hope < 6
        requires hope > 3, "Only the hopeful pray."
        hope + 1
    """,
    find=find,
    local=True,
)
