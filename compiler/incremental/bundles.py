"""Entries of the cache that are asked for together lie together: one file is read quicker than a hundred.

A bundle is written when it has grown old, that is when many of its entries are new; between, each new entry is a
file of its own. So a run after a small change reads one large file and writes a few small ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from talewright.compiler.incremental.cache import Store, digest

# A bundle is written anew when more than one entry in so many is not in it.
_RARE = 8
_BESIDE = "beside"


class Bundle:
    """Values by key: those of a bundle, and whatever was kept apart since it was written."""

    def __init__(self, store: Store, *name: str) -> None:
        self._store = store
        self._key = digest("bundle", *name)
        self._read: dict[str, Any] | None = None
        self._apart: dict[str, Any] = {}
        self._new: dict[str, Any] = {}

    @property
    def _together(self) -> dict[str, Any]:
        if self._read is None:
            found = self._store.load(self._key)
            self._read = found if isinstance(found, dict) else {}
        return self._read

    def load(self, key: str) -> Any:
        """What was kept under a key, or none."""
        found = self._together.get(key)
        if found is None:
            found = self._store.load(key)
            if found is not None:
                self._apart[key] = found
        return found

    def beside(self) -> Any:
        """What was kept beside all entries when the bundle was written."""
        return self._together.get(_BESIDE)

    def keep_beside(self, beside: Any) -> None:
        """Keeps something beside all entries, where no bundle is ever written."""
        self._store.save(self._key, {_BESIDE: beside})

    def keep(self, key: str, value: Any) -> None:
        """Takes a value in; `close` writes it."""
        self._new[key] = value

    def is_old(self, wanted: Iterable[str]) -> bool:
        """Whether so many of the wanted entries lie apart that the bundle is worth writing anew."""
        if not self._store.written:
            return False
        together = self._together
        wanted = list(wanted)
        apart = sum(key in self._new or (key in self._apart and key not in together) for key in wanted)
        # What is new under a known key would be hidden by the bundle.
        return apart * _RARE > len(wanted) or any(key in together for key in self._new)

    def close(self, wanted: Iterable[str], beside: Any = None, *, anew: bool) -> None:
        """Writes what is new: with all that is wanted as one bundle, or each by itself."""
        if not self._new:
            return
        if anew:
            known = {**self._together, **self._apart, **self._new}
            bundle = {key: known[key] for key in wanted if key in known}
            bundle[_BESIDE] = beside
            if self._store.save(self._key, bundle):
                return
        for key, value in self._new.items():
            self._store.save(key, value)
