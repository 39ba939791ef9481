"""Locals that share a name: a function with others written into it has many, and few are needed at one time.

Each local takes a place in the frame of its function, which is set up whenever the function is entered and cleared when it
is left.
"""

from __future__ import annotations

import ast
from heapq import heappop, heappush

from talewright.runtime.trees import walk

# Functions with fewer locals are left as they are.
MANY = 16
# No other name of generated code begins so.
SHARED = "u_"
# Lists and the like that are made by functions of their own.
_OWN = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def share_locals(function: ast.FunctionDef) -> None:
    """Gives locals that are never needed at one time the same name."""
    needed = _Needed(function)
    spans = needed.spans()
    if len(spans) < MANY:
        return
    names: dict[str, str] = {}
    free: list[int] = []
    taken: list[tuple[int, int]] = []
    made = 0
    for (start, end), name in sorted((span, name) for name, span in spans.items()):
        while taken and taken[0][0] < start:
            heappush(free, heappop(taken)[1])
        if not free:
            heappush(free, made)
            made += 1
        slot = heappop(free)
        heappush(taken, (end, slot))
        names[name] = f"{SHARED}{slot}"
    for node in needed.nodes:
        node.id = names.get(node.id, node.id)


class _Needed:
    """Where the locals of a function are named, statement by statement."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.nodes: list[ast.Name] = []
        # The statements that name each local, and whether the first of them gives it a value.
        self._at: dict[str, list[int]] = {}
        self._begins: dict[str, bool] = {}
        self._stored: set[str] = set()
        # Names that others can see while they run: parameters, and what inner functions and lists look at.
        self._seen: set[str] = {arg.arg for arg in function.args.args}
        self._loops: list[tuple[int, int]] = []
        self._now = 0
        self._block(function.body)

    def spans(self) -> dict[str, tuple[int, int]]:
        """From which statement to which each local must keep its value."""
        found: dict[str, tuple[int, int]] = {}
        # The inner loops come first: what is needed for the whole of one is then looked at in those around it.
        for name in self._stored - self._seen:
            first, last = self._at[name][0], self._at[name][-1]
            for start, end in self._loops:
                within = start <= first and last <= end
                apart = last < start or end < first
                if not apart and (not within or not self._begins[name]):
                    first, last = min(first, start), max(last, end)
            found[name] = first, last
        return found

    def _block(self, body: list[ast.stmt]) -> None:
        for stmt in body:
            self._now += 1
            match stmt:
                case ast.For(target=target, iter=items, body=inner, orelse=after):
                    self._expression(items)
                    self._loop([target], inner, after)
                case ast.While(test=test, body=inner, orelse=after):
                    self._loop([test], inner, after)
                case ast.If(test=test, body=inner, orelse=after):
                    self._expression(test)
                    self._block(inner)
                    self._block(after)
                case ast.Try(body=inner, handlers=handlers, orelse=after, finalbody=last):
                    # Whatever is needed in the course of it is needed for all of it.
                    start = self._now
                    self._block(inner)
                    for handler in handlers:
                        self._seen.add(handler.name or "")
                        if handler.type is not None:
                            self._expression(handler.type)
                        self._block(handler.body)
                    self._block(after)
                    self._block(last)
                    self._loops.append((start, self._now))
                case ast.Assign(targets=targets, value=value):
                    self._expression(value)
                    for target in targets:
                        self._expression(target)
                case ast.Global() | ast.Nonlocal():
                    self._seen.update(stmt.names)
                case ast.FunctionDef():
                    self._seen |= _names_in(stmt) | {stmt.name}
                case (
                    ast.Expr()
                    | ast.Return()
                    | ast.Raise()
                    | ast.AugAssign()
                    | ast.Pass()
                    | ast.Break()
                    | ast.Continue()
                ):
                    self._expression(stmt)
                case _:
                    self._seen |= _names_in(stmt)

    def _loop(self, heads: list[ast.expr], body: list[ast.stmt], after: list[ast.stmt]) -> None:
        self._now += 1
        start = self._now
        for head in heads:
            self._expression(head)
        self._block(body)
        self._now += 1
        self._loops.append((start, self._now))
        self._block(after)

    def _expression(self, node: ast.AST) -> None:
        """Names in the order in which they are written."""
        if isinstance(node, ast.Name):
            self._name(node)
        elif isinstance(node, ast.Lambda):
            for default in node.args.defaults:
                self._expression(default)
            self._seen |= _names_in(node.body) - {arg.arg for arg in node.args.args}
        elif isinstance(node, _OWN):
            self._seen |= _names_in(node)
        elif isinstance(node, ast.NamedExpr):
            self._expression(node.value)
            self._name(node.target)
        else:
            for child in ast.iter_child_nodes(node):
                self._expression(child)

    def _name(self, node: ast.Name) -> None:
        name, stored = node.id, isinstance(node.ctx, ast.Store)
        self.nodes.append(node)
        if stored:
            self._stored.add(name)
        self._at.setdefault(name, []).append(self._now)
        self._begins.setdefault(name, stored)


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in walk(node) if isinstance(part, ast.Name)}
