"""Traits: what things gain and lose, with arguments that are read anew at each use.

A trait with its arguments is a block `[n, site, self, what the arguments have captured ...]`. A site is a place of the text
where a trait is named; the functions of its arguments stand behind each other in the table.
"""

from __future__ import annotations

from functools import partial

from talewright.runtime.faults import misfit
from talewright.runtime.ir.build import ONE, ZERO, call, const, equal, load, negate
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.kernel.components.traits import CAPTURED, MARKED, SITE
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import (
    Member,
    condition,
    each,
    each_of_list,
    given,
    listed,
    lowers_loop,
    lowers_statement,
    lowers_value,
    value,
)
from talewright.runtime.lower.expressions.storage import same_block
from talewright.runtime.lower.program import Passage, Program
from talewright.runtime.lower.rules.rules import NO_PARTS, each_bearer, each_with_trait, rule_scope
from talewright.runtime.lower.statements.endings import finish_value
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.cells import DIRTY
from talewright.runtime.model.constants import declared_default
from talewright.runtime.model.types import is_block, is_list, none_of
from talewright.runtime.model.world import RuleEntry, Thing
from talewright.schemas.node_walk import free_locals
from talewright.schemas.nodes.names import Bearers, TraitParam, TraitRef
from talewright.schemas.nodes.rules import GrantRule
from talewright.schemas.nodes.statements import Retrait
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

MOST_RECORDS = 512
# Who gave a trait, where no grant did.
NOBODY = 0


@record(frozen=True)
class Site:
    """A place of the text where a trait is named."""

    number: int
    trait: int
    slot: int
    """The number in the table of the function of the first argument."""
    captured: tuple[int, ...]
    """The locals that the arguments read."""


def trait_number(program: Program, trait: str) -> int:
    """The number of a trait, counted from 1."""
    return program.number("trait", trait)


def lay_out_traits(program: Program) -> None:
    """Room for records, and the bits of bearers."""
    world, names = program.world, program.layout.names
    bits = [0]
    for trait in world.traits:
        trait_number(program, trait)
        bits.append(program.trait_bits(trait))
    widest = 0
    for node in world.index.nodes:
        if isinstance(node, TraitRef):
            widest = max(widest, len(_free(node)))
    size = CAPTURED + 1 + widest
    count = MOST_RECORDS if world.traits else 0
    names["TRAIT_BITS"] = program.layout.fixed(bits)
    names["TRAIT_RECORDS"] = program.layout.reserve_records(size * count)
    names["TRAIT_RECORDS_END"] = names["TRAIT_RECORDS"] + size * count
    names["TRAIT_CELLS"] = size


def _free(node: TraitRef) -> list[int]:
    return sorted({number for argument in node.args for number in free_locals(argument)})


# ------------------------------------------------------------------ naming a trait
def site_of(code: Code, node: TraitRef) -> Site:
    """The site of a trait in the text, with functions that work its arguments out."""
    program = code.program
    found = program.sites.get(id(node))
    if found is not None:
        return found
    captured = tuple(_free(node))
    number = len(program.sites) + 1
    scope = code.scope
    declared = program.world.traits[node.id]
    slot = 0
    for index, (argument, parameter) in enumerate(zip(node.args, declared.params, strict=False)):
        name = f"argument:{number}:{index}"
        at = program.slot(name)
        slot = slot or at
        program.function(name, 1, partial(_argument, argument, parameter.type, captured, scope))
    made = Site(number, trait_number(program, node.id), slot, captured)
    program.sites[id(node)] = made
    program.site_passages[number] = Passage(node, scope.types, scope.owner, captured)
    return made


def _argument(node: object, type_: Type, captured: tuple[int, ...], outer: Scope, code: Code) -> Function:
    """argument(where what was captured stands): the value of an argument now."""
    locals_: dict[int, Expression] = {number: load(Local(0), 1 + i) for i, number in enumerate(captured)}
    code.scope = Scope(locals_, types=outer.types, me=load(Local(0)), owner=outer.owner, verb=outer.verb)
    code.giving()
    code.give(given(code, node, type_))
    return finish_value(code, type_)


