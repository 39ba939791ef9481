"""A journal of a playtest: every batch of games as it is done, so that a run that was killed can go on."""

from __future__ import annotations

import itertools
import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from talewright.report.playtest.run.chunks import Batch, Played, Tried
from talewright.report.playtest.run.job import Job
from talewright.report.playtest.run.tally import Tally, from_json, to_json
from talewright.schemas.records import record

FORMAT = "talewright playtest journal"
# A journal longer than this is written anew as one line.
LONGEST = 16_000_000


class JournalError(Exception):
    """A journal cannot be gone on with, and why."""


def mark_of(job: Job) -> str:
    """A digest of a job: it changes with everything that changes the games."""
    parts = (
        job.options,
        job.players,
        job.bot,
        job.chapter,
        job.iterations,
        job.apart,
        job.checked,
        job.first,
    )
    return sha256(job.document + repr(parts).encode()).hexdigest()[:24]


@record(frozen=True)
class Leftover:
    """How many games a journal holds, and whether they are games of the same job."""

    games: int
    same: bool


class Journal:
    """A file with one line for each chunk of games."""

    def __init__(self, path: Path, job: Job) -> None:
        self.path = path
        self.mark = mark_of(job)
        self.done: list[Batch] = []
        # What explorers tried, by the first game of a block: later blocks build on it, so those lines stay apart.
        self.tried: list[tuple[int, Tried]] = []
        self._apart = job.bot == "explore"
        self._size = 0

    def leftover(self) -> Leftover | None:
        """What a run that was stopped left in the journal, if it left any game."""
        try:
            with self.path.open("rb") as file:
                first = file.readline()
                head = _line(first)
                if first and (head is None or head.get("format") != FORMAT):
                    raise JournalError(f"{self.path} is not the journal of a playtest: it is left alone")
                whole = (_line(line) for line in file if line.endswith(b"\n"))
                games = sum(count for entry in whole if entry is not None for _, count in entry["games"])
        except FileNotFoundError:
            return None
        return Leftover(games, head["job"] == self.mark) if head is not None and games else None

    def put_aside(self) -> Path:
        """Gives the journal of another run a name that is free."""
        names = (self.path.with_name(f"{self.path.name}.old{n or ''}") for n in itertools.count())
        aside = next(name for name in names if not name.exists())
        self.path.rename(aside)
        return aside

    def begin(self) -> None:
        """A journal with nothing in it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_bytes(self._head())
        self._size = 0

    def _head(self) -> bytes:
        return orjson.dumps({"format": FORMAT, "job": self.mark}) + b"\n"

    def resume(self) -> Tally:
        """What the journal holds; a last line cut short is dropped, a journal of another job refused."""
        tally = Tally()
        if not self.path.exists():
            self.begin()
            return tally
        kept: list[bytes] = []
        with self.path.open("rb") as file:
            head = _line(file.readline())
            if head is None or head.get("format") != FORMAT:
                raise JournalError(f"{self.path} is not the journal of a playtest")
            if head["job"] != self.mark:
                raise JournalError(
                    f"{self.path} belongs to another playtest: the package, the bot or an option differs"
                )
            for line in file:
                entry = _line(line) if line.endswith(b"\n") else None
                if entry is None:
                    continue
                games = [(int(first), int(count)) for first, count in entry["games"]]
                self.done += games
                played = from_json(entry["tally"])
                tally.merge(played)
                if self._apart:
                    kept.append(line)
                    self.tried.append((games[0][0], played.tried))
        self.done = _joined(self.done)
        self._rewrite(kept or [_entry(self.done, tally)])
        return tally

    def _rewrite(self, lines: list[bytes]) -> None:
        """Rewrites the journal as few lines, without a last line that was cut short."""
        fresh = self.path.with_name(f"{self.path.name}.new")
        with fresh.open("wb") as file:
            file.write(self._head())
            file.writelines(lines)
        os.replace(fresh, self.path)
        self._size = 0

    def add(self, played: Played, whole: Tally) -> None:
        """Writes a chunk down, at once; `whole` is what all games add up to, this chunk with them."""
        self.done = _joined([*self.done, *played.runs])
        line = _entry(played.runs, played.tally)
        self._size += len(line)
        if self._size > LONGEST and not self._apart:
            self._rewrite([_entry(self.done, whole)])
            return
        with self.path.open("ab") as file:
            file.write(line)

    def missing(self, first: int, games: int) -> list[Batch]:
        """The runs of games that are not done."""
        made: list[Batch] = []
        last = first + games
        for begin, count in self.done:
            if begin > first:
                made.append((first, min(begin, last) - first))
            first = max(first, begin + count)
            if first >= last:
                break
        if first < last:
            made.append((first, last - first))
        return [run for run in made if run[1] > 0]

    def remove(self) -> None:
        """The run is complete: nothing is left to go on with."""
        self.path.unlink(missing_ok=True)


def _entry(games: Sequence[Batch], tally: Tally) -> bytes:
    return orjson.dumps({"games": games, "tally": to_json(tally)}, option=orjson.OPT_NON_STR_KEYS) + b"\n"


def _line(data: bytes) -> dict[str, Any] | None:
    try:
        made = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None
    return made if isinstance(made, dict) else None


def _joined(runs: list[Batch]) -> list[Batch]:
    """Runs of games in order, those that follow each other without a gap as one."""
    made: list[Batch] = []
    for first, count in sorted(runs):
        if made and made[-1][0] + made[-1][1] >= first:
            made[-1] = (made[-1][0], max(made[-1][1], first + count - made[-1][0]))
        else:
            made.append((first, count))
    return made
