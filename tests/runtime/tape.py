"""Drives the new engine by the draws and answers of the old one.

The old engine plays a game with a chance object and a chooser that write down every draw and every answer as `(how many, which)`.
The new one reads them back instead of drawing: the first number that differs is where the two part, and it faults there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from talewright.runtime.chance import Chance
from talewright.runtime.engines.interface import EngineFault, Machine
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.game import Game
from talewright.runtime.ir.header import STEPS
from talewright.runtime.ir.kernel import translate_text
from talewright.runtime.lower import assembly
from talewright.runtime.lower.program import Build
from talewright.runtime.model.layout import MEMORY_CELLS
from talewright.runtime.program import Program
from talewright.schemas.nodes.codec import read_document

# Where the tape lies: behind everything else. The first cell says how far it was read.
TAPE = MEMORY_CELLS
TAPE_CELLS = 1 << 18
# A draw is noted as four times its count, an answer as one more.
DRAW, ANSWER = 0, 1

READING = '''
from talewright.runtime.ir.intrinsics import M, fault


def rand(stream: int, count: int) -> int:
    """The next draw of the tape."""
    if count < 2:
        return 0
    return next_of_tape(count * 4)


def decide(count: int) -> int:
    """The next answer of the tape."""
    M[STEPS] = 1000000
    return next_of_tape(count * 4 + 1)


def next_of_tape(wanted: int) -> int:
    """What stands next on the tape, which must be what is asked for."""
    at = M[TAPE]
    if M[TAPE + at] != wanted:
        fault(150, 0)
    M[TAPE] = at + 2
    return M[TAPE + at + 1]
'''


@dataclass(slots=True)
class Tape:
    """The draws and answers of one game, and the ending that it reached."""

    cells: list[int] = field(default_factory=list)
    ending: str = ""


class _Writer(Chance):
    """Chance that writes down what it draws."""

    def __init__(self, seed: int, tape: Tape, source: Random) -> None:
        super().__init__(seed)
        self.tape, self.source = tape, source

    def below(self, name: str, count: int) -> int:
        if count < 2:
            return 0
        return self.draw(count, DRAW)

    def mix(self, name: str, items: list[Any]) -> None:
        for last in range(len(items) - 1, 0, -1):
            other = self.below(name, last + 1)
            items[other], items[last] = items[last], items[other]

    def draw(self, count: int, form: int) -> int:
        made = self.source.randrange(count)
        self.tape.cells += [count * 4 + form, made]
        return made


def record(program: Program, seed: int) -> Tape:
    """Plays a game with the old engine, and gives its tape."""
    tape = Tape()
    chance = _Writer(seed, tape, Random(seed))
    game = Game(program, seed, hurried=False)
    game.use_chance(chance)
    game.quick = lambda count: chance.draw(count, ANSWER)
    game.run(None)
    tape.ending = program.layout.things[game.space["S"][game.space["ENDED"]]].id
    return tape


@dataclass(slots=True)
class Player:
    """A machine of the new engine that reads its chance and its answers from a tape."""

    machine: Machine
    names: list[str]

    def play(self, tape: Tape) -> str:
        """Plays a tape; gives what is different, or nothing."""
        self.machine.write(TAPE, [1, *tape.cells, 0, 0])
        self.machine.call("begin", 1, 0)
        try:
            ending = self.machine.call("play_on")
        except EngineFault as fault:
            read = (self.machine.read(TAPE, 1)[0] - 1) // 2
            return f"parts at entry {read} of {len(tape.cells) // 2}: {fault}"
        if self.machine.read(TAPE, 1)[0] != 1 + len(tape.cells):
            return "ends before the tape does"
        return (
            "" if self.names[ending] == tape.ending else f"ends with {self.names[ending]}, not {tape.ending}"
        )


def player(
    document: Mapping[str, Any], options: Mapping[str, object], players: int, monkeypatch: Any
) -> Player:
    """The new engine, with chance and answers from a tape."""
    given = {"TAPE": TAPE, "STEPS": STEPS}
    own = {function.name: function for function in translate_text(READING, "tape", given)}
    translate = assembly.translate

    def with_tape(path: Path, constants: Mapping[str, int] | None = None) -> tuple[Any, ...]:
        others = tuple(f for f in translate(path, constants) if f.name not in own)
        return (*others, *own.values()) if path.stem == "chance" else others

    monkeypatch.setattr(assembly, "translate", with_tape)
    monkeypatch.setattr(assembly.regions, "MEMORY_CELLS", TAPE + TAPE_CELLS)
    typed = read_document(json.loads(json.dumps(document)))
    program, module = assembly.assemble(typed, options, players, Build())
    machine = best_engine().load(module).machine()
    machine.call("prepare")
    return Player(machine, ["", *(thing.id for thing in program.world.things)])
