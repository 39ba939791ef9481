"""Which breaks of a document its tests notice."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import Final

from talewright.runtime.engines.interface import Engine, EngineFault
from talewright.runtime.engines.selection import best_engine
from talewright.runtime.faults import LoadError
from talewright.runtime.host.play import Play
from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.kernel.storage.heap import SIZE_CLASSES
from talewright.runtime.lower.assembly import switches_at
from talewright.runtime.model.layout import HEAP
from talewright.runtime.proving.breaking import Break, breaks, broken
from talewright.runtime.proving.checks import Checks
from talewright.runtime.proving.runner import Runner
from talewright.runtime.proving.switching import Switched
from talewright.schemas.nodes.document import Document, place
from talewright.schemas.records import record

# How many tests are tried at first in a program that is assembled for one break, and how many times as many next.
FEW = 6
GROWTH = 8
NO_PLACES: Final[Mapping[tuple[str, str], tuple[str, int]]] = MappingProxyType({})


class CannotBreak(Exception):
    """The program with all breaks built in does not play as the document does when all of them are off."""


@record(frozen=True)
class Tried:
    """One break, and whether a test failed because of it."""

    file: str
    line: int
    what: str
    noticed: bool
    # No test comes to it.
    reached: bool = True
    # The field of a thing that is broken, where the place is only the head of the thing.
    field: str = ""
    # The number of the test that noticed it; none if a check did, or nobody.
    test: int | None = None


class Breaker:
    """Breaks a document again and again, and runs its tests until one fails.

    Breaks that can wait behind a switch are built into one program, in which the tests are run again with one of
    them on; a program of its own is assembled for each of the others.
    """

    def __init__(
        self,
        document: Document,
        tests: Sequence[int],
        wanted: Callable[[str], bool],
        fields: Mapping[tuple[str, str], tuple[str, int]] = NO_PLACES,
    ) -> None:
        """`fields` holds file and line of the fields of kinds and traits, and of these themselves under no field: a
        document does not say where they stand."""
        self.document = document
        self.fields = fields
        self.tests = list(tests)
        self.places = [found for found in breaks(document.content) if wanted(self.place(found)[0])]
        self._engine: Engine | None = None
        self._last: dict[str, list[int]] = {}

    def choose(self, most: int) -> None:
        """Only so many of the places, picked at random, always the same."""
        if 0 < most < len(self.places):
            chosen = sorted(Random(1).sample(range(len(self.places)), most))
            self.places = [self.places[index] for index in chosen]

    def place(self, found: Break) -> tuple[str, int]:
        """File and line of a break."""
        if found.at == NOWHERE:
            return self._place_of_field(found)
        return place(self.document.sources, found.at)

    def _place_of_field(self, found: Break) -> tuple[str, int]:
        part, position, *rest = found.path
        assert isinstance(position, int)
        declared = getattr(self.document.content, str(part))[position]
        field = ""
        match rest:
            case ["fields", int(index), *_]:
                field = declared.fields[index].name
            case ["defaults", str(name), *_]:
                field = name
        return self.fields.get((declared.id, field)) or self.fields.get((declared.id, ""), ("", 0))

    @property
    def engine(self) -> Engine:
        """The engine of this process."""
        if self._engine is None:
            self._engine = best_engine(baseline=True)
        return self._engine

    def begin_in_process(self) -> None:
        """This process is one of several, and was made by `fork`: it compiles by itself."""
        self._engine = None

    # ------------------------------------------------------------------ before anything is broken
    def prepare(self) -> None:
        """Plays every test once with nothing broken, and notes the places it comes to; raises CannotBreak if one fails."""
        switched = Switched(self.document, self.places)
        self.numbers = switched.numbers
        count = len(self.numbers)
        self._runner = Runner(switched.document, self.engine, self.tests, switches=count)
        self._born: set[int] = set()
        self._came: dict[int, set[int]] = {}
        self._reached: dict[int, set[str]] = {}
        self._prepare_checks(switched.document, count)
        for index in self.tests:
            plays = self._runner.plays_of(index)
            for play in plays:
                # What was asked when the table was first set belongs to every test.
                self._born |= self._asked(play)
            outcome = self._runner.one(index)
            self._came[index] = set().union(*(self._asked(play) for play in plays))
            self._reached[index] = outcome.reached
            if not outcome.passed:
                raise CannotBreak(f"the test `{outcome.title}` fails in it: {outcome.message}")

    def _prepare_checks(self, document: Document, count: int) -> None:
        self._checks: Checks | None = None
        self._asked_by_checks: set[int] = set()
        self._usual: set[int] = set()
        if document.content.checks:
            try:
                self._checks = Checks(document, self.engine, count)
            except LoadError as error:
                self._refuse_checks(error)
                return
            assert self._checks.play is not None
            self._born |= self._asked(self._checks.play)
            self._usual = {found.at for found in self._checks.broken()}
            self._asked_by_checks = self._asked(self._checks.play)

    def _refuse_checks(self, why: LoadError) -> None:
        """Checks that cannot be asked because of the breaks are an error; others are asked for by nobody."""
        try:
            Checks(self.document, self.engine)
        except LoadError:
            return
        raise CannotBreak(f"its checks cannot be asked: {why}") from why

    def _asked(self, play: Play) -> set[int]:
        """The switches that were asked for since this was last wanted to be known."""
        at, count = switches_at(play.program.build) + 1, play.program.build.switches
        cells = play.machine.read(at, count)
        play.machine.write(at, [0] * count)
        return {number for number, asked in enumerate(cells, 1) if asked}

    # ------------------------------------------------------------------ one break
    def attempt(self, found: Break) -> Tried:
        """Breaks one place; the tests that noticed the breaks before it are asked first."""
        file = self.place(found)[0]
        number = self.numbers.get(found)
        if number is None:
            tests = [i for i in self.tests if not found.action or found.action in self._reached[i]]
            test = self.apart(found, self._in_order(file, tests))
            noticed = test is not None or not self._checks_hold_apart(found)
            return self.outcome(found, noticed, bool(tests), test)
        tests = [i for i in self.tests if number in self._born or number in self._came[i]]
        asked = number in self._asked_by_checks
        if (asked or number in self._born) and not self._checks_hold(number):
            return self.outcome(found, True)
        test = self._together(number, self._in_order(file, tests), file)
        return self.outcome(found, test is not None, bool(tests) or asked, test)

    def outcome(self, found: Break, noticed: bool, reached: bool = True, test: int | None = None) -> Tried:
        """What became of a break, with its place."""
        file, line = self.place(found)
        return Tried(file, line, found.what, noticed, reached, self._field(found), test)

    def _field(self, found: Break) -> str:
        """The field that a break lies in, if nothing nearer to it has a place."""
        if found.path[0] != "things" or len(found.path) < 4 or found.path[2] != "fields":
            return ""
        position = found.path[1]
        assert isinstance(position, int)
        thing = self.document.content.things[position]
        return str(found.path[3]) if thing.at == found.at else ""

    def _in_order(self, file: str, tests: list[int]) -> list[int]:
        known = {index: place for place, index in enumerate(self._last.setdefault(file, []))}
        return sorted(tests, key=lambda index: known.get(index, len(known)))

    def _noticed(self, index: int, file: str) -> None:
        known = self._last.setdefault(file, [])
        if index in known:
            known.remove(index)
        known.insert(0, index)

    def apart(self, found: Break, tests: list[int]) -> int | None:
        """Tries a break in programs of its own, first with the few tests that are likely to notice; gives the one that does."""
        file = self.place(found)[0]
        document = broken(self.document, found)
        waiting, count = tests, FEW
        while waiting:
            first = self._runner.first_settings(waiting[0])
            together = [index for index in waiting if self._runner.first_settings(index) == first][:count]
            runner = Runner(document, self.engine, together)
            for index in together:
                if not _passes(runner, index):
                    self._noticed(index, file)
                    return index
            waiting = [index for index in waiting if index not in together]
            count *= GROWTH
        return None

    def _together(self, number: int, tests: list[int], file: str) -> int | None:
        """Tries a break by turning its switch; gives the test that notices it."""
        turned: list[Play] = []
        try:
            for index in tests:
                if self._fails(index, number, turned):
                    self._noticed(index, file)
                    return index
            return None
        finally:
            for play in turned:
                self._turn(play, 0, number)

    def _fails(self, index: int, number: int, turned: list[Play]) -> bool:
        """Whether a test fails with a switch on; the games in which it was turned are noted."""
        try:
            for play in self._runner.plays_of(index):
                if all(play is not other for other in turned):
                    turned.append(play)
                    self._turn(play, number, number)
        except EngineFault:
            # The table cannot even be set.
            return True
        return not _passes(self._runner, index)

    def _checks_hold(self, number: int) -> bool:
        if self._checks is None or self._checks.play is None:
            return True
        try:
            self._turn(self._checks.play, number, number)
            return {found.at for found in self._checks.broken()} <= self._usual
        except EngineFault:
            return False
        finally:
            self._turn(self._checks.play, 0, number)

    def _checks_hold_apart(self, found: Break) -> bool:
        if self._checks is None:
            return True
        try:
            return {
                one.at for one in Checks(broken(self.document, found), self.engine).broken()
            } <= self._usual
        except (EngineFault, LoadError):
            return False

    def _turn(self, play: Play, on: int, number: int) -> None:
        """Turns a switch; where it was asked for when the table was first set, the table is set anew."""
        play.machine.write(switches_at(play.program.build), [on])
        if number in self._born:
            # As in a new machine: nothing is left of the games before.
            play.machine.write(0, play.program.layout.cells)
            play.machine.write(HEAP, [0] * SIZE_CLASSES)
            play.machine.call("prepare")


def _passes(runner: Runner, index: int) -> bool:
    """Whether a test passes with something broken."""
    try:
        return runner.one(index).passed
    except (IndexError, KeyError, ValueError):
        # What is broken may ask in the middle of something, with texts that nobody has put there.
        return False
