"""What the parts of the elaborator ask of each other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import ActionSymbol, TableSymbol, ValueSymbol
from talewright.compiler.types.lookups import Work
from talewright.compiler.types.model import Type
from talewright.dsl.tree import nodes as t

Typed = tuple[IR, Type]


class Parts(Work, ABC):
    """Expressions, calls, statements, rules and definitions are files of their own; here they meet."""

    @abstractmethod
    def value_type(self, symbol: ValueSymbol) -> Type:
        """The type of a value: declared, or found by elaborating it."""

    @abstractmethod
    def action_type(self, symbol: ActionSymbol) -> Type:
        """What an action gives: declared, or found in its body."""

    @abstractmethod
    def table_type(self, symbol: TableSymbol) -> Type:
        """What a table gives."""

    @abstractmethod
    def table_key(self, symbol: TableSymbol) -> Type:
        """What a table is asked with."""

    @abstractmethod
    def ask(self, node: t.Ask, scope: Scope, want: Type | None) -> Typed:
        """`possible(...)` and its sisters."""

    @abstractmethod
    def statements(self, body: Sequence[t.Stmt], scope: Scope, head: bool = False) -> list[IR]:
        """A block of statements."""

    @abstractmethod
    def branch(self, ir: IR, kind: Type, block: list[t.Stmt], scope: Scope, node: t.Node) -> IR:
        """A call whose block branches on its result."""

    @abstractmethod
    def rule(self, node: Any, scope: Scope, nested: bool = False) -> IR | None:
        """A rule, forbid, modify, grant or offer."""

    @abstractmethod
    def at(self, node: t.Node, scope: Scope) -> int:
        """The number of a place in the source map."""
