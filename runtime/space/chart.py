"""The map at one moment: a chart never changes; growing the map makes a new one."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from .cells import Cell, Cells
from .network import Network, network_of, reversed_steps
from .plans import Plan
from .squares import Square

if TYPE_CHECKING:
    from .stances import Base, Stances

PieceId: TypeAlias = Hashable
WALL = "wall"
OPEN = "open"


@dataclass(frozen=True, slots=True)
class Rules:
    """How the squares of a map touch; a map of zones has no squares to walk on."""

    squares: bool = False
    diagonal: bool = True
    corners_open: bool = True
    ring: bool = False


@dataclass(frozen=True, slots=True)
class Joint:
    """Where a piece meets the next: its squares from left to right, seen from inside looking out."""

    piece: PieceId
    mark: str
    squares: tuple[Square, ...]
    cells: tuple[Cell, ...]
    way: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the map that was laid as one: its cells, joints and marked cells."""

    id: PieceId
    cells: Cells
    joints: Mapping[str, Joint] = field(default_factory=dict)
    marks: Mapping[str, Cells] = field(default_factory=dict)
    plan: Plan | None = None
    turn: int = 0
    corner: Square = (0, 0)


@dataclass(frozen=True, eq=False)
class Chart:
    """Cells with what is known of each, and what was worked out from them so far."""

    version: int
    rules: Rules
    names: tuple[str | None, ...] = ()
    squares: tuple[tuple[Square, ...], ...] = ()
    belongs: tuple[tuple[PieceId, ...], ...] = ()
    steps: tuple[Cells, ...] = ()
    borders: Mapping[tuple[Cell, Cell], str] = field(default_factory=dict)
    links: tuple[tuple[Cell, Cell], ...] = ()
    pieces: Mapping[PieceId, Piece] = field(default_factory=dict)
    named: Mapping[str, Cell] = field(default_factory=dict)
    at: Mapping[Square, Cell] = field(default_factory=dict)
    rock: frozenset[Square] = frozenset()
    # Tables of answers. They live and die with the chart, so that a changed map never sees an old one.
    ways: dict[Cells, tuple[Cells, ...]] = field(default_factory=dict)
    sights: dict[tuple[Cell, Cell], bool] = field(default_factory=dict)
    stances: dict[Base, Stances] = field(default_factory=dict)

    @cached_property
    def everywhere(self) -> Cells:
        """All cells."""
        return (1 << len(self.names)) - 1

    @cached_property
    def forward(self) -> Network:
        """The steps that can be taken."""
        return network_of(self.steps)

    @cached_property
    def backward(self) -> Network:
        """The same steps, walked against their direction."""
        return network_of(reversed_steps(self.steps))

    def square(self, cell: Cell) -> Square | None:
        """The one square of a cell; none for a zone and for a cell without a drawing."""
        if not self.rules.squares:
            return None
        squares = self.squares[cell]
        return squares[0] if squares else None
