"""Chapters nobody can come to."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._story_pages import pages
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, is_whole
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every chapter that no way leads to from where the story begins."""
    if not is_whole(context):
        return
    story = pages(context)
    reached = story.reached_from(story.starts() | story.entries)
    props = _made_for_tests(context)
    for name, chapter in story.chapters.items():
        if name not in reached and name not in props and at_in_main(context, chapter["at"]):
            yield CHECK.finding(
                context.span(chapter["at"]),
                f"no way leads to the chapter `{name}`",
                f"let an arrow or a `go to` lead to `{name}`, or take it away",
            )


def _made_for_tests(context: Context) -> set[str]:
    """Chapters that stand beside a test that starts in them."""
    spots = context.work.spots
    files = {name: spots[chapter["at"]][0] for name, chapter in pages(context).chapters.items()}
    return {
        step["chapter"]
        for test in context.content.get("tests", ())
        for step in test["steps"]
        if step["step"] == "start" and files.get(step.get("chapter")) == spots[test["at"]][0]
    }


CHECK = Check(
    code="F405",
    name="unreachable-chapter",
    severity="warning",
    why="""A story begins at the chapter that `game` goes to, or else at the first one, and goes on along
    the arrows of chapters and cards and along `go to`. A chapter that none of these leads to is never
    read.""",
    bad="""
    Chapter landing "The Landing":
        outcome: otherwise -> bridge
    Chapter bridge "The Bridge":
        outcome: otherwise -> home
    Chapter attic "The Attic":  # <-
        outcome: otherwise -> home
    Ending home "Home"
    """,
    good="""
    state late: yes | no = no
    Chapter landing "The Landing":
        outcome:
            late -> attic
            otherwise -> bridge
    Chapter bridge "The Bridge":
        outcome: otherwise -> home
    Chapter attic "The Attic":
        outcome: otherwise -> home
    Ending home "Home"
    """,
    find=find,
)
