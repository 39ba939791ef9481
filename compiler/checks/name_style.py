"""Names that do not look like the names around them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.compiler.checks._content_walks import own_files
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import (
    KindSymbol,
    SeatSymbol,
    Symbol,
    ThingSymbol,
    TraitSymbol,
    TypeSymbol,
)
from talewright.compiler.types.lookups import name_span
from talewright.dsl.diagnostics import Diagnostic

_UNEVEN = re.compile(r"__|_$")


def find(context: Context) -> Iterator[Diagnostic]:
    """Kinds with underscores, names with two in a row or one at the end, chapters of one letter."""
    own = own_files(context)
    table = context.work.table
    groups = (table.functions, table.verbs)
    symbols: list[Symbol] = [*table.kinds.values(), *table.names.values(), *table.scoped.values()]
    symbols += [symbol for group in groups for members in group.values() for symbol in members]
    symbols += [*table.menus.values(), *table.periods.values()]
    for symbol in symbols:
        if symbol.origin.source.name not in own or isinstance(symbol, SeatSymbol):
            continue
        if isinstance(symbol, ThingSymbol) and (symbol.sort is not None or symbol.decl is None):
            continue
        problem = _problem(context, symbol)
        if problem is not None:
            message, help = problem
            yield CHECK.finding(symbol.origin.source.span(*name_span(symbol)), message, help)


def _problem(context: Context, symbol: Symbol) -> tuple[str, str] | None:
    name = symbol.name
    if isinstance(symbol, (KindSymbol, TraitSymbol, TypeSymbol)):
        if "_" in name:
            better = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
            return f"the name of a {symbol.form} joins its words by capitals", f"write `{better}`"
        if len(name) > 3 and name.isupper():
            return f"the name of a {symbol.form} is no shout", f"write `{name.capitalize()}`"
        return None
    if _UNEVEN.search(name):
        better = re.sub(r"_+", "_", name).rstrip("_")
        return "one underscore between words, and none at the end, is enough", f"write `{better}`"
    if len(name) == 1 and isinstance(symbol, ThingSymbol) and context.work.is_a(symbol.kind, "Chapter"):
        return "one letter does not tell a reader which chapter this is", "name it after what happens in it"
    return None


CHECK = Check(
    code="L703",
    name="naming",
    severity="info",
    why="""Names are read more often than written. Kinds, traits and types begin with a capital and
    join their words by capitals (`OldCoin`); all else is lower case with one underscore between words
    (`rusty_key`). A chapter's name tells what it is about.""",
    bad="""
    kind Old_Coin  # <-
    Old_Coin penny "Penny"
    """,
    good="""
    kind OldCoin
    OldCoin penny "Penny"
    """,
    find=find,
    local=True,
)
