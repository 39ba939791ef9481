"""Operators between two expressions."""

from __future__ import annotations

from talewright.compiler.lower.expressions.conversions import (
    as_added,
    as_number,
    as_numbers,
    as_set,
    content,
    convert,
    roll_hint,
    square_of,
)
from talewright.compiler.lower.expressions.dispatcher import ExpressionHandler, Expressions
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.message_phrases import listed
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import KindSymbol, TraitSymbol, TypeSymbol
from talewright.compiler.types.model import (
    DICE,
    INT,
    PAIR,
    POOL,
    TARGET,
    TRUTH,
    Type,
    describe,
    is_dice_number,
    is_many,
    is_number,
    item_of,
    many,
    strip,
    thing,
)
from talewright.dsl.tree import nodes as t

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}
COMPARE = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


class Operators:
    """Comparison, arithmetic, sets, places and logic."""

    def __init__(self, work: FactRecorder, expressions: Expressions, names: Names) -> None:
        self.work = work
        self.expressions = expressions
        self.names = names

    def handlers(self) -> dict[type[t.Node], ExpressionHandler]:
        """The nodes that this part lowers."""
        return {
            t.Binary: self._binary,
            t.Within: self._within,
            t.InSpan: self._in_span,
            t.Not: self._not,
            t.Pick: self._pick,
            t.During: self._during,
        }

    def _binary(self, node: t.Binary, scope: Scope, want: Type | None) -> Typed:
        op = node.op
        if op in ("and", "or"):
            return {
                "op": op,
                "a": self.expressions.condition(node.left, scope),
                "b": self.expressions.condition(node.right, scope),
            }, TRUTH
        if op in COMPARE:
            return self._compare(node, scope)
        if op in ARITHMETIC:
            return self._arithmetic(node, scope, want)
        if op in ("is", "is not"):
            ir = self._is(node, scope)
            return ({"op": "not", "of": ir} if op == "is not" else ir), TRUTH
        if op in ("in", "not in"):
            ir, kind = self._in(node, scope)
            if op == "not in":
                return {"op": "not", "of": ir}, TRUTH
            return ir, kind
        if op in ("near", "adjacent to"):
            return self._beside(node, scope)
        if op in ("following", "starting with"):
            return self._rotate(node, scope)
        if op == "includes":
            return self._includes(node, scope)
        if op == "knows":
            seat = self.expressions.decider(node.left, scope)
            what, kind = self.expressions.expr(node.right, scope)
            bare = strip(kind)
            if bare.tag == "pile" and bare.of[1]:
                what = {"op": "content", "of": what}
            return {"op": "knows", "who": seat, "what": what}, TRUTH
        if op == "..":
            return {
                "op": "span",
                "low": self.expressions.number(node.left, scope),
                "high": self.expressions.number(node.right, scope),
            }, many(INT, "list")
        left, _ = self.expressions.expr(node.left, scope)
        right, _ = self.expressions.expr(node.right, scope)
        return {"op": "pair", "a": left, "b": right}, PAIR

    def _compare(self, node: t.Binary, scope: Scope) -> Typed:
        left, have = self.expressions.expr(node.left, scope)
        right, other = self.expressions.expr(node.right, scope, have)
        a, b = strip(have), strip(other)
        if is_number(a) and is_number(b):
            return {
                "op": COMPARE[node.op],
                "a": as_number(left, a),
                "b": as_number(right, b),
            }, TRUTH
        if node.op in ("==", "!="):
            if not (self.work.fits(have, other) or self.work.fits(other, have)):
                self.expressions.never_same(node.right, scope, a, b)
            ir = self._same(left, a, right, b)
            return (ir if node.op == "==" else {"op": "not", "of": ir}), TRUTH
        if a.tag == "words" and b.tag == "words":
            ordered = self.work.table.kinds.get(a.name or b.name)
            if isinstance(ordered, TypeSymbol) and ordered.ordered:
                return {"op": COMPARE[node.op], "a": {"op": "rank", "of": left, "words": list(ordered.words)},
                        "b": {"op": "rank", "of": right, "words": list(ordered.words)}}, TRUTH  # fmt: skip
            self.work.report(
                "T305", scope.origin, node, f"the words of {describe(a)} have no order",
                "declare them with `<` between them, from the least to the greatest",
            )  # fmt: skip
            return {"op": "truth", "v": True}, TRUTH
        wrong, kind = (node.left, a) if not is_number(a) else (node.right, b)
        self.work.report(
            "T305", scope.origin, wrong, f"`{node.op}` compares numbers, but this is {describe(kind)}",
            roll_hint(kind),
        )  # fmt: skip
        return {"op": "truth", "v": True}, TRUTH

    def _same(self, left: IR, a: Type, right: IR, b: Type) -> IR:
        """Whether two values are the same: sets by their members, lists by their order, too."""
        if _has_members(a) and _has_members(b):
            first, second = as_set(left, a), as_set(right, b)
            if is_number(item_of(a)) and is_number(item_of(b)) and item_of(a) != item_of(b):
                first, second = as_numbers(first, a), as_numbers(second, b)
            ir: IR = {"op": "same", "a": first, "b": second}
            return ir if a.tag == b.tag == "list" else ir | {"unordered": True}
        return {"op": "same", "a": self._plain_thing(left, a), "b": self._plain_thing(right, b)}

    def _plain_thing(self, ir: IR, kind: Type) -> IR:
        return {"op": "content", "of": ir} if kind.tag == "pile" and kind.of[1] else ir

    def _arithmetic(self, node: t.Binary, scope: Scope, want: Type | None) -> Typed:
        left, have = self.expressions.as_written(node.left, scope, want)
        a = strip(have)
        if a.tag == "sort" and node.op == "*":
            amount = self.expressions.number(node.right, scope, "the number of copies")
            return {"op": "some_copies", "of": left, "count": amount}, many(thing(a.of[0]))
        beside = have if is_many(a) else want
        if isinstance(node.left, t.Braces) and not (want is not None and strip(want).tag == "list"):
            beside = many(item_of(a))
        right, other = self.expressions.expr(node.right, scope, beside)
        b = strip(other)
        if node.op == "*" and "dice" in (a.tag, b.tag):
            dice, count, number = (right, left, a) if b.tag == "dice" else (left, right, b)
            if is_number(number):
                return {"op": "many_dice", "dice": dice, "count": as_number(count, number)}, DICE
        if node.op in ("+", "-") and (is_many(a) or a.tag == "none") and not is_number(a):
            return self._set_arithmetic(node, left, a, right, b, scope, want)
        if a.tag == "thing" and node.op in ("+", "-") and (is_many(b) or b.tag == "thing"):
            return self._set_arithmetic(node, left, a, right, b, scope, want)
        for side, kind in ((node.left, a), (node.right, b)):
            if not is_number(kind):
                self.work.report(
                    "T305", scope.origin, side, f"`{node.op}` needs numbers, but this is {describe(kind)}",
                    roll_hint(kind),
                )  # fmt: skip
                return {"op": "int", "v": 0}, INT
        result = TARGET if TARGET in (a, b) and node.op in ("+", "-") else INT
        return {
            "op": ARITHMETIC[node.op],
            "a": as_number(left, a),
            "b": as_number(right, b),
        }, result

    def _set_arithmetic(
        self, node: t.Binary, left: IR, a: Type, right: IR, b: Type, scope: Scope, want: Type | None
    ) -> Typed:
        if node.op not in ("+", "-"):
            self.work.report(
                "T305", scope.origin, node, f"`{node.op}` needs numbers, but this is {describe(a)}"
            )
            return left, a
        if b.tag == "pile" and b.of[1]:
            right, b = {"op": "content", "of": right}, thing(b.name)
        op = "union" if node.op == "+" else "minus"
        first, second = (item_of(a) if is_many(a) else a), (item_of(b) if is_many(b) else b)
        kind = self.work.join_two(first, second) if op == "union" else first
        ir: IR = {"op": op, "a": as_set(left, a), "b": as_added(right, b, strip(first))}
        # Braces and a single thing are a list where a list is wanted.
        wanted = "list" in (b.tag, strip(want).tag if want is not None else "")
        braces = node.left if isinstance(node.left, t.Braces) else None
        if (wanted and not is_many(a)) or (a.tag == "list" and (wanted or braces is None)):
            return ir | {"repeats": True}, many(kind, "list")
        if braces is not None:
            ir["a"] = self.expressions.once_each(ir["a"], many(first), braces, scope)
        return ir, many(kind)

    def _is(self, node: t.Binary, scope: Scope) -> IR:
        left, have = self.expressions.expr(node.left, scope)
        a = strip(have)
        right = node.right
        if isinstance(right, t.Nothing):
            return {"op": "is_none", "of": self._plain_thing(left, a)}
        if a.tag == "border" and isinstance(right, t.Name):
            return {"op": "same", "a": left, "b": {"op": "word", "v": right.name}}
        if isinstance(right, t.Name) and right.name not in scope.names:
            if right.name in ("face_up", "face_down"):
                return {"op": "is_face", "of": self._plain_thing(left, a), "face": right.name}
            if right.name == "empty":
                if not is_many(a):
                    self.work.report(
                        "T309", scope.origin, node.left, f"only a set can be empty, and this is {describe(a)}"
                    )
                return {"op": "is_empty", "of": as_set(left, a)}
        if isinstance(right, (t.Capital, t.TraitValue)) and not (
            isinstance(right, t.Capital) and (right.name in self.work.table.names or a.tag == "mark")
        ):
            symbol = self.work.table.kinds.get(right.name)
            if _has_members(a) and isinstance(symbol, KindSymbol | TraitSymbol):
                self._one_thing_is(node, a, scope)
            if isinstance(symbol, KindSymbol):
                self.work.used.add(right.name)
                if a.tag == "thing" and not self.work.related(a.name, right.name):
                    self.work.report(
                        "T301", scope.origin, node, f"{describe(a)} can never be of the kind `{right.name}`",
                        listed("it can be", [k for k in self.work.descendants(a.name) if k != a.name][:6]),
                    )  # fmt: skip
                return {"op": "is_kind", "of": self._plain_thing(left, a), "kind": right.name}
            if isinstance(symbol, TraitSymbol):
                self.work.used.add(right.name)
                return {"op": "is_trait", "of": self._plain_thing(left, a), "trait": right.name}
        other, kind = self.expressions.expr(right, scope, have)
        b = strip(kind)
        if a.tag == "die" and b.tag in ("words", "thing"):
            return {"op": "same", "a": {"op": "die_prop", "name": "face", "of": left}, "b": other}
        if b.tag == "sort" and _has_members(a):
            other, kind = as_set(other, b), many(item_of(b))
            b = kind
        elif b.tag == "sort":
            if a.tag == "sort":
                return {"op": "same", "a": left, "b": other}
            if a.tag == "thing" and not self.work.related(a.name, b.of[0]):
                self.expressions.never_same(right, scope, a, b)
            return {"op": "is_sort", "of": self._plain_thing(left, a), "sort": other}
        if a.tag == "pile" and b.tag == "pile" and not (a.of[1] and b.of[1]):
            return {"op": "same_pile", "a": left, "b": other}
        if a.tag == "truth" and b.tag == "truth":
            return {"op": "same", "a": left, "b": other}
        if b.tag == "thing" and is_many(a) and not (a.tag == "pile" and a.of[1]):
            self._one_thing_is(node, a, scope)
        elif not (self.work.fits(have, kind) or self.work.fits(kind, have)):
            self.expressions.never_same(right, scope, a, b)
        if is_number(a) and is_number(b):
            op = "same" if "optional" in (have.tag, kind.tag) else "eq"
            return {"op": op, "a": as_number(left, a), "b": as_number(other, b)}
        if {a.tag, b.tag} == {"any", "cell"}:
            left, other = (square_of(left), other) if a.tag == "any" else (left, square_of(other))
        return self._same(left, a, other, b)

    def _one_thing_is(self, node: t.Binary, have: Type, scope: Scope) -> None:
        self.work.report(
            "T304", scope.origin, node.left, f"`is` compares one thing, but this is {describe(have)}",
            "write `includes` to ask whether it is among them"
            if not isinstance(node.right, t.Capital | t.TraitValue)
            else "write `any` or `no` before it, and `where it is` behind it",
        )  # fmt: skip

    def _in(self, node: t.Binary, scope: Scope) -> Typed:
        right, other = self.expressions.as_written(node.right, scope)
        b = strip(other)
        left, have = self.expressions.expr(node.left, scope, item_of(b) if is_many(b) else None)
        a = strip(have)
        if a.tag == "pile" and a.of[1]:
            left, a = {"op": "content", "of": left}, thing(a.name)
        if a.tag in ("set", "list", "sort", "pile"):
            return self._part_of(as_set(left, a), item_of(a), right, b, node, scope)
        return self._lies_in(left, a, right, b, node, scope), TRUTH

    def _part_of(self, left: IR, item: Type, right: IR, b: Type, node: t.Binary, scope: Scope) -> Typed:
        number = scope.unit.new("it", item)
        test = self._lies_in({"op": "local", "n": number}, item, right, b, node, scope)
        return {"op": "filter", "of": left, "n": number, "test": test}, many(item)

    def _lies_in(self, left: IR, a: Type, right: IR, b: Type, node: t.Binary, scope: Scope) -> IR:
        if a.tag == "any" and is_many(b) and strip(item_of(b)).tag == "cell":
            return {"op": "inside", "thing": {"op": "prop", "name": "cells", "of": left}, "where": right}
        if b.tag == "any" or a.tag == "any":
            return {"op": "member", "item": left, "of": right}
        if b.tag == "pile":
            if is_number(a) or a.tag in ("text", "truth", "words"):
                self.expressions.mismatch(node.left, scope, f"what may be in {describe(b)}", a, thing(b.name))
            return {"op": "lies_in", "thing": left, "pile": right}
        if b.tag in ("set", "list", "sort", "pool"):
            inner = strip(item_of(b))
            if a.tag == "thing" and inner.tag in ("cell", "spot"):
                return {"op": "inside", "thing": left, "where": right}
            if a.tag in ("cell", "spot") and inner.tag == "thing":
                return {"op": "inside_any", "thing": left, "where": as_set(right, b)}
            if (a.tag == "thing" and inner.tag == "thing" and not self.work.related(a.name, inner.name)
                    and self.work.is_a(inner.name, "Place")):  # fmt: skip
                return {"op": "inside_any", "thing": left, "where": as_set(right, b)}
            if not (self.work.fits(a, inner) or self.work.fits(inner, a)) or (
                a.tag == "dice" and is_number(inner)
            ):
                self.expressions.mismatch(node.left, scope, f"what may be in {describe(b)}", a, inner)
            members = as_set(right, b)
            if is_number(a) and is_number(inner) and a != inner:
                left, members = as_number(left, a), as_numbers(members, b)
            return {"op": "member", "item": left, "of": members}
        if b.tag in ("thing", "cell", "spot"):
            if a.tag not in ("thing", "cell", "spot"):
                self.expressions.mismatch(node.left, scope, "what stands somewhere", a, thing("Thing"))
            return {"op": "inside", "thing": left, "where": right}
        self.work.report("T309", scope.origin, node.right, f"nothing can be in {describe(b)}")
        return {"op": "truth", "v": True}

    def _beside(self, node: t.Binary, scope: Scope) -> Typed:
        right, other = self.expressions.expr(node.right, scope)
        left, have = self.expressions.expr(node.left, scope)
        a, b = strip(have), strip(other)
        op = "near" if node.op == "near" else "adjacent"
        if b.tag == "pile" and b.of[1]:
            right = {"op": "content", "of": right}
        if a.tag in ("set", "list", "sort", "pile"):
            number = scope.unit.new("it", item_of(a))
            test: IR = {"op": op, "a": {"op": "local", "n": number}, "b": right}
            return {"op": "filter", "of": as_set(left, a), "n": number, "test": test}, many(item_of(a))
        return {"op": op, "a": left, "b": right}, TRUTH

    def _within(self, node: t.Within, scope: Scope, want: Type | None) -> Typed:
        right, _ = self.expressions.expr(node.right, scope)
        far = self.expressions.number(node.distance, scope, "the distance")
        left, have = self.expressions.expr(node.left, scope)
        a = strip(have)
        if a.tag in ("set", "list", "sort", "pile"):
            number = scope.unit.new("it", item_of(a))
            test: IR = {"op": "within", "a": {"op": "local", "n": number}, "far": far, "b": right}
            return {"op": "filter", "of": as_set(left, a), "n": number, "test": test}, many(item_of(a))
        return {"op": "within", "a": left, "far": far, "b": right}, TRUTH

    def _rotate(self, node: t.Binary, scope: Scope) -> Typed:
        left, kind = self.expressions.collection(node.left, scope, f"what stands before `{node.op}`")
        right, _ = self.expressions.expr(node.right, scope)
        return {"op": "rotate", "of": left, "from": right, "first": node.op == "starting with"}, many(
            item_of(kind), "list"
        )

    def _includes(self, node: t.Binary, scope: Scope) -> Typed:
        left, kind = self.expressions.collection(node.left, scope, "what stands before `includes`")
        right, other = self.expressions.as_written(node.right, scope, kind)
        b = strip(other)
        if b.tag == "sort":
            return {"op": "includes", "of": left, "items": {"op": "set", "items": [right]}}, TRUTH
        item = strip(item_of(kind))
        if not is_number(item):
            return {"op": "includes", "of": left, "items": as_set(right, b)}, TRUTH
        if item.tag == "die" and not is_dice_number(strip(item_of(b)) if is_many(b) else b):
            left, item = as_numbers(left, kind), INT
        return {"op": "includes", "of": left, "items": as_added(right, b, item)}, TRUTH

    def _in_span(self, node: t.InSpan, scope: Scope, want: Type | None) -> Typed:
        return {"op": "between", "of": self.expressions.number(node.value, scope), "low": self.expressions.number(node.low, scope),
                "high": self.expressions.number(node.high, scope)}, TRUTH  # fmt: skip

    def _not(self, node: t.Not, scope: Scope, want: Type | None) -> Typed:
        return {"op": "not", "of": self.expressions.condition(node.inner, scope)}, TRUTH

    def _pick(self, node: t.Pick, scope: Scope, want: Type | None) -> Typed:
        condition = self.expressions.condition(node.condition, scope)
        yes, a = self.expressions.expr(node.yes, scope, want)
        no, b = self.expressions.expr(node.no, scope, want or a)
        one, other = strip(a), strip(b)
        if "dice" in (one.tag, other.tag) and one.tag != other.tag:
            yes, no = convert(yes, one, POOL), convert(no, other, POOL)
            return {"op": "pick", "if": condition, "yes": yes, "no": no}, POOL
        if is_number(one) and is_number(other) and one != other:
            yes, no = as_number(yes, one), as_number(no, other)
        if a != b:
            (yes, a), (no, b) = content(yes, a), content(no, b)
        joined = self.work.join_two(a, b)
        if joined.tag in ("set", "list"):
            yes, no = convert(yes, strip(a), joined), convert(no, strip(b), joined)
        return {"op": "pick", "if": condition, "yes": yes, "no": no}, joined

    def _during(self, node: t.During, scope: Scope, want: Type | None) -> Typed:
        moment = self.names.moment(node.name, scope)
        ir: IR = {"op": "during", "moment": moment}
        if node.of is not None:
            ir["of"] = self.expressions.expr(node.of, scope)[0]
        return ir, TRUTH


def _has_members(kind: Type) -> bool:
    """Whether `is` compares what lies in it; a slot for one reads as its content, and a sort is what copies have in common."""
    return kind.tag in ("set", "list") or (kind.tag == "pile" and not kind.of[1])
