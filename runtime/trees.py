"""Walks through trees of Python source, quicker than the general way: what holds no names is left out."""

from __future__ import annotations

import ast
from typing import Any

# Parts of nodes that hold no expressions, statements or parameters.
_BARE = frozenset(
    (
        "annotation",
        "arg",
        "attr",
        "ctx",
        "id",
        "is_async",
        "kind",
        "module",
        "name",
        "names",
        "op",
        "ops",
        "returns",
    )
)
# Nodes whose names are their own.
OWN_NAMES = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda, ast.FunctionDef)
_PARTS: dict[type[ast.AST], tuple[str, ...]] = {ast.Constant: (), ast.Name: ()}


def walk(node: ast.AST) -> list[Any]:
    """A node and everything below it, without contexts and operators."""
    found: list[Any] = [node]
    for item in found:
        kind = item.__class__
        parts = _PARTS.get(kind)
        if parts is None:
            parts = _PARTS[kind] = tuple(name for name in kind._fields if name not in _BARE)
        for name in parts:
            value = getattr(item, name, None)
            if value.__class__ is list:
                found.extend(filter(None, value))
            elif value is not None and isinstance(value, ast.AST):
                found.append(value)
    return found


def key(node: ast.expr) -> str:
    """A text that is the same for the same expression."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Constant(value=value):
            return repr(value)
        case ast.Subscript(value=base, slice=index):
            return f"{key(base)}[{key(index)}]"
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"({key(left)} {op.__class__.__name__} {key(right)})"
    return ast.dump(node)


class InsteadOf(ast.NodeTransformer):
    """Puts a name in place of one expression."""

    def __init__(self, old: ast.expr, name: str) -> None:
        self.old = old
        self.name = name

    def visit(self, node: ast.AST) -> Any:
        if node is self.old:
            return ast.copy_location(ast.Name(self.name, ast.Load()), node)
        return self.generic_visit(node)
