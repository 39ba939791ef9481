"""A real pseudo-terminal with `tale play` in it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
COMMAND = [sys.executable, "-m", "talewright.cli"]


class Played:
    """One run of `tale play` in a terminal of a size."""

    def __init__(
        self, arguments: list[str], folder: Path, columns: int = 80, lines: int = 40, **environment: str
    ) -> None:
        self.master, slave = pty.openpty()
        self.resize(columns, lines)
        keep = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR", "TERM")}
        self.process = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={**keep, "TERM": "xterm-256color", **environment},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        self.raw = ""
        self.seen = 0

    def resize(self, columns: int, lines: int = 40) -> None:
        """Gives the terminal another size."""
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def wait_for(self, *texts: str, seconds: float = 30) -> str:
        """Everything new on the screen up to the first of some texts, without its colours."""
        end = time.monotonic() + seconds
        while not (found := [self._new().index(text) + len(text) for text in texts if text in self._new()]):
            if time.monotonic() > end or not self._read(end):
                raise AssertionError(f"{texts} never came; there was:\n{self._new()}")
        new = self._new()
        at = min(found)
        self.seen += at
        return new[:at]

    def type(self, *lines: str) -> None:
        """Types lines, each followed by Enter."""
        for line in lines:
            os.write(self.master, f"{line}\n".encode())

    def press(self, key: bytes) -> None:
        """Presses a key."""
        os.write(self.master, key)

    def close(self) -> None:
        """Takes the terminal away."""
        os.close(self.master)
        self.master = -1

    def end(self, seconds: float = 30) -> tuple[int, str]:
        """Waits for the end: the exit code, and all that came since."""
        end = time.monotonic() + seconds
        while self.master >= 0 and self._read(end):
            pass
        code = self.process.wait(max(0.1, end - time.monotonic()))
        if self.master >= 0:
            os.close(self.master)
        return code, self._new()

    def _new(self) -> str:
        return self.screen[self.seen :]

    @property
    def screen(self) -> str:
        """All that was ever written, without colours."""
        return ANSI.sub("", self.raw).replace("\r", "")

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
        if not ready:
            return False
        data = b""
        with contextlib.suppress(OSError):
            data = os.read(self.master, 65536)
        self.raw += data.decode("utf-8", "replace")
        return bool(data)
