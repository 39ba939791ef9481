"""Hands out games in chunks; the size of a chunk never changes a result.

Chunks are sized by time: a few games at first, then about half a second's worth, fewer towards the end, so that all workers are
done at the same time, but never so few that handing them out would show. Those of explorers are always the same, because an
explorer remembers: every block of games knows what was tried in all earlier generations of blocks, wherever they were played.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import Any

from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.tally import Tally
from talewright.schemas.records import field, record

# Games one after another: the seed of the first, and how many.
Batch = tuple[int, int]
# What explorers have tried: decision, option and face, with the number of times.
Tried = Counter[Any]

SECONDS = 0.5
LEAST_SECONDS = 0.02
FIRST_CHUNK = 64
MOST = 20_000
MOST_RUNS = 200
BLOCK = 25
BLOCKS_AT_ONCE = 8


@record
class Played:
    """A chunk of games that is done: which, what they add up to, how long they took."""

    runs: tuple[Batch, ...]
    tally: Tally
    rows: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def count(self) -> int:
        """How many games they are."""
        return sum(count for _, count in self.runs)


@record(frozen=True)
class Chunk:
    """Games to be played one after another, and what their explorer knows already."""

    runs: tuple[Batch, ...]
    tried: Tried | None = None


class Work:
    """The seeds that are left."""

    def __init__(self, job: Job, runs: Iterable[Batch], jobs: int = 1) -> None:
        self._job = job
        self._runs = deque(run for run in runs if run[1] > 0)
        self.left = sum(count for _, count in self._runs)
        self._jobs = jobs
        # Whether a worker may have a chunk in line while it plays another.
        self.quick = job.bot == "random"
        self._seconds = 0.0
        self._games = 0

    def take(self) -> Chunk | None:
        """The next chunk; none if there is none, or none yet."""
        size = min(self.left, self._size())
        runs: list[Batch] = []
        while size and len(runs) < MOST_RUNS:
            first, count = self._runs.popleft()
            if count > size:
                self._runs.appendleft((first + size, count - size))
                count = size
            runs.append((first, count))
            size -= count
            self.left -= count
        return Chunk(tuple(runs)) if runs else None

    def _size(self) -> int:
        fair = self.left // (3 * self._jobs) if self._jobs > 1 else MOST
        if not self._games:
            return max(1, min(FIRST_CHUNK, fair)) if self.quick else 1
        pace = self._games / max(self._seconds, 1e-6)
        return max(1, min(int(SECONDS * pace), max(fair, int(LEAST_SECONDS * pace)), MOST))

    def note(self, played: Played) -> None:
        """A chunk is done."""
        # Recent chunks count most: the first ones may have waited for a program.
        self._seconds = self._seconds / 2 + played.seconds
        self._games = self._games // 2 + played.count


class ExploringWork(Work):
    """Games of an explorer in blocks; a generation of blocks begins when the one before is done."""

    def __init__(
        self, job: Job, runs: Iterable[Batch], done: Iterable[tuple[int, Tried]] = (), jobs: int = 1
    ) -> None:
        super().__init__(job, (), jobs)
        self._start = job.first
        self._tried: Tried = Counter()
        self._fresh: dict[int, Tried] = {}
        for first, tried in done:
            self._fresh.setdefault(self._generation(first), Counter()).update(tried)
        self._blocks = deque(_blocks(runs, job.first))
        self._running = 0
        self._now = -1

    def _generation(self, first: int) -> int:
        return (first - self._start) // (BLOCK * BLOCKS_AT_ONCE)

    def take(self) -> Chunk | None:
        if not self._blocks:
            return None
        first, count = self._blocks[0]
        generation = self._generation(first)
        if generation != self._now:
            if self._running:
                return None
            self._now = generation
            for earlier in sorted(g for g in self._fresh if g < generation):
                self._tried.update(self._fresh.pop(earlier))
        self._blocks.popleft()
        self._running += 1
        return Chunk(((first, count),), self._tried.copy())

    def note(self, played: Played) -> None:
        self._running -= 1
        known = self._fresh.setdefault(self._generation(played.runs[0][0]), Counter())
        known.update(played.tally.tried)


def _blocks(runs: Iterable[Batch], start: int) -> Iterable[Batch]:
    for first, count in runs:
        while count > 0:
            size = min(count, BLOCK - (first - start) % BLOCK)
            yield first, size
            first, count = first + size, count - size


def work_of(job: Job, runs: Iterable[Batch], jobs: int = 1, done: Iterable[tuple[int, Tried]] = ()) -> Work:
    """The work of a job: runs of seeds to play, and what explorers tried in those that are done."""
    return ExploringWork(job, runs, done, jobs) if job.bot == "explore" else Work(job, runs, jobs)
