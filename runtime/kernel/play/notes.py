"""What happens, written down for the host and for tests: rows `[size, kind, ...]` behind one another.

Texts and lists are copied behind the row that holds their address, since the stack they lie on goes on without them.
"""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.components.dice import die_record
from talewright.runtime.kernel.components.ways import band_row
from talewright.runtime.kernel.memory import (
    COUNT,
    DIE_FACE,
    DIE_KIND,
    EVENT_TOP,
    EVENTS,
    EVENTS_END,
    FACE,
    FIRST,
    FIRST_MADE,
    IMAGE,
    KNOWN,
    NEXT,
    SHOWN,
    STATIC,
    TEXT_LISTS,
    TEXT_TEXTS,
    TEXTS,
    THING_DIE,
    THING_FACE,
    WHERE,
    M,
    copy,
    fault,
)

# The kinds of rows.
NOTHING = 0
SAID = 1
CALLED = 2
RULE = 3
ROLLED = 4
PAGE = 5
RECORDED = 6
# A call has ended; why the next one is refused; the marker of a track has moved; dice were rolled again; a container was
# shuffled; something was drawn; chance picked something.
LEFT = 7
REASON = 8
MARKER = 9
REROLLED = 10
SHUFFLED = 11
DRAWN = 12
PICKED = 13
# A number was looked up in bands: the number, and the ends of the band it lies in.
BAND = 14
# A thing was turned up for everybody, or shown to a seat; an effect of a thing begins (1), or is over (0).
TURNED = 15
EFFECT = 16
# A die was turned over: its kind, and what it shows now.
FLIPPED = 17
# A decision; and a row that holds rows: what was said up to a decision, and that.
ASKED = 18
STRETCH = 19
# The cells of a row before its parts: size, kind, and two of its own.
ROW = 4
# The bits of all seats.
ALL_SEATS = 2147483647


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
        fault(TOO_MUCH)
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


def keep_inside(where: int) -> int:
    """A list of what lies at a location now, that stays."""
    made = take_cells(M[COUNT + where] + 1)
    M[made] = M[COUNT + where]
    thing = M[FIRST + where]
    at = made
    while thing != 0:
        at += 1
        M[at] = thing
        thing = M[NEXT + thing]
    return made


def is_fixed(text: int) -> int:
    """Whether a text stands among what never changes; there is always none."""
    return text == 0 or (text >= STATIC and text < IMAGE)


def keep_text(text: int) -> int:
    """A copy of a text that stays, with the lists and texts that it shows; one that never changes stays where it is."""
    if is_fixed(text) != 0:
        return text
    made = keep_block(text)
    number = M[made + 1]
    if number > 0:
        lists = M[TEXT_LISTS + number]
        texts = M[TEXT_TEXTS + number]
        for i in range(2, M[made] + 1):
            if (lists & 1) != 0:
                M[made + i] = keep_block(M[made + i])
            elif (texts & 1) != 0:
                M[made + i] = keep_text(M[made + i])
            lists >>= 1
            texts >>= 1
    return made


def note_text(kind: int, text: int) -> None:
    """A row with a text."""
    row = new_row(kind, 0, 0, 0)
    M[row + 2] = keep_text(text)
    end_row(row)


def say_text(text: int) -> int:
    """Something is said at the table; gives how many texts were said since somebody last decided."""
    note_text(SAID, text)
    M[TEXTS] += 1
    return M[TEXTS]


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


def knowers(thing: int) -> int:
    """The seats that know the face of a thing now, as bits; -1 if everybody sees it."""
    if thing == 0:
        return 0
    if M[FACE + thing] != 0 or M[WHERE + thing] == 0:
        return -1
    if M[KNOWN + thing] == -1 and thing < FIRST_MADE and M[IMAGE + WHERE + thing] == M[WHERE + thing]:
        return M[SHOWN + thing] & ALL_SEATS
    return M[KNOWN + thing] & ALL_SEATS


def keep_knowers(things: int) -> int:
    """A list of who knows each of some things, that stays."""
    made = keep_block(things)
    if made != 0:
        for i in range(1, M[made] + 1):
            M[made + i] = knowers(M[made + i])
    return made


def note_reason(text: int) -> None:
    """Why the call that comes next is refused."""
    note_text(REASON, text)


def note_marker(track: int, owner: int, before: int, after: int) -> None:
    """The marker of a track has moved."""
    row = new_row(MARKER, track, owner, 2)
    M[row + ROW] = before
    M[row + ROW + 1] = after
    end_row(row)


def note_roll(purpose: int, roller: int, pool: int) -> None:
    """Dice were rolled for a purpose: how many, by whom, and for each its kind and what came up."""
    row = new_row(ROLLED, purpose, M[pool], 1 + 2 * M[pool])
    M[row + ROW] = roller
    note_dice(row + ROW + 1, pool)
    end_row(row)


def note_face(purpose: int, roller: int, kind: int, face: int) -> None:
    """A single die without numbers was rolled."""
    row = new_row(ROLLED, purpose, 1, 3)
    M[row + ROW] = roller
    M[row + ROW + 1] = kind
    M[row + ROW + 2] = face
    end_row(row)


def note_thing_dice(purpose: int, roller: int, dice: int) -> None:
    """Dice that are things were rolled for a purpose, as in `note_roll`."""
    row = new_row(ROLLED, purpose, M[dice], 1 + 2 * M[dice])
    M[row + ROW] = roller
    for i in range(1, M[dice] + 1):
        die = M[dice + i]
        M[row + ROW + 2 * i - 1] = M[THING_DIE + die]
        M[row + ROW + 2 * i] = M[M[THING_FACE + die]]
    end_row(row)


def note_thing_die(purpose: int, roller: int, die: int) -> None:
    """A die that is a thing was rolled."""
    if die != 0:
        note_face(purpose, roller, M[THING_DIE + die], M[M[THING_FACE + die]])


def note_band(rows: int, number: int) -> None:
    """A number was looked up in bands: rows are `[n, (low, high, list) ...]`."""
    row = band_row(rows, number)
    if row != 0:
        note_event(BAND, number, M[row], M[row + 1])


def note_reroll(pool: int) -> None:
    """Dice were rolled again."""
    row = new_row(REROLLED, 0, M[pool], 2 * M[pool])
    note_dice(row + ROW, pool)
    end_row(row)


def note_die_again(die: int) -> None:
    """One die was rolled again."""
    row = new_row(REROLLED, 0, 1, 2)
    note_die(row + ROW, die)
    end_row(row)


def note_flipped(thing: int) -> None:
    """Something was turned over: if it is a die, what it shows now."""
    if thing != 0 and M[THING_DIE + thing] != 0:
        note_event(FLIPPED, M[THING_DIE + thing], M[M[THING_FACE + thing]], 0)


def note_dice(at: int, pool: int) -> None:
    """The kind of each die of a pool, and what it shows."""
    for i in range(1, M[pool] + 1):
        note_die(at, M[pool + i])
        at += 2


def note_die(at: int, die: int) -> None:
    """The kind of a die, and what it shows."""
    record = die_record(die)
    M[at] = M[record + DIE_KIND]
    M[at + 1] = M[record + DIE_FACE]


def note_turned(thing: int) -> None:
    """A thing is about to be turned up for everybody, unless it lies face up already."""
    if thing != 0 and M[FACE + thing] == 0:
        note_event(TURNED, thing, 0, 0)


def note_shown(thing: int, seat: int) -> None:
    """A thing is about to be shown to a seat, unless everybody sees it."""
    if thing != 0 and M[FACE + thing] == 0:
        note_event(TURNED, thing, seat, 0)


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
