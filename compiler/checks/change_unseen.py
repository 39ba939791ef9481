"""Changes of a list that only the action sees which makes them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index, nodes_in
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]
# What is handed over as a copy: whoever calls keeps their own.
_COPIED = frozenset(("list", "set", "pool", "map"))


def find(context: Context) -> Iterator[Diagnostic]:
    """Every parameter that is changed in place and not given back."""
    for unit in index(context).by_form("action"):
        params = {param["n"]: param for param in unit.ir["params"] if _tag(param["type"]) in _COPIED}
        if params:
            nodes = list(nodes_in(unit.ir["body"]))
            for number in params:
                changes = [node for node in nodes if _changes(node, number)]
                if changes and not _read_elsewhere(nodes, number, changes):
                    name = unit.ir["locals"][number]["name"]
                    yield CHECK.finding(
                        context.span(changes[0]["at"]),
                        f"the caller does not see this change: `{name}` is the action's own copy",
                        f"give the new one back with `give {name}`, or keep it in a state, a field or a pile",
                    )


def _tag(type_: Any) -> str:
    return str(type_[0] if isinstance(type_, list) else type_)


def _changes(node: IR, number: int) -> bool:
    """Whether a statement adds to a local or takes from it."""
    local = {"op": "local", "n": number}
    if node.get("op") in ("extend", "shrink"):
        return bool(node["target"] == local)
    if node.get("op") == "core_call" and node["verb"] in ("add", "remove"):
        return local in (node["args"].get("to"), node["args"].get("from"))
    return False


def _read_elsewhere(nodes: list[IR], number: int, changes: list[IR]) -> bool:
    """Whether the action reads what it has changed: a copy to work on is nothing to warn about."""
    first = min(change["at"] for change in changes)
    for node in nodes:
        if not isinstance(node.get("at"), int) or node in changes or not _mentions(node, number):
            continue
        # A loop comes back to what stands above the change.
        loop = node["op"] in ("repeat", "for_each") and any(inner in changes for inner in nodes_in(node))
        if node["at"] > first or (loop and _mentions_beside(node, number, changes)):
            return True
    return False


def _mentions_beside(loop: IR, number: int, changes: list[IR]) -> bool:
    """Whether a loop reads a local apart from changing it."""
    within = sum(found == {"op": "local", "n": number} for found in nodes_in(loop))
    return within > sum(
        found == {"op": "local", "n": number} for change in changes for found in nodes_in(change)
    )


def _mentions(node: IR, number: int) -> bool:
    return any(found.get("op") == "local" and found.get("n") == number for found in nodes_in(node))


CHECK = Check(
    code="F442",
    name="change-unseen",
    severity="warning",
    why="""A list, set, map or roll handed to an action is a copy: the action may change it, and whoever
    called still has the old one. A change at the end of an action, after which nothing reads the list
    again, is therefore lost. Give the new list back, or keep it where both can see it.""",
    bad="""
    kind Beast
    Beast ox, elk
    action game:
        let hits = {ox, elk}
        repeat while any hits: strike hits
    action strike hits: list of Beast:
        let b = first hits
        remove b from hits  # <-
    """,
    good="""
    kind Beast
    Beast ox, elk
    action game:
        let hits = {ox, elk}
        repeat while any hits: hits = do strike hits
    action strike hits: list of Beast gives list of Beast:
        let b = first hits
        remove b from hits
        give hits
    """,
    find=find,
    local=True,
)
