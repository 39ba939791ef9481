"""The parts of nodes as data: what each may hold, read off the annotations of the classes."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, ClassVar, Literal, Union, get_args, get_origin

from talewright.schemas.core import VERBS
from talewright.schemas.nodes import (
    arguments,
    components,
    declared,
    document,
    expressions,
    leaves,
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
from talewright.schemas.nodes.declaration import Declaration, Expression, Node, Part
from talewright.schemas.records import record

_MODULES: tuple[ModuleType, ...] = (
    leaves,
    types,
    literals,
    names,
    reads,
    operators,
    queries,
    expressions,
    arguments,
    statements,
    rules,
    tables,
    things,
    tests,
    components,
    declared,
    document,
)


@record(frozen=True)
class Nodes:
    """One node of these classes; of two with the same word the later is meant."""

    classes: tuple[type[Node], ...]


@record(frozen=True)
class Listed:
    """A list of it."""

    item: Form


@record(frozen=True)
class Row:
    """A list of just these, in this order."""

    items: tuple[Form, ...]


@record(frozen=True)
class Table:
    """Names, each with one of it."""

    item: Form


@record(frozen=True)
class Nullable:
    """It, or null; where the part may be missing, it is missing instead."""

    item: Form


@record(frozen=True)
class Either:
    """One or the other; the JSON type tells which."""

    first: Form
    second: Form


@record(frozen=True)
class OwnLocals:
    """Code that shares no locals with what stands around it."""

    item: Form


@record(frozen=True)
class OneOf:
    """One of these values."""

    values: tuple[str | int, ...]


@record(frozen=True)
class Plain:
    """A text, a truth, or any JSON object."""

    kind: Literal["text", "truth", "json"]


@record(frozen=True)
class Typed:
    """A type."""


Leaf = (
    OneOf
    | Plain
    | Typed
    | leaves.Named
    | leaves.Reference
    | leaves.Whole
    | leaves.ReadsLocal
    | leaves.BindsLocal
    | leaves.Place
)
Form = Nodes | Listed | Row | Table | Nullable | Either | OwnLocals | Leaf


@record(frozen=True)
class Held:
    """A part together with what it may hold."""

    part: Part
    form: Form


_PARTS: dict[type[Node], tuple[Held, ...]] = {}


def parts(cls: type[Node]) -> tuple[Held, ...]:
    """The parts of a node's class, in the order of their declaration."""
    found = _PARTS.get(cls)
    if found is None:
        annotations = cls.__annotations__
        found = tuple(Held(part, _written(annotations[part.name])) for part in cls.declared.parts)
        _PARTS[cls] = found
    return found


@cache
def _written(annotation: str) -> Form:
    """What an annotation says, as it is written; many parts have the same."""
    return form(eval(annotation, _names()))


@cache
def _names() -> dict[str, Any]:
    found: dict[str, Any] = {
        "Mapping": Mapping,
        "Literal": Literal,
        "ClassVar": ClassVar,
        "Declaration": Declaration,
    }
    for module in _MODULES:
        found.update(vars(module))
    return found


@cache
def all_classes() -> tuple[type[Node], ...]:
    """The classes of all nodes, in the order of their declaration."""
    return tuple(
        made
        for module in _MODULES
        for made in vars(module).values()
        if _is_node(made) and made.__module__ == module.__name__
    )


def node_classes(*hints: Any) -> tuple[type[Node], ...]:
    """The classes of nodes that annotations allow: `Expression` stands for all expressions."""
    found: list[type[Node]] = []
    for hint in hints:
        if hint is Expression:
            found.extend(cls for cls in all_classes() if issubclass(cls, Expression))
        elif _is_node(hint):
            found.append(hint)
    return tuple(found)


def _is_node(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Node)


def form(hint: Any) -> Form:
    """What an annotation says that a part may hold."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        mark = inner[1]
        return OwnLocals(form(inner[0])) if isinstance(mark, leaves.Apart) else mark
    if origin is Literal:
        return OneOf(inner)
    if origin is tuple:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return Listed(form(inner[0]))
        return Row(tuple(map(form, inner)))
    if origin is Mapping:
        return Plain("json") if inner[1] is object else Table(form(inner[1]))
    if origin in (Union, UnionType):
        return _union(inner)
    if hint is types.Type:
        return Typed()
    if _is_node(hint):
        return Nodes(node_classes(hint))
    return Plain("truth" if hint is bool else "text")


def _union(members: tuple[Any, ...]) -> Form:
    """What is told apart by null, by the JSON type, or by the word of a node."""
    if NoneType in members:
        return Nullable(_union(tuple(member for member in members if member is not NoneType)))
    others = [form(member) for member in members if not _is_node(member)]
    if len(others) < len(members):
        others.append(Nodes(node_classes(*members)))
    match others:
        case [only]:
            return only
        case [first, second]:
            return Either(first, second)
    raise TypeError(f"these cannot be told apart: {members}")


# What the arguments of a type are, by its tag; the others have none.
TYPE_ARGUMENTS: dict[str, Form] = {
    "range": Row((leaves.Whole(-(10**9), 10**9), leaves.Whole(-(10**9), 10**9))),
    "ints": Listed(leaves.Whole(-(10**9), 10**9)),
    "words": Listed(leaves.Named()),
    **{tag: Row((Typed(),) * count) for tag, count in types.TYPES_INSIDE.items()},
    "sort": Row((leaves.Named(),)),
    "pile": Row((OneOf(("pile", "deck", "bag", "hand", "slot")), Plain("truth"))),
    "effect": Listed(Row((leaves.Named(), Typed()))),
}


def core_arguments() -> dict[str, list[Held]]:
    """The parts of each verb of the core."""
    held = {each.part.key: each for each in parts(arguments.CoreArguments)}
    made = {}
    for verb in VERBS:
        keys = [*(["first"] if verb.first else []), *(["token"] if verb.token else [])]
        made[verb.id] = [held[key] for key in (*keys, *(name for name, _ in verb.parts))]
    return made
