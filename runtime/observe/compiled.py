"""Values of a program built with `values`, as its machine works them out: what the evaluator is compared with."""

from __future__ import annotations

from collections.abc import Sequence

from talewright.runtime.engines.interface import Machine
from talewright.runtime.lower.program import Program
from talewright.runtime.model.cells import GAME_HEADER_END
from talewright.runtime.observe.evaluation.evaluator import Evaluator
from talewright.runtime.observe.evaluation.values import Value
from talewright.runtime.observe.memory import Memory
from talewright.schemas.nodes.declared import ValueDeclaration


def compiled_value(
    program: Program, machine: Machine, declared: ValueDeclaration, arguments: Sequence[int] = ()
) -> Value:
    """What a machine gives for a value. Its header is put back, so that the game can go on. Raises `EngineFault`."""
    header = machine.snapshot(0, GAME_HEADER_END)
    try:
        cell = machine.call(f"value:{declared.id}", *arguments)
        return Evaluator(program, Memory(machine)).read(cell, declared.type)
    finally:
        machine.restore(0, header)
