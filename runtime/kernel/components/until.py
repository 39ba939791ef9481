"""Rules for a while: records in the order in which they came.

A record is `[rule, how it ends, what it waits for, bearer, armed, key, what it has captured ...]`.
"""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.memory import (
    DIRTY,
    FORCE_CLOCK,
    RUN_TOP,
    UNTIL,
    UNTIL_BLOCKS,
    UNTIL_CELLS,
    UNTIL_END,
    UNTIL_TOP,
    M,
    copy,
    fault,
)
from talewright.runtime.kernel.storage.heap import is_stored, release
from talewright.runtime.kernel.storage.lists import clear

RULE = 0
ENDS = 1
AWAITS = 2
BEARER = 3
ARMED = 4
KEY = 5
CAPTURED = 6

# How a record ends: with a running call, with the next call that begins, or before the next one begins; with a period or page.
WITH_CALL = 1
WITH_NEXT = 2
BEFORE_NEXT = 3
WITH_PERIOD = 4
WITH_CHAPTER = 5


def add_until(rule: int, ends: int, awaits: int, bearer: int) -> int:
    """A new record; gives its address."""
    at = M[UNTIL_TOP]
    if at + UNTIL_CELLS > UNTIL_END:
        fault(TOO_MUCH)
    M[UNTIL_TOP] = at + UNTIL_CELLS
    M[FORCE_CLOCK] += 1
    M[at + RULE] = rule
    M[at + ENDS] = ends
    M[at + AWAITS] = awaits
    M[at + BEARER] = bearer
    M[at + ARMED] = 0
    M[at + KEY] = M[FORCE_CLOCK]
    clear(at + CAPTURED, UNTIL_CELLS - CAPTURED)
    M[DIRTY] = 1
    return at


def drop_until(at: int) -> None:
    """Takes a record out; what it has captured goes."""
    blocks = M[UNTIL_BLOCKS + M[at + RULE]]
    i = 0
    while blocks != 0:
        if (blocks & 1) != 0 and is_stored(M[at + CAPTURED + i]) != 0:
            release(M[at + CAPTURED + i])
        blocks >>= 1
        i += 1
    top = M[UNTIL_TOP] - UNTIL_CELLS
    copy(at, at + UNTIL_CELLS, top - at)
    M[UNTIL_TOP] = top
    M[DIRTY] = 1


def next_until(rule: int, key: int) -> int:
    """The first record of a rule that came after a key, or 0."""
    at = UNTIL
    while at < M[UNTIL_TOP]:
        if M[at + RULE] == rule and M[at + KEY] > key:
            return at
        at += UNTIL_CELLS
    return 0


def previous_until(rule: int, key: int) -> int:
    """The last record of a rule that came before a key, or 0."""
    at = M[UNTIL_TOP] - UNTIL_CELLS
    while at >= UNTIL:
        if M[at + RULE] == rule and M[at + KEY] < key:
            return at
        at -= UNTIL_CELLS
    return 0


def end_until(depth: int) -> None:
    """A running call has ended: so have the rules that lasted as long."""
    at = M[UNTIL_TOP] - UNTIL_CELLS
    while at >= UNTIL:
        if M[at + ENDS] == WITH_CALL and M[at + AWAITS] >= depth:
            drop_until(at)
        at -= UNTIL_CELLS


def begin_awaited(verb: int) -> None:
    """A call begins: rules that lasted until its start end, those that wait for its end now last as long as it runs."""
    at = M[UNTIL_TOP] - UNTIL_CELLS
    while at >= UNTIL:
        if M[at + AWAITS] == verb:
            if M[at + ENDS] == BEFORE_NEXT:
                drop_until(at)
            elif M[at + ENDS] == WITH_NEXT:
                M[at + ENDS] = WITH_CALL
                M[at + AWAITS] = M[RUN_TOP]
        at -= UNTIL_CELLS


def end_matching(ends: int, awaits: int) -> None:
    """Ends rules that lasted until a period or a page ended."""
    at = M[UNTIL_TOP] - UNTIL_CELLS
    while at >= UNTIL:
        if M[at + ENDS] == ends and M[at + AWAITS] == awaits:
            drop_until(at)
        at -= UNTIL_CELLS


def leave_calls() -> None:
    """Everything that ran is left for another page."""
    end_until(0)
    end_matching(WITH_CHAPTER, 0)
