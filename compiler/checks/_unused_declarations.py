"""What the checks of unused declarations share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import Index, index, is_main, is_whole, weight
from talewright.compiler.symbols.symbol_table import Origin, Symbol
from talewright.compiler.types.lookups import name_span
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Span

Kind = TypeVar("Kind", bound=Symbol)

WHY_SYSTEMS = """

    In a system this is only a remark: an adventure may use what the system itself does not."""


def declared(context: Context, form: type[Kind]) -> Iterator[Kind]:
    """The declarations of one form in the package that was asked for, if all of it could be read."""
    if not is_whole(context):
        return
    table = context.work.table
    for symbol in (*table.names.values(), *table.scoped.values()):
        if isinstance(symbol, form) and is_main(context, symbol.origin.package):
            yield symbol


def in_main(context: Context, origin: Origin) -> bool:
    """Whether a declaration belongs to the package that was asked for, and all of it could be read."""
    return is_whole(context) and is_main(context, origin.package)


def report(check: Check, context: Context, symbol: Symbol, message: str, help: str) -> Diagnostic:
    """A finding at the name of a declaration; a remark only in a system."""
    return check.finding(place(symbol), message, help, severity=weight(context))


def place(symbol: Symbol) -> Span:
    """Where the name of a declaration stands."""
    return symbol.origin.source.span(*name_span(symbol))


def is_used(context: Context, sort: str, name: str, own: str = "") -> bool:
    """Whether anything but the declaration itself uses it; tests count."""
    seen: Index = index(context)
    return seen.used(sort, name, ((own, name),) if own else ())
