"""Parts of objects that stay in the cache until somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import TYPE_CHECKING, Any

from talewright.schemas.garbage import built_to_stay

Parts = tuple[object, dict[str, object]]


class Rest:
    """What was left out of some objects, and how it is read."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.reader: Callable[[], Iterable[Parts]] | None = None

    def __reduce__(self) -> tuple[type[Rest], tuple[()]]:
        return Rest, ()

    def read(self) -> None:
        """Gives the objects what they lack; only once."""
        with self._lock:
            reader, self.reader = self.reader, None
            if reader is None:
                return
            with built_to_stay():
                for made, parts in reader():
                    for name, part in parts.items():
                        setattr(made, name, part)


class Deferring:
    """Something of which parts may be left out at first."""

    __slots__ = ("__weakref__", "rest")

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Called where a part is missing."""
            # `pickle` asks each object for `__setstate__`, before it has anything.
            if name not in ("rest", "__setstate__") and hasattr(self, "rest"):
                self.rest.read()
            return object.__getattribute__(self, name)
