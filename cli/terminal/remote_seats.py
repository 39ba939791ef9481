"""Seats of `tale play` that are played from elsewhere: each waits at an address, and only who has its key may sit down."""

from __future__ import annotations

import secrets
import selectors
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

import click

from talewright.cli.output import called
from talewright.cli.terminal.answers import Answers
from talewright.cli.terminal.news import News
from talewright.cli.terminal.reception import Reception
from talewright.cli.terminal.screen import Screen
from talewright.cli.terminal.table_changes import TableChanges, without_heading
from talewright.report.table.prose import clean
from talewright.report.table.tabletop import table_lines
from talewright.runtime.session import Decision, Session, Undo
from talewright.runtime.session.remote import LONGEST, Gone, RemoteSeat

WORD = "remote"
HERE = "127.0.0.1"
WIDTH, HEIGHT = 80, 24
# 128 bits: nobody guesses that.
KEY_BYTES = 16
SENDING_SECONDS = 10.0
# Seconds of silence, seconds between questions, questions without an answer.
KEEPALIVE = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}


class Replaced(OSError):
    """Somebody else has come with the key."""


class Table(Protocol):
    """The terminal that runs the game, as far as seats elsewhere need it."""

    session: Session
    screen: Screen
    remotes: list[Waiting]

    def agrees(self, who: str, count: int) -> bool:
        """Whether those who sit there agree to take decisions back."""

    def decides_elsewhere(self, who: str, there: Waiting) -> None:
        """Tells everybody else for whom they wait."""


class Wire:
    """A connection as lines of bytes. Waiting for a line can be interrupted from another thread."""

    def __init__(self, connection: socket.socket, heard: bytes = b"") -> None:
        keep_alive(connection)
        # For writing alone: reading waits as long as somebody thinks.
        connection.settimeout(SENDING_SECONDS)
        self.connection = connection
        self.heard = bytearray(heard)
        self.bell, self.button = socket.socketpair()
        self.selector = selectors.DefaultSelector()
        for one in (connection, self.bell):
            self.selector.register(one, selectors.EVENT_READ)

    def send(self, line: bytes) -> None:
        """Writes one line."""
        self.connection.sendall(line)

    def receive(self, most: int) -> bytes:
        """One line, or as much of it as may be."""
        while b"\n" not in self.heard and len(self.heard) < most:
            if any(key.fileobj is self.bell for key, _ in self.selector.select()):
                raise Replaced("somebody else came with the key")
            more = self.connection.recv(LONGEST)
            if not more:
                break
            self.heard += more
        end = self.heard.find(b"\n") + 1 or most
        line = bytes(self.heard[: min(end, most)])
        del self.heard[: len(line)]
        return line

    def interrupt(self) -> None:
        """Ends all waiting for a line."""
        with suppress(OSError):
            self.button.send(b"x")

    def close(self) -> None:
        """Ends it."""
        self.selector.close()
        for one in (self.connection, self.bell, self.button):
            one.close()


