"""Looking ahead: a game played again up to a decision, then on in a world that the decider cannot tell from the real one.

A game runs on the Python stack, so a position cannot be copied in the middle of a call. Instead a second game
of the same program is fed the choices made so far. At the decision, everything that the decider does not know is
dealt anew among the places where it lies hidden, and chance starts afresh; only then is an option tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any
from weakref import WeakKeyDictionary

from talewright.runtime.chance import Chance
from talewright.runtime.faults import Fault
from talewright.runtime.game import Game
from talewright.runtime.program import Program

Steer = Callable[[str, Any, Sequence[Any]], int]


class Enough(BaseException):
    """An imagined game has been seen as far as somebody wants."""


class ImaginedGame(Game):
    """A game that follows a script, then asks `steer` for the number of an option each time somebody decides."""

    def __init__(self, program: Program) -> None:
        self.script: Sequence[int] = ()
        self.position = 0
        self.steer: Steer | None = None
        self.swapped: dict[int, int] = {}
        super().__init__(program)

    def imagine(self, seed: int, script: Sequence[int], steer: Steer, chapter: str | None) -> str | None:
        """Plays to the end, or until `steer` has seen enough; gives the ending if there is one."""
        self.reset(seed)
        self.quick = None
        self.agent = None
        self.script, self.position, self.steer = script, 0, steer
        self.swapped = {}
        try:
            return self.run(chapter)
        except Enough:
            return None

    def _after_kernel(self, space: dict[str, Any]) -> None:
        super()._after_kernel(space)
        space["pick_many"] = self._pick_many
        space["each_chosen"] = self._each_chosen
        space["arrange"] = lambda point, by, items: list(self._each_chosen(point, by, items))

    # -------------------------------------------------------------- deciding
    def decide(self, id_: str, by: Any, options: list[Any], prompt: Any, form: str) -> int:
        if by is None:
            raise Fault("R1", f"nobody is there to decide {id_}")
        self.swapped = {}
        if self.position < len(self.script):
            index = self.script[self.position]
            self.position += 1
        else:
            assert self.steer is not None
            index = self.steer(id_, self._deciders(by), options)
        if not 0 <= index < len(options):
            raise Fault("R10", f"an imagined game cannot follow at {id_}")
        self.log.append(("", index))
        return index

    def ask(self, point: int, by: Any, options: Sequence[Any], prompt: Any) -> Any:
        self.space["S"][self.space["STEPS"]] = 0
        index = self.decide(f"{point}", by, options, None, "choose")  # type: ignore[arg-type]
        return self.now(options[index])

    def ask_labelled(self, point: int, by: Any, options: Sequence[Any], prompt: Any, optional: bool) -> int:
        self.space["S"][self.space["STEPS"]] = 0
        shown = [o[1] for o in options]
        index = self.decide(f"{point}", by, [*shown, None] if optional else shown, None, "options")
        return int(options[index][0]) if index < len(options) else -1

    def ask_yes(self, point: int, by: Any, label: Any) -> bool:
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
        self.space["COUNTS"][point] += 1
        self.space["S"][self.space["STEPS"]] = 0
        if len(options) + bool(passing) == 1:
            return options[0]
        index = self.decide(f"{point}", by, [*options, None] if passing else list(options), None, "menu")
        if index == len(options):
            return None
        entry, values = options[index]
        return entry, tuple(self.now(value) for value in values)

    def say(self, text: Any) -> None:
        """Nobody listens."""

    def now(self, value: Any) -> Any:
        """What lies now where a thing lay when the options were worked out."""
        return self.swapped.get(value, value) if self.swapped and type(value) is int else value

    def _pick_many(
        self, point: int, by: Any, options: Sequence[Any], count: int, mode: str, again: Any = None, group: int = -1,
        prompt: Any = None,
    ) -> list[Any]:  # fmt: skip
        left = list(options)
        every = list(options)
        chosen: list[Any] = []
        if mode == "exactly" and again is None and len(left) <= count:
            self.space["COUNTS"][point] += 1
            return left
        least = count if mode == "at least" else 0
        most = len(left) if mode == "at least" else count
        while left and len(chosen) < most:
            offered = again(left) if again is not None else left
            if not offered:
                break
            free = (mode == "up to") or (mode == "at least" and len(chosen) >= least)
            self.swapped = {}
            item = self.space["pick"](point, by, offered, group, free, prompt)
            if self.swapped:
                left, every, chosen = ([self.now(x) for x in items] for items in (left, every, chosen))
            if item is None:
                break
            chosen.append(item)
            left.remove(item)
        return [x for x in every if x in chosen]

    def _each_chosen(self, point: int, by: Any, items: Iterable[Any]) -> Iterable[Any]:
        left = list(items)
        while left:
            self.swapped = {}
            item = self.space["pick"](point, by, left)
            left = [self.now(x) for x in left]
            left.remove(item)
            yield item

    # -------------------------------------------------------------- another world
    def deal_anew(self, seats: Iterable[int], draw: Random) -> None:
        """Deals what none of these seats knows among the places where such things lie hidden; chance starts afresh."""
        space = self.space
        known = 0
        for seat in seats:
            known |= space["SEAT_BIT"].get(seat, 0)
        groups: dict[Any, list[int]] = {}
        up, knowledge, faces = space["UP"], space["KNOWN"], space["FACES"]
        for thing in range(len(up)):
            if not up[thing] and not knowledge[thing] & known and thing not in faces:
                groups.setdefault(self.back(thing), []).append(thing)
        swapped: dict[int, int] = {}
        for things in groups.values():
            others = list(things)
            draw.shuffle(others)
            swapped.update((a, b) for a, b in zip(things, others, strict=True) if a != b)
        self._swap(swapped)
        self.swapped = swapped
        space["CHANCE"] = Chance(draw.getrandbits(62))

    def _swap(self, swapped: dict[int, int]) -> None:
        """Where the first of each pair lay, the second lies now, with what can be seen of it from outside."""
        if not swapped:
            return
        space = self.space
        loc, items = space["LOC"], space["ITEMS"]
        for pile in {loc[thing] for thing in swapped}:
            items[pile][:] = [swapped.get(thing, thing) for thing in items[pile]]
        outside = [loc, space["KNOWN"], *space["TOKENS"].values()]
        outside += [
            space[f"F{field.number}"] for field in self._mutable() if field.number not in self._face_fields()
        ]
        for column in outside:
            kept = {thing: column[thing] for thing in swapped}
            for thing, other in swapped.items():
                column[other] = kept[thing]
        for column in self._thing_columns():
            for place, value in enumerate(column):
                if value is not None:
                    column[place] = _mapped(value, swapped)
        for cell in self._thing_cells():
            space["S"][cell] = _mapped(space["S"][cell], swapped)
        for thing in swapped:
            for look in space["WATCH"][thing] or ():
                look(thing)

    def _face_fields(self) -> set[int]:
        return {number for faces in self.space["FACES"].values() for face in faces for number in face[2]}

    def _thing_columns(self) -> list[list[Any]]:
        return [self.space[f"F{f.number}"] for f in self._mutable() if _holds_things(f.type)]

    def _thing_cells(self) -> list[int]:
        states = self.program.content["states"]
        return [self.layout.scalars[f"state:{s['id']}"] for s in states if _holds_things(s["type"])]


def _holds_things(kind: Any) -> bool:
    while isinstance(kind, list) and kind[0] in ("optional", "list", "set"):
        kind = kind[2][0]
    return isinstance(kind, list) and kind[0] == "thing"


def _mapped(value: Any, swapped: dict[int, int]) -> Any:
    if isinstance(value, list):
        return [swapped.get(v, v) if isinstance(v, int) else v for v in value]
    return swapped.get(value, value) if isinstance(value, int) else value


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
