"""Values, actions and tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from talewright.compiler.lower.fact_recorder import Keeping
from talewright.compiler.lower.wordings import add_wording
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import (
    ActionSymbol,
    Origin,
    StateSymbol,
    Symbol,
    TableSymbol,
    ThingSymbol,
    TrackSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types.lookups import name_span
from talewright.compiler.types.model import (
    ANY,
    EFFECT,
    INT,
    NOTHING,
    Type,
    many,
    optional,
    settled,
    strip,
    thing,
)
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import replace

_EFFECT_NODES = (
    t.Call, t.CallBlock, t.Do, t.DoNothing, t.Choose, t.ChooseOne, t.ForEach, t.If, t.Repeat, t.Assign, t.Let, t.GoTo,
    t.Open, t.May, t.Retrait, t.Stop, t.Possible, t.Together, t.Until, t.Prose,
)  # fmt: skip


class Definitions(Keeping):
    """Each definition elaborated once, when it is first asked for."""

    def value_type(self, symbol: ValueSymbol) -> Type:
        """The type of a value: declared, or found by elaborating it."""
        if symbol.decl.type is None:
            self._wait_for(f"value:{symbol.id}")
        if symbol.type is None:
            if symbol.decl.type is not None:
                before = self._enter_file(symbol.origin)
                symbol.type = self.read_type(symbol.decl.type, symbol.origin)
                self._enter(before)
            elif symbol.id in self._busy:
                return ANY
            else:
                self.value(symbol)
        return symbol.type or ANY

    def value(self, symbol: ValueSymbol) -> IR:
        """A value as code."""
        key = f"value:{symbol.id}"
        if key in self.done:
            return self.done[key]
        before = self._enter_unit(symbol.origin, key)
        self._busy.add(symbol.id)
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter, pure=f"the value `{symbol.name}`")
        self._self(scope)
        declared = self.read_type(decl.type, symbol.origin) if decl.type is not None else None
        if declared is not None:
            symbol.type = declared
        params = [scope.bind(name, kind) for name, kind in self.value_params(symbol)]
        ir: IR = {"id": symbol.id, "params": params}
        if decl.value is not None:
            value, kind = self.expr(decl.value, scope, declared)
            kind = settled(kind)
            if declared is not None:
                value = self.coerce(value, kind, declared, decl.value, scope, f"`{symbol.name}`")
            elif strip(kind).tag == "pile":
                value, kind = self._read_pile(value, strip(kind))
            ir["value"] = value
        else:
            scope.gives = [declared or Type("infer")]
            ir["body"] = self.statements(decl.body or [], scope)
            kind = declared or self._given(scope.gives)
        if declared is None:
            symbol.type = kind
        ir["type"] = self.type_ir(symbol.type or ANY)
        ir["locals"] = scope.unit.locals
        add_wording(self, ir, decl.reads, [name for name, _ in self.value_params(symbol)], symbol.origin)
        self._busy.discard(symbol.id)
        self.done[key] = ir
        return self._leave_unit(key, self._where(ir, symbol, scope), before)

    def _read_pile(self, ir: IR, kind: Type) -> tuple[IR, Type]:
        if kind.of[1]:
            return {"op": "content", "of": ir}, optional(thing(kind.name))
        return self.as_set(ir, kind), many(thing(kind.name), "list")

    def _given(self, gives: list[Type]) -> Type:
        kinds = [settled(k) for k in gives if k.tag != "infer"]
        return self.join(kinds) if kinds else NOTHING

    def action_type(self, symbol: ActionSymbol) -> Type:
        """What an action gives: declared, or found in its body."""
        if symbol.type is None:
            if symbol.decl.gives is not None:
                before = self._enter_file(symbol.origin)
                symbol.type = optional(self.read_type(symbol.decl.gives, symbol.origin))
                self._enter(before)
            elif not _has_give(symbol.decl.body):
                symbol.type = NOTHING
            else:
                self._wait_for(f"action:{symbol.id}")
                if symbol.id in self._busy:
                    return ANY
                self.action(symbol)
        elif symbol.decl.gives is None and symbol.type != NOTHING:
            self._wait_for(f"action:{symbol.id}")
        return symbol.type or NOTHING

    def action(self, symbol: ActionSymbol) -> IR:
        """An action as code."""
        key = f"action:{symbol.id}"
        if key in self.done:
            return self.done[key]
        before = self._enter_unit(symbol.origin, key)
        self._busy.add(symbol.id)
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter)
        self._self(scope)
        declared = self.read_type(decl.gives, symbol.origin) if decl.gives is not None else None
        params: list[IR] = []
        for param in self.action_params(symbol):
            default = None
            if param.default is not None:
                default = self.typed(param.default, scope, param.type, f"`{param.name}`")
            row: IR = {
                "n": scope.bind(param.name, param.type),
                "name": param.name,
                "type": self.type_ir(param.type),
            }
            if param.preposition:
                row["preposition"] = param.preposition
            if default is not None:
                row["default"] = default
            params.append(row)
        scope.parameters = frozenset(p.name for p in self.action_params(symbol))
        scope.gives = [declared or Type("infer")]
        body = self.statements(decl.body, scope, head=True)
        if symbol.type is None:
            given = self._given(scope.gives)
            symbol.type = optional(given) if given.tag != "nothing" else NOTHING
        ir: IR = {
            "id": symbol.id,
            "verb": symbol.name,
            "params": params,
            "gives": self.type_ir(symbol.type),
            "body": body,
        }
        ir["locals"] = scope.unit.locals
        add_wording(self, ir, decl.reads, [row["name"] for row in params], symbol.origin)
        self._busy.discard(symbol.id)
        self.done[key] = ir
        return self._leave_unit(key, self._where(ir, symbol, scope), before)

    def table_key(self, symbol: TableSymbol) -> Type:
        """What a table is asked with: numbers, words or things."""
        for arrow in symbol.decl.body:
            if isinstance(arrow, t.Arrow) and arrow.key.form == "value":
                value = arrow.key.value
                if isinstance(value, t.Name):
                    types = self.table.words.get(value.name)
                    if types:
                        found = self.table.kinds[types[0]]
                        assert isinstance(found, TypeSymbol)
                        return Type("words", types[0], tuple(found.words))
                    known = self.table.names.get(value.name)
                    if isinstance(known, ThingSymbol):
                        return thing(known.kind)
        return INT

    def table_type(self, symbol: TableSymbol) -> Type:
        """What a table gives."""
        self._wait_for(f"table:{symbol.name}")
        if symbol.type is None:
            symbol.type = ANY
            self.table_code(symbol)
        return symbol.type

    def table_code(self, symbol: TableSymbol) -> IR:
        """A table as rows of data or of effects."""
        key = f"table:{symbol.name}"
        if key in self.done:
            return self.done[key]
        before = self._enter_unit(symbol.origin, key)
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter)
        params = [scope.bind(p.name.text, self.read_type(p.type, symbol.origin)) for p in decl.params]
        key_type = self.table_key(symbol)
        arrows = [s for s in decl.body if isinstance(s, t.Arrow)]
        for other in decl.body:
            if not isinstance(other, t.Arrow):
                self.report(
                    "T316", symbol.origin, other, "every row of a table is an arrow", "write `1..2 -> value`"
                )
        effects = any(self._is_effect(a) for a in arrows)
        rows: list[IR] = []
        kinds: list[Type] = []
        for arrow in arrows:
            row = self.arrow_key(arrow.key, key_type, scope)
            row["at"] = self.at(arrow, scope)
            if effects:
                inner = scope.inner()
                row["body"] = self.statements(arrow.body, inner, head=True)
            elif len(arrow.body) == 1 and not isinstance(arrow.body[0], t.Elements):
                inner = scope.inner()
                inner.pure = f"the table `{symbol.name}`"
                body: Any = arrow.body[0]
                value, kind = self.expr(body, inner)
                row["result"] = value
                kinds.append(settled(kind))
            else:
                self.report("T301", symbol.origin, arrow, "a row gives one value")
            rows.append(row)
        symbol.type = EFFECT if effects else self.join(kinds)
        ir: IR = {"id": symbol.name, "params": params, "key": self.type_ir(key_type), "rows": rows}
        ir["type"] = self.type_ir(symbol.type)
        ir["effects"] = effects
        ir["locals"] = scope.unit.locals
        self.done[key] = ir
        return self._leave_unit(key, self._where(ir, symbol, scope), before)

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
                self.table.names.get(left.name), (TrackSymbol, StateSymbol)
            )
        return (
            isinstance(body, t.Name) and body.name in self.table.verbs and body.name not in self.table.names
        )

    def _self(self, scope: Scope) -> None:
        owner = scope.origin.owner
        if owner is not None:
            symbol = self.thing(owner)
            if symbol is not None:
                scope.self_type = thing(symbol.kind)

    def _where(self, ir: IR, symbol: Symbol, scope: Scope) -> IR:
        ir["at"] = self.at(t.Node(*name_span(symbol)), scope)
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
            made.append(self.condition(node, scope))
        return made


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
