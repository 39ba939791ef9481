"""Worlds that a seat cannot tell apart: what it does not know is dealt anew among the places where such things lie hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from talewright.runtime.chance import Chance

if TYPE_CHECKING:
    from talewright.runtime.game import Game


class Deal:
    """Everything hidden from some seats as a game stands, ready to be dealt anew any number of times.

    It is looked for once; each deal must begin with the game standing where it stood then.
    """

    def __init__(self, game: Game, seats: Iterable[int]) -> None:
        self.game = game
        space = game.space
        known = 0
        for seat in seats:
            known |= space["SEAT_BIT"].get(seat, 0)
        groups: dict[Any, list[int]] = {}
        up, knowledge, faces = space["UP"], space["KNOWN"], space["FACES"]
        for thing in range(len(up)):
            if not up[thing] and not knowledge[thing] & known and thing not in faces:
                groups.setdefault(game.back(thing), []).append(thing)
        self.groups = [things for things in groups.values() if len(things) > 1]
        hidden = {thing for things in self.groups for thing in things}
        self.piles = sorted({space["LOC"][thing] for thing in hidden})
        self.columns = [column for column in self._outside() if self._differs(column)]
        self.references = self._references(hidden)
        cells = _thing_cells(game)
        self.cells = [cell for cell in cells if _mentions(space["S"][cell], hidden)]

    def world(self, draw: Random) -> dict[int, int]:
        """Deals; gives for each thing what lies now where it lay. Chance starts afresh."""
        swapped: dict[int, int] = {}
        for things in self.groups:
            others = list(things)
            draw.shuffle(others)
            swapped.update((a, b) for a, b in zip(things, others, strict=True) if a != b)
        if swapped:
            self._swap(swapped)
        self.game.use_chance(Chance(draw.getrandbits(62)))
        return swapped

    def _swap(self, swapped: dict[int, int]) -> None:
        """Where the first of each pair lay, the second lies now, with what can be seen of it from outside."""
        space = self.game.space
        items, state, watch = space["ITEMS"], space["S"], space["WATCH"]
        now = swapped.get
        for pile in self.piles:
            items[pile][:] = [now(thing, thing) for thing in items[pile]]
        for column in self.columns:
            kept = [column[thing] for thing in swapped]
            for other, value in zip(swapped.values(), kept, strict=True):
                column[other] = value
        for column, places in self.references:
            for place in places:
                column[place] = _mapped(column[place], swapped)
        for cell in self.cells:
            state[cell] = _mapped(state[cell], swapped)
        for thing in swapped:
            if watch[thing] is not None:
                for look in watch[thing]:
                    look(thing)

    def _outside(self) -> list[list[Any]]:
        """The columns that belong to a place where a thing lies, rather than to the thing."""
        game, space = self.game, self.game.space
        inside = {number for faces in space["FACES"].values() for face in faces for number in face[2]}
        fields = [space[f"F{f.number}"] for f in game._mutable() if f.number not in inside]
        return [space["LOC"], space["KNOWN"], *space["TOKENS"].values(), *fields]

    def _differs(self, column: Sequence[Any]) -> bool:
        for things in self.groups:
            there = [column[thing] for thing in things]
            if there.count(there[0]) != len(there):
                return True
        return False

    def _references(self, hidden: set[int]) -> list[tuple[list[Any], Sequence[int]]]:
        """Where fields name hidden things."""
        found: list[tuple[list[Any], Sequence[int]]] = []
        for field in self.game._mutable():
            if not holds_things(field.type):
                continue
            column = self.game.space[f"F{field.number}"]
            places = [n for n, value in enumerate(column) if value is not None and _mentions(value, hidden)]
            if places:
                # What is named by something hidden may lie elsewhere after the deal.
                moving = any(place in hidden for place in places)
                found.append((column, range(len(column)) if moving else places))
        return found


def _thing_cells(game: Game) -> list[int]:
    states = game.program.content["states"]
    return [game.layout.scalars[f"state:{s['id']}"] for s in states if holds_things(s["type"])]


def holds_things(kind: Any) -> bool:
    """Whether values of a type are things, or sets or lists of things."""
    while isinstance(kind, list) and kind[0] in ("optional", "list", "set"):
        kind = kind[2][0]
    return isinstance(kind, list) and kind[0] == "thing"


def _mentions(value: Any, hidden: set[int]) -> bool:
    if isinstance(value, list):
        return any(isinstance(v, int) and v in hidden for v in value)
    return isinstance(value, int) and value in hidden


def _mapped(value: Any, swapped: dict[int, int]) -> Any:
    if isinstance(value, list):
        return [swapped.get(v, v) if isinstance(v, int) else v for v in value]
    return swapped.get(value, value) if isinstance(value, int) else value
