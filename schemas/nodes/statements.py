"""Statements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Construct, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.arguments import Argument, CoreArguments, Doing
    from talewright.schemas.nodes.declaration import Expression
    from talewright.schemas.nodes.expressions import Target
    from talewright.schemas.nodes.leaves import (
        ActionId,
        Binder,
        CoreVerbId,
        LocalNumber,
        MenuId,
        Moment,
        Name,
        Spot,
    )
    from talewright.schemas.nodes.literals import Text
    from talewright.schemas.nodes.rules import Rule
    from talewright.schemas.nodes.tables import Arm
    from talewright.schemas.nodes.types import Type


@node("call")
class Call(Construct):
    """A call of a declared action, its arguments in the order of its parameters; null is left out."""

    action: ActionId = part("the action")
    args: tuple[Argument | None, ...] = part(
        "the arguments, in the order of the parameters; none where one is left out"
    )
    at: Spot = part("where it stands: a number into `sources.spots`")
    until: Moment | None = part("in a test: the moment up to which it is played", default=None)


@node("core_call")
class CoreCall(Construct):
    """A verb of the core; `n` is the element that `until` looks at, `many` says that a set is handled."""

    verb: CoreVerbId = part("the verb's id")
    args: CoreArguments = part("its parts")
    at: Spot = part("where it stands: a number into `sources.spots`")
    until: Moment | Expression | None = part(
        "when it stops: a condition on the element in the local; in a test, a moment", default=None
    )
    local: Binder | None = part("the local that holds the element `until` looks at", key="n", default=None)
    many: bool = part("whether a set is handled", default=False)


@node("run_effect")
class RunEffect(Construct):
    """Runs what a field or a parameter holds."""

    of: Expression = part("the effect")
    args: tuple[Expression, ...] = part("the arguments, in order")
    at: Spot = part("where it stands: a number into `sources.spots`")
    until: Moment | None = part("in a test: the moment up to which it is played", default=None)


@node("run_table")
class RunTable(Construct):
    """Runs the row of a table."""

    of: Expression = part("the look-up")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("for_each")
class ForEach(Construct):
    """Once for each; with `pairs` two names; `chosen_by` settles the order of what is of a `type`."""

    of: Expression = part("the set")
    local: Binder = part("the local that it binds", key="n")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    second: Binder | None = part("the local for the other one of a pair", default=None)
    pairs: bool = part("whether the members are pairs", default=False)
    chosen_by: Expression | None = part("who settles the order", default=None)
    type: Type | None = part("the type of a member, for whoever chooses", default=None)


@node("nothing")
class DoNothing(Construct):
    """Does nothing."""


@node("let")
class Let(Construct):
    """Names a value."""

    local: Binder = part("the local that it binds", key="n")
    value: Doing = part("what it is")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("assign")
class Assign(Construct):
    """Gives a new value."""

    target: Target = part("what is changed")
    value: Doing = part("the new value")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("change")
class Change(Construct):
    """Moves a number up or down."""

    target: Target = part("what is changed")
    by: Expression = part("by how much")
    sign: Literal[1, -1] = part("1 for up, -1 for down")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("extend")
class Extend(Construct):
    """Adds to a set or list."""

    target: Target = part("what is changed")
    items: Expression = part("what is added")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("shrink")
class Shrink(Construct):
    """Takes from a set or list."""

    target: Target = part("what is changed")
    items: Expression = part("what is taken")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("fill")
class Fill(Construct):
    """Puts things into a container, in a test."""

    target: Target = part("what is changed")
    items: Expression = part("what is put in")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("choose")
class Choose(Construct):
    """Somebody chooses; without `mode` exactly one."""

    source: Expression = part("what there is to choose from", key="from")
    by: Expression = part("who decides")
    local: Binder = part("the local that it binds", key="n")
    name: Name = part("the name of the local")
    type: Type = part("the type of what is chosen")
    at: Spot = part("where it stands: a number into `sources.spots`")
    amount: Expression | None = part("how many", default=None)
    mode: Literal["exactly", "up to", "at least", "optional"] | None = part(
        "exactly, up to, at least or optional; exactly if left out", default=None
    )
    head: bool = part("whether it stands in the head of an action", default=False)
    prompt: Text | None = part("the question that is shown", default=None)


@node("open")
class OpenMenu(Construct):
    """Opens a menu."""

    menu: MenuUse = part("the menu")
    by: Expression = part("who decides")
    at: Spot = part("where it stands: a number into `sources.spots`")
    up_to: Expression | None = part("how often at most", default=None)
    until_passed: bool = part("whether it opens again until passed", default=False)
    prompt: Text | None = part("the question that is shown", default=None)


@node("give")
class Give(Construct):
    """Gives the result."""

    value: Expression = part("the result")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("stop")
class Stop(Construct):
    """Ends a loop, a block, or an action by name."""

    at: Spot = part("where it stands: a number into `sources.spots`")
    moment: Moment | None = part("the action that ends", default=None)
    loop: bool = part("whether a loop ends", default=False)


@node("go_to")
class GoTo(Construct):
    """Goes to a chapter or ending."""

    target: Expression = part("the chapter or ending")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("as_usual")
class AsUsual(Construct):
    """Does what this rule replaces; `with` changes a parameter."""

    at: Spot = part("where it stands: a number into `sources.spots`")
    changed: tuple[LocalNumber, Expression] | None = part(
        "a parameter and its new value", key="with", default=None
    )


@node("may")
class May(Construct):
    """Somebody may do this."""

    by: Expression = part("who decides")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    label: Text | None = part("what the option says", default=None)
    verb: Name | None = part("the verb it is known by", default=None)


@node("retrait")
class Retrait(Construct):
    """Changes traits."""

    change: Literal["becomes", "gains", "loses"] = part("what becomes of it")
    target: Expression = part("whose traits")
    many: bool = part("whether the target is a set")
    traits: tuple[Expression, ...] = part("the traits")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("requires")
class Requires(Construct):
    """Must hold for the action to be possible."""

    condition: Expression = part("the condition", key="if")
    at: Spot = part("where it stands: a number into `sources.spots`")
    reason: Text | None = part("what is said to whoever wanted it", default=None)


@node("if")
class If(Construct):
    """Branches in order."""

    branches: tuple[tuple[Expression, Body], ...] = part("conditions and what is done, in order")
    otherwise: Body = part("what is done when none holds")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("repeat")
class Repeat(Construct):
    """Again and again."""

    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    guard: Expression | None = part("it goes on as long as this holds", key="while", default=None)
    times: Expression | None = part("how many times", default=None)


@node("choose_one")
class ChooseOne(Construct):
    """Somebody chooses one of these options."""

    by: Expression = part("who decides")
    options: tuple[Choice, ...] = part("the options, in order")
    at: Spot = part("where it stands: a number into `sources.spots`")
    optional: bool = part("whether nothing may be chosen", default=False)
    prompt: Text | None = part("the question that is shown", default=None)


@node("until")
class Until(Construct):
    """Rules in force until a moment."""

    edge: Literal["until start of", "until end of", "until start of next", "until end of next"] = part(
        "which end of the moment"
    )
    moment: Moment = part("an action or a period")
    rules: tuple[Rule, ...] = part("the rules, in order")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("together")
class Together(Construct):
    """Rules about states wait until all is done."""

    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("possible")
class Possible(Construct):
    """The first, or all, that can be done."""

    mode: Literal["first", "all"] = part("the first, or all")
    members: Body = part("what is tried, in order")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node("branch")
class Branch(Construct):
    """The arm that fits a value."""

    of: Doing = part("the value")
    arms: tuple[Arm, ...] = part("the arms, in order")
    at: Spot = part("where it stands: a number into `sources.spots`")


@node()
class MenuUse(Construct):
    """A menu with its arguments."""

    id: MenuId = part("its id")
    args: tuple[Expression, ...] = part("the arguments, in order")


@node()
class Choice(Construct):
    """One option of `choose one`."""

    id: str = part("the id of the option")
    label: Text = part("what the option says")
    body: Body = part("what is done")
    at: Spot = part("where it stands: a number into `sources.spots`")
    when: Expression | None = part("it counts only if this holds", default=None)


Statement = (
    Call
    | CoreCall
    | RunEffect
    | RunTable
    | ForEach
    | DoNothing
    | Let
    | Assign
    | Change
    | Extend
    | Shrink
    | Fill
    | Choose
    | OpenMenu
    | Give
    | Stop
    | GoTo
    | AsUsual
    | May
    | Retrait
    | Requires
    | If
    | Repeat
    | ChooseOne
    | Until
    | Together
    | Possible
    | Branch
)
Body = tuple[Statement, ...]
