"""Games that nobody but bots plays, told in words: what is said, what is asked, and what is chosen."""

from __future__ import annotations

import struct
from typing import NamedTuple

from talewright.runtime.engines.interface import EngineFault
from talewright.runtime.faults import MISPLACED, LoadError
from talewright.runtime.host.decisions import options_of
from talewright.runtime.ir.header import BAD_ADDRESS
from talewright.runtime.kernel.bots.bots import RANDOM
from talewright.runtime.kernel.play.notes import ASKED, PAGE, ROW, SAID, STRETCH
from talewright.runtime.model.cells import EVENT_TOP
from talewright.runtime.model.layout import EVENTS
from talewright.runtime.session.bots import KERNEL
from talewright.runtime.session.game import PATIENCE, Game
from talewright.runtime.session.program import Program

BOTS = {"random": RANDOM, **KERNEL}
CELL_BYTES = 4
# What every row begins with: its size in cells, its kind, and the first cell of its own.
_HEAD = struct.Struct("<3i")
# So many stretches of play are kept in words.
MOST_STRETCHES = 1 << 14


class Asked(NamedTuple):
    """What was asked, in words, and what was chosen."""

    name: str
    """Where in the text it is asked: `travel.c`."""
    seats: tuple[int, ...]
    prompt: str
    options: tuple[str, ...]
    chosen: int
    """The number of the option taken."""

    @property
    def answer(self) -> str:
        """The option taken, in words."""
        return self.options[self.chosen]


Told = str | Asked
"""What is said, or what is asked and answered."""


class Transcripts:
    """Plays games by a bot inside the engine, with the seeds and the choices of a playtest, and tells them in words.

    The engine stops only where words show something that the game can change.
    """

    def __init__(
        self, program: Program, bot: str = "random", *, iterations: int = 0, apart: bool = False
    ) -> None:
        if bot not in BOTS:
            raise ValueError(f"there are no transcripts of games by `{bot}`; there are of {', '.join(BOTS)}")
        if bot != "random" and not program.thinks:
            raise LoadError("bots that think need a program that was loaded with `bots=True`")
        self.game = Game(program)
        self.told: list[Told] = []
        """The game that was played last, also if it broke off."""
        if program.thinks:
            names = program.lowered.layout.names
            for name, cell in (("BOT", BOTS[bot]), ("APART", int(apart)), ("ITERATIONS", iterations)):
                self.game.machine[names[name]] = cell
        self._stretches: dict[bytes, list[tuple[Told, ...]]] = {}
        """What stretches of play in fixed words say, for each option that can be chosen at their end."""

    def play(self, seed: int, chapter: str | None = None) -> list[Told]:
        """Plays a game to its end; gives what was said, asked and chosen, in order."""
        self.told = []
        self.game.reset(seed, chapter)
        looked, before = 0, b""
        while self._play_on():
            if len(self.told) > looked + 2 * PATIENCE:
                looked, before = len(self.told), self.game.moved_on(before)
        return self.told

    def _play_on(self) -> bool:
        """Plays on to the next decision that shows something, and lets it be answered; no when the game is over."""
        game, machine = self.game, self.game.machine
        try:
            machine.call("play_told")
            self._hear()
            decision = game.next()
            if decision is None:
                return False
            chosen = machine.call("choose_for_table")
        except EngineFault as fault:
            if fault.code != BAD_ADDRESS:
                self._hear()
            raise game.broken(fault) from None
        labels = tuple(option.text() for option in decision.options)
        self.told.append(Asked(decision.name, decision.seats, decision.prompt, labels, chosen))
        game.answer(decision, chosen)
        return True

    def _hear(self) -> None:
        """Tells what was written down since it was last taken away."""
        machine, told, stretches = self.game.machine, self.told, self._stretches
        rows = machine.snapshot(EVENTS, machine[EVENT_TOP])
        at, end = 0, len(rows)
        while at < end:
            size, kind, chosen = _HEAD.unpack_from(rows, at)
            if size <= 0:  # a fault in the middle of writing
                break
            behind = at + size * CELL_BYTES
            try:
                if kind == STRETCH:
                    row = rows[at + ROW * CELL_BYTES : behind]
                    told += (stretches.get(row) or self._stretch(row))[chosen]
                elif text := self._said(kind, chosen):
                    told.append(text)
            except MISPLACED as error:
                raise self.game.misplaced() from error
            at = behind
        machine[EVENT_TOP] = 0

    def _stretch(self, row: bytes) -> list[tuple[Told, ...]]:
        """What a stretch of play says, for each option that can be chosen at its end."""
        words, cells = self.game.words, struct.unpack(f"<{len(row) // CELL_BYTES}i", row)
        said: list[Told] = []
        at = 0
        while cells[at + 1] != ASKED:
            if text := self._said(cells[at + 1], cells[at + 2]):
                said.append(text)
            at += cells[at]
        number, mask, asked, *options = cells[at + 2 :]
        prompt, labels = words.text(asked), [words.text(label) for label in options[1::2]]
        told = tuple([o.label for o in options_of(words, number, options[::2], labels, prompt, mask)])
        name, seats = words.program.points[number].id, words.seats(mask)
        made = [(*said, Asked(name, seats, prompt, told, chosen)) for chosen in range(len(told))]
        if len(self._stretches) == MOST_STRETCHES:
            self._stretches.clear()
        self._stretches[row] = made
        return made

    def _said(self, kind: int, what: int) -> str:
        """The words of a row; none, if it says nothing."""
        words = self.game.words
        return words.text(what) if kind == SAID else words.page(what) if kind == PAGE else ""
