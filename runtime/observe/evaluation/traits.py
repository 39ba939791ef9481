"""Traits that things have, with what they were given; things that were made in play."""

from __future__ import annotations

from talewright.runtime.kernel.components.traits import CAPTURED, SITE
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Scope
from talewright.runtime.observe.evaluation.values import Value
from talewright.schemas.nodes.names import TraitRef


def made_of_kind(ev: Evaluator, kind: str) -> list[int]:
    """The things of a kind that were made in play and still exist."""
    return [
        thing
        for pool in ev.program.world.pools_of(kind)
        for thing in range(pool.first, pool.first + ev.memory[ev.program.made_cell(pool)])
        if ev.column("SORT", thing)
    ]


def copies_of(ev: Evaluator, sort: str) -> list[int]:
    """Every copy of a thing, also those that were made in play."""
    world = ev.program.world
    copies = list(world.sorts.get(sort, ()))
    if not world.can_be_made(sort):
        return copies
    number = ev.program.sort_number(sort)
    made = made_of_kind(ev, world.kind_of_sort(sort))
    return copies + [thing for thing in made if ev.column("SORT", thing) == number]


def has_trait(ev: Evaluator, thing: int, trait: str) -> bool:
    """Whether a thing has a trait, or is lent it by what it holds in a field that lends all."""
    if bears_trait(ev, thing, trait):
        return True
    for field in ev.program.world.lenders():
        lender = ev.stored(thing, field)
        if isinstance(lender, int) and has_trait(ev, lender, trait):
            return True
    return False


def bears_trait(ev: Evaluator, thing: int, trait: str) -> bool:
    """Whether a thing has a trait itself."""
    return bool(ev.memory[ev.program.trait_bits(trait) + (thing >> 5)] >> (thing & 31) & 1)


def bearers_of(ev: Evaluator, trait: str) -> list[int]:
    """All things that have a trait, in order of declaration."""
    return [thing for thing in range(1, ev.program.layout.things + 1) if bears_trait(ev, thing, trait)]


def trait_parameter(ev: Evaluator, thing: int, trait: str, name: str) -> Value:
    """What a trait was given when a thing gained it last, worked out now; none if it does not have it."""
    program = ev.program
    declared = program.world.traits[trait]
    index = next(i for i, parameter in enumerate(declared.params) if parameter.name == name)
    record = ev.kernel.call("trait_of", thing, program.number("trait", trait))
    if not record:
        return None
    passage = program.site_passages[ev.memory[record + SITE]]
    assert isinstance(passage.node, TraitRef)
    me = ev.memory[record + CAPTURED] or None
    scope = Scope(ev.captured(passage, record + CAPTURED + 1), passage.types, me, passage.owner)
    if index >= len(passage.node.args):
        return None
    return ev.value_as(passage.node.args[index], declared.params[index].type, scope)