@lowers_value(TraitRef)
def trait(code: Code, node: TraitRef) -> Expression:
    """A trait with its arguments as a block."""
    site = site_of(code, node)
    captured = [code.keep(code.scope.locals[number]) for number in site.captured]
    return code.new_list(site.number, code.scope.me, *captured)


def site_table(program: Program) -> None:
    """What each site names: its trait, and the first function of its arguments."""
    sites = sorted(program.sites.values(), key=lambda site: site.number)
    names = program.layout.names
    names["SITE_TRAIT"] = program.layout.fixed([0, *(site.trait for site in sites)])
    names["SITE_SLOT"] = program.layout.fixed([0, *(site.slot for site in sites)])


# ------------------------------------------------------------------ gaining and losing
def gain(code: Code, thing: Expression, block: Expression, granter: Expression = ZERO) -> None:
    """A thing gains a trait, unless it has it with the same arguments."""
    program = code.program
    code.do(program.function("gain", 3, _gain, gives=False), thing, block, granter)


def _gain_some(code: Code, block: Expression, several: bool, granter: Expression, thing: Expression) -> None:
    """A thing gains a trait, or each of several."""
    held = code.keep(thing)
    if several:
        each_of_list(code, block, lambda one: gain(code, held, one, granter))
    else:
        gain(code, held, block, granter)


def _gain(code: Code) -> None:
    """gain(thing, block, granter)."""
    thing, block, granter = Local(0), Local(1), Local(2)
    site = code.hold(load(block, 1))
    number = code.hold(call("site_trait", site))
    code.leave_if(negate(thing), code.exit)
    record = code.hold(0)
    with code.loop() as (_, out):
        code.assign(record, call("next_trait", thing, number, record))
        code.leave_if(negate(record), out)
        same = code.call("same_trait", load(record, SITE), record + CAPTURED, site, block + 2)
        with code.if_(same):
            code.put(record, 0, MARKED)
            code.go(code.exit)
    code.do("add_trait", thing, number, site, granter, block + 2, load(block) - 1)
    for trait_id, declared in code.program.world.traits.items():
        if declared.fields:
            with code.if_(equal(number, trait_number(code.program, trait_id))):
                _first_fields(code, trait_id, thing)


def _first_fields(code: Code, trait_id: str, thing: Expression) -> None:
    """Fields of a trait begin at their defaults each time it is gained."""
    from talewright.runtime.lower.start import write_first

    for entry in code.program.world.traits[trait_id].fields:
        field = code.program.world.fields[trait_id, entry.name]
        write_first(code.program, code, thing, field, declared_default(field))


def same_trait(code: Code) -> None:
    """same_trait(site, captured, other site, other captured): whether two of one trait have the same arguments."""
    first, second = Local(0), Local(2)
    trait_now = code.hold(call("site_trait", first))
    for trait_id, declared in code.program.world.traits.items():
        with code.if_(equal(trait_now, trait_number(code.program, trait_id))):
            for index, parameter in enumerate(declared.params):
                left = code.indirect(call("site_slot", first) + index, Local(1))
                right = code.indirect(call("site_slot", second) + index, Local(3))
                blocks = is_block(parameter.type)
                test = same_block(left, right, parameter.type) if blocks else equal(left, right)
                code.give_if(negate(test), 0)
            code.give(1)
    code.giving()


@lowers_statement(Retrait)
def retrait(code: Code, node: Retrait) -> None:
    code.uses_stack()
    blocks = [] if node.change == "loses" else [code.keep(value(code, part)) for part in node.traits]
    many = [is_list(type_of(code, part)) for part in node.traits]

    def one(thing: Expression) -> None:
        held = code.keep(thing)
        if node.change == "becomes":
            code.do("lose_traits", held, 0)
        if node.change == "loses":
            for part in node.traits:
                if isinstance(part, TraitRef):
                    code.do("lose_traits", held, trait_number(code.program, part.id))
                else:
                    block = code.keep(value(code, part))
                    code.do("lose_traits", held, call("site_trait", load(block, 1)))
        for block, several in zip(blocks, many, strict=False):
            _gain_some(code, block, several, ZERO, held)

    if node.many:
        each_of_list(code, listed(code, node.target), one)
    else:
        target = code.keep(value(code, node.target))
        code.when(target, lambda: one(target))
    code.set(DIRTY, 1)


