"""Rolled dice.

A die that was rolled is a record in the arena of dice, known by its number. A pool is a list of such numbers. Dice still
to be rolled are a block `[-2 * k, die 1, count 1, ..., die k, count k]`; die 0 stands for a fixed number.
The arena is released like the stack: whoever gives a pool to its caller moves the dice of that pool down to its mark.
"""

from __future__ import annotations

from talewright.runtime.ir.header import NO_ANSWER, NOT_ROLLED, TOO_MUCH
from talewright.runtime.kernel.components.chance import rand
from talewright.runtime.kernel.components.decks import draw_into
from talewright.runtime.kernel.components.rigs import next_rig
from talewright.runtime.kernel.memory import (
    DICE,
    DICE_END,
    DICE_TOP,
    DIE_CELLS,
    DIE_FACE,
    DIE_KIND,
    DIE_PURPOSE,
    DIE_REROLLED,
    DIE_ROLLER,
    DIE_STREAM,
    DIRTY,
    FACE_LIST,
    FIXED_DIE,
    NONE,
    OPPOSITES,
    PURPOSE_RANK,
    RIG_DIE,
    RIGS,
    THING_DIE,
    THING_FACE,
    M,
    copy,
    fault,
)
from talewright.runtime.kernel.storage.lists import new_list, push


def die_record(die: int) -> int:
    """The address of the record of a rolled die."""
    return DICE + die * DIE_CELLS


def roll_index(kind: int, purpose: int) -> int:
    """The position of the face that a die shows, counted from 1."""
    faces = M[FACE_LIST + kind]
    if M[RIGS] != 0:
        wanted = next_rig(RIG_DIE + kind)
        if wanted != NONE:
            for i in range(1, M[faces] + 1):
                if M[faces + i] == wanted:
                    return i
            fault(NO_ANSWER)
    if M[faces] == 1:
        return 1
    return 1 + rand(M[DIE_STREAM + kind] + M[PURPOSE_RANK + purpose_index(purpose)], M[faces])


def purpose_index(purpose: int) -> int:
    """The number of the word that names a purpose; 0 without one."""
    return purpose & 0xFFFFFFF


def roll_face(kind: int, purpose: int) -> int:
    """The face that a die shows."""
    return M[M[FACE_LIST + kind] + roll_index(kind, purpose)]


def new_die(kind: int, face: int, purpose: int, roller: int) -> int:
    """A rolled die."""
    die = M[DICE_TOP]
    if die >= DICE_END:
        fault(TOO_MUCH)
    M[DICE_TOP] = die + 1
    record = die_record(die)
    M[record + DIE_FACE] = face
    M[record + DIE_KIND] = kind
    M[record + DIE_PURPOSE] = purpose
    M[record + DIE_ROLLER] = roller
    M[record + DIE_REROLLED] = 0
    return die


def roll_pool(formula: int, purpose: int, roller: int) -> int:
    """Rolls dice; gives the pool. What was rolled already stays as it is."""
    if M[formula] >= 0:
        return formula
    made = new_list()
    i = 1
    while i < 0 - M[formula]:
        kind = M[formula + i]
        count = M[formula + i + 1]
        if kind == FIXED_DIE:
            push(made, new_die(kind, count, purpose, roller))
        else:
            if count > 1000:
                fault(TOO_MUCH)
            while count > 0:
                push(made, new_die(kind, roll_face(kind, purpose), purpose, roller))
                count -= 1
        i += 2
    return made


def times_dice(formula: int, count: int) -> int:
    """So many of the same dice."""
    made = new_list()
    if count < 0:
        count = 0
    i = 1
    while i <= 0 - M[formula]:
        push(made, M[formula + i])
        if count > 1000:
            fault(TOO_MUCH)
        push(made, M[formula + i + 1] * count)
        i += 2
    M[made] = 0 - M[made]
    return made


def fixed_dice(number: int) -> int:
    """A number standing where dice may stand."""
    made = new_list()
    push(made, FIXED_DIE)
    push(made, number)
    M[made] = 0 - 2
    return made


def pool_total(pool: int) -> int:
    """The sum of the faces of a pool."""
    total = 0
    if pool == 0:
        return NONE
    if M[pool] < 0:
        return fixed_total(pool)
    for i in range(M[pool], 0, -1):
        total += M[die_record(M[pool + i]) + DIE_FACE]
    return total


def fixed_total(formula: int) -> int:
    """The sum of numbers that stand where dice may stand; dice that are not rolled show no number."""
    total = 0
    i = 1
    while i < 0 - M[formula]:
        if M[formula + i] != FIXED_DIE:
            fault(NOT_ROLLED)
        total += M[formula + i + 1]
        i += 2
    return total


def noted_total(pool: int) -> int:
    """The sum of a pool as it is written down; 0 for dice that are not rolled."""
    if pool != 0 and M[pool] < 0:
        i = 1
        while i < 0 - M[pool]:
            if M[pool + i] != FIXED_DIE:
                return 0
            i += 2
    return pool_total(pool)


