"""Sums over many games: whole numbers only, so that the order of the games does not matter."""

from __future__ import annotations

from collections import Counter
from typing import Any

from talewright.schemas.records import field, record

FAILURES_KEPT = 20

Counts = Counter[Any]


@record
class Tally:
    """Sums over games. Every part is a counter whose keys are texts or tuples of texts and numbers.

    What is in `seen` was seen; how often depends on how games were handed out.
    """

    games: int = 0
    errors: int = 0
    wins: int = 0
    watched: int = 0
    watched_wins: int = 0
    outcomes: Counts = field(default_factory=Counter)
    decisions: Counts = field(default_factory=Counter)
    rounds: Counts = field(default_factory=Counter)
    tracks: Counts = field(default_factory=Counter)
    track_rounds: Counts = field(default_factory=Counter)
    measures: Counts = field(default_factory=Counter)
    visits: Counts = field(default_factory=Counter)
    chapter_games: Counts = field(default_factory=Counter)
    chapter_outcomes: Counts = field(default_factory=Counter)
    last_chapters: Counts = field(default_factory=Counter)
    edges: Counts = field(default_factory=Counter)
    hits: Counts = field(default_factory=Counter)
    hit_games: Counts = field(default_factory=Counter)
    seen: Counts = field(default_factory=Counter)
    came: Counts = field(default_factory=Counter)
    acted: Counts = field(default_factory=Counter)
    thing_games: Counts = field(default_factory=Counter)
    thing_wins: Counts = field(default_factory=Counter)
    offered: Counts = field(default_factory=Counter)
    taken: Counts = field(default_factory=Counter)
    taken_wins: Counts = field(default_factory=Counter)
    option_games: Counts = field(default_factory=Counter)
    streams: Counts = field(default_factory=Counter)
    stream_games: Counts = field(default_factory=Counter)
    tried: Counts = field(default_factory=Counter)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def merge(self, other: Tally) -> None:
        """Adds another tally to this one."""
        for name in self.__match_args__:
            mine, theirs = getattr(self, name), getattr(other, name)
            if isinstance(mine, Counter):
                mine.update(theirs)
            elif isinstance(mine, int):
                setattr(self, name, mine + theirs)
        self.failures = sorted([*self.failures, *other.failures], key=_seed)[:FAILURES_KEPT]


def _seed(failure: dict[str, Any]) -> int:
    return int(failure["seed"])


def to_json(tally: Tally) -> dict[str, Any]:
    """A tally as plain data."""
    made: dict[str, Any] = {}
    for name in tally.__match_args__:
        value = getattr(tally, name)
        made[name] = [[key, times] for key, times in value.items()] if isinstance(value, Counter) else value
    return made


def from_json(data: dict[str, Any]) -> Tally:
    """A tally from plain data."""
    tally = Tally()
    for name in tally.__match_args__:
        value = data[name]
        if isinstance(getattr(tally, name), Counter):
            value = Counter({tuple(key) if isinstance(key, list) else key: times for key, times in value})
        setattr(tally, name, value)
    return tally
