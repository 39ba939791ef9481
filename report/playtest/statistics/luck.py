"""How much each stream of chance decides: the same games again, with one stream drawn anew.

The share of a stream is the total effect of variance analysis: the chance that drawing it anew turns a
win into a loss or back, over that chance for two games that have nothing in common. Shares can add up to
more than one, because streams that decide only together each count in full.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

from talewright.report.playtest.run.games import counted_game
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.workers import FORKS, spread
from talewright.report.playtest.statistics.estimates import rate
from talewright.runtime.bots import quick_random
from talewright.runtime.faults import Fault
from talewright.runtime.winning import has_won

CHOICES = "choices"
# Far from the seeds that people use, so that no varied game is another game's own.
FAR = 2**40
IN_A_BATCH = 20


def luck(job: Job, streams: Sequence[str], first: int, games: int, jobs: int = 1) -> dict[str, Any]:
    """What each stream, and the choices as a whole, change in so many games played at random."""
    names = [*sorted(streams), CHOICES]
    turned: Counter[Any] = Counter()
    batches = [
        (start, min(IN_A_BATCH, first + games - start)) for start in range(first, first + games, IN_A_BATCH)
    ]
    if FORKS:
        counted_game(job)
    for made in spread(partial(_varied, job, names), batches, jobs):
        turned.update(made)
    won = turned["won"] / games
    apart = 2 * won * (1 - won)
    return {
        "games": games,
        "streams": {
            name: {
                "other_result": rate(turned["result", name], games),
                "other_outcome": rate(turned["outcome", name], games),
                "share": turned["result", name] / games / apart if apart else None,
            }
            for name in names
        },
    }


def _varied(job: Job, names: Sequence[str], batch: tuple[int, int]) -> Counter[Any]:
    turned: Counter[Any] = Counter()
    first, count = batch
    for seed in range(first, first + count):
        outcome, won = _play(job, seed, "")
        turned["won"] += won
        for name in names:
            other, other_won = _play(job, seed, name)
            turned["outcome", name] += other != outcome
            turned["result", name] += other_won != won
    return turned


def _play(job: Job, seed: int, varied: str) -> tuple[str, bool]:
    game = counted_game(job)
    game.varied = (varied, seed + FAR)
    game.reset(seed)
    game.varied = ("", 0)
    quick_random(game, seed + FAR if varied == CHOICES else seed)
    try:
        outcome = game.run(job.chapter)
    except Fault:
        return "error", False
    finally:
        game.drop()
    return outcome, has_won(game, outcome)
