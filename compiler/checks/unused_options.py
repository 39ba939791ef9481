"""Options that change nothing."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, declared, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import OptionSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every option that nothing asks about."""
    for symbol in declared(context, OptionSymbol):
        if not is_used(context, "option", symbol.name, "option"):
            yield report(
                CHECK,
                context,
                symbol,
                f"nothing asks for the option `{symbol.name}`",
                "use it in a `while`, an `if` or a `when`, or take it away",
            )


CHECK = Check(
    code="F424",
    name="unused-option",
    severity="warning",
    why="""An option is set before the game and changes its rules. If no rule asks for it, setting it does
    nothing, and whoever sets it is misled."""
    + WHY_SYSTEMS,
    bad="""
    option grim: yes | no = no "More dread"  # <-
    track dread 0..9 start 2
    action game: dread + 1
    """,
    good="""
    option grim: yes | no = no "More dread"
    track dread 0..9 start 2
    action game: dread + (2 if grim otherwise 1)
    """,
    find=find,
)
