"""Which games of a playtest are watched closely: in long runs of a quick bot not all, because counting everything takes time."""

from __future__ import annotations

from collections.abc import Iterable

from talewright.report.playtest.run.job import Job

# All of the first games and then some out of every so many, which ones depending on nothing but their seeds.
WATCHED_FIRST = 1000
WATCHED = 64
OUT_OF = 2048

# Games one after another: the seed of the first, and how many.
Batch = tuple[int, int]


def all_watched(job: Job) -> bool:
    """Whether everything is counted in every game."""
    return job.bot != "random" or job.closely or job.games <= WATCHED_FIRST


def is_watched(job: Job, seed: int) -> bool:
    """Whether everything a game meets is counted, or only how it went and ended."""
    index = seed - job.first
    return job.bot != "random" or job.closely or index < WATCHED_FIRST or index % OUT_OF < WATCHED


def parted(job: Job, runs: Iterable[Batch]) -> tuple[list[Batch], list[Batch]]:
    """Runs of games as those that are watched closely, and the others."""
    watched: list[Batch] = []
    others: list[Batch] = []
    for first, count in runs:
        last = first + count
        while first < last:
            close = is_watched(job, first)
            end = last if job.bot != "random" or job.closely else min(last, _change(job, first))
            (watched if close else others).append((first, end - first))
            first = end
    return watched, others


def _change(job: Job, seed: int) -> int:
    """The first game after this one that may be of the other sort."""
    index = seed - job.first
    if index < WATCHED_FIRST:
        return job.first + WATCHED_FIRST
    block = index - index % OUT_OF
    return job.first + block + (WATCHED if index % OUT_OF < WATCHED else OUT_OF)
