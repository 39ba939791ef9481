"""Expressions: comparison, arithmetic and logic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Expression, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.leaves import KindId, Moment, Name, TraitId


@node("and")
class And(Expression):
    """Both."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("or")
class Or(Expression):
    """Either."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("eq")
class Eq(Expression):
    """Equal numbers."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("ne")
class Ne(Expression):
    """Different numbers."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("lt")
class Lt(Expression):
    """Less."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("le")
class Le(Expression):
    """At most."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("gt")
class Gt(Expression):
    """More."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("ge")
class Ge(Expression):
    """At least."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("add")
class Add(Expression):
    """Sum."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("sub")
class Sub(Expression):
    """Difference."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("mul")
class Mul(Expression):
    """Product."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("div")
class Div(Expression):
    """Quotient, rounded down."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("mod")
class Mod(Expression):
    """Remainder."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("same")
class Same(Expression):
    """The same thing, word or text, or the same members."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")
    unordered: bool = part("whether the members count, whatever their order", default=False)


@node("same_pile")
class SamePile(Expression):
    """The same container."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("union")
class SetUnion(Expression):
    """Both sets, or one list after the other."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")
    repeats: bool = part("whether a member can be there more than once, as in a list", default=False)


@node("minus")
class SetMinus(Expression):
    """One set without the other; of a list, each member of the other takes one away."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")
    repeats: bool = part("whether a member can be there more than once, as in a list", default=False)


@node("near")
class Near(Expression):
    """In the same or an adjacent place."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("adjacent")
class Adjacent(Expression):
    """In an adjacent place."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("pair")
class Pair(Expression):
    """Two things that belong together."""

    left: Expression = part("the left side", key="a")
    right: Expression = part("the right side", key="b")


@node("not")
class Not(Expression):
    """Negation."""

    of: Expression = part("the condition")


@node("knows")
class Knows(Expression):
    """Whether a seat knows something."""

    who: Expression = part("the seat")
    what: Expression = part("what it may know")


@node("span")
class Span(Expression):
    """The numbers from one to another."""

    low: Expression = part("the lower end")
    high: Expression = part("the upper end")


@node("between")
class Between(Expression):
    """Whether a number lies in a span."""

    of: Expression = part("the number")
    low: Expression = part("the lower end")
    high: Expression = part("the upper end")


@node("rank")
class Rank(Expression):
    """The position of a word among ordered ones."""

    of: Expression = part("the word")
    words: tuple[Name, ...] = part("the words, lowest first")


@node("some_copies")
class SomeCopies(Expression):
    """A number of copies of a sort."""

    of: Expression = part("the sort")
    count: Expression = part("how many copies")


@node("many_dice")
class ManyDice(Expression):
    """Several dice of one sort."""

    dice: Expression = part("the dice")
    count: Expression = part("how many")


@node("is_face")
class IsFace(Expression):
    """How a thing lies."""

    of: Expression = part("the thing")
    face: Literal["face_up", "face_down"] = part("how it may lie")


@node("is_kind")
class IsKind(Expression):
    """Whether a thing is of a kind."""

    of: Expression = part("the thing")
    kind: KindId = part("the kind")


@node("is_trait")
class IsTrait(Expression):
    """Whether a thing has a trait."""

    of: Expression = part("the thing")
    trait: TraitId = part("the trait")


@node("is_sort")
class IsSort(Expression):
    """Whether a thing is a copy of a sort."""

    of: Expression = part("the thing")
    sort: Expression = part("the sort")


@node("member")
class Member(Expression):
    """Whether something is in a set."""

    item: Expression = part("what is looked for")
    of: Expression = part("the set")


@node("lies_in")
class LiesIn(Expression):
    """Whether a thing is in a container."""

    thing: Expression = part("the thing")
    pile: Expression = part("the container")


@node("inside")
class Inside(Expression):
    """Whether a thing stands in a place."""

    thing: Expression = part("the thing")
    place: Expression = part("the place", key="where")


@node("inside_any")
class InsideAny(Expression):
    """Whether a thing stands in one of several places."""

    thing: Expression = part("the thing")
    places: Expression = part("the places", key="where")


@node("within")
class Within(Expression):
    """Whether two things are at most a given distance apart."""

    left: Expression = part("the left side", key="a")
    distance: Expression = part("how far at most", key="far")
    right: Expression = part("the right side", key="b")


@node("rotate")
class Rotate(Expression):
    """A set in turn order."""

    of: Expression = part("the set")
    start: Expression = part("with whom it begins", key="from")
    first: bool = part("whether that one comes first, or last")


@node("includes")
class Includes(Expression):
    """Whether a set holds all of another."""

    of: Expression = part("the set")
    items: Expression = part("what it must hold")


@node("pick")
class Pick(Expression):
    """One of two values."""

    condition: Expression = part("the condition", key="if")
    yes: Expression = part("the value if it holds")
    no: Expression = part("the value otherwise")


@node("during")
class During(Expression):
    """Whether an action or period is under way."""

    moment: Moment = part("an action or a period")
    of: Expression | None = part("of whom, for a moment that belongs to somebody", default=None)


@node("is_none")
class IsNone(Expression):
    """Whether it is none."""

    of: Expression = part("the value")


@node("is_empty")
class IsEmpty(Expression):
    """Whether a set has no member."""

    of: Expression = part("the set")
