"""What a running game remembers of hidden things outside of the table.

Locals, arguments of calls that run, loops that are not over, rules that last for a while: where one of them means a thing
that is dealt anew, it must mean what lies in its place then. Marks tell a thing from a number (`marking`).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

from talewright.runtime.dealing import Deal, Swaps, gained_in_play
from talewright.runtime.marking import PLAIN, Marked
from talewright.runtime.names import BEHAVIOUR
from talewright.runtime.resuming import Frame, Moment, put_back

if TYPE_CHECKING:
    from random import Random

    from talewright.runtime.game import Game
    from talewright.runtime.layout import Field

ON_TUPLES = type(iter(()))


class MarkedDeal(Deal):
    """A deal in a game that marks its things, standing at a moment: what it remembers goes with the table."""

    def __init__(self, game: Game, seats: Iterable[int], moment: Moment) -> None:
        super().__init__(game, seats)
        self._contents = [(kept, held) for kept, held in moment.contents if self._holds(held)]
        self._frames: list[tuple[Frame, list[str]]] = [
            (frame, [name for name, value in frame[1].items() if self.mentions(value)])
            for frame in moment.frames
        ]

        granted = {id(one) for entry in game.space["LISTS"]["grant"] for _, one in entry[8] or ()}
        gained = gained_in_play(game, sorted(self.hidden))
        self._gained = [(thing, one) for thing, one in gained if id(one) not in granted]
        self._granted = len(self._gained) < len(gained)

    def world(self, draw: Random) -> dict[int, int]:
        """Deals; what a hidden thing has gained is gained by whatever lies there now, and grants are looked at again."""
        swapped = super().world(draw)
        space = self.game.space
        for thing, gained in self._gained:
            space["lose_trait"](thing, gained)
        for thing, (name, params, _) in self._gained:
            other = swapped.get(thing, thing)
            entries = self.game.trait_entries(other, (name, params))
            space["TRAITS"][other].append((name, params, entries))
            for entry in entries:
                space["install"](entry)
        for entry in tuple(space["LISTS"]["grant"]) if self._granted else ():
            space["look_at_grant"](entry)
        if self._gained:
            space["look_again"]("traits")
        return swapped

    def remember(self, swapped: Swaps) -> list[Frame]:
        """Lets everything that was put back mean what lies there now; gives the frames to go on from."""
        for kept, held in self._contents:
            put_back(kept, self.anew(held, swapped))
        return [
            frame
            if not found
            else (frame[0], {**frame[1], **{n: self.mapped(frame[1][n], swapped) for n in found}}, frame[2])
            for frame, found in self._frames
        ]

    def anew(self, value: Any, swapped: Swaps) -> Any:
        """A value as it is now; a list, set or table is a new one."""
        match value:
            case list():
                return [self.mapped(part, swapped) for part in value]
            case set():
                return {self.mapped(part, swapped) for part in value}
            case dict():
                return {self.mapped(key, swapped): self.mapped(part, swapped) for key, part in value.items()}
        return self.mapped(value, swapped)

    def _holds(self, value: Any) -> bool:
        match value:
            case list() | set():
                return any(map(self.mentions, value))
            case dict():
                return any(self.mentions(part) for pair in value.items() for part in pair)
        return self.mentions(value)

    # -------------------------------------------------------------- what is a thing, here by its mark
    @cached_property
    def _borne(self) -> set[int]:
        """Rules that hidden things bear."""
        return {id(entry) for thing in self.hidden for entry in self._rules_of(thing)}

    @cached_property
    def _behaving(self) -> list[list[Any]]:
        """The columns that hold what things do."""
        fields = {f.number for f in self.game.layout.fields.values() if f.tag in BEHAVIOUR}
        return [self.game.space[f"F{number}"] for number in sorted(fields)]

    def _cells(self) -> Iterable[int]:
        return range(len(self.game.space["S"]))

    def may_name(self, field: Field) -> bool:
        return field.tag not in PLAIN

    def mentions(self, value: Any) -> bool:
        # What a list holds is found for itself: others may hold the same list.
        if type(value) is Marked:
            return value in self.hidden
        match value:
            case tuple() | frozenset():
                return any(map(self.mentions, value))
            case list():
                return id(value) in self._borne
            case partial():
                return self.mentions((value.func, value.args, *value.keywords.values()))
            case _ if type(value) is ON_TUPLES:
                return self.mentions(value.__reduce__()[1])
        return False

    def mapped(self, value: Any, swapped: Swaps) -> Any:
        if type(value) is Marked:
            return swapped.get(value, value)
        match value:
            case tuple():
                return tuple(self.mapped(part, swapped) for part in value)
            case frozenset():
                return frozenset(self.mapped(part, swapped) for part in value)
            case list() if id(value) in self._borne:
                return self._rule(value, swapped)
            case partial():
                named = {name: self.mapped(part, swapped) for name, part in value.keywords.items()}
                args = self.mapped(value.args, swapped)
                return partial(self._behaviour(value, swapped), *args, **named)
            case _ if type(value) is ON_TUPLES:
                _, (held,), *at = cast("tuple[Any, ...]", value.__reduce__())
                again: Any = iter(self.mapped(held, swapped))
                if at:
                    again.__setstate__(*at)
                return again
        return value

    def _rule(self, entry: list[Any], swapped: Swaps) -> list[Any]:
        """The same rule of what lies there now; a rule that only one of them has tells which it is."""
        others = self._rules_of(swapped[entry[1]]) if entry[1] in swapped else ()
        return next((other for other in others if other[2] is entry[2]), entry)

    def _rules_of(self, thing: int) -> list[list[Any]]:
        space = self.game.space
        brought = [entry for gained in space["TRAITS"][thing] for entry in gained[2]]
        return [*space["BEARER_RULES"].get(thing, ()), *brought]

    def _behaviour(self, bound: partial[Any], swapped: Swaps) -> Any:
        """What a thing does that it was handed on for, as what lies there now does it."""
        thing: Any = bound.args[0] if bound.args else None
        if type(thing) is Marked and thing in swapped:
            for column in self._behaving:
                for part, instead in zip(_parts(column[thing]), _parts(column[swapped[thing]]), strict=False):
                    if part is bound.func:
                        return instead
        return self.mapped(bound.func, swapped)


def _parts(behaviour: Any) -> tuple[Any, ...]:
    return behaviour if isinstance(behaviour, tuple) else (behaviour,)
