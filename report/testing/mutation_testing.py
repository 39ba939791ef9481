"""Mutation testing: which changes of a package no test notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from typing import Any

from talewright.compiler import CompileResult
from talewright.compiler.checks.check import Context
from talewright.compiler.symbols.symbol_table import KindSymbol, Origin, TraitSymbol
from talewright.dsl.tree.nodes import Default, Node
from talewright.report.testing.break_journal import BreakJournal, Kept
from talewright.runtime.engines.selection import share_cores
from talewright.runtime.proving.breaker import Breaker, CannotBreak, Tried
from talewright.runtime.proving.breaking import Break
from talewright.runtime.proving.workers import most_jobs, processes
from talewright.schemas.records import record, replace

__all__ = ["Breaker", "CannotBreak", "Tried", "as_json", "places_of_fields", "together", "trial"]


@record(frozen=True)
class Trial:
    """Breaks that are to be tried: those whose outcome is known already, and how many are left."""

    breaker: Breaker
    journal: BreakJournal
    places: tuple[Break, ...]
    known: Mapping[Break, Kept]

    @property
    def left(self) -> int:
        """How many breaks are not tried yet."""
        return len(self.breaker.places)

    def run(self, jobs: int = 0) -> Iterator[tuple[int, Tried]]:
        """Every break that is not known, as it is tried, with its position among all; each is written down in the journal.

        `jobs` is 0 for as many processes as there are cores. Raises CannotBreak if the tests cannot be played with
        breaks built in.
        """
        self.journal.begin()
        if not self.left:
            return
        jobs = most_jobs(jobs)
        self.breaker.prepare()
        positions = {found: position for position, found in enumerate(self.places)}
        for found, tried in _in_parallel(self.breaker, jobs) if jobs > 1 else _one_by_one(self.breaker):
            self.journal.add(found, tried)
            yield positions[found], tried

    def kept(self) -> Iterator[tuple[int, Tried]]:
        """The breaks that are known, with their positions among all."""
        for position, found in enumerate(self.places):
            if (kept := self.known.get(found)) is not None:
                yield position, self.breaker.outcome(found, bool(kept.by), kept.reached)


def trial(breaker: Breaker, journal: BreakJournal, *, resume: bool) -> Trial:
    """What there is to try; with `resume` not what a run tried that was stopped."""
    places = tuple(breaker.places)
    known = journal.known(places) if resume else {}
    breaker.places = [found for found in places if found not in known]
    return Trial(breaker, journal, places, known)


def places_of_fields(result: CompileResult) -> dict[tuple[str, str], tuple[str, int]]:
    """File and line of every field of a kind or trait, by their names, and of kinds and traits themselves under no field."""
    if not isinstance(result.made_from, Context):
        return {}
    made: dict[tuple[str, str], tuple[str, int]] = {}

    def add(owner: str, field: str, node: Node, origin: Origin) -> None:
        made[owner, field] = origin.source.name, origin.source.line_column(node.start)[0]

    for name, symbol in result.made_from.work.table.kinds.items():
        if isinstance(symbol, KindSymbol | TraitSymbol):
            add(name, "", symbol.node, symbol.origin)
            for field in symbol.fields.values():
                add(name, field.name, field.node, field.origin)
            for member, origin in symbol.members:
                if isinstance(member, Default):
                    add(name, member.name.text, member, origin)
    return made


def _one_by_one(breaker: Breaker) -> Iterator[tuple[Break, Tried]]:
    for found in breaker.places:
        yield found, breaker.attempt(found)


def _in_parallel(breaker: Breaker, jobs: int) -> Iterator[tuple[Break, Tried]]:
    """Mutations behind a switch are quick and run here; those that need their own program run in worker processes."""
    apart = []
    for found in breaker.places:
        if found in breaker.numbers:
            yield found, breaker.attempt(found)
        else:
            apart.append(found)
    if not apart:
        return
    # Processes made by now know which tests notice most.
    with ProcessPoolExecutor(
        min(jobs, len(apart)), processes(), initializer=_begin, initargs=(breaker,)
    ) as pool:
        running = {pool.submit(_attempt, found): found for found in apart}
        for done in as_completed(running):
            yield running[done], done.result()


_BREAKERS: list[Breaker] = []


def _begin(breaker: Breaker) -> None:
    share_cores()
    breaker.begin_in_process()
    _BREAKERS[:] = [breaker]


def _attempt(found: Break) -> Tried:
    return _BREAKERS[0].attempt(found)


def together(runs: Iterable[Iterable[Tried]]) -> list[Tried]:
    """The breaks of several packages. A place of a file that they share is noticed if one of them notices it."""
    made: dict[tuple[str, int, str, int], Tried] = {}
    for run in runs:
        seen: Counter[tuple[str, int, str]] = Counter()
        for one in run:
            place = one.file, one.line, one.what
            seen[place] += 1
            # The same break may be possible several times in one line, in the same order for every package.
            key = (*place, seen[place])
            old = made.get(key, one)
            made[key] = replace(one, noticed=one.noticed or old.noticed, reached=one.reached or old.reached)
    return list(made.values())


def as_json(tried: Iterable[Tried]) -> dict[str, Any]:
    """How many breaks were tried, and which no test noticed."""
    every = list(tried)
    missed = [t for t in every if not t.noticed]
    return {
        "tried": len(every),
        "noticed": len(every) - len(missed),
        "unnoticed": [{"file": t.file, "line": t.line, "what": t.what, "reached": t.reached} for t in missed],
    }
