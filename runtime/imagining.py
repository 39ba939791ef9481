"""Looking ahead: a second game brought to a decision, then on in a world that the decider cannot tell from the real one.

The second game follows the choices of the first as they are made, and goes on from the last decision it stood at
(`resuming`). Before it goes on from a decision, everything that the decider does not know is dealt anew among the places
where it lies hidden, what running actions remember of it is exchanged (`remembering`), and chance starts afresh; only
then is an option tried. Where there is no way back to a decision, nothing can be exchanged, and no option is tried.
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

from talewright.runtime.faults import Fault
from talewright.runtime.game import Game
from talewright.runtime.hints import Hints
from talewright.runtime.layout import Layout
from talewright.runtime.marking import Marks
from talewright.runtime.program import Program
from talewright.runtime.remembering import MarkedDeal
from talewright.runtime.resuming import Frame, Moment, Moments

# Calls that do not ask their gate again.
SURE = re.compile(r"Y\d+")
Steer = Callable[[str, Any, Sequence[Any]], int]
Look = Callable[["ImaginedGame"], Any]
# Whose world it is to be, and what it is drawn by.
World = tuple[Sequence[int], Random]


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

    marks = True

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
        self._deals: dict[tuple[int, ...], MarkedDeal] = {}
        self.numbers: Marks = Marks(program)
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
            if self.stand is not None:
                # Rules and functions of the table may remember things of the last world. Nobody goes on from there.
                self.moments.put_back(self.stand.moment)
                self.__dict__.pop("decide", None)
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

    @property
    def can_deal(self) -> bool:
        """Whether there is a way back to the decision it stands at: elsewhere nothing can be dealt anew."""
        return self.stand is not None and len(self.stand.script) == len(self.script)

    def imagine(self, steer: Steer, look: Look | None = None, world: World | None = None) -> str | None:
        """Plays on to the end, or until `steer` has seen enough; gives the ending if there is one.

        `look` is what is looked at when the game is left, kept in `seen`; with `world` everything that its seats do not
        know is dealt anew before anybody decides.
        """
        self.look = look
        return self._go_on(self.script, steer, world)

    def _go_on(self, script: Sequence[int], steer: Steer, world: World | None = None) -> str | None:
        seed, chapter = self._beginning[:2]
        self.steer, self.script = steer, script
        self._over = False
        self.seen = None
        try:
            if world is not None and not self.can_deal:
                raise Fault("R11", "nothing can be dealt anew at this decision")
            if self.stand is None:
                self.reset(seed)
                self.quick = self.agent = None
                self.position = 0
                return self.run(chapter)
            stand, ask = self.stand, self.decide
            self.position = len(stand.script)
            # Chance starts afresh at the decision itself.
            self.moments.put_back(stand.moment, self.position < len(script))
            self.menu, self.labels, self.ways = stand.menu, stand.labels, stand.ways
            frames, decision = stand.moment.frames, stand.decision
            if world is not None:
                frames, decision = self._dealt(stand, *world)
            return str(self.moments.enter(frames, ask, decision))
        except Enough:
            return None

    def _own_layout(self) -> Layout:
        return self.numbers.layout(self.program.layout)

    def _connect(self, space: dict[str, Any]) -> None:
        space.update(self.numbers.tables(self.program.writer))
        # In another world a gate may be closed again before what was chosen is done.
        for name in [name for name in space if SURE.fullmatch(name)]:
            space[name] = space[f"A{name[1:]}"]
        super()._connect(space)

    # -------------------------------------------------------------- deciding
    def decide(self, id_: str, by: Any, options: list[Any], prompt: Any, form: str) -> int:
        if by is None:
            raise Fault("R1", f"nobody is there to decide {id_}")
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
        return options[index]

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
        return None if index == len(options) else options[index]

    def say(self, text: Any) -> None:
        """Nobody listens."""

    # -------------------------------------------------------------- another world
    def _dealt(self, stand: Stand, seats: Sequence[int], draw: Random) -> tuple[list[Frame], tuple[Any, ...]]:
        """Another world that these seats cannot tell from the one they are in: how to go on from the decision in it."""
        key = tuple(seats)
        deal = self._deals.get(key)
        if deal is None:
            deal = self._deals[key] = MarkedDeal(self, key, stand.moment)
        swapped = deal.world(draw)
        if not swapped:
            return stand.moment.frames, stand.decision
        id_, by, options, *rest = stand.decision
        self.menu = deal.mapped(self.menu, swapped)
        self.ways = [deal.anew(way, swapped) for way in self.ways]
        return deal.remember(swapped), (id_, deal.anew(by, swapped), deal.anew(options, swapped), *rest)


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
