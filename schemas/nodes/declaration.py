"""How a node of the document is declared: one class, its word in JSON, its parts with a line about each.

    @node("pick")
    class Pick(Expression):
        \"\"\"One of two values.\"\"\"

        condition: Expression = part("the condition", key="if")
        yes: Expression = part("the value if it holds")
        no: Expression = part("the value otherwise")

Reading, writing, walking, the JSON Schemas and the tables of `docs/document.md` all come from this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar, cast, dataclass_transform

from talewright.schemas.records import record


class _Required:
    """Stands for a part that has no default."""


_REQUIRED = _Required()


@record(frozen=True)
class Part:
    """One part of a node: its name here and in JSON, what it means, and its default if it may be missing.

    The parts of a `flat` one stand among the parts of the node itself.
    """

    name: str
    key: str
    says: str
    required: bool
    default: object
    flat: bool


@record(frozen=True)
class Declaration:
    """What is known about a node's class.

    `word` stands in the field `tag` and tells the node from others; a node that needs none has no word.
    Of two groups of parts in `either`, all of one stand there, and none of the other.
    `plain` is the class for the same word where nothing inside is done, only computed.
    """

    word: str
    tag: str
    says: str
    parts: tuple[Part, ...]
    either: tuple[tuple[str, ...], ...]
    plain: type[Node] | None


class Expression:
    """A node that has a value."""

    __slots__ = ()
    declared: ClassVar[Declaration]


class Construct:
    """Any other node: statements, rules, what is declared, and their parts."""

    __slots__ = ()
    declared: ClassVar[Declaration]


Node = Expression | Construct
Made = TypeVar("Made", bound=Node)


@record(frozen=True)
class _Said:
    """What `part` was given, until the class is made."""

    says: str
    key: str
    default: object
    flat: bool


def part(says: str, *, key: str = "", default: Any = _REQUIRED, flat: bool = False) -> Any:
    """A part of a node; `key` is its name in JSON where that is another. One with a default may be missing."""
    return _Said(says, key, default, flat)


@dataclass_transform(frozen_default=True, field_specifiers=(part,))
def node(
    word: str = "",
    *,
    tag: str = "op",
    either: tuple[tuple[str, ...], ...] = (),
    plain: type[Node] | None = None,
) -> Callable[[type[Made]], type[Made]]:
    """Makes a class a node of the document: an immutable record that knows its declaration."""

    def made(cls: type[Made]) -> type[Made]:
        parts = []
        for name in vars(cls).get("__annotations__", ()):
            said = cast(_Said, getattr(cls, name))
            required = said.default is _REQUIRED
            parts.append(Part(name, said.key or name, said.says, required, said.default, said.flat))
            if required:
                delattr(cls, name)
            else:
                setattr(cls, name, said.default)
        full = record(frozen=True)(cls)
        says = " ".join((cls.__doc__ or "").split())
        full.declared = Declaration(word, tag if word else "", says, tuple(parts), either, plain)
        return full

    return made
