"""Rules for a while: `until` puts records of its rules into the state, with what they have captured."""

from __future__ import annotations

from talewright.runtime.ir.build import ZERO, cell, const, load, negate, unlike
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.kernel.components.until import (
    ARMED,
    BEARER,
    BEFORE_NEXT,
    CAPTURED,
    KEY,
    WITH_CALL,
    WITH_CHAPTER,
    WITH_NEXT,
    WITH_PERIOD,
)
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.dispatch import condition, lowers_statement
from talewright.runtime.lower.expressions.storage import keep_block
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import Parts, Run, in_scope, rule_scope
from talewright.runtime.model.cells import UNTIL_TOP
from talewright.runtime.model.types import is_block
from talewright.runtime.model.world import RuleEntry
from talewright.schemas.node_walk import free_locals
from talewright.schemas.nodes.rules import GrantRule, InsteadOfRule, ModifyRule, StateRule
from talewright.schemas.nodes.statements import Until
from talewright.schemas.nodes.types import Type

MOST_RECORDS = 256
NEWEST = 1 << 30


def lay_out_until(program: Program) -> None:
    """Room for the records, and what each rule captures."""
    program.until_around = {}
    for block, entries in program.world.until_rules.items():
        here = program.world.index.around[block]
        for entry in entries:
            program.until_around[entry.number] = (here.types, here.owner)
    widest = max(
        (len(captures(program, entry)) for e in program.world.until_rules.values() for entry in e), default=0
    )
    size = CAPTURED + widest
    blocks = [0] * (len(program.world.rules) + 1)
    for entries in program.world.until_rules.values():
        for entry in entries:
            types, _ = program.until_around[entry.number]
            for place, number in enumerate(captures(program, entry)):
                if is_block(types.get(number, Type("any"))):
                    blocks[entry.number] |= 1 << place
    names = program.layout.names
    count = MOST_RECORDS if program.world.until_rules else 0
    names["UNTIL"] = program.layout.reserve_records(size * count)
    names["UNTIL_END"] = names["UNTIL"] + size * count
    names["UNTIL_CELLS"] = size
    names["UNTIL_BLOCKS"] = program.layout.fixed(blocks)


def captures(program: Program, entry: RuleEntry) -> dict[int, int]:
    """The locals that a rule for a while reads from the text around it, with their cells in its record."""
    bound = {slot.local for slot in getattr(entry.rule, "slots", ())}
    return {
        number: CAPTURED + i for i, number in enumerate(n for n in free_locals(entry.rule) if n not in bound)
    }


def until_scope(code: Code, entry: RuleEntry) -> Scope:
    """The scope around a rule for a while: what it has captured stands in its record."""
    types, owner = code.program.until_around[entry.number]
    record = code.instances.get(entry.number)
    locals_: dict[int, Expression] = {}
    if record is not None:
        locals_ = {number: load(record, at) for number, at in captures(code.program, entry).items()}
    return Scope(locals_, types=types, owner=owner, instance=record)


def each_instance(code: Code, entry: RuleEntry, run: Run, steady: bool) -> None:
    """Every record of a rule in order of arrival; where only one counts, the newest first."""
    newest = isinstance(entry.rule, InsteadOfRule) or (
        isinstance(entry.rule, ModifyRule) and entry.rule.change == "="
    )
    names = code.program.layout.names

    def search() -> None:
        key = code.hold(NEWEST if newest else 0)
        with code.loop() as (_, out):
            record = code.call("previous_until" if newest else "next_until", entry.number, key)
            code.leave_if(negate(record), out)
            code.assign(key, load(record, KEY))
            outer = code.instances.get(entry.number)
            code.instances[entry.number] = record
            me = record if isinstance(entry.rule, StateRule) else code.hold(load(record, BEARER))
            run(me)
            if outer is None:
                del code.instances[entry.number]
            else:
                code.instances[entry.number] = outer

    some = unlike(cell(UNTIL_TOP), names["UNTIL"])
    code.when(some, search)


@lowers_statement(Until)
def until(code: Code, node: Until) -> None:
    program = code.program
    for entry in program.world.until_rules.get(id(node), ()):
        ends, awaits = _end(code, node)
        record = code.call("add_until", entry.number, ends, awaits, code.scope.me)
        types, _ = program.until_around[entry.number]
        for number, at in captures(program, entry).items():
            held = code.scope.locals[number]
            if is_block(types.get(number, Type("any"))):
                keep_block(code, record + at, held, types[number])
            else:
                code.put(record, held, at)
        if isinstance(entry.rule, StateRule):
            code.instances[entry.number] = record
            with in_scope(code, rule_scope(code, entry, record, Parts({}, {}), "state")):
                code.put(record, negate(condition(code, entry.rule.condition)), ARMED)
            del code.instances[entry.number]
    if any(isinstance(entry.rule, GrantRule) for entry in program.world.until_rules.get(id(node), ())):
        program.wiring.look_at_grants(code, True)


def _end(code: Code, node: Until) -> tuple[Expression, Expression]:
    """How the rules of an `until` end, and what they wait for."""
    form, _, name = node.moment.partition(":")
    if form == "period":
        return const(WITH_PERIOD), const(code.program.number("period", name))
    if name == "chapter" and "chapter" not in {a.verb for a in code.program.actions.values()}:
        return const(WITH_CHAPTER), ZERO
    verb = const(code.program.verb_number(name))
    if "start" in node.edge:
        return const(BEFORE_NEXT), verb
    if node.edge == "until end of next":
        return const(WITH_NEXT), verb
    depth = code.call("running_call", verb)
    ends = code.choose(depth, lambda: const(WITH_CALL), lambda: const(WITH_NEXT))
    awaits = code.choose(depth, lambda: depth - 1, lambda: verb)
    return code.keep(ends), code.keep(awaits)
