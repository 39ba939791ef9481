"""Names that the compiler makes up itself; every one of them is made here."""

from __future__ import annotations

from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    Symbol,
    TableSymbol,
    ThingSymbol,
    ValueSymbol,
)


def scoped_id(symbol: Symbol) -> str:
    """The id of a state or track in the document; a chapter's own carries the id of the chapter."""
    return f"{symbol.origin.chapter}:{symbol.name}" if symbol.origin.chapter else symbol.name


def overload_id(symbol: ValueSymbol, number: int) -> str:
    """The id of one of several values that share a name."""
    return f"{symbol.id}#{number}"


def value_unit(symbol: ValueSymbol) -> str:
    """The key under which the code of a value is kept."""
    return f"value:{symbol.id}"


def action_unit(symbol: ActionSymbol) -> str:
    """The key under which the code of an action is kept."""
    return f"action:{symbol.id}"


def table_unit(symbol: TableSymbol) -> str:
    """The key under which the code of a table is kept."""
    return f"table:{symbol.name}"


def thing_unit(symbol: ThingSymbol) -> str:
    """The key under which the code of a thing is kept."""
    return f"thing:{symbol.name}"
