"""The types of Tale: what a field holds, a parameter takes and an expression gives."""

from __future__ import annotations

from typing import Any

from talewright.schemas.records import record


@record(frozen=True)
class Type:
    """A type: its tag, the name it goes by if any, and what it is made of."""

    tag: str
    name: str = ""
    of: tuple[Any, ...] = ()

    def __eq__(self, other: object) -> bool:
        if type(other) is not Type:
            return NotImplemented
        return self.tag == other.tag and self.name == other.name and self.of == other.of

    def __hash__(self) -> int:
        return hash((self.tag, self.name, self.of))

    def __str__(self) -> str:
        return describe(self)


ANY = Type("any")
NONE = Type("none")
TRUTH = Type("truth")
INT = Type("int")
TARGET = Type("target")
TEXT = Type("text")
DICE = Type("dice")
DIE = Type("die")
POOL = Type("pool")
SIZE = Type("size")
CELL = Type("cell")
SPOT = Type("spot")
WAY = Type("way")
MARK = Type("mark")
PAIR = Type("pair")
TOKEN = Type("token")
TRAIT = Type("trait")
PLAN = Type("plan")
LINES = Type("lines")
CONDITION = Type("condition")
EDGES = Type("edges")
ROLE = Type("role")
EFFECT = Type("effect")
NOTHING = Type("nothing")

SIMPLE: dict[str, Type] = {
    "int": INT,
    "text": TEXT,
    "target": TARGET,
    "dice": POOL,
    "dimensions": SIZE,
    "cell": CELL,
    "spot": SPOT,
    "mark": MARK,
    "pair": PAIR,
    "token": TOKEN,
    "trait": TRAIT,
    "plan": PLAN,
    "lines": LINES,
    "condition": CONDITION,
    "edges": EDGES,
    "role": ROLE,
    "direction": Type("thing", "Direction"),
}
NUMBERS = frozenset(("int", "range", "target", "die", "pool", "ints"))


def thing(kind: str) -> Type:
    """One thing of a kind."""
    return Type("thing", kind)


def many(item: Type, form: str = "set") -> Type:
    """A set, list or bands of something."""
    return Type(form, "", (item,))


def optional(inner: Type) -> Type:
    """The same, or none."""
    return inner if inner.tag in ("optional", "any", "none") else Type("optional", "", (inner,))


def strip(type_: Type) -> Type:
    """The type without `or none`."""
    return type_.of[0] if type_.tag == "optional" else type_


def is_optional(type_: Type) -> bool:
    """Whether a value of the type can be none."""
    return type_.tag in ("optional", "none", "any")


def is_dice_number(type_: Type) -> bool:
    """Whether it is rolled dice, which stand for a number where one is needed."""
    return type_.tag in ("pool", "die")


def is_number(type_: Type) -> bool:
    """Whether arithmetic works on it."""
    return type_.tag in NUMBERS or type_.tag == "any"


def is_many(type_: Type) -> bool:
    """Whether it is a collection that can be queried."""
    return type_.tag in ("set", "list", "pile", "pool", "sort")


def item_of(type_: Type) -> Type:
    """What a collection holds."""
    if type_.tag in ("set", "list", "bands"):
        return type_.of[0]  # type: ignore[no-any-return]
    if type_.tag == "pile":
        return thing(type_.name)
    if type_.tag == "sort":
        return thing(type_.of[0])
    if type_.tag == "pool":
        return DIE
    return ANY


def settled(type_: Type) -> Type:
    """The type of a local that is given a value of this type: a range becomes a plain number."""
    return INT if type_.tag in ("range", "ints") else type_


def type_json(type_: Type) -> Any:
    """The type as the document writes it."""
    if not type_.name and not type_.of:
        return type_.tag
    return [type_.tag, type_.name, [_part_json(part) for part in type_.of]]


def _part_json(part: Any) -> Any:
    if isinstance(part, tuple):
        return [_part_json(inner) for inner in part]
    return type_json(part) if isinstance(part, Type) else part


def describe(type_: Type) -> str:
    """The type as a designer would say it in a sentence."""
    if type_.tag in ("set", "list", "bands", "pile"):
        return written(type_) if type_.tag == "bands" else f"a {written(type_)}"
    if type_.tag == "range":
        return f"a number from {type_.of[0]} to {type_.of[1]}"
    return written(type_)


def written(type_: Type) -> str:
    """The type as it stands inside another one."""
    match type_.tag:
        case "thing":
            return f"one {type_.name}"
        case "sort":
            return f"the copies of {type_.name}"
        case "words":
            return type_.name or " | ".join(type_.of)
        case "ints":
            return " | ".join(map(str, type_.of))
        case "range":
            return f"{type_.of[0]}..{type_.of[1]}"
        case "set" | "list" | "bands":
            return f"{type_.tag} of {_inner(type_.of[0])}"
        case "map":
            return f"{_inner(type_.of[0])} -> {_inner(type_.of[1])}"
        case "pile":
            return f"{type_.of[0]} of {type_.name}"
        case "optional":
            return f"{_inner(type_.of[0])} or none"
        case "truth":
            return "yes | no"
        case "int":
            return "a number"
        case "target":
            return "a target"
        case "pool":
            return "dice"
        case "dice":
            return "dice that nobody has rolled yet"
        case "die":
            return "one die"
        case "role":
            return "somebody who decides"
        case "any":
            return "anything"
        case "way":
            return "a way of moving"
        case tag:
            return tag


def _inner(type_: Type) -> str:
    if type_.tag == "thing":
        return type_.name
    if type_.tag == "int":
        return "int"
    return written(type_)
