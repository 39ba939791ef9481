"""Chapters from which no ending can be reached."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._story_pages import Pages, pages
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, is_whole
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every chapter whose own ways come to no ending, in a story where others do."""
    if not is_whole(context):
        return
    story = pages(context)
    closing = _leading_to_an_end(story)
    # Where no chapter names an ending itself, the rules of the system bring it about.
    by_rules = bool(story.entries & story.endings.keys()) and not any(
        name in closing for name in story.chapters
    )
    if by_rules or (not story.endings and not _any_way(story)):
        return
    for name, chapter in story.chapters.items():
        if name not in closing and at_in_main(context, chapter["at"]):
            yield CHECK.finding(
                context.span(chapter["at"]),
                f"the chapter `{name}` leads to no ending",
                "give it an `outcome:` or a `choice:` whose arrows come to an Ending in the end",
            )


def _any_way(story: Pages) -> bool:
    return any(story.ways.values())


def _leading_to_an_end(story: Pages) -> set[str]:
    back: dict[str, set[str]] = {}
    for start, ends in story.ways.items():
        for end in ends:
            back.setdefault(end, set()).add(start)
    seen = set(story.endings)
    stack = list(story.endings)
    while stack:
        for start in back.get(stack.pop(), ()):
            if start not in seen:
                seen.add(start)
                stack.append(start)
    return seen


CHECK = Check(
    code="F406",
    name="chapter-without-end",
    severity="warning",
    why="""A game is over when an Ending is reached. A chapter whose arrows, followed for as long as one
    likes, come to none keeps the players at the table for ever.""",
    bad="""
    state found: yes | no = no
    Chapter moor "The Moor":
        outcome:
            found -> home
            otherwise -> mist
    Chapter mist "The Mist"  # <-
    Ending home "Home"
    """,
    good="""
    state found: yes | no = no
    Chapter moor "The Moor":
        outcome:
            found -> home
            otherwise -> mist
    Chapter mist "The Mist":
        outcome: otherwise -> home
    Ending home "Home"
    """,
    find=find,
)
