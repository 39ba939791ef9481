"""Plays the tests of a document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from time import perf_counter

from talewright.runtime.engines.interface import Engine, EngineFault
from talewright.runtime.engines.interface import Program as EngineProgram
from talewright.runtime.faults import LoadError
from talewright.runtime.host.decisions import Decision
from talewright.runtime.host.play import Play
from talewright.runtime.ir.header import RESULT
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.builds.options import option_cell
from talewright.runtime.lower.builds.scenes import marks_at
from talewright.runtime.lower.builds.trials import NO_START, SIDES
from talewright.runtime.lower.program import Build, Program
from talewright.runtime.model.settings import OptionValue, settle
from talewright.runtime.proving.answers import Answers, answer_of
from talewright.runtime.proving.failures import Failure, fault_message
from talewright.runtime.proving.rigs import Rigs
from talewright.runtime.proving.scenes import drawn, tidy
from talewright.runtime.proving.trace import called_actions, trace_lines
from talewright.runtime.space.plans import FLOOR, Plan
from talewright.schemas.garbage import built_to_stay
from talewright.schemas.nodes import tests as t
from talewright.schemas.nodes.declared import TestDeclaration
from talewright.schemas.nodes.document import Content, Document, place
from talewright.schemas.nodes.literals import IntLiteral, NoneLiteral, TruthLiteral, WordLiteral
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record, replace

# So many decisions one step of a test may take: on the way to a chapter nobody need say what is chosen.
MOST_DECISIONS = 10_000


@record
class Outcome:
    """What became of one test."""

    title: str
    file: str
    line: int
    covers: tuple[str, ...]
    message: str = ""
    failed_line: int = 0
    failed_file: str = ""
    trace: list[str] = field(default_factory=list)
    reached: set[str] = field(default_factory=set)
    """The actions that were called."""
    seconds: float = 0.0
    """How long it took, with the program if it was the first to need it."""

    @property
    def passed(self) -> bool:
        """Whether every expectation held."""
        return not self.message


@record(frozen=True)
class Settings:
    """What a test is played with."""

    players: int | None
    options: tuple[tuple[str, OptionValue], ...]
    seed: int = field(default=1, compare=False)


def settings_of(start: t.StartStep | None) -> Settings:
    """The options, the number of players and the seed that a test begins with."""
    made: dict[str, OptionValue] = {}
    for name, node in (start.settings if start is not None else {}).items():
        match node:
            case IntLiteral() | TruthLiteral() | WordLiteral():
                made[name] = node.value
            case NoneLiteral():
                made[name] = None
    players, seed = made.pop("players", None), made.pop("seed", 1)
    assert players is None or isinstance(players, int)
    return Settings(players, tuple(sorted(made.items())), seed if isinstance(seed, int) else 1)


@record(frozen=True)
class Meaning:
    """What settings come to: one test may write a default, and another leave it out."""

    options: tuple[tuple[str, OptionValue], ...]
    seats: tuple[tuple[str, int], ...]

    def agrees(self, other: Meaning, known: Collection[str]) -> bool:
        """Whether two differ in nothing but options that are not among these."""
        return self.seats == other.seats and all(
            mine == theirs
            for mine, theirs in zip(self.options, other.options, strict=True)
            if mine[0] in known
        )


def meaning(content: Content, settings: Settings) -> Meaning:
    """What settings come to; those that cannot be are a LoadError."""
    meant = settle(content, dict(settings.options), settings.players)
    return Meaning(tuple(meant.options.items()), tuple(meant.seats.items()))


@record(frozen=True)
class Loaded:
    """A program of tests, and what it was made with."""

    lowered: Program
    running: EngineProgram
    made_with: Meaning

    def play(self, meant: Meaning) -> Play:
        """A game with other options."""
        machine = self.running.machine()
        options = dict(meant.options)
        for name, at in self.lowered.option_cells.items():
            machine.write(at, [option_cell(self.lowered.layout, options[name])])
        return Play(self.lowered, machine)


@record(frozen=True)
class Part:
    """The steps of a test from one `start` to the next; what stands before the first belongs to it."""

    start: int
    """The position of the `start`, or NO_START."""
    steps: tuple[tuple[int, t.TestStep], ...]

    def settings(self) -> Settings:
        """What this part is played with."""
        found = next((step for at, step in self.steps if at == self.start), None)
        return settings_of(found if isinstance(found, t.StartStep) else None)


def parts_of(test: TestDeclaration) -> list[Part]:
    """A test cut at its starts."""
    steps = tuple(enumerate(test.steps))
    starts = [position for position, step in steps if isinstance(step, t.StartStep)]
    if not starts:
        return [Part(NO_START, steps)]
    edges = [0, *starts[1:], len(steps)]
    return [
        Part(start, steps[begin:end]) for start, begin, end in zip(starts, edges[:-1], edges[1:], strict=True)
    ]


class Runner:
    """Runs the tests of a document. A program is for a number of players, and for all options that it can read from cells."""

    def __init__(
        self,
        document: Document,
        engine: Engine,
        tests: Iterable[int] | None = None,
        *,
        switches: int = 0,
        thorough: bool = False,
        open_options: bool = True,
    ) -> None:
        """`tests` are the numbers of those that will be run, if not all; `switches` is how many places of the document can
        be broken; `thorough` validates what is lowered; without `open_options` each combination of options has a program of
        its own, as in play."""
        self.document = document
        self.engine = engine
        self.switches = switches
        self.thorough = thorough
        self._plays: dict[Meaning, Play | LoadError] = {}
        self._programs: list[Loaded] = []
        self._open = open_options
        # Options that had to be known when a program was made.
        self._known: set[str] = set()
        self._tests: dict[Meaning, list[int]] = {}
        for index in range(len(document.content.tests)) if tests is None else tests:
            for part in parts_of(document.content.tests[index]):
                with suppress(LoadError):
                    self._tests.setdefault(self._meaning(part.settings()), []).append(index)

    def run(self, wanted: str = "") -> Iterator[Outcome]:
        """Every test whose title holds a text, or that covers a rule of that name."""
        for index, test in enumerate(self.document.content.tests):
            if wanted.lower() in test.title.lower() or wanted in test.covers:
                yield self.one(index)

    def one(self, index: int) -> Outcome:
        """One test."""
        test = self.document.content.tests[index]
        file, line = self.place(test.at)
        outcome = Outcome(test.title, file, line, tuple(test.covers))
        case = _Case(self, index, test)
        begun = perf_counter()
        try:
            case.run()
        except Failure as failure:
            outcome.message = str(failure)
        except EngineFault as fault:
            outcome.message = self._fault(fault)
        except LoadError as error:
            outcome.message = str(error)
        if outcome.message:
            outcome.failed_file, outcome.failed_line = self.place(case.at)
            outcome.trace = case.trace()
        outcome.reached = case.reached
        outcome.seconds = perf_counter() - begun
        return outcome

    def place(self, at: int) -> tuple[str, int]:
        """The file and line of a spot."""
        return place(self.document.sources, at)

    def _fault(self, fault: EngineFault) -> str:
        file, line = self.place(fault.spot)
        return fault_message(fault) + (f"\n  at {file}:{line}" if file else "")

    def play(self, settings: Settings) -> Play:
        """A game for a combination of options and players, made once."""
        meant = self._meaning(settings)
        found = self._plays.get(meant)
        if found is None:
            try:
                found = self._program(settings, meant).play(meant)
            except LoadError as error:
                found = error
            self._plays[meant] = found
        if isinstance(found, LoadError):
            raise found
        return found

    def first_settings(self, index: int) -> Settings:
        """What a test begins with."""
        return parts_of(self.document.content.tests[index])[0].settings()

    def plays_of(self, index: int) -> list[Play]:
        """The games in which a test is played, one for each `start` that can be played."""
        found: list[Play] = []
        for part in parts_of(self.document.content.tests[index]):
            try:
                play = self.play(part.settings())
            except LoadError:
                continue
            if all(play is not other for other in found):
                found.append(play)
        return found

    def _meaning(self, settings: Settings) -> Meaning:
        return meaning(self.document.content, settings)

    def _program(self, settings: Settings, meant: Meaning) -> Loaded:
        """A program that can be played with some settings."""
        for loaded in self._programs:
            if loaded.made_with.agrees(meant, loaded.lowered.known_options):
                return loaded
        try:
            made = self._assembled(settings, meant)
        except LoadError:
            if not self._open:
                raise
            # What cannot be played with some options is no reason to play with none.
            self._open = False
            made = self._assembled(settings, meant)
        self._programs.append(made)
        self._known.update(made.lowered.known_options)
        return made

    def _assembled(self, settings: Settings, meant: Meaning) -> Loaded:
        options = dict(settings.options)
        known = self._known if self._open else dict(meant.options)
        tests = {i for other, found in self._tests.items() if other.agrees(meant, known) for i in found}
        build = Build(
            events=True,
            traced=True,
            tested=True,
            tests=tuple(sorted(tests)),
            switches=self.switches,
            open_options=self._open,
        )
        with built_to_stay():
            lowered, module = assemble(
                self.document, options, settings.players, build, thorough=self.thorough
            )
            return Loaded(lowered, self.engine.load(module), meant)


class _Case:
    """One test while it runs."""

    def __init__(self, runner: Runner, index: int, test: TestDeclaration) -> None:
        self.runner, self.index, self.test = runner, index, test
        self.at = test.at
        self.reached: set[str] = set()
        self.play: Play | None = None

    def run(self) -> None:
        for part in parts_of(self.test):
            self._run_part(part)

    def trace(self) -> list[str]:
        """What happened since the last `when`, for a test that failed."""
        return [] if self.play is None else trace_lines(self.play)

    def _run_part(self, part: Part) -> None:
        """Plays from one `start` to the next: nothing is left of what was before."""
        start = self.test.steps[part.start] if part.start >= 0 else None
        settings = part.settings()
        if isinstance(start, t.StartStep) and start.refused:
            self.at = start.at
            self._refused(part, settings)
            return
        self.play = play = self.runner.play(settings)
        if self.index in play.program.unplayable:
            raise LoadError(play.program.unplayable[self.index])
        play.begin(settings.seed)
        play.machine.call("drop_frames")
        answers, rigs = Answers(play.words), Rigs(play.words, play.machine)
        # Answers that stand before the first `when` may also serve the way to the chapter.
        began = next((at for at, step in part.steps if isinstance(step, t.WhenStep)), len(self.test.steps))
        for position, step in part.steps:
            if isinstance(step, t.AnswerStep) and position < began:
                answers.waiting.append(answer_of(play.words, step, *self._values(play, position)))
        self._perform(play, part.start, answers.leniently)
        for position, step in part.steps:
            self.at = step.at
            self._step(play, position, step, answers, rigs, position < began)
        self._leftovers(answers, rigs)

    def _refused(self, part: Part, settings: Settings) -> None:
        """The game must not begin with these settings."""
        try:
            play = self.runner.play(settings)
        except LoadError:
            return
        play.begin(settings.seed)
        play.machine.call("drop_frames")
        if self._perform(play, part.start, lambda decision: 0):
            raise Failure("the game can begin so")

    def _step(
        self, play: Play, position: int, step: t.TestStep, answers: Answers, rigs: Rigs, early: bool
    ) -> None:
        match step:
            case t.GivenStep():
                self._perform(play, position, answers.strictly)
            case t.RigStep():
                rigs.add(step.what, *_without_mask(*self._values(play, position)))
            case t.AnswerStep():
                if not early:
                    answers.waiting.append(answer_of(play.words, step, *self._values(play, position)))
            case t.WhenStep():
                self._perform(play, position, answers.strictly)
                self.reached |= called_actions(play)
            case t.ExpectStep():
                if not self._perform(play, position, answers.strictly):
                    self._unmet(play, position, step)
            case t.SceneStep(on=None):
                self._perform(play, position, answers.strictly)
            case t.SceneStep():
                self._set(play, position, step)
            case t.ExpectSceneStep():
                self._compare(play, position, step.rows, play.program.plans)

    def _set(self, play: Play, position: int, step: t.SceneStep) -> None:
        """Puts figures on a piece, which must lie on the map and be drawn as it is; joints may be drawn as floor."""
        plans = {number: replace(plan, joints={}) for number, plan in play.program.plans.items()}
        signs = {sign for sign, _ in marks_at(self.test, position)}
        joints = {joint for plan in play.program.plans.values() for joint in plan.joints} - signs
        self._compare(play, position, step.rows.translate(dict.fromkeys(map(ord, joints), FLOOR)), plans)

    def _compare(self, play: Play, position: int, rows: str, plans: dict[int, Plan]) -> None:
        """Runs a step, after which the map must look like a drawing."""
        (_, piece, *meant), _ = self._values(play, position)
        signs = [sign for sign, _ in marks_at(self.test, position)]
        shown = drawn(play.words, list(zip(signs, meant, strict=True)), piece, plans)
        if not shown and piece in plans:
            raise Failure(f"{play.words.title(piece)} does not lie on the map")
        if tidy(shown) != tidy(rows):
            raise Failure(f"the map looks otherwise:\n{shown}")

    def _perform(self, play: Play, position: int, choose: Callable[[Decision], int]) -> int:
        """Runs a step; gives what it leaves."""
        play.machine.call("enter_trial", play.program.trials[self.index, position].number)
        asked = 0
        while (decision := play.run()) is not None:
            asked += 1
            if asked > MOST_DECISIONS:
                raise Failure(f"`{decision.id}` is asked, and there is no end to it")
            play.answer(choose(decision))
        return play.words.cell(RESULT)

    def _values(self, play: Play, position: int) -> tuple[list[int], tuple[Type, ...]]:
        """The values that a step gives, and their types."""

        def nobody(decision: Decision) -> int:
            raise Failure(f"`{decision.id}` is asked where a test only says what is so")

        block = self._perform(play, position, nobody)
        return play.words.items(block), play.program.trials[self.index, position].types

    def _unmet(self, play: Play, position: int, step: t.ExpectStep) -> None:
        cells, types = self._values(play, position + SIDES)
        shown = "; ".join(
            f"`{side.text}` is {play.words.value(cell, type_)}"
            for side, cell, type_ in zip(step.sides, cells[1:], types, strict=True)
        )
        raise Failure(f"not so{': ' + shown if shown else ''}")

    def _leftovers(self, answers: Answers, rigs: Rigs) -> None:
        answer = answers.left()
        if answer is not None:
            self.at = answer.at
            count = len(answer.values)
            raise Failure(f"{count} answer{'s' if count > 1 else ''} left over: nobody asked")
        row = rigs.left()
        if row is not None:
            raise Failure(
                f"`rig {row.name}` has {len(row.values) - row.used} left over: nobody rolled or drew"
            )


def _without_mask(cells: list[int], types: tuple[Type, ...]) -> tuple[list[int], tuple[Type, ...]]:
    return cells[1:], types
