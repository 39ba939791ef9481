"""Bots: they see a decision as its seat does, and answer it.

A bot is a class with `choose(decision) -> int`: the number of one of `decision.options`. A decision has an id, the
seat or seats that decide, options with an id and a text, and a prompt. Calling a bot is the same as asking it to
choose, so that a bot can sit wherever an agent or a seat is wanted.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.kernel.bots.bots import GREEDY, GUIDED, SEARCH
from talewright.runtime.model.layout import GAME_STEPS
from talewright.runtime.session.game import Decision

NAMES = ("random", "explore", "guided", "greedy", "mcts")
KERNEL = {"guided": GUIDED, "greedy": GREEDY, "mcts": SEARCH}
HALF = 1 << 31


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


class Explorer(Bot):
    """Prefers the options least tried so far over a whole run, to reach content."""

    def __init__(self, seed: int) -> None:
        self.tried: dict[tuple[str, str], int] = {}
        self.draw = Random(seed).random

    def choose(self, decision: Decision) -> int:
        counts = [self.tried.get((decision.name, option.id), 0) for option in decision.options]
        least = min(counts)
        among = [i for i, count in enumerate(counts) if count == least]
        index = among[int(self.draw() * len(among))]
        key = (decision.name, decision.options[index].id)
        self.tried[key] = self.tried.get(key, 0) + 1
        return index


class ThinkingBot(Bot):
    """A bot inside the engine: it weighs the hints and the score of the package in worlds that the seat thinks possible.

    The program must have been loaded with `bots=True`.
    """

    def __init__(self, number: int, seed: int, *, iterations: int = 0, apart: bool = False) -> None:
        self.number = number
        self.seed = seed
        self.iterations = iterations
        self.apart = apart
        """Whether it knows what its own seat knows, and nothing of what its team knows."""
        self.step = 0

    def choose(self, decision: Decision) -> int:
        game = decision.game
        if not game.program.thinks:
            raise LoadError("bots that think need a program that was loaded with `bots=True`")
        names, machine = game.program.lowered.layout.names, game.machine
        # Every bot has chance of its own, whoever else sits at the table.
        for name, cell in (
            ("BOT", self.number),
            ("APART", int(self.apart)),
            ("ITERATIONS", self.iterations),
            ("BOT_LOW", self.seed % HALF),
            ("BOT_HIGH", self.seed // HALF % HALF),
        ):
            machine.write(names[name], [cell])
        machine.write(names["BOT_STEP"], [self.step])
        # What it thought before has been waited for already.
        machine[GAME_STEPS] = 0
        try:
            chosen = machine.call("choose_option")
        except EngineFault as fault:
            raise game.broken(fault) from None
        (self.step,) = machine.read(names["BOT_STEP"], 1)
        return chosen


def bot(name: str, seed: int, *, iterations: int = 0, apart: bool = False) -> Bot:
    """A bot by name; those that think need a program that was loaded with `bots=True`."""
    if name in KERNEL:
        return ThinkingBot(KERNEL[name], seed, iterations=iterations, apart=apart)
    if name == "explore":
        return Explorer(seed)
    if name == "random":
        return RandomBot(seed)
    raise ValueError(f"there is no bot `{name}`; there are {', '.join(NAMES[:-1])} and {NAMES[-1]}")
