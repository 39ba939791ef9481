"""A game at the table: seats played by people, bots or scripts, with undo, saving and replaying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from talewright.runtime.chronicle import CampaignError, look_over
from talewright.runtime.faults import MISPLACED, Fault, LoadError
from talewright.runtime.game import Decision, Game, Option
from talewright.runtime.program import Program
from talewright.runtime.saves import Save, SaveError, Taken, document_hash, offered_mark
from talewright.runtime.standing import Progress, digest
from talewright.runtime.stops import NEAR, Stops
from talewright.runtime.verifying import CODE as BROKEN_CHECK

Seat = Callable[[Decision], int]
MARK_EVERY = 10


class Undo(BaseException):
    """Somebody takes back so many decisions."""

    def __init__(self, count: int = 1) -> None:
        super().__init__(count)
        self.count = count


class Leave(BaseException):
    """Somebody leaves the table."""


class Session:
    """One game with its seats. Decisions are kept by option id, so that replaying can verify itself."""

    def __init__(
        self,
        program: Program,
        seed: int = 0,
        chapter: str | None = None,
        brought: dict[str, Any] | None = None,
    ) -> None:
        self.program = program
        self.game = Game(program, seed, resumable=True)
        if brought:
            look_over(program, brought)
            self.game.bring(brought)
        self.game.agent = self._answer
        self.stops = Stops(self.game)
        self.seed = seed
        self.chapter = chapter
        self.seats: dict[int, Seat] = {}
        self.default: Seat | None = None
        self.decisions: list[Taken] = []
        self.people: list[int] = []
        self.marks: dict[int, str] = {}
        self.script: list[Taken] = []
        self.outcome: str | None = None
        self.error: str | None = None
        self.replaying = False
        self.progress = Progress()
        self.on_going_back: Callable[[int, int | None], None] | None = None
        """Told of an undo: how many decisions are left, and after how many of them play is heard again, if not from
        the first page."""

    def seat(self, decision: Decision) -> Seat | None:
        """Who answers a decision: of several who decide together a person, else anybody; of these the one
        who has the last word, else the first."""
        those = (decision.seat,) if isinstance(decision.seat, int) else decision.seat
        those = tuple(sorted(those, key=lambda s: s != decision.settles))
        answering = [self.seats.get(s, self.default) for s in those]
        return next(
            (s for s in answering if getattr(s, "person", False)), answering[0] if answering else self.default
        )

    def run(self) -> str:
        """Plays to the end; undo goes on from an earlier decision."""
        stop: int | None = None
        while True:
            self.outcome = self.error = None
            try:
                self.outcome = self._begin() if stop is None else self._go_on(stop)
            except Undo as undo:
                self.take_back(undo.count)
                stop = self.stops.before(len(self.script))
                if self.on_going_back is not None:
                    self.on_going_back(len(self.script), stop)
                continue
            except Fault as fault:
                self.error = str(fault)
                raise
            if len(self.decisions) < len(self.script):
                here = len(self.decisions)
                raise Fault(
                    "R10",
                    f"the save goes on with {self.script[here].id}, decision {here + 1}; the game is over",
                )
            return self.outcome

    def _begin(self) -> str:
        self.game.reset(self.seed)
        self.stops.kept.clear()
        self.decisions = []
        self.progress = Progress()
        self.replaying = bool(self.script)
        return self.game.run(self.chapter)

    def _go_on(self, stop: int) -> str:
        self.decisions = self.script[:stop]
        self.progress = self.stops.kept[stop].progress.copy()
        self.replaying = stop < len(self.script)
        return self.stops.go_on(stop)

    def take_back(self, count: int) -> None:
        """Goes back so many decisions of people, and of everybody when no person is at the table."""
        kept = len(self.decisions)
        for _ in range(count):
            kept = max((n for n in self.people if n < kept), default=0)
        self.go_back_to(kept)

    def go_back_to(self, number: int) -> None:
        """The next run plays the first so many decisions again, then asks."""
        self.script = (self.decisions or self.script)[:number]
        self.people = [n for n in self.people if n < number]
        self.marks = {n: mark for n, mark in self.marks.items() if n <= number}

    def _answer(self, decision: Decision) -> int:
        position = len(self.decisions)
        names = option_names(decision.options)
        self._mark(position)
        if position < len(self.script):
            person = position in self._scripted_people()
            if person and position >= len(self.script) - NEAR:
                self.stops.take(position, self.progress)
            self.progress.asked(decision, names, person)
            index = self._scripted(decision, names, position)
        else:
            self.replaying = False
            seat = self.seat(decision)
            person = bool(getattr(seat, "person", False))
            if person or position % NEAR == 0:
                self.stops.take(position, self.progress)
            self.progress.asked(decision, names, person)
            if seat is None:
                raise Fault("R11", f"nobody sits where {decision.id} is decided")
            index = _asked(seat, decision)
            if not 0 <= index < len(decision.options):
                raise Fault("R10", f"the answer to {decision.id} is none of its options")
            if person:
                self.people.append(position)
        self.progress.answered(index)
        self.decisions.append(Taken(decision.id, names[index], offered_mark(names)))
        return index

    def _scripted_people(self) -> set[int]:
        if len(self._people_seen[0]) != len(self.people):
            self._people_seen = (tuple(self.people), set(self.people))
        return self._people_seen[1]

    _people_seen: tuple[tuple[int, ...], set[int]] = ((), set())

    def _mark(self, position: int) -> None:
        if position == 0 or position % MARK_EVERY:
            return
        now = digest(self.game)
        if position <= len(self.script) and self.marks.get(position, now) != now:
            raise Fault(
                "R10", f"after {position} decisions the table is not as it was when the game was saved"
            )
        self.marks[position] = now

    def _scripted(self, decision: Decision, names: list[str], position: int) -> int:
        wanted = self.script[position]
        where = f"at decision {position + 1}"
        if wanted.id != decision.id:
            raise Fault("R10", f"{where} the save answers {wanted.id}, but the game asks {decision.id}")
        if wanted.answer not in names:
            raise Fault(
                "R10", f"{where} the save answers {wanted.id} by `{wanted.answer}`, which is not offered now"
            )
        if wanted.offered != offered_mark(names):
            raise Fault(
                "R10", f"{where}, {wanted.id}, other options are offered than when the game was saved"
            )
        return names.index(wanted.answer)

    def save(self) -> Save:
        """The game so far."""
        package = self.program.document["package"]
        # While an undo or a load plays decisions again, those still to come belong to the game too.
        whole = (
            self.decisions if len(self.decisions) >= len(self.script) or not self.replaying else self.script
        )
        return Save(
            document=document_hash(self.program.document),
            package=package["name"],
            release=package["version"],
            seed=self.seed,
            options=dict(self.program.layout.options),
            players=self._players(),
            chapter=self.chapter,
            decisions=list(whole),
            people=[n for n in self.people if n < len(whole)],
            marks={n: mark for n, mark in self.marks.items() if n <= len(whole)},
            outcome=self.outcome,
            error=self.error,
            brought=self.game.brought,
        )

    def _players(self) -> int | None:
        layout = self.program.layout
        counts = [n for role, n in layout.seats.items() if layout.kinds[role]["role"]["high"] > 1]
        return counts[0] if counts else None


class SeatError(RuntimeError):
    """Whoever sits at the table failed; the game itself did not."""


def _asked(seat: Seat, decision: Decision) -> int:
    try:
        return seat(decision)
    except MISPLACED as error:
        # The game takes such errors for those of its own text: here they are not.
        raise SeatError(f"{type(error).__name__}: {error}") from error


def option_names(options: Sequence[Option]) -> list[str]:
    """The ids of options, the second of the same id told apart from the first."""
    seen: dict[str, int] = {}
    names = []
    for option in options:
        name = str(option.id)
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name}~{seen[name]}")
    return names


def resume(document: dict[str, Any], save: Save, traced: bool = False) -> Session:
    """A session that first plays a save again; a save of another document is refused."""
    package = document["package"]
    if save.package != package["name"]:
        raise SaveError(f"the save is of `{save.package}`, not of `{package['name']}`")
    if save.document != document_hash(document):
        then = (
            f"version {save.release}" if save.release != package["version"] else "an earlier or later state"
        )
        raise SaveError(f"the save belongs to {then} of `{save.package}`; the package has changed since")
    try:
        program = Program(document, save.options, save.players, traced=traced, checked=_broke_a_check(save))
        session = Session(program, save.seed, save.chapter, save.brought)
    except (LoadError, CampaignError) as error:
        raise SaveError(f"the save asks for what the package does not allow: {error}") from None
    if save.chapter is not None and save.chapter not in session.program.layout.number:
        raise SaveError(f"the save begins with a chapter that is not there: `{save.chapter}`")
    session.script = list(save.decisions)
    session.people = list(save.people)
    session.marks = dict(save.marks)
    return session


def _broke_a_check(save: Save) -> bool:
    """Whether the game ended at a check, which only a checked game looks at."""
    return save.error is not None and save.error.startswith(f"{BROKEN_CHECK}:")
