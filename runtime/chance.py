"""Chance: named streams, each fixed by the seed and its own name alone."""

from __future__ import annotations

from hashlib import blake2b
from struct import Struct
from typing import Any

_IN_A_BLOCK = 16
_words = Struct(f"<{_IN_A_BLOCK}I").unpack


class Chance:
    """The streams of one game. The k-th draw of a stream depends only on seed, name and k.

    A stream is a hash of seed, name and a running number, sixteen draws at a time: nothing has to be set up
    before its first draw, and where it stands is one number.
    """

    __slots__ = ("_blocks", "left", "seed")

    def __init__(self, seed: int) -> None:
        self.seed = seed
        # What is left of the draws that were worked out, the next of every stream last.
        self.left: dict[str, list[int]] = {}
        self._blocks: dict[str, int] = {}

    def begin(self, seed: int) -> None:
        """All streams anew, of another seed; lists of what is left stay the same lists."""
        self.seed = seed
        for left in filter(None, self.left.values()):
            left.clear()
        self._blocks.clear()

    def more(self, name: str) -> list[int]:
        """Works out the next draws of a stream; gives what is left with them, the next of all last."""
        blocks = self._blocks
        block = blocks.get(name, 0)
        blocks[name] = block + 1
        left = self.left.get(name)
        if left is None:
            left = self.left[name] = []
        left[:0] = _words(blake2b(f"{self.seed}:{block}:{name}".encode()).digest())
        return left

    def stream(self, name: str) -> list[int]:
        """What is left of a stream's draws: the same list as long as there is the game."""
        return self.left.setdefault(name, [])

    def below(self, name: str, count: int) -> int:
        """A number from 0 up to one less than `count`; a single possibility takes no draw."""
        if count < 2:
            return 0
        return (self.left.get(name) or self.more(name)).pop() * count >> 32

    def mix(self, name: str, items: list[Any]) -> None:
        """Shuffles a list in place; one thing alone takes no draw."""
        count = len(items) - 1
        if count < 1:
            return
        left = self.left.get(name) or self.more(name)
        while len(left) < count:
            self.more(name)
        words = left[: -count - 1 : -1]
        del left[-count:]
        count += 1
        for word in words:
            j = word * count >> 32
            count -= 1
            items[j], items[count] = items[count], items[j]

    def snapshot(self) -> dict[str, int]:
        """How many draws every stream has given."""
        return {name: blocks * _IN_A_BLOCK - len(self.left[name]) for name, blocks in self._blocks.items()}

    def restore(self, given: dict[str, int]) -> None:
        """Puts every stream back."""
        for left in self.left.values():
            left.clear()
        self._blocks.clear()
        for name, draws in given.items():
            if draws:
                block, used = divmod(draws - 1, _IN_A_BLOCK)
                self._blocks[name] = block
                del self.more(name)[_IN_A_BLOCK - used - 1 :]
