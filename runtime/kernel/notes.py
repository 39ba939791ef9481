"""What happens, written down for the host and for tests: rows `[size, kind, ...]` behind one another.

Texts and lists are copied behind the row that holds their address, since the stack they lie on goes on without them.
"""

from __future__ import annotations

from talewright.runtime.kernel.memory import (
    EVENT_TOP,
    EVENTS,
    EVENTS_END,
    TEXT_LISTS,
    TEXT_TEXTS,
    M,
    copy,
    fault,
)

# The kinds of rows.
SAID = 1
CALLED = 2
RULE = 3
ROLLED = 4
PAGE = 5
# The cells of a row before its parts: size, kind, and two of its own.
ROW = 4
R14 = 14


def new_row(kind: int, first: int, second: int, parts: int) -> int:
    """A row with room for so many parts; gives its address."""
    row = EVENTS + M[EVENT_TOP]
    take_cells(ROW + parts)
    M[row] = 0
    M[row + 1] = kind
    M[row + 2] = first
    M[row + 3] = second
    return row


def take_cells(count: int) -> int:
    """Cells behind everything that was written down."""
    made = EVENTS + M[EVENT_TOP]
    if made + count > EVENTS_END:
        fault(R14, 0)
    M[EVENT_TOP] += count
    return made


def end_row(row: int) -> None:
    """A row is complete: its size counts what was copied behind it."""
    M[row] = EVENTS + M[EVENT_TOP] - row


def keep_block(block: int) -> int:
    """A copy of a list that stays."""
    if block == 0:
        return 0
    count = M[block]
    if count < 0:
        count = 0 - count
    made = take_cells(count + 1)
    copy(made, block, count + 1)
    return made


def keep_text(text: int) -> int:
    """A copy of a text that stays, with the lists and texts that it shows."""
    if text == 0:
        return 0
    made = keep_block(text)
    number = M[made + 1]
    if number > 0:
        lists = M[TEXT_LISTS + number]
        texts = M[TEXT_TEXTS + number]
        i = 2
        while i <= M[made]:
            if (lists & 1) != 0:
                M[made + i] = keep_block(M[made + i])
            elif (texts & 1) != 0:
                M[made + i] = keep_text(M[made + i])
            lists >>= 1
            texts >>= 1
            i += 1
    return made


def say_text(text: int) -> None:
    """Something is said at the table."""
    row = new_row(SAID, 0, 0, 0)
    M[row + 2] = keep_text(text)
    end_row(row)


def say_page(page: int) -> None:
    """A page is read out."""
    end_row(new_row(PAGE, page, 0, 0))


def note_event(kind: int, first: int, second: int, third: int) -> None:
    """Something that has three parts."""
    row = new_row(kind, first, second, 1)
    M[row + ROW] = third
    end_row(row)


def note_call(outcome: int, action: int, parts: int) -> int:
    """What became of a call; its parts follow. Gives the row."""
    return new_row(CALLED, outcome, action, parts)


def note_roll(purpose: int, count: int) -> None:
    """Dice were rolled for a purpose."""
    end_row(new_row(ROLLED, purpose, count, 0))


def next_call(row: int, outcome: int, action: int) -> int:
    """The next row after one (0: the first) in which a call had an outcome, or 0."""
    if row == 0:
        row = EVENTS
    else:
        row += M[row]
    while row < EVENTS + M[EVENT_TOP]:
        if M[row + 1] == CALLED and M[row + 2] == outcome and M[row + 3] == action:
            return row
        row += M[row]
    return 0


def count_rolled(purpose: int) -> int:
    """How many dice were rolled for a purpose."""
    total = 0
    row = EVENTS
    while row < EVENTS + M[EVENT_TOP]:
        if M[row + 1] == ROLLED and M[row + 2] == purpose:
            total += M[row + 3]
        row += M[row]
    return total
