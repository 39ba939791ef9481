"""How much fits: limits of tokens on things and of containers, where they are worked out in play."""

from __future__ import annotations

from talewright.runtime.ir.build import conditional, const, equal
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.dispatch import value_as
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.model.types import INT
from talewright.schemas.nodes.literals import IntLiteral

ANY_NUMBER = const(-1)


def token_limit(code: Code) -> None:
    """token_limit(token, thing): how many a thing may hold, as the most special of its kinds says; -1 for any number."""
    world = code.program.world
    kinds = sorted(world.kinds, key=lambda kind: -len(world.lineage[kind]))
    for number, token in enumerate(world.content.tokens):
        held = [
            (kind, hold.most) for kind in kinds for hold in world.kinds[kind].holds if hold.token == token.id
        ]
        if all(most is None for _, most in held):
            continue
        with code.if_(equal(Local(0), number)):
            for kind, most in held:
                with code.if_(of_kind(code, Local(1), kind)):
                    scope = Scope({}, me=Local(1), owner=kind, verb="limit")
                    code.give(ANY_NUMBER if most is None else _limit(code, scope, most))
    code.give(ANY_NUMBER)


def capacity_of(code: Code) -> None:
    """capacity_of(container): how many things fit into it."""
    world = code.program.world
    for pile in world.piles:
        most = None if pile.declaration is None else pile.declaration.most
        if most is not None and not isinstance(most.value, IntLiteral):
            owner = world.thing(pile.owner).kind if pile.owner else ""
            types = local_types(most.locals)
            with code.if_(equal(Local(0), pile.number)):
                scope = Scope({}, types=types, me=const(pile.owner), owner=owner, verb="limit")
                code.give(_limit(code, scope, most.value))
    code.give(0)


def _limit(code: Code, scope: Scope, most: object) -> Expression:
    """A limit below nothing, or none, lets nothing in."""
    with code.in_scope(scope):
        held = code.keep(value_as(code, most, INT))
        return conditional(held < 0, 0, held)
