"""Grammar reductions to syntax tree nodes: one small method for each rule of `tale.lark`."""

from __future__ import annotations

from typing import Any

from talewright.dsl.build_expressions import Expressions
from talewright.dsl.build_parts import Children
from talewright.dsl.build_rules import Rules
from talewright.dsl.build_statements import Statements
from talewright.dsl.build_things import Things
from talewright.dsl.build_types import Types


class TreeBuilder(Types, Things, Rules, Statements, Expressions):
    """Given to the parser, so that no intermediate tree is ever built."""

    def start(self, c: Children) -> list[Any]:
        return c
