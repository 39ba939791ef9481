"""Second pass: every declaration resolved, typed and turned into the document's code."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from talewright.compiler import core
from talewright.compiler.facts import Facts, Shelf, Spot
from talewright.compiler.fields import Fields
from talewright.compiler.scope import IR, Scope, Unit
from talewright.compiler.symbols import (
    ActionSymbol,
    ContainerSymbol,
    DieSymbol,
    FieldSymbol,
    KindSymbol,
    MeasureSymbol,
    MovementSymbol,
    OptionSymbol,
    Origin,
    ParamSymbol,
    PaymentSymbol,
    PlanSymbol,
    StateSymbol,
    Symbol,
    TableSymbol,
    TeamSymbol,
    ThingSymbol,
    TokenSymbol,
    TrackSymbol,
    TraitSymbol,
    TypeSymbol,
    ValueSymbol,
)
from talewright.compiler.types import (
    ANY,
    CELL,
    EFFECT,
    INT,
    NOTHING,
    TRUTH,
    Type,
    describe,
    is_many,
    is_number,
    many,
    optional,
    strip,
    thing,
)
from talewright.compiler.work import Work, name_span
from talewright.dsl import tree as t
from talewright.dsl.diagnostics import Label

LAYERS = ("core", "system", "option", "adventure", "chapter", "trait", "thing")
_EFFECT_NODES = (
    t.Call, t.CallBlock, t.Do, t.DoNothing, t.Choose, t.ChooseOne, t.ForEach, t.If, t.Repeat, t.Assign, t.Let, t.GoTo,
    t.Open, t.May, t.Retrait, t.Stop, t.Possible, t.Together, t.Until, t.Prose,
)  # fmt: skip


class Elaborator(Fields):
    """Walks the table once; `document()` gives the content of the packages."""

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
        for symbols in self.table.functions.values():
            values = [s for s in symbols if isinstance(s, ValueSymbol)]
            if len(values) > 1:
                for index, symbol in enumerate(values, 1):
                    symbol.id = f"{symbol.id}#{index}"

    # -------------------------------------------------------------- values, actions, tables
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
            kind = self._settled(kind)
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
        ir["locals"] = scope.unit.names
        self._busy.discard(symbol.id)
        self.done[key] = ir
        return self._leave_unit(key, self._where(ir, symbol, scope), before)

    def _read_pile(self, ir: IR, kind: Type) -> tuple[IR, Type]:
        if kind.of[1]:
            return {"op": "content", "of": ir}, optional(thing(kind.name))
        return self.as_set(ir, kind), many(thing(kind.name), "list")

    def _settled(self, kind: Type) -> Type:
        return INT if strip(kind).tag in ("range", "ints") and kind.tag != "optional" else kind

    def _given(self, gives: list[Type]) -> Type:
        kinds = [self._settled(k) for k in gives if k.tag != "infer"]
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
            row: IR = {"n": scope.bind(param.name, param.type), "name": param.name, "type": self.type_ir(param.type)}
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
        ir: IR = {"id": symbol.id, "verb": symbol.name, "params": params, "gives": self.type_ir(symbol.type), "body": body}
        ir["locals"] = scope.unit.names
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
                self.report("T316", symbol.origin, other, "every row of a table is an arrow", "write `1..2 -> value`")
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
                kinds.append(self._settled(kind))
            else:
                self.report("T301", symbol.origin, arrow, "a row gives one value")
            rows.append(row)
        symbol.type = EFFECT if effects else self.join(kinds)
        ir: IR = {"id": symbol.name, "params": params, "key": self.type_ir(key_type), "rows": rows}
        ir["type"] = self.type_ir(symbol.type)
        ir["effects"] = effects
        ir["locals"] = scope.unit.names
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
            return isinstance(left, t.Name) and isinstance(self.table.names.get(left.name), (TrackSymbol, StateSymbol))
        return isinstance(body, t.Name) and body.name in self.table.verbs and body.name not in self.table.names

    # -------------------------------------------------------------- scopes of owners
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

    # -------------------------------------------------------------- the whole
    def document(self) -> IR:
        """Everything the packages say, as data."""
        table = self.table
        named = [*table.names.values(), *table.scoped.values()]
        content: IR = {
            "types": [self._type(s) for s in table.kinds.values() if isinstance(s, TypeSymbol)],
            "options": [self._option(s) for s in named if isinstance(s, OptionSymbol)],
            "kinds": [self._kind(s) for s in table.kinds.values() if isinstance(s, KindSymbol)],
            "traits": [self._trait(s) for s in table.kinds.values() if isinstance(s, TraitSymbol)],
            "teams": [self._team(s) for s in named if isinstance(s, TeamSymbol)],
            "tokens": [{"id": s.name, "count": s.count} for s in named if isinstance(s, TokenSymbol)],
            "tracks": [self._track(s) for s in named if isinstance(s, TrackSymbol)],
            "dice": [self._die(s) for s in named if isinstance(s, DieSymbol)],
            "states": [self._state(s) for s in named if isinstance(s, StateSymbol)],
            "piles": [self._container(s) for s in named if isinstance(s, ContainerSymbol)],
            "plans": [self._plan(s) for s in named if isinstance(s, PlanSymbol)],
            "movements": [self._movement(s) for s in named if isinstance(s, MovementSymbol)],
            "payments": [self._payment(s) for s in named if isinstance(s, PaymentSymbol)],
            "periods": [self._period(s.name) for s in table.periods.values()],
            "menus": [self._menu(name) for name in table.menus],
            "values": [
                self.value(s)
                for s in [*named, *(f for group in table.functions.values() for f in group)]
                if isinstance(s, ValueSymbol)
            ],
            "tables": [self.table_code(f) for g in table.functions.values() for f in g if isinstance(f, TableSymbol)],
            "actions": [self.action(a) for group in table.verbs.values() for a in group],
            "things": [self._thing_unit(s) for s in named if isinstance(s, ThingSymbol) and s.sort is None],
            "rules": [],
            "anytime": [],
            "orders": [],
            "checks": [],
            "measures": [self._measure(s) for s in named if isinstance(s, MeasureSymbol)],
        }
        self._loose(content)
        self._tests(content)
        if table.start_after is not None:
            action = table.start_after.node.action
            content["start_after"] = action.text
            self.moment(action, Scope(table.start_after.origin))
        for around in table.conditions:
            self.condition(around.node, Scope(around.origin, pure="a condition of options"))
        self._signatures()
        self._gather()
        return content

    def _gather(self) -> None:
        """Brings together what the files were found to use and change."""
        shares = list(self.shelf.all())
        self.used = set().union(*(facts.used for facts in shares))
        self.modified = set().union(*(facts.modified for facts in shares))
        self.idle_where = [found for facts in shares for found in facts.idle_where]
        self.findings = [found for facts in shares for found in facts.findings]

    def _thing_unit(self, symbol: ThingSymbol) -> IR:
        key = f"thing:{symbol.name}"
        known = self.done.get(key)
        if known is not None:
            return known
        before = self._enter_unit(symbol.origin, "")
        return self._leave_unit(key, self._thing(symbol), before)

    def _tests(self, content: IR) -> None:
        content["tests"] = []
        taken: dict[int, int] = {}
        for test in self.table.tests:
            before = self._enter_file(test.origin)
            if not self._facts.kept:
                self._facts.tests.append(self._test(test.node, test.origin))
            content["tests"].append(self._facts.tests[taken.setdefault(self._facts.number, 0)])
            taken[self._facts.number] += 1
            self._enter(before)

    def _signatures(self) -> None:
        """Two actions of one verb must differ in the parts they admit."""
        for symbols in self.table.verbs.values():
            for index, symbol in enumerate(symbols):
                for other in symbols[:index]:
                    if symbol.origin.chapter != other.origin.chapter and None not in (symbol.origin.chapter, other.origin.chapter):
                        continue
                    if self._overlap(symbol, other):
                        self.report(
                            "N213", symbol.origin, symbol.decl.verb, f"a call of `{symbol.name}` could mean two actions",
                            "give them different prepositions, or different verbs",
                            [self.label(other, "the other one")],
                        )  # fmt: skip

    def _overlap(self, a: ActionSymbol, b: ActionSymbol) -> bool:
        def needs(symbol: ActionSymbol) -> tuple[set[str], set[str]]:
            params = self.action_params(symbol)
            return {p.preposition for p in params if p.default is None}, {p.preposition for p in params}

        must_a, may_a = needs(a)
        must_b, may_b = needs(b)
        return must_a <= may_b and must_b <= may_a

    def _loose(self, content: IR) -> None:
        taken: dict[int, int] = {}
        for loose in self.table.loose:
            before = self._enter_file(loose.origin)
            if not self._facts.kept:
                self._facts.loose.append(self._loose_one(loose.node, loose.origin))
            for section, ir in self._facts.loose[taken.setdefault(self._facts.number, 0)]:
                content[section].append(ir)
            taken[self._facts.number] += 1
            self._enter(before)

    def _loose_one(self, node: Any, origin: Origin) -> list[tuple[str, IR]]:
        scope = Scope(origin)
        match node:
            case t.AnytimeDecl():
                ir: IR = {"by": self.decider(node.by, scope)}
                if node.when is not None:
                    ir["when"] = self.condition(node.when, scope)
                ir["body"] = self.statements(node.body, scope, head=True)
                ir["locals"] = scope.unit.names
                return [("anytime", self._stamp(ir, node, scope))]
            case t.OrderDecl():
                ir = {"moment": self.moment(node.action, scope), "by": self.decider(node.by, scope)}
                return [("orders", self._stamp(ir, node, scope))]
            case t.CheckDecl():
                scope.pure = "a check"
                ir = {"if": self.condition(node.condition, scope), "locals": scope.unit.names}
                if node.why is not None:
                    ir["why"] = node.why.raw
                return [("checks", self._stamp(ir, node, scope))]
        rules: list[IR] = []
        made = self.rule(node, scope)
        if made is not None:
            self._add_rule(made, origin, None, rules)
        return [("rules", rule) for rule in rules]

    def _stamp(self, ir: IR, node: t.Node, scope: Scope) -> IR:
        ir["at"] = self.at(node, scope)
        conditions = self.conditions(scope.origin)
        if conditions:
            ir["while"] = conditions
        return ir

    def _add_rule(self, ir: IR, origin: Origin, layer: str | None, into: list[IR]) -> None:
        if ir["rule"] == "several":
            for rule in ir["rules"]:
                self._add_rule(rule, origin, layer, into)
            return
        ir["layer"] = LAYERS.index(layer or origin.layer)
        conditions = self.conditions(origin)
        if conditions:
            ir["while"] = conditions
        into.append(ir)

    # -------------------------------------------------------------- kinds and traits
    def _type(self, symbol: TypeSymbol) -> IR:
        return {"id": symbol.name, "words": list(symbol.words), "ordered": symbol.ordered}

    def _kind(self, symbol: KindSymbol) -> IR:
        ir: IR = {"id": symbol.name, "parents": list(symbol.parents)}
        self._members(symbol, ir, thing(symbol.name), {})
        if symbol.role is not None:
            ir["role"] = {"low": symbol.role.low, "high": symbol.role.high}
            if symbol.role.seat is not None:
                ir["role"]["seat"] = symbol.role.seat.text
        if symbol.die is not None:
            ir["die"] = self._die_items(symbol.die, Scope(symbol.origin))
        defaults: IR = {}
        for name, default in symbol.defaults.items():
            origin = next((o for m, o in symbol.members if m is default), symbol.origin)
            found = self.field_of(symbol.name, name)
            if found is None:
                hint = self.suggest(name, self.all_fields(symbol.name)) or f"declare it with its type: `{name}: int = ...`"
                if name not in self.table.broken:
                    self.report("N204", origin, default.name, f"`{symbol.name}` has no field `{name}`", hint)
                continue
            self.used.add(f"{found[0].owner}.{name}")
            scope = Scope(origin, self_type=thing(symbol.name))
            value = t.FieldValue(default.start, default.end, [default.name], [default.value], "line")
            defaults[name] = self.field_value(value, found[0].type, scope)
        if defaults:
            ir["defaults"] = defaults
        return ir

    def _trait(self, symbol: TraitSymbol) -> IR:
        types = {p.name.text: self.read_type(p.type, symbol.origin) for p in symbol.params}
        ir: IR = {"id": symbol.name, "params": [{"name": n, "type": self.type_ir(k)} for n, k in types.items()]}
        self._members(symbol, ir, thing("Thing"), types)
        return ir

    def _members(self, symbol: KindSymbol | TraitSymbol, ir: IR, self_type: Type, traits: dict[str, Type]) -> None:
        fields: list[IR] = []
        rules: list[IR] = []
        seen: set[str] = set()
        for member, origin in symbol.members:
            scope = Scope(origin, self_type=self_type, traits=traits)
            match member:
                case t.FieldDecl() | t.TrackDecl():
                    for word in member.names:
                        found = symbol.fields.get(word.text)
                        if found is not None and word.text not in seen:
                            seen.add(word.text)
                            fields.append(self._field(found, member, scope))
                case t.Holds():
                    token = self.table.names.get(member.token.text)
                    if not isinstance(token, TokenSymbol):
                        self.token_ir(member.token, scope)
                        continue
                    self.used.add(member.token.text)
                    held: IR = {"token": member.token.text}
                    if member.max is not None:
                        inner = scope.inner()
                        inner.pure = "a limit"
                        held["max"] = self._held_max(member.max, inner, self_type)
                    ir.setdefault("holds", []).append(held)
                case t.Lies():
                    ir["lies"] = member.face
                case t.InForce():
                    inner = scope.inner()
                    inner.pure = "`in force while`"
                    ir["in_force"] = {"if": self.condition(member.condition, inner), "locals": inner.unit.names, "at": self.at(member, scope)}
                case t.Prose():
                    ir["text"] = member.text.raw
                case t.ActionRule() | t.StateRule() | t.Forbid() | t.Modify() | t.Grant() | t.Offer():
                    made = self.rule(member, scope)
                    if made is not None:
                        self._add_rule(made, origin, "trait", rules)
        if isinstance(symbol, KindSymbol) and symbol.core:
            for name, field_symbol in symbol.fields.items():
                if name not in seen:
                    fields.append({"name": name, "type": self.type_ir(field_symbol.type)})
        if fields:
            ir["fields"] = fields
        if rules:
            ir["rules"] = rules

    def _held_max(self, node: t.Expr, scope: Scope, self_type: Type) -> IR:
        if isinstance(node, t.Name) and self.field_of(self_type.name, node.name) is not None:
            word = t.Word(node.start, node.end, node.name)
            ir, kind = self.member({"op": "self"}, self_type, word, scope)
            return self.number_ir(ir, strip(kind))
        return self.number(node, scope, "the most it holds")

    def _field(self, symbol: FieldSymbol, decl: t.FieldDecl | t.TrackDecl, scope: Scope) -> IR:
        kind = symbol.type
        ir: IR = {"name": symbol.name, "type": self.type_ir(kind)}
        if symbol.per:
            ir["per"] = [self.moment(w, scope) for w in decl.per]
        if symbol.flags:
            ir["flags"] = list(symbol.flags)
        if isinstance(decl, t.TrackDecl):
            ir["track"] = self._track_body(decl, scope)
            return ir
        bare = strip(kind)
        if bare.tag == "pile" and isinstance(decl.type, t.ContainerType):
            ir["pile"] = self._container_options(decl.type.form, decl.type.options, scope)
        if decl.body is not None:
            ir["default"] = self.effect(decl.body, bare, scope)
        elif decl.default is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a default"
            if bare.tag == "pile":
                value, have = self.expr(decl.default, inner)
                ir["default"] = {"value": self.as_set(value, strip(have)), "locals": inner.unit.names}
            elif bare.tag == "condition":
                ir["default"] = {"op": "code", "if": self.condition(decl.default, inner), "locals": inner.unit.names}
            else:
                made = self.typed(decl.default, inner, kind, f"`{symbol.name}`")
                self._in_range(made, bare, decl.default, scope, f"`{symbol.name}`")
                ir["default"] = {"value": made, "locals": inner.unit.names}
        return ir

    # -------------------------------------------------------------- things
    def _thing(self, symbol: ThingSymbol) -> IR:
        ir: IR = {"id": symbol.name, "kind": symbol.kind}
        decl = symbol.decl
        if symbol.title is not None:
            ir["title"] = symbol.title
        if symbol.copies != 1:
            ir["copies"] = symbol.copies
        if symbol.per is not None:
            ir["per"] = symbol.per
            if isinstance(decl, t.ThingDecl) and decl.copies_per is not None:
                self.need_kind(decl.copies_per, symbol.origin)
        if symbol.inside is not None:
            ir["inside"] = [symbol.inside, symbol.field]
        if decl is None:
            return ir
        scope = Scope(symbol.origin, symbol.origin.chapter, self_type=thing(symbol.kind))
        scope.origin = replace(symbol.origin, owner=symbol.name)
        if isinstance(decl, t.ThingDecl):
            if not self.need_form(decl.kind, symbol.origin, KindSymbol):
                return ir
            if decl.traits:
                ir["traits"] = [self.trait_use(u.name, u.args, u, scope) for u in decl.traits]
        if self.is_a(symbol.kind, "Chapter"):
            scope.chapter = symbol.name
        self._items(decl.items, symbol.kind, ir, scope)
        ir["at"] = self.at(t.Node(*name_span(symbol)), scope)
        return ir

    def _items(self, items: Sequence[t.Item], kind: str, ir: IR, scope: Scope) -> None:
        fields: IR = {}
        rules: list[IR] = []
        chapter = self.is_a(kind, "Chapter")
        for item in items:
            match item:
                case t.Prose():
                    ir["text"] = self.text(item.text, self._prose_scope(scope)) if "{" in item.text.raw else {"op": "text", "parts": [item.text.raw]}
                case t.FieldValue():
                    self._give_field(item, kind, fields, scope)
                case t.InlineThing():
                    if item.field.text == "face":
                        face: IR = {"id": item.id.text}
                        if item.title is not None:
                            face["title"] = item.title.raw
                        self._items(item.items, kind, face, scope)
                        ir.setdefault("faces", []).append(face)
                    else:
                        fields.setdefault(item.field.text, {"op": "inline", "items": []})["items"].append(item.id.text)
                case t.Cast():
                    ir["cast"] = [self._cast_line(line, scope) for line in item.lines]
                case t.Drawn():
                    fields[item.name.text] = self._drawn(item, kind, scope)
                case t.EndsWhen():
                    inner = scope.inner()
                    inner.unit = Unit()
                    inner.pure = "`ends when`"
                    ends: IR = {"if": self.condition(item.condition, inner), "locals": inner.unit.names}
                    ends["at"] = self.at(item, scope)
                    ir.setdefault("ends", []).append(ends)
                case t.ActionRule() | t.StateRule() | t.Forbid() | t.Modify() | t.Grant() | t.Offer():
                    made = self.rule(item, scope)
                    if made is not None:
                        self._add_rule(made, scope.origin, "chapter" if chapter else "thing", rules)
        if fields:
            ir["fields"] = fields
        if rules:
            ir["rules"] = rules

    def _prose_scope(self, scope: Scope) -> Scope:
        inner = scope.inner()
        inner.unit = Unit()
        inner.pure = "prose"
        return inner

    def _give_field(self, item: t.FieldValue, kind: str, fields: IR, scope: Scope) -> None:
        owner = kind
        for word in item.path[:-1]:
            found = self.field_of(owner, word.text)
            inner = strip(found[0].type) if found else ANY
            if found is None or inner.tag != "thing":
                self.report("N204", scope.origin, word, f"`{owner}` has no part `{word.text}`", self.suggest(word.text, self.all_fields(owner)))
                return
            self.used.add(f"{found[0].owner}.{word.text}")
            owner = inner.name
        name = item.path[-1]
        found = self.field_of(owner, name.text)
        if found is None:
            if owner in self.table.kinds and not {owner, name.text} & self.table.broken:
                hint = self.suggest(name.text, self.all_fields(owner))
                self.report("N204", scope.origin, name, f"`{owner}` has no field `{name.text}`", hint or f"declare it in the kind `{owner}`")
            return
        key = ".".join(w.text for w in item.path)
        if key in fields:
            self.report("N209", scope.origin, name, f"the field `{key}` is given twice", "take one of them away")
            return
        scope_for = scope
        if len(item.path) > 1:
            scope_for = scope.inner()
            scope_for.self_type = thing(owner)
        fields[key] = self.field_value(item, found[0].type, scope_for)

    def _drawn(self, item: t.Drawn, kind: str, scope: Scope) -> IR:
        found = self.field_of(kind, item.name.text)
        if found is None:
            self.report("N204", scope.origin, item.name, f"`{kind}` has no field `{item.name.text}`", self.suggest(item.name.text, self.all_fields(kind)))
        return {"op": "rows", "rows": [[[w.text, turn] if turn else w.text for w, turn in row] for row in item.rows]}

    def _cast_line(self, line: t.CastLine, scope: Scope) -> IR:
        inner = scope.inner()
        inner.unit = Unit()
        inner.pure = "a cast"
        inner.lenient = True
        groups: list[Any] = []
        kind = "Thing"
        for count, word in line.groups:
            symbol = self.lookup(word.text, scope.chapter)
            if isinstance(symbol, ThingSymbol):
                kind = symbol.kind
            elif isinstance(symbol, TokenSymbol):
                groups.append({"count": count, "token": word.text, "at": self.at(word, scope)})
                continue
            else:
                if word.text not in self.table.broken:
                    things = [n for n, s in self.table.names.items() if isinstance(s, (ThingSymbol, TokenSymbol))]
                    self.report("N201", scope.origin, word, f"there is no thing or token called `{word.text}`", self.suggest(word.text, things))
                continue
            groups.append({"count": count, "thing": word.text, "at": self.at(word, scope)})
        place, have = self.expr(line.place, inner)
        if strip(have).tag not in ("thing", "any", "cell"):
            self.mismatch(line.place, inner, "where they stand", have, thing("Place"))
        ir: IR = {"groups": groups, "place": place, "at": self.at(line, scope)}
        if line.traits:
            ir["traits"] = [self.trait_use(u.name, u.args, u, inner) for u in line.traits]
        if line.items:
            cast_scope = scope.inner()
            cast_scope.self_type = thing(kind)
            self._items(line.items, kind, ir, cast_scope)
        ir["locals"] = inner.unit.names
        return ir

    # -------------------------------------------------------------- components
    def _option(self, symbol: OptionSymbol) -> IR:
        scope = Scope(symbol.origin, pure="an option's default")
        value = self.typed(symbol.decl.default, scope, symbol.type, f"`{symbol.name}`")
        self._in_range(value, symbol.type, symbol.decl.default, scope, f"`{symbol.name}`")
        ir: IR = {"id": symbol.name, "type": self.type_ir(symbol.type), "default": value}
        if symbol.decl.text is not None:
            ir["text"] = symbol.decl.text.raw
        return self._where(ir, symbol, scope)

    def _state(self, symbol: StateSymbol) -> IR:
        decl = symbol.decl
        scope = Scope(symbol.origin, symbol.origin.chapter, pure="a first value")
        ir: IR = {"id": self.scoped_id(symbol), "type": self.type_ir(symbol.type)}
        if decl.default is not None:
            ir["default"] = self.typed(decl.default, scope, symbol.type, f"`{symbol.name}`")
            self._in_range(ir["default"], strip(symbol.type), decl.default, scope, f"`{symbol.name}`")
        if decl.per:
            ir["per"] = [self.moment(w, scope) for w in decl.per]
        if decl.flags:
            ir["flags"] = list(decl.flags)
        ir["locals"] = scope.unit.names
        return self._where(ir, symbol, scope)

    def _team(self, symbol: TeamSymbol) -> IR:
        if self.need_form(symbol.decl.role, symbol.origin, KindSymbol) and not self.is_role(symbol.decl.role.text):
            self.report(
                "N221", symbol.origin, symbol.decl.role, f"`{symbol.decl.role.text}` is a kind, and a role is needed here",
                "a team is made of the seats of a role: declare one with `role`",
            )  # fmt: skip
        ir: IR = {"id": symbol.name, "role": symbol.decl.role.text}
        if symbol.decl.ties is not None:
            node = t.Name(symbol.decl.ties.start, symbol.decl.ties.end, symbol.decl.ties.text)
            ir["ties"] = self.expr(node, Scope(symbol.origin, pure="`ties by`"))[0]
        return ir

    def _track(self, symbol: TrackSymbol) -> IR:
        scope = Scope(symbol.origin, symbol.origin.chapter)
        ir: IR = {"id": self.scoped_id(symbol), **self._track_body(symbol.decl, scope)}
        if symbol.decl.per:
            ir["per"] = [self.moment(w, scope) for w in symbol.decl.per]
        return self._where(ir, symbol, scope)

    def _track_body(self, decl: t.TrackDecl, scope: Scope) -> IR:
        ir: IR = {"low": decl.low, "high": decl.high}
        if decl.begin is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a first value"
            first = self.number(decl.begin, inner, "the start")
            if decl.low <= decl.high:
                self._in_range(first, Type("range", "", (decl.low, decl.high)), decl.begin, scope, "the start")
            ir["start"] = {"value": first, "locals": inner.unit.names}
        hooks: list[IR] = []
        for hook in decl.hooks:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = None
            made: IR = {"when": hook.when, "spaces": hook.spaces, "body": self.statements(hook.body, inner)}
            made["locals"] = inner.unit.names
            made["at"] = self.at(hook, scope)
            hooks.append(made)
            for space in hook.spaces:
                if not decl.low <= space <= decl.high:
                    self.report("T310", scope.origin, hook, f"the track has no space {space}: it goes from {decl.low} to {decl.high}")
        if hooks:
            ir["hooks"] = hooks
        if decl.low > decl.high:
            self.report("T310", scope.origin, decl, "a track goes from its lower to its higher end", f"write `{decl.high}..{decl.low}`")
        return ir

    def _die(self, symbol: DieSymbol) -> IR:
        scope = Scope(symbol.origin, pure="a face")
        faces: list[IR] = []
        for statement in symbol.decl.faces:
            for item in statement.items if isinstance(statement, t.Elements) else [statement]:
                if isinstance(item, t.Number):
                    faces.append({"op": "int", "v": item.value})
                elif isinstance(item, t.Name):
                    known = self.lookup(item.name, None)
                    faces.append(self.symbol_value(known, item, scope)[0] if known else {"op": "word", "v": item.name})
                else:
                    self.report("T301", symbol.origin, item, "a face is a number or a name")
        return self._where({"id": symbol.name, "faces": faces}, symbol, scope)

    def _die_items(self, decl: t.DieDecl, scope: Scope) -> IR:
        ir: IR = {"copies": decl.copies, "faces": []}
        for item in decl.items:
            if not isinstance(item, t.FieldValue):
                continue
            name = item.path[0].text
            if name == "faces":
                body: Any = item.body[0]
                nodes = body.items if isinstance(body, t.Elements) else [body]
                for node in nodes:
                    known = self.lookup(node.name, None) if isinstance(node, t.Name) else None
                    if known is not None:
                        ir["faces"].append(self.symbol_value(known, node, scope)[0])
                    elif isinstance(node, t.Number):
                        ir["faces"].append({"op": "int", "v": node.value})
                    else:
                        ir["faces"].append({"op": "word", "v": getattr(node, "name", "")})
            elif name == "opposite":
                ir["opposite"] = self.list_value(item.body, many(Type("pair"), "list"), scope, item, "`opposite`")
            else:
                self.report("N204", scope.origin, item.path[0], f"a die has no `{name}`", "it has `faces` and `opposite`")
        return ir

    def _container_options(self, form: str, options: t.ContainerOptions, scope: Scope) -> IR:
        ir: IR = {"form": form}
        if options.max is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a limit"
            ir["max"] = {"value": self.number(options.max, inner, "`max`"), "locals": inner.unit.names}
        elif form == "slot":
            ir["max"] = {"value": {"op": "int", "v": 1}, "locals": []}
        if options.face is not None:
            ir["face"] = options.face
        if options.returning:
            ir["returning"] = True
        if options.reshuffles is not None:
            ir["reshuffles"] = self._reshuffles(options.reshuffles, scope)
        return ir

    def _reshuffles(self, word: t.Word, scope: Scope) -> IR:
        if scope.self_type is not None and self.field_of(scope.self_type.name, word.text) is not None:
            return self.member({"op": "self"}, scope.self_type, word, scope)[0]
        symbol = self.lookup(word.text, scope.chapter)
        if not isinstance(symbol, ContainerSymbol):
            if word.text not in self.table.broken:
                piles = [n for n, s in self.table.names.items() if isinstance(s, ContainerSymbol)]
                self.report("N201", scope.origin, word, f"there is no pile called `{word.text}`",
                            self.suggest(word.text, piles) or f"declare it: `pile {word.text} of ...`")  # fmt: skip
            return {"op": "none"}
        return {"op": "pile", "id": symbol.name}

    def _container(self, symbol: ContainerSymbol) -> IR:
        decl = symbol.decl
        self.need_form(decl.kind, symbol.origin, KindSymbol, TraitSymbol)
        scope = Scope(symbol.origin)
        ir: IR = {"id": symbol.name, "kind": decl.kind.text, **self._container_options(decl.form, decl.options, scope)}
        if decl.content is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a first content"
            value, kind = self.expr(decl.content, inner)
            if not self.fits(kind, many(thing(decl.kind.text))):
                self.mismatch(decl.content, inner, "the first content", kind, many(thing(decl.kind.text)))
            ir["content"] = {"value": self.as_set(value, strip(kind)), "locals": inner.unit.names}
        return self._where(ir, symbol, scope)

    def _plan(self, symbol: PlanSymbol) -> IR:
        rows = [[[w.text, turn] if turn else w.text for w, turn in row] for row in symbol.decl.rows]
        return {"id": symbol.name, "ring": symbol.decl.ring, "rows": rows}

    def _movement(self, symbol: MovementSymbol) -> IR:
        decl = symbol.decl
        ir: IR = {"id": symbol.name, "clauses": []}
        if decl.parent is not None:
            parent = self.lookup(decl.parent.text, None)
            if not isinstance(parent, MovementSymbol):
                self.report("N201", symbol.origin, decl.parent, f"there is no movement `{decl.parent.text}`")
            ir["parent"] = decl.parent.text
        for clause in decl.clauses:
            scope = Scope(symbol.origin, pure="a movement")
            mover = scope.bind("mover", thing("Figure"))
            cell = scope.bind("cell", CELL)
            value, kind = self.expr(clause.value, scope)
            bare = strip(kind)
            name = f"{clause.name.text} {clause.preposition}"
            row: IR = {"clause": name, "mover": mover, "cell": cell, "locals": scope.unit.names, "at": self.at(clause, scope)}
            if name not in ("blocked by", "halts at", "trades with", "costs at"):
                self.report("N216", symbol.origin, clause.name, f"a movement has no clause `{name}`",
                            "it has `blocked by`, `halts at`, `trades with`, `costs at`")  # fmt: skip
            if is_many(bare) and not is_number(bare):
                row["things"] = self.as_set(value, bare)
            else:
                if bare.tag not in ("truth", "any") and not is_number(bare):
                    self.mismatch(clause.value, scope, f"`{name}`", kind, TRUTH)
                row["value"] = value
            ir["clauses"].append(row)
        return self._where(ir, symbol, Scope(symbol.origin))

    def _payment(self, symbol: PaymentSymbol) -> IR:
        rows: list[IR] = []
        for rule in symbol.decl.rules:
            scope = Scope(symbol.origin, pure="a payment")
            row: IR = {"at": self.at(rule, scope)}
            if rule.die is not None:
                self.need_kind(rule.source, symbol.origin)
                row["kind"] = rule.source.text
                row["n"] = scope.bind(rule.die.text, thing(rule.source.text))
            else:
                assert rule.on is not None
                row["token"] = self.token_ir(rule.source, scope)
                row["on"] = self.typed(t.Name(rule.on.start, rule.on.end, rule.on.text), scope, thing("Thing"), "what holds the tokens")
            symbols = self.payment_symbol_kind(symbol.name)
            row["symbol"] = scope.bind(rule.symbol.text, symbols)
            if rule.when is not None:
                row["when"] = self.condition(rule.when, scope)
            if rule.at_most is not None:
                row["at_most"] = rule.at_most
            row["locals"] = scope.unit.names
            rows.append(row)
        return self._where({"id": symbol.name, "rules": rows}, symbol, Scope(symbol.origin))

    def payment_symbol_kind(self, name: str) -> Type:
        """What a cost is made of: the faces of the dice that pay for it."""
        symbol = self.table.names.get(name)
        if isinstance(symbol, PaymentSymbol):
            for rule in symbol.decl.rules:
                kind = self.table.kinds.get(rule.source.text)
                if isinstance(kind, KindSymbol) and kind.die is not None:
                    return self.face_type(kind.name)
        return ANY

    def _period(self, name: str) -> IR:
        symbol = self.table.periods[name]
        scope = Scope(symbol.origin, pure="a period")
        ir: IR = {"id": name, "while_true": self.condition(symbol.decl.condition, scope), "locals": scope.unit.names}
        return self._where(ir, symbol, scope)

    def _menu(self, name: str) -> IR:
        symbol = self.table.menus[name]
        decl = symbol.decl
        scope = Scope(symbol.origin)
        params = [
            {"n": scope.bind(p.name.text, k := self.read_type(p.type, symbol.origin)), "name": p.name.text, "type": self.type_ir(k)}
            for p in decl.params
        ]
        ir: IR = {"id": name, "params": params, "locals": scope.unit.names}
        if decl.once_per is not None:
            ir["once_per"] = self.moment(decl.once_per, scope)
        if decl.passing is not None:
            ir["pass"] = decl.passing.raw
        return self._where(ir, symbol, scope)

    def _measure(self, symbol: MeasureSymbol) -> IR:
        scope = Scope(symbol.origin, pure="a measure")
        value, kind = self.expr(symbol.decl.value, scope)
        bare = strip(kind)
        if not is_number(bare) and bare.tag not in ("truth", "words", "any"):
            self.report("T305", symbol.origin, symbol.decl.value, f"a measure is a number, a word, or yes or no, but this is {describe(bare)}")
        ir: IR = {"id": symbol.name, "value": self.number_ir(value, bare), "type": self.type_ir(kind), "locals": scope.unit.names}
        return self._where(ir, symbol, scope)

    # -------------------------------------------------------------- tests
    def _test(self, node: t.TestDecl, origin: Origin) -> IR:
        scope = Scope(origin, lenient=True)
        ir: IR = {"title": node.title.raw, "covers": [], "steps": []}
        for line in node.lines:
            step = self._test_line(line, scope, ir)
            if step is not None:
                step["at"] = self.at(line, scope)
                ir["steps"].append(step)
        ir["locals"] = scope.unit.names
        ir["at"] = self.at(node.title, scope)
        return ir

    def _test_line(self, line: t.TestLine, scope: Scope, ir: IR) -> IR | None:
        match line:
            case t.Covers():
                ir["covers"].extend(w.text for w in line.ids)
                return None
            case t.StartAt():
                return self._start(line, scope)
            case t.Given():
                return {"step": "given", "body": self.statements(line.body, scope)}
            case t.Rig():
                return self._rig(line, scope)
            case t.Answer():
                return self._answer(line, scope)
            case t.When():
                return {"step": "when", "moments": [m for s in line.moments if (m := self._moment(s, scope)) is not None]}
            case t.Expect():
                inner = scope.inner()
                return {"step": "expect", "if": self.condition(line.condition, inner), "sides": self._sides(line.condition, inner)}
            case t.Scene():
                step: IR = {"step": "expect_scene" if line.expected else "scene", "rows": line.text.raw}
                if line.on is not None:
                    step["on"] = self.typed(t.Name(line.on.start, line.on.end, line.on.text), scope, thing("Thing"), "the place")
                return step
            case t.Marks():
                marks = []
                for sign, name in line.marks:
                    value, _ = self.expr(t.Name(name.start, name.end, name.text), scope)
                    marks.append([sign.text, value])
                return {"step": "marks", "marks": marks}

    def _sides(self, node: t.Expr, scope: Scope) -> list[IR]:
        """Both sides of a comparison, so that a failing expectation can show them."""
        if isinstance(node, t.Binary) and node.op in ("==", "!=", "<", "<=", ">", ">=", "is", "is not"):
            sides = []
            before = len(self.findings)
            _, left_type = self.expr(node.left, scope)
            for side in (node.left, node.right):
                if isinstance(side, (t.Number, t.Text, t.Truth, t.Nothing, t.Capital)):
                    continue
                value, kind = self.expr(side, scope, left_type)
                text = scope.origin.source.text[side.start : side.end]
                sides.append({"text": text, "value": value, "type": self.type_ir(kind)})
            del self.findings[before:]
            return sides
        return []

    def _start(self, line: t.StartAt, scope: Scope) -> IR:
        symbol = self.lookup(line.chapter.text, None)
        if not isinstance(symbol, ThingSymbol) or not (self.is_a(symbol.kind, "Chapter") or self.is_a(symbol.kind, "Ending")):
            if line.chapter.text not in self.table.broken:
                chapters = [n for n, s in self.table.names.items() if isinstance(s, ThingSymbol) and self.is_a(s.kind, "Chapter")]
                self.report("N212", scope.origin, line.chapter, f"there is no chapter `{line.chapter.text}`", self.suggest(line.chapter.text, chapters))
        else:
            scope.chapter = symbol.name
        settings: IR = {}
        for word, value in line.settings:
            if word.text in ("players", "seed"):
                settings[word.text] = self.number(value, scope, f"`{word.text}`")
                continue
            option = self.table.names.get(word.text)
            if not isinstance(option, OptionSymbol):
                options = ["players", "seed", *(n for n, s in self.table.names.items() if isinstance(s, OptionSymbol))]
                hint = self.suggest(word.text, options) or "`players`, `seed` and the options of the packages can be set"
                self.report("N217", scope.origin, word, f"there is no option `{word.text}`", hint)
                continue
            self.used.add(word.text)
            settings[word.text] = self.typed(value, scope, option.type, f"`{word.text}`")
        return {"step": "start", "chapter": line.chapter.text, "settings": settings}

    def _rig(self, line: t.Rig, scope: Scope) -> IR:
        name = line.what.text
        want: Type | None = None
        symbol = self.lookup(name, scope.chapter)
        if isinstance(symbol, ContainerSymbol):
            want = thing(symbol.decl.kind.text)
            kind = self.table.kinds.get(symbol.decl.kind.text)
            if isinstance(kind, KindSymbol) and kind.die is not None:
                want = self.face_type(kind.name)
        elif isinstance(symbol, DieSymbol):
            kind_of = self.die_type(symbol)
            want = kind_of if kind_of.tag == "words" else None
        elif symbol is None and name != "random" and not _is_dice(name):
            self.report("N201", scope.origin, line.what, f"there is no pile or die called `{name}`", self.suggest(name, self.table.names))
            return {"step": "rig", "what": name, "values": []}
        values = []
        for value in line.values:
            if isinstance(symbol, DieSymbol) and isinstance(value, t.Name) and value.name not in self.table.names:
                values.append({"op": "word", "v": value.name})
                continue
            ir, _ = self.expr(value, scope, want)
            values.append(ir)
        return {"step": "rig", "what": name, "values": values}

    def _answer(self, line: t.Answer, scope: Scope) -> IR:
        ir: IR = {"step": "answer"}
        if line.prompt is not None:
            ir["prompt"] = line.prompt.raw
            ir["by_text"] = line.prompt.prose
        if line.by is not None:
            ir["by"] = self.decider(line.by, scope)
        values = []
        for value in line.values:
            if isinstance(value, t.Text):
                values.append({"op": "text", "parts": [value.raw]})
            else:
                values.append(self.expr(value, scope)[0])
        ir["values"] = values
        return ir

    def _moment(self, node: Any, scope: Scope) -> IR | None:
        if isinstance(node, t.Moment):
            ir = self.statement(t.Name(node.name.start, node.name.end, node.name.text), scope)
            if ir is not None and node.until is not None:
                ir = {**ir, "until": self.moment(node.until, scope)}
            return ir
        return self.statement(node, scope)


def _has_give(body: Sequence[Any]) -> bool:
    stack: list[Any] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, t.Give):
            return True
        if isinstance(node, (list, tuple)):
            stack.extend(node)
        elif isinstance(node, t.Node) and not isinstance(node, (t.Call, t.Until)):
            stack.extend(getattr(node, name) for name in node.__dataclass_fields__ if name not in ("start", "end"))
    return False


def _is_dice(name: str) -> bool:
    return name.lstrip("0123456789").startswith("d") and name.rstrip("0123456789").endswith("d")


__all__ = ["LAYERS", "Elaborator", "core"]
