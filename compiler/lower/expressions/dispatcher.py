"""Expressions: finds who lowers each node, and makes the value fit the place where it stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talewright.compiler.lower.expressions.conversions import (
    as_number,
    as_set,
    convert,
    each_once,
    roll_hint,
)
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.types.model import (
    ANY,
    INT,
    TRUTH,
    Type,
    describe,
    is_many,
    is_number,
    item_of,
    many,
    strip,
    thing,
)
from talewright.dsl.tree import nodes as t

# Lowers one sort of node: the node, what is in scope, and the type its place asks for, if any.
ExpressionHandler = Callable[[Any, Scope, Type | None], Typed]


class Expressions:
    """Lowers expressions, each node by the part that knows it."""

    def __init__(self, work: FactRecorder) -> None:
        self.work = work
        self.handlers: dict[type[t.Node], ExpressionHandler] = {}

    def expr(self, node: t.Expr, scope: Scope, want: Type | None = None) -> Typed:
        """The meaning and the type of an expression; `want` guides names that mean several things."""
        handler = self.handlers.get(type(node))
        if handler is None:
            return self.other_expr(node, scope, want)
        return handler(node, scope, want)

    def other_expr(self, node: Any, scope: Scope, want: Type | None) -> Typed:
        """A statement where a value belongs."""
        self.work.report(
            "T301", scope.origin, node, "this is something to do, not a value", "write a value here"
        )
        return {"op": "none"}, ANY

    def as_written(self, node: t.Expr, scope: Scope, want: Type | None = None) -> Typed:
        """An expression whose members count as often as they are written: braces are a list here."""
        if isinstance(node, t.Braces):
            want = many(item_of(strip(want)) if want is not None else ANY, "list")
        return self.expr(node, scope, want)

    def once_each(self, ir: IR, kind: Type, node: t.Braces, scope: Scope) -> IR:
        """The members of a set in braces, each once; one that is written twice is reported."""
        written = [scope.origin.source.text[entry.start : entry.end] for entry in node.entries]
        for index, entry in enumerate(node.entries):
            if written[index] in written[:index] and not isinstance(entry, t.Query):
                self.work.report(
                    "T323", scope.origin, entry, f"a set holds each member once, and `{written[index]}` is in it already",
                    "leave it out; where a list is wanted, or in `total( )`, braces keep what repeats",
                )  # fmt: skip
        return each_once(ir, kind)

    def typed(self, node: t.Expr, scope: Scope, want: Type, what: str) -> IR:
        """An expression that must fit a type."""
        ir, have = self.expr(node, scope, want)
        return self.coerce(ir, have, want, node, scope, what)

    def coerce(self, ir: IR, have: Type, want: Type, node: t.Node, scope: Scope, what: str) -> IR:
        """Makes a value fit a type, or reports that it does not."""
        target = strip(want)
        source = strip(have)
        if target.tag == "sort" and source.tag == "thing" and self.work.fits(have, want):
            return {"op": "prop", "name": "sort", "of": ir}
        if source.tag == "sort" and target.tag in ("thing", "role"):
            if scope.lenient:
                return {"op": "one_of", "of": ir}
            self.work.report(
                "T304", scope.origin, node, f"`{source.name}` has several copies, and {what} needs one thing",
                f"write `first {source.name}` with a condition, or name a copy: `{source.name}_1`",
            )  # fmt: skip
            return ir
        if source.tag == "pile" and target.tag == "thing" and source.of[1]:
            ir, source = {"op": "content", "of": ir}, thing(source.name)
        if source.tag in ("set", "list") and target.tag == "thing" and target.name not in ("Thing",):
            self.work.report(
                "T304", scope.origin, node, f"{what} needs one thing, but this is {describe(source)}",
                "write `first`, `random` or `each` before it, or let somebody choose",
            )  # fmt: skip
            return ir
        if not self.work.fits(have, want):
            self.mismatch(node, scope, what, have, want)
            return ir
        return convert(ir, source, target)

    def mismatch(self, node: t.Node, scope: Scope, what: str, have: Type, want: Type) -> None:
        """Reports a wrong type."""
        self.work.report(
            "T301", scope.origin, node, f"{what} must be {describe(want)}, but this is {describe(have)}",
            roll_hint(have),
        )  # fmt: skip

    def never_same(self, node: t.Node, scope: Scope, one: Type, other: Type) -> None:
        """Reports a comparison that can only have one answer."""
        self.work.report(
            "T301", scope.origin, node, f"{describe(one)} can never be {describe(other)}",
            "compare two of one sort",
        )  # fmt: skip

    def condition(self, node: t.Expr, scope: Scope) -> IR:
        """An expression that must be yes or no."""
        ir, have = self.expr(node, scope, TRUTH)
        kind = strip(have)
        if kind.tag in ("truth", "condition", "any"):
            return ir if kind.tag != "condition" else {"op": "holds", "of": ir}
        if is_many(kind) or kind.tag == "pile":
            text = scope.origin.source.text[node.start : node.end]
            self.work.report(
                "T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}",
                "write `any` or `no` before it", fix=f"any {text}",
            )  # fmt: skip
        elif kind.tag == "thing":
            self.work.report(
                "T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}",
                "write `is not none` after it",
            )  # fmt: skip
        else:
            self.work.report(
                "T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}"
            )
        return {"op": "truth", "v": True}

    def number(self, node: t.Expr, scope: Scope, what: str = "this") -> IR:
        """An expression that must be a number."""
        ir, have = self.expr(node, scope, INT)
        kind = strip(have)
        if not is_number(kind):
            self.work.report("T305", scope.origin, node, f"{what} must be a number, but this is {describe(kind)}",
                        roll_hint(kind))  # fmt: skip
            return {"op": "int", "v": 0}
        return as_number(ir, kind)

    def collection(self, node: t.Expr, scope: Scope, what: str = "this", repeats: bool = False) -> Typed:
        """An expression that must be a set, list or container; its type is then a set or list."""
        ir, have = self.as_written(node, scope) if repeats else self.expr(node, scope)
        kind = strip(have)
        if kind.tag == "any":
            return ir, many(ANY)
        if not is_many(kind) and kind.tag != "map":
            if kind.tag == "thing":
                return {"op": "set", "items": [ir], "drop": True}, many(kind)
            self.work.report(
                "T309", scope.origin, node, f"{what} must be a set, but this is {describe(kind)}"
            )
            return {"op": "set", "items": []}, many(ANY)
        return as_set(ir, kind), many(item_of(kind), "list" if kind.tag == "list" else "set")

    def decider(self, node: t.Expr, scope: Scope) -> IR:
        """Somebody who can be asked."""
        ir, have = self.expr(node, scope, Type("role"))
        kind = strip(have)
        if kind.tag != "any" and not self.work.decides(kind):
            self.work.report(
                "T321", scope.origin, node, f"nobody can be asked here: this is {describe(kind)}",
                "name a seat, a team, or a thing with a field of a role",
            )  # fmt: skip
        if kind.tag == "thing" and not self.work.is_role(kind.name):
            return {"op": "decider", "of": ir, "kind": kind.name}
        return ir
