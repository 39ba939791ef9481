"""Values, actions and tables."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.branches import Branches
from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.expressions.conversions import (
    content,
)
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.provenance import Provenance
from talewright.compiler.lower.wordings import add_wording
from talewright.compiler.symbols.generated_names import action_unit, table_unit, value_unit
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    StateSymbol,
    TableSymbol,
    TrackSymbol,
    ValueSymbol,
)
from talewright.compiler.types.model import (
    ANY,
    EFFECT,
    NOTHING,
    Type,
    optional,
    settled,
    thing,
    type_json,
)
from talewright.dsl.tree import nodes as t

_EFFECT_NODES = (
    t.Call, t.CallBlock, t.Do, t.DoNothing, t.Choose, t.ChooseOne, t.ForEach, t.If, t.Repeat, t.Assign, t.Let, t.GoTo,
    t.Open, t.May, t.Retrait, t.Stop, t.Possible, t.Together, t.Until, t.Prose,
)  # fmt: skip


class Definitions:
    """Lowers values, actions and tables, each once, when it is first needed."""

    def __init__(
        self,
        work: FactRecorder,
        types: DefinitionTypes,
        expressions: Expressions,
        blocks: Blocks,
        branches: Branches,
        provenance: Provenance,
    ) -> None:
        self.work = work
        self.types = types
        self.expressions = expressions
        self.blocks = blocks
        self.branches = branches
        self.provenance = provenance

    def value(self, symbol: ValueSymbol) -> IR:
        """A value as code."""
        key = value_unit(symbol)
        if key in self.work.done:
            return self.work.done[key]
        before = self.work.enter_unit(symbol.origin, key)
        self.work.busy.add(symbol.id)
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter, pure=f"the value `{symbol.name}`")
        self._self(scope)
        declared = self.work.read_type(decl.type, symbol.origin) if decl.type is not None else None
        if declared is not None:
            symbol.type = declared
        params = [scope.bind(name, kind) for name, kind in self.types.value_params(symbol)]
        ir: IR = {"id": symbol.id, "params": params}
        if decl.value is not None:
            value, kind = self.expressions.expr(decl.value, scope, declared)
            kind = settled(kind)
            if declared is not None:
                value = self.expressions.coerce(value, kind, declared, decl.value, scope, f"`{symbol.name}`")
            else:
                value, kind = content(value, kind)
            ir["value"] = value
        else:
            scope.gives = [declared or Type("infer")]
            ir["body"] = self.blocks.statements(decl.body or [], scope)
            kind = declared or self._given(scope.gives)
        if declared is None:
            symbol.type = kind
        ir["type"] = type_json(symbol.type or ANY)
        ir["locals"] = scope.unit.locals
        add_wording(
            self.work, ir, decl.reads, [name for name, _ in self.types.value_params(symbol)], symbol.origin
        )
        self.work.busy.discard(symbol.id)
        self.work.done[key] = ir
        return self.work.leave_unit(key, self.provenance.stamp(ir, symbol, scope), before)

    def _given(self, gives: list[Type]) -> Type:
        kinds = [settled(k) for k in gives if k.tag != "infer"]
        return self.work.join(kinds) if kinds else NOTHING

    def action(self, symbol: ActionSymbol) -> IR:
        """An action as code."""
        key = action_unit(symbol)
        if key in self.work.done:
            return self.work.done[key]
        before = self.work.enter_unit(symbol.origin, key)
        self.work.busy.add(symbol.id)
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter)
        self._self(scope)
        declared = self.work.read_type(decl.gives, symbol.origin) if decl.gives is not None else None
        params: list[IR] = []
        for param in self.types.action_params(symbol):
            default = None
            if param.default is not None:
                default = self.expressions.typed(param.default, scope, param.type, f"`{param.name}`")
            row: IR = {
                "n": scope.bind(param.name, param.type),
                "name": param.name,
                "type": type_json(param.type),
            }
            if param.preposition:
                row["preposition"] = param.preposition
            if default is not None:
                row["default"] = default
            params.append(row)
        scope.parameters = frozenset(p.name for p in self.types.action_params(symbol))
        scope.gives = [declared or Type("infer")]
        body = self.blocks.statements(decl.body, scope, head=True)
        if symbol.type is None:
            given = self._given(scope.gives)
            symbol.type = optional(given) if given.tag != "nothing" else NOTHING
        ir: IR = {
            "id": symbol.id,
            "verb": symbol.name,
            "params": params,
            "gives": type_json(symbol.type),
            "body": body,
        }
        ir["locals"] = scope.unit.locals
        add_wording(self.work, ir, decl.reads, [row["name"] for row in params], symbol.origin)
        self.work.busy.discard(symbol.id)
        self.work.done[key] = ir
        return self.work.leave_unit(key, self.provenance.stamp(ir, symbol, scope), before)

    def table_code(self, symbol: TableSymbol) -> IR:
        """A table as rows of data or of effects."""
        key = table_unit(symbol)
        if key in self.work.done:
            return self.work.done[key]
        before = self.work.enter_unit(symbol.origin, key)
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter)
        params = [
            scope.bind(self.work.no_dice(p.name, symbol.origin), self.work.read_type(p.type, symbol.origin))
            for p in decl.params
        ]
        key_type = self.types.table_key(symbol)
        arrows = [s for s in decl.body if isinstance(s, t.Arrow)]
        for other in decl.body:
            if not isinstance(other, t.Arrow):
                self.work.report(
                    "T316", symbol.origin, other, "every row of a table is an arrow", "write `1..2 -> value`"
                )
        effects = any(self._is_effect(a) for a in arrows)
        rows: list[IR] = []
        kinds: list[Type] = []
        for arrow in arrows:
            row = self.branches.arrow_key(arrow.key, key_type, scope)
            row["at"] = self.work.at(arrow, scope)
            if effects:
                inner = scope.inner()
                row["body"] = self.blocks.statements(arrow.body, inner, head=True)
            elif len(arrow.body) == 1 and not isinstance(arrow.body[0], t.Elements):
                inner = scope.inner()
                inner.pure = f"the table `{symbol.name}`"
                body: Any = arrow.body[0]
                row["result"], kind = self.expressions.expr(body, inner)
                kinds.append(settled(kind))
            else:
                self.work.report("T301", symbol.origin, arrow, "a row gives one value")
            rows.append(row)
        if len(set(kinds)) > 1:
            for index, row in enumerate(r for r in rows if "result" in r):
                row["result"], kinds[index] = content(row["result"], kinds[index])
        symbol.type = EFFECT if effects else self.work.join(kinds)
        ir: IR = {"id": symbol.name, "params": params, "key": type_json(key_type), "rows": rows}
        ir["type"] = type_json(symbol.type)
        ir["effects"] = effects
        ir["locals"] = scope.unit.locals
        self.work.done[key] = ir
        return self.work.leave_unit(key, self.provenance.stamp(ir, symbol, scope), before)

    def _is_effect(self, arrow: t.Arrow) -> bool:
        if len(arrow.body) != 1:
            return True
        body = arrow.body[0]
        if isinstance(body, _EFFECT_NODES):
            return True
        if isinstance(body, t.Binary) and body.op in ("+", "-"):
            left = body.left
            if isinstance(left, t.Dot):
                return True
            return isinstance(left, t.Name) and isinstance(
                self.work.table.names.get(left.name), (TrackSymbol, StateSymbol)
            )
        return (
            isinstance(body, t.Name)
            and body.name in self.work.table.verbs
            and body.name not in self.work.table.names
        )

    def _self(self, scope: Scope) -> None:
        owner = scope.origin.owner
        if owner is not None:
            symbol = self.work.thing(owner)
            if symbol is not None:
                scope.self_type = thing(symbol.kind)
