"""Tables that nobody looks anything up in."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, in_main, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import TableSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every table that nothing asks."""
    for group in context.work.table.functions.values():
        for symbol in group:
            if not isinstance(symbol, TableSymbol) or not in_main(context, symbol.origin):
                continue
            if not is_used(context, "table", symbol.name, "table"):
                message = f"nothing looks anything up in the table `{symbol.name}`"
                yield report(
                    CHECK, context, symbol, message, f"ask it: `{symbol.name}(...)`, or take it away"
                )


CHECK = Check(
    code="F432",
    name="unused-table",
    severity="warning",
    why="""A table answers when it is asked with a number, a word or a thing: `reward(n)`. One that
    is never looked up has no effect."""
    + WHY_SYSTEMS,
    bad="""
    track hope 0..9 start 4
    table reward: ..4 -> 1; 5.. -> 2  # <-
    action game: hope + 1
    """,
    good="""
    track hope 0..9 start 4
    table reward: ..4 -> 1; 5.. -> 2
    action game: hope + reward(hope)
    """,
    find=find,
)
