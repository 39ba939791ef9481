"""What happened in a game, event by event: a line for people, an object for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from talewright.report.reasons import call_text
from talewright.report.sources import place_in_text
from talewright.report.views import ALL, words
from talewright.runtime.game import Game


@dataclass(frozen=True, slots=True)
class Event:
    """One event of play."""

    data: dict[str, Any]
    text: str


class Teller:
    """Turns what a game's listener hears into events; it sees all, for it tells of games that are over."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.decisions = 0

    def event(self, kind: str, detail: Any) -> Event:
        """One event."""
        if kind == "decide":
            self.decisions += 1
            name, who, label, *_ = detail
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
        shown = call_text(self.game, action, args, ALL)
        data = {"action": action, "text": shown}
        reason = rest[2] if kind == "refused" else None
        told = str(reason() if callable(reason) else reason) if reason else ""
        if told:
            data["reason"] = told
        return data, f"{kind} {shown}{f': {told}' if told else ''}"

    def _thing(self, thing: Any) -> Any:
        if (
            isinstance(thing, int)
            and not isinstance(thing, bool)
            and 0 <= thing < len(self.game.layout.things)
        ):
            return self.game.layout.things[thing].id
        return _plain(thing)


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (int, str, bool)) else str(value)
