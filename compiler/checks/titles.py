"""Titles that are missing, or that two things of one kind share."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import is_own, own_things
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic, Label

_TITLED = {"Chapter": "chapter", "Ending": "ending", "Card": "card"}


def find_missing(context: Context) -> Iterator[Diagnostic]:
    """Cards, chapters and endings that people would read the id of."""
    forms: dict[str, str] = {}
    for thing in own_things(context):
        kind = thing["kind"]
        if kind not in forms:
            lineage = context.work.lineage(kind)
            forms[kind] = next((word for name, word in _TITLED.items() if name in lineage), "")
        faces = thing.get("faces", ())
        if forms[kind] and not thing.get("title", "").strip() and not any("title" in face for face in faces):
            yield MISSING.finding(
                context.span(thing["at"]),
                f"the {forms[kind]} `{thing['id']}` has no title",
                f'write it behind the id: `{kind} {thing["id"]} "..."`',
            )


def find_shared(context: Context) -> Iterator[Diagnostic]:
    """Things of one kind that look alike in every menu."""
    first: dict[tuple[str, str], dict[str, object]] = {}
    for thing in context.content["things"]:
        title = thing.get("title", "").strip()
        if not title or "at" not in thing:
            continue
        other = first.setdefault((thing["kind"], title), thing)
        symbol, known = context.work.thing(thing["id"]), context.work.thing(str(other["id"]))
        if other is thing or symbol is None or known is None or symbol.node is known.node:
            continue
        if symbol.inside != known.inside and symbol.inside is not None:
            continue  # parts of different things are told apart by their owners
        if is_own(context, thing["at"]):
            yield SHARED.finding(
                context.span(thing["at"]),
                f"`{thing['id']}` has the same title as `{known.name}`: “{title}”",
                "give it a title of its own, or make both copies of one thing with `* n`",
                [Label(context.work.label(known, "").span, "the other one")],
            )


MISSING = Check(
    code="X603",
    name="title-missing",
    severity="warning",
    why="""Titles are what players read in menus, on cards, in the story graph and in the printed
    book. A card, a chapter or an ending without one shows its id instead.""",
    bad="""
    kind Omen is Card
    Omen crow "The Crow"
    Omen raven  # <-
    """,
    good="""
    kind Omen is Card
    Omen crow "The Crow"
    Omen raven "The Raven"
    """,
    find=find_missing,
)

SHARED = Check(
    code="X602",
    name="title-shared",
    severity="warning",
    why="""Two different things of one kind with one title cannot be told apart in a menu or a log.
    Copies of one thing may, and do, share theirs.""",
    bad="""
    kind Omen is Card
    Omen crow "The Crow"
    Omen raven "The Crow"  # <-
    """,
    good="""
    kind Omen is Card
    Omen crow "The Crow" * 2
    Omen raven "The Raven"
    """,
    find=find_shared,
)

CHECKS = (SHARED, MISSING)
