"""Conditions that are always or never true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import folding
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]


def find(context: Context) -> Iterator[Diagnostic]:
    """Every `if`, `when`, `while` and `ends when` whose answer is known before play."""
    fold = folding(context)
    for condition, at, word in _conditions(context):
        answer = fold.settled(condition)
        if answer is not None:
            yield CHECK.finding(
                context.span(at),
                f"the condition of this `{word}` is {'always' if answer else 'never'} true",
                "leave the condition out, or mend what it compares" if answer else "mend what it compares",
            )


def _conditions(context: Context) -> Iterator[tuple[IR, int, str]]:
    seen = index(context)
    for node, _ in seen.of("if"):
        for test, _ in node["branches"]:
            yield test, node["at"], "if"
    for node, _ in seen.of("repeat"):
        if "while" in node:
            yield node["while"], node["at"], "while"
    for node, _ in seen.of("choose_one"):
        for option in node["options"]:
            if "when" in option:
                yield option["when"], option["at"], "when"
    for rule in seen.rules:
        if "when" in rule.ir:
            yield rule.ir["when"], rule.ir["at"], "when"
        if rule.ir["rule"] == "state":
            yield rule.ir["if"], rule.ir["at"], "when"
    for node, _ in seen.of("edges"):
        for row in node["rows"]:
            if "if" in row:
                yield row["if"], row["at"], "when" if "label" in row else "arrow"
    for thing in context.content.get("things", ()):
        for ends in thing.get("ends", ()):
            yield ends["if"], ends["at"], "ends when"
    for period in context.content.get("periods", ()):
        yield period["while_true"], period["at"], "while"
    for offer in context.content.get("anytime", ()):
        if "when" in offer:
            yield offer["when"], offer["at"], "when"


CHECK = Check(
    code="F415",
    name="constant-condition",
    severity="warning",
    why="""A condition that cannot change decides nothing: a track that ends at 9 is never above 9, and
    nothing is two things at once. Most often a number is misprinted, or `and` was meant to be `or`.
    Options are left out: they are there to be set.""",
    bad="""
    track hope 0..9 start 4
    action game:
        if hope > 9: hope - 1  # <-
    """,
    good="""
    track hope 0..9 start 4
    action game:
        if hope == 9: hope - 1
    """,
    find=find,
    local=True,
)
