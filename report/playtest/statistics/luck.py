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

from talewright.report.playtest.run.engine_counts import CHOICES
from talewright.report.playtest.run.games import counted_games, counted_program
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.tally import Tally
from talewright.report.playtest.run.workers import FORKS, spread
from talewright.report.playtest.statistics.estimates import rate
from talewright.schemas.records import replace

# Far from the seeds that people use, so that a varied game never equals an ordinary one.
FAR = 2**40
IN_A_BATCH = 20


def luck(job: Job, streams: Sequence[str], first: int, games: int, jobs: int = 1) -> dict[str, Any]:
    """What each stream, and the choices as a whole, change in so many games played at random."""
    names = [*sorted(streams), CHOICES]
    turned: Counter[Any] = Counter()
    batches = [
        (start, min(IN_A_BATCH, first + games - start)) for start in range(first, first + games, IN_A_BATCH)
    ]
    # Whatever the bot: only choices by chance can be drawn anew.
    job = replace(job, bot="random")
    if FORKS:
        counted_program(job)
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
    games = counted_games(job)
    first, count = batch
    for seed in range(first, first + count):
        outcome, won = games.play_varied(seed, "", seed)
        turned["won"] += won
        for name in names:
            other, other_won = games.play_varied(seed, name, seed + FAR)
            turned["outcome", name] += other != outcome
            turned["result", name] += other_won != won
    # These games do not count for coverage.
    games.read_out()
    games.tally = Tally()
    return turned
