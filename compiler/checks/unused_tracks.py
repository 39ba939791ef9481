"""Tracks that nobody reads and that lead to nothing."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, declared, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index
from talewright.compiler.symbols.generated_names import scoped_id
from talewright.compiler.symbols.symbol_table import TrackSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every track that is not read and has no hook that something could reach."""
    for symbol in declared(context, TrackSymbol):
        if not is_used(context, "track", scoped_id(symbol), "track") and not (
            symbol.decl.hooks and _moves(context, symbol)
        ):
            yield report(
                CHECK,
                context,
                symbol,
                f"nothing reads the track `{symbol.name}`, and nothing waits on it",
                "read it, give it hooks that can be reached, or take it away",
            )


def _moves(context: Context, symbol: TrackSymbol) -> bool:
    return ("track", scoped_id(symbol)) in index(context).writers


CHECK = Check(
    code="F427",
    name="unused-track",
    severity="warning",
    why="""A track matters when something reads it or waits on one of its spaces. This one only moves, or
    does not even move."""
    + WHY_SYSTEMS,
    bad="""
    track dread 0..9 start 2  # <-
    action game: dread + 1
    """,
    good="""
    track dread 0..9 start 2:
        at 9: go to lost
    Ending lost "Lost"
    action game: dread + 1
    """,
    find=find,
)
