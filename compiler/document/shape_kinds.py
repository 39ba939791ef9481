"""The words in which shapes say what stands in a field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from talewright.dsl.records import record

Kind = Any  # a word, or a tuple of a word and what it needs: plain data, so that it can be written as JSON

EXPRESSION: Kind = ("union", "expression")
ARGUMENT: Kind = ("union", "argument")
DOING: Kind = ("union", "doing")
STATEMENT: Kind = ("union", "statement")
TARGET: Kind = ("union", "target")
RULE: Kind = ("union", "rule")
STEP: Kind = ("union", "step")
FIELD_VALUE: Kind = ("union", "field value")
TEXT: Kind = ("shape", "text")
TYPE: Kind = ("type",)
NAME: Kind = ("name",)
STRING: Kind = ("string",)
WORD: Kind = ("name",)
TRUTH: Kind = ("truth",)
YES: Kind = ("one of", True)
NULL: Kind = ("null",)
NUMBER: Kind = ("whole", -(10**9), 10**9)
SPOT: Kind = ("spot",)
LOCAL: Kind = ("local",)
BINDS: Kind = ("binds",)
LOCALS: Kind = ("locals",)
MOMENT: Kind = ("ref", "moment")


def many(kind: Kind) -> Kind:
    """A list of it."""
    return ("list", kind)


def row(*kinds: Kind) -> Kind:
    """A list of just these, in this order."""
    return ("row", *kinds)


def either(first: Kind, second: Kind) -> Kind:
    """One or the other; the JSON type tells which."""
    return ("or", first, second)


def one_of(*values: Any) -> Kind:
    """One of these values."""
    return ("one of", *values)


def whole(low: int, high: int) -> Kind:
    """A whole number in a range."""
    return ("whole", low, high)


def ref(space: str) -> Kind:
    """The id of something that the document declares."""
    return ("ref", space)


def shape(name: str) -> Kind:
    """A part with a shape of its own."""
    return ("shape", name)


def apart(kind: Kind) -> Kind:
    """Code that shares no local names with what stands around it."""
    return ("apart", kind)


def table(kind: Kind) -> Kind:
    """Names, each with one of it."""
    return ("map", kind)


Fields = Mapping[str, Kind]


@record(frozen=True)
class Shape:
    """One node: what it means, its fields (`?` ends the name of one that may be missing), and which
    groups of fields stand for each other."""

    says: str
    fields: Fields
    either: tuple[tuple[str, ...], ...] = ()


BODY: Kind = many(STATEMENT)
EXPRESSIONS_LIST: Kind = many(EXPRESSION)
PARAMS: Kind = many(BINDS)
