"""Bots: they see a decision as its seat does, and answer it."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from talewright.runtime.game import Decision, Game

Bot = Callable[[Decision], int]


def random_bot(seed: int) -> Bot:
    """Uniform over the distinct options."""
    draw = Random(seed).random

    def choose(decision: Decision) -> int:
        return int(draw() * len(decision.options))

    return choose


def quick_random(game: Game, seed: int) -> None:
    """Uniform choice without making decisions readable: for many games."""
    draw = Random(seed).random
    game.quick = lambda count: int(draw() * count)


class Explorer:
    """Prefers the options least tried so far over a whole run, to reach content."""

    def __init__(self, seed: int) -> None:
        self.tried: dict[tuple[str, str], int] = {}
        self.draw = Random(seed).random

    def __call__(self, decision: Decision) -> int:
        name = decision.id.partition("#")[0]
        counts = [self.tried.get((name, option.id), 0) for option in decision.options]
        least = min(counts)
        among = [i for i, count in enumerate(counts) if count == least]
        index = among[int(self.draw() * len(among))]
        key = (name, decision.options[index].id)
        self.tried[key] = self.tried.get(key, 0) + 1
        return index


def bot(name: str, seed: int, **settings: Any) -> Bot:
    """A bot by name."""
    if name == "explore":
        return Explorer(seed)
    if name == "random":
        return random_bot(seed)
    raise ValueError(f"there is no bot `{name}`; there are random and explore")