# ------------------------------------------------------------------ reading
@lowers_loop(Bearers)
def bearers(code: Code, node: Bearers, body: Member) -> None:
    """All things that have a trait, in order of declaration."""
    each_with_trait(code, node.trait, body)


def trait_parameter(code: Code, thing: Expression, trait_id: str, name: str) -> Expression:
    """What a trait was given when a thing gained it last, worked out now; none if it does not have it."""
    program = code.program
    declared = program.world.traits.get(trait_id)
    if declared is None:
        raise misfit(f"nothing is known of the field `{name}`")
    index = next(i for i, parameter in enumerate(declared.params) if parameter.name == name)
    type_ = declared.params[index].type
    if is_block(type_):
        code.uses_stack()
    record = code.call("trait_of", thing, trait_number(program, trait_id))
    made = code.hold(none_of(type_))
    with code.if_(record):
        slot = call("site_slot", load(record, SITE)) + index
        code.assign(made, code.indirect(slot, record + CAPTURED))
    return made


@lowers_value(TraitParam)
def trait_param(code: Code, node: TraitParam) -> Expression:
    return trait_parameter(code, code.scope.me, code.scope.owner, node.name)


# ------------------------------------------------------------------ traits from birth and by grants
def born_with(program: Program, code: Code) -> None:
    """Things gain the traits that they are declared with."""
    for thing in program.world.things:
        _gain_declared(program, code, thing)


def _gain_declared(program: Program, code: Code, thing: Thing) -> None:
    declared = thing.declaration
    for node in declared.traits if declared is not None else ():
        with code.in_scope(Scope({}, me=const(thing.number), owner=thing.kind, verb="init")):
            gain(code, const(thing.number), value(code, node))
        if isinstance(node, TraitRef):
            _fill_fields(program, code, thing, node.id)


def _fill_fields(program: Program, code: Code, thing: Thing, trait_id: str) -> None:
    """A thing says itself what the fields of a trait beside its name hold."""
    from talewright.runtime.lower.start import write_first

    for entry in program.world.traits[trait_id].fields:
        if entry.name in thing.fields:
            write_first(
                program,
                code,
                const(thing.number),
                program.world.fields[trait_id, entry.name],
                thing.fields[entry.name],
            )


def look_at_grants(code: Code, for_a_while: bool = False) -> None:
    """Gives what grants give now, and takes back what they no longer give; perhaps only if some last for a while."""
    entries = [e for e in code.program.world.rules if isinstance(e.rule, GrantRule)]
    if entries and (not for_a_while or any(entry.bearer == "until" for entry in entries)):
        code.do(code.program.function("grants", 0, partial(_grants, entries), gives=False))


def _grants(entries: list[RuleEntry], code: Code) -> None:
    for entry in sorted(entries, key=lambda e: (e.layer, e.number)):
        granter = const(entry.number + 1)
        code.do("mark_granted", granter)
        each_bearer(code, entry, partial(_grant, code, entry, granter))
        code.do("drop_marked", granter)


def _grant(code: Code, entry: RuleEntry, granter: Expression, me: Expression) -> None:
    rule = entry.rule
    assert isinstance(rule, GrantRule)
    with code.in_scope(rule_scope(code, entry, me, NO_PARTS, "grant")):
        test = ONE if rule.when is None else condition(code, rule.when)
        if test == ZERO:
            return
        with code.if_(test):
            code.uses_stack()
            for node in rule.traits:
                several = is_list(type_of(code, node))
                block = code.keep(value(code, node))
                each(code, rule.to, partial(_gain_some, code, block, several, granter))
