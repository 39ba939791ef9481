"""Writes the JSON Schemas, the load check's table and the tables of the document's page from the shapes.

`python -m talewright.compiler.schema_files` writes them; with `--check` it only says what is stale.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from talewright.compiler.shape_kinds import Shape
from talewright.compiler.shape_tables import (
    TYPE_PARTS,
    TYPE_TAGS,
    Union,
    all_shapes,
    all_unions,
    load_table,
)

DRAFT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://talewright.dev/schemas/"
ROOT = Path(__file__).resolve().parents[1]
MAX_NAME = 200
MAX_TEXT = 200_000
_GROUP = 11

# Which file a shape or union is written to, by the beginning of its name.
_HOMES = {
    "expression": "expressions",
    "passed": "expressions",
    "text": "expressions",
    "show": "expressions",
    "done": "expressions",
}
_STATEMENTS = (
    "statement",
    "rule",
    "arm",
    "slot",
    "choice",
    "menu use",
    "parameter",
    "parts",
    "doing",
    "argument",
)
_TITLES = {
    "document": "A Talewright document, version 2",
    "declarations": "What packages declare",
    "statements": "Statements and rules",
    "expressions": "Expressions and texts",
    "types": "Types",
}
_JSON_TYPES = {
    "string": "string",
    "name": "string",
    "ref": "string",
    "null": "null",
    "whole": "integer",
    "truth": "boolean",
    "list": "array",
    "row": "array",
}


def schemas() -> dict[str, dict[str, Any]]:
    """Every generated schema by file name."""
    made: dict[str, dict[str, Any]] = {name: {} for name in _TITLES}
    for name, shape in all_shapes().items():
        if name != "text":
            made[_home(name)][_key(name)] = _shape_schema(shape)
    for name, union in all_unions().items():
        made[_home(name)][f"any-{_key(name)}"] = _union_schema(union)
    made["declarations"]["default"] = {
        "if": {"required": ["op"]},
        "then": {"$ref": _link("given code")},
        "else": {"$ref": _link("measured")},
    }
    made["types"] = {"type": _type_schema()}
    return {f"{home}.schema.json": _file(home, definitions) for home, definitions in made.items()}


def _file(home: str, definitions: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {"$schema": DRAFT, "$id": f"{BASE}{home}.schema.json", "title": _TITLES[home]}
    if home == "document":
        schema["$ref"] = "#/$defs/document"
    return {**schema, "$defs": definitions}


def _home(name: str) -> str:
    first = name.split(" ")[0]
    if name in ("document", "package", "story", "story node", "story edge", "sources"):
        return "document"
    if first in _HOMES or name in ("target", "argument"):
        return _HOMES.get(first, "expressions")
    if name.startswith(_STATEMENTS) or name == "given code":
        return "statements"
    return "declarations"


def _key(name: str) -> str:
    return name.replace(" ", "-")


def _link(name: str, union: bool = False) -> str:
    key = f"any-{_key(name)}" if union else _key(name)
    return f"{_home(name)}.schema.json#/$defs/{key}"


def _shape_schema(shape: Shape) -> dict[str, Any]:
    properties = {}
    by: list[dict[str, Any]] = []
    for key, kind in shape.fields.items():
        if kind[0] == "by":
            properties[key] = {"type": "object"}
            by = _by_sibling(key, kind)
        else:
            properties[key.rstrip("?")] = _schema(kind)
    schema: dict[str, Any] = {
        "description": shape.says,
        "type": "object",
        "required": [key for key in shape.fields if not key.endswith("?")],
        "properties": properties,
        "additionalProperties": False,
    }
    if shape.either:
        first, second = shape.either
        schema["if"] = {"required": [first[0]]}
        schema["then"] = {"required": list(first), "not": {"required": [second[0]]}}
        schema["else"] = {"required": list(second)}
    if by:
        schema["allOf"] = by
    return schema


def _by_sibling(key: str, kind: Any) -> list[dict[str, Any]]:
    _, sibling, prefix = kind
    words = [name[len(prefix) + 1 :] for name in all_shapes() if name.startswith(f"{prefix} ")]
    return [
        {
            "if": {"properties": {sibling: {"const": word}}},
            "then": {"properties": {key: {"$ref": _link(f"{prefix} {word}")}}},
        }
        for word in words
    ]


def _union_schema(union: Union) -> dict[str, Any]:
    # Two steps, groups of words and then words, cost a fifth of asking for each word in turn.
    members = list(union.members.items())
    groups = [members[at : at + _GROUP] for at in range(0, len(members), _GROUP)]
    return {
        "type": "object",
        "required": [union.field],
        "properties": {union.field: {"enum": list(union.members)}},
        "allOf": [
            {
                "if": {"properties": {union.field: {"enum": [word for word, _ in group]}}},
                "then": {"allOf": [_branch(union.field, word, name) for word, name in group]},
            }
            for group in groups
        ],
    }


def _branch(field: str, word: str, name: str) -> dict[str, Any]:
    return {
        "if": {"properties": {field: {"const": word}}, "required": [field]},
        "then": {"$ref": _link(name)},
    }


def _schema(kind: Any) -> Any:
    """A kind as JSON Schema."""
    match kind:
        case ("union", name):
            return {"$ref": _link(name, union=True)}
        case ("shape", "text"):
            return {"$ref": _link("expression text")}
        case ("shape", name):
            return {"$ref": _link(name)}
        case ("default",):
            return {"$ref": "declarations.schema.json#/$defs/default"}
        case ("type",):
            return {"$ref": "types.schema.json#/$defs/type"}
        case ("apart", inner):
            return _schema(inner)
        case ("list", inner):
            return {"type": "array", "items": _schema(inner)}
        case ("row",):
            return {"type": "array", "maxItems": 0}
        case ("row", *inner):
            return {
                "type": "array",
                "prefixItems": [_schema(one) for one in inner],
                "items": False,
                "minItems": len(inner),
            }
        case ("map", inner):
            return {
                "type": "object",
                "propertyNames": {"maxLength": MAX_NAME},
                "additionalProperties": _schema(inner),
            }
        case ("or", first, second):
            return {"if": {"type": _JSON_TYPES[first[0]]}, "then": _schema(first), "else": _schema(second)}
        case _:
            return _leaf(kind)


def _leaf(kind: Any) -> Any:
    match kind:
        case ("any",):
            return {"type": "object"}
        case ("one of", only):
            return {"const": only}
        case ("one of", *values):
            return {"enum": list(values)}
        case ("whole", low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case ("spot",) | ("local",) | ("binds",):
            return {"type": "integer", "minimum": 0, "maximum": 10**9}
        case ("locals",):
            return {"type": "array", "items": _schema(("shape", "local"))}
        case ("string",):
            return {"type": "string", "maxLength": MAX_TEXT}
        case ("name",) | ("ref", _):
            return {"type": "string", "maxLength": MAX_NAME}
        case ("truth",):
            return {"type": "boolean"}
        case ("null",):
            return {"type": "null"}
    raise ValueError(f"no schema for {kind}")


def _type_schema() -> dict[str, Any]:
    parts = [
        {
            "if": {"prefixItems": [{"const": tag}]},
            "then": {"prefixItems": [True, True, _schema(TYPE_PARTS.get(tag, ("row",)))]},
        }
        for tag in TYPE_TAGS
    ]
    return {
        "description": "a type: its tag alone, or its tag, its name and what it is made of",
        "if": {"type": "string"},
        "then": {"enum": list(TYPE_TAGS)},
        "else": {
            "type": "array",
            "minItems": 3,
            "prefixItems": [
                {"enum": list(TYPE_TAGS)},
                {"type": "string", "maxLength": MAX_NAME},
                {"type": "array"},
            ],
            "items": False,
            "allOf": parts,
        },
    }


# -------------------------------------------------------------- the tables of the page
_START = "<!-- generated from compiler/shapes.py -->"
_END = "<!-- end of the generated part -->"
_PAGE_GROUPS = (
    ("Expressions", "expression "),
    ("Arguments only", "passed "),
    ("Statements", "statement "),
    ("Rules", "rule "),
    ("Rows with a key", "arm "),
    ("Values of fields", "given "),
    ("Steps of tests", "step "),
    ("Sections of `content`", "in "),
)


def page_tables() -> str:
    """The tables of every node, for people who read the document with other tools."""
    lines: list[str] = []
    for title, prefix in _PAGE_GROUPS:
        lines += [f"### {title}", "", "| name | fields | meaning |", "|---|---|---|"]
        for name, shape in all_shapes().items():
            if name.startswith(prefix) and not name.startswith("in force"):
                fields = [
                    f"`{key}`"
                    for key, kind in shape.fields.items()
                    if key not in ("op", "rule", "key", "step")
                ]
                lines.append(f"| `{name[len(prefix) :]}` | {' '.join(fields)} | {shape.says} |")
        lines.append("")
    return "\n".join(lines)


def files() -> dict[Path, str]:
    """Every generated file with its text."""
    made = {ROOT / "schemas" / name: _text(schema) for name, schema in schemas().items()}
    made[ROOT / "schemas" / "shapes.json"] = json.dumps(load_table(), indent=1) + "\n"
    page = ROOT / "docs" / "document.md"
    if page.exists():
        text = page.read_text("utf-8")
        head, rest = text.split(_START)
        tail = rest.split(_END)[1]
        made[page] = f"{head}{_START}\n\n{page_tables()}\n{_END}{tail}"
    return made


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Writes what is stale, or with `--check` names it."""
    stale = [path for path, text in files().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if "--check" in arguments:
            print(f"stale: {path.relative_to(ROOT)}")
        else:
            path.write_text(files()[path], "utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
