"""One syntax error as a value: its message, page and tests are made from it."""

from __future__ import annotations

from collections.abc import Callable

from talewright.dsl.diagnostics import Severity
from talewright.schemas.records import record


@record(frozen=True)
class Mistake:
    """A syntax error: why it is one, a bad sample (found on `line`) and a good one.

    A sample too large to show is abridged; `enlarged` makes the real one.
    """

    code: str
    name: str
    severity: Severity
    why: str
    bad: str
    good: str
    line: int = 1
    enlarged: Callable[[], str] | None = None

    def sample(self) -> str:
        """The bad sample in full."""
        return self.enlarged() if self.enlarged is not None else self.bad