def keep_alive(connection: socket.socket) -> None:
    """Lets the system find out within half a minute that the other end is gone without a word."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEPALIVE.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


class Waiting:
    """A seat at an address. Whoever leaves may come back, and who has the key may take over from who is silent."""

    person = True

    def __init__(self, name: str, title: str, address: str, table: Table) -> None:
        self.name = name
        self.title = title
        self.table = table
        self.tell: Callable[[str], None] = table.screen.write
        self.session = session = table.session
        self.key = secrets.token_hex(KEY_BYTES)
        self.news = News(session.game)
        self.answers = Answers(session.game, self.news.narrator.cards)
        self.changes = TableChanges()
        self.waited = ""
        """For whom whoever sits there waits, as they were told."""
        self.seat: RemoteSeat | None = None
        self.next: RemoteSeat | None = None
        self.changed = threading.Condition()
        host, port = _address(address)
        try:
            self.reception = Reception((host, port), self.key, self._arrived, self._told)
        except (OSError, OverflowError) as problem:
            why = reason_of(problem)
            raise click.UsageError(f"`{name}` cannot wait at {host}:{port}: {why}") from None

    def invite(self) -> None:
        """Says how to sit down."""
        self.tell(f"{self.name} is played from elsewhere. Sit down with:")
        self.tell(f"  {self._invitation()}")

    def _invitation(self) -> str:
        return f"{called()} join {self.reception.host}:{self.reception.port} {self.key}"

    def __call__(self, decision: Decision) -> int:
        self.waited = ""
        self.table.decides_elsewhere(decision.who, self)
        while True:
            seat = self._seated()
            try:
                return seat.choose(decision)
            except Gone as gone:
                if self.next is None:
                    self.tell(f"{self.name} has left ({gone}); the game waits. Come back with:")
                    self.tell(f"  {self._invitation()}")
                self.leave()

    def _seated(self) -> RemoteSeat:
        """Whoever came last with the key; waits until somebody does."""
        with self.changed:
            while self.seat is None and self.next is None:
                self.changed.wait(1.0)
            before, seat = (self.seat, self.next) if self.next is not None else (None, self.seat)
            assert seat is not None
            if self.next is not None:
                self.seat, self.next = self.next, None
                self.news.seen.clear()
                self.changes.forget()
                self.waited = ""
        if before is not None:
            _part(before)
        return seat

    def _arrived(self, connection: socket.socket, heard: bytes) -> None:
        """Somebody has come with the key, seen from the thread of the door: they wait, and who sits there is interrupted."""
        wire = Wire(connection, heard)
        seat = RemoteSeat(wire, self)
        try:
            seat.welcome(clean(self.title), self.name)
        except Gone:
            wire.close()
            return
        with self.changed:
            before, self.next = self.next, seat
            current = self.seat
            self.changed.notify()
        self._told("is there." if current is None else "is taken over by somebody with the key.")
        if before is not None:
            _part(before)
        if current is not None and isinstance(current.stream, Wire):
            current.stream.interrupt()

    def _told(self, text: str) -> None:
        """Says something from the thread of the door; a terminal that is gone is found out by whoever plays there."""
        with suppress(OSError, ValueError):
            self.tell(f"{self.name} {text}")

    def waits_for(self, who: str) -> None:
        """Tells whoever sits there, once, who decides now."""
        if self.seat is None or self.waited == who:
            return
        self.waited = who
        with suppress(Gone):  # it is found out when they are asked
            self.seat.say({"type": "waiting", "who": who})

    # -------------------------------------------------------------- the table as it is seen from there
    def picture(self, decision: Decision) -> Mapping[str, Any]:
        """The table, what happened since, and the options as they are read here."""
        view = self.session.game.view()
        table = [line.plain for line in table_lines(view, decision.seat, WIDTH)]
        changes = self.changes.lines(view, decision.seat, WIDTH, HEIGHT)
        news = list(self.news.tell(decision.seat, decision.who, WIDTH, alone=True))
        told = [line.plain for line in without_heading(news, changes)]
        changed = [line.plain for line in changes]
        shown = [line.plain for line in self.answers.options(decision, range(len(decision.options)))]
        question = self.answers.question(decision).plain
        return {"news": told, "table": table, "changed": changed, "shown": shown, "question": question}

    def told(self, asked: str, name: str, decision: Decision) -> list[str]:
        """The answer to `look` or `why`."""
        answer = self.answers.look if asked == "look" else self.answers.why
        return [line.plain for line in answer(name, decision, WIDTH)]

    def undo(self, count: int, decision: Decision) -> str:
        """Goes back, if there is something to take back and everybody else agrees."""
        if not self.session.people:
            return "There is nothing to take back."
        count = min(count, len(self.session.people))
        for other in self.table.remotes:
            if other is not self and not other.agrees(decision.who, count):
                return f"{other.name} does not agree."
        if not self.table.agrees(decision.who, count):
            return "Those at the table do not agree."
        raise Undo(count)

    def agrees(self, who: str, count: int) -> bool:
        """Asks whoever sits there whether decisions may be taken back; yes where nobody does."""
        if self.seat is None:
            return True
        what = "the last decision" if count == 1 else f"the last {count} decisions"
        try:
            return self.seat.agrees(f"{who} wants to take back {what}. Agreed?")
        except Gone:
            self.leave()
            return True

    def end(self, outcome: str, title: str) -> None:
        """Says how it ended, and closes the door."""
        if self.seat is not None:
            try:
                told = [line.plain for line in self.news.tell(None, "", WIDTH)]
                self.seat.say({"type": "end", "outcome": outcome, "title": title, "news": told})
            except Gone:
                pass
        self.reception.close()
        self.leave()
        if self.next is not None:
            _part(self.next)

    def leave(self) -> None:
        """Nobody sits there any more."""
        if self.seat is not None:
            _part(self.seat, replaced=self.next is not None)
        self.seat = None


def _part(seat: RemoteSeat, replaced: bool = True) -> None:
    """Closes the connection of a seat, and says why if somebody else has it now."""
    if replaced:
        with suppress(Gone):
            seat.say({"type": "replaced"})
    if isinstance(seat.stream, Wire):
        seat.stream.close()


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
