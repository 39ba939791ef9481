"""Blocks of statements: finds who lowers each statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from talewright.compiler.lower.fact_recorder import FactRecorder
from talewright.compiler.symbols.scope import IR, Scope
from talewright.dsl.tree import nodes as t

# Lowers one sort of statement; gives nothing where a finding was reported instead.
StatementHandler = Callable[[Any, Scope], IR | None]


class Blocks:
    """Lowers blocks, each statement by the part that knows it."""

    def __init__(self, work: FactRecorder) -> None:
        self.work = work
        self.handlers: dict[type[t.Node], StatementHandler] = {}

    def statements(self, body: Sequence[t.Stmt], scope: Scope, head: bool = False) -> list[IR]:
        """A block; with `head` its leading `requires`, `let` and one `choose` are its head."""
        made: list[IR] = []
        leading = head
        arrows = sum(isinstance(s, t.Arrow) for s in body)
        if arrows:
            first = next(s for s in body if isinstance(s, t.Arrow))
            message = (
                "an arrow has nothing to branch on here"
                if arrows == len(body)
                else "arrows and statements are mixed"
            )
            self.work.report(
                "T316",
                scope.origin,
                first,
                message,
                "put the arrows below `match`, `choose one by` or a call",
            )
            return made
        for statement in body:
            scope.head = leading
            ir = self.statement(statement, scope)
            if ir is not None:
                made.append(ir)
            if leading and not isinstance(statement, (t.Requires, t.Let)):
                leading = False
        scope.head = False
        return made

    def statement(self, node: Any, scope: Scope) -> IR | None:
        """One statement."""
        handler = self.handlers.get(type(node))
        # What is no statement of its own is an expression: a change such as `danger + 1`, or a mistake.
        return (handler or self.handlers[t.Node])(node, scope)
