"""A map of squares drawn with signs, as tests compare it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from talewright.runtime.host.words import Words
from talewright.runtime.kernel.maps import squares
from talewright.runtime.model.grids import lenders
from talewright.runtime.space.plans import FLOOR, NOTHING, ROCK, Plan
from talewright.runtime.space.squares import Square, turn_square

Sign = tuple[str, int]
"""A sign of a drawing, and the thing or sort that it stands for."""


def drawn(words: Words, signs: Sequence[Sign], piece: int, plans: dict[int, Plan]) -> str:
    """The map, or one piece of it as its own plan is drawn, with the signs of those who stand on it."""
    figures = _figures(words, signs)
    if piece in plans:
        return _drawn_piece(words, figures, piece, plans[piece])
    floor, rock = _ground(words)
    every = {*floor, *rock, *figures}
    if not every:
        return ""
    left, right = min(x for x, _ in every), max(x for x, _ in every)
    top, bottom = min(y for _, y in every), max(y for _, y in every)

    def sign(square: Square) -> str:
        if square in figures:
            return figures[square]
        return FLOOR if square in floor else ROCK if square in rock else NOTHING

    rows = ("".join(sign((x, y)) for x in range(left, right + 1)) for y in range(top, bottom + 1))
    return "\n".join(row.rstrip() for row in rows)


def _drawn_piece(words: Words, figures: dict[Square, str], piece: int, plan: Plan) -> str:
    row = words.column("PIECE_AT", piece)
    if not row:
        return ""
    corner, turn = words.machine.read(row + 2, 2)
    left, top = _square(corner)

    def sign(x: int, y: int, mark: str) -> str:
        across, down = turn_square((x, y), plan.width, plan.height, turn)
        shown = figures.get((across + left, down + top))
        if shown is not None:
            return shown
        return mark if mark in (ROCK, NOTHING) or mark in plan.joints else FLOOR

    return "\n".join(
        "".join(sign(x, y, mark) for x, mark in enumerate(line)) for y, line in enumerate(plan.rows)
    )


def _ground(words: Words) -> tuple[set[Square], set[Square]]:
    """The squares of floor, and those of rock."""
    names = words.program.layout.names
    count = names["HASH_MASK"] + 1
    keys = words.machine.read(names["HASH_KEY"], count)
    held = words.machine.read(names["HASH_CELL"], count)
    places = {_square(key - 1): what for key, what in zip(keys, held, strict=True) if key}
    rock = {square for square, what in places.items() if what == squares.ROCK}
    return set(places) - rock, rock


def _figures(words: Words, signs: Sequence[Sign]) -> dict[Square, str]:
    found: dict[Square, str] = {}
    for figure in words.inside(words.program.layout.names["GRID"]):
        base = words.column("STAND_BASE", figure)
        sign = next((sign for sign, meant in signs if _is(words, figure, meant)), None)
        if base and sign is not None:
            x, y = _square(words.column("STAND_AT", figure))
            for i in range(base & 255):
                for j in range(base >> 8 & 255):
                    found[x + i, y + j] = sign
    return found


def _is(words: Words, figure: int, meant: int) -> bool:
    """Whether a sign stands for a figure: by itself, its sort, or what it reads through."""
    if meant in (figure, words.column("SORT", figure)):
        return True
    world = words.program.world
    columns = (words.program.layout.columns[f.first] for f in lenders(world, words.thing(figure).kind))
    return any(words.cell(column.address + figure) == meant for column in columns)


def _square(packed: int) -> Square:
    return squares.packed_x(packed), squares.packed_y(packed)


def tidy(text: str) -> str:
    """A drawing without its margins."""
    lines = textwrap.dedent(text.expandtabs()).splitlines()
    return "\n".join(line.rstrip() for line in lines if line.strip())
