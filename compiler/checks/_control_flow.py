"""Where a block always ends, and which calls it is certain to make."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks.usage_index import Unit, nodes_in

IR = dict[str, Any]

CHOICES = frozenset(("choose", "choose_one", "may", "open", "agreed"))
_LEAVES = frozenset(("stop", "give", "go_to", "as_usual"))
_LOOPS = frozenset(("for_each", "repeat"))


def verb_of(unit: Unit) -> str:
    """The verb of the action that a piece of code is, if it is one."""
    return str(unit.ir.get("verb", "")) if unit.form == "action" else ""


def always_ends(statement: IR, verb: str) -> bool:
    """Whether nothing after a statement can ever be done."""
    match statement.get("op"):
        case "go_to" | "give":
            return True
        case "stop":
            # `stop X` does nothing while no X runs; inside X itself one always does.
            moment = statement.get("moment")
            return moment is None or moment == f"verb:{verb}"
        case "together":
            return _some_end(statement["body"], verb)
        case "if":
            bodies = [body for _, body in statement["branches"]]
            return bool(statement["otherwise"]) and all(
                _some_end(b, verb) for b in (*bodies, statement["otherwise"])
            )
        case "branch":
            arms = statement["arms"]
            rest = any(arm["key"] == "otherwise" for arm in arms)
            return rest and all(_some_end(arm["body"], verb) for arm in arms)
        case "choose_one":
            options = statement["options"]
            sure = any("when" not in option for option in options) and not statement.get("optional")
            return sure and all(_some_end(option["body"], verb) for option in options)
        case "repeat":
            return "while" not in statement and "times" not in statement and not breaks(statement["body"])
    return False


def _some_end(body: list[IR], verb: str) -> bool:
    return any(always_ends(statement, verb) for statement in body)


def breaks(body: Any) -> bool:
    """Whether a bare `stop` leaves the loop around this body."""
    stack: list[Any] = [body]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            if item.get("op") == "stop" and "moment" not in item:
                return True
            if item.get("op") not in _LOOPS:
                stack.extend(item.values())
    return False


def asks_or_leaves(code: Any) -> bool:
    """Whether somebody may decide here, or the block may be left."""
    return any(node.get("op") in CHOICES or node.get("op") in _LEAVES for node in nodes_in(code))


def certain_calls(body: list[IR], hooked: set[str]) -> Iterator[IR]:
    """The calls a block makes whatever happens, up to the first choice, bound or way out.

    `hooked` are the tracks that may end a chapter when they are moved.
    """
    for statement in body:
        op = statement.get("op")
        if op in ("requires", "stop", "give", "go_to", "as_usual") or op in CHOICES:
            return
        if op in ("let", "assign"):
            value = statement["value"]
            if value.get("op") in ("call", "core_call"):
                yield value
                if value["op"] == "call":
                    return
            elif asks_or_leaves(value):
                return
        elif op == "call":
            yield statement
            # The checkpoint behind a declared action may end it all.
            return
        elif op == "core_call":
            yield statement
        elif op == "change":
            target = statement["target"]
            if target.get("op") == "track" and target["id"] in hooked:
                return
            if target.get("op") == "field" and f"{target['owner']}.{target['name']}" in hooked:
                return
        elif op == "together":
            yield from certain_calls(statement["body"], hooked)
            return
        elif op == "repeat":
            if "while" in statement or "times" in statement:
                if asks_or_leaves(statement["body"]):
                    return
            else:
                yield from certain_calls(statement["body"], hooked)
                return
        elif op == "if":
            yield from _in_all_branches(statement, hooked)
            if asks_or_leaves(statement) or _calls(statement):
                return
        elif asks_or_leaves(statement) or _calls(statement):
            return


def _calls(code: Any) -> bool:
    return any(node.get("op") in ("call", "run_effect", "run_table") for node in nodes_in(code))


def _in_all_branches(statement: IR, hooked: set[str]) -> Iterator[IR]:
    if not statement["otherwise"]:
        return
    found: list[dict[str, IR]] = []
    for body in (*(b for _, b in statement["branches"]), statement["otherwise"]):
        found.append(
            {call.get("action", "core:" + call.get("verb", "")): call for call in certain_calls(body, hooked)}
        )
    for name, call in found[0].items():
        if all(name in other for other in found[1:]):
            yield call
