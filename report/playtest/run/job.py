"""What a playtest is to play."""

from __future__ import annotations

from typing import Any

from talewright.schemas.records import record


@record(frozen=True)
class Job:
    """What to play: a document under options with so many players, by a bot."""

    document: bytes
    options: tuple[tuple[str, Any], ...]
    players: int | None
    bot: str
    chapter: str | None = None
    iterations: int = 0
    apart: bool = False
    details: bool = False
    checked: bool = False
    first: int = 1
    games: int = 1
