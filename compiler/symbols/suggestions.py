"""`did you mean ...?`: the known name that looks most like a wrong one."""

from __future__ import annotations

from collections.abc import Iterable

from talewright.dsl.closest_word import alike

_ALIKE = 0.7
# If a whole package is missing, comparing each wrong name with each known one would be slow, and
# nobody reads hints by the hundred.
_MOST = 200


class Guesses:
    """Finds close names, and stops when there are too many wrong ones."""

    def __init__(self) -> None:
        self._left = _MOST

    def closest(self, wrong: str, known: Iterable[str]) -> str | None:
        """The known name closest to a wrong one, if any is close."""
        if self._left <= 0:
            return None
        self._left -= 1
        names = sorted(set(known))
        close = alike(wrong, names, _ALIKE)
        if close:
            return close
        # In a short word two swapped letters already make half of it different.
        letters = sorted(wrong)
        return next((name for name in names if len(name) == len(wrong) and sorted(name) == letters), None)
