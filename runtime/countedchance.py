"""Chance of games that are watched: how often each stream was used, and one of them drawn otherwise."""

from __future__ import annotations

from typing import Any

from talewright.runtime.chance import Chance


class CountedChance(Chance):
    """Streams that know how often they were used."""

    __slots__ = ("mixed", "shuffles")

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.shuffles: dict[str, int] = {}
        self.mixed: dict[str, int] = {}

    def mix(self, name: str, items: list[Any]) -> None:
        if len(items) > 1:
            self.shuffles[name] = self.shuffles.get(name, 0) + 1
            self.mixed[name] = self.mixed.get(name, 0) + len(items) - 1
            Chance.mix(self, name, items)

    def uses(self) -> dict[str, int]:
        """How often each stream was used: every draw is a use, but for those of one shuffle together."""
        made = self.snapshot()
        for name, shuffles in self.shuffles.items():
            made[name] += shuffles - self.mixed[name]
        return made


class VariedChance(CountedChance):
    """Streams one of which takes its draws from another seed."""

    __slots__ = ("other", "varied")

    def __init__(self, seed: int, varied: str, other: int) -> None:
        super().__init__(seed)
        self.varied = varied
        self.other = other

    def more(self, name: str) -> list[int]:
        if name != self.varied:
            return super().more(name)
        seed, self.seed = self.seed, self.other
        left = super().more(name)
        self.seed = seed
        return left
