"""What a mistake turned out to be."""

from __future__ import annotations

from talewright.schemas.records import record


@record(frozen=True)
class Change:
    """One edit of the draft: what stands between two offsets becomes another text."""

    start: int
    end: int
    text: str


@record(frozen=True)
class Verdict:
    """What a failure turned out to be: the code, what to say, where, and what would mend it."""

    code: str
    message: str
    help: str
    start: int
    end: int
    changes: tuple[Change, ...] = ()
    title: str = ""
    safe: bool = False
    label: tuple[int, int, str] | None = None
    reach: int = 0
    """How far the text is lost when nothing mends it; by default the line and its block."""
