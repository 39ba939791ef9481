"""Value numbering: equal keys for expressions that mean the same hidden thing."""

from __future__ import annotations

from typing import Any

from talewright.compiler.checks._content_walks import IR
from talewright.schemas.records import record

Key = tuple[Any, ...]


@record(frozen=True)
class Hidden:
    """A thing, or some of a set, whose face not everybody knows; an `owner` of a hand knows it."""

    key: Key
    kind: str
    where: str
    owner: Key | None = None


@record(frozen=True)
class Bound:
    """What a local stands for."""

    key: Key
    hidden: Hidden | None = None


Locals = dict[int, Bound]


def known_by(condition: Any, bound: Locals, holds: bool = True) -> frozenset[Key]:
    """What must be known wherever a condition holds, or does not: by `p knows x` or by `x is face_up`."""
    found: set[Key] = set()
    stack = [(condition, holds)]
    while stack:
        item, true = stack.pop()
        if not isinstance(item, dict):
            continue
        match item.get("op"):
            case "and" | "or" as op if true == (op == "and"):
                stack += [(item["a"], true), (item["b"], true)]
            case "not":
                stack.append((item["of"], not true))
            case "knows" if true:
                found.add(key_of(item["what"], bound))
            case "is_face" if true == (item["face"] == "face_up"):
                found.add(key_of(item["of"], bound))
    return frozenset(found)


def leaves(body: list[IR]) -> bool:
    """Whether nothing after a block runs once the block has run."""
    return bool(body) and body[-1].get("op") in ("give", "stop", "go_to")


def key_of(ir: Any, bound: Locals) -> Key:
    """The same key for expressions that mean the same thing."""
    if not isinstance(ir, dict):
        return ("other", id(ir))
    match ir.get("op"):
        case "local":
            found = bound.get(ir["n"])
            return found.key if found is not None else ("local", ir["n"])
        case "content" | "items" | "decider" | "copies":
            return key_of(ir["of"], bound)
        case "thing" | "sort" | "pile" | "state" | "kind" as op:
            return op, ir["id"]
        case "seat":
            return "seat", ir["role"], ir["n"]
        case "self":
            return ("self",)
        case "field" | "prop":
            return "field", key_of(ir["of"], bound), ir["name"]
        case "pile_top" | "pile_bottom" as op:
            return op, key_of(ir["of"], bound)
        case "value":
            return "value", ir["id"], *(key_of(arg, bound) for arg in ir["args"])
    return ("other", id(ir))


def in_place(key: Key, keys: list[Key]) -> Key:
    """A key of a summary with the arguments in place of its parameters."""
    if len(key) == 2 and key[0] == "parameter":
        return keys[key[1]] if key[1] < len(keys) else key
    return tuple(in_place(part, keys) if isinstance(part, tuple) else part for part in key)
