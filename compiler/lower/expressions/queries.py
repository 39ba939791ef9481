"""Queries: sets narrowed, ranked and ordered."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.expressions.conversions import (
    as_number,
    as_set,
    roll_hint,
)
from talewright.compiler.lower.expressions.dispatcher import ExpressionHandler, Expressions
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.types.model import (
    ANY,
    POOL,
    TRUTH,
    Type,
    describe,
    is_many,
    is_number,
    item_of,
    many,
    optional,
    strip,
)
from talewright.dsl.tree import nodes as t


class Queries:
    """Quantifiers, `where`, `having` and `ordered by`."""

    def __init__(self, work: FactRecorder, expressions: Expressions) -> None:
        self.work = work
        self.expressions = expressions

    def handlers(self) -> dict[type[t.Node], ExpressionHandler]:
        """The nodes that this part lowers."""
        return {
            t.Query: self.query,
        }

    def query(self, node: t.Query, scope: Scope, want: Type | None) -> Typed:
        ir, kind = self._query_set(node, scope, want)
        item = item_of(kind)
        match node.quantifier:
            case None | "all" | "each":
                return ir, kind
            case "any":
                return {"op": "any", "of": ir}, TRUTH
            case "no":
                return {"op": "is_empty", "of": ir}, TRUTH
            case "first":
                return {"op": "first", "of": ir}, optional(item)
            case "last":
                return {"op": "last", "of": ir}, optional(item)
        if scope.pure is not None:
            self.work.impure(node, scope, "`random` is chance")
        return {"op": "random", "of": ir, "stream": scope.pure or ""}, optional(item)

    def _query_set(self, node: t.Query, scope: Scope, want: Type | None) -> Typed:
        goal = want if want is not None and is_many(strip(want)) else None
        base, have = self.expressions.expr(node.base, scope, goal)
        bare = strip(have)
        if bare.tag == "thing" and node.quantifier in ("any", "no", "first", "all", None):
            ir, kind = {"op": "set", "items": [base], "drop": True}, many(bare)
        elif bare.tag == "truth" and node.quantifier in ("any", "no"):
            self.work.report(
                "T309", scope.origin, node, f"`{node.quantifier}` needs a set, but this is yes or no",
                "leave the word out, or name a kind",
            )  # fmt: skip
            return {"op": "set", "items": []}, many(ANY)
        elif bare.tag == "any":
            ir, kind = base, many(ANY)
        elif bare.tag == "pool" and node.suffixes is None and node.quantifier in (None, "all"):
            return base, POOL
        elif not is_many(bare):
            self.work.report(
                "T309", scope.origin, node.base, f"a set is needed here, but this is {describe(bare)}",
                roll_hint(bare),
            )  # fmt: skip
            return {"op": "set", "items": []}, many(ANY)
        else:
            ir, kind = (
                as_set(base, bare),
                many(item_of(bare), "list" if bare.tag in ("list", "pool") else "set"),
            )
            if bare.tag == "pool":
                kind = POOL
        if node.suffixes is None:
            return ir, kind
        return self._suffixes(ir, kind, node.suffixes, scope)

    def _suffixes(self, ir: IR, kind: Type, suffixes: t.Suffixes, scope: Scope) -> Typed:
        item = item_of(kind)
        name = suffixes.named.text if suffixes.named else None
        if suffixes.where is not None:
            inner, number = scope.element(item, name)
            ir = {
                "op": "filter",
                "of": ir,
                "n": number,
                "test": self.expressions.condition(suffixes.where, inner),
            }
            self.note_where(suffixes.where, number, ir, scope)
        for form, op, keys in (("having", "best", suffixes.having), ("ordered", "sorted", suffixes.ordered)):
            if not keys:
                continue
            inner, number = scope.element(item, name)
            rows: list[Any] = []
            for key in keys:
                if key.value is None:
                    rows.append(["random", None])
                    if scope.pure is not None:
                        self.work.impure(key, scope, "`random` is chance")
                    continue
                value, key_type = self.expressions.expr(key.value, inner)
                bare = strip(key_type)
                if bare.tag == "truth":
                    value = {"op": "as_int", "of": value}
                elif not is_number(bare):
                    self.work.report(
                        "T305",
                        scope.origin,
                        key.value,
                        f"`{key.direction}` needs numbers, but this is {describe(bare)}",
                    )
                rows.append([key.direction, as_number(value, bare)])
            ir = {"op": op, "of": ir, "n": number, "keys": rows}
            del form
        if kind.tag == "pool" and not suffixes.ordered:
            return {"op": "as_pool", "of": ir}, POOL
        return ir, many(item, "list" if suffixes.ordered or kind.tag == "list" else "set")

    def note_where(self, node: t.Expr, number: int, ir: IR, scope: Scope) -> None:
        """A hook for the check that a `where` mentions its element."""
        if not mentions(ir["test"], number):
            self.work.idle_where.append((node, scope.origin))


def mentions(ir: Any, number: int) -> bool:
    """Whether a piece of code reads a local."""
    stack = [ir]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if item.get("op") == "local" and item.get("n") == number:
                return True
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return False
