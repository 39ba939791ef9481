"""What a seat is asked: a decision and its options, and who answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.game import Game


@dataclass(slots=True)
class Option:
    """One legal choice: a stable id, the value behind it, and a label made when somebody reads it."""

    id: str
    value: Any
    label: Any

    def text(self) -> str:
        """The label."""
        label = self.label
        return label if type(label) is str else str(label() if callable(label) else label)


@dataclass(slots=True)
class Decision:
    """Something a seat must decide. It holds until it is answered: the next one may be the same object."""

    id: str
    seat: int | tuple[int, ...]
    options: list[Option]
    prompt: str
    form: str
    game: Game
    settles: int | None = None
    """Of several who decide together, the one who has the last word."""

    @property
    def who(self) -> str:
        """The names of those who decide."""
        seats = (self.seat,) if isinstance(self.seat, int) else self.seat
        return ", ".join(self.game.title(s) for s in seats)


class Fork(list[Option]):
    """The ways on that are open on a page, and where they lead."""

    targets: tuple[int, ...] = ()


Agent = Callable[[Decision], int]
