"""What happened in a game, event by event: a line for people, an object for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from talewright.report.explain.reasons import call_text
from talewright.report.source_lines import place_in_text
from talewright.report.table.choices import Told
from talewright.report.table.visibility import ALL, Seat, open_field, secret, visible, words
from talewright.runtime.game import Game
from talewright.runtime.labels import hidden_name


@dataclass(frozen=True, slots=True)
class Event:
    """One event of play."""

    data: dict[str, Any]
    text: str


class Teller:
    """Turns what a game's listener hears into events: all of them, for it tells of games that are over, or as much as a
    seat may know."""

    def __init__(self, game: Game, seat: Seat = ALL) -> None:
        self.game = game
        self.seat = seat
        self.decisions = 0

    def tells(self, kind: str, detail: Any) -> bool:
        """Whether the seat may hear of an event at all."""
        if kind == "write":
            _, cell, _, _, owner = detail
            field = None if owner is None else self._field(cell, owner)
            closed = field is not None and not open_field(self.game, owner, field, self.seat)
            return self.seat == ALL or owner is None or (not closed and visible(self.game, owner, self.seat))
        if kind == "rule" and isinstance(detail[2], int):
            return visible(self.game, detail[2], self.seat)
        return True

    def _field(self, cell: str, owner: int) -> Any:
        """The field that a track of a thing is."""
        return self.game.layout.fields_of(self.game.layout.things[owner].kind).get(cell.rpartition(".")[2])

    def event(self, kind: str, detail: Any) -> Event:
        """One event."""
        if kind == "decide":
            self.decisions += 1
            name, who, label, *rest = detail
            if self.seat != ALL:
                told = Told(*rest)
                label = told.told(self.seat)
            data = {"event": "decision", "number": self.decisions, "id": name, "by": who, "option": label}
            return Event(data, f"{self.decisions:>4}  {name}  {who}: {label}")
        if kind == "say":
            return Event({"event": "say", "text": detail}, f'      "{" ".join(str(detail).split())}"')
        depth, *rest = detail
        data, text = self._inner(kind, rest)
        return Event({"event": kind, "depth": depth, **data}, f"      {'  ' * depth}{text}")

    def _inner(self, kind: str, rest: list[Any]) -> tuple[dict[str, Any], str]:
        match kind:
            case "write":
                cell, before, after, owner = rest
                name = cell.partition(":")[2].rpartition(".")[2]
                of = self.game.title(owner) if owner is not None else None
                data = {"cell": name, "of": of, "before": before, "after": after}
                return data, f"{words(name)}{f' of {of}' if of else ''} {before} -> {after}"
            case "rule":
                file, line = place_in_text(self.game.program, rest[0])
                bearer = self.game.title(rest[1]) if isinstance(rest[1], int) else None
                data = {"file": file, "line": line, "of": bearer}
                return data, f"rule {file}:{line}{f' of {bearer}' if bearer else ''}"
            case "roll" | "reroll":
                what, faces, purpose, roller = rest
                by = self.game.title(roller) if isinstance(roller, int) else None
                data = {"dice": what, "faces": [_plain(f) for f in faces], "for": _plain(purpose), "by": by}
                shown = ", ".join(words(str(f)) for f in faces)
                return data, f"{kind} {what}{f' for {words(str(purpose))}' if purpose else ''}: {shown}"
            case "shuffle":
                return {"pile": rest[0], "count": rest[1]}, f"shuffle {words(rest[0])} ({rest[1]})"
            case "draw":
                drawn = self._thing(rest[1])
                return {"pile": rest[0], "thing": drawn}, f"draw from {words(rest[0])}: {drawn or 'nothing'}"
            case "random":
                picked = self._thing(rest[0])
                return {"picked": picked, "among": rest[1]}, f"random: {picked} of {rest[1]}"
        action, args = rest[:2]
        shown = call_text(self.game, action, args, self.seat)
        data = {"action": action, "text": shown}
        reason = rest[2] if kind == "refused" else None
        told = str(reason() if callable(reason) else reason) if reason else ""
        if told and (self.seat == ALL or not secret(self.game, told, self.seat)):
            data["reason"] = told
        return data, f"{kind} {shown}{f': {told}' if 'reason' in data else ''}"

    def _thing(self, thing: Any) -> Any:
        if (
            isinstance(thing, int)
            and not isinstance(thing, bool)
            and 0 <= thing < len(self.game.layout.things)
        ):
            if not visible(self.game, thing, self.seat):
                return hidden_name(self.game, thing)
            return self.game.layout.things[thing].id
        return _plain(thing)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, str, bool)) else str(value)
