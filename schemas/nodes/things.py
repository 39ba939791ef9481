"""What things are made of: values of fields, faces, figures that are set up."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

from talewright.schemas.nodes.declaration import Construct, Expression, node, part
from talewright.schemas.nodes.leaves import Apart

if TYPE_CHECKING:
    from talewright.schemas.nodes.expressions import OwnText
    from talewright.schemas.nodes.leaves import (
        Binder,
        Name,
        Spot,
        ThingCount,
        ThingId,
        ThingOrSortId,
        TokenId,
    )
    from talewright.schemas.nodes.literals import Text
    from talewright.schemas.nodes.rules import Rule
    from talewright.schemas.nodes.statements import Body
    from talewright.schemas.nodes.tables import Band
    from talewright.schemas.nodes.types import Locals

NO_VALUES: Mapping[str, FieldValue] = MappingProxyType({})


@node("code", either=(("condition",), ("params", "body")))
class Code(Construct):
    """A condition, or statements with the parameters their field's type gives."""

    locals: Locals = part("the local names of this piece of code")
    condition: Expression | None = part("a condition", key="if", default=None)
    params: tuple[Binder, ...] = part("the locals of the parameters", default=())
    body: Body = part("statements", default=())
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("map")
class FieldMap(Construct):
    """Keys and what they bring."""

    rows: tuple[tuple[Expression, FieldValue], ...] = part("the rows, in order")


@node("bands")
class Bands(Construct):
    """Ranges and the things they bring."""

    rows: tuple[Band, ...] = part("the rows, in order")


@node("edges")
class Edges(Construct):
    """Ways on to chapters and endings."""

    rows: tuple[Edge, ...] = part("the rows, in order")


@node("drawing")
class Drawing(Construct):
    """A plan drawn with signs."""

    rows: tuple[str, ...] = part("the lines of the drawing")


@node("rows")
class PlanRows(Construct):
    """A plan drawn with names."""

    rows: tuple[tuple[Name | tuple[Name, str], ...], ...] = part("the rows, in order")


@node("inline")
class InlineThings(Construct):
    """Things declared inside this one."""

    items: tuple[ThingId, ...] = part("the things")


@node()
class Measured(Construct):
    """An expression with its own locals."""

    value: Expression = part("the expression")
    locals: Locals = part("the local names of this piece of code")


@node()
class Edge(Construct):
    """One way on, by a condition, a label or both."""

    to: Expression = part("the chapter or ending")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    otherwise: bool = part("whether it is taken when no other is", default=False)
    label: Text | None = part("what the option says", default=None)
    id: str | None = part("the label or the condition, as it is written", default=None)
    condition: Expression | None = part("the condition", key="if", default=None)


@node()
class Condition(Construct):
    """A condition that is watched."""

    condition: Expression = part("the condition", key="if")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node()
class Face(Construct):
    """One face of a thing."""

    id: Name = part("its id")
    title: str | None = part("its title", default=None)
    text: OwnText | None = part("its text", default=None)
    fields: FieldValues = part("the values of its fields, by name", default=NO_VALUES)
    rules: tuple[Rule, ...] = part("the rules, in order", default=())
    ends: tuple[Condition, ...] = part("conditions that end it", default=())
    cast: tuple[CastLine, ...] = part("the figures that are set up", default=())
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class CastLine(Construct):
    """Figures of a chapter, where they stand and what they bring."""

    groups: tuple[CastGroup, ...] = part("what is set up")
    place: Expression = part("where")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    traits: tuple[Expression, ...] = part("the traits", default=())
    text: OwnText | None = part("its text", default=None)
    fields: FieldValues = part("the values of its fields, by name", default=NO_VALUES)
    rules: tuple[Rule, ...] = part("the rules, in order", default=())
    ends: tuple[Condition, ...] = part("conditions that end it", default=())
    faces: tuple[Face, ...] = part("the faces", default=())
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node(either=(("thing",), ("token",)))
class CastGroup(Construct):
    """So many things or tokens."""

    count: ThingCount | None = part("how many; null where the line names none")
    at: Spot = part("where it stands: a number into `sources.spots`")
    thing: ThingOrSortId | None = part("the thing", default=None)
    token: TokenId | None = part("the token", default=None)


FieldValue = Expression | Code | FieldMap | Bands | Edges | Drawing | PlanRows | InlineThings
OwnFieldValue = Annotated[FieldValue, Apart()]
FieldValues = Mapping[str, OwnFieldValue]
FieldDefault = Code | Measured
