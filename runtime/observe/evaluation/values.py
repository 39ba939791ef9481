"""Values as the evaluator has them, made of cells.

`None` is none. Things, places and containers, numbers, yes (1) and no (0), words, tokens and kinds are the numbers that cells
hold; sets and lists are tuples, maps are dictionaries, texts are words. Dice, and what is to be rolled, have classes of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record

if TYPE_CHECKING:
    from talewright.runtime.observe.evaluation.evaluator import Scope
    from talewright.schemas.nodes.arguments import EffectBlock


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


@record(frozen=True, eq=False)
class Block:
    """A block of statements that is handed over, with what its names mean."""

    node: EffectBlock
    scope: Scope


@record(frozen=True)
class TraitUse:
    """A trait that is named with its arguments."""

    id: str


@record(frozen=True)
class Spot:
    """A spot on a grid: the base that stands there and where that is; what it costs to get there, and the way."""

    base: int
    at: int
    rest: tuple[int, ...] = field(default=(), compare=False)


@record(frozen=True)
class Ways:
    """The ways on from a page, by the address of their rows."""

    rows: int
    page: int


@record(frozen=True)
class Bands:
    """The bands of numbers of a field, by the address of their rows."""

    address: int
    item: Type


Value: TypeAlias = (
    int
    | str
    | Die
    | Formula
    | Behaviour
    | Block
    | TraitUse
    | Bands
    | Ways
    | Spot
    | tuple["Value", ...]
    | dict["Value", "Value"]
    | None
)
