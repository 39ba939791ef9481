"""All shapes together: every node by name, and the unions that tell them apart by one field."""

from __future__ import annotations

from functools import cache
from typing import Any

from talewright.compiler.document import declaration_shapes, shapes
from talewright.compiler.document.expression_shapes import EXPRESSIONS
from talewright.compiler.document.shape_kinds import Shape
from talewright.compiler.symbols import core
from talewright.dsl.records import record


@record(frozen=True)
class Union:
    """Nodes told apart by the word in one field."""

    field: str
    members: dict[str, str]


def _named(prefix: str, members: dict[str, Shape]) -> dict[str, str]:
    return {word: f"{prefix} {word}" for word in members}


_GROUPS: dict[str, tuple[str, dict[str, Shape]]] = {
    "expression": ("op", EXPRESSIONS),
    "passed": ("op", shapes.ARGUMENTS),
    "done": ("op", shapes.DONE),
    "statement": ("op", shapes.STATEMENTS),
    "rule": ("rule", shapes.RULES),
    "arm": ("key", shapes.ARMS),
    "band": ("key", shapes.BANDS),
    "table row": ("key", shapes.TABLE_ROWS),
    "step": ("step", shapes.STEPS),
    "given": ("op", shapes.FIELD_VALUES),
}


@cache
def all_shapes() -> dict[str, Shape]:
    """Every shape by name; members of unions carry the union's name before their own."""
    found: dict[str, Shape] = {}
    for group, (field, members) in _GROUPS.items():
        for word, made in members.items():
            fields = {field: ("one of", word), **made.fields}
            found[f"{group} {word}"] = Shape(made.says, fields, made.either)
    found.update(declaration_shapes.PARTS)
    found.update({f"in {name}": made for name, made in declaration_shapes.SECTIONS.items()})
    found["text"] = found["expression text"]
    return found


@cache
def all_unions() -> dict[str, Union]:
    """Every union by name."""
    expressions = _named("expression", EXPRESSIONS)
    calls = _named("statement", shapes.CALLS)
    return {
        "expression": Union("op", expressions),
        "argument": Union("op", {**expressions, **_named("passed", shapes.ARGUMENTS)}),
        "doing": Union("op", {**expressions, **calls, **_named("done", shapes.DONE)}),
        "target": Union("op", {word: expressions[word] for word in shapes.TARGETS}),
        "field value": Union("op", {**expressions, **_named("given", shapes.FIELD_VALUES)}),
        "statement": Union("op", _named("statement", shapes.STATEMENTS)),
        "rule": Union("rule", _named("rule", shapes.RULES)),
        "arm": Union("key", _named("arm", shapes.ARMS)),
        "band": Union("key", _named("band", shapes.BANDS)),
        "table row": Union("key", _named("table row", shapes.TABLE_ROWS)),
        "step": Union("step", _named("step", shapes.STEPS)),
    }


# What the third part of a type holds, by its tag; the others hold nothing there.
TYPE_PARTS: dict[str, Any] = {
    "range": ("row", ("whole", -(10**9), 10**9), ("whole", -(10**9), 10**9)),
    "ints": ("list", ("whole", -(10**9), 10**9)),
    "words": ("list", ("name",)),
    "optional": ("row", ("type",)),
    "set": ("row", ("type",)),
    "list": ("row", ("type",)),
    "bands": ("row", ("type",)),
    "map": ("row", ("type",), ("type",)),
    "two": ("row", ("type",), ("type",)),
    "sort": ("row", ("ref", "owner")),
    "pile": ("row", ("one of", "pile", "deck", "bag", "hand", "slot"), ("truth",)),
    "effect": ("list", ("row", ("name",), ("type",))),
}
# What the name of a type refers to, by its tag.
TYPE_NAMES: dict[str, str] = {
    "thing": "owner",
    "pile": "owner",
    "words": "type or nothing",
    "plan": "place kind",
    "payment": "payment",
    "face": "kind",
    "kind": "kind or nothing",
    "pool": "die or nothing",
    "dice": "die or nothing",
}
TYPE_TAGS = (
    "any",
    "none",
    "truth",
    "int",
    "target",
    "text",
    "dice",
    "die",
    "pool",
    "size",
    "cell",
    "spot",
    "way",
    "mark",
    "pair",
    "token",
    "trait",
    "plan",
    "lines",
    "condition",
    "edges",
    "role",
    "effect",
    "nothing",
    "kind",
    "border",
    "payment",
    "face",
    "thing",
    "words",
    "ints",
    "range",
    "set",
    "list",
    "bands",
    "map",
    "two",
    "sort",
    "pile",
    "optional",
)


@cache
def load_table() -> dict[str, Any]:
    """The table that the load check reads: shapes, unions, types, and what the core knows."""
    return {
        "shapes": {
            name: {"fields": dict(made.fields), "either": made.either} for name, made in all_shapes().items()
        },
        "unions": {
            name: {"field": made.field, "members": made.members} for name, made in all_unions().items()
        },
        "types": {"tags": TYPE_TAGS, "parts": TYPE_PARTS, "names": TYPE_NAMES},
        "core": {
            "functions": {name: [made.least, made.most] for name, made in core.FUNCTIONS.items()},
            "verbs": {verb.id: verb.verb for verb in core.VERBS},
            "fields": {kind: sorted(fields) for kind, fields in core.CORE_FIELDS.items()},
            "things": sorted(core.CORE_THINGS),
        },
    }
