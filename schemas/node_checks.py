"""The checks of single nodes that need more than their own shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.schemas.references import Around, Walk

Node = dict[str, Any]
NodeCheck = Callable[["Walk", Node, Any, "Around"], None]


def _count(walk: Walk, trail: Any, what: str, given: int, wanted: int) -> None:
    if given != wanted:
        plural = "" if wanted == 1 else "s"
        walk.problem(
            "D809", (trail, "args"), f"{what} takes {wanted} argument{plural}, but {given} stand here"
        )


def _value(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.values.get(node["id"])
    if known is not None:
        _count(walk, trail, f"`{node['id']}`", len(node["args"]), len(known["params"]))


def _call(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.actions.get(node["action"])
    if known is not None:
        _count(walk, trail, f"`{node['action']}`", len(node["args"]), len(known["params"]))


def _table(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.tables.get(node["id"])
    if known is not None:
        _count(walk, trail, f"`{node['id']}`", len(node["args"]), len(known["params"]) + 1)


def _trait(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.traits.get(node["id"])
    if known is not None and node["args"]:
        _count(walk, trail, f"`{node['id']}`", len(node["args"]), len(known["params"]))


def _menu(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.menus.get(node["id"])
    if known is not None:
        _count(walk, trail, f"the menu `{node['id']}`", len(node["args"]), len(known["params"]))


def _offer(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.menus.get(node["menu"])
    if known is not None and len(node["params"]) != len(known["params"]):
        wanted, given = len(known["params"]), len(node["params"])
        said = f"the menu `{node['menu']}` has {wanted} parameters, but {given} stand here"
        walk.problem("D809", (trail, "params"), said)


def _function(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.functions.get(node["fn"])
    if known is not None and not known[0] <= len(node["args"]) <= known[1]:
        said = f"`{node['fn']}` takes {known[0]} to {known[1]} arguments, but {len(node['args'])} stand here"
        walk.problem("D809", (trail, "args"), said)


def _field(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    _has_field(walk, node["owner"], node["name"], (trail, "name"))


def _modify(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    if "field" in node:
        _has_field(walk, node["owner"], node["field"], (trail, "field"))
        return
    known = walk.index.values.get(node["value"])
    if known is not None and len(node["params"]) != len(known["params"]):
        said = (
            f"`{node['value']}` has {len(known['params'])} parameters, but {len(node['params'])} stand here"
        )
        walk.problem("D809", (trail, "params"), said)


def _has_field(walk: Walk, owner: str, name: str, trail: Any) -> None:
    fields = walk.index.fields.get(owner)
    if fields is not None and name not in fields:
        walk.problem("D806", trail, f"`{owner}` has no field `{name}`")


def _hook(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    known = walk.index.actions.get(node["action"])
    for at, slot in enumerate(node["slots"]):
        param = slot["param"]
        if known is not None and not (isinstance(param, int) and param < len(known["params"])):
            said = f"`{node['action']}` has no parameter {param}"
            walk.problem("D809", (((trail, "slots"), at), "param"), said)


def _seat(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    role = walk.index.kinds.get(node["role"], {}).get("role")
    if role is None:
        if node["role"] in walk.index.kinds:
            walk.problem("D806", (trail, "role"), f"`{node['role']}` is no role")
    elif node["n"] > role["high"]:
        walk.problem(
            "D806", (trail, "n"), f"`{node['role']}` has {role['high']} seats, and this is seat {node['n']}"
        )


def _trait_param(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    if node["name"] not in around.trait:
        walk.problem("D812", trail, f"no trait around this has a parameter `{node['name']}`")


def _as_usual(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    if "instead_of" not in around.rules:
        walk.problem("D812", trail, "`as_usual` belongs in an `instead_of` rule")


def _result(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    if "after" not in around.rules:
        walk.problem("D812", trail, "`result` belongs in an `after` rule")


def _block(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    # A block that does not number its parameters may read them all the same.
    around.unit.loose |= "params" not in node


def _text(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    name = node.get("id")
    if name is None:
        return
    shown = sum(not isinstance(part, str) for part in node["parts"])
    catalogued = walk.index.texts.get(name)
    if catalogued is not None and walk.highest_placeholder(catalogued) > shown:
        walk.problem("D806", (trail, "id"), f"`texts` shows more in `{name}` than the text has to show")


def _track(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    if node["low"] > node["high"]:
        walk.problem("D812", (trail, "high"), "a track goes from its lower to its higher end")
    for at, hook in enumerate(node.get("hooks", ())):
        for space in hook["spaces"]:
            if not node["low"] <= space <= node["high"]:
                walk.problem("D812", (((trail, "hooks"), at), "spaces"), f"the track has no space {space}")


def _seats(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    if node["low"] > node["high"]:
        walk.problem("D812", (trail, "high"), "a role is played by at least `low` and at most `high`")


def _thing(walk: Walk, node: Node, trail: Any, around: Around) -> None:
    for key in node.get("fields", ()):
        if key.rsplit(".", 1)[-1] not in walk.index.every_field:
            walk.problem("D806", ((trail, "fields"), key), f"no kind or trait has a field `{key}`")


CHECKS: dict[str, NodeCheck] = {
    "expression value": _value,
    "statement call": _call,
    "expression table": _table,
    "expression trait": _trait,
    "menu use": _menu,
    "rule offer": _offer,
    "expression core": _function,
    "expression field": _field,
    "rule modify": _modify,
    "rule before": _hook,
    "rule after": _hook,
    "rule instead_of": _hook,
    "rule forbid": _hook,
    "expression seat": _seat,
    "expression trait_param": _trait_param,
    "statement as_usual": _as_usual,
    "expression result": _result,
    "passed block": _block,
    "expression text": _text,
    "text": _text,
    "in tracks": _track,
    "track body": _track,
    "seats": _seats,
    "in things": _thing,
    "cast line": _thing,
    "face": _thing,
}
