"""Literals, texts, sets and maps as they are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from talewright.compiler.lower.expressions.conversions import (
    as_number,
    as_set,
)
from talewright.compiler.lower.expressions.dispatcher import ExpressionHandler, Expressions
from talewright.compiler.lower.fact_recorder import FactRecorder
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
    strip,
    thing,
    type_json,
)
from talewright.dsl.source import Span
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import replace

_UNKNOWN_NAMES = frozenset(("N201", "N203", "N204", "N205"))


class Literals:
    """What stands for itself."""

    def __init__(self, work: FactRecorder, expressions: Expressions) -> None:
        self.work = work
        self.expressions = expressions

    def handlers(self) -> dict[type[t.Node], ExpressionHandler]:
        """The nodes that this part lowers."""
        return {
            t.Number: self._number_lit,
            t.Target: self._target,
            t.Dice: self._dice,
            t.Size: self._size,
            t.Text: self._text,
            t.Truth: self._truth,
            t.Nothing: self._none,
            t.Group: self._group,
            t.Braces: self._braces,
            t.EntryPair: self._entry_pair,
        }

    def _number_lit(self, node: t.Number, scope: Scope, want: Type | None) -> Typed:
        # One that is too large was found when the text was read (S107).
        return {"op": "int", "v": node.value if abs(node.value) <= 10**9 else 0}, INT

    def _target(self, node: t.Target, scope: Scope, want: Type | None) -> Typed:
        return {"op": "int", "v": min(node.value, 10**9)}, TARGET

    def _dice(self, node: t.Dice, scope: Scope, want: Type | None) -> Typed:
        if not 1 <= node.sides <= 10**6 or not 0 < node.count <= 1000:
            self.work.report(
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
        return self.expressions.expr(node.inner, scope, want)

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
                self.work.report(
                    "X601", scope.origin, t.Node(start, end),
                    "nothing that can be read stands between these braces", "write `{name}` or `{thing.field}`",
                )  # fmt: skip
                continue
            before = len(self.work.findings)
            ir, kind = self.expressions.expr(inner, scope)
            if len(self.work.findings) > before:
                self._unknown_in_text(before, scope.origin.source.span(start, end))
            parts.append({"op": "show", "of": ir, "type": type_json(kind)})
        return {"op": "text", "parts": parts}

    def _unknown_in_text(self, before: int, braces: Span) -> None:
        """Findings about names inside the braces of a text get the code that says so."""
        for index in range(before, len(self.work.findings)):
            found = self.work.findings[index]
            at = found.span
            inside = at.file == braces.file and at.line == braces.line and at.column >= braces.column
            if found.code in _UNKNOWN_NAMES and inside and at.end_column <= braces.end_column:
                self.work.findings[index] = replace(found, code="X601", name=CODES["X601"][0])

    def _braces(self, node: t.Braces, scope: Scope, want: Type | None) -> Typed:
        goal = strip(want) if want else None
        if node.entries and all(isinstance(e, t.EntryPair) for e in node.entries):
            pairs = [cast(t.EntryPair, e) for e in node.entries]
            return self._map_literal([(p.key_expression(), p.amount) for p in pairs], scope, goal)
        if not node.entries and goal is not None and goal.tag == "map":
            return self._map_literal([], scope, goal)
        inner = item_of(goal) if goal and goal.tag in ("set", "list", "pile") else None
        if inner is ANY:
            inner = None
        items: list[IR] = []
        kinds: list[Type] = []
        repeats = False
        for entry in node.entries:
            ir, kind = self.expressions.expr(entry, scope, inner)
            kind = strip(kind)
            if kind.tag == "sort" and inner is not None and inner.tag == "sort":
                pass
            elif kind.tag == "sort":
                ir = {"op": "one_of", "of": ir} if scope.lenient else {"op": "spread", "of": as_set(ir, kind)}
                kind = thing(kind.of[0])
            elif kind.tag == "pile" and kind.of[1]:
                ir, kind = {"op": "content", "of": ir}, thing(kind.name)
            elif kind.tag == "pool" and not (inner and is_dice_number(inner)):
                ir, kind = as_number(ir, kind), INT
            elif is_many(kind) and not (inner and inner.tag in ("set", "list")):
                repeats = repeats or kind.tag == "list"
                ir, kind = {"op": "spread", "of": as_set(ir, kind)}, item_of(kind)
            items.append(ir)
            kinds.append(kind)
        numbers = any(is_number(kind) and not is_dice_number(kind) and kind.tag != "any" for kind in kinds)
        if inner is not None and inner.tag == "die" and numbers:
            inner = None
        common = inner if inner is not None and inner.tag != "any" else self.work.join(kinds)
        for entry, kind in zip(node.entries, kinds, strict=True):
            if kind.tag == "dice" and any(is_number(other) for other in kinds):
                self.expressions.mismatch(entry, scope, "a member beside numbers", kind, INT)
        if is_number(common) and not is_dice_number(common):
            items = [self._number_member(ir, kind) for ir, kind in zip(items, kinds, strict=True)]
        made: IR = {"op": "set", "items": items, "drop": True}
        if goal is not None and goal.tag == "list":
            return made, many(common, "list")
        # In a test `{coin, coin}` are two copies.
        copies = any(item["op"] == "one_of" for item in items) or (goal is not None and goal.tag == "pile")
        if not copies:
            source = many(common, "list" if repeats else "set")
            made = self.expressions.once_each(made, source, node, scope)
        return made, many(common)

    def _number_member(self, ir: IR, kind: Type) -> IR:
        if ir["op"] == "spread" and kind.tag == "die":
            return {"op": "spread", "of": {"op": "each_die", "of": ir["of"]}}
        return as_number(ir, kind)

    def _map_literal(self, pairs: Sequence[tuple[t.Expr, t.Expr]], scope: Scope, goal: Type | None) -> Typed:
        key = goal.of[0] if goal and goal.tag == "map" else None
        value = goal.of[1] if goal and goal.tag == "map" else None
        rows: list[list[IR]] = []
        key_types: list[Type] = []
        value_types: list[Type] = []
        for name, amount in pairs:
            k, kt = self.expressions.expr(name, scope, key)
            v, vt = self.expressions.expr(amount, scope, value)
            if key is not None:
                k = self.expressions.coerce(k, kt, key, name, scope, "this key")
            elif is_dice_number(strip(kt)):
                k, kt = as_number(k, strip(kt)), INT
            if value is not None:
                v = self.expressions.coerce(v, vt, value, amount, scope, "this entry")
            elif is_dice_number(strip(vt)):
                v, vt = as_number(v, strip(vt)), INT
            rows.append([k, v])
            key_types.append(kt)
            value_types.append(vt)
        type_ = Type("map", "", (key or self.work.join(key_types), value or self.work.join(value_types)))
        return {"op": "map", "rows": rows}, type_

    def _entry_pair(self, node: t.EntryPair, scope: Scope, want: Type | None) -> Typed:
        return self._map_literal([(node.key_expression(), node.amount)], scope, strip(want) if want else None)
