"""`tale join`: plays a seat of a game that runs elsewhere."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from typing import Any

import click
import orjson
from rich.text import Text

from talewright.cli.exit_codes import OK
from talewright.cli.help_page import Command
from talewright.cli.terminal.answers import no_option
from talewright.cli.terminal.remote_seats import keep_alive, reason_of
from talewright.cli.terminal.screen import Screen
from talewright.report.table.prose import clean, wrapped

MOST = 4 * 1024 * 1024
# Instead of an option: the decision was taken back.
GONE_BACK = "\0"
HELP = (
    "Type the number of an option, letters in it, `look NAME`, `look N`, `why`, `why N`, `why NAME`, `table`, "
    "`undo` (everybody must agree) or `quit`. The options:"
)
COMMANDS = ("quit", "exit", "table", "look", "why", "undo", "help", "?")

EXAMPLES = {
    "tale join 127.0.0.1:40123 5f2c9a0d4be17763a1c80e92d6f4b35e": "Sits down at a seat; `tale play` shows this line.",
}


@click.command("join", cls=Command, examples=EXAMPLES)
@click.argument("address", metavar="HOST:PORT")
@click.argument("key", metavar="KEY")
def command(address: str, key: str) -> int:
    """Play a seat of a game that runs elsewhere; `tale play --seat SEAT=remote` says where, and the key."""
    host, _, port = address.rpartition(":")
    if not port.isdecimal() or not host:
        raise click.UsageError(f"`{address}` is no address: write HOST:PORT, as `tale play` shows it")
    try:
        connection = socket.create_connection((host, int(port[:6])), timeout=10)
    except (OSError, OverflowError) as problem:
        why = reason_of(problem)
        raise click.ClickException(f"Nobody waits at {address}: {why}") from None
    connection.settimeout(None)
    keep_alive(connection)
    click.echo(f"Asking for a seat at {address}.")
    with connection, connection.makefile("rb") as reader:
        try:
            screen = Screen()
            connection.sendall(orjson.dumps({"key": key}) + b"\n")
            return _Guest(connection, reader, screen).play()
        except OSError:
            raise click.ClickException(f"The game at {address} is gone") from None


class _Guest:
    """Somebody at a seat of a game elsewhere."""

    def __init__(self, connection: socket.socket, reader: Any, screen: Screen) -> None:
        self.connection = connection
        self.reader = reader
        self.screen = screen
        self.waiting: list[dict[str, Any]] = []
        """What has come in, but was not looked at yet."""

    def play(self) -> int:
        """Until the game ends or somebody leaves."""
        while True:
            data = self._next()
            match data.get("type"):
                case "welcome":
                    told = f"You are {data.get('seat', '')}; the game says when it is your turn."
                    self._lines([str(data.get("game", "")), told, ""])
                case "refused":
                    raise click.ClickException(f"The game refuses: {_plain(data.get('why', ''))}")
                case "waiting":
                    self._lines([f"  ({data.get('who', '')} decides)"])
                case "question":
                    self._send({"agreed": self._agreed(str(data.get("text", "")))})
                case "decision":
                    chosen = self._ask(data)
                    if chosen is None:
                        self.screen.write("You leave; the seat waits for you.")
                        return OK
                    if chosen is not GONE_BACK:
                        self._send({"answer": chosen})
                case "replaced":
                    self.screen.write("Somebody else with the key plays this seat now.")
                    return OK
                case "end":
                    self._lines(
                        [*data.get("news", ()), "", f"-- {data.get('title') or data.get('outcome')} --"]
                    )
                    return OK

    def _next(self) -> dict[str, Any]:
        if self.waiting:
            return self.waiting.pop(0)
        line = self.reader.readline(MOST)
        try:
            data = orjson.loads(line) if line.endswith(b"\n") else None
        except orjson.JSONDecodeError:
            data = None
        if not isinstance(data, dict):
            raise click.ClickException("The game is over, or whoever ran it has left")
        return data

    def _send(self, data: dict[str, Any]) -> None:
        self.connection.sendall(orjson.dumps(data) + b"\n")

    def _agreed(self, text: str) -> bool:
        """Whether this seat agrees to what somebody else wants."""
        self.screen.pass_over_unasked(_is_command)
        while True:
            try:
                line = str(self.screen.read(f"{_plain(text)} (yes or no) ")).strip().lower()
            except EOFError:
                return True
            if line in ("yes", "y", "no", "n"):
                return line.startswith("y")

    def _ask(self, data: dict[str, Any]) -> str | None:
        """The id of the option that is taken; none when somebody leaves."""
        self.screen.pass_over_unasked(_is_command)
        table = [str(line) for line in data.get("table", ())]
        self._lines([str(line) for line in data.get("changed", ())])
        options = [(str(o["id"]), str(o["text"])) for o in data["options"]]
        asked = self._asked(data, options, range(len(options)))
        news = _texts([str(line) for line in data.get("news", ())])
        self.screen.read_aloud(news, len(asked) + 1, _is_command)
        self.screen.write_all(asked)
        while True:
            try:
                line = self.screen.read().strip()
            except EOFError:
                return None
            word, _, rest = line.partition(" ")
            match word.lower():
                case "quit" | "exit":
                    return None
                case "table":
                    self._lines(table)
                case "look" | "why":
                    self._send({word.lower(): rest.strip()})
                    self._reply()
                case "undo" if rest.strip() in ("", *map(str, range(1, 100))):
                    self._send({"undo": int(rest.strip() or 1)})
                    self.screen.write("It is taken back if the others agree.")
                    if self._reply():
                        self.screen.write("Taken back.")
                        return GONE_BACK
                case "" | "help" | "?":
                    self.screen.write(HELP)
                    self.screen.write_all(asked)
                case _:
                    fitting = _fitting(line, options)
                    if len(fitting) == 1:
                        return options[fitting[0]][0]
                    if fitting:
                        self.screen.write_all(self._asked(data, options, fitting))
                    elif line.isdecimal():
                        self.screen.write(no_option(line, len(options)))
                    else:
                        self.screen.write("No option has that in it. Type `help` for what you can say.")

    def _reply(self) -> bool:
        """Shows what the game answers; whether it has gone on to something else instead."""
        data = self._next()
        if data.get("type") != "told":
            self.waiting.append(data)
            return True
        self._lines([str(line) for line in data.get("lines", ())])
        return False

    def _asked(
        self, data: dict[str, Any], options: list[tuple[str, str]], which: Iterable[int]
    ) -> list[Text]:
        """The question and some of its options, in the width of the screen."""
        asked = data.get("question") or f"{data.get('seat', '')}: {data.get('prompt') or 'What now?'}"
        shown = [str(line) for line in data.get("shown", ())]
        if len(shown) != len(options):
            shown = [f"  {index + 1:>2}  {text}" for index, (_, text) in enumerate(options)]
        width, hanging = self.screen.width, len(str(len(options))) + 4
        lines = [(asked, 0), *((shown[index], hanging) for index in which)]
        return [
            Text(),
            *(piece for line, indent in lines for piece in wrapped(Text(_plain(line)), width, indent)),
        ]

    def _lines(self, lines: list[str]) -> None:
        self.screen.write_all(_texts(lines))


def _fitting(line: str, options: list[tuple[str, str]]) -> list[int]:
    """The options that a typed line means."""
    if line.isdecimal():
        number = int(line[:9]) - 1
        return [number] if 0 <= number < len(options) else []
    wanted = line.lower()
    texts = [text.lower() for _, text in options]
    exact = [i for i, text in enumerate(texts) if text == wanted]
    return exact or [i for i, text in enumerate(texts) if wanted in text]


def _is_command(line: str) -> bool:
    """Whether a line says something else than which option to take."""
    return line.strip().lower().partition(" ")[0] in COMMANDS


def _texts(lines: list[str]) -> list[Text]:
    return [Text(_plain(line)) for line in lines]


def _plain(text: Any) -> str:
    """Text from another computer, without control characters."""
    return clean(str(text))
