"""Chapters with a story that nobody ever hears."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, index, is_whole, nodes_in
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every chapter with prose in a game that plays chapters in its own way and never reads the prose of anything."""
    if not is_whole(context):
        return
    if index(context).used("prose", "") or not _taken_over(context):
        return
    for thing in context.content["things"]:
        if (
            "text" in thing
            and context.work.is_a(thing["kind"], "Chapter")
            and at_in_main(context, thing["at"])
        ):
            yield CHECK.finding(
                context.span(thing["at"]),
                f"nothing says the prose of `{thing['id']}`",
                "write `say chapter.prose` where a chapter begins",
            )


def _taken_over(context: Context) -> bool:
    """Whether the package plays chapters itself. Otherwise, and by `as usual`, prose is said when its page is turned to."""
    replaced = any(
        rule["action"] == "core:play"
        and not any(node.get("op") == "as_usual" for node in nodes_in(rule["body"]))
        for rule in index(context).rules_of("instead_of")
    )
    return replaced or any(action["id"] == "play/" for action in context.content["actions"])


CHECK = Check(
    code="F444",
    name="prose-unsaid",
    severity="warning",
    why="""The prose below the name of a chapter is said when its page is turned to, unless the system plays
    chapters in its own way, by `instead of play`. Such a system has to say the prose, by
    `say chapter.prose`. In this game no line does, so the story is written and never shown.""",
    bad='''
    Chapter ford "The Ford":  # <-
        """The river is high, and the ferry is on the other side."""
    Ending home "Home"
    instead of play Chapter c: go to home
    ''',
    good='''
    Chapter ford "The Ford":
        """The river is high, and the ferry is on the other side."""
    Ending home "Home"
    instead of play Chapter c:
        say c.prose
        go to home
    ''',
    find=find,
)
