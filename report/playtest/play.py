"""Plays the games of a playtest, here or in worker processes; the results do not depend on where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import lru_cache
from multiprocessing import get_all_start_methods, get_context
from time import perf_counter
from typing import Any

import orjson

from talewright.report.playtest.collect import CloseCollector, Collector, story_pages
from talewright.report.playtest.records import Job
from talewright.report.playtest.tally import Tally
from talewright.report.playtest.work import BLOCKS_AT_ONCE, Chunk, Played, Work
from talewright.runtime.bots import Explorer, bot, quick_random
from talewright.runtime.counting import CountedGame, CountedProgram, NotedGame, NotedProgram
from talewright.runtime.faults import Fault
from talewright.runtime.measuring import measured

# Counting everything costs time: in long runs of a quick bot, all of the first games and then some out of every so many are
# watched closely, which ones depending on nothing but their seeds.
WATCHED_FIRST = 1000
WATCHED = 64
OUT_OF = 2048
# From so many random games on the program is tuned first.
HURRIED_FROM = 300
# Chunks that wait in line for each worker, so that none has to wait for the next.
IN_LINE = 2

_here: Job | None = None


def play_all(job: Job, work: Work, jobs: int) -> Iterator[Played]:
    """Every chunk as it is done, in any order."""
    if jobs <= 1:
        while (chunk := work.take()) is not None:
            played = play_chunk(job, chunk)
            work.note(played)
            yield played
        return
    forks = "fork" in get_all_start_methods()
    if forks:
        # Workers begin as copies of this process: what is made ready here they need not make again.
        prepare(job)
    context = get_context("fork" if forks else "spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_begin, initargs=(job,)) as pool:
        waiting: set[Future[Played]] = set()
        try:
            while True:
                while len(waiting) < jobs * IN_LINE and (chunk := work.take()) is not None:
                    waiting.add(pool.submit(_play_here, chunk))
                if not waiting:
                    return
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    played = future.result()
                    work.note(played)
                    # The worker goes on before anything is done with what it brought.
                    if (chunk := work.take()) is not None:
                        waiting.add(pool.submit(_play_here, chunk))
                    yield played
        finally:
            for future in waiting:
                future.cancel()


def prepare(job: Job) -> None:
    """Makes the games of a job ready in this process."""
    counted_game(job)
    if job.bot == "random" and not job.closely and job.games > WATCHED_FIRST:
        noted_game(job)


def _begin(job: Job) -> None:
    global _here
    _here = job


def _play_here(chunk: Chunk) -> Played:
    assert _here is not None
    return play_chunk(_here, chunk)


def play_chunk(job: Job, chunk: Chunk) -> Played:
    """Games one after another."""
    begin = perf_counter()
    rows: list[dict[str, Any]] = []
    explorer = None
    if job.bot == "explore":
        explorer = Explorer(chunk.first, BLOCKS_AT_ONCE - 1)
        explorer.tried.update(chunk.tried or {})
    collectors: list[Collector] = []
    # A chunk without games of one sort needs no program for them.
    games: dict[bool, tuple[NotedGame, Collector]] = {}
    for seed in range(chunk.first, chunk.first + chunk.count):
        close = is_watched(job, seed)
        if close not in games:
            games[close] = _beginning(job, close)
            collectors.append(games[close][1])
        game, collector = games[close]
        outcome, error = play_one(job, game, seed, explorer)
        won = False
        if not error:
            try:
                won = collector.add(outcome)
            except Fault as fault:
                outcome, error = "error", told(fault)
        if error:
            collector.fail(seed, error)
        if job.details and isinstance(game, CountedGame):
            rows.append(details(game, seed, outcome, won, error))
    tally = Tally()
    for collector in collectors:
        tally.merge(collector.settle())
    if explorer is not None:
        before: dict[Any, int] = chunk.tried or {}
        fresh = {key: (n - before.get(key, 0)) // explorer.weight for key, n in explorer.tried.items()}
        tally.tried = Counter({key: n for key, n in fresh.items() if n})
    return Played(chunk.first, chunk.count, tally, rows, perf_counter() - begin)


def _beginning(job: Job, close: bool) -> tuple[NotedGame, Collector]:
    """A game and an empty account of games."""
    if close:
        counted = counted_game(job)
        return counted, CloseCollector(counted)
    game = noted_game(job)
    return game, Collector(game)


def is_watched(job: Job, seed: int) -> bool:
    """Whether everything a game meets is counted, or only how it went and ended."""
    index = seed - job.first
    return job.bot != "random" or job.closely or index < WATCHED_FIRST or index % OUT_OF < WATCHED


@lru_cache(maxsize=4)
def counted_game(job: Job) -> CountedGame:
    """The game of a job in this process."""
    program = CountedProgram(orjson.loads(job.document), dict(job.options), job.players, checked=job.checked)
    return CountedGame(program, hurried=_hurries(job))


@lru_cache(maxsize=4)
def noted_game(job: Job) -> NotedGame:
    """The game of a job that is not watched closely."""
    program = NotedProgram(orjson.loads(job.document), dict(job.options), job.players, checked=job.checked)
    return NotedGame(program)


def _hurries(job: Job) -> bool:
    """Whether so many games are played, and so little is thought in them, that tuning the program pays."""
    return job.bot == "random" and job.games >= HURRIED_FROM


def play_one(job: Job, game: NotedGame, seed: int, explorer: Explorer | None = None) -> tuple[str, str]:
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
        return "error", told(fault)


def told(fault: Fault) -> str:
    """An error of play with its place."""
    where = f" at {fault.frames[-1].file}:{fault.frames[-1].line}" if fault.frames else ""
    return f"{fault}{where}"


def details(game: CountedGame, seed: int, outcome: str, won: bool, error: str) -> dict[str, Any]:
    """One game in full, for a database."""
    tracks = [track.name for track in game.program.sampled]
    return {
        "seed": seed,
        "outcome": outcome,
        "won": won,
        "decisions": len(game.log),
        "rounds": game.space["S"][game.layout.scalars["rounds"]],
        "error": error,
        "measures": {} if error else measured(game),
        "chapters": list(story_pages(game, tuple(game.pages))),
        "taken": [[point, game.option_name(point, key)] for point, key in game.taken],
        "things": [[name, came, acted] for name, (came, acted) in game.met_things().items()],
        "tracks": [
            [name, number, value]
            for name, values in zip(tracks, game.rounds, strict=True)
            for number, stood in enumerate(values, 1)
            for value in (stood if isinstance(stood, list) else [stood])
            if value is not None
        ],
    }