def dice_key(pool: int) -> int:
    """A number that tells dice from others by how many of which they are, whatever they show."""
    key = 1
    if pool == 0:
        return 0
    size = M[pool]
    i = 1
    if size < 0:
        while i < 0 - size:
            key = (key * 1009 + M[pool + i] * 31 + M[pool + i + 1]) % 1000003
            i += 2
        return key
    while i <= size:
        key = (key * 1009 + M[die_record(M[pool + i]) + DIE_KIND] * 31 + 1) % 1000003
        i += 1
    return key


def shown_dice(pool: int) -> int:
    """The dice of a pool; numbers that stand where dice may stand count as one die each."""
    if pool == 0 or M[pool] >= 0:
        return pool
    fixed_total(pool)
    return roll_pool(pool, 0, 0)


def all_equal(pool: int) -> int:
    """Whether all dice of a pool show the same."""
    i = M[pool]
    if i == 0:
        return 0
    face = M[die_record(M[pool + 1]) + DIE_FACE]
    while i > 1:
        if M[die_record(M[pool + i]) + DIE_FACE] != face:
            return 0
        i -= 1
    return 1


def reroll_die(die: int) -> None:
    """Rolls a die again, at most once."""
    record = die_record(die)
    if M[record + DIE_REROLLED] == 0:
        if M[record + DIE_KIND] != FIXED_DIE:
            M[record + DIE_FACE] = roll_face(M[record + DIE_KIND], M[record + DIE_PURPOSE])
        M[record + DIE_REROLLED] = 1


def flip_die(die: int) -> None:
    """Turns a rolled die over: opposite faces of a numbered die add up to the same."""
    record = die_record(die)
    if M[record + DIE_KIND] == FIXED_DIE:
        return
    faces = M[FACE_LIST + M[record + DIE_KIND]]
    for i in range(1, M[faces] + 1):
        if M[faces + i] == M[record + DIE_FACE]:
            M[record + DIE_FACE] = M[faces + M[faces] + 1 - i]
            return


def settle_dice(pool: int, mark: int) -> None:
    """Moves the dice of a pool down to a mark of the arena, where it then goes on."""
    if is_rising(pool) == 0:
        # One would be moved onto another that comes later: all are copied up first.
        for i in range(1, M[pool] + 1):
            if M[pool + i] >= mark:
                die = new_die(0, 0, 0, 0)
                copy(die_record(die), die_record(M[pool + i]), DIE_CELLS)
                M[pool + i] = die
    for i in range(1, M[pool] + 1):
        if M[pool + i] >= mark:
            if M[pool + i] != mark:
                copy(die_record(mark), die_record(M[pool + i]), DIE_CELLS)
            M[pool + i] = mark
            mark += 1
    M[DICE_TOP] = mark


def is_rising(pool: int) -> int:
    """Whether the dice of a pool stand in the order in which they were rolled."""
    for i in range(1, M[pool]):
        if M[pool + i] >= M[pool + i + 1]:
            return 0
    return 1


def settle_die(die: int, mark: int) -> int:
    """Moves one die down to a mark of the arena, where it then goes on; gives its number there."""
    M[DICE_TOP] = mark
    if die < mark:
        return die
    if die != mark:
        copy(die_record(mark), die_record(die), DIE_CELLS)
    M[DICE_TOP] = mark + 1
    return mark


def alike_dice(first: int, second: int) -> int:
    """Whether two rolled dice are the same option."""
    a = die_record(first)
    b = die_record(second)
    return (
        M[a + DIE_FACE] == M[b + DIE_FACE]
        and M[a + DIE_REROLLED] == M[b + DIE_REROLLED]
        and M[a + DIE_KIND] == M[b + DIE_KIND]
    )


# ------------------------------------------------------------------ dice that are things
def roll_thing(die: int, purpose: int) -> int:
    """Gives a die that is a thing a new face."""
    if die == 0:
        return 0
    face = roll_face(M[THING_DIE + die], purpose)
    M[M[THING_FACE + die]] = face
    M[DIRTY] = 1
    return face


def roll_things(count: int, where: int, into: int, purpose: int) -> int:
    """Rolls dice that are things: out of their bag, into a container, as many as there are and fit; gives a list."""
    made = draw_into(where, count, into, 0)
    for i in range(1, M[made] + 1):
        roll_thing(M[made + i], purpose)
    return made


def turn_die(die: int) -> None:
    """Turns a die that is a thing over; a face without an opposite stays."""
    pairs = M[OPPOSITES + M[THING_DIE + die]]
    face = M[M[THING_FACE + die]]
    i = 1
    while i < M[pairs]:
        if M[pairs + i] == face:
            M[M[THING_FACE + die]] = M[pairs + i + 1]
            return
        i += 2
