"""How much fits: limits of tokens on things and of containers, where they are worked out in play."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from talewright.runtime.ir.build import conditional, const, equal
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import value_as
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.scopes import local_types
from talewright.runtime.model.types import INT
from talewright.runtime.model.world import Pile
from talewright.schemas.nodes.literals import IntLiteral
from talewright.schemas.nodes.things import Measured

ANY_NUMBER = const(-1)


def limit_functions(program: Program) -> list[Function]:
    """What the kernel asks: `token_limit(token, thing)` and `capacity_of(container)`."""
    return [_token_limit(program), _capacity_of(program)]


def _token_limit(program: Program) -> Function:
    """How many tokens a thing may hold, as the most special of its kinds says; -1 for any number."""
    code = program.code("token_limit", 2)
    world = program.world
    kinds = sorted(world.kinds, key=lambda kind: -len(world.lineage[kind]))
    for number, token in enumerate(world.content.tokens):
        held = [
            (kind, hold.most) for kind in kinds for hold in world.kinds[kind].holds if hold.token == token.id
        ]
        if any(most is not None for _, most in held):
            code.when(equal(Local(0), number), partial(_limits, code, held))
    code.give(ANY_NUMBER)
    return code.function()


def _limits(code: Code, held: Sequence[tuple[str, object]]) -> None:
    for kind, most in held:
        code.when(of_kind(code, Local(1), kind), partial(_limit, code, kind, most))


def _limit(code: Code, kind: str, most: object | None) -> None:
    if most is None:
        code.give(ANY_NUMBER)
        return
    with code.in_scope(Scope({}, me=Local(1), owner=kind, verb="limit")):
        code.give(_at_least_nothing(code, value_as(code, most, INT)))


def _capacity_of(program: Program) -> Function:
    """How many things fit into a container."""
    code = program.code("capacity_of", 1)
    for pile in program.world.piles:
        most = None if pile.declaration is None else pile.declaration.most
        if most is not None and not isinstance(most.value, IntLiteral):
            code.when(equal(Local(0), pile.number), partial(_capacity, code, pile, most))
    code.give(0)
    return code.function()


def _capacity(code: Code, pile: Pile, most: Measured) -> None:
    owner = code.program.world.thing(pile.owner).kind if pile.owner else ""
    scope = Scope({}, types=local_types(most.locals), me=const(pile.owner), owner=owner, verb="limit")
    with code.in_scope(scope):
        code.give(_at_least_nothing(code, value_as(code, most.value, INT)))


def _at_least_nothing(code: Code, made: Expression) -> Expression:
    """A limit below nothing, or none, lets nothing in."""
    held = code.keep(made)
    return conditional(held < 0, 0, held)
