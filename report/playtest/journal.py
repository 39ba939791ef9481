"""A journal of a playtest: every batch of games as it is done, so that a run that was killed can go on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from talewright.report.playtest.play import Batch, Played
from talewright.report.playtest.records import Job
from talewright.report.playtest.tally import Tally, from_json, to_json

FORMAT = "talewright playtest journal"


class JournalError(Exception):
    """A journal cannot be gone on with, and why."""


def mark_of(job: Job) -> str:
    """What tells one job from another: whatever changes its games changes this."""
    parts = (
        job.options,
        job.players,
        job.bot,
        job.chapter,
        job.iterations,
        job.seconds,
        job.apart,
        job.checked,
        job.closely,
        job.first,
    )
    return sha256(job.document + repr(parts).encode()).hexdigest()[:24]


class Journal:
    """A file with one line for each batch."""

    def __init__(self, path: Path, job: Job) -> None:
        self.path = path
        self.mark = mark_of(job)
        self.done: set[int] = set()

    def begin(self) -> None:
        """A journal with nothing in it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(orjson.dumps({"format": FORMAT, "job": self.mark}) + b"\n")

    def resume(self) -> Tally:
        """What the journal holds; a last line cut short is dropped, a journal of another job refused."""
        tally = Tally()
        if not self.path.exists():
            self.begin()
            return tally
        lines = self.path.read_bytes().splitlines()
        head = _line(lines[0]) if lines else None
        if head is None or head.get("format") != FORMAT:
            raise JournalError(f"{self.path} is not the journal of a playtest")
        if head["job"] != self.mark:
            raise JournalError(
                f"{self.path} belongs to another playtest: the package, the bot or an option differs"
            )
        for line in lines[1:]:
            entry = _line(line)
            if entry is not None:
                self.done.update(
                    seed for first, count in entry["games"] for seed in range(first, first + count)
                )
                tally.merge(from_json(entry["tally"]))
        # One line for all: a journal does not grow with every resumption, and no half line stays.
        fresh = self.path.with_name(f"{self.path.name}.new")
        fresh.write_bytes(orjson.dumps(head) + b"\n" + _entry(_runs(self.done), tally))
        os.replace(fresh, self.path)
        return tally

    def add(self, played: Played) -> None:
        """Writes a batch down, at once."""
        with self.path.open("ab") as file:
            file.write(_entry([(played.first, played.count)], played.tally))
            file.flush()

    def missing(self, work: Iterable[Batch]) -> Iterator[Batch]:
        """The batches without the games that are done."""
        for first, count in work:
            if self.done.isdisjoint(range(first, first + count)):
                yield first, count
            else:
                yield from _runs({seed for seed in range(first, first + count) if seed not in self.done})

    def remove(self) -> None:
        """The run is complete: nothing is left to go on with."""
        self.path.unlink(missing_ok=True)


def _entry(games: list[Batch], tally: Tally) -> bytes:
    return orjson.dumps({"games": games, "tally": to_json(tally)}, option=orjson.OPT_NON_STR_KEYS) + b"\n"


def _line(data: bytes) -> dict[str, Any] | None:
    try:
        made = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return made if isinstance(made, dict) else None


def _runs(seeds: set[int]) -> list[Batch]:
    """Seeds as first and count of what follows without a gap."""
    made: list[Batch] = []
    for seed in sorted(seeds):
        if made and made[-1][0] + made[-1][1] == seed:
            made[-1] = (made[-1][0], made[-1][1] + 1)
        else:
            made.append((seed, 1))
    return made
