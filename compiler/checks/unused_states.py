"""States that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, declared, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.generated_names import scoped_id
from talewright.compiler.symbols.symbol_table import StateSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every state that is only written, or not even that."""
    for symbol in declared(context, StateSymbol):
        if not is_used(context, "state", scoped_id(symbol), "state"):
            yield report(
                CHECK,
                context,
                symbol,
                f"nothing reads the state `{symbol.name}`",
                "read it somewhere, or take it away",
            )


CHECK = Check(
    code="F426",
    name="unused-state",
    severity="warning",
    why="""A state remembers something for later. If nothing ever reads it, it need not be remembered;
    often the rule that should read it is still missing."""
    + WHY_SYSTEMS,
    bad="""
    state seen: yes | no = no  # <-
    action game: seen = yes
    """,
    good="""
    state seen: yes | no = no
    track dread 0..9 start 2
    action game:
        if not seen: dread + 1
        seen = yes
    """,
    find=find,
)
