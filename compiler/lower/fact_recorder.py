"""What is found while elaborating is kept by the file it belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from talewright.compiler.incremental.file_facts import Facts, Shelf, Spot
from talewright.compiler.lower.field_values import Fields
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import ActionSymbol, Origin, ParamSymbol, ValueSymbol
from talewright.compiler.types.lookups import Work
from talewright.compiler.types.model import Type
from talewright.dsl.diagnostics import Label
from talewright.dsl.tree import nodes as t


class Keeping(Fields):
    """Facts, places and findings, kept so that unchanged files need not be elaborated again."""

    def __init__(self, work: Work, shelf: Shelf | None = None) -> None:
        super().__init__(work.table)
        self.ancestry = work.ancestry
        self.shelf = shelf or Shelf()
        self.shelf.rest.findings = work.findings
        self.shelf.rest.used = work.used
        self.spots: Shelf | list[Spot] = self.shelf
        self.done: dict[str, IR] = {}
        self._unit = ""
        self._enter(self.shelf.rest)
        self._busy: set[str] = set()
        self._overloads()

    def at(self, node: t.Node, scope: Scope) -> int:
        """The number of a place in the source map."""
        return self._facts.at((scope.origin.source.name, node.start, node.end))

    def _enter(self, facts: Facts) -> Facts:
        """From now on, what is found belongs to these facts; gives those it belonged to before."""
        before = getattr(self, "_facts", facts)
        self._facts = facts
        self.used, self.modified = facts.used, facts.modified
        self.idle_where, self.findings = facts.idle_where, facts.findings
        return before

    def _enter_file(self, origin: Origin) -> Facts:
        return self._enter(self.shelf.of(origin.source.name))

    def _enter_unit(self, origin: Origin, unit: str) -> tuple[Facts, str]:
        before = self._unit
        self._unit = unit
        return self._enter_file(origin), before

    def _leave_unit(self, unit: str, ir: IR, before: tuple[Facts, str]) -> IR:
        self._facts.units[unit] = ir
        self._enter(before[0])
        self._unit = before[1]
        return ir

    def _wait_for(self, unit: str) -> None:
        """Notes that a type found by elaborating one unit rests on another."""
        # What a unit gives to itself does not hang on who asks first.
        if self._unit not in ("", unit):
            self._facts.waits.add((self._unit, unit))

    def report(
        self,
        code: str,
        origin: Origin,
        node: t.Node,
        message: str,
        help: str = "",
        labels: Iterable[Label] = (),
        fix: str | None = None,
    ) -> None:
        """Adds a finding; the files it has to do with are elaborated afresh every time."""
        self._facts.clean = self.shelf.of(origin.source.name).clean = False
        super().report(code, origin, node, message, help, labels, fix)

    def value_params(self, symbol: ValueSymbol) -> list[tuple[str, Type]]:
        """Names and types of a value's parameters."""
        if symbol.params is None:
            before = self._enter_file(symbol.origin)
            super().value_params(symbol)
            self._enter(before)
        return super().value_params(symbol)

    def action_params(self, symbol: ActionSymbol) -> list[ParamSymbol]:
        """The parameters of an action, the first one before those behind prepositions."""
        if symbol.params is None:
            before = self._enter_file(symbol.origin)
            super().action_params(symbol)
            self._enter(before)
        return super().action_params(symbol)

    def _overloads(self) -> None:
        """Gives each of several values of one name an id of its own."""
        plain = {
            s.id
            for s in (*self.table.names.values(), *self.table.scoped.values())
            if isinstance(s, ValueSymbol)
        }
        for symbols in self.table.functions.values():
            values = [s for s in symbols if isinstance(s, ValueSymbol)]
            if len(values) > 1 or any(symbol.id in plain for symbol in values):
                for index, symbol in enumerate(values, 1):
                    symbol.id = f"{symbol.id}#{index}"
