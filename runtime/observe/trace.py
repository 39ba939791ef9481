"""What happened in a game, from the rows that a traced program writes down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from talewright.runtime.host.words import Words
from talewright.runtime.kernel.play import notes
from talewright.runtime.lower.builds.notes import OUTCOMES
from talewright.runtime.lower.program import Program
from talewright.runtime.model.types import HIGHEST, LOWEST, is_list
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluator import Evaluator
from talewright.runtime.observe.memory import Memory
from talewright.runtime.observe.values import Value
from talewright.schemas.nodes.names import SortRef, ThingRef
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import field, record


@record(frozen=True)
class CallEvent:
    """A call begins (`call`), or what became of it: `done`, `refused`, `replaced`, `thwarted`."""

    depth: int
    action: str
    arguments: tuple[Value, ...] = ()
    reason: str = ""
    """Why it was refused, in the words of the rule."""
    knowers: tuple[tuple[int, ...], ...] = ()
    """Of a call that is done, for each argument who then knew the things that it is: the bits of seats, -1 if everybody did."""


@record(frozen=True)
class RuleEvent:
    """A rule runs."""

    depth: int
    at: int
    bearer: int


@record(frozen=True)
class WriteEvent:
    """The marker of a track has moved, or stays because it stands at the end; the owner is 0 for a track of the table."""

    depth: int
    track: str
    owner: int
    before: int
    after: int


@record(frozen=True)
class RollEvent:
    """Dice were rolled, rolled again or turned over: what they are called, the cells that came up, and for what."""

    depth: int
    dice: str
    faces: tuple[str, ...]
    purpose: str = ""
    roller: int = 0


@record(frozen=True)
class PileEvent:
    """A container was shuffled, or something was drawn from it (0: nothing)."""

    depth: int
    pile: str
    count: int = 0
    thing: int = 0


@record(frozen=True)
class PickEvent:
    """Chance picked one of several."""

    depth: int
    picked: str
    thing: int
    among: int


@record(frozen=True)
class BandEvent:
    """A number was looked up in bands: it lies between these ends; an end that is none is open."""

    depth: int
    number: int
    low: int | None
    high: int | None


@record(frozen=True)
class TurnEvent:
    """A thing was turned up for everybody, or shown to one seat."""

    depth: int
    thing: int
    seat: int = 0


@record(frozen=True)
class EffectEvent:
    """An effect that a thing bears in a field begins, or is over."""

    depth: int
    thing: int
    field: str
    begins: bool


Happening = (
    TurnEvent
    | EffectEvent
    | BandEvent
    | CallEvent
    | RuleEvent
    | WriteEvent
    | RollEvent
    | PileEvent
    | PickEvent
)
Detail = str | Happening
"""What is told of an event; of what is said, the words."""
Rows = Sequence[Sequence[int]]
FIRST_MARKER = 2


@record
class Trace:
    """Keeps what a traced game tells its listener: the kind of each event, and its details.

    `game.listener = Trace()` hears `say` and `decide`, and of a program made with `traced=True` also `call` and what became
    of it, `rule`, `refused`, `write`, `stay`, `roll`, `reroll`, `flip`, `band`, `draw`, `shuffle`,
    `random`, `turn` and `effect`.
    `talewright.report.explain.trace.Teller` puts events into words.
    """

    events: list[tuple[str, object]] = field(default_factory=list)

    def __call__(self, kind: str, detail: object) -> None:
        self.events.append((kind, detail))

    def of(self, kind: str) -> list[object]:
        """The details of all events of a kind."""
        return [detail for each, detail in self.events if each == kind]


class Tracer:
    """Turns rows into events; it keeps in mind how deep calls run inside each other."""

    def __init__(self, words: Words) -> None:
        self.words = words
        self.program: Program = words.program
        self.depth = 0
        self._reason = ""
        self._readers: dict[int, Callable[[Sequence[int]], Iterable[tuple[str, Detail]]]] = {
            notes.SAID: self._said,
            notes.PAGE: self._page,
            notes.CALLED: self._called,
            notes.LEFT: self._left,
            notes.REASON: self._reasoned,
            notes.RULE: self._rule,
            notes.MARKER: self._moved,
            notes.ROLLED: self._rolled,
            notes.REROLLED: self._rerolled,
            notes.SHUFFLED: self._shuffled,
            notes.DRAWN: self._drawn,
            notes.PICKED: self._picked,
            notes.BAND: self._banded,
            notes.TURNED: self._turned,
            notes.EFFECT: self._effect,
            notes.FLIPPED: self._flipped,
        }

    def begin(self) -> None:
        """A new game begins."""
        self.depth, self._reason = 0, ""

    def events(self, rows: Rows) -> list[tuple[str, Detail]]:
        """The events of some rows, which must still stand in memory; the kind of each, and its details."""
        found: list[tuple[str, Detail]] = []
        for kind, *cells in rows:
            read = self._readers.get(kind)
            if read is not None:
                found.extend(read(cells))
        return found

    # ------------------------------------------------------------------ rows
    def _said(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        text = self.words.text(cells[0])
        return [("say", text)] if text else []

    def _page(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        text = self.words.page(cells[0])
        return [("say", text)] if text else []

    def _called(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        outcome, number, *parts = cells
        action = self.program.names_of("action")[number]
        declared = self.program.actions.get(action)
        types = [parameter.type for parameter in declared.params] if declared is not None else []
        arguments = tuple(self._part(cell, type_) for cell, type_ in zip(parts, types, strict=False))
        name, reason = OUTCOMES[outcome], ""
        known = self._knowers(parts[len(types) :], types) if name == "done" else ()
        if name == "called":
            self.depth += 1
            name = "call"
        elif name == "refused":
            reason, self._reason = self._reason, ""
        return [(name, CallEvent(self.depth, action, arguments, reason, known))]

    def _knowers(self, cells: Sequence[int], types: Sequence[Type]) -> tuple[tuple[int, ...], ...]:
        return tuple(
            tuple(self.words.items(cell)) if is_list(type_) else (cell,)
            for cell, type_ in zip(cells, types, strict=False)
        )

    def _part(self, cell: int, type_: Type) -> Value:
        """A part of a call as it was written down: a roll by its total."""
        if plain(type_).tag in ("pool", "dice"):
            return cell
        return Evaluator(self.program, Memory(self.words.machine)).read(cell, type_)

    def _left(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        self.depth = max(0, self.depth - 1)
        return []

    def _reasoned(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        self._reason = self.words.text(cells[0])
        return []

    def _rule(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        _, bearer, at = cells
        return [("rule", RuleEvent(self.depth, at, bearer))]

    def _moved(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        number, owner, before, after = cells
        event = WriteEvent(self.depth, self.program.names_of("track")[number], owner, before, after)
        return [("write" if before != after else "stay", event)]

    def _rolled(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        purpose, _, roller, *dice = cells
        called = self.words.word(purpose) if purpose else ""
        return [("roll", RollEvent(self.depth, self._dice(dice[::2]), self._faces(dice), called, roller))]

    def _rerolled(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        dice = cells[FIRST_MARKER:]
        return [("reroll", RollEvent(self.depth, self._dice(dice[::2]), self._faces(dice)))]

    def _flipped(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        die = cells[:2]
        return [("flip", RollEvent(self.depth, self._dice(die[:1]), self._faces(die)))]

    def _dice(self, kinds: Sequence[int]) -> str:
        """Dice in the words of the game: `2d6 + Fate`."""
        names = {number: name for name, (number, _) in self.program.dice.items()}
        called = [names.get(kind, "fixed") for kind in kinds]
        counted = {name: called.count(name) for name in dict.fromkeys(called)}
        told = [
            name if count == 1 else f"{count}{name}" if name[1:].isdigit() else f"{count} * {name}"
            for name, count in counted.items()
        ]
        return " + ".join(told) or "no dice"

    def _faces(self, dice: Sequence[int]) -> tuple[str, ...]:
        """What came up: numbers, words, or the titles of things."""
        things = self._dice_of_things()
        return tuple(
            self.words.title(face) if kind in things else self.words.value(face, ANY)
            for kind, face in zip(dice[::2], dice[1::2], strict=True)
        )

    def _dice_of_things(self) -> set[int]:
        """The numbers of the dice whose faces are things."""
        content = self.program.world.content
        declared = {die.id: die.faces for die in content.dice}
        declared |= {kind.id: kind.die.faces for kind in content.kinds if kind.die is not None}
        return {
            number
            for name, (number, _) in self.program.dice.items()
            if any(isinstance(face, ThingRef | SortRef) for face in declared.get(name, ()))
        }

    def _shuffled(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        return [("shuffle", PileEvent(self.depth, self._pile(cells[0]), count=cells[1]))]

    def _drawn(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        return [("draw", PileEvent(self.depth, self._pile(cells[0]), thing=cells[1]))]

    def _pile(self, where: int) -> str:
        world = self.program.world
        return world.piles[where - len(world.things) - 1].id if where > len(world.things) else ""

    def _picked(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        picked, among, is_thing = cells[:3]
        shown = self.words.title(picked) if is_thing else self.words.value(picked, ANY)
        return [("random", PickEvent(self.depth, shown, picked if is_thing else 0, among))]

    def _banded(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        number, low, high = cells[:3]
        ends = (None if low == LOWEST else low, None if high == HIGHEST else high)
        return [("band", BandEvent(self.depth, number, *ends))]

    def _turned(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        return [("turn", TurnEvent(self.depth, cells[0], cells[1]))]

    def _effect(self, cells: Sequence[int]) -> Iterable[tuple[str, Detail]]:
        """An effect that is printed on a thing; one that was handed over, or that all things of a kind have, is not told."""
        slot, thing, begins = cells[:3]
        things = self.program.world.things
        passage = self.program.passages.get(slot)
        if passage is None or not 0 < thing <= len(things):
            return []
        printed = things[thing - 1].fields
        field = next((name for name, held in printed.items() if held is passage.node), "")
        return [("effect", EffectEvent(self.depth, thing, field, bool(begins)))] if field else []
