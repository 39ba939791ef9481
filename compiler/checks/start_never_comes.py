"""Tests that are to begin after an action that never comes to its end."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """`start after X` where every way through X leaves by `go to`."""
    awaited = context.content.get("start_after", ())
    for action in context.content["actions"]:
        verb = action["verb"]
        if action["id"] not in awaited or not at_in_main(context, action["at"]):
            continue
        leaving = next((node for node in action["body"] if node["op"] == "go_to"), None)
        if leaving is not None:
            yield CHECK.finding(
                context.span(leaving["at"]),
                f"`start after {verb}` waits for the end of `{verb}`, and this leaves it before",
                f"leave by `go to` in the action that calls `{verb}`, or start after another one",
            )


CHECK = Check(
    code="F445",
    name="start-never-comes",
    severity="warning",
    why="""`start after X` says where the tests of a system begin: when X, which sets the game up, is over.
    `go to` leaves all that is running for another page, so an action that ends in it is never over, and
    every test that starts a chapter runs into what comes after the set-up.""",
    bad="""
    Chapter ford "The Ford"
    state lamps: int = 0
    start after set_up
    action game: set_up
    action set_up:
        lamps = 3
        go to ford  # <-
    """,
    good="""
    Chapter ford "The Ford"
    state lamps: int = 0
    start after set_up
    action game:
        set_up
        go to ford
    action set_up:
        lamps = 3
    """,
    find=find,
)
