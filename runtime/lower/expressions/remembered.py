"""Values that are remembered while a bot weighs options: `kernel/bots/remembered.py` has the table."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.runtime.ir.build import ZERO, call, cell, const, equal, load
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code, local_types
from talewright.runtime.lower.program import Program
from talewright.runtime.model.types import is_block
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.declared import ValueDeclaration

MOST_ARGUMENTS = 2
# A value of fewer nodes is worked out as quickly as it is looked up.
FEWEST_NODES = 13


def is_remembered(program: Program, declared: ValueDeclaration) -> bool:
    """Whether a value is looked up before it is worked out: one cell, and few arguments of one cell each."""
    types = local_types(declared.locals)
    return (
        program.build.bots
        and not is_block(declared.type)
        and len(declared.params) <= MOST_ARGUMENTS
        and not any(is_block(types[number]) for number in declared.params)
        and sum(1 for _ in _nodes(program, declared)) >= FEWEST_NODES
    )


def remember(declared: ValueDeclaration, made: str, code: Code) -> None:
    """What was remembered, or what is worked out now."""
    arguments = [Local(index) for index in range(len(declared.params))]
    key: list[Expression] = [const(code.program.number("remembered", declared.id)), *arguments]
    key += [ZERO] * (MOST_ARGUMENTS + 1 - len(key))
    code.give_if(equal(cell(code.names["REMEMBERING"]), 0), call(made, *arguments))
    row = code.hold(call("recall", *key))
    code.give_if(row, load(row))
    code.give(call("remember", *key, call(made, *arguments)))


def _nodes(program: Program, declared: ValueDeclaration) -> Iterator[Node]:
    """What is worked out for a value, without the values that it asks for."""
    yield from walk(declared)
    for entry in program.modifiers.get(declared.id, ()):
        yield from walk(entry.rule)
