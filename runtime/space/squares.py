"""Squares of a drawing, the eight ways out of one, and quarter turns."""

from typing import TypeAlias

Square: TypeAlias = tuple[int, int]

# Clockwise from the north; x grows to the east and y to the south, as a drawing is read.
WAYS: dict[str, Square] = {
    "north": (0, -1),
    "north_east": (1, -1),
    "east": (1, 0),
    "south_east": (1, 1),
    "south": (0, 1),
    "south_west": (-1, 1),
    "west": (-1, 0),
    "north_west": (-1, -1),
}
SIDES: tuple[str, ...] = ("north", "east", "south", "west")
TURN_SIGNS: dict[str, int] = {">": 1, "^": 2, "<": 3}

_ORDER = tuple(WAYS)
_NAMES = {offset: way for way, offset in WAYS.items()}


def turn_way(way: str, quarters: int) -> str:
    """The way that `way` points to after so many quarter turns clockwise."""
    return _ORDER[(_ORDER.index(way) + 2 * quarters) % 8]


def turn_square(square: Square, width: int, height: int, quarters: int) -> Square:
    """Where a square of a drawing of that size lies after so many quarter turns clockwise."""
    x, y = square
    match quarters % 4:
        case 1:
            return height - 1 - y, x
        case 2:
            return width - 1 - x, height - 1 - y
        case 3:
            return y, width - 1 - x
    return square


def beside(square: Square, way: str) -> Square:
    """The next square that way."""
    x, y = square
    across, down = WAYS[way]
    return x + across, y + down


def way_between(here: Square, there: Square) -> str | None:
    """The one of eight ways that leads from here toward there; none when they are one square."""
    across, down = there[0] - here[0], there[1] - here[1]
    return _NAMES.get(((across > 0) - (across < 0), (down > 0) - (down < 0)))
