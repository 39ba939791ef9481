"""Expressions: literals, including texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talewright.schemas.nodes.declaration import Construct, Expression, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.leaves import DiceCount, Name, Number, SideCount, SmallCount, TextId
    from talewright.schemas.nodes.types import Type


@node("int")
class IntLiteral(Expression):
    """A number, or a target such as `5+`."""

    value: Number = part("the value itself", key="v")


@node("truth")
class TruthLiteral(Expression):
    """Yes or no."""

    value: bool = part("the value itself", key="v")


@node("none")
class NoneLiteral(Expression):
    """The value `none`."""


@node("word")
class WordLiteral(Expression):
    """One word of a type."""

    value: Name = part("the value itself", key="v")


@node("mark")
class MarkLiteral(Expression):
    """The mark of a joint or a cell."""

    value: Name = part("the value itself", key="v")


@node("dice")
class DiceLiteral(Expression):
    """`2d6`."""

    count: DiceCount = part("how many dice", key="n")
    sides: SideCount = part("how many sides each has")


@node("size")
class SizeLiteral(Expression):
    """`2x1`."""

    width: SmallCount = part("how many cells wide", key="w")
    height: SmallCount = part("how many cells high", key="h")


@node("text")
class Text(Expression):
    """A text; `id` finds it in `texts`, the parts are plain texts and `show` nodes."""

    parts: tuple[str | Show, ...] = part("plain texts and what is shown between them")
    id: TextId | None = part("its id in `texts`", default=None)


@node("set")
class SetLiteral(Expression):
    """Things in order; `drop` leaves out nones."""

    items: tuple[Expression, ...] = part("the members")
    drop: bool = part("whether nones are left out", default=False)


@node("map")
class MapLiteral(Expression):
    """Keys and what they bring."""

    rows: tuple[tuple[Expression, Expression], ...] = part("keys and values")


@node("show")
class Show(Construct):
    """An expression inside a text."""

    of: Expression = part("what is shown")
    type: Type = part("its type")
