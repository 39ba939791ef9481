"""Expressions: fields and properties of things, containers and dice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Expression, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.leaves import Name, OwnerId, TokenId


@node("field")
class FieldOf(Expression):
    """A field; `maybe` when the thing may be none or lack it."""

    of: Expression = part("whose field")
    owner: OwnerId = part("the kind or trait that declares the field")
    name: Name = part("the name of the field")
    maybe: bool = part("whether the thing may be none or lack it", default=False)


@node("prop")
class Property(Expression):
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
class LateField(Expression):
    """A field that can be looked up only in play, because the type is not known before."""

    of: Expression = part("whose field")
    name: Name = part("the name of the field")


@node("pool_prop")
class PoolProperty(Expression):
    """A property of rolled dice."""

    of: Expression = part("the dice")
    name: Literal["all_equal"] = part("the property")


@node("die_prop")
class DieProperty(Expression):
    """A property of one die."""

    of: Expression = part("the die")
    name: Literal["face", "purpose", "rerolled"] = part("the property")


@node("spot_prop")
class SpotProperty(Expression):
    """A property of a spot."""

    of: Expression = part("the spot")
    name: Literal["cells", "cost", "route"] = part("the property")


@node("tokens")
class TokensOn(Expression):
    """How many tokens lie on a thing."""

    of: Expression = part("on what they lie")
    token: TokenId = part("the token")


@node("tokens_at")
class TokensAt(Expression):
    """How many tokens lie somewhere."""

    token: Expression = part("the token")
    place: Expression = part("the place", key="where")


@node("look_up")
class LookUp(Expression):
    """The entry of a map."""

    of: Expression = part("the map")
    key: Expression = part("what is looked up")


@node("band")
class BandOf(Expression):
    """What the band of a number brings."""

    of: Expression = part("the bands")
    number: Expression = part("the number", key="at")


@node("slice")
class Slice(Expression):
    """Entries from one position to another."""

    of: Expression = part("the list")
    low: Expression = part("the first position, counted from 1")
    high: Expression = part("the last position")


@node("nth")
class Nth(Expression):
    """The entry at a position, counted from 1."""

    of: Expression = part("the list")
    position: Expression = part("the position, counted from 1", key="n")


@node("decider")
class Decider(Expression):
    """Who decides for a thing."""

    of: Expression = part("the thing")
    kind: OwnerId = part("the role or kind of the decider")


@node("content")
class SlotContent(Expression):
    """The one thing in a slot."""

    of: Expression = part("the slot")


@node("items")
class PileItems(Expression):
    """The things in a container."""

    of: Expression = part("the container")


@node("copies")
class SortCopies(Expression):
    """The copies of a sort."""

    of: Expression = part("the sort")


@node("one_of")
class OneCopy(Expression):
    """Any one copy of a sort."""

    of: Expression = part("the sort")


@node("spread")
class Spread(Expression):
    """Each member of a set, inside another set."""

    of: Expression = part("the set")


@node("pool_total")
class PoolTotal(Expression):
    """The sum of dice."""

    of: Expression = part("the dice")


@node("pool_dice")
class PoolDice(Expression):
    """The dice of a pool."""

    of: Expression = part("the pool")


@node("die_value")
class DieValue(Expression):
    """The number a die shows."""

    of: Expression = part("the die")


@node("fixed_dice")
class FixedDice(Expression):
    """A number standing where dice may stand."""

    of: Expression = part("the number")


@node("holds")
class Holds(Expression):
    """Whether a condition kept in a field is true."""

    of: Expression = part("the field or parameter that holds the condition")


@node("as_pool")
class AsPool(Expression):
    """A set of dice as a pool."""

    of: Expression = part("the set of dice")


@node("as_int")
class AsInt(Expression):
    """1 for yes, 0 for no."""

    of: Expression = part("the truth")


@node("each_die")
class EachDie(Expression):
    """The number of each die."""

    of: Expression = part("the dice")


@node("base")
class BaseValue(Expression):
    """A value or field before any `modify`."""

    of: Expression = part("the value or field")


@node("pile_bottom")
class PileBottom(Expression):
    """The bottom of a container."""

    of: Expression = part("the container")


@node("pile_top")
class PileTop(Expression):
    """The top of a container."""

    of: Expression = part("the container")
