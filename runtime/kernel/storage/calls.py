"""The stack of running calls that somebody asks for: a verb and a first argument each."""

from __future__ import annotations

from talewright.runtime.kernel.memory import RUN, RUN_TOP, M

RUN_CELLS = 2


def running_call(verb: int) -> int:
    """One more than the depth of the innermost running call of a verb; 0 if none runs."""
    at = M[RUN_TOP] - RUN_CELLS
    while at >= RUN:
        if M[at] == verb:
            return at + 1
        at -= RUN_CELLS
    return 0


def running_of(verb: int, first: int) -> int:
    """Whether a call of a verb runs with a certain first argument."""
    at = M[RUN_TOP] - RUN_CELLS
    while at >= RUN:
        if M[at] == verb and M[at + 1] == first:
            return 1
        at -= RUN_CELLS
    return 0
