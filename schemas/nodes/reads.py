"""Expressions: fields and properties of things, containers and dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Node, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.expressions import Expression
    from talewright.schemas.nodes.leaves import Name, OwnerId, TokenId


@node("field")
class FieldOf(Node):
    """A field; `maybe` when the thing may be none or lack it."""

    of: Expression = part("whose field")
    owner: OwnerId = part("the kind or trait that declares the field")
    name: Name = part("the name of the field")
    maybe: bool = part("whether the thing may be none or lack it", default=False)


@node("prop")
class Property(Node):
    """A property that every thing has."""

    of: Expression = part("whose property")
    name: Literal[
        "beyond",
        "cell",
        "cells",
        "edge",
        "face",
        "holder",
        "joints",
        "mark",
        "owner",
        "place",
        "prose",
        "sort",
        "spot",
        "title",
    ] = part("the property")


@node("late")
class LateField(Node):
    """A field that can be looked up only in play, because the type is not known before."""

    of: Expression = part("whose field")
    name: Name = part("the name of the field")


@node("pool_prop")
class PoolProperty(Node):
    """A property of rolled dice."""

    of: Expression = part("the dice")
    name: Literal["all_equal"] = part("the property")


@node("die_prop")
class DieProperty(Node):
    """A property of one die."""

    of: Expression = part("the die")
    name: Literal["face", "purpose", "rerolled"] = part("the property")


@node("spot_prop")
class SpotProperty(Node):
    """A property of a spot."""

    of: Expression = part("the spot")
    name: Literal["cells", "cost", "route"] = part("the property")


@node("tokens")
class TokensOn(Node):
    """How many tokens lie on a thing."""

    of: Expression = part("on what they lie")
    token: TokenId = part("the token")


@node("tokens_at")
class TokensAt(Node):
    """How many tokens lie somewhere."""

    token: Expression = part("the token")
    place: Expression = part("the place", key="where")


@node("look_up")
class LookUp(Node):
    """The entry of a map."""

    of: Expression = part("the map")
    key: Expression = part("what is looked up")


@node("band")
class BandOf(Node):
    """What the band of a number brings."""

    of: Expression = part("the bands")
    number: Expression = part("the number", key="at")


@node("slice")
class Slice(Node):
    """Entries from one position to another."""

    of: Expression = part("the list")
    low: Expression = part("the first position, counted from 1")
    high: Expression = part("the last position")


@node("nth")
class Nth(Node):
    """The entry at a position, counted from 1."""

    of: Expression = part("the list")
    position: Expression = part("the position, counted from 1", key="n")


@node("decider")
class Decider(Node):
    """Who decides for a thing."""

    of: Expression = part("the thing")
    kind: OwnerId = part("the role or kind of the decider")


@node("content")
class SlotContent(Node):
    """The one thing in a slot."""

    of: Expression = part("the slot")


@node("items")
class PileItems(Node):
    """The things in a container."""

    of: Expression = part("the container")


@node("copies")
class SortCopies(Node):
    """The copies of a sort."""

    of: Expression = part("the sort")


@node("one_of")
class OneCopy(Node):
    """Any one copy of a sort."""

    of: Expression = part("the sort")


@node("spread")
class Spread(Node):
    """Each member of a set, inside another set."""

    of: Expression = part("the set")


@node("pool_total")
class PoolTotal(Node):
    """The sum of dice."""

    of: Expression = part("the dice")


@node("pool_dice")
class PoolDice(Node):
    """The dice of a pool."""

    of: Expression = part("the pool")


@node("die_value")
class DieValue(Node):
    """The number a die shows."""

    of: Expression = part("the die")


@node("fixed_dice")
class FixedDice(Node):
    """A number standing where dice may stand."""

    of: Expression = part("the number")


@node("holds")
class Holds(Node):
    """Whether a condition kept in a field is true."""

    of: Expression = part("the field or parameter that holds the condition")


@node("as_pool")
class AsPool(Node):
    """A set of dice as a pool."""

    of: Expression = part("the set of dice")


@node("as_int")
class AsInt(Node):
    """1 for yes, 0 for no."""

    of: Expression = part("the truth")


@node("each_die")
class EachDie(Node):
    """The number of each die."""

    of: Expression = part("the dice")


@node("base")
class BaseValue(Node):
    """A value or field before any `modify`."""

    of: Expression = part("the value or field")


@node("pile_bottom")
class PileBottom(Node):
    """The bottom of a container."""

    of: Expression = part("the container")


@node("pile_top")
class PileTop(Node):
    """The top of a container."""

    of: Expression = part("the container")
