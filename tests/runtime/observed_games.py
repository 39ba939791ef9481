"""Small games on the engine, looked at whenever something is asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from talewright.compiler.in_memory import compile_text
from talewright.runtime.engines.interface import Machine
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.host.decisions import Decision
from talewright.runtime.host.play import Play
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build, Program
from talewright.runtime.model.cells import GAME_HEADER_END
from talewright.runtime.observe.evaluator import Evaluator
from talewright.runtime.observe.memory import Memory
from talewright.runtime.observe.values import Value
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.declared import ValueDeclaration

LOOKED_AT = Build(events=True, traced=True)


def compiled(text: str) -> dict[str, Any]:
    """The document of a text."""
    result = compile_text(text)
    assert result.document is not None, [d.message for d in result.diagnostics]
    return result.document


def begun(
    document: dict[str, Any], seed: int = 1, players: int | None = None, options: dict[str, Any] | None = None
) -> Play:
    """A game that is about to begin."""
    program, module = assemble(read_document(document), options or {}, players, LOOKED_AT)
    play = Play(program, best_engine().load(module).machine())
    play.begin(seed)
    return play


def asked(
    play: Play, choose: Callable[[Decision], int] = lambda decision: 0
) -> Iterator[tuple[Decision, View]]:
    """The decisions of a game, each with how the game then stands."""
    while (decision := play.run()) is not None:
        yield decision, View.of(play.program, play.machine)
        play.forget_events()
        play.answer(choose(decision))


def compiled_value(
    program: Program, machine: Machine, declared: ValueDeclaration, arguments: Sequence[int] = ()
) -> Value:
    """What the machine of a program built with `values` gives for a value. Its header is put back: the game can go on."""
    header = machine.snapshot(0, GAME_HEADER_END)
    try:
        cell = machine.call(f"value:{declared.id}", *arguments)
        return Evaluator(program, Memory(machine)).read(cell, declared.type)
    finally:
        machine.restore(0, header)
