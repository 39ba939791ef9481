"""What a game consists of: its program, its name space, and what it remembers beside the state of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from types import CodeType
from typing import Any

from talewright.runtime import campaign
from talewright.runtime.decisions import Agent, Decision
from talewright.runtime.layout import Layout
from talewright.runtime.program import Program

# After so many decisions a game is asked whether it still moves.
PATIENT = 256
# What a game that begins knows of itself.
AT_FIRST: dict[str, Any] = {
    "menu": None,
    "held": 0,
    "asleep": False,
    "still": 0,
    "last_state": None,
    "next_look": PATIENT,
    "seen_decisions": 0,
    "said_since": 0,
    "decided_then": 0,
    "depth": 0,
    "_begun": False,
    "_entered": False,
}


class Asked:
    """A quick chooser in the form in which generated code asks: `int(DRAW() * count)`, as if by lot."""

    __slots__ = ("_chooser",)

    def __init__(self, chooser: Callable[[int], int]) -> None:
        self._chooser = chooser

    def __call__(self) -> Asked:
        return self

    def __mul__(self, count: int) -> int:
        return self._chooser(count)


class GameBase:
    """The ground floor of a game: everything it holds, and nothing that happens."""

    def __init__(
        self,
        program: Program,
        agent: Agent | None,
        resumable: bool,
        hurried: bool,
    ) -> None:
        self.program = program
        # One of which so much is played that it is worth making the program quick.
        self.hurried = hurried and not resumable
        # One whose positions can be gone back to, see `resuming`.
        self.resumable = resumable
        self.layout = self._own_layout()
        self.first_made = len(self.layout.things)
        self.first_pile = len(self.layout.piles) + 2
        self.space: dict[str, Any] = {}
        # The streams of chance that generated code draws from by itself, with the names by which it knows them.
        self.streams: list[tuple[str, str]] = []
        self.agent = agent
        # The question at a fork, where it is the same each time but for the ways.
        self.asked: Decision | None = None
        self.chapter: str | None = None
        self.rigs: dict[Any, list[Any]] = {}
        self.log: list[tuple[str, int]] = []
        self.quick = None
        self.seen_decisions = 0
        self.said: list[str] = []
        # Who was shown what, in a traced game.
        self.shown: set[tuple[int, int]] = set()
        # How many texts were said since so many decisions had been made.
        self.said_since = self.decided_then = 0
        self.listener: Callable[[str, Any], None] | None = None
        self.on_ended: Callable[[str], None] | None = None
        """Told of an action that tests wait for, when it is over with all that follows it."""
        self.held = 0
        self.asleep = False
        self.until = ""
        self.answering = False
        self.periods: dict[str, bool] = {}
        self.period_cells: dict[str, list[Any]] = {}
        self.events: list[tuple[str, str, tuple[Any, ...]]] = []
        self.depth = 0
        self.still = 0
        self.last_state: Any = None
        self.next_look = PATIENT
        self.installed = 0
        self._begun = False
        self.brought: dict[str, Any] = {}
        self.campaign = campaign.empty()
        self.returned: dict[str, int] = {}
        self._late: dict[tuple[str, str], tuple[Any, Any]] = {}
        self._rules_borne: dict[tuple[int, int], list[Any]] = {}
        self._bearers: dict[str, list[int]] = {}
        self._by_chapter: list[int] | None = None
        self._entered = False
        # The first page on which no rule comes into force or goes.
        self._quiet: int | None = -1
        self._all_looks: list[tuple[set[str], Any]] = []
        self.refusals: list[tuple[str, tuple[Any, ...], Any]] = []
        self.menu: tuple[str, tuple[Any, ...], Any] | None = None
        # The ways to pay that are asked about: what each spends, and how many of it.
        self.ways: list[Any] = []

    def _own_layout(self) -> Layout:
        """Things made in play are the game's own, so is the list of all things."""
        layout = self.program.layout
        return replace(layout, things=list(layout.things), number=dict(layout.number))

    @property
    def quick(self) -> Callable[[int], int] | None:
        """Who decides by number alone, without reading anything."""
        return self._quick

    @quick.setter
    def quick(self, chooser: Callable[[int], int] | None) -> None:
        self._quick = self.space["QUICK"] = chooser
        if chooser is None or chooser is not self._by_lot:
            self.space["DRAW"] = None if chooser is None else Asked(chooser)
        else:
            self.space["DRAW"] = self._lots.random

    def choose_by_lot(self, seed: int) -> None:
        """Whoever is asked from now on takes any option, each as likely as the others."""
        if self._by_lot is None:
            self._lots = Random()
            draw = self._lots.random
            self._by_lot = lambda count: int(draw() * count)
            # What `seed` of `Random` does with a number.
            self._begin_lots = super(Random, self._lots).seed
        self._begin_lots(seed)
        self.quick = self._by_lot

    _quick: Callable[[int], int] | None = None
    _by_lot: Callable[[int], int] | None = None
    _lots: Random
    _begin_lots: Callable[[int], None]
    # Things as the game writes them: see `marking`.
    numbers: Mapping[int, int] | Sequence[int] = range(1 << 60)
    marks = False
    # The pages that were turned, where somebody keeps account of them.
    pages: list[int] | None = None

    def text(self, code: CodeType) -> CodeType:
        """A part of the program in the form this game runs it."""
        if not self.resumable:
            return code
        from talewright.runtime.resuming import resumer

        return resumer(self.program).runnable(code)

    def counts(self) -> Callable[[], None]:
        """Remembers what has been counted; calling what it gives puts that back. Plain games count nothing."""
        return lambda: None

    def everybody(self) -> list[int]:
        """All seats."""
        return [t.number for t in self.layout.things if t.kind in self.layout.seats]
