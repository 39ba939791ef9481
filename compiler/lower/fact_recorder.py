"""The state of the pass: lookups, and everything found, kept by the file it belongs to."""

from __future__ import annotations

from collections.abc import Iterable

from talewright.compiler.incremental.file_facts import Facts, Shelf, Spot
from talewright.compiler.symbols.generated_names import overload_id
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import Origin, ValueSymbol
from talewright.compiler.types.lookups import Work
from talewright.dsl.diagnostics import Label
from talewright.dsl.tree import nodes as t


class FactRecorder(Work):
    """Facts, places and findings by file, so that unchanged files need not be lowered again."""

    def __init__(self, work: Work, shelf: Shelf | None = None) -> None:
        super().__init__(work.table)
        self.ancestry = work.ancestry
        self.shelf = shelf or Shelf()
        self.shelf.rest.findings = work.findings
        self.shelf.rest.used = work.used
        self.spots: Shelf | list[Spot] = self.shelf
        # Code that is ready, by unit: made in this run or taken from an earlier one.
        self.done: dict[str, IR] = {}
        # The ids of the definitions whose bodies are being lowered.
        self.busy: set[str] = set()
        self.modified: set[str] = set()
        self.idle_where: list[tuple[t.Node, Origin]] = []
        self.facts = self.shelf.rest
        self._unit = ""
        self.enter(self.facts)
        self._name_overloads()

    def at(self, node: t.Node, scope: Scope) -> int:
        """The number of a place in the source map."""
        return self.facts.at((scope.origin.source.name, node.start, node.end))

    # -------------------------------------------------------------- whose facts they are
    def enter(self, facts: Facts) -> Facts:
        """From now on, what is found belongs to these facts; gives those it belonged to before."""
        before = self.facts
        self.facts = facts
        self.used, self.modified = facts.used, facts.modified
        self.idle_where, self.findings = facts.idle_where, facts.findings
        return before

    def enter_file(self, origin: Origin) -> Facts:
        """From now on, what is found belongs to the file of a declaration."""
        return self.enter(self.shelf.of(origin.source.name))

    def enter_unit(self, origin: Origin, unit: str) -> tuple[Facts, str]:
        """Begins a unit of code; what it gives is handed to `leave_unit`."""
        before = self._unit
        self._unit = unit
        return self.enter_file(origin), before

    def leave_unit(self, unit: str, ir: IR, before: tuple[Facts, str]) -> IR:
        """Ends a unit of code and keeps it."""
        self.facts.units[unit] = ir
        self.enter(before[0])
        self._unit = before[1]
        return ir

    def wait_for(self, unit: str) -> None:
        """Notes that a type found by lowering one unit depends on another."""
        # What a unit gives to itself does not depend on who asks first.
        if self._unit not in ("", unit):
            self.facts.waits.add((self._unit, unit))

    def gather(self) -> None:
        """Brings together what all files were found to use and change."""
        shares = list(self.shelf.all())
        self.used = set().union(*(facts.used for facts in shares))
        self.modified = set().union(*(facts.modified for facts in shares))
        self.idle_where = [found for facts in shares for found in facts.idle_where]
        self.findings = [found for facts in shares for found in facts.findings]

    # -------------------------------------------------------------- findings
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
        """Adds a finding; the files it concerns are lowered afresh every time."""
        self.facts.clean = self.shelf.of(origin.source.name).clean = False
        super().report(code, origin, node, message, help, labels, fix)

    def impure(self, node: t.Node, scope: Scope, why: str) -> None:
        """Reports chance, choice or change inside a value."""
        self.report(
            "T307", scope.origin, node, f"{scope.pure} only looks, but {why}",
            "make it an action that gives its result, and read it by `let x = do ...`",
        )  # fmt: skip

    def _name_overloads(self) -> None:
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
                    symbol.id = overload_id(symbol, index)
