"""A game on a machine, run from decision to decision."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from talewright.runtime.engines.interface import Machine
from talewright.runtime.host.decisions import Decision, read_decision
from talewright.runtime.host.words import Words
from talewright.runtime.ir.header import ANSWER, ASKING, RUNNING, STATUS
from talewright.runtime.kernel.play.notes import PAGE, SAID
from talewright.runtime.lower.expressions.texts import SAME_TEXT_POINT
from talewright.runtime.lower.program import Program
from talewright.runtime.model.cells import DECISION, EVENT_TOP, OPTION_LIST
from talewright.runtime.model.layout import EVENTS

HALF = 1 << 32


@dataclass
class Play:
    """One game at a time."""

    program: Program
    machine: Machine

    def __post_init__(self) -> None:
        self.machine.call("prepare")

    @cached_property
    def words(self) -> Words:
        """Words for what the machine holds."""
        return Words(self.program, self.machine)

    def begin(self, seed: int) -> None:
        """A new game, about to begin."""
        low, high = seed % HALF, seed // HALF % HALF
        self.machine.call("begin", _signed(low), _signed(high))

    def run(self) -> Decision | None:
        """Plays on until something is asked; none when nothing is left to do."""
        return read_decision(self.words) if self.asks() else None

    def asks(self) -> bool:
        """Plays on until something is asked; no when nothing is left to do."""
        machine = self.machine
        while machine.call("run") == ASKING:
            if self.program.points[machine[DECISION]].form != SAME_TEXT_POINT:
                return True
            first, second = machine.read(machine[OPTION_LIST] + 1, 2)
            self.answer(int(self.words.text(first) == self.words.text(second)))
        return False

    def answer(self, index: int) -> None:
        """Answers what was asked by the number of an option, as the kernel's `answer` does; `run` goes on."""
        machine = self.machine
        machine[ANSWER], machine[STATUS] = index, RUNNING

    def events(self) -> list[list[int]]:
        """What was written down since it was last taken away: rows without their size."""
        cells = self.machine.read(EVENTS, self.machine[EVENT_TOP])
        found: list[list[int]] = []
        at = 0
        # A fault in the middle of writing leaves a row without a size.
        while at < len(cells) and cells[at] > 0:
            found.append(cells[at + 1 : at + cells[at]])
            at += cells[at]
        return found

    def forget_events(self) -> None:
        """Takes away what was written down."""
        self.machine[EVENT_TOP] = 0

    def said(self) -> list[str]:
        """The texts that were said."""
        found = []
        for kind, first, *_ in self.events():
            if kind == SAID:
                found.append(self.words.text(first))
            elif kind == PAGE:
                found.append(self.words.prose(first))
        return [text for text in found if text]


def _signed(half: int) -> int:
    return half - HALF if half >= HALF // 2 else half
