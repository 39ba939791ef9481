"""Looking ahead: a second game brought to a decision, then on in a world that the decider cannot tell from the real one.

The second game follows the choices of the first as they are made, and goes on from the last decision it stood at
(`resuming`). At a decision, everything that the decider does not know is dealt anew among the places where it
lies hidden, and chance starts afresh; only then is an option tried.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from types import FrameType
from typing import Any, NoReturn
from weakref import WeakKeyDictionary

from talewright.runtime.dealing import Deal, holds_things
from talewright.runtime.faults import Fault
from talewright.runtime.game import Game
from talewright.runtime.hints import Hints
from talewright.runtime.program import Program
from talewright.runtime.resuming import Moment, Moments

# Calls that do not ask their gate again.
SURE = re.compile(r"Y\d+")
Steer = Callable[[str, Any, Sequence[Any]], int]
Look = Callable[["ImaginedGame"], Any]


class Enough(BaseException):
    """An imagined game has been seen as far as somebody wants."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where an imagined game goes on from: the choices up to there, the position, and what is decided in it."""

    script: list[int]
    moment: Moment
    decision: tuple[Any, ...]
    menu: tuple[str, tuple[Any, ...], Any] | None
    labels: list[int]
    ways: list[Any]


class ImaginedGame(Game):
    """A game that follows a script, then asks `steer` for the number of an option each time somebody decides."""

    def __init__(self, program: Program) -> None:
        self.script: Sequence[int] = ()
        self.position = 0
        self.steer: Steer | None = None
        self.stand: Stand | None = None
        self._beginning: tuple[Any, ...] = ()
        self._taking = False
        self._over = False
        self.look: Look | None = None
        self.labels: list[int] = []
        self.seen: Any = None
        self._deals: dict[tuple[int, ...], Deal] = {}
        super().__init__(program, resumable=True)
        self.moments = Moments(self)
        self.hints = Hints(self)

    def stand_at(self, game: Game) -> None:
        """Goes to where another game of the same program stands at a decision."""
        script = [taken for _, taken in game.log]
        beginning = (game.seed, game.chapter, id(game.brought), len(game.brought))
        if self._beginning != beginning or (
            self.stand and self.stand.script != script[: len(self.stand.script)]
        ):
            self.stand = None
        self._beginning = beginning
        self.brought = game.brought
        if self.stand is not None and len(self.stand.script) == len(script):
            self.script = script
            return
        self._taking = True
        self.look = None
        self._deals.clear()
        self._go_on(script, self._leave_at_once)

    def imagine(self, steer: Steer, look: Look | None = None) -> str | None:
        """Plays on to the end, or until `steer` has seen enough; gives the ending if there is one.

        `look` is what is looked at when the game is left, kept in `seen`.
        """
        self.look = look
        return self._go_on(self.script, steer)

    def _go_on(self, script: Sequence[int], steer: Steer) -> str | None:
        seed, chapter = self._beginning[:2]
        self.steer, self.script, self.swapped = steer, script, {}
        self._over = False
        self.seen = None
        try:
            if self.stand is None:
                self.reset(seed)
                self.quick = self.agent = None
                self.position = 0
                return self.run(chapter)
            self.position = len(self.stand.script)
            self.menu, self.labels, self.ways = self.stand.menu, self.stand.labels, self.stand.ways
            # Chance starts afresh at the decision itself.
            chance = self.position < len(script)
            return str(self.moments.go_on(self.stand.moment, self.decide, self.stand.decision, chance))
        except Enough:
            return None

    def _connect(self, space: dict[str, Any]) -> None:
        # In another world a gate may be closed again before what was chosen is done.
        for name in [name for name in space if SURE.fullmatch(name)]:
            space[name] = space[f"A{name[1:]}"]
        super()._connect(space)

    # -------------------------------------------------------------- deciding
    def decide(self, id_: str, by: Any, options: list[Any], prompt: Any, form: str) -> int:
        if by is None:
            raise Fault("R1", f"nobody is there to decide {id_}")
        self.swapped = {}
        if self.position < len(self.script):
            index = self.script[self.position]
            self.position += 1
        else:
            if self._taking:
                self._take(sys._getframe(1), (id_, by, options, prompt, form))
            index = self._steered(id_, self._deciders(by), options)
        if not 0 <= index < len(options):
            raise Fault("R10", f"an imagined game cannot follow at {id_}")
        self.log.append(("", index))
        return index

    def _steered(self, id_: str, by: Any, options: Sequence[Any]) -> int:
        """What `steer` says; once it has seen enough, nothing that is still done on the way out is asked."""
        if self._over:
            raise Enough
        assert self.steer is not None
        return self.steer(id_, by, options)

    def leave(self) -> NoReturn:
        """Has seen enough; how the game stands is looked at before anything is left."""
        if not self._over:
            self._over = True
            self.seen = None if self.look is None else self.look(self)
        raise Enough

    def _leave_at_once(self, id_: str, by: Any, options: Sequence[Any]) -> int:
        self.leave()

    def _take(self, frame: FrameType, decision: tuple[Any, ...]) -> None:
        self._taking = False
        moment = self.moments.take(frame)
        if moment is not None:
            self.stand = Stand(list(self.script), moment, decision, self.menu, self.labels, self.ways)

    def ask(self, point: int, by: Any, options: Sequence[Any], prompt: Any) -> Any:
        if self.quick is not None:
            return super().ask(point, by, options, prompt)
        self.space["S"][self.space["STEPS"]] = 0
        index = self.decide(f"{point}", by, options, None, "choose")  # type: ignore[arg-type]
        return self.now(point, options[index])

    def ask_labelled(self, point: int, by: Any, options: Sequence[Any], prompt: Any, optional: bool) -> int:
        if self.quick is not None:
            return super().ask_labelled(point, by, options, prompt, optional)
        self.space["S"][self.space["STEPS"]] = 0
        shown = [o[1] for o in options]
        self.labels = [o[0] for o in options]
        index = self.decide(f"{point}", by, [*shown, None] if optional else shown, None, "options")
        return int(options[index][0]) if index < len(options) else -1

    def ask_yes(self, point: int, by: Any, label: Any) -> bool:
        if self.quick is not None:
            return super().ask_yes(point, by, label)
        self.space["S"][self.space["STEPS"]] = 0
        return self.decide(f"{point}", by, ["yes", "no"], None, "yes") == 0

    def ask_menu(
        self,
        point: int,
        by: Any,
        menu: str,
        args: tuple[Any, ...],
        options: Sequence[Any],
        passing: Any,
        prompt: Any,
    ) -> Any:
        if self.quick is not None:
            return super().ask_menu(point, by, menu, args, options, passing, prompt)
        self.space["COUNTS"][point] += 1
        self.space["S"][self.space["STEPS"]] = 0
        if len(options) + bool(passing) == 1:
            return options[0]
        self.menu = (menu, args, by)
        index = self.decide(f"{point}", by, [*options, None] if passing else list(options), None, "menu")
        self.menu = None
        if index == len(options):
            return None
        return self.now(point, options[index])

    def say(self, text: Any) -> None:
        """Nobody listens."""

    def now(self, point: int | str, option: Any) -> Any:
        """An option in the world that was dealt: what lies now where a thing lay. A number that is chosen is no thing."""
        if not self.swapped or (not isinstance(point, int) and not point.isdigit()):
            return option
        asked = self.program.points[int(point)]
        if asked["form"] == "menu" and type(option) is tuple:
            entry, values = option
            kinds = self.program.offered[int(entry[2].__name__[1:])]
            return entry, tuple(map(self._now, values, kinds))
        return self._now(option, asked["type"])

    def _now(self, value: Any, kind: Any) -> Any:
        things = kind is None or holds_things(kind)
        return self.swapped.get(value, value) if things and type(value) is int else value

    # -------------------------------------------------------------- another world
    def deal_anew(self, seats: Sequence[int], draw: Random) -> None:
        """Another world that these seats cannot tell from the one they are in; chance starts afresh."""
        key = tuple(seats)
        deal = self._deals.get(key)
        if deal is None:
            deal = Deal(self, key)
            if self.position == len(self.log):
                self._deals[key] = deal
        self.swapped = deal.world(draw)


_PLAIN: WeakKeyDictionary[Program, Program] = WeakKeyDictionary()


def plain_program(program: Program) -> Program:
    """The same program without tracing or counting."""
    if type(program) is Program and not program.traced:
        return program
    found = _PLAIN.get(program)
    if found is None:
        layout = program.layout
        counts = [n for role, n in layout.seats.items() if layout.kinds[role]["role"]["high"] > 1]
        found = Program(program.document, dict(layout.options), counts[0] if counts else None)
        _PLAIN[program] = found
    return found
