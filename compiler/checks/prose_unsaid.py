"""Chapters with a story that nobody ever hears."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, index, is_whole
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every chapter with prose in a game that never reads the prose of anything."""
    if not is_whole(context):
        return
    if index(context).used("prose", ""):
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


CHECK = Check(
    code="F444",
    name="prose-unsaid",
    severity="warning",
    why="""The prose below the name of a chapter is there to be read aloud, and a game reads it aloud by
    `say chapter.prose`, where its system plays a chapter. In this game no line does, so the story is
    written and never shown.""",
    bad='''
    Chapter ford "The Ford":  # <-
        """The river is high, and the ferry is on the other side."""
    Ending home "Home"
    action game: go to home
    ''',
    good='''
    Chapter ford "The Ford":
        """The river is high, and the ferry is on the other side."""
    Ending home "Home"
    action game:
        say chapter.prose
        go to home
    ''',
    find=find,
)
