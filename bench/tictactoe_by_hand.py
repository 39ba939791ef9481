"""Noughts and crosses written by hand in plain Python: the yardstick for `bench/games/tictactoe`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (6, 4, 2))


class Board:
    """One game: nine squares, and whose turn it is."""

    __slots__ = ("mover", "squares")

    def __init__(self) -> None:
        self.squares: list[int | None] = [None] * 9
        self.mover = 0

    def lined_up(self, player: int) -> bool:
        """Whether a player has three in a row."""
        squares = self.squares
        # A plain loop, because `any` with a generator takes twice as long and this is the yardstick.
        for a, b, c in LINES:  # noqa: SIM110
            if squares[a] == player and squares[b] == player and squares[c] == player:
                return True
        return False

    def free(self) -> list[int]:
        """The empty squares."""
        return [n for n in range(9) if self.squares[n] is None]

    def play(self, policy: Callable[[int], int]) -> str:
        """Plays to the end; gives the name of the ending."""
        while True:
            free = self.free()
            square = free[policy(len(free)) if len(free) > 1 else 0]
            self.squares[square] = self.mover
            if self.lined_up(self.mover):
                return "second_wins" if self.mover else "first_wins"
            if not self.free():
                return "drawn"
            self.mover = 1 - self.mover


def play(seed: int) -> str:
    """Plays one game with random choices."""
    random = Random(seed).random
    return Board().play(lambda count: int(random() * count))
