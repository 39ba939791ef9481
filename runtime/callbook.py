"""The fixed part of a program about calls that run: `stop`, `during`, and what lasts until a call ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.bookspace import FRAMES, GAME, PENDING, StopAction


def running(verb: str) -> int:
    for index in range(len(FRAMES) - 1, -1, -1):
        if FRAMES[index][0] == verb:
            return index
    return -1


def stop_action(verb: str) -> None:
    index = running(verb)
    if index >= 0:
        raise StopAction(index)


def during(moment: str, *of: Any) -> bool:
    if moment.startswith("period:"):
        return bool(GAME.periods.get(moment[7:]))
    verb = moment[5:]
    return any(f[0] == verb and (not of or f[1] == of[0]) for f in FRAMES)


def leave_frame() -> None:
    """Ends what lasted until the end of the innermost call."""
    frame = FRAMES.pop()
    if frame[2]:
        for undo in frame[2]:
            undo()


def until_end(moment: str, edge: str, install: Callable[[], Callable[[], None]]) -> None:
    undo = install()
    verb = moment[5:] if moment.startswith("verb:") else moment
    if edge == "until end of":
        index = running(verb)
        if index >= 0:
            if FRAMES[index][2] is None:
                FRAMES[index][2] = []
            FRAMES[index][2].append(undo)
            return
    PENDING.append([edge, verb, undo])


def begin_frame(verb: str, first: Any) -> None:
    """Opens a tracked call: pending `until`s that waited for it attach to it or end."""
    cleanup: list[Any] | None = None
    if PENDING:
        for entry in list(PENDING):
            if entry[1] != verb:
                continue
            PENDING.remove(entry)
            if entry[0] == "until start of next":
                entry[2]()
            else:
                cleanup = cleanup or []
                cleanup.append(entry[2])
    FRAMES.append([verb, first, cleanup])
