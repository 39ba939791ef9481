"""Bots: they see a decision as its seat does, and answer it.

A bot is a class with `choose(decision) -> int`: the number of one of `decision.options`. A decision has an id, the
seat or seats that decide, options with an id and a text, and a prompt. Calling a bot is the same as asking it to
choose, so that a bot can sit wherever an agent or a seat is wanted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Any

from talewright.runtime.game import Decision, Game

NAMES = ("random", "explore", "guided", "greedy", "mcts")


class Bot(ABC):
    """Somebody who decides."""

    @abstractmethod
    def choose(self, decision: Decision) -> int:
        """The number of the option to take."""

    def __call__(self, decision: Decision) -> int:
        return self.choose(decision)


class RandomBot(Bot):
    """Uniform over the distinct options."""

    def __init__(self, seed: int) -> None:
        self.draw = Random(seed).random

    def choose(self, decision: Decision) -> int:
        return int(self.draw() * len(decision.options))


def quick_random(game: Game, seed: int) -> None:
    """Uniform choice without making decisions readable: for many games."""
    game.choose_by_lot(seed)


class Explorer(Bot):
    """Prefers the options least tried so far over a whole run, to reach content.

    Several that explore side by side do not see each other; `others` says how many there are, and each takes it that
    whatever it tries now, all of them try.
    """

    def __init__(self, seed: int, others: int = 0) -> None:
        self.tried: dict[tuple[str, str], int] = {}
        self.weight = 1 + others
        self.draw = Random(seed).random

    def choose(self, decision: Decision) -> int:
        name = decision.id.partition("#")[0]
        counts = [self.tried.get((name, option.id), 0) for option in decision.options]
        least = min(counts)
        among = [i for i, count in enumerate(counts) if count == least]
        index = among[int(self.draw() * len(among))]
        key = (name, decision.options[index].id)
        self.tried[key] = self.tried.get(key, 0) + self.weight
        return index


def bot(name: str, seed: int, **settings: Any) -> Bot:
    """A bot by name; `iterations`, `seconds` and `apart` are for those that look ahead."""
    if name == "explore":
        return Explorer(seed)
    if name == "random":
        return RandomBot(seed)
    from talewright.runtime.searching import Greedy, Guided, Searcher

    if name == "guided":
        return Guided(seed, **settings)
    if name == "greedy":
        return Greedy(seed, **settings)
    if name == "mcts":
        return Searcher(seed, **settings)
    raise ValueError(f"there is no bot `{name}`; there are {', '.join(NAMES[:-1])} and {NAMES[-1]}")
