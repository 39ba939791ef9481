"""Every kind as a JSON Schema of its own things, so that other tools can check the things they write."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

DRAFT = "https://json-schema.org/draft/2020-12/schema"

# What may be written down in a field; anything else is computed, and its type is the compiler's business.
_LITERALS = (
    "int",
    "truth",
    "none",
    "word",
    "text",
    "dice",
    "size",
    "mark",
    "code",
    "bands",
    "edges",
    "drawing",
    "rows",
    "inline",
    "map",
    "set",
)
_ALLOWED: dict[str, tuple[str, ...]] = {
    "int": ("int",),
    "range": ("int",),
    "ints": ("int",),
    "target": ("int",),
    "truth": ("truth",),
    "text": ("text",),
    "words": ("word",),
    "thing": ("inline",),
    "set": ("set", "inline"),
    "list": ("set", "inline"),
    "map": ("map",),
    "bands": ("bands",),
    "effect": ("code",),
    "lines": ("code",),
    "condition": ("code",),
    "edges": ("edges",),
    "plan": ("drawing", "rows"),
    "pile": ("set", "inline"),
    "pool": ("dice", "int"),
    "size": ("size",),
    "mark": ("mark",),
    "token": (),
    "trait": (),
    "role": (),
    "kind": (),
}


def kind_schemas(content: dict[str, Any]) -> dict[str, Any]:
    """The schema of each kind, fields of the kinds it descends from included."""
    kinds = {kind["id"]: kind for kind in content["kinds"]}
    parents = {name: kind["parents"] for name, kind in kinds.items()}
    above = {name: lineage(name, parents) for name in kinds}
    below: dict[str, list[str]] = {name: [] for name in kinds}
    for name in sorted(kinds):
        for owner in above[name]:
            below[owner].append(name)
    return {
        name: _schema(name, [kinds[owner] for owner in above[name]], below[name]) for name in sorted(kinds)
    }


def lineage(name: str, parents: Mapping[str, Sequence[str]]) -> list[str]:
    """The kind and all it descends from, nearest first; a cycle ends where it begins again."""
    order: list[str] = []
    stack = [name]
    while stack:
        one = stack.pop()
        if one not in order and one in parents:
            order.append(one)
            stack.extend(reversed(parents[one]))
    return order


def _schema(name: str, above: list[dict[str, Any]], below: list[str]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for kind in reversed(above):
        for field in kind.get("fields", ()):
            fields[field["name"]] = _value(field["type"])
    return {
        "$schema": DRAFT,
        "title": name,
        "type": "object",
        "required": ["id", "kind"],
        "properties": {
            "id": {"type": "string", "minLength": 1},
            "kind": {"enum": below},
            "title": {"type": "string"},
            "fields": {"type": "object", "properties": dict(sorted(fields.items()))},
        },
    }


def _value(type_: Any) -> dict[str, Any]:
    """What a field of a type may hold: a literal of that type, or something computed."""
    tag, of = (type_, []) if isinstance(type_, str) else (type_[0], type_[2])
    optional = tag == "optional"
    if optional:
        inner = of[0]
        tag, of = (inner, []) if isinstance(inner, str) else (inner[0], inner[2])
    allowed = _ALLOWED.get(tag)
    if allowed is None:
        return {"type": "object", "required": ["op"]}
    refused = [op for op in _LITERALS if op not in allowed and not (optional and op == "none")]
    schema: dict[str, Any] = {
        "type": "object",
        "required": ["op"],
        "properties": {"op": {"not": {"enum": refused}}},
    }
    limits = _limits(tag, of)
    if limits is not None:
        literal, key, limit = limits
        schema["if"] = {"properties": {"op": {"const": literal}}}
        schema["then"] = {"required": [key], "properties": {key: limit}}
    return schema


def _limits(tag: str, of: list[Any]) -> tuple[str, str, dict[str, Any]] | None:
    if tag == "range" and of:
        return "int", "v", {"type": "integer", "minimum": of[0], "maximum": of[1]}
    if tag == "ints":
        return "int", "v", {"enum": of}
    if tag == "words" and of:
        return "word", "v", {"enum": of}
    if tag in ("set", "list") and of:
        return "set", "items", {"type": "array", "items": _value(of[0])}
    return None
