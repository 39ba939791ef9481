"""The types of values, actions and tables: declared, or found in their bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Bodies
from talewright.compiler.symbols.generated_names import action_unit, table_unit, value_unit
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    ParamSymbol,
    TableSymbol,
    ThingSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types.model import ANY, INT, NOTHING, Type, optional, thing
from talewright.dsl.tree import nodes as t


class DefinitionTypes:
    """Parameters and results of definitions, worked out when they are first asked for."""

    # Definitions are built from expressions, and expressions ask for types: set once all parts are there.
    bodies: Bodies

    def __init__(self, work: FactRecorder) -> None:
        self.work = work

    def value_params(self, symbol: ValueSymbol) -> list[tuple[str, Type]]:
        """Names and types of a value's parameters."""
        if symbol.params is None:
            before = self.work.enter_file(symbol.origin)
            symbol.params = [
                (self.work.no_dice(p.name, symbol.origin), self.work.read_type(p.type, symbol.origin))
                for p in symbol.decl.params
            ]
            self.work.enter(before)
        return symbol.params

    def action_params(self, symbol: ActionSymbol) -> list[ParamSymbol]:
        """The parameters of an action, the first one before those behind prepositions."""
        if symbol.params is None:
            decl = symbol.decl
            before = self.work.enter_file(symbol.origin)
            params = []
            if decl.first is not None:
                params.append(self._param("", decl.first, symbol))
            params.extend(self._param(preposition, param, symbol) for preposition, param in decl.parts)
            symbol.params = params
            self.work.enter(before)
        return symbol.params

    def _param(self, preposition: str, param: t.Param, symbol: ActionSymbol) -> ParamSymbol:
        name = self.work.no_dice(param.name, symbol.origin)
        return ParamSymbol(preposition, name, self.work.read_type(param.type, symbol.origin), param.default)

    def value_type(self, symbol: ValueSymbol) -> Type:
        """The type of a value: declared, or found by elaborating it."""
        if symbol.decl.type is None:
            self.work.wait_for(value_unit(symbol))
        if symbol.type is None:
            if symbol.decl.type is not None:
                before = self.work.enter_file(symbol.origin)
                symbol.type = self.work.read_type(symbol.decl.type, symbol.origin)
                self.work.enter(before)
            elif symbol.id in self.work.busy:
                return ANY
            else:
                self.bodies.value(symbol)
        return symbol.type or ANY

    def action_type(self, symbol: ActionSymbol) -> Type:
        """What an action gives: declared, or found in its body."""
        if symbol.type is None:
            if symbol.decl.gives is not None:
                before = self.work.enter_file(symbol.origin)
                symbol.type = optional(self.work.read_type(symbol.decl.gives, symbol.origin))
                self.work.enter(before)
            elif not _has_give(symbol.decl.body):
                symbol.type = NOTHING
            else:
                self.work.wait_for(action_unit(symbol))
                if symbol.id in self.work.busy:
                    return ANY
                self.bodies.action(symbol)
        elif symbol.decl.gives is None and symbol.type != NOTHING:
            self.work.wait_for(action_unit(symbol))
        return symbol.type or NOTHING

    def table_type(self, symbol: TableSymbol) -> Type:
        """What a table gives."""
        self.work.wait_for(table_unit(symbol))
        if symbol.type is None:
            symbol.type = ANY
            self.bodies.table_code(symbol)
        return symbol.type

    def table_key(self, symbol: TableSymbol) -> Type:
        """What a table is asked with: numbers, words or things."""
        for arrow in symbol.decl.body:
            if isinstance(arrow, t.Arrow) and arrow.key.form == "value":
                value = arrow.key.value
                if isinstance(value, t.Name):
                    types = self.work.table.words.get(value.name)
                    if types:
                        found = self.work.table.kinds[types[0]]
                        assert isinstance(found, TypeSymbol)
                        return Type("words", types[0], tuple(found.words))
                    known = self.work.table.names.get(value.name)
                    if isinstance(known, ThingSymbol):
                        return thing(known.kind)
        return INT


def _has_give(body: Sequence[Any]) -> bool:
    stack: list[Any] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, t.Give):
            return True
        if isinstance(node, (list, tuple)):
            stack.extend(node)
        elif isinstance(node, t.Node) and not isinstance(node, (t.Call, t.Until)):
            stack.extend(getattr(node, name) for name in node.__match_args__ if name not in ("start", "end"))
    return False
