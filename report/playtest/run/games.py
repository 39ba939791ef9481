"""Plays the games of a playtest, here or in worker processes; the results do not depend on where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

import orjson

from talewright.report.playtest.run.chunks import BLOCKS_AT_ONCE, Chunk, Played, Work
from talewright.report.playtest.run.engine_counts import CountedGames
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.run.workers import FORKS, Crew, Worker
from talewright.runtime.lower.program import Build
from talewright.runtime.session.program import Program, build_program
from talewright.schemas.garbage import no_collection

# Chunks that a worker of a quick bot has at most, so that it need not wait for the next.
IN_LINE = 2


def play_all(job: Job, work: Work, jobs: int) -> Iterator[Played]:
    """Every chunk as it is done, in any order."""
    if jobs <= 1:
        while (chunk := work.take()) is not None:
            played = play_chunk(job, chunk)
            work.note(played)
            yield played
        return
    if FORKS:
        counted_program(job)
    with Crew() as crew:
        workers = crew.hire(partial(play_chunk, job), jobs)
        while True:
            _feed(workers, work)
            if not any(worker.pending for worker in workers):
                return
            for _, played in crew.brought():
                work.note(played)
                # The worker goes on before anything is done with what it brought.
                _feed(workers, work)
                yield played


def _feed(workers: list[Worker], work: Work) -> None:
    """Gives the next chunk to the worker with the fewest, while chunks are left."""
    for length in range(IN_LINE):
        for worker in workers:
            if worker.pending == length and (not length or work.quick) and (chunk := work.take()) is not None:
                worker.give(chunk)


def play_chunk(job: Job, chunk: Chunk) -> Played:
    """Games one after another."""
    begin = perf_counter()
    rows: list[dict[str, Any]] = []
    games = counted_games(job)
    games.tally = Tally()
    known: Counter[Any] = chunk.tried or Counter()
    if job.bot == "explore":
        games.know(known, BLOCKS_AT_ONCE)
    for first, count in chunk.runs:
        if not job.details:
            games.play(first, count)
            continue
        for seed in range(first, first + count):
            rows.append(_played_in_full(games, seed))
    games.read_out()
    tally = games.tally
    tally.failures.sort(key=lambda failure: int(failure["seed"]))
    if job.bot == "explore":
        fresh = {key: (n - known.get(key, 0)) // BLOCKS_AT_ONCE for key, n in tally.tried.items()}
        tally.tried = Counter({key: n for key, n in fresh.items() if n})
    return Played(chunk.runs, tally, rows, perf_counter() - begin)


def _played_in_full(games: CountedGames, seed: int) -> dict[str, Any]:
    failed = games.tally.errors
    games.play(seed, 1)
    if games.tally.errors == failed:
        return games.details(seed)
    error = games.tally.failures[-1]["error"]
    empty: dict[str, Any] = {"measures": {}, "chapters": [], "taken": [], "things": [], "tracks": []}
    return {
        "seed": seed,
        "outcome": "error",
        "won": False,
        "decisions": 0,
        "rounds": 0,
        "error": error,
        **empty,
    }


@lru_cache(maxsize=4)
def _program(
    document: bytes, options: tuple[tuple[str, Any], ...], players: int | None, checked: bool
) -> Program:
    with no_collection():
        build = Build(bots=True, counted=True, checked=checked)
        return build_program(orjson.loads(document), dict(options), players, build)


def counted_program(job: Job) -> Program:
    """The program that counts everything."""
    return _program(job.document, job.options, job.players, job.checked)


@lru_cache(maxsize=4)
def counted_games(job: Job) -> CountedGames:
    """The machine of a job in this process."""
    return CountedGames(counted_program(job), job)
