"""Values as whoever looks has them, made of cells.

`None` is none. Things, places and containers, numbers, yes (1) and no (0), words, tokens and kinds are the numbers that cells
hold; sets and lists are tuples, maps are dictionaries, texts are words. Dice, and what is to be rolled, have classes of their own.
"""

from __future__ import annotations

from typing import TypeAlias

from talewright.schemas.records import field, record


@record(frozen=True)
class Die:
    """A die that was rolled: the number of its record."""

    number: int


@record(frozen=True)
class Formula:
    """Dice that are not rolled yet: kinds of dice and how many of each, in turn."""

    cells: tuple[int, ...]


@record(frozen=True)
class Behaviour:
    """An effect, lines or a condition: the number of its function, and the thing that bears it or the block handed over."""

    slot: int
    whose: int
    handed_over: bool = False


@record(frozen=True)
class Spot:
    """A spot on a grid: the base that stands there and where that is; what it costs to get there, and the way."""

    base: int
    at: int
    rest: tuple[int, ...] = field(default=(), compare=False)


@record(frozen=True)
class Other:
    """What has no words: ways on, bands, traits with their arguments. By where it lies."""

    address: int


Value: TypeAlias = (
    int | str | Die | Formula | Behaviour | Spot | Other | tuple["Value", ...] | dict["Value", "Value"] | None
)
Items = tuple[Value, ...]
