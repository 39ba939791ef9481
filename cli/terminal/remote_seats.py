"""Seats of `tale play` that are played from elsewhere: each waits at an address, and only who has its key may sit down."""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Callable, Mapping
from typing import Any

import click
import orjson

from talewright.cli.terminal.news import News
from talewright.report.table.prose import clean
from talewright.report.table.tabletop import table_lines
from talewright.runtime.session import Decision, Session
from talewright.runtime.session.remote import LONGEST, Gone, RemoteSeat

WORD = "remote"
HERE = "127.0.0.1"
WIDTH = 78
GREETING_SECONDS = 10.0


class Wire:
    """A connection as lines of bytes."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.reader = connection.makefile("rb")

    def send(self, line: bytes) -> None:
        """Writes one line."""
        self.connection.sendall(line)

    def receive(self, most: int) -> bytes:
        """One line, or as much of it as may be."""
        return self.reader.readline(most)

    def close(self) -> None:
        """Ends it."""
        self.reader.close()
        self.connection.close()


class Waiting:
    """A seat at an address. Whoever leaves may come back: the game waits, at the decision it stood at."""

    person = True

    def __init__(
        self, name: str, title: str, address: str, tell: Callable[[str], None], session: Session
    ) -> None:
        self.name = name
        self.title = title
        self.tell = tell
        self.session = session
        self.key = secrets.token_hex(4)
        self.news = News(session.game)
        self.seat: RemoteSeat | None = None
        host, port = _address(address)
        try:
            self.door = socket.create_server((host, port))
        except (OSError, OverflowError) as problem:
            why = reason_of(problem)
            raise click.UsageError(f"`{name}` cannot wait at {host}:{port}: {why}") from None
        self.host, self.port = self.door.getsockname()[:2]

    def invite(self) -> None:
        """Says how to sit down."""
        self.tell(f"{self.name} is played from elsewhere: tale join {self.host}:{self.port} {self.key}")

    def __call__(self, decision: Decision) -> int:
        while True:
            if self.seat is None:
                self.admit()
            assert self.seat is not None
            try:
                return self.seat.choose(decision)
            except Gone as gone:
                self.tell(f"{self.name} has left ({gone}); the game waits. Come back with:")
                self.tell(f"  tale join {self.host}:{self.port} {self.key}")
                self.leave()

    def admit(self) -> None:
        """Waits until somebody comes with the key."""
        while self.seat is None:
            connection, _ = self.door.accept()
            connection.settimeout(GREETING_SECONDS)
            wire = Wire(connection)
            try:
                known = _has_key(wire.receive(LONGEST), self.key)
                if not known:
                    wire.send(b'{"type": "refused", "why": "the key does not fit"}\n')
                    wire.close()
                    continue
                connection.settimeout(None)
                seat = RemoteSeat(wire, self._picture)
                seat.welcome(clean(self.title), self.name)
            except (OSError, Gone):
                wire.close()
                continue
            self.news.seen.clear()
            self.seat = seat
            self.tell(f"{self.name} is there.")

    def _picture(self, decision: Decision) -> Mapping[str, Any]:
        told = [line.plain for line in self.news.tell(decision.seat, decision.who, WIDTH, alone=True)]
        table = [line.plain for line in table_lines(self.session.game.view(), decision.seat, WIDTH)]
        return {"news": told, "table": table}

    def end(self, outcome: str, title: str) -> None:
        """Says how it ended, and closes the door."""
        if self.seat is not None:
            try:
                told = [line.plain for line in self.news.tell(None, "", WIDTH)]
                self.seat.say({"type": "end", "outcome": outcome, "title": title, "news": told})
            except Gone:
                pass
        self.leave()
        self.door.close()

    def leave(self) -> None:
        """Nobody sits there any more."""
        if self.seat is not None and isinstance(self.seat.stream, Wire):
            self.seat.stream.close()
        self.seat = None


def reason_of(problem: Exception) -> str:
    """Why the network refuses, without what the system adds in brackets."""
    return (getattr(problem, "strerror", None) or str(problem)).partition(" (")[0].lower()


def _address(text: str) -> tuple[str, int]:
    """`remote`, `remote:PORT` or `remote:HOST:PORT`."""
    host, _, port = text.rpartition(":")
    if not text:
        return HERE, 0
    if not port.isdecimal() or not 0 <= int(port[:6]) <= 65535:
        raise click.UsageError(
            f"`{WORD}:{text}` names no port: write `{WORD}`, `{WORD}:PORT` or `{WORD}:HOST:PORT`"
        )
    return host or HERE, int(port)


def _has_key(line: bytes, key: str) -> bool:
    try:
        data = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    given = data.get("key") if isinstance(data, dict) else None
    return isinstance(given, str) and hmac.compare_digest(given.encode(), key.encode())
