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

from talewright.report.playtest.records import GameRecord, Job
from talewright.report.playtest.tally import Tally
from talewright.runtime.bots import Explorer, bot, quick_random
from talewright.runtime.counting import CountedGame, CountedProgram, PagedGame
from talewright.runtime.faults import Fault
from talewright.runtime.program import Program
from talewright.runtime.winning import has_won

# An explorer remembers what it tried within a batch of so many games, wherever the batch is played.
EXPLORED_TOGETHER = 100
MOST_IN_A_BATCH = 200
# Counting what is met costs time: in long runs of a quick bot, all of the first games and every so many of the rest are
# watched closely, which ones depending on nothing but their seeds.
WATCHED_FIRST = 1000
WATCHED_EVERY = 16

Batch = tuple[int, int]
Turning = CountedGame | PagedGame


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
    played = Played(first, count, Tally())
    explorer = Explorer(first) if job.bot == "explore" else None
    for seed in range(first, first + count):
        game = counted_game(job) if is_watched(job, seed) else paged_game(job)
        record = play_one(job, game, seed, explorer)
        played.tally.add(game, record)
        if record.error:
            played.tally.failures[-1]["choices"] = [index for _, index in game.log]
        if isinstance(game, CountedGame) and job.details:
            played.rows.append(details(game, record))
    if played.tally.watched:
        played.tally.settle(counted_game(job))
    return played


def is_watched(job: Job, seed: int) -> bool:
    """Whether everything a game meets is counted, or only how it went."""
    index = seed - job.first
    return job.bot != "random" or job.details or index < WATCHED_FIRST or index % WATCHED_EVERY == 0


@lru_cache(maxsize=4)
def counted_game(job: Job) -> CountedGame:
    """The game of a job in this process."""
    program = CountedProgram(orjson.loads(job.document), dict(job.options), job.players, checked=job.checked)
    return CountedGame(program)


@lru_cache(maxsize=4)
def paged_game(job: Job) -> PagedGame:
    """The game of a job that is not watched closely."""
    program = Program(orjson.loads(job.document), dict(job.options), job.players, checked=job.checked)
    return PagedGame(program)


def play_one(job: Job, game: Turning, seed: int, explorer: Explorer | None = None) -> GameRecord:
    """One game by its seed."""
    game.reset(seed)
    if job.bot == "random":
        quick_random(game, seed)
    else:
        game.quick = None
        game.agent = explorer or bot(
            job.bot, seed, iterations=job.iterations, seconds=job.seconds, apart=job.apart
        )  # fmt: skip
    try:
        outcome = game.run(job.chapter)
        error = ""
    except Fault as fault:
        where = f" at {fault.frames[-1].file}:{fault.frames[-1].line}" if fault.frames else ""
        outcome, error = "error", f"{fault}{where}"
    return record_of(game, seed, outcome, error)


def record_of(game: Turning, seed: int, outcome: str, error: str) -> GameRecord:
    """What is kept of the game that has just ended."""
    layout, space = game.layout, game.space
    state = space["S"]
    tracks = {t["id"]: state[layout.scalars[f"track:{t['id']}"]] for t in game.program.content["tracks"]}
    measures: dict[str, Any] = {}
    if not error:
        for index, measure in enumerate(game.program.content["measures"]):
            measures[measure["id"]] = space[f"ME{index}"]()
    return GameRecord(
        seed=seed,
        outcome=outcome,
        won=has_won(game, outcome),
        decisions=len(game.log),
        rounds=state[layout.scalars["rounds"]],
        tracks=tracks,
        measures=measures,
        chapters=story_pages(game),
        error=error,
    )


def story_pages(game: Turning) -> tuple[str, ...]:
    """The pages of a game in order; one entered twice without leaving it counts once."""
    made: list[str] = []
    for number, page in enumerate(game.pages):
        name = game.layout.things[page].id
        # The first page is set before the game begins, and then played.
        if number != 1 or made[0] != name:
            made.append(name)
    return tuple(made)


def details(game: CountedGame, record: GameRecord) -> dict[str, Any]:
    """One game in full, for a database."""
    things = game.layout.things
    met: dict[str, list[int]] = {}
    for place, counted in enumerate((game.came, game.acted)):
        for number, times in counted.items():
            met.setdefault(things[number].sort, [0, 0])[place] += times
    tracks = [t["id"] for t in game.program.content["tracks"]]
    return {
        "seed": record.seed,
        "outcome": record.outcome,
        "won": record.won,
        "decisions": record.decisions,
        "rounds": record.rounds,
        "error": record.error,
        "measures": dict(record.measures),
        "chapters": list(record.chapters),
        "taken": [[point, game.option_name(point, key)] for point, key in game.taken],
        "things": [[name, came, acted] for name, (came, acted) in met.items()],
        "tracks": [
            [name, number, value]
            for number, values in enumerate(game.rounds, 1)
            for name, value in zip(tracks, values, strict=True)
        ],
    }
