"""What packages declare: the sections of `content`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Construct, node, part
from talewright.schemas.nodes.things import NO_VALUES

if TYPE_CHECKING:
    from talewright.schemas.nodes.components import (
        ActionParameter,
        Coin,
        DieFaces,
        FieldDeclaration,
        HeldToken,
        MovementClause,
        Seats,
        TrackHook,
        TraitParameter,
    )
    from talewright.schemas.nodes.declaration import Expression
    from talewright.schemas.nodes.expressions import OwnExpression, OwnText
    from talewright.schemas.nodes.leaves import (
        Binder,
        KindId,
        Moment,
        MovementId,
        Name,
        OwnerId,
        Spot,
        ThingCount,
        ThingId,
        TokenCount,
        TrackSpace,
    )
    from talewright.schemas.nodes.rules import Parameter, Rule
    from talewright.schemas.nodes.statements import Body
    from talewright.schemas.nodes.tables import TableRow
    from talewright.schemas.nodes.tests import TestStep
    from talewright.schemas.nodes.things import CastLine, Condition, Face, FieldValues, Measured
    from talewright.schemas.nodes.types import Locals, Type


@node()
class TypeDeclaration(Construct):
    """Named words."""

    id: Name = part("its id")
    words: tuple[Name, ...] = part("the words, in order")
    ordered: bool = part("whether the words have an order")


@node()
class OptionDeclaration(Construct):
    """What is settled before a game."""

    id: Name = part("its id")
    type: Type = part("its type")
    default: OwnExpression = part("what it is unless settled otherwise")
    at: Spot = part("where it stands: a number into `sources.spots`")
    text: str | None = part("its text", default=None)
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)


@node()
class KindDeclaration(Construct):
    """Kinds, roles and dice that are things."""

    id: Name = part("its id")
    parents: tuple[KindId, ...] = part("the kinds it descends from")
    fields: tuple[FieldDeclaration, ...] = part("the fields it declares", default=())
    rules: tuple[Rule, ...] = part("the rules, in order", default=())
    role: Seats | None = part("how many play it, if it is a role", default=None)
    die: DieFaces | None = part("the faces, if it is dice that are things", default=None)
    defaults: FieldValues = part("other defaults for fields of its parents", default=NO_VALUES)
    holds: tuple[HeldToken, ...] = part("the tokens that may lie on it", default=())
    lies: Literal["face_up", "face_down"] | None = part("how it lies when it is put down", default=None)
    in_force: Condition | None = part("the condition under which its rules are in force", default=None)
    text: str | None = part("its text", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class TraitDeclaration(Construct):
    """Traits."""

    id: Name = part("its id")
    params: tuple[TraitParameter, ...] = part("the parameters, in order")
    fields: tuple[FieldDeclaration, ...] = part("the fields it declares", default=())
    rules: tuple[Rule, ...] = part("the rules, in order", default=())
    holds: tuple[HeldToken, ...] = part("the tokens that may lie on it", default=())
    lies: Literal["face_up", "face_down"] | None = part("how it lies when it is put down", default=None)
    in_force: Condition | None = part("the condition under which its rules are in force", default=None)
    text: str | None = part("its text", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class TeamDeclaration(Construct):
    """Teams."""

    id: Name = part("its id")
    role: KindId = part("the role of its members")
    ties: OwnExpression | None = part("who settles a tie", default=None)


@node()
class TokenDeclaration(Construct):
    """Tokens and how many the box holds."""

    id: Name = part("its id")
    count: TokenCount = part("how many the box holds")
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class TrackDeclaration(Construct):
    """Tracks."""

    id: Name = part("its id")
    low: TrackSpace = part("the lower end")
    high: TrackSpace = part("the upper end")
    at: Spot = part("where it stands: a number into `sources.spots`")
    start: Measured | None = part("where it begins", default=None)
    hooks: tuple[TrackHook, ...] = part("what its spaces do", default=())
    per: tuple[Moment, ...] = part("the moments after which it starts anew", default=())
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class DieDeclaration(Construct):
    """Named dice."""

    id: Name = part("its id")
    faces: tuple[Expression, ...] = part("the faces")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)


@node()
class StateDeclaration(Construct):
    """Named cells of state."""

    id: Name = part("its id")
    type: Type = part("its type")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    default: Expression | None = part("what it is when nothing else is said", default=None)
    per: tuple[Moment, ...] = part("the moments after which it starts anew", default=())
    flags: tuple[Literal["lasting", "hidden", "on_back", "lends all", "parameter"], ...] = part(
        "what else is said about it", default=()
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class PileDeclaration(Construct):
    """Containers at top level."""

    id: Name = part("its id")
    kind: OwnerId = part("what it holds")
    form: Literal["pile", "deck", "bag", "hand", "slot"] = part("what kind of container")
    at: Spot = part("where it stands: a number into `sources.spots`")
    most: Measured | None = part("how many fit in", key="max", default=None)
    face: Literal["face_up", "face_down"] | None = part("the side that shows", default=None)
    returning: bool = part("whether what is drawn goes back at once, shuffled in", default=False)
    reshuffles: OwnExpression | None = part(
        "the container that is shuffled in when it is empty", default=None
    )
    content: Measured | None = part("what is in it at first", default=None)
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class PlanDeclaration(Construct):
    """Plans of places."""

    id: Name = part("its id")
    ring: bool = part("whether its ends meet")
    rows: tuple[tuple[Name | tuple[Name, str], ...], ...] = part("the rows, in order")


@node()
class MovementDeclaration(Construct):
    """Ways of moving."""

    id: Name = part("its id")
    clauses: tuple[MovementClause, ...] = part("its clauses")
    at: Spot = part("where it stands: a number into `sources.spots`")
    parent: MovementId | None = part("what it builds on", default=None)
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)


@node()
class PaymentDeclaration(Construct):
    """Ways to pay."""

    id: Name = part("its id")
    rules: tuple[Coin, ...] = part("what pays")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)


@node()
class PeriodDeclaration(Construct):
    """Periods."""

    id: Name = part("its id")
    condition: Expression = part("it lasts as long as this holds", key="while_true")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class MenuDeclaration(Construct):
    """Menus."""

    id: Name = part("its id")
    params: tuple[Parameter, ...] = part("the parameters, in order")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    once_per: Moment | None = part("the moment within which an entry is taken once", default=None)
    pass_text: str | None = part("what passing is called", key="pass", default=None)
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)


@node(either=(("value",), ("body",)))
class ValueDeclaration(Construct):
    """Values."""

    id: Name = part("its id")
    params: tuple[Binder, ...] = part("the locals of the parameters")
    type: Type = part("its type")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    value: Expression | None = part("the expression, or", default=None)
    body: Body = part("the statements that give it", default=())
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class TableDeclaration(Construct):
    """Tables; with `effects` the rows hold statements."""

    id: Name = part("its id")
    params: tuple[Binder, ...] = part("the locals of the parameters")
    key: Type = part("the type of what is looked up")
    rows: tuple[TableRow, ...] = part("the rows, in order")
    type: Type = part("the type of what a row brings")
    effects: bool = part("whether the rows hold statements")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)


@node()
class ActionDeclaration(Construct):
    """Actions."""

    id: Name = part("its id")
    verb: Name = part("the verb")
    params: tuple[ActionParameter, ...] = part("the parameters, in order")
    gives: Type = part("the type of the result")
    body: Body = part("what is done")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class ThingDeclaration(Construct):
    """Things, and sorts with their copies."""

    id: Name = part("its id")
    kind: KindId = part("the kind")
    title: str | None = part("its title", default=None)
    copies: ThingCount | None = part("how many copies, if it is a sort", default=None)
    per: KindId | None = part("the role each seat of which has one", default=None)
    inside: tuple[ThingId, Name] | None = part("the thing and field it was declared in", default=None)
    traits: tuple[OwnExpression, ...] = part("the traits", default=())
    text: OwnText | None = part("its text", default=None)
    fields: FieldValues = part("the values of its fields, by name", default=NO_VALUES)
    faces: tuple[Face, ...] = part("the faces", default=())
    cast: tuple[CastLine, ...] = part("the figures that are set up", default=())
    ends: tuple[Condition, ...] = part("conditions that end it", default=())
    rules: tuple[Rule, ...] = part("the rules, in order", default=())
    at: Spot | None = part("where it stands: a number into `sources.spots`", default=None)
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node()
class AnytimeDeclaration(Construct):
    """What somebody may do at any time."""

    by: Expression = part("who decides")
    body: Body = part("what is done")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )


@node()
class OrderDeclaration(Construct):
    """Who orders rules of one moment."""

    moment: Moment = part("an action or a period")
    by: OwnExpression = part("who orders them")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )


@node()
class CheckDeclaration(Construct):
    """What must hold when the package is compiled."""

    condition: Expression = part("the condition", key="if")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    why: str | None = part("what is said when it fails", default=None)
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )


@node()
class MeasureDeclaration(Construct):
    """What is counted when a game ends."""

    id: Name = part("its id")
    value: Expression = part("the value")
    type: Type = part("its type")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    chapter: ThingId | None = part("the chapter it belongs to", default=None)


@node()
class TestDeclaration(Construct):
    """Tests."""

    title: str = part("its title")
    covers: tuple[Name, ...] = part("the rules it covers")
    steps: tuple[TestStep, ...] = part("the steps, in order")
    locals: Locals = part("the local names of this piece of code")
    at: Spot = part("where it stands: a number into `sources.spots`")
