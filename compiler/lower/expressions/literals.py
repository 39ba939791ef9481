"""Literals, texts, sets and maps as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from talewright.compiler.lower.expressions.conversions import Conversions
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.types.codes import CODES
from talewright.compiler.types.model import (
    ANY,
    DICE,
    INT,
    NONE,
    SIZE,
    TARGET,
    TEXT,
    TRUTH,
    Type,
    is_dice_number,
    is_many,
    is_number,
    item_of,
    many,
    optional,
    strip,
    thing,
    type_json,
)
from talewright.dsl.source import Span
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import replace

_UNKNOWN_NAMES = frozenset(("N201", "N203", "N204", "N205"))


class Literals(Conversions):
    """What stands for itself."""

    def _number_lit(self, node: t.Number, scope: Scope, want: Type | None) -> Typed:
        # One that is too large was found when the text was read (S107).
        return {"op": "int", "v": node.value if abs(node.value) <= 10**9 else 0}, INT

    def _target(self, node: t.Target, scope: Scope, want: Type | None) -> Typed:
        return {"op": "int", "v": min(node.value, 10**9)}, TARGET

    def _dice(self, node: t.Dice, scope: Scope, want: Type | None) -> Typed:
        if not 1 <= node.sides <= 10**6 or not 0 < node.count <= 1000:
            self.report(
                "T322",
                scope.origin,
                node,
                "too many dice, or too many sides",
                "up to 1000 dice of up to a million sides",
            )
            return {"op": "dice", "n": 1, "sides": 6}, DICE
        return {"op": "dice", "n": node.count, "sides": node.sides}, DICE

    def _size(self, node: t.Size, scope: Scope, want: Type | None) -> Typed:
        return {"op": "size", "w": min(node.width, 99), "h": min(node.height, 99)}, SIZE

    def _text(self, node: t.Text, scope: Scope, want: Type | None) -> Typed:
        return self.text(node, scope), TEXT

    def _truth(self, node: t.Truth, scope: Scope, want: Type | None) -> Typed:
        return {"op": "truth", "v": node.value}, TRUTH

    def _none(self, node: t.Nothing, scope: Scope, want: Type | None) -> Typed:
        return {"op": "none"}, NONE

    def _group(self, node: t.Group, scope: Scope, want: Type | None) -> Typed:
        return self.expr(node.inner, scope, want)

    def text(self, node: t.Text, scope: Scope) -> IR:
        """A text with the expressions inside its braces."""
        if "{" not in node.raw and "\\" not in node.raw:
            return {"op": "text", "parts": [node.raw]}
        from talewright.compiler.lower.expressions.interpolation import parts_of

        parts: list[Any] = []
        for part in parts_of(node):
            if isinstance(part, str):
                parts.append(part)
                continue
            start, end, inner = part
            if inner is None:
                self.report(
                    "X601", scope.origin, t.Node(start, end),
                    "nothing that can be read stands between these braces", "write `{name}` or `{thing.field}`",
                )  # fmt: skip
                continue
            before = len(self.findings)
            ir, kind = self.expr(inner, scope)
            if len(self.findings) > before:
                self._unknown_in_text(before, scope.origin.source.span(start, end))
            parts.append({"op": "show", "of": ir, "type": self.type_ir(kind)})
        return {"op": "text", "parts": parts}

    def _unknown_in_text(self, before: int, braces: Span) -> None:
        """Findings about names inside the braces of a text get the code that says so."""
        for index in range(before, len(self.findings)):
            found = self.findings[index]
            at = found.span
            inside = at.file == braces.file and at.line == braces.line and at.column >= braces.column
            if found.code in _UNKNOWN_NAMES and inside and at.end_column <= braces.end_column:
                self.findings[index] = replace(found, code="X601", name=CODES["X601"][0])

    def _braces(self, node: t.Braces, scope: Scope, want: Type | None) -> Typed:
        goal = strip(want) if want else None
        if node.entries and all(isinstance(e, t.EntryPair) for e in node.entries):
            pairs = [cast(t.EntryPair, e) for e in node.entries]
            return self._map_literal(
                [(t.Name(p.key.start, p.key.end, p.key.text), p.amount) for p in pairs], scope, goal
            )
        inner = item_of(goal) if goal and goal.tag in ("set", "list", "pile") else None
        items: list[IR] = []
        kinds: list[Type] = []
        for entry in node.entries:
            ir, kind = self.expr(entry, scope, inner)
            kind = strip(kind)
            if kind.tag == "sort" and inner is not None and inner.tag == "sort":
                pass
            elif kind.tag == "sort":
                ir = (
                    {"op": "one_of", "of": ir}
                    if scope.lenient
                    else {"op": "spread", "of": self.as_set(ir, kind)}
                )
                kind = thing(kind.of[0])
            elif kind.tag == "pile" and kind.of[1]:
                ir, kind = {"op": "content", "of": ir}, thing(kind.name)
            elif kind.tag == "pool" and not (inner and is_dice_number(inner)):
                ir, kind = self.number_ir(ir, kind), INT
            elif is_many(kind) and not (inner and inner.tag in ("set", "list")):
                ir, kind = {"op": "spread", "of": self.as_set(ir, kind)}, item_of(kind)
            items.append(ir)
            kinds.append(kind)
        common = inner if inner is not None and inner.tag != "any" else self.join(kinds)
        for entry, kind in zip(node.entries, kinds, strict=True):
            if kind.tag == "dice" and any(is_number(other) for other in kinds):
                self.mismatch(entry, scope, "a member beside numbers", kind, INT)
        if is_number(common) and not is_dice_number(common):
            items = [self._number_member(ir, kind) for ir, kind in zip(items, kinds, strict=True)]
        return {"op": "set", "items": items, "drop": True}, many(
            common, "list" if goal and goal.tag == "list" else "set"
        )

    def _number_member(self, ir: IR, kind: Type) -> IR:
        if ir["op"] == "spread" and kind.tag == "die":
            return {"op": "spread", "of": {"op": "each_die", "of": ir["of"]}}
        return self.number_ir(ir, kind)

    def _map_literal(self, pairs: Sequence[tuple[t.Expr, t.Expr]], scope: Scope, goal: Type | None) -> Typed:
        key = goal.of[0] if goal and goal.tag == "map" else None
        value = goal.of[1] if goal and goal.tag == "map" else None
        rows: list[list[IR]] = []
        key_types: list[Type] = []
        value_types: list[Type] = []
        for name, amount in pairs:
            k, kt = self.expr(name, scope, key)
            v, vt = self.expr(amount, scope, value)
            if key is not None:
                k = self.coerce(k, kt, key, name, scope, "this key")
            elif strip(kt).tag == "pool":
                k, kt = self.number_ir(k, strip(kt)), INT
            if value is not None:
                v = self.coerce(v, vt, value, amount, scope, "this entry")
            elif is_dice_number(strip(vt)):
                v, vt = self.number_ir(v, strip(vt)), INT
            rows.append([k, v])
            key_types.append(kt)
            value_types.append(vt)
        type_ = Type("map", "", (key or self.join(key_types), value or self.join(value_types)))
        return {"op": "map", "rows": rows}, type_

    def join(self, kinds: Sequence[Type]) -> Type:
        """The narrowest type that all of them fit."""
        if not kinds:
            return ANY
        result = kinds[0]
        for kind in kinds[1:]:
            result = self.join_two(result, kind)
        return result

    def join_two(self, a: Type, b: Type) -> Type:
        """The narrowest type that both fit."""
        if a == b:
            return a
        if a.tag == "none" or b.tag == "none":
            return optional(b if a.tag == "none" else a)
        if a.tag == "optional" or b.tag == "optional":
            return optional(self.join_two(strip(a), strip(b)))
        if a.tag == "thing" and b.tag == "thing":
            above = set(self.lineage(b.name))
            return thing(next((k for k in self.lineage(a.name) if k in above), "Thing"))
        if is_number(a) and is_number(b):
            return INT
        if a.tag == "words" and b.tag == "words":
            return a if set(b.of) <= set(a.of) else Type("words", "", tuple(dict.fromkeys((*a.of, *b.of))))
        if is_many(a) and is_many(b):
            return many(self.join_two(item_of(a), item_of(b)))
        if is_many(a) and b.tag == "thing":
            return many(self.join_two(item_of(a), b))
        if is_many(b) and a.tag == "thing":
            return many(self.join_two(a, item_of(b)))
        return ANY

    def type_ir(self, kind: Type) -> Any:
        """A type as the document writes it."""
        return type_json(kind)
