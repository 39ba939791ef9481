"""Which lines of a package could be broken without any of its tests noticing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

from talewright.runtime.breaking import Break, breaks, broken
from talewright.runtime.testing import Runner


@dataclass(frozen=True, slots=True)
class Tried:
    """One break, and whether a test failed because of it."""

    file: str
    line: int
    what: str
    noticed: bool
    # No test calls the action it is part of.
    reached: bool = True


class Breaker:
    """Breaks a document again and again, and runs its tests until one fails."""

    def __init__(self, document: dict[str, Any], tests: Sequence[int]) -> None:
        self.document = document
        self.tests = list(tests)
        runner = Runner(document)
        self.reached = {index: runner.one(index).reached for index in self.tests}
        self._last: dict[str, list[int]] = {}

    def places(self, wanted: Callable[[str], bool]) -> list[Break]:
        """The breaks in the files somebody asks about."""
        return [found for found in breaks(self.document) if wanted(self.place(found)[0])]

    def place(self, found: Break) -> tuple[str, int]:
        """File and line of a break."""
        sources = self.document["sources"]
        file, line = sources["spots"][found.at][:2]
        return str(sources["files"][file]), int(line)

    def attempt(self, found: Break) -> Tried:
        """Breaks one place; the tests that noticed the breaks before it are asked first."""
        file, line = self.place(found)
        tests = self.tests
        if found.action:
            tests = [index for index in tests if found.action in self.reached[index]]
        if not tests:
            return Tried(file, line, found.what, noticed=False, reached=False)
        known = self._last.setdefault(file, [])
        runner = Runner(broken(self.document, found))
        for index in sorted(tests, key=lambda i: known.index(i) if i in known else len(known)):
            if not runner.one(index).passed:
                if index in known:
                    known.remove(index)
                known.insert(0, index)
                return Tried(file, line, found.what, noticed=True)
        return Tried(file, line, found.what, noticed=False)


def try_all(
    document: dict[str, Any],
    tests: Sequence[int],
    wanted: Callable[[str], bool],
    most: int = 0,
    jobs: int = 1,
) -> tuple[int, Iterator[Tried]]:
    """How many breaks there are in the wanted files, and each tried; `most` of them are picked at random, always the same."""
    breaker = Breaker(document, tests)
    places = breaker.places(wanted)
    if 0 < most < len(places):
        chosen = sorted(Random(1).sample(range(len(places)), most))
        places = [places[index] for index in chosen]
    return len(places), map(breaker.attempt, places) if jobs <= 1 else _in_parallel(breaker, places, jobs)


def _in_parallel(breaker: Breaker, places: Sequence[Break], jobs: int) -> Iterator[Tried]:
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(breaker,)) as pool:
        yield from pool.map(_attempt, places)


_BREAKERS: list[Breaker] = []


def _begin(breaker: Breaker) -> None:
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
