"""Declarations without a name: rules at the left edge, `anytime`, orders of rules and checks."""

from __future__ import annotations

from typing import Any

from talewright.compiler.lower.blocks import Blocks
from talewright.compiler.lower.expressions.dispatcher import Expressions
from talewright.compiler.lower.expressions.name_resolution import Names
from talewright.compiler.lower.provenance import Provenance
from talewright.compiler.lower.rules import Rules
from talewright.compiler.lower.things import Things
from talewright.compiler.symbols.scope import IR, Scope
from talewright.compiler.symbols.symbol_table import Origin
from talewright.dsl.tree import nodes as t


class UnnamedDeclarations:
    """Lowers what stands at the left edge and has no name."""

    def __init__(
        self,
        expressions: Expressions,
        names: Names,
        blocks: Blocks,
        rules: Rules,
        things: Things,
        provenance: Provenance,
    ) -> None:
        self.expressions = expressions
        self.names = names
        self.blocks = blocks
        self.rules = rules
        self.things = things
        self.provenance = provenance

    def lower(self, node: Any, origin: Origin) -> list[tuple[str, IR]]:
        """What a declaration adds to the document: sections and code."""
        scope = Scope(origin)
        match node:
            case t.AnytimeDecl():
                ir: IR = {"by": self.expressions.decider(node.by, scope)}
                if node.when is not None:
                    ir["when"] = self.expressions.condition(node.when, scope)
                ir["body"] = self.blocks.statements(node.body, scope, head=True)
                ir["locals"] = scope.unit.locals
                return [("anytime", self.provenance.stamp_node(ir, node, scope))]
            case t.OrderDecl():
                ir = {
                    "moment": self.names.moment(node.action, scope),
                    "by": self.expressions.decider(node.by, scope),
                }
                return [("orders", self.provenance.stamp_node(ir, node, scope))]
            case t.CheckDecl():
                scope.pure = "a check"
                ir = {"if": self.expressions.condition(node.condition, scope), "locals": scope.unit.locals}
                if node.why is not None:
                    ir["why"] = node.why.raw
                return [("checks", self.provenance.stamp_node(ir, node, scope))]
        rules: list[IR] = []
        made = self.rules.rule(node, scope)
        if made is not None:
            self.things.add_rule(made, origin, None, rules)
        return [("rules", rule) for rule in rules]
