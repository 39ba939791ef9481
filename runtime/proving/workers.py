"""Tests on all cores: those that share a program together, a large group in several parts."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Hashable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass

from talewright.runtime.engines.selection import best_engine, share_cores
from talewright.runtime.faults import LoadError
from talewright.runtime.proving.runner import Outcome, Runner, meaning, parts_of
from talewright.schemas.nodes.document import Document

# So many tests take as long to assemble and to run as the program that they are part of.
PROGRAM_COST = 100


def outcomes(document: Document, tests: Sequence[int], jobs: int = 0) -> Iterator[tuple[int, Outcome]]:
    """What becomes of some tests, in their order, each with its number; `jobs` is 0 for as many as there are cores."""
    jobs = most_jobs(jobs)
    groups = grouped(document, tests, jobs)
    if min(jobs, len(groups)) <= 1:
        runner = Runner(document, best_engine(baseline=True), tests)
        yield from ((index, runner.one(index)) for index in tests)
        return
    with ProcessPoolExecutor(
        min(jobs, len(groups)), processes(), initializer=_begin, initargs=(document,)
    ) as pool:
        found: dict[int, Future[dict[int, Outcome]]] = {}
        for group in groups:
            running = pool.submit(_run, group)
            found |= dict.fromkeys(group, running)
        yield from ((index, found[index].result()[index]) for index in tests)


def most_jobs(jobs: int) -> int:
    """How many processes work: as many as somebody asks for, or as there are cores; one where the system cannot `fork`."""
    return (jobs or os.cpu_count() or 1) if hasattr(os, "fork") else 1


def processes() -> multiprocessing.context.BaseContext:
    """Processes that have from the beginning what this one has."""
    return multiprocessing.get_context("fork")


def grouped(document: Document, tests: Sequence[int], jobs: int) -> list[list[int]]:
    """Tests that begin with the same seats together, the most work first; a group that is too large for one of so many
    processes is divided."""
    alike: dict[Hashable, list[int]] = {}
    for index in tests:
        alike.setdefault(_seats(document, index), []).append(index)
    share = sum(PROGRAM_COST + len(group) for group in alike.values()) / jobs
    made: list[list[int]] = []
    for group in alike.values():
        count = min(jobs, max(1, round((PROGRAM_COST + len(group)) / share)), len(group))
        made += [group[start::count] for start in range(count)]
    return sorted(made, key=len, reverse=True)


def _seats(document: Document, index: int) -> Hashable:
    """The seats that a test begins with; none where it cannot begin."""
    try:
        return meaning(document.content, parts_of(document.content.tests[index])[0].settings()).seats
    except LoadError:
        return None


@dataclass
class _Worker:
    """What a process works on."""

    document: Document | None = None


_WORKER = _Worker()


def _begin(document: Document) -> None:
    share_cores()
    _WORKER.document = document


def _run(group: list[int]) -> dict[int, Outcome]:
    assert _WORKER.document is not None
    runner = Runner(_WORKER.document, best_engine(baseline=True), group)
    return {index: runner.one(index) for index in group}
