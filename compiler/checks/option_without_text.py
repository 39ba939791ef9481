"""An option that does not say what it is."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import own_files
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import OptionSymbol
from talewright.compiler.types.lookups import name_span
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Options without a text behind their default."""
    own = own_files(context)
    for symbol in context.work.table.names.values():
        if isinstance(symbol, OptionSymbol) and symbol.origin.source.name in own and symbol.decl.text is None:
            yield CHECK.finding(
                symbol.origin.source.span(*name_span(symbol)),
                f"the option `{symbol.name}` does not say what it is for",
                f'write it at the end of the line: `= {_default(symbol)} "What players choose here"`',
            )


def _default(symbol: OptionSymbol) -> str:
    """The default as it is written."""
    default = symbol.decl.default
    return symbol.origin.source.text[default.start : default.end]


CHECK = Check(
    code="X611",
    name="option-without-text",
    severity="info",
    why="""Options are set by people who are about to play. A short text behind the default tells
    them what they choose; without it they see only the name.""",
    bad="""
    option hard: yes | no = no  # <-
    value lives = 1 if hard otherwise 3
    """,
    good="""
    option hard: yes | no = no "One life instead of three"
    value lives = 1 if hard otherwise 3
    """,
    find=find,
)
