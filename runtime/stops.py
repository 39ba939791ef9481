"""Decisions that a session can go back to at once, without playing up to them again."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import FrameType
from typing import Any

from talewright.runtime.game import Game
from talewright.runtime.resuming import Moment, Moments
from talewright.runtime.standing import Progress

# The last so many stops are kept, and of those before them only some.
NEAR = 64
FAR = 16


@dataclass(frozen=True, slots=True)
class Stop:
    """One decision to go back to: how the game stood, what was asked, and how long it had not moved."""

    moment: Moment
    asked: tuple[Any, ...]
    progress: Progress


class Stops:
    """The stops of one game, by the number of the decision."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moments = Moments(game)
        self.kept: dict[int, Stop] = {}

    def take(self, number: int, progress: Progress) -> None:
        """Keeps the decision that the game is asking its agent right now, unless it has just come back to it."""
        if number in self.kept:
            return
        asking: FrameType | None = sys._getframe(1)
        while asking is not None and asking.f_code is not Game.decide.__code__:
            asking = asking.f_back
        moment = None if asking is None else self.moments.take(asking.f_back)
        if asking is None or moment is None:
            return
        names = asking.f_locals
        asked = tuple(names[name] for name in ("id_", "by", "options", "prompt", "form"))
        self.kept[number] = Stop(moment, asked, progress.copy())
        if number > NEAR and (number - NEAR) % FAR:
            self.kept.pop(number - NEAR, None)

    def before(self, number: int) -> int | None:
        """The last stop up to a decision; those after it are forgotten."""
        self.kept = {n: stop for n, stop in self.kept.items() if n <= number}
        return max(self.kept, default=None)

    def go_on(self, number: int) -> str:
        """Plays on from a stop to the end of the game."""
        stop = self.kept[number]
        return str(self.moments.go_on(stop.moment, self.game.decide, stop.asked))
