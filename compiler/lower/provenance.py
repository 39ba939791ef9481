"""Where a declaration stands, in which chapter, and the options it depends on."""

from __future__ import annotations

from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import Origin, Symbol
from talewright.compiler.types.lookups import name_span
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import replace


class Provenance:
    """Adds its origin to what is lowered."""

    def __init__(self, work: FactRecorder, expressions: Expressions) -> None:
        self.work = work
        self.expressions = expressions

    def stamp(self, ir: IR, symbol: Symbol, scope: Scope) -> IR:
        """Adds place, conditions and chapter of a declaration to its code."""
        ir["at"] = self.work.at(t.Node(*name_span(symbol)), scope)
        conditions = self.conditions(symbol.origin)
        if conditions:
            ir["while"] = conditions
        if symbol.origin.chapter:
            ir["chapter"] = symbol.origin.chapter
        return ir

    def conditions(self, origin: Origin) -> list[IR]:
        """The options that must hold for a declaration to exist."""
        made = []
        for node in origin.conditions:
            scope = Scope(replace(origin, conditions=()), pure="a condition of options")
            made.append(self.expressions.condition(node, scope))
        return made

    def stamp_node(self, ir: IR, node: t.Node, scope: Scope) -> IR:
        """The same for a declaration without a name."""
        ir["at"] = self.work.at(node, scope)
        conditions = self.conditions(scope.origin)
        if conditions:
            ir["while"] = conditions
        return ir
