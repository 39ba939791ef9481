"""Plays the games of a playtest, here or in worker processes; the results do not depend on where."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import lru_cache
from multiprocessing import get_context
from typing import Any

import orjson

from talewright.report.playtest.records import GameRecord, Job
from talewright.runtime.bots import bot, quick_random
from talewright.runtime.faults import Fault
from talewright.runtime.game import Game
from talewright.runtime.program import Program

WINNING = ("victory", "win", "won", "success")


def play_all(job: Job, first: int, games: int, jobs: int) -> Iterator[GameRecord]:
    """Every game with its own seed, in the order of the seeds when there is one job."""
    if jobs <= 1:
        for seed in range(first, first + games):
            yield play_one(job, seed)
        return
    chunk = max(1, min(200, games // (jobs * 4) or 1))
    starts = list(range(first, first + games, chunk))
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn" if os.name == "nt" else "fork")) as pool:
        waiting: set[Future[list[GameRecord]]] = set()
        queue = iter(starts)
        for start in queue:
            waiting.add(pool.submit(_chunk, job, start, min(chunk, first + games - start)))
            if len(waiting) >= jobs * 2:
                break
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield from future.result()
                start_next = next(queue, None)
                if start_next is not None:
                    waiting.add(pool.submit(_chunk, job, start_next, min(chunk, first + games - start_next)))


def _chunk(job: Job, first: int, count: int) -> list[GameRecord]:
    return [play_one(job, seed) for seed in range(first, first + count)]


@lru_cache(maxsize=4)
def _game(job: Job) -> Game:
    program = Program(orjson.loads(job.document), dict(job.options), job.players)
    return Game(program)


def play_one(job: Job, seed: int) -> GameRecord:
    """One game by its seed."""
    game = _game(job)
    game.reset(seed)
    if job.bot == "random":
        quick_random(game, seed)
    else:
        game.quick = None
        game.agent = bot(job.bot, seed)
    try:
        outcome = game.run(job.chapter)
        error = ""
    except Fault as fault:
        where = f" at {fault.frames[-1].file}:{fault.frames[-1].line}" if fault.frames else ""
        outcome, error = "error", f"{fault}{where}"
    return record(game, seed, outcome, error)


def record(game: Game, seed: int, outcome: str, error: str) -> GameRecord:
    """What is kept of the game that has just ended."""
    layout, space = game.layout, game.space
    state = space["S"]
    tracks = {t["id"]: state[layout.scalars[f"track:{t['id']}"]] for t in game.program.content["tracks"]}
    measures: dict[str, Any] = {}
    if not error:
        for index, measure in enumerate(game.program.content["measures"]):
            measures[measure["id"]] = space[f"ME{index}"]()
    return GameRecord(
        seed, outcome, _won(game, outcome), len(game.log), state[layout.scalars["rounds"]], tracks, measures, (), error
    )


def _won(game: Game, outcome: str) -> bool:
    number = game.layout.number.get(outcome)
    if number is None:
        return False
    result = game.late_field(number, "result")
    return isinstance(result, str) and any(word in result for word in WINNING)
