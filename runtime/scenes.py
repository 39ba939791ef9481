"""Drawings in tests: a scene puts figures on a map of squares, and a map is compared with a drawing."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from talewright.runtime.charts import Cell
from talewright.runtime.faults import LoadError
from talewright.runtime.space import picture, place, read_plan

if TYPE_CHECKING:
    from talewright.runtime.game import Game

Marks = list[tuple[str, Any]]


def set_scene(game: Game, text: str, marks: Marks) -> None:
    """The map becomes a drawing, with figures on the squares that bear their signs."""
    space = game.space
    if game.program.grid is None:
        raise LoadError("a scene needs a grid, which this game does not have")
    space["clear_area"](None)
    plan = read_plan(text, joints=False)
    # The ground of a scene counts as a piece, so that those who stand on it stand on one together.
    place(space["BOARD"], min(space["PIECES"]), plan)
    known = dict(marks)
    for sign, squares in plan.marks.items():
        if sign not in known:
            raise LoadError(f"`{sign}` stands in the scene, but `marks` does not say who it is")
        cells = [
            Cell(space["BOARD"].chart.at[square]) for square in sorted(squares, key=lambda s: (s[1], s[0]))
        ]
        for figure, cell in zip(_figures(game, known[sign], len(cells)), cells, strict=False):
            space["stand"](figure, cell)


def _figures(game: Game, value: Any, count: int) -> list[int]:
    """Who comes: one figure, or as many of a sort or of a sheet as there are squares."""
    space = game.space
    if isinstance(value, str):
        return list(space["SORTS"].get(value, ()))[:count]
    if value in space["FIGURES"]:
        return [value]
    found = []
    for figure in sorted(space["FIGURES"]):
        for column in space["LENDS"].get(space["KIND_OF"][figure], ()):
            if column[figure] == value and figure not in space["STANDS"]:
                found.append(figure)
    return found[:count]


def drawn(game: Game, marks: Marks, piece: Any) -> str:
    """The map, or one piece of it, as it is now, with the signs of the figures on it."""
    space = game.space
    signs = {}
    for figure, spot in space["STANDS"].items():
        sign = next((s for s, value in marks if _is(game, figure, value)), None)
        if sign is not None:
            signs.update(dict.fromkeys(spot.squares, sign))
    return picture(space["BOARD"], signs, piece)


def _is(game: Game, figure: int, value: Any) -> bool:
    space = game.space
    if value in (figure, space["SORT"][figure]):
        return True
    return any(column[figure] == value for column in space["LENDS"].get(space["KIND_OF"][figure], ()))


def tidy(text: str) -> str:
    """A drawing without its margins."""
    lines = textwrap.dedent(text.expandtabs()).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())
