"""What is kept of each game of a playtest."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class GameRecord:
    """One finished or failed game."""

    seed: int
    outcome: str
    won: bool
    decisions: int
    rounds: int
    tracks: dict[str, int] = field(default_factory=dict)
    measures: dict[str, Any] = field(default_factory=dict)
    chapters: tuple[str, ...] = ()
    error: str = ""
    save: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """What to play: a document under options with so many players, by a bot."""

    document: bytes
    options: tuple[tuple[str, Any], ...]
    players: int | None
    bot: str
    chapter: str | None = None
