"""Games of which the host reads every word: played on without it as long as all that is said and asked is fixed words.

Fixed words stand among what never changes, so that the host can read them at any time. What shows something must be read
before the game goes on.
"""

from __future__ import annotations

from talewright.runtime.ir.header import ASKING, OPTIONS, STATUS
from talewright.runtime.kernel.bots.bots import RANDOM, choose_option
from talewright.runtime.kernel.components.chance import rand
from talewright.runtime.kernel.memory import (
    BOT,
    DECIDER,
    DECISION,
    DECISIONS,
    EVENT_TOP,
    EVENTS,
    FIXED_PAGES,
    IN_TEXTS,
    LABELS,
    OPTION_LIST,
    POLICY_STREAM,
    PROMPT,
    M,
)
from talewright.runtime.kernel.play.notes import (
    ASKED,
    NOTHING,
    PAGE,
    ROW,
    SAID,
    STRETCH,
    end_row,
    is_fixed,
    new_row,
)
from talewright.runtime.kernel.storage.frames import answer, run

# Where the host comes to read so many cells, although it need not. Most of the region is left to what bots imagine.
ENOUGH_CELLS = 1 << 15


def play_told() -> int:
    """Plays on until the host must read or the game is over; gives the status.

    A row for each stretch of play says what is chosen at its end, and holds the rows of what is said up to there and what
    is asked. Where words show something, the rows stand alone: the host reads them, and answers the decision.
    """
    stretch = new_stretch()
    while run() == ASKING:
        if stretch > EVENTS + ENOUGH_CELLS or is_fixed_since(stretch) == 0 or is_asked_in_fixed_words() == 0:
            return M[STATUS]
        chosen = choose_for_table()
        note_asked()
        end_stretch(stretch, chosen)
        M[DECISIONS] += 1
        answer(chosen)
        stretch = new_stretch()
    return M[STATUS]


def new_stretch() -> int:
    """A row that says nothing until it is ended, so that a fault leaves rows that can be read."""
    row = new_row(NOTHING, 0, 0, 0)
    end_row(row)
    return row


def end_stretch(row: int, chosen: int) -> None:
    """All rows behind one belong to it from now on."""
    M[row + 1] = STRETCH
    M[row + 2] = chosen
    end_row(row)


def choose_for_table() -> int:
    """What the bot at the table answers; by chance where none thinks."""
    if BOT == 0 or M[BOT] <= RANDOM:
        return rand(POLICY_STREAM, M[OPTIONS])
    return choose_option()


def is_fixed_since(row: int) -> int:
    """Whether everything that was said after a row is fixed words."""
    row += M[row]
    while row < EVENTS + M[EVENT_TOP]:
        if M[row + 1] == SAID:
            if is_fixed(M[row + 2]) == 0:
                return 0
        elif M[row + 1] != PAGE or FIXED_PAGES == 0:
            return 0
        row += M[row]
    return 1


def is_asked_in_fixed_words() -> int:
    """Whether the question and its options are fixed words."""
    if M[IN_TEXTS + M[DECISION]] == 0 or is_fixed(M[PROMPT]) == 0:
        return 0
    labels = M[LABELS]
    if labels != 0:
        i = 1
        while i <= M[labels]:
            if is_fixed(M[labels + i]) == 0:
                return 0
            i += 1
    return 1


def note_asked() -> None:
    """The decision that the game stands at: who decides, the question, and each option with its label."""
    count = M[OPTIONS]
    row = new_row(ASKED, M[DECISION], M[DECIDER], 1 + 2 * count)
    M[row + ROW] = M[PROMPT]
    labels = M[LABELS]
    at = row + ROW + 1
    i = 1
    while i <= count:
        M[at] = M[M[OPTION_LIST] + i]
        M[at + 1] = 0
        if labels != 0:
            M[at + 1] = M[labels + i]
        at += 2
        i += 1
    end_row(row)
