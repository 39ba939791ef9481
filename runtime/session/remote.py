"""A seat that somebody elsewhere plays: one JSON object a line, over any pair of streams.

What goes out, by `type`:

- `welcome`: `protocol`, `game` (its title) and `seat`;
- `decision`: `number` from 1, `id`, `seat`, `prompt`, `form`, and `options`, each with `id` and `text`; what else the table
  wants to show (`news`, `table`) stands beside them;
- `refused`: `why` the last line was no answer; the same decision waits on;
- `end`: `outcome` and its `title`.

What comes back is `{"answer": ID}`, with the id of an option. Nothing that the seat may not know goes out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import orjson

from talewright.runtime.session.bots import Bot
from talewright.runtime.session.game import Decision
from talewright.runtime.session.session import option_names

PROTOCOL = 1
LONGEST = 64 * 1024
PATIENCE = 100


class Stream(Protocol):
    """Lines of bytes, out and in."""

    def send(self, line: bytes) -> None:
        """Writes one line; an `OSError` when nobody is there."""

    def receive(self, most: int) -> bytes:
        """One line with its end, or as much of it as may be; nothing when nobody is there any more."""


class Gone(Exception):
    """Whoever played a remote seat is not there any more."""


class RemoteSeat(Bot):
    """Asks over a stream, and asks again until the answer is one of the options."""

    person = True

    def __init__(
        self, stream: Stream, picture: Callable[[Decision], Mapping[str, Any]] | None = None
    ) -> None:
        self.stream = stream
        self.picture = picture
        self.asked = 0

    def welcome(self, game: str, seat: str) -> None:
        """Says which game this is, and which seat."""
        self.say({"type": "welcome", "protocol": PROTOCOL, "game": game, "seat": seat})

    def choose(self, decision: Decision) -> int:
        names = option_names(decision.options)
        self.asked += 1
        self.say({**self.told(decision, names), "number": self.asked})
        for _ in range(PATIENCE):
            answer = self._heard()
            if answer in names:
                return names.index(str(answer))
            self.say({"type": "refused", "why": _why(answer, names)})
        raise Gone("a hundred answers in a row were none of the options")

    def told(self, decision: Decision, names: list[str]) -> dict[str, Any]:
        """A decision as it goes out."""
        options = [
            {"id": name, "text": option.text()} for name, option in zip(names, decision.options, strict=True)
        ]
        return {
            **(self.picture(decision) if self.picture is not None else {}),
            "type": "decision",
            "id": decision.id,
            "seat": decision.who,
            "prompt": decision.prompt,
            "form": decision.form,
            "options": options,
        }

    def end(self, outcome: str, title: str) -> None:
        """Says how the game ended."""
        self.say({"type": "end", "outcome": outcome, "title": title})

    def say(self, data: Mapping[str, Any]) -> None:
        """One object."""
        try:
            self.stream.send(orjson.dumps(data) + b"\n")
        except OSError as error:
            raise Gone(str(error)) from None

    def _heard(self) -> Any:
        """The answer in the next line, whatever it is; none when the line holds none."""
        try:
            line = self.stream.receive(LONGEST)
        except OSError as error:
            raise Gone(str(error)) from None
        if not line:
            raise Gone("the line was closed")
        if not line.endswith(b"\n"):
            raise Gone("a line was too long, or cut short")
        try:
            data = orjson.loads(line)
        except orjson.JSONDecodeError:
            return None
        answer = data.get("answer") if isinstance(data, dict) else None
        return answer if isinstance(answer, str) else None


def _why(answer: Any, names: list[str]) -> str:
    if answer is None:
        return 'answer with one JSON object on one line: {"answer": ID}'
    shown = ", ".join(names[:20])
    return f"`{answer[:80]}` is none of the options: {shown}{', ...' if len(names) > 20 else ''}"
