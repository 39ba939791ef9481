"""What earlier runs worked out, in the memory of a process that goes on: each entry by itself, the oldest go first."""

from __future__ import annotations

from typing import Any

from talewright.compiler.incremental.cache import Store
from talewright.dsl.remembered import Remembered

MAX_KEPT = 3000


class MemoryStore(Store):
    """Values by key, for as long as the process lives. Nobody changes a value that was saved."""

    written = False

    def __init__(self) -> None:
        self._kept: dict[str, Any] = {}
        self.remembered = Remembered()

    def load(self, key: str) -> Any:
        """What was saved under a key, or none."""
        found = self._kept.pop(key, None)
        if found is not None:
            self._kept[key] = found  # now the youngest
        return found

    def save(self, key: str, value: Any) -> bool:
        """Keeps a value."""
        self._kept.pop(key, None)
        self._kept[key] = value
        return True

    def tidy(self) -> None:
        """Throws away what has not been asked for longest."""
        while len(self._kept) > MAX_KEPT:
            del self._kept[next(iter(self._kept))]
