"""Rules, and what they ask of the parts of an action."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Construct, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.declaration import Expression
    from talewright.schemas.nodes.expressions import OwnExpression
    from talewright.schemas.nodes.leaves import (
        Binder,
        KindId,
        Layer,
        MenuId,
        ModifiedValueId,
        Name,
        OwnerId,
        PeriodId,
        RuleActionId,
        SmallCount,
        Spot,
        TraitId,
    )
    from talewright.schemas.nodes.literals import Text
    from talewright.schemas.nodes.statements import Body
    from talewright.schemas.nodes.types import Locals, Type


@node("before", tag="rule")
class BeforeRule(Construct):
    """Runs before an action; may change its parameters."""

    action: RuleActionId = part("the action")
    slots: tuple[Slot, ...] = part("what is asked of the parts of the action")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("after", tag="rule")
class AfterRule(Construct):
    """Runs after an action."""

    action: RuleActionId = part("the action")
    slots: tuple[Slot, ...] = part("what is asked of the parts of the action")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("instead_of", tag="rule")
class InsteadOfRule(Construct):
    """Runs instead of an action."""

    action: RuleActionId = part("the action")
    slots: tuple[Slot, ...] = part("what is asked of the parts of the action")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("forbid", tag="rule")
class ForbidRule(Construct):
    """Makes an action impossible."""

    action: RuleActionId = part("the action")
    slots: tuple[Slot, ...] = part("what is asked of the parts of the action")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    reason: Text | None = part("what is said to whoever wanted it", default=None)
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("state", tag="rule")
class StateRule(Construct):
    """Runs when a condition becomes true."""

    condition: Expression = part("the condition", key="if")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("period", tag="rule")
class PeriodRule(Construct):
    """Runs when a period starts or ends."""

    edge: Literal["start", "end"] = part("which end of the moment")
    period: PeriodId = part("the period")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("grant", tag="rule")
class GrantRule(Construct):
    """Gives traits as long as it is in force."""

    traits: tuple[Expression, ...] = part("the traits")
    to: Expression = part("who has them")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("modify", tag="rule", either=(("value", "params"), ("field", "owner", "of")))
class ModifyRule(Construct):
    """Changes a value, or a field of the things that fit `of`."""

    change: Literal["+", "-", "=", "at least", "at most", "with", "without"] = part("how it changes")
    amount: Expression = part("by what")
    at: Spot = part("where it stands: a number into `sources.spots`")
    value: ModifiedValueId | None = part("the value that changes", default=None)
    params: tuple[Binder | None, ...] = part(
        "the locals of its parameters; none where it does not matter", default=()
    )
    field: Name | None = part("the field that changes", default=None)
    owner: OwnerId | None = part("the kind or trait that declares the field", default=None)
    of: Slot | None = part("which things it is about", default=None)
    when: Expression | None = part("it counts only if this holds", default=None)
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("offer", tag="rule")
class OfferRule(Construct):
    """An entry of a menu; `unbound` names are filled by the decider."""

    menu: MenuId = part("the menu")
    params: tuple[Binder | None, ...] = part(
        "the locals of the menu's parameters; none where it does not matter"
    )
    id: str = part("the id of the entry")
    body: Body = part("what is done")
    label: Text = part("what the option says")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)
    unbound: tuple[Parameter, ...] = part("what the decider fills in", default=())
    locals: Locals | None = part("the local names of this piece of code", default=None)
    layer: Layer | None = part(
        "0 core, 1 system, 2 option, 3 adventure, 4 chapter, 5 trait, 6 thing", default=None
    )
    guards: tuple[OwnExpression, ...] = part(
        "conditions that must all hold for it to be in force", key="while", default=()
    )
    reads: str | None = part("how it reads to players: a text with holes for parameters", default=None)


@node("several", tag="rule")
class SeveralRules(Construct):
    """One rule for several actions."""

    rules: tuple[Rule, ...] = part("one rule for each action")


@node()
class Slot(Construct):
    """What a rule asks of one part of an action, and the name it gets."""

    parameter: SmallCount | Name = part(
        "the part: its number, or the name of a core verb's part", key="param"
    )
    local: Binder | None = part("the local that it binds", key="n", default=None)
    equals: Expression | None = part("it must be this", key="is", default=None)
    sort: Expression | None = part("it must be a copy of this", default=None)
    kind: KindId | None = part("it must be of this kind", default=None)
    trait: TraitId | None = part("it must have this trait", default=None)


@node()
class Parameter(Construct):
    """A parameter with the number of its local."""

    local: Binder = part("its local", key="n")
    name: Name = part("its name")
    type: Type = part("its type")


Rule = (
    BeforeRule
    | AfterRule
    | InsteadOfRule
    | ForbidRule
    | StateRule
    | PeriodRule
    | GrantRule
    | ModifyRule
    | OfferRule
    | SeveralRules
)
