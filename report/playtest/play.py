"""Plays the games of a playtest, here or in worker processes; the results do not depend on where."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from multiprocessing import get_context
from typing import Any

import orjson

from talewright.report.playtest.collect import CloseCollector, Collector, story_pages
from talewright.report.playtest.records import Job
from talewright.report.playtest.tally import Tally
from talewright.runtime.bots import Explorer, bot, quick_random
from talewright.runtime.counting import CountedGame, CountedProgram, UsesGame, UsesProgram
from talewright.runtime.faults import Fault

# An explorer remembers what it tried within a batch of so many games, wherever the batch is played.
EXPLORED_TOGETHER = 100
MOST_IN_A_BATCH = 200
# Counting everything costs time: in long runs of a quick bot, all of the first games and every so many of the rest are
# watched closely, which ones depending on nothing but their seeds.
WATCHED_FIRST = 1000
WATCHED_EVERY = 16

Batch = tuple[int, int]


@dataclass(slots=True)
class Played:
    """A batch of games that is done: the seed of the first, how many, and what they add up to."""

    first: int
    count: int
    tally: Tally
    rows: list[dict[str, Any]] = field(default_factory=list)


def batches(job: Job, first: int, games: int, jobs: int) -> list[Batch]:
    """The seeds of all games in batches for workers; those of explorers are always the same."""
    if job.bot == "explore":
        size = EXPLORED_TOGETHER
    elif job.bot == "random":
        size = max(1, min(MOST_IN_A_BATCH, games // (jobs * 8)))
    else:
        size = 1
    return [(start, min(size, first + games - start)) for start in range(first, first + games, size)]


def play_all(job: Job, work: Iterable[Batch], jobs: int) -> Iterator[Played]:
    """Every batch as it is done, in any order."""
    if jobs <= 1:
        for start, count in work:
            yield play_batch(job, start, count)
        return
    queue = iter(work)
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn" if os.name == "nt" else "fork")) as pool:
        waiting: set[Future[Played]] = {
            pool.submit(play_batch, job, start, count) for start, count in islice(queue, jobs * 2)
        }
        try:
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    following = next(queue, None)
                    if following is not None:
                        waiting.add(pool.submit(play_batch, job, *following))
                    yield future.result()
        finally:
            for future in waiting:
                future.cancel()


def play_batch(job: Job, first: int, count: int) -> Played:
    """A batch of games, one after another."""
    rows: list[dict[str, Any]] = []
    explorer = Explorer(first) if job.bot == "explore" else None
    collectors: dict[bool, Collector] = {}
    for seed in range(first, first + count):
        close = is_watched(job, seed)
        game = counted_game(job) if close else uses_game(job)
        if close not in collectors:
            collectors[close] = CloseCollector(game) if isinstance(game, CountedGame) else Collector(game)
        outcome, error = play_one(job, game, seed, explorer)
        if error:
            collectors[close].fail(seed, error)
            won = False
        else:
            won = collectors[close].add(outcome)
        if isinstance(game, CountedGame) and job.details:
            rows.append(details(game, seed, outcome, won, error))
    tally = Tally()
    for collector in collectors.values():
        tally.merge(collector.settle())
    return Played(first, count, tally, rows)


def is_watched(job: Job, seed: int) -> bool:
    """Whether everything a game meets is counted, or only how it went and what became of things."""
    index = seed - job.first
    return job.bot != "random" or job.closely or index < WATCHED_FIRST or index % WATCHED_EVERY == 0


@lru_cache(maxsize=4)
def counted_game(job: Job) -> CountedGame:
    """The game of a job in this process."""
    program = CountedProgram(orjson.loads(job.document), dict(job.options), job.players, checked=job.checked)
    return CountedGame(program)


@lru_cache(maxsize=4)
def uses_game(job: Job) -> UsesGame:
    """The game of a job that is not watched closely."""
    program = UsesProgram(orjson.loads(job.document), dict(job.options), job.players, checked=job.checked)
    return UsesGame(program)


def play_one(job: Job, game: UsesGame, seed: int, explorer: Explorer | None = None) -> tuple[str, str]:
    """One game by its seed: its ending, or the error that broke it off."""
    game.reset(seed)
    if job.bot == "random":
        quick_random(game, seed)
    else:
        game.quick = None
        game.agent = explorer or bot(
            job.bot, seed, iterations=job.iterations, seconds=job.seconds, apart=job.apart
        )  # fmt: skip
    try:
        return game.run(job.chapter), ""
    except Fault as fault:
        where = f" at {fault.frames[-1].file}:{fault.frames[-1].line}" if fault.frames else ""
        return "error", f"{fault}{where}"


def details(game: CountedGame, seed: int, outcome: str, won: bool, error: str) -> dict[str, Any]:
    """One game in full, for a database."""
    tracks = [t["id"] for t in game.program.content["tracks"]]
    measures = [(m["id"], game.space[f"ME{n}"]) for n, m in enumerate(game.program.content["measures"])]
    return {
        "seed": seed,
        "outcome": outcome,
        "won": won,
        "decisions": len(game.log),
        "rounds": game.space["S"][game.layout.scalars["rounds"]],
        "error": error,
        "measures": {} if error else {name: measure() for name, measure in measures},
        "chapters": list(story_pages(game, tuple(game.pages))),
        "taken": [[point, game.option_name(point, key)] for point, key in game.taken],
        "things": [[name, came, acted] for name, (came, acted) in game.met_things().items()],
        "tracks": [
            [name, number, value]
            for name, values in zip(tracks, game.rounds, strict=True)
            for number, value in enumerate(values, 1)
        ],
    }
