"""How much fits: what the kernel asks of a program about tokens on things and about containers."""

from __future__ import annotations

from talewright.runtime.lower.code import local_types
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Scope, asked_by_kernel, of_kind
from talewright.schemas.nodes.literals import IntLiteral

ANY_NUMBER = -1


@asked_by_kernel
def token_limit(ev: Evaluator, token: int, thing: int) -> int:
    """How many tokens a thing may hold, as the most special of its kinds says."""
    world = ev.program.world
    name = world.content.tokens[token].id
    for kind in sorted(world.kinds, key=lambda kind: -len(world.lineage[kind])):
        for hold in world.kinds[kind].holds:
            if hold.token == name and of_kind(ev, thing, kind):
                if hold.most is None:
                    return ANY_NUMBER
                made = ev.value(hold.most, Scope({}, {}, thing, kind))
                return max(0, made) if isinstance(made, int) else 0
    return ANY_NUMBER


@asked_by_kernel
def capacity_of(ev: Evaluator, where: int) -> int:
    """How many things fit into a container."""
    world = ev.program.world
    pile = world.piles[where - len(world.things) - 1]
    most = None if pile.declaration is None else pile.declaration.most
    if most is None or isinstance(most.value, IntLiteral):
        return 0
    owner = world.thing(pile.owner).kind if pile.owner else ""
    made = ev.value(most.value, Scope({}, local_types(most.locals), pile.owner or None, owner))
    return max(0, made) if isinstance(made, int) else 0
