"""What a type means for the cell that holds a value of it."""

from __future__ import annotations

from talewright.runtime.ir.header import NONE
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.types import ANY, Type

NUMBERS = frozenset(("int", "range", "ints", "target", "truth", "size"))
LISTS = frozenset(("set", "list", "pool", "dice", "text", "two", "pair", "map", "effect", "trait", "spot"))
BEHAVIOUR = frozenset(("effect", "lines", "condition"))

# The ends of bands that have none.
LOWEST, HIGHEST = -(1 << 30), 1 << 30

INT = Type("int")
TRUTH = Type("truth")
TEXT = Type("text")
THING = Type("thing", "Thing")
NOTHING = Type("nothing")


def is_number(type_: Type) -> bool:
    """Whether a cell of the type holds a number, so that `none` is not 0."""
    return plain(type_).tag in NUMBERS


def is_list(type_: Type) -> bool:
    """Whether a cell of the type holds the address of a list."""
    return plain(type_).tag in ("set", "list")


def is_plain_list(type_: Type) -> bool:
    """Whether members can be there more than once."""
    return plain(type_).tag == "list"


def joins(type_: Type, *, more: bool) -> str:
    """The kernel's function that adds to a collection of the type, or takes from it."""
    if is_plain_list(type_):
        return "appended" if more else "without"
    return "union" if more else "minus"


def is_block(type_: Type) -> bool:
    """Whether a cell of the type holds the address of a block of cells."""
    return plain(type_).tag in LISTS


def none_of(type_: Type) -> int:
    """What a cell of the type holds for `none`."""
    return NONE if is_number(type_) else 0


def may_be_none(type_: Type) -> bool:
    """Whether the type says that there may be nothing."""
    return type_.tag in ("optional", "any", "none")


def item_of(type_: Type) -> Type:
    """What a collection holds."""
    inner = plain(type_)
    match inner.tag:
        case "set" | "list" | "bands":
            item = inner.args[0]
            return item if isinstance(item, Type) else ANY
        case "pile":
            return Type("thing", inner.name)
        case "sort":
            return Type("thing", str(inner.args[0]) if inner.args else "Thing")
        case "pool" | "dice":
            return Type("die")
        case "role":
            return Type("thing", "Seat")
    return ANY


def many(item: Type) -> Type:
    """A list of something."""
    return Type("list", "", (item,))


def optional(type_: Type) -> Type:
    """The type, or none."""
    return type_ if may_be_none(type_) else Type("optional", "", (type_,))
