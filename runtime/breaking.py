"""Breaking a document on purpose, in one place at a time: what no test notices is not tested.

A break takes a rule or a statement away, drops a condition, or moves a number by one. The document itself is left as
it is; `broken` gives another that shares with it all that is not on the way to the broken place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from talewright.runtime.layout import IR

# Where behaviour lives. Tests, checks and measures look at a game; they are no part of it.
PARTS = (
    "actions",
    "anytime",
    "kinds",
    "menus",
    "payments",
    "periods",
    "rules",
    "states",
    "tables",
    "things",
    "tracks",
    "traits",
    "values",
)
# A local that is never set is noticed by Python, not by a test.
NEEDED = frozenset({"choose", "let", "nothing"})
HEAD = frozenset({"choose", "let", "requires"})
NEIGHBOURS = {"ge": "gt", "gt": "ge", "le": "lt", "lt": "le"}
SIGNS = {"ge": ">=", "gt": ">", "le": "<=", "lt": "<"}

WITHOUT_LINE = "without this line"
WITHOUT_RULE = "without this rule"
WITHOUT_FIRST = "without the first of these conditions"
WITHOUT_LAST = "without the last of these conditions"
UNASKED = "without its `when`"
CONDITIONS = frozenset({WITHOUT_FIRST, WITHOUT_LAST})

Path = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Break:
    """One place of a document, and what is done to it there."""

    path: Path
    what: str
    at: int
    # The action the place belongs to, if it is part of one: only tests that call it can notice.
    action: str = ""


def breaks(document: IR) -> Iterator[Break]:
    """Every way to break a document in one place."""
    content = document["content"]
    for part in PARTS:
        for index, item in enumerate(content.get(part, ())):
            if part == "rules":
                yield Break((part, index), WITHOUT_RULE, item["at"])
            for found in _inside(item, (part, index), item.get("at", 0)):
                yield replace(found, action=item["id"]) if _only_called(item, found.path) else found


def _only_called(item: IR, path: Path) -> bool:
    """Whether a place is in the body of an action; its head is asked by `possible` and by menus too."""
    return path[0] == "actions" and path[2] == "body" and item["body"][path[3]]["op"] not in HEAD


def broken(document: IR, found: Break) -> IR:
    """The document with one place broken."""
    return {**document, "content": _rebuilt(document["content"], found.path, found.what)}


def _inside(node: Any, path: Path, at: int) -> Iterator[Break]:
    if isinstance(node, list):
        for index, item in enumerate(node):
            here = (*path, index)
            if _is_statement(item):
                yield Break(here, WITHOUT_LINE, item["at"])
            yield from _inside(item, here, at)
        return
    # What people read is not what happens: texts are left alone, whatever the field is called.
    if not isinstance(node, dict) or node.get("op") == "text":
        return
    # Where something lies is called `at` too; it is no line of the text.
    at = node["at"] if isinstance(node.get("at"), int) else at
    yield from _changes(node, path, at)
    for key, value in node.items():
        if key == "rules":
            for index, rule in enumerate(value):
                yield Break((*path, key, index), WITHOUT_RULE, rule["at"])
        yield from _inside(value, (*path, key), at)


def _is_statement(node: Any) -> bool:
    if not isinstance(node, dict) or "op" not in node or not isinstance(node.get("at"), int):
        return False
    return node["op"] not in NEEDED and node.get("verb") != "say"


def _changes(node: IR, path: Path, at: int) -> Iterator[Break]:
    """What can be done to a node itself."""
    op = node.get("op")
    if op == "int" and isinstance(node["v"], int):
        yield Break(path, f"{node['v'] + 1} instead of {node['v']}", at)
    elif op in NEIGHBOURS:
        yield Break(path, f"`{SIGNS[NEIGHBOURS[op]]}` instead of `{SIGNS[op]}`", at)
    elif op == "and":
        yield Break(path, WITHOUT_FIRST, at)
        yield Break(path, WITHOUT_LAST, at)
    if "rule" in node and node.get("when") is not None:
        yield Break((*path, "when"), UNASKED, at)


def _rebuilt(node: Any, path: Path, what: str) -> Any:
    key, rest = path[0], path[1:]
    copied = node.copy()
    if rest:
        copied[key] = _rebuilt(node[key], rest, what)
    elif what == WITHOUT_RULE:
        del copied[key]
    elif what == UNASKED:
        copied.pop(key)
    elif what == WITHOUT_LINE:
        copied[key] = {"op": "nothing", "at": node[key]["at"]}
    else:
        copied[key] = altered(node[key], what)
    return copied


def altered(node: IR, what: str) -> IR:
    """A number, comparison or pair of conditions as a break leaves it."""
    match node["op"]:
        case "int":
            return {**node, "v": node["v"] + 1}
        case "and":
            return dict(node["b"] if what == WITHOUT_FIRST else node["a"])
        case op:
            return {**node, "op": NEIGHBOURS[op]}
