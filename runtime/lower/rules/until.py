"""Rules for a while: `until` puts records of its rules into the state, with what they have captured."""

from __future__ import annotations

from talewright.runtime.ir.build import ZERO, const, negate
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.kernel.components.until import (
    ARMED,
    BEFORE_NEXT,
    CAPTURED,
    WITH_CALL,
    WITH_CHAPTER,
    WITH_NEXT,
    WITH_PERIOD,
)
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import condition, lowers_statement
from talewright.runtime.lower.expressions.storage import keep_block
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import NO_PARTS, captures, rule_scope
from talewright.runtime.lower.rules.traits import look_at_grants
from talewright.runtime.model.types import is_block
from talewright.schemas.nodes.rules import GrantRule, StateRule
from talewright.schemas.nodes.statements import Until
from talewright.schemas.nodes.types import Type

MOST_RECORDS = 256


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
            with (
                code.of_record(entry.number, record),
                code.in_scope(rule_scope(code, entry, record, NO_PARTS, "state")),
            ):
                code.put(record, negate(condition(code, entry.rule.condition)), ARMED)
    if any(isinstance(entry.rule, GrantRule) for entry in program.world.until_rules.get(id(node), ())):
        look_at_grants(code, True)


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
