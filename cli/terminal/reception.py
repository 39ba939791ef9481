"""The door of a remote seat: takes connections, lets in who has the key, and holds up nobody meanwhile.

One thread serves all connections at once, so that a silent one delays nobody. Each has a deadline for its first line. Wrong keys
are counted for each address: after a few of them the address has to wait.
"""

from __future__ import annotations

import hmac
import selectors
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from time import monotonic

import orjson

from talewright.schemas.records import field, record

GREETING_SECONDS = 10.0
# So many wrong keys from one address; then it is refused until so many seconds have passed without another.
GUESSES = 5
GUESS_SECONDS = 60.0
# So many connections may stand at the door unannounced, all together and from one address; the oldest go first.
MOST_WAITING = 64
MOST_WAITING_FROM_ONE = 8
MOST_ADDRESSES = 1000
LONGEST_GREETING = 1024


@record(eq=False)
class _Caller:
    """A connection that has not shown its key yet."""

    connection: socket.socket
    address: str
    deadline: float
    said: bytearray = field(default_factory=bytearray)


@record
class _Guesses:
    """The wrong keys of one address."""

    number: int = 0
    last: float = 0.0


class Reception:
    """Listens at an address; hands over each connection that shows the key, with what it sent after it."""

    def __init__(
        self,
        address: tuple[str, int],
        key: str,
        admit: Callable[[socket.socket, bytes], None],
        tell: Callable[[str], None],
    ) -> None:
        self.key = key
        self.admit = admit
        self.tell = tell
        self.guesses: dict[str, _Guesses] = {}
        self.callers: list[_Caller] = []
        self.door = socket.create_server(address)
        self.door.setblocking(False)
        self.host, self.port = self.door.getsockname()[:2]
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.door, selectors.EVENT_READ)
        self.bell, self.button = socket.socketpair()
        self.selector.register(self.bell, selectors.EVENT_READ)
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def close(self) -> None:
        """Lets nobody in any more."""
        with suppress(OSError):
            self.button.send(b"x")
        self.thread.join(GREETING_SECONDS)

    def _serve(self) -> None:
        while True:
            soonest = min((caller.deadline for caller in self.callers), default=None)
            wait = None if soonest is None else max(0.0, soonest - monotonic())
            for key, _ in self.selector.select(wait):
                if key.fileobj is self.bell:
                    self._lock_up()
                    return
                if key.fileobj is self.door:
                    self._open()
                else:
                    self._hear(key.data)
            for caller in [caller for caller in self.callers if caller.deadline <= monotonic()]:
                self._dismiss(caller, "nothing was said in time")

    def _lock_up(self) -> None:
        for caller in list(self.callers):
            self._dismiss(caller, "the game is over")
        self.selector.close()
        for one in (self.door, self.bell, self.button):
            one.close()

    def _open(self) -> None:
        try:
            connection, where = self.door.accept()
        except OSError:
            return
        connection.setblocking(False)
        caller = _Caller(connection, str(where[0]), monotonic() + GREETING_SECONDS)
        neighbours = [other for other in self.callers if other.address == caller.address]
        if len(neighbours) >= MOST_WAITING_FROM_ONE:
            self._dismiss(neighbours[0], "too many connections")
        elif len(self.callers) >= MOST_WAITING:
            self._dismiss(self.callers[0], "too many connections")
        self.callers.append(caller)
        self.selector.register(connection, selectors.EVENT_READ, caller)
        if self._shut_out(caller.address):
            self._dismiss(caller, f"too many wrong keys: try again in {GUESS_SECONDS:.0f} seconds")

    def _hear(self, caller: _Caller) -> None:
        if caller not in self.callers:
            return
        try:
            heard = caller.connection.recv(LONGEST_GREETING)
        except BlockingIOError:
            return
        except OSError:
            heard = b""
        caller.said += heard
        line, end, rest = bytes(caller.said).partition(b"\n")
        if not end and heard and len(line) < LONGEST_GREETING:
            return
        if not end or not self._fits(line):
            if end or len(line) >= LONGEST_GREETING:
                self._count(caller.address)
            self._dismiss(caller, "the key does not fit")
            return
        self.selector.unregister(caller.connection)
        self.callers.remove(caller)
        self.guesses.pop(caller.address, None)
        self.admit(caller.connection, rest)

    def _fits(self, line: bytes) -> bool:
        try:
            data = orjson.loads(line)
        except orjson.JSONDecodeError:
            return False
        given = data.get("key") if isinstance(data, dict) else None
        return isinstance(given, str) and hmac.compare_digest(given.encode(), self.key.encode())

    def _shut_out(self, address: str) -> bool:
        made = self.guesses.get(address)
        if made is not None and monotonic() - made.last > GUESS_SECONDS:
            del self.guesses[address]
            return False
        return made is not None and made.number >= GUESSES

    def _count(self, address: str) -> None:
        """Another wrong key from an address; the host hears of the first, and when the address is shut out."""
        if len(self.guesses) >= MOST_ADDRESSES:
            del self.guesses[next(iter(self.guesses))]
        made = self.guesses.setdefault(address, _Guesses())
        made.number += 1
        made.last = monotonic()
        if made.number == 1:
            self.tell(f"is asked for by somebody at {address} with a wrong key.")
        elif made.number == GUESSES:
            self.tell(
                f"was asked for with {GUESSES} wrong keys from {address}, which has to wait {GUESS_SECONDS:.0f} seconds now."
            )

    def _dismiss(self, caller: _Caller, why: str) -> None:
        with suppress(OSError):
            caller.connection.send(orjson.dumps({"type": "refused", "why": why}) + b"\n")
        with suppress(KeyError, ValueError, OSError):
            self.selector.unregister(caller.connection)
        caller.connection.close()
        self.callers.remove(caller)
