"""Grammar reductions to syntax tree nodes: one small method for each rule of `tale.lark`."""

from __future__ import annotations

from typing import Any

from talewright.dsl.build.expression_nodes import Expressions
from talewright.dsl.build.node_parts import Children
from talewright.dsl.build.rule_nodes import Rules
from talewright.dsl.build.statement_nodes import Statements
from talewright.dsl.build.thing_nodes import Things
from talewright.dsl.build.type_nodes import Types


class TreeBuilder(Types, Things, Rules, Statements, Expressions):
    """The transformer given to Lark: nodes are built directly, without a parse tree in between."""

    def start(self, c: Children) -> list[Any]:
        return c
