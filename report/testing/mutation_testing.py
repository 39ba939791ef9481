"""Mutation testing: which changes of a package no test notices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from talewright.compiler import CompileResult
from talewright.compiler.checks.check import Context
from talewright.compiler.symbols.symbol_table import KindSymbol, Origin, TraitSymbol
from talewright.dsl.tree.nodes import Default, Node
from talewright.runtime.engines.selection import share_cores
from talewright.runtime.proving.breaker import Breaker, CannotBreak, Tried
from talewright.runtime.proving.breaking import Break
from talewright.runtime.proving.workers import most_jobs, processes
from talewright.schemas.nodes.document import Document
from talewright.schemas.records import replace

__all__ = ["CannotBreak", "Tried", "as_json", "places_of_fields", "together", "try_all"]


def try_all(
    document: Document,
    tests: Sequence[int],
    wanted: Callable[[str], bool],
    fields: Mapping[tuple[str, str], tuple[str, int]],
    most: int = 0,
    jobs: int = 0,
) -> tuple[int, Iterator[Tried]]:
    """How many breaks there are in the wanted files, and each tried; `most` of them are picked at random, always the same.

    `fields` is what `places_of_fields` gives. `jobs` is 0 for as many processes as there are cores. Raises CannotBreak if the
    tests cannot be played with breaks built in.
    """
    breaker = Breaker(document, tests, wanted, fields)
    breaker.choose(most)
    jobs = most_jobs(jobs)
    return len(breaker.places), _one_by_one(breaker) if jobs <= 1 else _in_parallel(breaker, jobs)


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


def _one_by_one(breaker: Breaker) -> Iterator[Tried]:
    breaker.prepare()
    yield from map(breaker.attempt, breaker.places)


def _in_parallel(breaker: Breaker, jobs: int) -> Iterator[Tried]:
    """Mutations behind a switch are quick and run here; those that need their own program run in worker processes."""
    breaker.prepare()
    tried = {found: breaker.attempt(found) for found in breaker.places if found in breaker.numbers}
    apart = [found for found in breaker.places if found not in tried]
    if not apart:
        yield from tried.values()
        return
    # Processes made by now know which tests notice most.
    with ProcessPoolExecutor(
        min(jobs, len(apart)), processes(), initializer=_begin, initargs=(breaker,)
    ) as pool:
        running = {found: pool.submit(_attempt, found) for found in apart}
        for found in breaker.places:
            yield running[found].result() if found in running else tried[found]


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
