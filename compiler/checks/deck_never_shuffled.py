"""Decks that are drawn from in the order in which they were written down."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import IR
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, index, is_whole
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every deck with cards in it that something draws from and nothing shuffles."""
    if not is_whole(context):
        return
    calls = [node for node, _ in index(context).of("core_call")]
    shuffled = [call["args"].get("first", {}) for call in calls if call["verb"] == "shuffle"]
    if any(pile.get("op") != "pile" for pile in shuffled):
        return  # a deck by another name: it may be any of them
    known = {pile["id"] for pile in shuffled}
    drawn = {_source(call) for call in calls if call["verb"] == "draw"}
    for pile in context.content["piles"]:
        if pile["form"] != "deck" or pile["id"] not in drawn or pile["id"] in known or not _ordered(pile):
            continue
        if at_in_main(context, pile["at"]):
            yield CHECK.finding(
                context.span(pile["at"]),
                f"`{pile['id']}` is drawn from and never shuffled: its cards come in the order of the text",
                f"write `shuffle {pile['id']}` where the game is set up, or fill it with `shuffled(...)`",
            )


def _source(call: IR) -> str:
    source = call["args"].get("from", {})
    return str(source.get("id", "")) if source.get("op") == "pile" else ""


def _ordered(pile: IR) -> bool:
    """Whether cards lie in it from the start, as they were written down."""
    content = pile.get("content", {}).get("value")
    return content is not None and content.get("fn") != "shuffled"


CHECK = Check(
    code="F441",
    name="deck-never-shuffled",
    severity="warning",
    why="""A deck holds its cards in the order in which they stand in the text, until it is shuffled.
    One that is drawn from and never shuffled deals the same cards in the same order in every game, and a
    playtest of a thousand games is then a thousand times the same. A bag needs no shuffling: what is
    drawn from it comes by chance.""",
    bad="""
    kind Omen is Card
    Omen raven, owl, fox
    deck omens of Omen = all Omen  # <-
    pile seen of Omen
    action game: draw 1 from omens into seen
    """,
    good="""
    kind Omen is Card
    Omen raven, owl, fox
    deck omens of Omen = all Omen
    pile seen of Omen
    action game:
        shuffle omens
        draw 1 from omens into seen
    """,
    find=find,
)
