"""Chance: named streams, each fixed by the seed and its own name alone."""

from __future__ import annotations

from hashlib import blake2b
from random import Random


class Chance:
    """The streams of one game. The k-th draw of a stream depends only on seed, name and k."""

    __slots__ = ("_streams", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._streams: dict[str, Random] = {}

    def stream(self, name: str) -> Random:
        """The stream of a name."""
        found = self._streams.get(name)
        if found is None:
            digest = blake2b(f"{self.seed}:{name}".encode(), digest_size=8).digest()
            found = self._streams[name] = Random(int.from_bytes(digest, "little"))
        return found

    def below(self, name: str, count: int) -> int:
        """A number from 0 up to one less than `count`; a single possibility takes no draw."""
        if count < 2:
            return 0
        found = self._streams.get(name) or self.stream(name)
        return int(found.random() * count)

    def snapshot(self) -> dict[str, object]:
        """Where every stream stands."""
        return {name: stream.getstate() for name, stream in self._streams.items()}

    def restore(self, states: dict[str, object]) -> None:
        """Puts every stream back."""
        for name in list(self._streams):
            if name not in states:
                del self._streams[name]
        for name, state in states.items():
            self.stream(name).setstate(state)  # type: ignore[arg-type]
