"""Stops at decisions and goes on from them: the frames of the functions that were running.

In the state, frames lie behind one another, the innermost last: `[size, function, part, locals ...], size`. A game that
stops writes them into a buffer, the innermost first.
"""

from __future__ import annotations

from talewright.runtime.ir.header import (
    ANSWER,
    ASKING,
    BUFFER_TOP,
    DEPTH,
    ENDLESS,
    FAILED,
    FRAME_TOP,
    LENIENT,
    RUNNING,
    SPARED,
    STATUS,
    STEP_BITS,
    STEP_LIMIT,
    STEPS,
    STRICT,
    TOO_DEEP,
)
from talewright.runtime.ir.intrinsics import M, copy, fault
from talewright.runtime.kernel.memory import BUFFER, FRAMES, FRAMES_END, GAME_STEPS, MOST_STEPS


def step(function: int, frame: int) -> None:
    """Goes on from a frame; cutting writes it."""
    raise NotImplementedError


def drop_frames() -> None:
    """Forgets everything that was running."""
    M[FRAME_TOP] = FRAMES
    M[DEPTH] = 0


def keep_frames() -> None:
    """Moves the frames of a stop from the buffer into the state, the outermost first."""
    size = 0
    frame = BUFFER
    while frame < M[BUFFER_TOP]:
        size += M[frame] + 1
        frame += M[frame]
    target = M[FRAME_TOP] + size
    if target > FRAMES_END:
        fault(TOO_DEEP)
    M[FRAME_TOP] = target
    frame = BUFFER
    while frame < M[BUFFER_TOP]:
        size = M[frame]
        target -= size + 1
        copy(target, frame, size)
        M[target + size] = size
        frame += size
    M[BUFFER_TOP] = BUFFER


def grant_steps() -> None:
    """Gives all steps anew, unless the game has taken too many; each time counts for a few of them."""
    M[GAME_STEPS] += 1 + ((STEP_LIMIT - M[STEPS] - M[SPARED]) >> STEP_BITS)
    M[SPARED] = 0
    M[STEPS] = STEP_LIMIT
    if M[GAME_STEPS] > M[MOST_STEPS]:
        if M[LENIENT] == STRICT:
            fault(ENDLESS)
        M[LENIENT] = FAILED
        M[SPARED] = STEP_LIMIT
        M[STEPS] = 0


def run() -> int:
    """Plays on until something is asked or nothing is left to do; gives the status."""
    grant_steps()
    M[BUFFER_TOP] = BUFFER
    while M[STATUS] == RUNNING and M[FRAME_TOP] != FRAMES:
        end = M[FRAME_TOP] - 1
        frame = end - M[end]
        M[FRAME_TOP] = frame
        step(M[frame + 1], frame)
        if M[STATUS] == ASKING:
            keep_frames()
    return M[STATUS]


def answer(choice: int) -> None:
    """Answers the question that the game stopped at; `run` goes on."""
    M[ANSWER] = choice
    M[STATUS] = RUNNING
