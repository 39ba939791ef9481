"""What happened at the table since somebody last looked: told in order, without what they may not know."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rich.text import Text

from talewright.report.explain.trace import Teller
from talewright.report.table.choices import Told
from talewright.report.table.prose import clean, prose_lines, wrapped
from talewright.report.table.visibility import Seat, open_field, visible
from talewright.runtime.game import Decision, Game

MOST_MOVES = 12
MOST_TEXTS = 40
PROSE = 76


@dataclass(frozen=True, slots=True)
class Heard:
    """Something the table could hear: prose, a choice, or what dice and tracks did."""

    kind: str
    text: str
    choice: Told | None = None
    owner: int | None = None
    hidden: Any = field(default=None, compare=False)

    @property
    def who(self) -> str:
        """Who has chosen."""
        return self.choice.who if self.choice is not None else ""


class News:
    """Listens to a game; remembers what this screen has told, and what each seat has seen."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.teller = Teller(game)
        self.heard: list[Heard] = []
        self.last: Told | None = None
        self.first = 0
        self.told = 0
        self.seen: dict[Any, int] = {}

    def __call__(self, kind: str, detail: Any) -> None:
        """The listener of the game."""
        if kind == "say":
            self.heard.append(Heard("say", str(detail)))
        elif kind == "decide":
            self._settle()
            self.last = Told(*detail[3:])
            self.heard.append(Heard("choice", str(detail[2]), self.last))
        elif kind in ("roll", "reroll"):
            if not detail[2]:
                return  # no dice at all
            self.heard.append(Heard("event", self.teller.event(kind, detail).text.strip()))
        elif kind == "write":
            text = self.teller.event(kind, detail).text.strip()
            _, cell, _, _, owner = detail
            self.heard.append(Heard("event", text, None, owner, self._field(cell, owner)))

    def _field(self, cell: str, owner: int | None) -> Any:
        """The field that a track of a thing is."""
        if owner is None:
            return None
        kind = self.game.layout.things[owner].kind
        return self.game.layout.fields_of(kind).get(cell.rpartition(".")[2])

    def _settle(self) -> None:
        """What came of the last choice can be seen by now."""
        if self.last is not None:
            self.last.look(self.game)
            self.last = None

    def choices(self) -> list[Heard]:
        """Every choice so far."""
        return [heard for heard in self.heard if heard.kind == "choice"]

    def picked(self, decision: Decision) -> list[str]:
        """What was picked just before in answer to the same question, where several things are picked."""
        made: list[str] = []
        for heard in reversed(self.choices()):
            if heard.choice is None or not heard.choice.belongs_to(decision):
                break
            made.append(heard.choice.answer)
        return made[::-1]

    def cut(self, left: int, after: int | None) -> None:
        """So many choices are left; play is heard again after some of them, or from the first page."""
        made = [index for index, heard in enumerate(self.heard) if heard.kind == "choice"]
        made.append(len(self.heard))
        known = made[min(left, len(made) - 1)]
        self.first, self.told = min(self.first, known), min(self.told, known)
        self.seen = {seat: min(seen, known) for seat, seen in self.seen.items()}
        del self.heard[0 if after is None else made[min(after, len(made) - 1)] :]
        self.last = None

    def skip(self, pages: int) -> None:
        """Takes what was played again as told, but for the last pages of prose."""
        said = [index for index, heard in enumerate(self.heard) if heard.kind == "say"]
        self.first = self.told = said[-pages] if pages and len(said) >= pages else len(self.heard)
        self.seen = {}

    def tell(self, seat: Seat, own: str, width: int, alone: bool = False) -> Iterator[Text]:
        """What is new on this screen, or to this seat alone; choices of `own` are not told again."""
        self._settle()
        waiting = self.heard[self.seen.get(seat, self.first) if alone else self.told :]
        self.told = self.seen[seat] = len(self.heard)
        moves = [h for h in waiting if h.kind == "choice" and h.who != own]
        passed = len(moves) - MOST_MOVES
        if passed > 0:
            yield Text(f"  ({passed} earlier choices; `log` shows more)", style="dim")
        told = {id(move) for move in moves[-MOST_MOVES:]}
        texts = sum(heard.kind == "say" for heard in waiting)
        events: list[str] = []
        for heard in waiting:
            if heard.kind == "event":
                if self._open(heard, seat):
                    events.append(heard.text)
            elif heard.kind == "say":
                yield from _events(events, width)
                texts -= 1
                if texts < MOST_TEXTS:
                    yield from prose_lines(heard.text, min(PROSE, width - 2))
                    yield Text()
                elif texts == MOST_TEXTS:
                    yield Text("  (many texts are left out here; the last ones follow)", style="dim")
            elif id(heard) in told:
                yield from _events(events, width)
                yield from wrapped(Text(f"  {self.choice(heard, seat)}", style="dim"), width, 4)
        yield from _events(events, width)

    def _open(self, heard: Heard, seat: Seat) -> bool:
        """Whether a seat may hear of an event: what a hidden track does, or one of a hidden thing, is no news."""
        if heard.owner is None:
            return True
        if heard.hidden is not None and not open_field(self.game, heard.owner, heard.hidden, seat):
            return False
        return visible(self.game, heard.owner, seat)

    def choice(self, heard: Heard, seat: Seat) -> str:
        """A choice in words, unless it names what the seat does not know."""
        self._settle()
        assert heard.choice is not None
        return clean(heard.choice.text(seat))


def _events(events: list[str], width: int) -> Iterator[Text]:
    """Dice and tracks in one breath."""
    if events:
        shown = events if len(events) <= MOST_MOVES else ["...", *events[-MOST_MOVES:]]
        yield from wrapped(Text(f"  {clean('; '.join(shown))}", style="dim cyan"), width, 4)
        events.clear()
