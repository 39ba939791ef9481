"""Arguments of calls, and conversions of results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Construct, Expression, node, part
from talewright.schemas.nodes.literals import SetLiteral
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.reads import (
    DieValue,
    EachDie,
    FixedDice,
    OneCopy,
    PileItems,
    PoolDice,
    PoolTotal,
    Property,
    SlotContent,
    SortCopies,
)
from talewright.schemas.nodes.statements import Call, CoreCall, DoNothing, ForEach, RunEffect, RunTable

if TYPE_CHECKING:
    from talewright.schemas.nodes.leaves import Binder, FunctionName, OwnerId
    from talewright.schemas.nodes.statements import Body


@node("anything")
class Anything(Construct):
    """A part that may be anything."""


@node("any_of")
class AnyOf(Construct):
    """Anything of a kind or with a trait."""

    kind: OwnerId = part("the kind or trait")


@node("block")
class EffectBlock(Construct):
    """Statements handed over as an effect."""

    body: Body = part("what is done")
    params: tuple[Binder, ...] | None = part(
        "the locals of its parameters; left out, they are not numbered", default=None
    )


@node()
class CoreArguments(Construct):
    """The parts of a verb of the core; which of them it has depends on the verb."""

    first: Argument | None = part("what is done something with", default=None)
    source: Argument | None = part("where it comes from", key="from", default=None)
    to: Argument | None = part("where it goes", default=None)
    under: Argument | None = part("the container under which it goes", default=None)
    place: Argument | None = part("the place or spot", key="at", default=None)
    token: Expression | None = part("the token", default=None)
    on: Argument | None = part("on what", default=None)
    into: Argument | None = part("the container or place it goes into", default=None)
    by: Argument | None = part("who does it or decides", default=None)
    purpose: Argument | None = part("what it is for", key="for", default=None)
    partner: Argument | None = part("the other one", key="with", default=None)
    using: Argument | None = part("the way of paying", default=None)


@node("pool_total", plain=PoolTotal)
class DonePoolTotal(Construct):
    """The sum of dice, of a result."""

    of: Doing = part("the dice")


@node("die_value", plain=DieValue)
class DoneDieValue(Construct):
    """The number a die shows, of a result."""

    of: Doing = part("the die")


@node("content", plain=SlotContent)
class DoneSlotContent(Construct):
    """The one thing in a slot, of a result."""

    of: Doing = part("the slot")


@node("items", plain=PileItems)
class DonePileItems(Construct):
    """The things in a container, of a result."""

    of: Doing = part("the container")


@node("copies", plain=SortCopies)
class DoneSortCopies(Construct):
    """The copies of a sort, of a result."""

    of: Doing = part("the sort")


@node("pool_dice", plain=PoolDice)
class DonePoolDice(Construct):
    """The dice of a pool, of a result."""

    of: Doing = part("the pool")


@node("each_die", plain=EachDie)
class DoneEachDie(Construct):
    """The number of each die, of a result."""

    of: Doing = part("the dice")


@node("core", plain=CoreFunctionCall)
class DoneFunction(Construct):
    """A function of the core, of a result."""

    function: FunctionName = part("the name of the function", key="fn")
    args: tuple[Doing, ...] = part("the arguments, in order")


@node("fixed_dice", plain=FixedDice)
class DoneFixedDice(Construct):
    """A number standing where dice may stand, of a result."""

    of: Doing = part("the number")


@node("one_of", plain=OneCopy)
class DoneOneCopy(Construct):
    """Any one copy of a sort, of a result."""

    of: Doing = part("the sort")


@node("prop", plain=Property)
class DoneProperty(Construct):
    """A property of a result."""

    of: Doing = part("whose property")
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


@node("set", plain=SetLiteral)
class DoneSet(Construct):
    """A result as a set."""

    items: tuple[Doing, ...] = part("the members")
    drop: bool = part("whether nones are left out", default=False)


Argument = Expression | Anything | AnyOf | EffectBlock
Doing = (
    Expression
    | Call
    | CoreCall
    | RunEffect
    | RunTable
    | ForEach
    | DoNothing
    | DonePoolTotal
    | DoneDieValue
    | DoneSlotContent
    | DonePileItems
    | DoneSortCopies
    | DonePoolDice
    | DoneEachDie
    | DoneFunction
    | DoneFixedDice
    | DoneOneCopy
    | DoneProperty
    | DoneSet
)
