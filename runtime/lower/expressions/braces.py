"""Sets in braces: their members are compared with each other where they stand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.ir.build import ONE, both, conditional, equal, unlike
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import (
    Member,
    element_type,
    gather,
    is_in_braces,
    listed,
    loops_without_list,
    value_as,
)
from talewright.runtime.lower.expressions.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.types import is_block, none_of
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r


def distinct(code: Code, args: Arguments) -> Expression:
    literal = args[0]
    if isinstance(literal, li.SetLiteral) and _is_plain(code, literal):
        return gather(code, partial(_each_new, code, literal), element_type(code, literal))
    return _distinct_list(code, literal)


def _distinct_list(code: Code, node: object) -> Expression:
    return code.pushed("distinct", listed(code, node))


@loops_without_list(q.CoreFunctionCall)
def each_in_braces(code: Code, node: q.CoreFunctionCall, body: Member) -> bool:
    """Runs a body for every member of a set in braces, each once; the body is written once."""
    literal = node.args[0] if is_in_braces(node) else None
    if not isinstance(literal, li.SetLiteral) or not _is_plain(code, literal):
        return False
    members: list[Expression] = []
    wanted: list[Expression] = []

    def note(fresh: Expression, member: Expression) -> None:
        members.append(member)
        wanted.append(code.keep(fresh))

    each_compared(code, literal, note)
    with code.count_up(0, len(members)) as index:
        member, fresh = members[-1], wanted[-1]
        for at in reversed(range(len(members) - 1)):
            here = equal(index, at)
            member, fresh = conditional(here, members[at], member), conditional(here, wanted[at], fresh)
        code.when(fresh, lambda: body(code.hold(member)))
    return True


# The members of a set in braces are compared with each other where it stands, if there are no more.
MOST_COMPARED = 6


def _is_plain(code: Code, node: li.SetLiteral) -> bool:
    """Whether a set in braces names a few members, each of one cell."""
    few = len(node.items) <= MOST_COMPARED and not any(isinstance(item, r.Spread) for item in node.items)
    return few and not is_block(element_type(code, node))


def _each_new(code: Code, node: li.SetLiteral, body: Member) -> None:
    """Runs a body for each member of a set in braces that does not stand before it already."""
    each_compared(code, node, lambda fresh, member: code.when(fresh, lambda: body(member)))


def each_compared(code: Code, node: li.SetLiteral, use: Callable[[Expression, Expression], None]) -> None:
    """Works out each member of a set in braces, and whether it is one and does not stand before already."""
    before: list[Expression] = []
    for item in node.items:
        held = code.keep(value_as(code, item, element_type(code, node)))
        fresh: Expression = ONE
        if node.drop and maybe_none(code, item):
            fresh = unlike(held, none_of(type_of(code, item)))
        for other in before:
            fresh = both(fresh, unlike(held, other))
        before.append(held)
        use(fresh, held)


CORE_FUNCTIONS["distinct"] = distinct
