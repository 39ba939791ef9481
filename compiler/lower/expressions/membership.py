"""Fields, properties, token counts and entries: what stands behind a dot, `of` or brackets."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.definition_types import DefinitionTypes
from talewright.compiler.lower.expressions.conversions import (
    as_set,
)
from talewright.compiler.lower.expressions.dispatcher import ExpressionHandler, Expressions
from talewright.compiler.lower.expressions.name_resolution import fix_of
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.symbols import core
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import KindSymbol, ThingSymbol, TokenSymbol, ValueSymbol
from talewright.compiler.types.model import (
    ANY,
    CELL,
    INT,
    TEXT,
    Type,
    describe,
    is_many,
    is_optional,
    item_of,
    many,
    optional,
    strip,
    thing,
)
from talewright.dsl.tree import nodes as t


class Members:
    """What belongs to a thing, or to each of a set."""

    def __init__(self, work: FactRecorder, types: DefinitionTypes, expressions: Expressions) -> None:
        self.work = work
        self.types = types
        self.expressions = expressions

    def handlers(self) -> dict[type[t.Node], ExpressionHandler]:
        """The nodes that this part lowers."""
        return {
            t.Dot: self._dot,
            t.Of: self._of,
            t.Index: self._index,
        }

    def _dot(self, node: t.Dot, scope: Scope, want: Type | None) -> Typed:
        name_node = t.Word(node.name_start, node.name_start + len(node.name), node.name)
        if isinstance(node.base, t.Capital) and node.base.name in self.work.table.kinds:
            base, kind = self.expressions.expr(node.base, scope)
        else:
            base, kind = self.expressions.expr(node.base, scope)
        return self.member(base, kind, name_node, scope)

    def _of(self, node: t.Of, scope: Scope, want: Type | None) -> Typed:
        base, kind = self.expressions.expr(node.base, scope)
        return self.member(base, kind, node.name, scope)

    def member(self, base: IR, kind: Type, name: t.Word, scope: Scope) -> Typed:
        """A field, property, token count or one-argument value of something, or of each of a set."""
        bare = strip(kind)
        if bare.tag == "any" and name.text in ("cell", "cells"):
            kind = optional(CELL) if name.text == "cell" else many(CELL)
            return {"op": "prop", "name": name.text, "of": base}, kind
        if bare.tag == "any":
            return {"op": "late", "of": base, "name": name.text}, ANY
        if bare.tag == "pile":
            if name.text in core.PILE_PROPERTIES:
                return {"op": f"pile_{name.text}", "of": base}, optional(thing(bare.name))
            if bare.of[1]:
                base, bare = {"op": "content", "of": base}, thing(bare.name)
                kind = optional(bare)
        if bare.tag == "sort" and name.text == "title":
            return {"op": "prop", "name": "title", "of": base}, TEXT
        if bare.tag in ("set", "list", "pile", "sort"):
            return self._member_of_each(as_set(base, bare), item_of(bare), name, scope)
        if bare.tag == "pool" and name.text in core.POOL_PROPERTIES:
            return {"op": "pool_prop", "name": name.text, "of": base}, core.POOL_PROPERTIES[name.text]
        if bare.tag == "die" and name.text in core.DIE_PROPERTIES:
            return {"op": "die_prop", "name": name.text, "of": base}, core.DIE_PROPERTIES[name.text]
        if bare.tag in ("spot", "cell") and name.text in core.SPOT_PROPERTIES:
            return {"op": "spot_prop", "name": name.text, "of": base}, core.SPOT_PROPERTIES[name.text]
        if bare.tag != "thing":
            self.work.report("N204", scope.origin, name, f"{describe(bare)} has no field `{name.text}`")
            return {"op": "none"}, ANY
        return self._member_of_one(base, kind, bare, name, scope)

    def _member_of_one(self, base: IR, kind: Type, bare: Type, name: t.Word, scope: Scope) -> Typed:
        maybe = is_optional(kind)
        found = self.work.field_of(bare.name, name.text)
        if found is not None:
            symbol, some = found
            if some:
                self._warn_of_namesakes(bare.name, symbol.owner, name, scope)
            self.work.used.add(f"{symbol.owner}.{name.text}")
            kind_of = symbol.type
            ir: IR = {"op": "field", "of": base, "owner": symbol.owner, "name": name.text}
            if maybe or some:
                ir["maybe"] = True
            if kind_of.tag == "face":
                return ir, self.face_type(kind_of.name)
            if "lends all" in symbol.flags and kind_of.tag == "thing":
                return ir, kind_of
            return ir, optional(kind_of) if (maybe or some) and kind_of.tag not in (
                "pile",
                "set",
                "list",
            ) else kind_of
        prop = self._property(base, bare, name.text, maybe)
        if prop is not None:
            return prop
        token = self.work.table.names.get(name.text)
        if isinstance(token, TokenSymbol):
            self.work.used.add(name.text)
            return {"op": "tokens", "of": base, "token": name.text}, INT
        lent = self._lent(base, bare, name, scope)
        if lent is not None:
            return lent
        if name.text in self.work.table.functions:
            return self._value_of_one(base, kind, name, scope)
        hint = self.work.suggest(name.text, [*self.work.all_fields(bare.name), *core.PROPERTIES])
        if name.text not in self.work.table.broken and bare.name in self.work.table.kinds:
            self.work.report(
                "N204",
                scope.origin,
                name,
                f"`{bare.name}` has no field `{name.text}`",
                hint,
                fix=fix_of(hint),
            )
        return {"op": "none"}, ANY

    def _warn_of_namesakes(self, kind: str, owner: str, name: t.Word, scope: Scope) -> None:
        """Says so if two kinds of things that may be meant here have fields of one name that are not one field."""
        others = [o for o in self.work.namesakes(kind, name.text) if not self.work.is_a(owner, o)]
        if others:
            listed = " and ".join(f"`{other}`" for other in others)
            self.work.report(
                "N224",
                scope.origin,
                name,
                f"`{name.text}` means the field of `{owner}` here: that of {listed} is another, which this leaves alone",
                f"declare `{name.text}` once, in a kind that all of them descend from, or ask for one kind: `{owner} where ...`",
            )

    def face_type(self, kind: str) -> Type:
        """The type of a die's face: things or words."""
        symbol = self.work.table.kinds.get(kind)
        if isinstance(symbol, KindSymbol) and symbol.die is not None:
            first = _first_face(symbol.die)
            if isinstance(first, t.Name):
                known = self.work.table.names.get(first.name)
                if isinstance(known, ThingSymbol):
                    return thing(known.kind)
            if isinstance(first, t.Number):
                return INT
        return ANY

    def _property(self, base: IR, bare: Type, name: str, maybe: bool) -> Typed | None:
        ir: IR = {"op": "prop", "name": name, "of": base}
        if self.work.is_a(bare.name, "Joint") and name in core.JOINT_PROPERTIES:
            return ir, core.JOINT_PROPERTIES[name]
        if self.work.is_a(bare.name, "Piece") and name in core.PIECE_PROPERTIES:
            return ir, core.PIECE_PROPERTIES[name]
        if name not in core.PROPERTIES:
            return None
        kind = core.PROPERTIES[name]
        if name == "place":
            return ir, optional(thing(self.work.place_kind()))
        if name == "owner":
            return ir, optional(thing("Thing"))
        if name == "sort":
            return ir, Type("sort", "", (bare.name,))
        if name == "face":
            return ir, Type("words", "", ("a", "b", "c", "d"))
        return ir, kind

    def _lent(self, base: IR, bare: Type, name: t.Word, scope: Scope) -> Typed | None:
        for symbol in self.work.all_fields(bare.name).values():
            if "lends all" in symbol.flags:
                lender = strip(symbol.type)
                if lender.tag == "thing" and self.work.field_of(lender.name, name.text) is not None:
                    self.work.used.add(f"{symbol.owner}.{symbol.name}")
                    through: IR = {"op": "field", "of": base, "owner": symbol.owner, "name": symbol.name}
                    return self._member_of_one(through, symbol.type, lender, name, scope)
        return None

    def _value_of_one(self, base: IR, kind: Type, name: t.Word, scope: Scope) -> Typed:
        for symbol in self.work.table.functions[name.text]:
            if isinstance(symbol, ValueSymbol):
                params = self.types.value_params(symbol)
                if len(params) == 1 and self.work.fits(kind, params[0][1]):
                    self.work.used.add(name.text)
                    return {"op": "value", "id": symbol.id, "args": [base]}, self.types.value_type(symbol)
        self.work.report(
            "N204", scope.origin, name, f"{describe(strip(kind))} has no field or value `{name.text}`"
        )
        return {"op": "none"}, ANY

    def _member_of_each(self, base: IR, item: Type, name: t.Word, scope: Scope) -> Typed:
        inner, number = scope.element(item)
        body, kind = self.member({"op": "local", "n": number}, item, name, inner)
        bare = strip(kind)
        flat = bare.tag in ("set", "list", "pile") and not (bare.tag == "pile" and bare.of[1])
        if bare.tag == "pile" and bare.of[1]:
            body, bare = {"op": "content", "of": body}, thing(bare.name)
        elif flat:
            body, bare = as_set(body, bare), item_of(bare)
        ir: IR = {"op": "each", "of": base, "n": number, "body": body}
        if flat:
            ir["flat"] = True
        return ir, many(bare, "list")

    def _index(self, node: t.Index, scope: Scope, want: Type | None) -> Typed:
        base, kind = self.expressions.expr(node.base, scope)
        bare = strip(kind)
        if bare.tag == "map":
            key = self.expressions.typed(node.index, scope, bare.of[0], "the key")
            return {"op": "look_up", "of": base, "key": key}, bare.of[1]
        if bare.tag == "bands":
            item = bare.of[0]
            if isinstance(node.index, (t.Name, t.Capital, t.Dot)):
                key, key_type = self.expressions.expr(node.index, scope)
                if strip(key_type).tag in ("thing", "words"):
                    return {"op": "look_up", "of": base, "key": key}, item
            number = self.expressions.number(node.index, scope, "the number looked up")
            return {"op": "band", "of": base, "at": number}, many(item, "list")
        if isinstance(node.index, t.Binary) and node.index.op == "..":
            low = self.expressions.number(node.index.left, scope)
            high = self.expressions.number(node.index.right, scope)
            if is_many(bare):
                return {"op": "slice", "of": as_set(base, bare), "low": low, "high": high}, many(
                    item_of(bare), "list"
                )
        if is_many(bare):
            at = self.expressions.number(node.index, scope, "the position")
            return {"op": "nth", "of": as_set(base, bare), "n": at}, item_of(bare)
        if bare.tag == "any":
            return {"op": "nth", "of": base, "n": self.expressions.expr(node.index, scope)[0]}, ANY
        self.work.report("T309", scope.origin, node, f"{describe(bare)} has no entries to look up")
        return {"op": "none"}, ANY


def _first_face(decl: t.DieDecl) -> Any:
    for item in decl.items:
        if isinstance(item, t.FieldValue) and item.path[0].text == "faces":
            body = item.body[0]
            return body.items[0] if isinstance(body, t.Elements) else body
    return None
