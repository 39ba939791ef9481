"""The two ends of the pipe to an editor, which may say anything, and may be gone at any time."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol

# No text that somebody edits is larger; whoever announces more talks nonsense.
LONGEST = 1 << 28
_WIDTH = 300
_SOURCES = Path(__file__).parents[1]
_ANSWERED = object()


class Incoming:
    """What the editor says; a message that breaks off, or is announced as endless, is its end."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        return self._stream.readline(LONGEST)

    def read(self, size: int) -> bytes:
        said = self._stream.read(size) if size <= LONGEST else b""
        return said if len(said) == size else b""


class Outgoing:
    """What the editor is told; when nobody listens any more, `gone` is called."""

    def __init__(self, stream: BinaryIO, gone: Callable[[], None]) -> None:
        self._stream = stream
        self._gone = gone

    def write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
        except (OSError, ValueError):
            self._gone()

    def flush(self) -> None:
        try:
            self._stream.flush()
        except (OSError, ValueError):
            self._gone()

    def close(self) -> None:
        """Leaves the stream open: it is not ours."""
        self.flush()


def leave() -> None:
    """Ends the process at once: a thread still waits for the next word of an editor that hears nothing any more."""
    os._exit(0)


class Protocol(LanguageServerProtocol):
    """Answers what it cannot read with an error, so that nobody waits for an answer."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as an object; one that cannot be read is answered here."""
        try:
            return super().structure_message(data)
        except JsonRpcException as problem:
            number = data.get("id")
            if "method" in data and isinstance(number, (int, str)):
                self._send_response(number, error=problem.to_response_error())
            return _ANSWERED

    def handle_message(self, message: Any) -> None:
        """Does what a message asks for."""
        if message is _ANSWERED:
            return
        if not hasattr(message, "jsonrpc"):
            raise JsonRpcInvalidParams("this is no message of the protocol")
        super().handle_message(message)


class OneLine(logging.Formatter):
    """A record as one line; whole, with the stack, when `TALE_DEBUG=1` is set."""

    def format(self, record: logging.LogRecord) -> str:
        """What happened, the exception, and the place in our sources where it came from."""
        if os.environ.get("TALE_DEBUG") == "1":
            return super().format(record)
        said = record.getMessage().partition("\n")[0][:_WIDTH]
        problem = record.exc_info[1] if record.exc_info else None
        if problem is not None:
            text = " ".join(str(problem).split())[:_WIDTH]
            said += f": {type(problem).__name__}" + (f": {text}" if text else "") + _place(problem)
        return f"tale lsp: {said}"


def _place(problem: BaseException) -> str:
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        file = Path(frame.filename)
        if file.is_relative_to(_SOURCES) and "site-packages" not in file.relative_to(_SOURCES).parts:
            return f" ({file.relative_to(_SOURCES).as_posix()}:{frame.lineno})"
    return ""


def log_plainly() -> None:
    """Sends what the libraries log to standard error, a line each: editors keep it."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    handler.setLevel(logging.WARNING)
    for name in ("pygls", "asyncio"):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.propagate = False
