"""Expressions: references to something by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Node, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.expressions import Expression
    from talewright.schemas.nodes.leaves import (
        DieId,
        KindId,
        LocalNumber,
        MenuId,
        MovementId,
        Name,
        OptionId,
        PaymentId,
        PileId,
        PlanId,
        SeatNumber,
        SortId,
        StateId,
        TableId,
        TeamId,
        ThingId,
        TokenId,
        TrackId,
        TraitId,
        ValueId,
        ValueName,
    )


@node("thing")
class ThingRef(Node):
    """One thing."""

    id: ThingId = part("its id")


@node("sort")
class SortRef(Node):
    """A thing of which there are several copies."""

    id: SortId = part("its id")


@node("pile")
class PileRef(Node):
    """A container at top level."""

    id: PileId = part("its id")


@node("state")
class StateRef(Node):
    """A state."""

    id: StateId = part("its id")


@node("track")
class TrackRef(Node):
    """A track."""

    id: TrackId = part("its id")


@node("option")
class OptionRef(Node):
    """An option."""

    id: OptionId = part("its id")


@node("token")
class TokenRef(Node):
    """A token."""

    id: TokenId = part("its id")


@node("die")
class DieRef(Node):
    """A named die."""

    id: DieId = part("its id")


@node("team")
class TeamRef(Node):
    """A team."""

    id: TeamId = part("its id")


@node("plan")
class PlanRef(Node):
    """A plan."""

    id: PlanId = part("its id")


@node("movement")
class MovementRef(Node):
    """A way of moving."""

    id: MovementId = part("its id")


@node("payment")
class PaymentRef(Node):
    """A way to pay."""

    id: PaymentId = part("its id")


@node("kind")
class ThingsOfKind(Node):
    """All things of a kind."""

    id: KindId = part("its id")


@node("kind_name")
class KindRef(Node):
    """A kind itself."""

    id: KindId = part("its id")


@node("local")
class LocalRef(Node):
    """A local name, by its number in `locals`."""

    number: LocalNumber = part("its number in `locals`", key="n")


@node("trait_param")
class TraitParam(Node):
    """A parameter of the trait around."""

    name: Name = part("the name of the parameter")


@node("way")
class ValueAsWay(Node):
    """A value of three parameters used as a way of moving."""

    value: ValueName = part("the name of the value")


@node("self")
class SelfRef(Node):
    """The thing whose rule, field or chapter this is."""


@node("result")
class ResultRef(Node):
    """What the action gave, in an `after` rule."""


@node("chapter")
class ChapterRef(Node):
    """The chapter being played."""


@node("ended")
class EndingRef(Node):
    """The ending reached, or none."""


@node("area")
class AreaRef(Node):
    """Board, play, supply or box."""

    name: Literal["board", "play", "supply", "box"] = part("which of them")


@node("value")
class ValueCall(Node):
    """A declared value."""

    id: ValueId = part("its id")
    args: tuple[Expression, ...] = part("the arguments, in order")


@node("table")
class TableLookUp(Node):
    """A row of a table; what is looked up comes first."""

    id: TableId = part("its id")
    args: tuple[Expression, ...] = part("what is looked up, then the arguments")


@node("seat")
class SeatRef(Node):
    """A seat of a role, counted from 1."""

    role: KindId = part("the role")
    number: SeatNumber = part("which seat, counted from 1", key="n")


@node("trait")
class TraitRef(Node):
    """A trait with its arguments."""

    id: TraitId = part("its id")
    args: tuple[Expression, ...] = part("the arguments, in order")


@node("bearers")
class Bearers(Node):
    """All things that have a trait."""

    trait: TraitId = part("the trait")


@node("offers")
class Offers(Node):
    """What a menu without parameters offers now."""

    menu: MenuId = part("the menu")
