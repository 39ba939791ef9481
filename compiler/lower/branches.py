"""Arrows below `match`, a call or a table: which arm is taken."""

from __future__ import annotations

from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.expressions.conversions import (
    as_number,
)
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.name_resolution import Names, faces_of
from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.lower.interfaces import Typed
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import DieSymbol
from talewright.compiler.types.model import ANY, INT, Type, strip
from talewright.dsl.tree import nodes as t


class Branches:
    """Arms chosen by a value."""

    def __init__(self, work: FactRecorder, expressions: Expressions, names: Names, blocks: Blocks) -> None:
        self.work = work
        self.expressions = expressions
        self.names = names
        self.blocks = blocks

    def branch(self, ir: IR, kind: Type, block: list[t.Stmt], scope: Scope, node: t.Node) -> IR:
        """Arms below `match` or a call, chosen by a value."""
        ir, kind = _subject(ir, kind)
        arms: list[IR] = []
        for statement in block:
            if not isinstance(statement, t.Arrow):
                self.work.report(
                    "T316",
                    scope.origin,
                    statement,
                    "every line below it must be an arrow",
                    "write `value -> action`",
                )
                continue
            for key in _alternatives(statement.key, kind):
                arm = self.arrow_key(key, kind, scope)
                arm["body"] = self.blocks.statements(statement.body, scope.inner(), head=True)
                arm["at"] = self.work.at(statement, scope)
                arms.append(arm)
        return {"op": "branch", "of": ir, "arms": arms, "at": self.work.at(node, scope)}

    def arrow_key(self, key: t.ArrowKey, kind: Type, scope: Scope) -> IR:
        """What an arm asks of the value."""
        bare = strip(kind)
        arm: IR
        if key.form == "otherwise":
            return {"key": "otherwise"}
        assert key.value is not None
        if key.form == "from":
            return {"key": "range", "low": self.expressions.number(key.value, scope), "high": None}
        if key.form == "to":
            return {"key": "range", "low": None, "high": self.expressions.number(key.value, scope)}
        value = key.value
        if isinstance(value, t.Binary) and value.op == "..":
            arm = {
                "key": "range",
                "low": self.expressions.number(value.left, scope),
                "high": self.expressions.number(value.right, scope),
            }
        elif (
            isinstance(value, t.Capital)
            and value.name in self.work.table.kinds
            and value.name not in self.work.table.names
        ):
            self.work.used.add(value.name)
            arm = {"key": "kind", "kind": value.name}
        elif (
            isinstance(value, t.Name)
            and value.name not in scope.names
            and bare.tag == "sort"
            and bare.name.startswith("die:")
        ):
            arm = {"key": "same", "value": self._face(value, bare.name[4:], scope)}
        elif bare.tag == "truth" or bare.tag == "nothing":
            arm = {"key": "if", "if": self.expressions.condition(value, scope)}
        else:
            ir, have = self.expressions.expr(value, scope, kind)
            if kind == INT and strip(have).tag == "words":
                self.work.report(
                    "T301", scope.origin, value, "a table is asked with words only if they have a type",
                    "declare it: `type NAME = word | word`",
                )  # fmt: skip
            elif not (self.work.fits(have, kind) or self.work.fits(kind, have)):
                self.expressions.mismatch(value, scope, "this key", have, kind)
            arm = {"key": "same", "value": as_number(ir, strip(have))}
            if bare.tag == "set":
                arm["unordered"] = True
        if key.when is not None:
            arm["when"] = self.expressions.condition(key.when, scope)
        return arm

    def _face(self, node: t.Name, die: str, scope: Scope) -> IR:
        symbol = self.work.table.names.get(die)
        assert isinstance(symbol, DieSymbol)
        names = [face.name for face in faces_of(symbol) if isinstance(face, t.Name)]
        if node.name not in names:
            self.work.report(
                "N208",
                scope.origin,
                node,
                f"the die `{die}` has no face `{node.name}`",
                self.work.suggest(node.name, names),
            )
        known = self.work.table.names.get(node.name)
        if known is not None:
            return self.names.symbol_value(known, node, scope)[0]
        return {"op": "word", "v": node.name}


def _subject(ir: IR, kind: Type) -> Typed:
    """What the arms are compared with: of a roll its number, of a die what it shows."""
    bare = strip(kind)
    if bare.tag == "die":
        return {"op": "die_prop", "name": "face", "of": ir}, ANY
    if bare.tag == "pool":
        return as_number(ir, bare), INT
    return ir, kind


def _alternatives(key: t.ArrowKey, kind: Type) -> list[t.ArrowKey]:
    """The values of a key that names several, joined by `or`; a key that is a condition is one."""
    value = key.value
    if not isinstance(value, t.Binary) or value.op != "or" or strip(kind).tag in ("truth", "nothing"):
        return [key]
    sides = (value.left, value.right)
    parts = [t.ArrowKey(side.start, side.end, key.form, side, key.when) for side in sides]
    return [alternative for part in parts for alternative in _alternatives(part, kind)]
