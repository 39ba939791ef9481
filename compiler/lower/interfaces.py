"""What the parts of the pass ask of each other where they need each other in a circle."""

from __future__ import annotations

from typing import Protocol

from talewright.compiler.symbols.scope import IR
from talewright.compiler.symbols.symbol_table import ActionSymbol, TableSymbol, ValueSymbol
from talewright.compiler.types.model import Type

# The code of an expression, and its type.
Typed = tuple[IR, Type]


class Bodies(Protocol):
    """Lowers the body of a definition; the type of the symbol is known afterwards."""

    def value(self, symbol: ValueSymbol) -> IR:
        """A value as code."""

    def action(self, symbol: ActionSymbol) -> IR:
        """An action as code."""

    def table_code(self, symbol: TableSymbol) -> IR:
        """A table as rows of data or of effects."""
