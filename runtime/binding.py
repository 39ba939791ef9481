"""Lists of a game handed to its code by reference.

Generated code names the lists of the game it runs in. Looking a name up costs more than taking what lies beside the code,
and the place it takes in the code is six times as large. So names that mean the same list for as long as a game lives become
marks before Python compiles the tree, and each game puts its own lists where the marks are.

Code does not take part in Python's search for circular garbage: a list may be handed over only if no way leads from what
lies in it back to a function. Whoever names the lists answers for that.
"""

from __future__ import annotations

import ast
from collections.abc import Container
from types import CodeType
from typing import Any

from talewright.runtime.trees import walk

# A mark is one character of a plane that nobody writes in, so that no entry of it but the first can be worked out early.
_FIRST = 0x100000
# What is compared; `is` asks for none.
_COMPARED = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def refer(tree: ast.Module, names: Container[str]) -> list[str]:
    """Puts marks in place of these names, where Python would not work out anything from them; gives their names."""
    numbers: dict[str, int] = {}

    def mark(node: ast.expr) -> ast.expr:
        if not isinstance(node, ast.Name) or node.id not in names or not isinstance(node.ctx, ast.Load):
            return node
        number = numbers.setdefault(node.id, len(numbers))
        return ast.copy_location(ast.Constant(chr(_FIRST + number)), node)

    for function in tree.body:
        for node in walk(function) if isinstance(function, ast.FunctionDef) else ():
            match node:
                case ast.Subscript(value=value, slice=index, ctx=context):
                    if not isinstance(context, ast.Load) or not _early(index):
                        node.value = mark(value)
                case ast.Attribute(value=value):
                    node.value = mark(value)
                case ast.For(iter=items) | ast.comprehension(iter=items):
                    node.iter = mark(items)
                case ast.Call(args=args):
                    node.args = [mark(arg) for arg in args]
                case ast.Compare(ops=ops, comparators=others):
                    node.comparators = [
                        mark(other) if isinstance(op, _COMPARED) else other
                        for op, other in zip(ops, others, strict=True)
                    ]
                case ast.Assign(value=value):
                    node.value = mark(value)
    return list(numbers)


def _early(index: ast.expr) -> bool:
    """Whether Python may look into a mark while it compiles."""
    if isinstance(index, ast.Constant):
        return not isinstance(index.value, int) or index.value < 1
    return isinstance(index, (ast.Slice, ast.UnaryOp, ast.Tuple))


def bound(code: CodeType, names: list[str], space: dict[str, Any]) -> CodeType:
    """The code with what is meant in place of the marks."""
    if not names:
        return code
    meant = {chr(_FIRST + number): space[name] for number, name in enumerate(names)}

    def filled(code: CodeType) -> CodeType:
        kept = tuple(
            meant.get(value, value) if isinstance(value, str)
            else filled(value) if isinstance(value, CodeType)
            else value
            for value in code.co_consts
        )  # fmt: skip
        return code.replace(co_consts=kept)

    return filled(code)


# Types of values that are numbers and words to Python.
_PLAIN = frozenset(("int", "ints", "range", "truth", "words", "thing", "pile", "sort", "kind"))


def is_plain(kind: Any) -> bool:
    """Whether values of a type of the document are numbers and words, alone, in sets or in lists."""
    while isinstance(kind, list) and kind[0] in ("optional", "set", "list"):
        kind = kind[2][0]
    return (kind[0] if isinstance(kind, list) else kind) in _PLAIN


def is_data(value: Any) -> bool:
    """Whether a constant is made of numbers and words alone."""
    if isinstance(value, (tuple, list, set, frozenset)):
        return bool(value) and all(is_data(part) for part in value)
    if isinstance(value, dict):
        lists = (part for part in value.values() if part != [])
        return bool(value) and all(is_data(part) for part in (*value, *lists))
    return value is None or isinstance(value, (int, str))
