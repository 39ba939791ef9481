"""One game: from decision to decision, or to its end with whoever decides."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from talewright.runtime.engines.interface import EngineFault, Machine
from talewright.runtime.faults import MISPLACED, Fault, Frame, LoadError
from talewright.runtime.host import decisions
from talewright.runtime.host.decisions import Option
from talewright.runtime.host.play import Play
from talewright.runtime.host.words import Words
from talewright.runtime.ir.header import BAD_ADDRESS, NONE, STEP_LIMIT, STEPS
from talewright.runtime.kernel.play.notes import RECORDED
from talewright.runtime.lower.builds.measures import measure_name, measures_of
from talewright.runtime.model.cells import CHAPTER, DECISION, ENDING, EVENT_TOP, FIRST_PAGE, ROUNDS
from talewright.runtime.model.types import is_number
from talewright.runtime.model.world import plain
from talewright.runtime.observe.possibility import refusals
from talewright.runtime.observe.trace import CallEvent, Detail, Tracer
from talewright.runtime.observe.view import View
from talewright.runtime.session.campaign import Campaign, Record, Recorded
from talewright.runtime.session.chronicle import look_over
from talewright.runtime.session.faults import fault_of, frame_at, unready
from talewright.runtime.session.program import Program
from talewright.runtime.session.snapshots import Snapshot, digest, put_back, standing, take_snapshot
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record

# After so many decisions without a change, a game will not go on by itself.
PATIENCE = 500

Agent = Callable[["Decision"], int]
Choice = tuple[str, str, str, decisions.Decision, int]
"""What is told of a decision: its id, who decided, the option in words, the decision, and the number of the option."""
Listener = Callable[[str, Detail | Choice], None]
MeasuredValue = int | bool | str | None


@record(frozen=True)
class Decision(decisions.Decision):
    """Something that a seat must decide, in a game."""

    game: Game = field(repr=False, compare=False)
    readers: tuple[int, ...] = ()
    """Of several who decide together, those before whose eyes it is shown; empty for all of them."""

    @property
    def seat(self) -> int | tuple[int, ...]:
        """The number of the seat for which this is shown, or the numbers of several, who see what all of them know."""
        seats = self.readers or self.seats
        return seats[0] if len(seats) == 1 else seats

    @property
    def settler(self) -> int | None:
        """Of several who decide together, the seat that has the last word."""
        lowered = self.game.program.lowered
        return next((seat for seat in self.seats if lowered.seat_bit(seat) == self.settles), None)

    @property
    def who(self) -> str:
        """The names of those who decide."""
        return ", ".join(self.game.title(seat) for seat in self.seats)


@record(frozen=True)
class Standing:
    """A game as it stands: its memory, and how much of its log belongs to it."""

    memory: Snapshot
    decided: int
    said: int
    recorded: tuple[Recorded, ...]
    refused: tuple[CallEvent, ...]
    depth: int
    """How deep calls run inside each other."""


class Game:
    """A game of a program. `run` plays it to its end with an agent; `next` and `answer` go step by step."""

    def __init__(self, program: Program, seed: int = 0, agent: Agent | None = None) -> None:
        self.program = program
        self.agent = agent
        self.listener: Listener | None = None
        """Told of what is said (`say`) and decided (`decide`); with a traced program, of every event."""
        self.seed = seed
        self.log: list[tuple[str, int]] = []
        """Every decision so far: its id, and the number of the option taken."""
        self.said: list[str] = []
        """The texts that were said."""
        machine = program.machine()
        try:
            self._play = Play(program.lowered, machine)
        except EngineFault as fault:
            raise LoadError(unready(program.lowered, fault, machine)) from None
        self.refused: list[CallEvent] = []
        """The calls that were refused since the last decision, if the program is traced."""
        self._tracer = Tracer(self.words)
        self.campaign = Campaign(self.words, self._play.machine)
        """What earlier games have left, and what this one leaves."""
        self.reset(seed)

    @property
    def machine(self) -> Machine:
        """The memory of the game."""
        return self._play.machine

    @cached_property
    def words(self) -> Words:
        """Words for what the game holds."""
        return self._play.words

    # ------------------------------------------------------------------ playing
    def reset(self, seed: int, chapter: str | None = None) -> None:
        """Back to the first page with a seed; play begins with a chapter, if one is named."""
        self.seed = seed
        self.log.clear()
        self.said.clear()
        self.refused.clear()
        self._tracer.begin()
        self._play.begin(seed)
        self.begin_with(chapter)
        self.campaign.read_back()

    def begin_with(self, chapter: str | None) -> None:
        """Before the first decision: the chapter that play begins with."""
        number = self.program.lowered.world.number
        if chapter is not None and chapter not in number:
            raise LoadError(f"there is no chapter `{chapter}`")
        self.machine[FIRST_PAGE] = 0 if chapter is None else number[chapter]

    def run(self, chapter: str | None = None) -> str:
        """Plays to the end; gives the id of the ending."""
        if chapter is not None:
            self.begin_with(chapter)
        patience, before = PATIENCE, b""
        while (decision := self.next()) is not None:
            if self.agent is None:
                raise Fault("R11", f"nobody answers {decision.id}", self.here())
            self.answer(decision, self.agent(decision))
            patience -= 1
            if not patience:
                patience, before = PATIENCE, self.moved_on(before)
        return self.ending or ""

    def moved_on(self, before: bytes) -> bytes:
        """How the game stands after many decisions, which must not be as it stood before them."""
        now = self.standing()
        if now == before:
            raise Fault("R8", f"no progress: {PATIENCE} decisions have changed nothing", self.here())
        return now

    def next(self) -> Decision | None:
        """Plays on until something must be decided; none when the game is over."""
        try:
            asked = Decision(*decisions.decision_parts(self.words), game=self) if self._play.asks() else None
        except EngineFault as fault:
            raise self.broken(fault) from None
        except MISPLACED as error:
            raise self.misplaced() from error
        self._hear()
        if asked is not None and not asked.seats:
            raise Fault("R1", f"nobody is there to decide {asked.id}", self.here())
        return asked

    def broken(self, fault: EngineFault) -> Fault:
        """A fault of the machine as an error of play; what happened before it is told."""
        # A list that outgrew its place has written over what was taken down.
        if fault.code != BAD_ADDRESS:
            self._hear()
        return self._explained(fault_of(self.program.lowered, fault, self.machine))

    def _explained(self, fault: Fault) -> Fault:
        """A game that leads nowhere because it was refused says why."""
        action = self.program.lowered.actions.get("game/")
        if fault.code != "R13" or self.log or action is None:
            return fault
        refused = refusals(self.view().evaluator, action, ())
        if not refused:
            return fault
        return Fault(
            "R13", f"the game cannot begin: {refused[0].reason or 'what it requires is not so'}", fault.frames
        )

    def answer(self, decision: Decision, index: int) -> None:
        """Takes an option of the decision that the game stands at."""
        if not 0 <= index < len(decision.options):
            raise Fault("R10", f"the answer to {decision.id} is none of its options", self.here())
        self.log.append((decision.id, index))
        self.refused.clear()
        if self.listener is not None:
            chosen = decision.options[index].text()
            self.listener("decide", (decision.id, decision.who, chosen, decision, index))
        self._play.answer(index)

    def _hear(self) -> None:
        """Takes down what happened since the last decision, and tells it."""
        if not self.machine[EVENT_TOP]:
            return
        rows = self._play.events()
        try:
            for row in rows:
                if row[0] == RECORDED:
                    self.campaign.record(row)
            heard = self._tracer.events(rows)
        except MISPLACED as error:
            raise self.misplaced() from error
        for kind, detail in heard:
            if isinstance(detail, str):
                self.said.append(detail)
            elif isinstance(detail, CallEvent) and kind == "refused":
                self.refused.append(detail)
            if self.listener is not None:
                self.listener(kind, detail)
        self._play.forget_events()

    def misplaced(self) -> Fault:
        """A document that was damaged by hand can put a value where it cannot be read."""
        return Fault("R15", "a value stands where it has no place", self.here())

    def here(self) -> list[Frame]:
        """Where the decision is asked that the game stands at."""
        point = self.program.lowered.points[self.words.cell(DECISION)]
        frame = frame_at(self.program.lowered, point.spot)
        return [] if frame is None else [frame]

    def bring(self, record: Record) -> None:
        """Starts from what an earlier game of the campaign left; the next `reset` lets it count."""
        look_over(self.program.lowered, record)
        self.campaign.brought = record

    # ------------------------------------------------------------------ how it stands
    def save(self) -> Standing:
        """The game as it stands, to come back to."""
        memory = take_snapshot(self.program.lowered, self.machine)
        return Standing(
            memory,
            len(self.log),
            len(self.said),
            self.campaign.recorded,
            tuple(self.refused),
            self._tracer.depth,
        )

    def load(self, kept: Standing) -> None:
        """Back to where the game stood; it must have been there since it was last reset."""
        put_back(self.machine, kept.memory)
        del self.log[kept.decided :]
        del self.said[kept.said :]
        self.campaign.recorded = kept.recorded
        self.refused[:] = kept.refused
        self._tracer.depth = kept.depth

    def view(self) -> View:
        """The game as it stands, to be looked at until play goes on."""
        made = View.of(self.program.lowered, self.machine)
        made.words.titles.update(self.words.titles)
        return made

    def digest(self) -> str:
        """How the game stands in a few letters, the same in every process."""
        return digest(self.words)

    def standing(self) -> bytes:
        """What can make the game go on differently: equal bytes mean that nothing has changed."""
        return standing(self.program.lowered, self.machine)

    @property
    def ending(self) -> str | None:
        """The id of the ending that was reached."""
        return self._page(ENDING)

    @property
    def chapter(self) -> str | None:
        """The id of the page that is played."""
        return self._page(CHAPTER)

    def _page(self, cell: int) -> str | None:
        number = self.words.cell(cell)
        return self.words.thing(number).id if number else None

    @property
    def rounds(self) -> int:
        """How often the outermost repeating action was called."""
        return self.words.cell(ROUNDS)

    def title(self, thing: int | str) -> str:
        """The title of a thing, by its number or its id."""
        number = self.program.lowered.world.number[thing] if isinstance(thing, str) else thing
        return self.words.title(number)

    def everybody(self) -> list[int]:
        """The numbers of the seats."""
        return list(self.program.lowered.world.seats.values())

    # ------------------------------------------------------------------ measures
    def measures(self) -> dict[str, MeasuredValue]:
        """What the package counts of a game that has ended, by name."""
        made: dict[str, MeasuredValue] = {}
        machine = self.machine
        for measure in measures_of(self.program.lowered):
            machine[STEPS] = STEP_LIMIT
            try:
                cell = machine.call(measure_name(measure))
            except EngineFault as broken:
                fault = fault_of(self.program.lowered, broken, machine)
                raise Fault(fault.code, f"{fault.message} in measure {measure.id}", fault.frames) from None
            made[measure.id] = self._measured(cell, measure.type)
        return made

    def _measured(self, cell: int, type_: Type) -> MeasuredValue:
        inner = plain(type_)
        if is_number(inner):
            return None if cell == NONE else bool(cell) if inner.tag == "truth" else cell
        return self.words.value(cell, type_) if cell else None


__all__ = ["Agent", "Decision", "Game", "Option", "Standing"]
