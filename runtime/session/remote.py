"""A seat that somebody elsewhere plays: one JSON object a line, over any pair of streams.

What goes out, by `type`:

- `welcome`: `protocol`, `game` (its title) and `seat`;
- `waiting`: `who` decides now instead;
- `decision`: `number` from 1, `id`, `seat`, `prompt`, `form`, and `options`, each with `id` and `text`; what else the table
  wants to show (`news`, `table`, what has `changed` of it) stands beside them;
- `refused`: `why` the last line was no answer; the same decision waits on;
- `told`: `lines` in answer to a question; the same decision waits on;
- `question`: a `text` that wants yes or no, between decisions too;
- `end`: `outcome` and its `title`.

What comes back is `{"answer": ID}`, with the id of an option. At a decision also `{"look": NAME}`, `{"why": NAME}` (a name, a
number of an option, or nothing) and `{"undo": N}`, which everybody else must agree to; to a question `{"agreed": true}` or
`false`. Nothing that the seat may not know goes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import orjson

from talewright.runtime.session.bots import Bot
from talewright.runtime.session.game import Decision
from talewright.runtime.session.session import option_names

PROTOCOL = 1
LONGEST = 64 * 1024
PATIENCE = 100
LONGEST_NAME = 200


class Stream(Protocol):
    """Lines of bytes, out and in."""

    def send(self, line: bytes) -> None:
        """Writes one line; an `OSError` when nobody is there."""

    def receive(self, most: int) -> bytes:
        """One line with its end, or as much of it as may be; nothing when nobody is there any more."""


class Host(Protocol):
    """The table at which a remote seat sits: what it shows and tells, and whether it goes back."""

    def picture(self, decision: Decision) -> Mapping[str, Any]:
        """What goes out beside a decision."""

    def told(self, asked: str, name: str, decision: Decision) -> list[str]:
        """The answer to `look` or `why`."""

    def undo(self, count: int, decision: Decision) -> str:
        """Goes back so many decisions; else says why not."""


class Gone(Exception):
    """Whoever played a remote seat is not there any more."""


class RemoteSeat(Bot):
    """Asks over a stream, and asks again until the answer is one of the options."""

    person = True

    def __init__(self, stream: Stream, host: Host | None = None) -> None:
        self.stream = stream
        self.host = host
        self.asked = 0

    def welcome(self, game: str, seat: str) -> None:
        """Says which game this is, and which seat."""
        self.say({"type": "welcome", "protocol": PROTOCOL, "game": game, "seat": seat})

    def choose(self, decision: Decision) -> int:
        names = option_names(decision.options)
        self.asked += 1
        self.say({**self.told(decision, names), "number": self.asked})
        for _ in range(PATIENCE):
            heard = self._heard()
            answer = heard.get("answer")
            if isinstance(answer, str) and answer in names:
                return names.index(answer)
            self.say(self._reply(heard, decision) or {"type": "refused", "why": _why(answer, names)})
        raise Gone("a hundred answers in a row were none of the options")

    def _reply(self, heard: Mapping[str, Any], decision: Decision) -> Mapping[str, Any] | None:
        """The answer to what is asked instead of an option; none where nothing is."""
        if self.host is None:
            return None
        for asked in ("look", "why"):
            if isinstance(heard.get(asked), str):
                lines = self.host.told(asked, heard[asked][:LONGEST_NAME].strip(), decision)
                return {"type": "told", "lines": lines}
        count = heard.get("undo")
        if isinstance(count, int) and count > 0:
            return {"type": "told", "lines": [self.host.undo(count, decision)]}
        return None

    def agrees(self, text: str) -> bool:
        """Puts a question that wants yes or no."""
        self.say({"type": "question", "text": text})
        for _ in range(PATIENCE):
            agreed = self._heard().get("agreed")
            if isinstance(agreed, bool):
                return agreed
            self.say({"type": "question", "text": text})
        return False

    def told(self, decision: Decision, names: list[str]) -> dict[str, Any]:
        """A decision as it goes out."""
        options = [
            {"id": name, "text": option.text()} for name, option in zip(names, decision.options, strict=True)
        ]
        return {
            **(self.host.picture(decision) if self.host is not None else {}),
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

    def _heard(self) -> dict[str, Any]:
        """The object in the next line; an empty one when the line holds none."""
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
            return {}
        return data if isinstance(data, dict) else {}


def _why(answer: object, names: list[str]) -> str:
    if not isinstance(answer, str):
        return 'answer with one JSON object on one line: {"answer": ID}'
    shown = ", ".join(names[:20])
    return f"`{answer[:80]}` is none of the options: {shown}{', ...' if len(names) > 20 else ''}"
