"""What somebody holds of each sort, where only that it is there matters.

Menus ask of a container which is the lowest copy of one sort, then of another. Nearly always nobody needs the copy: it is there,
or it is not. So the sorts are listed once, and the copy is searched for only where a rule that may forbid something asks for it.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass

from talewright.runtime.trees import OWN_NAMES, walk

_FORBIDDING = ("forbidden", "forbidden_one", "forbidden_two")


@dataclass(frozen=True, slots=True)
class _Asked:
    """One sort that is asked about: where its copy is named, and the condition that follows."""

    named: ast.Assign
    condition: ast.If
    copy: str
    sort: ast.expr


def list_sorts(function: ast.FunctionDef) -> None:
    """Rewrites such questions in one function."""
    nodes = walk(function)
    if not any(isinstance(node, ast.Name) and node.id == "lowest_copies" for node in nodes):
        return
    used = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    for node in nodes:
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list) and not isinstance(node, OWN_NAMES[:-1]):
                body[:] = _block(body, used)


def _block(body: list[ast.stmt], used: Counter[str]) -> list[ast.stmt]:
    made: list[ast.stmt] = []
    at = 0
    while at < len(body):
        stmt = body[at]
        at += 1
        match stmt:
            case ast.Assign(
                targets=[ast.Name(id=found)],
                value=ast.Call(func=ast.Name(id="lowest_copies"), args=[pile]),
            ) if found[0] == "t" and _plain(pile):
                asked = _asked(body[at:], found, used)
                if asked and used[found] == len(asked) + 1:
                    made.extend(_listed(stmt, "ask" + found[1:], pile, asked))
                    at += 2 * len(asked)
                    continue
        made.append(stmt)
    return made


def _asked(rest: list[ast.stmt], found: str, used: Counter[str]) -> list[_Asked]:
    """The questions that follow at once."""
    asked: list[_Asked] = []
    for named, condition in zip(rest[::2], rest[1::2], strict=False):
        match named:
            case ast.Assign(
                targets=[ast.Name(id=copy)],
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=same), attr="get"), args=[ast.Name() as sort]
                ),
            ) if same == found and isinstance(condition, ast.If):
                one = _Asked(named, condition, copy, sort)
                if not _only_there(one, used):
                    break
                asked.append(one)
            case _:
                break
    return asked


def _only_there(one: _Asked, used: Counter[str]) -> bool:
    """Whether a condition asks first whether the copy is there, and then only what forbids something needs it."""
    test, body = one.condition.test, one.condition.body
    first = test.values[0] if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else test
    match first:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            if name != one.copy:
                return False
        case _:
            return False
    forbidding = sum(
        isinstance(part, ast.Name) and part.id == one.copy
        for node in walk(test)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _FORBIDDING
        for part in walk(node)
    )
    noted = all(
        isinstance(stmt, ast.Expr)
        and isinstance(stmt.value, ast.Call)
        and isinstance(stmt.value.func, ast.Attribute)
        and stmt.value.func.attr == "append"
        and isinstance(stmt.value.args[0], ast.Constant)
        for stmt in body
    )
    return noted and not one.condition.orelse and used[one.copy] == 2 + forbidding


def _listed(stmt: ast.Assign, name: str, pile: ast.expr, asked: list[_Asked]) -> list[ast.stmt]:
    made: list[ast.stmt] = ast.parse(
        f"{name} = []\nfor h_{name} in pile:\n    {name}.append(SORT[h_{name}])"
    ).body
    assert isinstance(made[1], ast.For)
    made[1].iter = pile
    for one in asked:
        there = ast.parse(f"{ast.unparse(one.sort)} in {name}", mode="eval").body
        search = f"first_copy({ast.unparse(pile)}, {ast.unparse(one.sort)})"
        one.condition.test = _Put(one.copy, there, search).visit(one.condition.test)
        made.append(one.condition)
    for line in made[:2]:
        for node in walk(line):
            ast.copy_location(node, stmt)
    return made


class _Put(ast.NodeTransformer):
    """Asks whether the sort is there instead of whether there is a copy, and searches where the copy is needed."""

    def __init__(self, copy: str, there: ast.expr, search: str) -> None:
        self.copy = copy
        self.there = there
        self.search = search

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        match node:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.IsNot()]) if name == self.copy:
                return _placed(self.there, node)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.copy:
            return node
        return _placed(ast.parse(self.search, mode="eval").body, node)


def _placed(made: ast.expr, old: ast.expr) -> ast.expr:
    for node in walk(made):
        ast.copy_location(node, old)
    return made


def _plain(node: ast.expr) -> bool:
    """Whether an expression only looks into cells."""
    return all(isinstance(part, (ast.Name, ast.Constant, ast.Subscript)) for part in walk(node))
