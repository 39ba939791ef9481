"""Tokens that nobody puts, takes or counts."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, declared, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import TokenSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every token that nothing moves or counts."""
    for symbol in declared(context, TokenSymbol):
        if not is_used(context, "token", symbol.name):
            yield report(
                CHECK,
                context,
                symbol,
                f"nothing puts, takes or counts the token `{symbol.name}`",
                "use it, or take it out of the box",
            )


CHECK = Check(
    code="F431",
    name="unused-token",
    severity="warning",
    why="""A token lies in the box for somebody to put on something, to take from it, or to count. One
    that no rule and no cast mentions is printed for nothing."""
    + WHY_SYSTEMS,
    bad="""
    token coin * 12
    token shell * 6  # <-
    kind Chest:
        holds coin
    Chest chest
    action game: put 1 coin on chest
    """,
    good="""
    token coin * 12
    kind Chest:
        holds coin
    Chest chest
    action game: put 1 coin on chest
    """,
    find=find,
)
