"""Dice that have been rolled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True, eq=False)
class Die:
    """One rolled die: its face, what it was rolled for and by whom, and whether it was rolled again."""

    face: Any
    purpose: Any
    roller: Any
    faces: Sequence[Any]
    name: str
    rerolled: bool = False

    def flip(self) -> None:
        """Turns the die over: opposite faces of a numbered die add up to the same."""
        faces = list(self.faces)
        self.face = faces[len(faces) - 1 - faces.index(self.face)]


@dataclass(slots=True, eq=False)
class Pool:
    """The dice of one roll."""

    dice: list[Die] = field(default_factory=list)

    def total(self) -> int:
        """The sum of the faces."""
        return sum(d.face for d in self.dice)

    def __iter__(self) -> Iterator[Die]:
        return iter(self.dice)

    def __len__(self) -> int:
        return len(self.dice)
