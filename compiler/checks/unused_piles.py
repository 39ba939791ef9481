"""Piles, decks, bags and slots that nobody touches."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, declared, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import ContainerSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every container that no code mentions."""
    for symbol in declared(context, ContainerSymbol):
        if (
            not is_used(context, "pile", symbol.name, "pile")
            and not is_used(context, "silent", symbol.name, "pile")
            and not _lends(context, symbol)
        ):
            yield report(
                CHECK,
                context,
                symbol,
                f"nothing uses the {symbol.decl.form} `{symbol.name}`",
                "draw from it, move something there, or take it away",
            )


def _lends(context: Context, symbol: ContainerSymbol) -> bool:
    """Whether another pile is reshuffled from it."""
    return any(
        isinstance(ref := pile.get("reshuffles"), dict) and ref.get("id") == symbol.name
        for pile in context.content.get("piles", ())
    )


CHECK = Check(
    code="F433",
    name="unused-pile",
    severity="warning",
    why="""A container is there to be drawn from, filled or looked at. One that no code mentions keeps its
    content out of the game."""
    + WHY_SYSTEMS,
    bad="""
    kind Clue is Card
    Clue page, boot
    deck clues of Clue = all Clue
    deck attic of Clue  # <-
    pile shelf of Clue
    action game: draw 1 from clues into shelf
    """,
    good="""
    kind Clue is Card
    Clue page, boot
    deck clues of Clue = all Clue
    pile shelf of Clue
    action game: draw 1 from clues into shelf
    """,
    find=find,
)
