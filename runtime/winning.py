"""Who wins: endings by the words of their result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talewright.runtime.game import Game

WINNING = frozenset(("victory", "win", "won", "success", "triumph", "good"))


def has_won(game: Game, outcome: str) -> bool:
    """Whether an ending is a victory."""
    number = game.layout.number.get(outcome)
    if number is None:
        return False
    result = game.late_field(number, "result")
    return isinstance(result, str) and not WINNING.isdisjoint(result.split("_"))
