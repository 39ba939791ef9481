"""The values that things give to their fields: neutral text read by the field's type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.branches import Branches
from talewright.compiler.lower.expressions.conversions import as_set, each_once
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.function_calls import FunctionCalls
from talewright.compiler.lower.expressions.literals import Literals
from talewright.compiler.lower.expressions.name_resolution import WAY_ON, Names
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.wordings import add_wording
from talewright.compiler.symbols.scope import IR, Scope, Unit
from talewright.compiler.types.model import (
    INT,
    TEXT,
    Type,
    describe,
    is_number,
    strip,
    written,
)
from talewright.dsl.tree import nodes as t


class FieldValues:
    """Reads `field: value` by the type of the field."""

    def __init__(
        self,
        work: FactRecorder,
        expressions: Expressions,
        literals: Literals,
        names: Names,
        functions: FunctionCalls,
        blocks: Blocks,
        branches: Branches,
    ) -> None:
        self.work = work
        self.expressions = expressions
        self.literals = literals
        self.names = names
        self.functions = functions
        self.blocks = blocks
        self.branches = branches

    def field_value(self, node: t.FieldValue, kind: Type, scope: Scope) -> Any:
        """The value of one field as the document writes it."""
        bare = strip(kind)
        body = node.body
        what = f"`{node.path[-1].text}`"
        if node.reads is not None and bare.tag not in ("effect", "lines"):
            self.work.report("X613", scope.origin, node.reads, f"{what} does nothing that could be told: it is {describe(bare)}",
                        "`reads` words effects and lines, or stands on a line of its own for the whole thing")  # fmt: skip
        match bare.tag:
            case "effect" | "lines":
                made = self.effect(body, bare, scope)
                params = [made["locals"][number]["name"] for number in made["params"]]
                add_wording(self.work, made, node.reads, [*params, "self"], scope.origin)
                return made
            case "edges":
                return self.edges(body, scope)
            case "bands":
                return self.bands(body, bare, scope, node)
            case "map":
                return self.map_value(body, bare, scope, node)
            case "text":
                return self.one(body, TEXT, scope, node, what)
            case "plan":
                return self.drawing(body, scope, node)
            case "condition":
                inner = self._code_scope(scope)
                inner.pure = "a condition"
                if len(body) != 1 or isinstance(body[0], t.Elements):
                    self.work.report("T303", scope.origin, node, f"{what} is one condition")
                    return None
                ir: IR = {"op": "code", "if": self.expressions.condition(body[0], inner)}  # type: ignore[arg-type]
                ir["locals"] = inner.unit.locals
                return ir
            case "list" | "set":
                return self.list_value(body, bare, scope, node, what)
            case "pile":
                inner = self._code_scope(scope)
                inner.lenient = True
                listed = Type("list", "", (Type("thing", bare.name),))
                return self.list_value(body, listed, inner, node, what)
        return self.one(body, kind, scope, node, what)

    def _code_scope(self, scope: Scope) -> Scope:
        inner = scope.inner()
        inner.unit = Unit()
        inner.names = {}
        return inner

    def one(self, body: Sequence[Any], kind: Type, scope: Scope, node: t.Node, what: str) -> Any:
        """A single value."""
        if len(body) != 1 or isinstance(body[0], t.Elements):
            self.work.report("T301", scope.origin, node, f"{what} takes one value: {describe(kind)}")
            return None
        inner = self._code_scope(scope)
        inner.pure = "a field's value"
        item = body[0]
        if isinstance(item, t.Call) and item.first is None and not item.parts:
            item = t.Name(item.start, item.end, item.verb.text)
        if isinstance(item, t.Call) and item.first is not None and not item.parts:
            self.work.report(
                "T301",
                scope.origin,
                item,
                f"{what} takes one value: {describe(kind)}",
                "write a comma between several",
            )
            return None
        bare = strip(kind)
        ir = self.expressions.typed(item, inner, kind, what)
        self.check_range(ir, bare, item, scope, what)
        return ir

    def check_range(self, ir: IR, kind: Type, node: t.Node, scope: Scope, what: str) -> None:
        if ir.get("op") != "int":
            return
        value = ir["v"]
        if kind.tag == "range" and not kind.of[0] <= value <= kind.of[1]:
            self.work.report(
                "T310",
                scope.origin,
                node,
                f"{what} must lie between {kind.of[0]} and {kind.of[1]}, but this is {value}",
            )
        elif kind.tag == "ints" and value not in kind.of:
            self.work.report(
                "T310",
                scope.origin,
                node,
                f"{what} must be one of {', '.join(map(str, kind.of))}, but this is {value}",
            )

    def list_value(self, body: Sequence[Any], kind: Type, scope: Scope, node: t.Node, what: str) -> Any:
        """A list or set, written with commas."""
        if len(body) == 1 and isinstance(body[0], (t.Query, t.Braces)):
            return self.one(body, kind, scope, node, what)
        items: list[Any] = []
        for statement in body:
            items.extend(statement.items if isinstance(statement, t.Elements) else [statement])
        inner = self._code_scope(scope)
        inner.pure = "a field's value"
        item_type = kind.of[0]
        made: list[IR] = []
        for item in items:
            if isinstance(item, t.Call) and item.first is None and not item.parts:
                item = t.Name(item.start, item.end, item.verb.text)
            if strip(item_type).tag == "trait" and isinstance(item, (t.Capital, t.TraitValue)):
                args = item.args if isinstance(item, t.TraitValue) else []
                made.append(self.functions.trait_use(item.name, args, item, inner))
                continue
            ir, have = self.expressions.expr(item, inner, item_type)
            source = strip(have)
            if (
                source.tag in ("set", "list", "pile")
                and strip(item_type).tag == "thing"
                and self.work.fits(have, kind)
            ):
                made.append({"op": "spread", "of": as_set(ir, source)})
                continue
            made.append(self.expressions.coerce(ir, have, item_type, item, inner, what))
            self.check_range(made[-1], strip(item_type), item, scope, what)
        members: IR = {"op": "set", "items": made}
        return each_once(members, kind) if kind.tag == "set" else members

    def map_value(self, body: Sequence[Any], kind: Type, scope: Scope, node: t.Node) -> Any:
        """A map: `agility 2, luck 3`, or arrows."""
        key_type, value_type = kind.of
        inner = self._code_scope(scope)
        inner.pure = "a field's value"
        rows: list[Any] = []
        if body and all(isinstance(s, t.Arrow) for s in body):
            for arrow in body:
                assert isinstance(arrow, t.Arrow)
                keys = self._map_keys(arrow.key, key_type, inner)
                value = self._arrow_value(arrow, value_type, scope)
                rows.extend([key, value] for key in keys)
            return {"op": "map", "rows": rows}
        items: list[Any] = []
        for statement in body:
            items.extend(statement.items if isinstance(statement, t.Elements) else [statement])
        for item in items:
            if not isinstance(item, t.Call) or item.first is None or item.parts:
                self.work.report(
                    "T301",
                    scope.origin,
                    item,
                    f"an entry of `{written(kind)}` is a key and a value",
                    "write `key value, key value`, or arrows",
                )
                continue
            name = t.Name(item.verb.start, item.verb.end, item.verb.text)
            key = self.expressions.typed(name, inner, key_type, "the key")
            rows.append([key, self.expressions.typed(item.first, inner, value_type, "the entry")])
        return {"op": "map", "rows": rows}

    def _map_keys(self, key: t.ArrowKey, kind: Type, scope: Scope) -> list[IR]:
        value = key.value
        if (
            isinstance(value, t.Binary)
            and value.op == ".."
            and isinstance(value.left, t.Number)
            and isinstance(value.right, t.Number)
        ):
            low, high = value.left.value, value.right.value
            if high - low > 1000:
                self.work.report("T322", scope.origin, value, "this range is too wide for a map")
                return []
            return [{"op": "int", "v": n} for n in range(low, high + 1)]
        if value is None:
            self.work.report("T301", scope.origin, key, "a map names each key", "write the keys one by one")
            return []
        return [self.expressions.typed(value, scope, kind, "the key")]

    def _arrow_value(self, arrow: t.Arrow, kind: Type, scope: Scope) -> Any:
        path = [t.Word(arrow.start, arrow.key.end, "entry")]
        return self.field_value(t.FieldValue(arrow.start, arrow.end, path, arrow.body, "line"), kind, scope)

    def bands(self, body: Sequence[Any], kind: Type, scope: Scope, node: t.Node) -> Any:
        """Rows of ranges, or of named keys, each with what it brings."""
        item = kind.of[0]
        rows: list[IR] = []
        for arrow in body:
            if not isinstance(arrow, t.Arrow):
                self.work.report(
                    "T316", scope.origin, arrow, "bands are ranges with arrows", "write `..4 -> X; 5.. -> Y`"
                )
                continue
            inner = self._code_scope(scope)
            inner.pure = "a band"
            row: IR
            value = arrow.key.value
            if (
                isinstance(value, t.Name)
                and self.work.table.names.get(value.name) is not None
                and not self._is_numeric_name(value)
            ):
                row = {"key": "same", "value": self.expressions.expr(value, inner)[0]}
            else:
                row = self.branches.arrow_key(arrow.key, INT, inner)
            row["items"] = self.list_value(arrow.body, Type("list", "", (item,)), scope, arrow, "this band")
            row["at"] = self.work.at(arrow, scope)
            rows.append(row)
        return {"op": "bands", "rows": rows}

    def _is_numeric_name(self, node: t.Name) -> bool:
        symbol = self.work.table.names.get(node.name)
        return symbol is not None and is_number(
            strip(self.names.symbol_value(symbol, node, Scope(symbol.origin))[1])
        )

    def edges(self, body: Sequence[Any], scope: Scope) -> Any:
        """Ways on: conditions or labels, each with an arrow to a chapter or ending."""
        rows: list[IR] = []
        for arrow in body:
            if not isinstance(arrow, t.Arrow):
                self.work.report(
                    "T316",
                    scope.origin,
                    arrow,
                    "a way on is a condition and an arrow",
                    "write `condition -> chapter`",
                )
                continue
            inner = self._code_scope(scope)
            inner.pure = WAY_ON
            key = arrow.key
            row: IR = {"at": self.work.at(arrow, scope)}
            if key.form == "otherwise":
                row["otherwise"] = True
            elif isinstance(key.value, t.Text):
                row["label"] = self.literals.text(key.value, inner)
                row["id"] = key.value.raw
                if key.when is not None:
                    row["if"] = self.expressions.condition(key.when, inner)
            elif key.value is not None:
                row["if"] = self.expressions.condition(key.value, inner)
                row["id"] = " ".join(scope.origin.source.text[key.value.start : key.value.end].split())
            row["to"] = self.page(arrow.body, scope)
            row["locals"] = inner.unit.locals
            rows.append(row)
        return {"op": "edges", "rows": rows}

    def page(self, body: Sequence[Any], scope: Scope) -> Any:
        """A chapter or ending at the end of an arrow."""
        inner = self._code_scope(scope)
        inner.pure = "the end of an arrow"
        if len(body) != 1 or not isinstance(body[0], (t.Name, t.Capital)):
            node = body[0] if body else t.Node(0, 0)
            self.work.report(
                "N212",
                scope.origin,
                node,
                "an arrow leads to one chapter or ending",
                "write one name after `->`",
            )
            return None
        ir, kind = self.expressions.expr(body[0], inner)
        bare = strip(kind)
        if bare.tag == "any":
            return None
        if bare.tag != "thing" or not (
            self.work.is_a(bare.name, "Chapter") or self.work.is_a(bare.name, "Ending")
        ):
            self.work.report(
                "N212",
                scope.origin,
                body[0],
                f"an arrow leads to a chapter or an ending, but this is {describe(bare)}",
                "write the name of a chapter or an ending",
            )
            return None
        return ir

    def effect(self, body: Sequence[Any], kind: Type, scope: Scope) -> IR:
        """Statements stored in a field as an effect, with the parameters of its type in scope."""
        inner = self._code_scope(scope)
        inner.pure = None
        inner.gives = [Type("infer")]
        params = [inner.bind(name, type_) for name, type_ in (kind.of if kind.tag == "effect" else ())]
        ir: IR = {"op": "code", "params": params, "body": self.blocks.statements(body, inner, head=True)}
        ir["locals"] = inner.unit.locals
        return ir

    def drawing(self, body: Sequence[Any], scope: Scope, node: t.Node) -> Any:
        """A drawing with signs."""
        if len(body) == 1 and isinstance(body[0], t.Text):
            return {"op": "drawing", "rows": _rows(body[0].raw)}
        self.work.report(
            "T301",
            scope.origin,
            node,
            "a plan is drawn below it, with names or signs",
            'write rows of names, or `"""` and signs',
        )
        return None


def _rows(raw: str) -> list[str]:
    from textwrap import dedent

    return [line.rstrip() for line in dedent(raw.strip("\n")).splitlines() if line.strip()]
