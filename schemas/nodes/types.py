"""The types of the document: what a field holds, a parameter takes, a local is; and the locals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

from talewright.schemas.nodes.declaration import Construct, node, part
from talewright.schemas.records import record

if TYPE_CHECKING:
    from talewright.schemas.nodes.leaves import Name

TypeArgument = Union["Type", str, int, bool, tuple[str, "Type"]]


@record(frozen=True)
class Type:
    """A type: its tag, the name it goes by if any, and what it is made of.

    In JSON it is the tag alone, or a list of tag, name and arguments. `TYPES_INSIDE` says what the arguments are.
    """

    tag: str
    name: str = ""
    args: tuple[TypeArgument, ...] = ()


@node()
class Local(Construct):
    """A local and its type."""

    name: Name = part("its name")
    type: Type = part("its type")


Locals = tuple[Local, ...]

ANY = Type("any")

TAGS = (
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

# What the name of a type refers to, by its tag.
NAME_SPACES: dict[str, str] = {
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

# How many types are the arguments, by tag. Of the others, `range` and `ints` have numbers, `words` and `sort`
# names, `pile` its form and whether it returns, `effect` the names and types of its parameters.
TYPES_INSIDE: dict[str, int] = {"optional": 1, "set": 1, "list": 1, "bands": 1, "map": 2, "two": 2}


def write_type(made: Type) -> object:
    """A type as JSON."""
    if not made.name and not made.args:
        return made.tag
    return [made.tag, made.name, [_written(argument) for argument in made.args]]


def _written(argument: TypeArgument) -> object:
    if isinstance(argument, Type):
        return write_type(argument)
    if isinstance(argument, tuple):
        return [argument[0], write_type(argument[1])]
    return argument
