"""The growing map of a game: the chart that holds now, and drafts of the next one."""

from collections.abc import Iterable
from itertools import count

from .cells import Cell, Cells, cells_in
from .chart import WALL, Chart, Piece, PieceId, Rules
from .errors import SpaceError
from .squares import Square

# One sequence for all boards: after an undo a new map never gets the number of a forgotten one.
_versions = count(1)


class Draft:
    """A chart while it is being changed."""

    def __init__(self, chart: Chart) -> None:
        self.rules = chart.rules
        self.names = list(chart.names)
        self.squares = list(chart.squares)
        self.belongs = list(chart.belongs)
        self.steps = list(chart.steps)
        self.borders = dict(chart.borders)
        self.links = list(chart.links)
        self.pieces = dict(chart.pieces)
        self.named = dict(chart.named)
        self.at = dict(chart.at)
        self.rock = set(chart.rock)

    def add_cell(self, name: str | None = None, squares: Iterable[Square] = ()) -> Cell:
        """A new cell, with no step to or from it."""
        cell = len(self.names)
        taken = tuple(squares)
        if name is not None:
            if name in self.named:
                raise SpaceError(f"there is a place named `{name}` already")
            self.named[name] = cell
        for square in taken:
            if square in self.at:
                raise SpaceError(f"there is a cell at {square} already")
            self.at[square] = cell
        self.names.append(name)
        self.squares.append(taken)
        self.belongs.append(())
        self.steps.append(0)
        return cell

    def add_piece(self, piece: Piece) -> None:
        """Let a piece own its cells, beside the pieces that own them already."""
        if piece.id in self.pieces:
            raise SpaceError(f"`{piece.id}` is on the map already")
        self.pieces[piece.id] = piece
        for cell in cells_in(piece.cells):
            self.belongs[cell] += (piece.id,)

    def connect(self, here: Cell, there: Cell, *, both: bool = True) -> None:
        """Let a step lead from here to there, and back unless it is one-way."""
        self.steps[here] |= 1 << there
        if both:
            self.steps[there] |= 1 << here

    def set_border(self, here: Cell, there: Cell, mark: str) -> None:
        """Mark the border of two neighbours; a wall takes the steps across it away."""
        if mark == WALL:
            self.steps[here] &= ~(1 << there)
            self.steps[there] &= ~(1 << here)
        self.borders[here, there] = self.borders[there, here] = mark

    def chart(self) -> Chart:
        """The finished chart, with a version of its own."""
        return Chart(
            version=next(_versions),
            rules=self.rules,
            names=tuple(self.names),
            squares=tuple(self.squares),
            belongs=tuple(self.belongs),
            steps=tuple(self.steps),
            borders=self.borders,
            links=tuple(self.links),
            pieces=self.pieces,
            named=self.named,
            at=self.at,
            rock=frozenset(self.rock),
        )


class Board:
    """A map that grows during play."""

    __slots__ = ("chart",)

    def __init__(self, rules: Rules | None = None) -> None:
        self.chart = Chart(version=next(_versions), rules=rules or Rules())

    @property
    def version(self) -> int:
        """A number that is different whenever the map is different."""
        return self.chart.version

    def snapshot(self) -> Chart:
        """The map as it is now, to come back to."""
        return self.chart

    def restore(self, chart: Chart) -> None:
        """Go back to the map of a snapshot."""
        self.chart = chart

    def copy(self) -> "Board":
        """A board that starts with this map and grows by itself."""
        twin = Board.__new__(Board)
        twin.chart = self.chart
        return twin

    def draft(self) -> Draft:
        """A draft to change and then adopt."""
        return Draft(self.chart)

    def adopt(self, draft: Draft) -> None:
        """Make the draft the map of this board."""
        self.chart = draft.chart()

    def cell(self, name: str) -> Cell:
        """The place of that name."""
        return self.chart.named[name]

    def piece(self, piece: PieceId) -> Piece:
        """The piece of that id."""
        return self.chart.pieces[piece]


def connect(board: Board, here: Cell, there: Cell, *, both: bool = True) -> None:
    """Let a step lead from here to there, and back unless it is one-way."""
    draft = board.draft()
    draft.connect(here, there, both=both)
    board.adopt(draft)


def link(board: Board, near_side: Cells, far_side: Cells) -> None:
    """Open a gate: every cell of one side becomes adjacent to every cell of the other."""
    draft = board.draft()
    for here in cells_in(near_side):
        for there in cells_in(far_side):
            if here == there:
                raise SpaceError("a gate cannot lead to the cell it stands on")
            draft.connect(here, there)
            draft.links.append((here, there))
    board.adopt(draft)


def set_border(board: Board, here: Cell, there: Cell, mark: str) -> None:
    """Mark the border of two neighbours; a wall takes the steps across it away."""
    draft = board.draft()
    draft.set_border(here, there, mark)
    board.adopt(draft)
