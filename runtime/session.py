"""A game at the table: seats played by people, bots or scripts, with undo, saving and replaying."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talewright.runtime.faults import Fault
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program
from talewright.runtime.saves import Save, document_hash

Seat = Callable[[Decision], int]


class Undo(BaseException):
    """Somebody takes back so many decisions."""

    def __init__(self, count: int = 1) -> None:
        super().__init__(count)
        self.count = count


class Leave(BaseException):
    """Somebody leaves the table."""


class Session:
    """One game with its seats. Decisions are kept by option id, so that replaying can verify itself."""

    def __init__(self, program: Program, seed: int = 0, chapter: str | None = None) -> None:
        self.program = program
        self.game = Game(program, seed)
        self.game.agent = self._answer
        self.seed = seed
        self.chapter = chapter
        self.seats: dict[int, Seat] = {}
        self.default: Seat | None = None
        self.decisions: list[tuple[str, str]] = []
        self.people: list[int] = []
        self.script: list[tuple[str, str]] = []
        self.outcome: str | None = None
        self.replaying = False

    def seat(self, decision: Decision) -> Seat | None:
        """Who answers a decision."""
        first = decision.seat if isinstance(decision.seat, int) else (decision.seat[0] if decision.seat else -1)
        return self.seats.get(first, self.default)

    def run(self) -> str:
        """Plays to the end; undo starts again with fewer decisions."""
        while True:
            self.game.reset(self.seed)
            self.replaying = bool(self.script)
            try:
                self.outcome = self.game.run(self.chapter)
                return self.outcome
            except Undo as undo:
                self._take_back(undo.count)

    def _take_back(self, count: int) -> None:
        kept = len(self.decisions)
        for _ in range(count):
            marks = [n for n in self.people if n < kept]
            kept = marks[-1] if marks else 0
        self.script = self.decisions[:kept]
        self.people = [n for n in self.people if n < kept]
        self.decisions = []

    def _answer(self, decision: Decision) -> int:
        position = len(self.decisions)
        if position == 0 and not self.script:
            self.replaying = False
        if position < len(self.script):
            index = self._scripted(decision, self.script[position])
        else:
            self.replaying = False
            seat = self.seat(decision)
            if seat is None:
                raise Fault("R11", f"nobody sits where {decision.id} is decided")
            index = seat(decision)
            if not 0 <= index < len(decision.options):
                raise Fault("R10", f"the answer to {decision.id} is none of its options")
            if getattr(seat, "person", False):
                self.people.append(position)
        self.decisions.append((decision.id, decision.options[index].id))
        return index

    def _scripted(self, decision: Decision, wanted: tuple[str, str]) -> int:
        if wanted[0] != decision.id:
            raise Fault("R10", f"the save goes on with {wanted[0]}, but the game asks {decision.id}")
        for index, option in enumerate(decision.options):
            if option.id == wanted[1]:
                return index
        raise Fault("R10", f"the save answers {wanted[0]} by `{wanted[1]}`, which is not offered now")

    def save(self, note: str = "") -> Save:
        """The game so far."""
        return Save(
            document_hash(self.program.document),
            self.program.document["package"]["name"],
            self.seed,
            dict(self.program.layout.options),
            self._players(),
            self.chapter,
            list(self.decisions),
            self.outcome,
            note,
        )

    def _players(self) -> int | None:
        counts = [n for role, n in self.program.layout.seats.items() if self.program.layout.kinds[role]["role"]["high"] > 1]
        return counts[0] if counts else None


def resume(document: dict[str, Any], save: Save, traced: bool = False) -> Session:
    """A session that first plays a save again; a save of another document is refused."""
    if save.document != document_hash(document):
        raise Fault("R10", "the save belongs to another version of the package")
    session = Session(Program(document, save.options, save.players, traced=traced), save.seed, save.chapter)
    session.script = list(save.decisions)
    return session
