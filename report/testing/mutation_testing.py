"""Which lines of a package could be broken without any of its tests noticing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

from talewright.runtime.breaking import Break, breaks, broken
from talewright.runtime.faults import LoadError
from talewright.runtime.game import Game
from talewright.runtime.program import Program
from talewright.runtime.switching import Switched
from talewright.runtime.testing import Runner
from talewright.runtime.verifying import broken_checks

# Steps without a decision: whoever breaks a loop does not want to wait for a million of them.
PATIENCE = 10_000


@dataclass(frozen=True, slots=True)
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


class Breaker:
    """Breaks a document again and again, and runs its tests until one fails.

    Breaks that can wait behind a switch are written into one program, in which the tests are run again with one of
    them on; a program of its own is written for each of the others.
    """

    def __init__(self, document: dict[str, Any], tests: Sequence[int], wanted: Callable[[str], bool]) -> None:
        self.document = document
        self.tests = list(tests)
        self.places = [found for found in breaks(document) if wanted(self.place(found)[0])]
        self._last: dict[str, list[int]] = {}

    def choose(self, most: int) -> None:
        """Only so many of the places, picked at random, always the same."""
        if 0 < most < len(self.places):
            chosen = sorted(Random(1).sample(range(len(self.places)), most))
            self.places = [self.places[index] for index in chosen]

    def prepare(self) -> None:
        """Plays every test once with nothing broken, and notes the places it comes to."""
        self.switched = Switched(self.document, self.places)
        self._runner = Runner(self.switched.document, PATIENCE)
        self._checks = _Checks(self.switched.document)
        switch = self.switched.switch
        self._born: set[int] = set()
        self._came: dict[int, set[int]] = {}
        self._reached: dict[int, set[str]] = {}
        # Those that fail when nothing is broken are asked in programs without switches.
        self._unfit: list[int] = []
        self._checks.hold()
        self._asked_by_checks = switch.asked.copy()
        for index in self.tests:
            switch.asked.clear()
            with suppress(LoadError):
                self._runner.games_of(index)
            self._born |= switch.asked
            switch.asked.clear()
            outcome = self._runner.one(index)
            self._came[index] = switch.asked.copy()
            self._reached[index] = outcome.reached
            if not outcome.passed:
                self._unfit.append(index)

    def place(self, found: Break) -> tuple[str, int]:
        """File and line of a break."""
        sources = self.document["sources"]
        file, line = sources["spots"][found.at][:2]
        return str(sources["files"][file]), int(line)

    def attempt(self, found: Break) -> Tried:
        """Breaks one place; the tests that noticed the breaks before it are asked first."""
        file, line = self.place(found)
        number = self.switched.numbers.get(found)
        if number is None:
            tests = [i for i in self.tests if not found.action or found.action in self._reached[i]]
            noticed = self.apart(found, self._in_order(file, tests))
            return Tried(file, line, found.what, noticed, bool(tests), self._field(found))
        tests = [i for i in self.tests if number in self._born or number in self._came[i]]
        noticed = self._together(number, self._in_order(file, tests), file)
        if not noticed and any(i in self._unfit for i in tests):
            noticed = self.apart(found, [i for i in tests if i in self._unfit])
        reached = bool(tests) or number in self._asked_by_checks
        return Tried(file, line, found.what, noticed, reached, self._field(found))

    def _field(self, found: Break) -> str:
        """The field that a break lies in, if nothing nearer to it has a place."""
        if found.path[0] != "things" or len(found.path) < 4 or found.path[2] != "fields":
            return ""
        thing = self.document["content"]["things"][found.path[1]]
        return str(found.path[3]) if thing["at"] == found.at else ""

    def _in_order(self, file: str, tests: list[int]) -> list[int]:
        known = self._last.setdefault(file, [])
        return sorted(tests, key=lambda i: known.index(i) if i in known else len(known))

    def _noticed(self, index: int, file: str) -> None:
        known = self._last.setdefault(file, [])
        if index in known:
            known.remove(index)
        known.insert(0, index)

    def apart(self, found: Break, tests: list[int]) -> bool:
        """Tries a break in a program of its own."""
        file = self.place(found)[0]
        runner = Runner(broken(self.document, found), PATIENCE)
        for index in tests:
            if not runner.one(index).passed:
                self._noticed(index, file)
                return True
        return False

    def _together(self, number: int, tests: list[int], file: str) -> bool:
        """Tries a break by turning its switch."""
        switch, runner = self.switched.switch, self._runner
        born = number in self._born
        switch.on = number
        try:
            if born:
                runner.games.clear()
            if (born or number in self._asked_by_checks) and not self._checks.hold():
                return True
            for index in tests:
                if index not in self._unfit and self._fails(index, number):
                    self._noticed(index, file)
                    return True
            return False
        finally:
            switch.on = -1
            if born:
                runner.games.clear()

    def _fails(self, index: int, number: int) -> bool:
        """Whether a test fails because of a break, and not because an earlier one has left its game in disorder."""
        switch, runner = self.switched.switch, self._runner
        if runner.one(index).passed:
            return False
        if number in self._born:
            return True
        switch.on = -1
        if runner.one(index).passed:
            return True
        runner.games.clear()
        switch.on = number
        return not runner.one(index).passed


class _Checks:
    """The checks of a document, which hold as long as nothing is broken."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.program: Program | None = None
        self.usual: set[int] = set()
        if document["content"]["checks"]:
            try:
                self.program = Program(document)
            except LoadError:
                return
            self.usual = self._broken()

    def hold(self) -> bool:
        """Whether all hold that did in the beginning."""
        return self._broken() <= self.usual

    def _broken(self) -> set[int]:
        return (
            set()
            if self.program is None
            else {found.at for found in broken_checks(Game(self.program, hurried=False))}
        )


def try_all(
    document: dict[str, Any],
    tests: Sequence[int],
    wanted: Callable[[str], bool],
    most: int = 0,
    jobs: int = 1,
) -> tuple[int, Iterator[Tried]]:
    """How many breaks there are in the wanted files, and each tried; `most` of them are picked at random, always the same."""
    breaker = Breaker(document, tests, wanted)
    breaker.choose(most)
    return len(breaker.places), _one_by_one(breaker) if jobs <= 1 else _in_parallel(breaker, jobs)


def _one_by_one(breaker: Breaker) -> Iterator[Tried]:
    breaker.prepare()
    yield from map(breaker.attempt, breaker.places)


def _in_parallel(breaker: Breaker, jobs: int) -> Iterator[Tried]:
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(breaker,)) as pool:
        yield from pool.map(_attempt, breaker.places)


_BREAKERS: list[Breaker] = []


def _begin(breaker: Breaker) -> None:
    breaker.prepare()
    _BREAKERS[:] = [breaker]


def _attempt(found: Break) -> Tried:
    return _BREAKERS[0].attempt(found)


def as_json(tried: Iterable[Tried]) -> dict[str, Any]:
    """How many breaks were tried, and which no test noticed."""
    every = list(tried)
    missed = [t for t in every if not t.noticed]
    return {
        "tried": len(every),
        "noticed": len(every) - len(missed),
        "unnoticed": [{"file": t.file, "line": t.line, "what": t.what, "reached": t.reached} for t in missed],
    }
