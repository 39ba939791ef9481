"""Entry points of elaborating an expression, and the conversions its place asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from talewright.compiler.lower.interfaces import Parts, Typed
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.types.model import (
    ANY,
    INT,
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


class Conversions(Parts):
    """What is wanted of an expression, and how it is made to fit."""

    def expr(self, node: t.Expr, scope: Scope, want: Type | None = None) -> Typed:
        """The meaning and the type of an expression; `want` guides names that mean several things."""
        handler = self._handlers.get(type(node))
        if handler is None:
            return self.other_expr(node, scope, want)
        return handler(self, node, scope, want)

    def other_expr(self, node: Any, scope: Scope, want: Type | None) -> Typed:
        """A statement where a value belongs."""
        self.report("T301", scope.origin, node, "this is something to do, not a value", "write a value here")
        return {"op": "none"}, ANY

    def typed(self, node: t.Expr, scope: Scope, want: Type, what: str) -> IR:
        """An expression that must fit a type."""
        ir, have = self.expr(node, scope, want)
        return self.coerce(ir, have, want, node, scope, what)

    def coerce(self, ir: IR, have: Type, want: Type, node: t.Node, scope: Scope, what: str) -> IR:
        """Makes a value fit a type, or reports that it does not."""
        target = strip(want)
        source = strip(have)
        if target.tag == "sort" and source.tag == "thing" and self.fits(have, want):
            return {"op": "prop", "name": "sort", "of": ir}
        if source.tag == "sort" and target.tag in ("thing", "role"):
            if scope.lenient:
                return {"op": "one_of", "of": ir}
            self.report(
                "T304", scope.origin, node, f"`{source.name}` has several copies, and {what} needs one thing",
                f"write `first {source.name}` with a condition, or name a copy: `{source.name}_1`",
            )  # fmt: skip
            return ir
        if source.tag == "pile" and target.tag == "thing" and source.of[1]:
            ir, source = {"op": "content", "of": ir}, thing(source.name)
        if source.tag in ("set", "list") and target.tag == "thing" and target.name not in ("Thing",):
            self.report(
                "T304", scope.origin, node, f"{what} needs one thing, but this is {describe(source)}",
                "write `first`, `random` or `each` before it, or let somebody choose",
            )  # fmt: skip
            return ir
        if not self.fits(have, want):
            self.mismatch(node, scope, what, have, want)
            return ir
        return self.convert(ir, source, target)

    def convert(self, ir: IR, source: Type, target: Type) -> IR:
        """The explicit form of a change of type that is allowed."""
        if target.tag in ("set", "list"):
            return self.members(ir, source, strip(item_of(target)))
        if target.tag in ("int", "range", "target", "ints"):
            return self.number_ir(ir, source)
        if target.tag == "pool" and source.tag in ("int", "range", "target", "ints"):
            return {"op": "fixed_dice", "of": ir}
        if target.tag == "pool" and source.tag == "die":
            return self.one_die(ir)
        return ir

    def one_die(self, ir: IR) -> IR:
        """A die where dice are wanted."""
        return {"op": "as_pool", "of": {"op": "set", "items": [ir], "drop": True}}

    def members(self, ir: IR, source: Type, item: Type) -> IR:
        """Something as members of a set or list; dice go in as numbers where numbers are kept."""
        whole = self.as_set(ir, source)
        return self.numbers(whole, source) if is_number(item) and not is_dice_number(item) else whole

    def numbers(self, ir: IR, kind: Type) -> IR:
        """A set or list with a number for each rolled die, or each roll, that is in it."""
        holds_dice = (is_many(kind) and is_dice_number(strip(item_of(kind)))) or is_dice_number(kind)
        return {"op": "each_die", "of": ir} if holds_dice else ir

    def added(self, ir: IR, source: Type, item: Type) -> IR:
        """What is put into a set or list: a roll goes in as one number, unless dice are kept there."""
        if source.tag == "pool" and not is_dice_number(item):
            return {"op": "set", "items": [self.number_ir(ir, source)]}
        return self.members(ir, source, item)

    def mismatch(self, node: t.Node, scope: Scope, what: str, have: Type, want: Type) -> None:
        """Reports a wrong type."""
        self.report(
            "T301", scope.origin, node, f"{what} must be {describe(want)}, but this is {describe(have)}",
            self.roll_first(have),
        )  # fmt: skip

    def roll_first(self, kind: Type) -> str:
        """The help for dice that stand where a number is needed."""
        return "roll them first: `let n = do roll ...`, and use `n`" if strip(kind).tag == "dice" else ""

    def never_same(self, node: t.Node, scope: Scope, one: Type, other: Type) -> None:
        """Reports a comparison that can only have one answer."""
        self.report(
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
            self.report(
                "T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}",
                "write `any` or `no` before it", fix=f"any {text}",
            )  # fmt: skip
        elif kind.tag == "thing":
            self.report(
                "T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}",
                "write `is not none` after it",
            )  # fmt: skip
        else:
            self.report("T303", scope.origin, node, f"a condition is needed, but this is {describe(kind)}")
        return {"op": "truth", "v": True}

    def number(self, node: t.Expr, scope: Scope, what: str = "this") -> IR:
        """An expression that must be a number."""
        ir, have = self.expr(node, scope, INT)
        kind = strip(have)
        if not is_number(kind):
            self.report("T305", scope.origin, node, f"{what} must be a number, but this is {describe(kind)}",
                        self.roll_first(kind))  # fmt: skip
            return {"op": "int", "v": 0}
        return self.number_ir(ir, kind)

    def number_ir(self, ir: IR, kind: Type) -> IR:
        """A number out of dice, or the number itself."""
        if kind.tag == "pool":
            return {"op": "pool_total", "of": ir}
        if kind.tag == "die":
            return {"op": "die_value", "of": ir}
        return ir

    def collection(self, node: t.Expr, scope: Scope, what: str = "this") -> Typed:
        """An expression that must be a set, list or container; its type is then a set or list."""
        ir, have = self.expr(node, scope)
        kind = strip(have)
        if kind.tag == "any":
            return ir, many(ANY)
        if not is_many(kind) and kind.tag != "map":
            if kind.tag == "thing":
                return {"op": "set", "items": [ir], "drop": True}, many(kind)
            self.report("T309", scope.origin, node, f"{what} must be a set, but this is {describe(kind)}")
            return {"op": "set", "items": []}, many(ANY)
        return self.as_set(ir, kind), many(item_of(kind), "list" if kind.tag == "list" else "set")

    def as_set(self, ir: IR, kind: Type) -> IR:
        """The members of a container, sort or single thing as a set."""
        if kind.tag == "pile":
            return {"op": "items", "of": ir}
        if kind.tag == "sort":
            return {"op": "copies", "of": ir}
        if kind.tag == "pool":
            return {"op": "pool_dice", "of": ir}
        if kind.tag in ("set", "list", "bands", "any", "none"):
            return ir
        return {"op": "set", "items": [ir], "drop": True}

    def decider(self, node: t.Expr, scope: Scope) -> IR:
        """Somebody who can be asked."""
        ir, have = self.expr(node, scope, Type("role"))
        kind = strip(have)
        if kind.tag != "any" and not self._decides(kind):
            self.report(
                "T321", scope.origin, node, f"nobody can be asked here: this is {describe(kind)}",
                "name a seat, a team, or a thing with a field of a role",
            )  # fmt: skip
        if kind.tag == "thing" and not self.is_role(kind.name):
            return {"op": "decider", "of": ir, "kind": kind.name}
        return ir

    _handlers: ClassVar[dict[type[Any], Callable[[Any, Any, Scope, Type | None], Typed]]] = {}
