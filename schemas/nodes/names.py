"""Expressions: references to something by its name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Expression, node, part

if TYPE_CHECKING:
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
class ThingRef(Expression):
    """One thing."""

    id: ThingId = part("its id")


@node("sort")
class SortRef(Expression):
    """A thing of which there are several copies."""

    id: SortId = part("its id")


@node("pile")
class PileRef(Expression):
    """A container at top level."""

    id: PileId = part("its id")


@node("state")
class StateRef(Expression):
    """A state."""

    id: StateId = part("its id")


@node("track")
class TrackRef(Expression):
    """A track."""

    id: TrackId = part("its id")


@node("option")
class OptionRef(Expression):
    """An option."""

    id: OptionId = part("its id")


@node("token")
class TokenRef(Expression):
    """A token."""

    id: TokenId = part("its id")


@node("die")
class DieRef(Expression):
    """A named die."""

    id: DieId = part("its id")


@node("team")
class TeamRef(Expression):
    """A team."""

    id: TeamId = part("its id")


@node("plan")
class PlanRef(Expression):
    """A plan."""

    id: PlanId = part("its id")


@node("movement")
class MovementRef(Expression):
    """A way of moving."""

    id: MovementId = part("its id")


@node("payment")
class PaymentRef(Expression):
    """A way to pay."""

    id: PaymentId = part("its id")


@node("kind")
class ThingsOfKind(Expression):
    """All things of a kind."""

    id: KindId = part("its id")


@node("kind_name")
class KindRef(Expression):
    """A kind itself."""

    id: KindId = part("its id")


@node("local")
class LocalRef(Expression):
    """A local name, by its number in `locals`."""

    number: LocalNumber = part("its number in `locals`", key="n")


@node("trait_param")
class TraitParam(Expression):
    """A parameter of the trait around."""

    name: Name = part("the name of the parameter")


@node("way")
class ValueAsWay(Expression):
    """A value of three parameters used as a way of moving."""

    value: ValueName = part("the name of the value")


@node("self")
class SelfRef(Expression):
    """The thing whose rule, field or chapter this is."""


@node("result")
class ResultRef(Expression):
    """What the action gave, in an `after` rule."""


@node("chapter")
class ChapterRef(Expression):
    """The chapter being played."""


@node("ended")
class EndingRef(Expression):
    """The ending reached, or none."""


@node("area")
class AreaRef(Expression):
    """Board, play, supply or box."""

    name: Literal["board", "play", "supply", "box"] = part("which of them")


@node("value")
class ValueCall(Expression):
    """A declared value."""

    id: ValueId = part("its id")
    args: tuple[Expression, ...] = part("the arguments, in order")


@node("table")
class TableLookUp(Expression):
    """A row of a table; what is looked up comes first."""

    id: TableId = part("its id")
    args: tuple[Expression, ...] = part("what is looked up, then the arguments")


@node("seat")
class SeatRef(Expression):
    """A seat of a role, counted from 1."""

    role: KindId = part("the role")
    number: SeatNumber = part("which seat, counted from 1", key="n")


@node("trait")
class TraitRef(Expression):
    """A trait with its arguments."""

    id: TraitId = part("its id")
    args: tuple[Expression, ...] = part("the arguments, in order")


@node("bearers")
class Bearers(Expression):
    """All things that have a trait."""

    trait: TraitId = part("the trait")


@node("offers")
class Offers(Expression):
    """What a menu without parameters offers now."""

    menu: MenuId = part("the menu")
