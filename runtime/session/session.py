"""A game at the table: seats played by people, bots or scripts, with undo, saving and replaying."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from talewright.runtime.faults import Fault, LoadError
from talewright.runtime.session.campaign import Record, empty
from talewright.runtime.session.chronicle import CampaignError
from talewright.runtime.session.game import Decision, Game, Option, Standing
from talewright.runtime.session.program import Program, load
from talewright.runtime.session.progress import Progress
from talewright.runtime.session.saves import Save, SaveError, Taken, document_hash, offered_mark
from talewright.schemas.records import field, record

Seat = Callable[[Decision], int]
MARK_EVERY = 10
# The last so many stops are kept, and of those before them only some.
NEAR = 64
FAR = 16


class Undo(BaseException):
    """Somebody takes back so many decisions."""

    def __init__(self, count: int = 1) -> None:
        super().__init__(count)
        self.count = count


class Leave(BaseException):
    """Somebody leaves the table."""


class SeatError(RuntimeError):
    """Whoever sits at the table failed; the game itself did not."""


@record(frozen=True)
class Stop:
    """A decision to go back to: how the game stood, and how long it had not moved."""

    game: Standing
    progress: Progress


@record
class Stops:
    """Decisions that a session can go back to at once, by their number."""

    kept: dict[int, Stop] = field(default_factory=dict)

    def take(self, number: int, game: Game, progress: Progress) -> None:
        """Keeps the decision that the game stands at, unless it has just come back to it."""
        if number in self.kept:
            return
        self.kept[number] = Stop(game.save(), progress.copy())
        if number > NEAR and (number - NEAR) % FAR:
            self.kept.pop(number - NEAR, None)

    def before(self, number: int) -> int | None:
        """The last stop up to a decision; those after it are forgotten."""
        self.kept = {n: stop for n, stop in self.kept.items() if n <= number}
        return max(self.kept, default=None)


class Session:
    """One game with its seats. Decisions are kept by option id, so that replaying can verify itself."""

    def __init__(
        self,
        program: Program,
        seed: int = 0,
        chapter: str | None = None,
        brought: Record | None = None,
    ) -> None:
        self.program = program
        self.game = Game(program, seed)
        if brought:
            self.game.bring(brought)
        self.seed = seed
        self.chapter = chapter
        self.seats: dict[int, Seat] = {}
        """Who sits where, by the number of the seat; `program.seats` has the numbers by name."""
        self.default: Seat | None = None
        self.decisions: list[Taken] = []
        self.people: list[int] = []
        self.marks: dict[int, str] = {}
        self.script: list[Taken] = []
        self.outcome: str | None = None
        self.error: str | None = None
        self.changed: str | None = None
        """Said of a save that a changed package plays again."""
        self.replaying = False
        self.progress = Progress()
        self.stops = Stops()
        self.on_going_back: Callable[[int, int | None], None] | None = None
        """Told of an undo: how many decisions are left, and after how many of them play is heard again, if not from
        the first page."""

    # ------------------------------------------------------------------ playing
    def run(self) -> str:
        """Plays to the end; undo goes on from an earlier decision."""
        self._begin()
        while True:
            self.outcome = self.error = None
            try:
                self.outcome = self._play()
            except Undo as undo:
                self.take_back(undo.count)
                self._go_back()
                continue
            except Fault as fault:
                self.error = str(fault)
                raise
            if len(self.decisions) < len(self.script):
                here = len(self.decisions)
                raise self._parted(
                    f"the save goes on with {self.script[here].id}, decision {here + 1}; the game is over"
                )
            return self.outcome

    def _begin(self) -> None:
        self.game.reset(self.seed, self.chapter)
        self.stops.kept.clear()
        self.decisions = []
        self.progress = Progress()
        self.replaying = bool(self.script)

    def _go_back(self) -> None:
        """To the last stop before where somebody wants to be."""
        number = self.stops.before(len(self.script))
        if self.on_going_back is not None:
            self.on_going_back(len(self.script), number)
        if number is None:
            self._begin()
            return
        stop = self.stops.kept[number]
        self.game.load(stop.game)
        self.progress = stop.progress.copy()
        self.decisions = self.script[:number]
        self.replaying = number < len(self.script)

    def _play(self) -> str:
        while (decision := self.game.next()) is not None:
            self.game.answer(decision, self._answer(decision))
        return self.game.ending or ""

    def seat(self, decision: Decision) -> Seat | None:
        """Who answers a decision: of several who decide together a person, else anybody; of these the one
        who has the last word, else the first."""
        those = sorted(decision.seats, key=lambda seat: seat != decision.settler)
        answering = [self.seats.get(seat, self.default) for seat in those]
        return next(
            (seat for seat in answering if _is_person(seat)), answering[0] if answering else self.default
        )

    def _answer(self, decision: Decision) -> int:
        position = len(self.decisions)
        names = option_names(decision.options)
        self._mark(position)
        if position < len(self.script):
            person = position in self.people
            if person and position >= len(self.script) - NEAR:
                self.stops.take(position, self.game, self.progress)
            self.progress.asked(decision, names, person)
            index = self._scripted(decision, names, position)
        else:
            self.replaying = False
            seat = self.seat(decision)
            person = _is_person(seat)
            if person or position % NEAR == 0:
                self.stops.take(position, self.game, self.progress)
            self.progress.asked(decision, names, person)
            index = self._asked(seat, decision)
            if person:
                self.people.append(position)
        self.progress.answered(index)
        self.decisions.append(Taken(decision.id, names[index], offered_mark(names)))
        return index

    def _asked(self, seat: Seat | None, decision: Decision) -> int:
        if seat is None:
            raise Fault("R11", f"nobody sits where {decision.id} is decided", self.game.here())
        try:
            index = seat(decision)
        except (TypeError, LookupError, ValueError, AttributeError, ArithmeticError) as error:
            raise SeatError(f"{type(error).__name__}: {error}") from error
        if not 0 <= index < len(decision.options):
            raise Fault("R10", f"the answer to {decision.id} is none of its options", self.game.here())
        return index

    def _scripted(self, decision: Decision, names: list[str], position: int) -> int:
        wanted = self.script[position]
        where = f"at decision {position + 1}"
        if wanted.id != decision.id:
            raise self._parted(f"{where} the save answers {wanted.id}, but the game asks {decision.id}")
        if wanted.answer not in names:
            raise self._parted(
                f"{where} the save answers {wanted.id} by `{wanted.answer}`, which is not offered now"
            )
        if wanted.offered != offered_mark(names):
            raise self._parted(
                f"{where}, {wanted.id}, other options are offered than when the game was saved"
            )
        return names.index(wanted.answer)

    def _parted(self, text: str) -> Fault:
        """The game does not go as it was saved, and why that may be."""
        return Fault("R10", f"{text} ({self.changed})" if self.changed else text)

    def _mark(self, position: int) -> None:
        if position == 0 or position % MARK_EVERY:
            return
        now = self.game.digest()
        if position <= len(self.script) and self.marks.get(position, now) != now:
            raise self._parted(
                f"after {position} decisions the table is not as it was when the game was saved"
            )
        self.marks[position] = now

    # ------------------------------------------------------------------ going back
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

    # ------------------------------------------------------------------ saving
    def save(self) -> Save:
        """The game so far."""
        package = self.program.nodes.package
        # While an undo or a load plays decisions again, those still to come belong to the game too.
        whole = (
            self.decisions if len(self.decisions) >= len(self.script) or not self.replaying else self.script
        )
        return Save(
            document=document_hash(self.program.document),
            package=package.name,
            release=package.version,
            seed=self.seed,
            options=dict(self.program.options),
            players=self.program.players,
            chapter=self.chapter,
            decisions=list(whole),
            people=[n for n in self.people if n < len(whole)],
            marks={n: mark for n, mark in self.marks.items() if n <= len(whole)},
            outcome=self.outcome,
            error=self.error,
            brought=dict(self.game.campaign.brought) if self.game.campaign.brought != empty() else {},
        )


def _is_person(seat: Seat | None) -> bool:
    return bool(getattr(seat, "person", False))


def option_names(options: Sequence[Option]) -> list[str]:
    """The ids of options, the second of the same id told apart from the first."""
    seen: dict[str, int] = {}
    names = []
    for option in options:
        seen[option.id] = seen.get(option.id, 0) + 1
        names.append(option.id if seen[option.id] == 1 else f"{option.id}~{seen[option.id]}")
    return names


def _then(save: Save, package: dict[str, Any]) -> str:
    """Which state of the package a save is of."""
    if save.release != package["version"]:
        return f"version {save.release} of `{save.package}`"
    return f"an earlier or later state of `{save.package}`"


def resume(document: dict[str, Any], save: Save, traced: bool = False, bots: bool = False) -> Session:
    """A session that first plays a save again. Where the package has changed since, `changed` says so, and the
    game is tried: it goes on if every decision is offered as it was, and every mark of the table fits."""
    package = document["package"]
    if save.package != package["name"]:
        raise SaveError(f"the save is of `{save.package}`, not of `{package['name']}`")
    try:
        # A game that ended where a check did not hold is played again with its checks.
        checked = save.error is not None and save.error.startswith("R16")
        program = load(document, save.options, save.players, traced=traced, bots=bots, checked=checked)
        session = Session(program, save.seed, save.chapter, cast(Record, save.brought))
    except (LoadError, CampaignError) as error:
        raise SaveError(f"the save asks for what the package does not allow: {error}") from None
    if save.chapter is not None and save.chapter not in program.lowered.world.number:
        raise SaveError(f"the save begins with a chapter that is not there: `{save.chapter}`")
    if save.document != document_hash(document):
        session.changed = f"the save is of {_then(save, package)}; the package has changed since"
    session.script = list(save.decisions)
    session.people = list(save.people)
    session.marks = dict(save.marks)
    return session
