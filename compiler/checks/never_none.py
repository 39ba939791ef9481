"""Questions about a choice that was made before they can be asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import index, nodes_in
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]


def find(context: Context) -> Iterator[Diagnostic]:
    """Every `if x is none` about an `x` that the head of the action chooses."""
    for unit in index(context).by_form("action"):
        chosen = {
            node["n"]: node["name"]
            for node in unit.ir["body"]
            if node["op"] == "choose" and node.get("head") and "mode" not in node
        }
        if not chosen:
            continue
        nodes = list(nodes_in(unit.ir["body"]))
        for node in nodes:
            if node.get("op") == "assign" and node["target"].get("op") == "local":
                chosen.pop(node["target"]["n"], None)
        for node in nodes:
            if node.get("op") != "if":
                continue
            for asked in nodes_in([test for test, _ in node["branches"]]):
                subject = asked.get("of") if asked.get("op") == "is_none" else None
                if isinstance(subject, dict) and subject.get("op") == "local" and subject["n"] in chosen:
                    name = chosen[subject["n"]]
                    yield CHECK.finding(
                        context.span(node["at"]),
                        f"`{name}` is never none here: with nothing to choose from, the action is refused before it",
                        f"write `choose up to 1 {name} from ...`, or take the question away",
                    )


CHECK = Check(
    code="F443",
    name="never-none",
    severity="warning",
    why="""A `choose` at the head of an action, before anything is done, is part of what the action needs:
    when there is nothing to choose from, the call is refused, and no line of the action runs. A question
    whether the choice is `none` can then only have one answer. `choose up to 1` lets the action begin
    without a choice.""",
    bad="""
    role Player
    kind Boat
    Boat punt
    state sailed: int = 0
    action game: sail first Player
    action sail k: Player:
        choose b from Boat by k
        if b is none: sailed - 1  # <-
        otherwise: sailed + 1
    """,
    good="""
    role Player
    kind Boat
    Boat punt
    state sailed: int = 0
    action game: sail first Player
    action sail k: Player:
        choose up to 1 b from Boat by k
        if b is none: sailed - 1
        otherwise: sailed + 1
    """,
    find=find,
    local=True,
)
