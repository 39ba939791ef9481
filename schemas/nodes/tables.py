"""Rows that are chosen by a value: arms of branches, bands, rows of tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from talewright.schemas.nodes.declaration import Construct, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.declaration import Expression
    from talewright.schemas.nodes.leaves import OwnerId, Spot
    from talewright.schemas.nodes.statements import Body


@node("otherwise", tag="key")
class OtherwisePattern(Construct):
    """When no other fits."""


@node("range", tag="key")
class RangePattern(Construct):
    """A number between two ends; null is open."""

    low: Expression | None = part("the lower end")
    high: Expression | None = part("the upper end")


@node("kind", tag="key")
class KindPattern(Construct):
    """A thing of a kind or with a trait."""

    kind: OwnerId = part("the kind or trait")


@node("if", tag="key")
class ConditionPattern(Construct):
    """A condition."""

    condition: Expression = part("the condition", key="if")


@node("same", tag="key")
class ValuePattern(Construct):
    """This value."""

    value: Expression = part("the value")
    unordered: bool = part("whether its members count, whatever their order", default=False)


@node()
class Arm(Construct):
    """One arm of a `branch`."""

    pattern: Pattern = part("which values it fits", flat=True)
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)


@node()
class Band(Construct):
    """One band."""

    pattern: Pattern = part("which values it fits", flat=True)
    items: Expression = part("what it brings")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)


@node()
class TableRow(Construct):
    """One row of a table."""

    pattern: Pattern = part("which values it fits", flat=True)
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    result: Expression | None = part("the result it brings", default=None)
    body: Body = part("what it does", default=())


Pattern = OtherwisePattern | RangePattern | KindPattern | ConditionPattern | ValuePattern
