"""Kinds, traits and things."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from talewright.compiler.lower.components import Components
from talewright.compiler.lower.expressions.conversions import (
    as_number,
    as_set,
)
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.function_calls import FunctionCalls
from talewright.compiler.lower.expressions.literals import Literals
from talewright.compiler.lower.expressions.membership import Members
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.field_values import FieldValues
from talewright.compiler.lower.provenance import Provenance
from talewright.compiler.lower.rules import Rules
from talewright.compiler.lower.wordings import add_wording
from talewright.compiler.symbols.scope import IR, Scope, Unit
from talewright.compiler.symbols.symbol_table import (
    FieldSymbol,
    KindSymbol,
    Origin,
    ThingSymbol,
    TokenSymbol,
    TraitSymbol,
    TypeSymbol,
)
from talewright.compiler.types.lookups import name_span
from talewright.compiler.types.model import ANY, Type, strip, thing, type_json
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import replace

MOST_COPIES = 10_000
LAYERS = ("core", "system", "option", "adventure", "chapter", "trait", "thing")


class Things:
    """Lowers kinds, traits and things."""

    def __init__(
        self,
        work: FactRecorder,
        expressions: Expressions,
        literals: Literals,
        names: Names,
        members: Members,
        functions: FunctionCalls,
        rules: Rules,
        fields: FieldValues,
        provenance: Provenance,
        components: Components,
    ) -> None:
        self.work = work
        self.expressions = expressions
        self.literals = literals
        self.names = names
        self.members = members
        self.functions = functions
        self.rules = rules
        self.fields = fields
        self.provenance = provenance
        self.components = components

    def type_code(self, symbol: TypeSymbol) -> IR:
        return {"id": symbol.name, "words": list(symbol.words), "ordered": symbol.ordered}

    def kind_code(self, symbol: KindSymbol) -> IR:
        ir: IR = {"id": symbol.name, "parents": list(symbol.parents)}
        self._members(symbol, ir, thing(symbol.name), {})
        if isinstance(symbol.node, t.KindDecl | t.RoleDecl):
            add_wording(self.work, ir, symbol.node.reads, (), symbol.origin)
        if symbol.role is not None:
            ir["role"] = {"low": symbol.role.low, "high": symbol.role.high}
            if symbol.role.seat is not None:
                ir["role"]["seat"] = symbol.role.seat.text
        if symbol.die is not None:
            ir["die"] = self.components.die_items(symbol.die, Scope(symbol.origin))
        defaults: IR = {}
        for name, default in symbol.defaults.items():
            origin = next((o for m, o in symbol.members if m is default), symbol.origin)
            found = self.work.field_of(symbol.name, name)
            if found is None:
                hint = (
                    self.work.suggest(name, self.work.all_fields(symbol.name))
                    or f"declare it with its type: `{name}: int = ...`"
                )
                if name not in self.work.table.broken:
                    self.work.report(
                        "N204", origin, default.name, f"`{symbol.name}` has no field `{name}`", hint
                    )
                continue
            self.work.used.add(f"{found[0].owner}.{name}")
            scope = Scope(origin, self_type=thing(symbol.name))
            value = t.FieldValue(default.start, default.end, [default.name], [default.value], "line")
            defaults[name] = self.fields.field_value(value, found[0].type, scope)
        if defaults:
            ir["defaults"] = defaults
        return ir

    def trait_code(self, symbol: TraitSymbol) -> IR:
        types = {p.name.text: self.work.read_type(p.type, symbol.origin) for p in symbol.params}
        ir: IR = {
            "id": symbol.name,
            "params": [{"name": n, "type": type_json(k)} for n, k in types.items()],
        }
        self._members(symbol, ir, thing("Thing"), types)
        if isinstance(symbol.node, t.TraitDecl):
            add_wording(self.work, ir, symbol.node.reads, [*types, "self"], symbol.origin)
        return ir

    def _members(
        self, symbol: KindSymbol | TraitSymbol, ir: IR, self_type: Type, traits: dict[str, Type]
    ) -> None:
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
                    token = self.work.table.names.get(member.token.text)
                    if not isinstance(token, TokenSymbol):
                        self.names.token_ir(member.token, scope)
                        continue
                    self.work.used.add(member.token.text)
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
                    ir["in_force"] = {
                        "if": self.expressions.condition(member.condition, inner),
                        "locals": inner.unit.locals,
                        "at": self.work.at(member, scope),
                    }
                case t.Prose():
                    ir["text"] = member.text.raw
                case t.ActionRule() | t.StateRule() | t.Forbid() | t.Modify() | t.Grant() | t.Offer():
                    made = self.rules.rule(member, scope)
                    if made is not None:
                        self.add_rule(made, origin, "trait", rules)
        if isinstance(symbol, KindSymbol) and symbol.core:
            for name, field_symbol in symbol.fields.items():
                if name not in seen:
                    fields.append({"name": name, "type": type_json(field_symbol.type)})
        if fields:
            ir["fields"] = fields
        if rules:
            ir["rules"] = rules

    def _held_max(self, node: t.Expr, scope: Scope, self_type: Type) -> IR:
        if isinstance(node, t.Name) and self.work.field_of(self_type.name, node.name) is not None:
            word = t.Word(node.start, node.end, node.name)
            ir, kind = self.members.member({"op": "self"}, self_type, word, scope)
            return as_number(ir, strip(kind))
        return self.expressions.number(node, scope, "the most it holds")

    def _field(self, symbol: FieldSymbol, decl: t.FieldDecl | t.TrackDecl, scope: Scope) -> IR:
        kind = symbol.type
        ir: IR = {"name": symbol.name, "type": type_json(kind)}
        if symbol.per:
            ir["per"] = [self.names.moment(w, scope) for w in decl.per]
        if symbol.flags:
            ir["flags"] = list(symbol.flags)
        add_wording(self.work, ir, decl.reads, (), scope.origin)
        if isinstance(decl, t.TrackDecl):
            ir["track"] = self.components.track_body(decl, scope)
            return ir
        bare = strip(kind)
        if bare.tag == "pile" and isinstance(decl.type, t.ContainerType):
            ir["pile"] = self.components.container_options(decl.type.form, decl.type.options, scope)
        if decl.body is not None:
            ir["default"] = self.fields.effect(decl.body, bare, scope)
        elif decl.default is not None and bare.tag in ("effect", "lines"):
            self.work.report(
                "T301", scope.origin, decl.default, f"the default of `{symbol.name}` is something to do, not a value",
                "write `:` in place of `=`",
            )  # fmt: skip
        elif decl.default is not None:
            inner = scope.inner()
            inner.unit = Unit()
            inner.pure = "a default"
            if bare.tag == "pile":
                value, have = self.expressions.expr(decl.default, inner)
                ir["default"] = {"value": as_set(value, strip(have)), "locals": inner.unit.locals}
            elif bare.tag == "condition":
                ir["default"] = {
                    "op": "code",
                    "if": self.expressions.condition(decl.default, inner),
                    "locals": inner.unit.locals,
                }
            else:
                made = self.expressions.typed(decl.default, inner, kind, f"`{symbol.name}`")
                self.fields.check_range(made, bare, decl.default, scope, f"`{symbol.name}`")
                ir["default"] = {"value": made, "locals": inner.unit.locals}
        return ir

    def thing_code(self, symbol: ThingSymbol) -> IR:
        ir: IR = {"id": symbol.name, "kind": symbol.kind}
        decl = symbol.decl
        if symbol.title is not None:
            ir["title"] = symbol.title
        if symbol.copies > MOST_COPIES:
            said = f"{symbol.copies:,} copies of `{symbol.name}` are more than a table holds"
            most = (
                f"up to {MOST_COPIES:,} copies of a thing; what there is without end is a `token` or a number"
            )
            self.work.report("T310", symbol.origin, t.Node(*name_span(symbol)), said, most)
        elif symbol.copies != 1:
            ir["copies"] = symbol.copies
        if symbol.per is not None:
            ir["per"] = symbol.per
            if isinstance(decl, t.ThingDecl) and decl.copies_per is not None:
                self.work.need_kind(decl.copies_per, symbol.origin)
        if symbol.inside is not None:
            ir["inside"] = [symbol.inside, symbol.field]
        if decl is None:
            return ir
        scope = Scope(symbol.origin, symbol.origin.chapter, self_type=thing(symbol.kind))
        scope.origin = replace(symbol.origin, owner=symbol.name)
        if isinstance(decl, t.ThingDecl):
            if not self.work.need_form(decl.kind, symbol.origin, KindSymbol):
                return ir
            if decl.traits:
                ir["traits"] = [self.functions.trait_use(u.name, u.args, u, scope) for u in decl.traits]
        if self.work.is_a(symbol.kind, "Chapter"):
            scope.chapter = symbol.name
        self._items(decl.items, symbol.kind, ir, scope)
        self._title_field(symbol, ir)
        ir["at"] = self.work.at(t.Node(*name_span(symbol)), scope)
        return ir

    def _title_field(self, symbol: ThingSymbol, ir: IR) -> None:
        """A kind that declares a field called `title` finds the title of the declaration in it."""
        found = self.work.field_of(symbol.kind, "title")
        if symbol.title is None or found is None or strip(found[0].type).tag != "text":
            return
        ir.setdefault("fields", {}).setdefault("title", {"op": "text", "parts": [symbol.title]})

    def _items(self, items: Sequence[t.Item], kind: str, ir: IR, scope: Scope) -> None:
        fields: IR = {}
        rules: list[IR] = []
        chapter = self.work.is_a(kind, "Chapter")
        for item in items:
            match item:
                case t.Prose():
                    ir["text"] = (
                        self.literals.text(item.text, self._prose_scope(scope))
                        if "{" in item.text.raw
                        else {"op": "text", "parts": [item.text.raw]}
                    )
                case t.OwnWording():
                    add_wording(self.work, ir, item.text, ("self",), scope.origin)
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
                        fields.setdefault(item.field.text, {"op": "inline", "items": []})["items"].append(
                            item.id.text
                        )
                case t.Cast():
                    ir["cast"] = [self._cast_line(line, scope) for line in item.lines]
                case t.Drawn():
                    fields[item.name.text] = self._drawn(item, kind, scope)
                case t.EndsWhen():
                    inner = scope.inner()
                    inner.unit = Unit()
                    inner.pure = "`ends when`"
                    ends: IR = {
                        "if": self.expressions.condition(item.condition, inner),
                        "locals": inner.unit.locals,
                    }
                    ends["at"] = self.work.at(item, scope)
                    ir.setdefault("ends", []).append(ends)
                case t.ActionRule() | t.StateRule() | t.Forbid() | t.Modify() | t.Grant() | t.Offer():
                    made = self.rules.rule(item, scope)
                    if made is not None:
                        self.add_rule(made, scope.origin, "chapter" if chapter else "thing", rules)
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
            found = self.work.field_of(owner, word.text)
            inner = strip(found[0].type) if found else ANY
            if found is None or inner.tag != "thing":
                self.work.report(
                    "N204",
                    scope.origin,
                    word,
                    f"`{owner}` has no part `{word.text}`",
                    self.work.suggest(word.text, self.work.all_fields(owner)),
                )
                return
            self.work.used.add(f"{found[0].owner}.{word.text}")
            owner = inner.name
        name = item.path[-1]
        found = self.work.field_of(owner, name.text)
        if found is None:
            if owner in self.work.table.kinds and not {owner, name.text} & self.work.table.broken:
                hint = self.work.suggest(name.text, self.work.all_fields(owner))
                self.work.report(
                    "N204",
                    scope.origin,
                    name,
                    f"`{owner}` has no field `{name.text}`",
                    hint or f"declare it in the kind `{owner}`",
                )
            return
        key = ".".join(w.text for w in item.path)
        if key in fields:
            self.work.report(
                "N209", scope.origin, name, f"the field `{key}` is given twice", "take one of them away"
            )
            return
        scope_for = scope
        if len(item.path) > 1:
            scope_for = scope.inner()
            scope_for.self_type = thing(owner)
        fields[key] = self.fields.field_value(item, found[0].type, scope_for)

    def _drawn(self, item: t.Drawn, kind: str, scope: Scope) -> IR:
        found = self.work.field_of(kind, item.name.text)
        if found is None:
            self.work.report(
                "N204",
                scope.origin,
                item.name,
                f"`{kind}` has no field `{item.name.text}`",
                self.work.suggest(item.name.text, self.work.all_fields(kind)),
            )
        return {
            "op": "rows",
            "rows": [[[w.text, turn] if turn else w.text for w, turn in row] for row in item.rows],
        }

    def _cast_line(self, line: t.CastLine, scope: Scope) -> IR:
        inner = scope.inner()
        inner.unit = Unit()
        inner.pure = "a cast"
        inner.lenient = True
        groups: list[Any] = []
        kind = "Thing"
        for count, word in line.groups:
            symbol = self.work.lookup(word.text, scope.chapter)
            if isinstance(symbol, ThingSymbol):
                kind = symbol.kind
            elif isinstance(symbol, TokenSymbol):
                groups.append({"count": count, "token": word.text, "at": self.work.at(word, scope)})
                continue
            else:
                if word.text not in self.work.table.broken:
                    things = [
                        n
                        for n, s in self.work.table.names.items()
                        if isinstance(s, (ThingSymbol, TokenSymbol))
                    ]
                    self.work.report(
                        "N201",
                        scope.origin,
                        word,
                        f"there is no thing or token called `{word.text}`",
                        self.work.suggest(word.text, things),
                    )
                continue
            groups.append({"count": count, "thing": word.text, "at": self.work.at(word, scope)})
        place, have = self.expressions.expr(line.place, inner)
        if strip(have).tag not in ("thing", "any", "cell"):
            self.expressions.mismatch(line.place, inner, "where they stand", have, thing("Place"))
        ir: IR = {"groups": groups, "place": place, "at": self.work.at(line, scope)}
        if line.traits:
            ir["traits"] = [self.functions.trait_use(u.name, u.args, u, inner) for u in line.traits]
        if line.items:
            cast_scope = scope.inner()
            cast_scope.self_type = thing(kind)
            self._items(line.items, kind, ir, cast_scope)
        ir["locals"] = inner.unit.locals
        return ir

    def add_rule(self, ir: IR, origin: Origin, layer: str | None, into: list[IR]) -> None:
        if ir["rule"] == "several":
            for rule in ir["rules"]:
                self.add_rule(rule, origin, layer, into)
            return
        ir["layer"] = LAYERS.index(layer or origin.layer)
        conditions = self.provenance.conditions(origin)
        if conditions:
            ir["while"] = conditions
        into.append(ir)
