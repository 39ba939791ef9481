"""What is kept of each game of a playtest, and what is to be played."""

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


@dataclass(frozen=True, slots=True)
class Job:
    """What to play: a document under options with so many players, by a bot."""

    document: bytes
    options: tuple[tuple[str, Any], ...]
    players: int | None
    bot: str
    chapter: str | None = None
    iterations: int = 0
    seconds: float = 0.0
    apart: bool = False
    details: bool = False
    checked: bool = False
    first: int = 1
