"""Parts of what packages declare."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Construct, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.declaration import Expression
    from talewright.schemas.nodes.expressions import OwnExpression
    from talewright.schemas.nodes.leaves import (
        Binder,
        CopyCount,
        KindId,
        Moment,
        Name,
        SeatCount,
        Spot,
        ThingCount,
        TokenId,
        TrackSpace,
    )
    from talewright.schemas.nodes.statements import Body
    from talewright.schemas.nodes.things import FieldDefault, Measured
    from talewright.schemas.nodes.types import Locals, Type


@node()
class TrackHook(Construct):
    """What a space of a track does."""

    when: Literal["at", "on", "below", "above"] = part("when it happens")
    spaces: tuple[TrackSpace, ...] = part("the spaces")
    body: Body = part("what is done")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node()
class HeldToken(Construct):
    """Tokens a thing may hold."""

    token: TokenId = part("the token")
    most: OwnExpression | None = part("how many at most", key="max", default=None)


@node()
class Container(Construct):
    """What kind of container."""

    form: Literal["pile", "deck", "bag", "hand", "slot"] = part("what kind of container")
    most: Measured | None = part("how many fit in", key="max", default=None)
    face: Literal["face_up", "face_down"] | None = part("the side that shows", default=None)
    returning: bool = part("whether what is drawn goes back at once, shuffled in", default=False)
    reshuffles: OwnExpression | None = part(
        "the container that is shuffled in when it is empty", default=None
    )


@node()
class TrackBody(Construct):
    """The spaces of a track."""

    low: TrackSpace = part("the lower end")
    high: TrackSpace = part("the upper end")
    start: Measured | None = part("where it begins", default=None)
    hooks: tuple[TrackHook, ...] = part("what its spaces do", default=())


@node()
class FieldDeclaration(Construct):
    """A field of a kind or trait."""

    name: Name = part("its name")
    type: Type = part("its type")
    per: tuple[Moment, ...] = part("the moments after which it starts anew", default=())
    flags: tuple[Literal["lasting", "hidden", "on_back", "lends all", "parameter"], ...] = part(
        "what else is said about it", default=()
    )
    track: TrackBody | None = part("the spaces, if it is a track", default=None)
    pile: Container | None = part("the container, if it is one", default=None)
    default: FieldDefault | None = part("what it is when nothing else is said", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class Seats(Construct):
    """How many play a role."""

    low: SeatCount = part("the fewest")
    high: SeatCount = part("the most")
    seat: Name | None = part("what its seats are called; left out, as the role", default=None)


@node()
class DieFaces(Construct):
    """The faces of dice that are things."""

    copies: CopyCount = part("how many there are")
    faces: tuple[Expression, ...] = part("what they show")
    opposite: OwnExpression | None = part("pairs of faces that lie opposite each other", default=None)


@node(either=(("things",), ("value",)))
class MovementClause(Construct):
    """One clause of a movement."""

    clause: Literal["blocked by", "halts at", "trades with", "costs at"] = part("which clause")
    mover: Binder = part("the local of who moves")
    cell: Binder = part("the local of the place")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    things: Expression | None = part("the things it is about", default=None)
    value: Expression | None = part("the number or condition", default=None)


@node(either=(("kind", "local"), ("token", "on")))
class Coin(Construct):
    """What pays for a symbol: dice of a kind, or tokens on a thing."""

    symbol: Binder = part("the local that holds the symbol")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    kind: KindId | None = part("the dice that pay", default=None)
    local: Binder | None = part("the local of the die", key="n", default=None)
    token: Expression | None = part("the token that pays", default=None)
    on: Expression | None = part("on what it lies", default=None)
    when: Expression | None = part("it counts only if this holds", default=None)
    at_most: ThingCount | None = part("how many at most", default=None)


@node()
class TraitParameter(Construct):
    """A parameter of a trait."""

    name: Name = part("its name")
    type: Type = part("its type")


@node()
class ActionParameter(Construct):
    """A parameter of an action and the preposition before it."""

    local: Binder = part("its local", key="n")
    name: Name = part("its name")
    type: Type = part("its type")
    preposition: Name | None = part("the preposition before it", default=None)
    default: Expression | None = part("what it is when left out", default=None)
