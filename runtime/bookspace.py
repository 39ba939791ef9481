"""The names that every part of a generated program shares: the state of one game, and the ways to leave a call.

The fixed parts of a program (`books`) run inside the name space of each game, beside the code generated for its
document, so that the names declared below are the game's own lists. Things, piles and seats are small whole numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from talewright.runtime.chance import Chance

# What the loader puts here: the state of one game, as plain lists.
S: list[Any]
ITEMS: list[list[int]]
LOC: list[int]
UP: list[int]
KNOWN: list[int]
SORT: list[str]
THINGS: list[Any]
NUMBERS: Any
TITLES: list[str]
OWNER: list[int | None]
PILE_MAX: list[Any]
PILE_FACE: list[int | None]
PILE_DECK: list[bool]
PILE_LOOSE: list[bool]
PILE_OWNER: list[int | None]
PILE_SOURCE: list[int | None]
PILE_NAME: list[str]
PILE_RETURNS: list[bool]
OCCUPANTS: dict[int, int]
PLACE_OF_PILE: dict[int, int]
STANDS_ON: list[int | None]
PLAIN_PILES: dict[int, bool]
PILE_WATCH: dict[int, list[Callable[[int], None]]]
SORTS: dict[str, list[int]]
TOKENS: dict[str, list[int]]
SUPPLY: dict[str, int]
TOKEN_MAX: dict[str, dict[str, Any]]
KIND_OF: list[str]
WATCH: list[Any]
POINTS: list[Any]
COUNTS: list[int]
FRAMES: list[list[Any]]
PENDING: list[Any]
SEAT_BIT: dict[int, int]
HANDS: dict[int, Any]
CHANCE: Chance
GAME: Any
QUICK: Callable[[int], int]
DRAW: Callable[[], Any]
LOG: list[tuple[str, int]]
TAKEN: list[tuple[str, int]]
TURNS: list[tuple[None, ...]]
CHECK: int
CHAPTER: int
ENDED: int
STEPS: int
BOX: int
LIMIT: int
GROUPS: list[Any]
PLACE_ORDER: dict[int, int]
RINGS: list[list[int]]
ANYTHING: Any
DICE: dict[int, Any]
LIMBO: int
NOT_NOW: Any
ENTRIES: list[list[Any]]
BEARER_RULES: dict[int, list[list[Any]]]
LISTS: dict[str, list[Any]]
ACTIVE: list[bool]
FORCE: list[Any]
CELLS: dict[str, list[Callable[[Any], None]]]
STATE_RULES: list[list[Any]]
PERIODS: list[tuple[str, Callable[[], bool]]]
PERIOD_RULES: dict[tuple[str, str], list[list[Any]]]
MENUS: dict[str, list[list[Any]]]
MENU_INFO: dict[str, Any]
FAST_MENUS: dict[str, Callable[..., list[int]]]
CORE_RULES: dict[str, tuple[list[list[Any]], ...]]
TRAITS: list[list[Any]]
TRAIT_PARAMS: dict[str, list[str]]
TRAIT_RULES: dict[str, list[int]]
RULE_FUNCTIONS: dict[int, Any]
ANYTIME: list[tuple[Any, Any, Any]]
TRAIT_FIELDS: dict[str, Callable[[int], None]]
LENDS: dict[str, list[list[Any]]]
NAMESPACE: dict[str, Any]


MOST = 10**15


# How far the keys of rules of two layers lie apart.
LAYER = 10**9


class StopAction(BaseException):
    """Leaves every call up to the frame it names."""

    def __init__(self, index: int) -> None:
        self.index = index


class GoTo(BaseException):
    """Leaves everything for another chapter or an ending."""

    def __init__(self, target: int) -> None:
        self.target = target


class GameOver(BaseException):
    """The game has ended."""


class Anew(BaseException):
    """Something was done in the middle of a decision, which must be worked out again."""


class Halt(BaseException):
    """A test has seen enough of a call."""
