"""Lists below `first possible:` and what is always possible in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._call_cycles import never_none
from talewright.compiler.checks.check import Context
from talewright.compiler.checks.usage_index import Unit, index
from talewright.schemas.records import record

IR = dict[str, Any]

_ALWAYS = frozenset(("assign", "let", "nothing", "may", "retrait", "until", "go_to", "give", "stop"))


@record
class Plan:
    """A `first possible:` and the first of its entries that is always possible, if there is one."""

    node: IR
    unit: Unit
    sure: int | None


def plans(context: Context) -> list[Plan]:
    """Every `first possible:`, worked out once."""
    made = context.notes.get("plans of choice")
    if made is None:
        made = context.notes["plans of choice"] = list(_find(context))
    return list(made)


def _find(context: Context) -> Iterator[Plan]:
    seen = index(context)
    bounded = {rule.ir["action"] for rule in seen.rules if rule.ir["rule"] in ("forbid", "instead_of")}
    actions = {unit.id: unit.ir for unit in seen.by_form("action") if unit.id not in bounded}
    for node, unit in seen.of("possible"):
        if node["mode"] == "first" and node["members"]:
            sure = next((i for i, entry in enumerate(node["members"]) if _sure(entry, actions)), None)
            yield Plan(node, unit, sure)


def _sure(entry: IR, actions: dict[str, IR]) -> bool:
    """Whether an entry can be done whatever the state of the game."""
    op = entry.get("op")
    if op in _ALWAYS:
        return True
    if op == "change":
        return bool(entry["target"].get("op") == "state")
    if op == "core_call":
        return bool(entry["verb"] == "say")
    if op == "together":
        return bool(entry["body"]) and _sure(entry["body"][0], actions)
    if op == "possible":
        return any(_sure(member, actions) for member in entry["members"])
    if op != "call" or entry["action"] not in actions:
        return False
    action = actions[entry["action"]]
    if any(s.get("op") == "requires" or s.get("head") for s in action["body"]):
        return False
    given = zip(entry["args"], action["params"], strict=False)
    return all(arg is None or _takes_none(param) or never_none(arg, set()) for arg, param in given)


def _takes_none(param: IR) -> bool:
    return isinstance(param["type"], list) and param["type"][0] in ("optional", "effect", "set", "list")
