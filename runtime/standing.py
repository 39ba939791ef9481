"""How a game stands: to tell whether anything has changed, and whether a replay is the same game."""

from __future__ import annotations

import sys
from hashlib import blake2b
from types import FrameType
from typing import TYPE_CHECKING, Any

from talewright.runtime import outfit
from talewright.runtime.dicepool import Die, Pool
from talewright.runtime.faults import Fault
from talewright.runtime.resuming import FLAT

if TYPE_CHECKING:
    from talewright.runtime.game import Decision, Game

PATIENCE = 3
GENERATED = "<tale>"
NESTED = 4
# Types of fields that are written as a whole or not at all.
WHOLE = FLAT | {"bands"}


class Progress:
    """Watches whether one decision comes again and again while nothing changes."""

    def __init__(self) -> None:
        self.last: Any = None
        self.times = 0
        self.tried: set[int] = set()

    def asked(self, decision: Decision, names: list[str], person: bool) -> None:
        """A decision is put; the third time in a row with nothing changed is an error of play.

        A person may read the same page as often as they like, until every option has led nowhere.
        """
        now = (decision.id.partition("#")[0], decision.seat, tuple(names), standing(decision.game))
        if now != self.last:
            self.last, self.times, self.tried = now, 1, set()
            return
        self.times += 1
        stuck = len(self.tried) == len(decision.options) if person else True
        if self.times >= PATIENCE and stuck:
            name = decision.id.partition("#")[0]
            raise Fault("R8", f"no progress: `{name}` was asked {self.times} times and nothing has changed")

    def copy(self) -> Progress:
        """The same, on its own."""
        made = Progress()
        made.last, made.times, made.tried = self.last, self.times, set(self.tried)
        return made

    def answered(self, index: int) -> None:
        """What was answered."""
        self.tried.add(index)


def standing(game: Game) -> tuple[Any, ...]:
    """All that can make the game go on differently: the table, chance, and the calls that are running."""
    return (*table(game), _calls())


def table(game: Game) -> tuple[Any, ...]:
    """What lies on the table, and how far chance has come."""
    space = game.space
    state = list(space["S"])
    for counter in ("steps", "rounds"):
        state[game.layout.scalars[counter]] = 0
    return (
        _plain(state),
        tuple(map(tuple, space["ITEMS"])),
        tuple(space["UP"]),
        tuple(space["KNOWN"]),
        tuple(
            tuple(column) if field.tag in WHOLE else _column(column)
            for field in game._mutable()
            for column in [space[f"F{field.number}"]]
        ),
        tuple(map(tuple, space["TOKENS"].values())),
        tuple(space["TURNED"]),
        tuple((n, *(t[0] for t in traits)) for n, traits in enumerate(space["TRAITS"]) if traits),
        _plain(game.periods),
        len(space["PENDING"]),
        outfit.positions(game),
        _chance(game),
    )


def digest(game: Game) -> str:
    """The table in a few letters, the same in every process."""
    space = game.space
    state = [v if isinstance(v, (int, str, type(None))) else None for v in space["S"]]
    parts = (
        state,
        space["ITEMS"],
        space["UP"],
        space["KNOWN"],
        sorted(space["TOKENS"].items()),
        space["TURNED"],
        outfit.positions(game),
    )
    return blake2b(repr(parts).encode(), digest_size=8).hexdigest()


def _column(column: list[Any]) -> tuple[Any, ...]:
    if not {list, dict, set}.isdisjoint(map(type, column)):
        return tuple(_plain(value) for value in column)
    return tuple(column)


def _chance(game: Game) -> tuple[Any, ...]:
    return tuple(sorted(game.space["CHANCE"].snapshot().items()))


def _calls() -> tuple[Any, ...]:
    """The generated functions that are running, each with where it is and what its names hold."""
    found = []
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename == GENERATED:
            found.append((frame.f_code.co_name, frame.f_lasti, _plain(frame.f_locals)))
        frame = frame.f_back
    return tuple(found)


def _plain(value: Any, depth: int = 0) -> Any:
    """A value that can be compared later, whatever is done to the original."""
    if value is None or isinstance(value, (int, str)):
        return value
    if isinstance(value, Die):
        return value.face
    if isinstance(value, Pool):
        return tuple(die.face for die in value.dice)
    if depth < NESTED:
        if isinstance(value, (list, tuple)):
            return tuple(_plain(v, depth + 1) for v in value)
        if isinstance(value, (set, frozenset)):
            return frozenset(_plain(v, depth + 1) for v in value)
        if isinstance(value, dict):
            return tuple((k, _plain(v, depth + 1)) for k, v in value.items())
    return type(value).__name__
