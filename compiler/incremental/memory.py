"""What earlier runs worked out, in the memory of a process that goes on: each entry by itself, for as long as it is in use."""

from __future__ import annotations

from typing import Any

from talewright.compiler.incremental.cache import Store
from talewright.dsl.remembered import Remembered

# What so many runs have not asked for is thrown away. Until then, an edit can be taken back at no cost.
MAX_IDLE = 50


class MemoryStore(Store):
    """Values by key, for as long as the process lives. Nobody changes a value that was saved."""

    written = False

    def __init__(self) -> None:
        # Each value with the run that last asked for it; those not asked for longest come first.
        self._kept: dict[str, tuple[int, Any]] = {}
        self._run = 0
        self.remembered = Remembered()

    def load(self, key: str) -> Any:
        """What was saved under a key, or none."""
        found = self._kept.pop(key, None)
        if found is None:
            return None
        self.save(key, found[1])
        return found[1]

    def save(self, key: str, value: Any) -> bool:
        """Keeps a value."""
        self._kept.pop(key, None)
        self._kept[key] = self._run, value
        return True

    def tidy(self) -> None:
        """Ends a run: throws away what has not been asked for in many of them."""
        self._run += 1
        while self._kept:
            key = next(iter(self._kept))
            if self._run - self._kept[key][0] <= MAX_IDLE:
                break
            del self._kept[key]
