"""Expressions: queries over sets, functions of the core, and questions about calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from talewright.schemas.nodes.declaration import Expression, node, part

if TYPE_CHECKING:
    from talewright.schemas.nodes.arguments import Doing
    from talewright.schemas.nodes.leaves import Binder, FunctionName, KindId
    from talewright.schemas.nodes.literals import Text


@node("filter")
class Filter(Expression):
    """Those that pass a test; `n` is the element."""

    of: Expression = part("the set")
    local: Binder = part("the local that it binds", key="n")
    test: Expression = part("the condition for a member, which is in the local")


@node("each")
class Each(Expression):
    """What each member brings; `flat` joins sets."""

    of: Expression = part("the set")
    local: Binder = part("the local that it binds", key="n")
    body: Expression = part("what a member, which is in the local, brings")
    flat: bool = part("whether sets are joined", default=False)


@node("best")
class Best(Expression):
    """Those that are best, ties kept."""

    of: Expression = part("the set")
    local: Binder = part("the local that it binds", key="n")
    keys: tuple[tuple[Literal["highest", "lowest", "random"], Expression | None], ...] = part(
        "orders, the first that differs decides"
    )


@node("sorted")
class Sorted(Expression):
    """All of them in an order."""

    of: Expression = part("the set")
    local: Binder = part("the local that it binds", key="n")
    keys: tuple[tuple[Literal["highest", "lowest", "random"], Expression | None], ...] = part(
        "orders, the first that differs decides"
    )


@node("random")
class RandomOne(Expression):
    """One by chance."""

    of: Expression = part("the set")
    stream: str = part("the stream of chance it is drawn from")


@node("least")
class Least(Expression):
    """The smallest of some numbers."""

    items: tuple[Expression, ...] = part("the members")


@node("greatest")
class Greatest(Expression):
    """The largest of some numbers."""

    items: tuple[Expression, ...] = part("the members")


@node("any")
class Exists(Expression):
    """Whether there is one."""

    of: Expression = part("the set")


@node("first")
class First(Expression):
    """The first, or none."""

    of: Expression = part("the set")


@node("last")
class Last(Expression):
    """The last, or none."""

    of: Expression = part("the set")


@node("count")
class Count(Expression):
    """How many."""

    of: Expression = part("the set")


@node("total")
class Total(Expression):
    """The sum."""

    of: Expression = part("the numbers")


@node("highest")
class Highest(Expression):
    """The largest, or none."""

    of: Expression = part("the numbers")


@node("lowest")
class Lowest(Expression):
    """The smallest, or none."""

    of: Expression = part("the numbers")


@node("core")
class CoreFunctionCall(Expression):
    """A function of the core."""

    function: FunctionName = part("the name of the function", key="fn")
    args: tuple[Expression, ...] = part("the arguments, in order")


@node("new")
class NewThing(Expression):
    """A new thing of a kind."""

    kind: KindId = part("the kind")


@node("agreed")
class Agreed(Expression):
    """Whether all who are asked agree."""

    text: Text = part("what they are asked")
    by: Expression = part("who is asked")


@node("ask", either=(("call",), ("effect", "args")))
class Question(Expression):
    """A question about a call or an effect."""

    question: Literal["possible", "offered", "affordable", "done", "refused", "replaced"] = part(
        "what is asked"
    )
    call: Doing | None = part("the call it is about", default=None)
    effect: Expression | None = part("the effect it is about", default=None)
    args: tuple[Expression, ...] = part("the arguments of the effect", default=())
