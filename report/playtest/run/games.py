"""Plays the games of a playtest, here or in worker processes; the results do not depend on where."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

import orjson

from talewright.report.playtest.run.chunks import BLOCKS_AT_ONCE, Chunk, Played, Work
from talewright.report.playtest.run.collector import CloseCollector, Collector, story_pages
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.run.watched_games import all_watched, is_watched
from talewright.report.playtest.run.workers import FORKS, Crew, Worker
from talewright.runtime.bots import Explorer, bot, quick_random
from talewright.runtime.counting import CountedGame, CountedProgram, NotedGame, NotedProgram
from talewright.runtime.faults import Fault
from talewright.runtime.measuring import measured
from talewright.schemas.garbage import no_collection

# From so many random games on the program is tuned first.
HURRIED_FROM = 300
# Chunks that a worker of a quick bot has at most, so that it need not wait for the next.
IN_LINE = 2
# How much longer a game takes that is watched closely.
CLOSELY = 1.4


def play_all(job: Job, work: Work, jobs: int) -> Iterator[Played]:
    """Every chunk as it is done, in any order."""
    if jobs <= 1:
        while (chunk := work.take()) is not None:
            played = play_chunk(job, chunk)
            work.note(played)
            yield played
        return
    with Crew() as crew:
        parts = _hired(crew, job, work, jobs)
        while True:
            _feed(parts)
            if not any(worker.pending for worker in parts):
                return
            for worker, played in crew.brought():
                parts[worker].note(played)
                # The worker goes on before anything is done with what it brought.
                _feed(parts)
                if not worker.pending and not parts[worker].left and work.left:
                    _move(crew, parts, worker, work, job)
                yield played


def _hired(crew: Crew, job: Job, work: Work, jobs: int) -> dict[Worker, Work]:
    """Workers and what they work at. Games that are watched closely are played by some of them alone, because they need a
    program of their own: that is made there while the program of the other games is made here."""
    play = partial(play_chunk, job)
    close = work.watched()
    if close is None:
        if FORKS:
            prepare(job)
        return dict.fromkeys(crew.hire(play, jobs), work)
    share = close.left * CLOSELY / (close.left * CLOSELY + work.left)
    few = min(jobs - 1, max(1, round(jobs * share)))
    parts = dict.fromkeys(crew.hire(play, few), close)
    _feed(parts)
    if FORKS:
        noted_game(job)
    return {**parts, **dict.fromkeys(crew.hire(play, jobs - few), work)}


def _feed(parts: dict[Worker, Work]) -> None:
    """Whoever has the least gets the next chunk, until nobody wants more or there is none."""
    for length in range(IN_LINE):
        for worker, work in parts.items():
            if worker.pending == length and (not length or work.quick) and (chunk := work.take()) is not None:
                worker.give(chunk)


def _move(crew: Crew, parts: dict[Worker, Work], worker: Worker, work: Work, job: Job) -> None:
    """A worker whose part is done helps with the rest: another in its place, where that finds the program ready."""
    del parts[worker]
    if FORKS:
        crew.dismiss(worker)
        worker = crew.hire(partial(play_chunk, job))[0]
    parts[worker] = work
    _feed(parts)


def prepare(job: Job) -> None:
    """Makes the games of a job ready in this process."""
    counted_game(job)
    if not all_watched(job):
        noted_game(job)


def play_chunk(job: Job, chunk: Chunk) -> Played:
    """Games one after another."""
    begin = perf_counter()
    rows: list[dict[str, Any]] = []
    explorer = None
    if job.bot == "explore":
        explorer = Explorer(chunk.runs[0][0], BLOCKS_AT_ONCE - 1)
        explorer.tried.update(chunk.tried or {})
    collectors: list[Collector] = []
    # A chunk without games of one sort needs no program for them.
    games: dict[bool, tuple[NotedGame, Collector]] = {}
    for seed in (seed for first, count in chunk.runs for seed in range(first, first + count)):
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
    return Played(chunk.runs, tally, rows, perf_counter() - begin)


def _beginning(job: Job, close: bool) -> tuple[NotedGame, Collector]:
    """A game and an empty account of games."""
    if close:
        counted = counted_game(job)
        return counted, CloseCollector(counted)
    game = noted_game(job)
    return game, Collector(game)


@lru_cache(maxsize=4)
def counted_program(job: Job) -> CountedProgram:
    """The program that counts everything."""
    with no_collection():
        return CountedProgram(
            orjson.loads(job.document), dict(job.options), job.players, checked=job.checked
        )  # fmt: skip


@lru_cache(maxsize=4)
def counted_game(job: Job) -> CountedGame:
    """The game of a job in this process."""
    program = counted_program(job)
    with no_collection():
        return CountedGame(program, hurried=_hurries(job))


@lru_cache(maxsize=4)
def noted_game(job: Job) -> NotedGame:
    """The game of a job that is not watched closely."""
    with no_collection():
        program = NotedProgram(
            orjson.loads(job.document), dict(job.options), job.players, checked=job.checked
        )  # fmt: skip
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
