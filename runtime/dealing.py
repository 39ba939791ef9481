"""Worlds that a seat cannot tell apart: what it does not know is dealt anew among the places where such things lie hidden."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from talewright.runtime.chance import Chance

if TYPE_CHECKING:
    from talewright.runtime.game import Game
    from talewright.runtime.layout import Field

Swaps = Mapping[int, int]


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
                groups.setdefault(game.back(thing), []).append(game.numbers[thing])
        self.groups = [things for things in groups.values() if len(things) > 1]
        self.hidden = {thing for things in self.groups for thing in things}
        self.piles = sorted({space["LOC"][thing] for thing in self.hidden})
        # Place by place, whatever lies there: what is drawn for a place must not hang on what it hides.
        spots = {thing: n for n, thing in enumerate(t for p in self.piles for t in space["ITEMS"][p])}
        self.lying = [sorted(things, key=spots.__getitem__) for things in self.groups]
        self.columns = [column for column in self._outside() if self._differs(column)]
        self.references = self._references()
        self.cells = [cell for cell in self._cells() if self.mentions(space["S"][cell])]

    def world(self, draw: Random) -> dict[int, int]:
        """Deals; gives for each thing what lies now where it lay. Chance starts afresh."""
        swapped: dict[int, int] = {}
        for things, lying in zip(self.groups, self.lying, strict=True):
            others = list(things)
            draw.shuffle(others)
            swapped.update((a, b) for a, b in zip(lying, others, strict=True) if a != b)
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
                column[place] = self.mapped(column[place], swapped)
        for cell in self.cells:
            state[cell] = self.mapped(state[cell], swapped)
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

    def _references(self) -> list[tuple[list[Any], Sequence[int]]]:
        """Where fields name hidden things."""
        found: list[tuple[list[Any], Sequence[int]]] = []
        for field in self.game._mutable():
            if not self.may_name(field):
                continue
            column = self.game.space[f"F{field.number}"]
            places = [n for n, value in enumerate(column) if value is not None and self.mentions(value)]
            if places:
                # What is named by something hidden may lie elsewhere after the deal.
                moving = any(place in self.hidden for place in places)
                found.append((column, range(len(column)) if moving else places))
        return found

    # -------------------------------------------------------------- what is a thing, here by its type
    def _cells(self) -> Iterable[int]:
        states, scalars = self.game.program.content["states"], self.game.layout.scalars
        return [scalars[f"state:{s['id']}"] for s in states if holds_things(s["type"])]

    def may_name(self, field: Field) -> bool:
        """Whether a field may name things."""
        return holds_things(field.type)

    def mentions(self, value: Any) -> bool:
        """Whether a value names something hidden."""
        if isinstance(value, list):
            return any(isinstance(v, int) and v in self.hidden for v in value)
        return isinstance(value, int) and value in self.hidden

    def mapped(self, value: Any, swapped: Swaps) -> Any:
        """The value as it is when other things lie there."""
        if isinstance(value, list):
            return [swapped.get(v, v) if isinstance(v, int) else v for v in value]
        return swapped.get(value, value) if isinstance(value, int) else value


def holds_things(kind: Any) -> bool:
    """Whether values of a type are things, or sets or lists of things."""
    while isinstance(kind, list) and kind[0] in ("optional", "list", "set"):
        kind = kind[2][0]
    return isinstance(kind, list) and kind[0] == "thing"


def gained_in_play(game: Game, things: Iterable[int]) -> list[tuple[int, Any]]:
    """The traits that things have gained, with the things; what they were born with is part of them."""
    found = [(thing, gained) for thing in things for gained in game.space["TRAITS"][thing]]
    born = {id(gained) for _, traits in game._first["TRAITS"] for gained in traits} if found else ()
    return [(thing, gained) for thing, gained in found if id(gained) not in born]
