"""Writes the JSON Schemas of the document, and the tables of its page, from the declarations of the nodes.

`python -m talewright.schemas.schema_files` writes them; with `--check` it only says what is stale.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any, get_args

from talewright.schemas.core import VERBS
from talewright.schemas.limits import MAX_NAME, MAX_NUMBER, MAX_TEXT
from talewright.schemas.nodes import (
    arguments,
    components,
    declared,
    document,
    expressions,
    literals,
    names,
    operators,
    queries,
    reads,
    rules,
    statements,
    tables,
    tests,
    things,
    types,
)
from talewright.schemas.nodes.arguments import CoreArguments
from talewright.schemas.nodes.declaration import Expression, Node, Part
from talewright.schemas.nodes.document import Content
from talewright.schemas.nodes.forms import (
    TYPE_ARGUMENTS,
    Either,
    Form,
    Held,
    Listed,
    Nodes,
    Nullable,
    OneOf,
    OwnLocals,
    Plain,
    Row,
    Table,
    Typed,
    all_classes,
    core_arguments,
    node_classes,
    parts,
)
from talewright.schemas.nodes.leaves import BindsLocal, Named, Place, ReadsLocal, Reference, Whole
from talewright.schemas.nodes.statements import CoreCall

DRAFT = "https://json-schema.org/draft/2020-12/schema"
BASE = "https://talewright.dev/schemas/"
ROOT = Path(__file__).resolve().parents[1]
_GROUP = 11

Schema = dict[str, Any]

# The files, each with its title and the modules whose nodes are written to it.
_FILES = {
    "document": ("A Talewright document, version 2", (document,)),
    "declarations": ("What packages declare", (declared, components, things, tests)),
    "statements": ("Statements and rules", (statements, rules, tables, arguments)),
    "expressions": ("Expressions and texts", (expressions, literals, names, reads, operators, queries)),
    "types": ("Types", (types,)),
}
_HOMES = {module.__name__: home for home, (_, modules) in _FILES.items() for module in modules}

# Unions by the name they have; of two classes with the same word, the later is meant.
_UNIONS: dict[str, tuple[str, Any]] = {
    "Expression": ("expressions", Expression),
    "Target": ("expressions", expressions.Target),
    "Argument": ("statements", arguments.Argument),
    "Doing": ("statements", arguments.Doing),
    "Statement": ("statements", statements.Statement),
    "Rule": ("statements", rules.Rule),
    "Pattern": ("statements", tables.Pattern),
    "FieldValue": ("declarations", things.FieldValue),
    "FieldDefault": ("declarations", things.FieldDefault),
    "TestStep": ("declarations", tests.TestStep),
}


def schemas() -> dict[str, Schema]:
    """Every schema by file name."""
    made: dict[str, Schema] = {home: {} for home in _FILES}
    for cls in all_classes():
        made[_HOMES[cls.__module__]].update(_definitions(cls))
    for name, (home, _) in _UNIONS.items():
        made[home][name] = _union_schema(_classes(name))
    made["types"]["Type"] = _type_schema()
    return {f"{home}.schema.json": _file(home, definitions) for home, definitions in made.items()}


def _file(home: str, definitions: Schema) -> Schema:
    schema: Schema = {"$schema": DRAFT, "$id": f"{BASE}{home}.schema.json", "title": _FILES[home][0]}
    if home == "document":
        schema["$ref"] = "#/$defs/Document"
    return {**schema, "$defs": definitions}


def _link(cls: type[Node], variant: str = "") -> str:
    return f"{_HOMES[cls.__module__]}.schema.json#/$defs/{_key(cls, variant)}"


def _key(cls: type[Node], variant: str) -> str:
    return f"{cls.__name__}-{variant}" if variant else cls.__name__


# -------------------------------------------------------------- nodes
def _definitions(cls: type[Node]) -> dict[str, Schema]:
    """The schema of a class, and those of its variants where it has some."""
    if cls is CoreArguments:
        return {_key(cls, verb): _object(cls, held) for verb, held in core_arguments().items()}
    flat = next((held for held in parts(cls) if held.part.flat), None)
    if flat is None:
        return {cls.__name__: _object(cls, parts(cls))}
    assert isinstance(flat.form, Nodes)
    own = [held for held in parts(cls) if held is not flat]
    made = {
        _key(cls, pattern.declared.word): _object(pattern, [*parts(pattern), *own])
        for pattern in flat.form.classes
    }
    words = {pattern.declared.word: _link(cls, pattern.declared.word) for pattern in flat.form.classes}
    return {cls.__name__: _by_word(flat.form.classes[0].declared.tag, words), **made}


def _object(cls: type[Node], held: Any) -> Schema:
    made = cls.declared
    properties: Schema = {made.tag: {"const": made.word}} if made.word else {}
    for each in held:
        properties[each.part.key] = _part_schema(each)
    schema: Schema = {
        "description": made.says,
        "type": "object",
        "required": [*([made.tag] if made.word else []), *(e.part.key for e in held if e.part.required)],
        "properties": properties,
        "additionalProperties": False,
    }
    if made.either:
        keys = {part.name: part.key for part in made.parts}
        first, second = ([keys[name] for name in group] for group in made.either)
        schema["if"] = {"required": [first[0]]}
        schema["then"] = {"required": first, "not": {"required": [second[0]]}}
        schema["else"] = {"required": second}
    if cls is CoreCall:
        properties["args"] = {"type": "object"}
        schema["allOf"] = [
            {
                "if": {"properties": {"verb": {"const": verb.id}}},
                "then": {"properties": {"args": {"$ref": _link(CoreArguments, verb.id)}}},
            }
            for verb in VERBS
        ]
    return schema


def _part_schema(held: Held) -> Schema:
    part, form = held.part, held.form
    if not part.required and isinstance(form, Nullable):
        form = form.item
    # A truth that may be missing is written only where it holds.
    holds = not part.required and part.default is False
    return {"description": part.says, **({"const": True} if holds else _schema(form))}


# -------------------------------------------------------------- unions
@cache
def _classes(name: str) -> tuple[type[Node], ...]:
    union = _UNIONS[name][1]
    return node_classes(*get_args(union) or (union,))


def _union_schema(classes: tuple[type[Node], ...]) -> Schema:
    wordless = [cls for cls in classes if not cls.declared.word]
    worded = [cls for cls in classes if cls.declared.word]
    if wordless:
        (coded,), (other,) = worded, wordless
        then, otherwise = {"$ref": _link(coded)}, {"$ref": _link(other)}
        return {"if": {"required": [coded.declared.tag]}, "then": then, "else": otherwise}
    return _by_word(worded[0].declared.tag, {cls.declared.word: _link(cls) for cls in worded})


def _by_word(tag: str, links: dict[str, str]) -> Schema:
    # Looking up a group of words first, and then the word, takes a fifth of the time of trying each word.
    members = list(links.items())
    groups = [members[at : at + _GROUP] for at in range(0, len(members), _GROUP)]
    return {
        "type": "object",
        "required": [tag],
        "properties": {tag: {"enum": list(links)}},
        "allOf": [
            {
                "if": {"properties": {tag: {"enum": [word for word, _ in group]}}},
                "then": {"allOf": [_branch(tag, word, link) for word, link in group]},
            }
            for group in groups
        ],
    }


def _branch(tag: str, word: str, link: str) -> Schema:
    return {
        "if": {"properties": {tag: {"const": word}}, "required": [tag]},
        "then": {"$ref": link},
    }


# -------------------------------------------------------------- parts
def _schema(form: Form) -> Schema:
    """What a part may hold as JSON Schema."""
    match form:
        case Nodes(classes):
            return {"$ref": _nodes_link(classes)}
        case OwnLocals(item):
            return _schema(item)
        case Listed(item):
            return {"type": "array", "items": _schema(item)}
        case Row(items):
            return {
                "type": "array",
                "prefixItems": [_schema(item) for item in items],
                "items": False,
                "minItems": len(items),
            }
        case Table(item):
            return {
                "type": "object",
                "propertyNames": {"maxLength": MAX_NAME},
                "additionalProperties": _schema(item),
            }
        case Nullable(item):
            return {"if": {"type": "null"}, "then": {"type": "null"}, "else": _schema(item)}
        case Either(first, second):
            return {"if": {"type": _json_type(first)}, "then": _schema(first), "else": _schema(second)}
        case _:
            return _leaf(form)


def _nodes_link(classes: tuple[type[Node], ...]) -> str:
    if len(classes) == 1:
        return _link(classes[0])
    name = next(name for name in _UNIONS if _classes(name) == classes)
    return f"{_UNIONS[name][0]}.schema.json#/$defs/{name}"


def _json_type(form: Form) -> str:
    return "string" if isinstance(form, (Named, Reference, Plain)) else "integer"


def _leaf(form: Form) -> Schema:
    match form:
        case Typed():
            return {"$ref": "types.schema.json#/$defs/Type"}
        case OneOf((only,)):
            return {"const": only}
        case OneOf(values):
            return {"enum": list(values)}
        case Whole(low, high):
            return {"type": "integer", "minimum": low, "maximum": high}
        case Place() | ReadsLocal() | BindsLocal():
            return {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}
        case Named() | Reference():
            return {"type": "string", "maxLength": MAX_NAME}
        case Plain("text"):
            return {"type": "string", "maxLength": MAX_TEXT}
        case Plain("truth"):
            return {"type": "boolean"}
        case Plain("json"):
            return {"type": "object"}
    raise ValueError(f"no schema for {form}")


def _type_schema() -> Schema:
    nothing: Schema = {"type": "array", "maxItems": 0}
    made = [
        {
            "if": {"prefixItems": [{"const": tag}]},
            "then": {
                "prefixItems": [
                    True,
                    True,
                    _schema(TYPE_ARGUMENTS[tag]) if tag in TYPE_ARGUMENTS else nothing,
                ]
            },
        }
        for tag in types.TAGS
    ]
    return {
        "description": "a type: its tag alone, or its tag, its name and what it is made of",
        "if": {"type": "string"},
        "then": {"enum": list(types.TAGS)},
        "else": {
            "type": "array",
            "minItems": 3,
            "prefixItems": [
                {"enum": list(types.TAGS)},
                {"type": "string", "maxLength": MAX_NAME},
                {"type": "array"},
            ],
            "items": False,
            "allOf": made,
        },
    }


# -------------------------------------------------------------- the tables of the page
_START = "<!-- generated from schemas/nodes -->"
_END = "<!-- end of the generated part -->"


def page_tables() -> str:
    """The tables of every node, for people who read the document with other tools."""
    expression = _classes("Expression")
    groups: dict[str, list[tuple[str, type[Node]]]] = {
        "Expressions": _worded(expression),
        "Arguments only": _worded(cls for cls in _classes("Argument") if cls not in expression),
        "Statements": _worded(_classes("Statement")),
        "Rules": _worded(_classes("Rule")),
        "Keys of rows: of arms, bands and tables": _worded(_classes("Pattern")),
        "Values of fields": _worded(cls for cls in _classes("FieldValue") if cls not in expression),
        "Steps of tests": _worded(_classes("TestStep")),
        "Sections of `content`": _sections(),
        "Parts of other nodes": [("", cls) for cls in all_classes() if _is_part(cls)],
    }
    lines: list[str] = []
    for title, rows in groups.items():
        lines += [f"### {title}", "", "| name | class | fields | meaning |", "|---|---|---|---|"]
        for word, cls in rows:
            fields = " ".join(_field(part) for part in cls.declared.parts)
            lines.append(
                f"| {f'`{word}`' if word else ''} | `{cls.__name__}` | {fields} | {cls.declared.says} |"
            )
        lines.append("")
    return "\n".join(lines)


def _worded(classes: Any) -> list[tuple[str, type[Node]]]:
    return [(cls.declared.word, cls) for cls in classes]


def _sections() -> list[tuple[str, type[Node]]]:
    found = []
    for held in parts(Content):
        if isinstance(held.form, Listed) and isinstance(held.form.item, Nodes):
            first, *others = held.form.item.classes
            if not others:
                found.append((held.part.key, first))
    return found


def _is_part(cls: type[Node]) -> bool:
    sections = {cls for _, cls in _sections()}
    return not cls.declared.word and cls not in sections and _HOMES[cls.__module__] != "document"


def _field(part: Part) -> str:
    return "`key` ..." if part.flat else f"`{part.key}{'' if part.required else '?'}`"


def files() -> dict[Path, str]:
    """Every generated file with its text."""
    made = {ROOT / "schemas" / name: _text(schema) for name, schema in schemas().items()}
    page = ROOT / "docs" / "document.md"
    if page.exists():
        text = page.read_text("utf-8")
        head, rest = text.split(_START)
        tail = rest.split(_END)[1]
        made[page] = f"{head}{_START}\n\n{page_tables()}\n{_END}{tail}"
    return made


def _text(schema: Schema) -> str:
    return json.dumps(schema, indent=1, ensure_ascii=False) + "\n"


def main(arguments: list[str]) -> int:
    """Writes what is stale, or with `--check` names it."""
    stale = {
        path: text for path, text in files().items() if not path.exists() or path.read_text("utf-8") != text
    }
    for path, text in stale.items():
        if "--check" in arguments:
            print(f"stale: {path.relative_to(ROOT)}")
        else:
            path.write_text(text, "utf-8")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
