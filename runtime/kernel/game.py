"""Games from the first image to the end."""

from __future__ import annotations

from talewright.runtime.ir.header import POLICY, STEPS
from talewright.runtime.kernel.chance import rand, seed_chance
from talewright.runtime.kernel.frames import STEP_LIMIT, drop_frames, run
from talewright.runtime.kernel.heap import is_stored
from talewright.runtime.kernel.memory import (
    ASLEEP,
    DECISIONS,
    DICE_TOP,
    ENDING,
    FACE,
    FIRST,
    FORM,
    FORM_BAG,
    GATHER,
    GATHER_TOP,
    HEAP,
    HEAP_TOP,
    HELD,
    IMAGE,
    KNOWN,
    LEAVING,
    LOCATIONS,
    NEXT,
    RUN,
    RUN_TOP,
    SORT,
    STACK,
    STACK_TOP,
    STATE_END,
    THINGS,
    TRAIT_RECORDS,
    TRAIT_TOP,
    UNTIL,
    UNTIL_TOP,
    M,
    copy,
    enter_story,
    initialise,
)
from talewright.runtime.kernel.until import leave_calls

# The first cells of the heap are the heads of its lists of free blocks.
HEAP_HEADS = 20
POLICY_STREAM = 0


def prepare() -> None:
    """Works out the first image; once for a machine."""
    M[STACK_TOP] = STACK
    M[GATHER_TOP] = GATHER
    M[HEAP_TOP] = HEAP + HEAP_HEADS
    M[DICE_TOP] = 1
    M[RUN_TOP] = RUN
    M[UNTIL_TOP] = UNTIL
    M[TRAIT_TOP] = TRAIT_RECORDS
    M[STEPS] = STEP_LIMIT
    M[ASLEEP] = 1
    initialise()
    M[ASLEEP] = 0
    M[STACK_TOP] = STACK
    copy(IMAGE, 0, STATE_END)
    copy(IMAGE + STATE_END, HEAP, M[HEAP_TOP] - HEAP)


def first_list(things: int) -> int:
    """A list that the first image holds, as it was then."""
    if is_stored(things) != 0:
        return things - HEAP + IMAGE + STATE_END
    return things


def begin(low: int, high: int) -> None:
    """A new game."""
    copy(0, IMAGE, STATE_END)
    copy(HEAP, IMAGE + STATE_END, M[HEAP_TOP] - HEAP)
    seed_chance(low, high)
    drop_frames()
    M[STEPS] = STEP_LIMIT
    enter_story()


def unwind() -> None:
    """Leaves everything that was running, for another page."""
    leave_calls()
    M[RUN_TOP] = RUN
    M[HELD] = 0
    M[LEAVING] = 0
    M[STACK_TOP] = STACK
    M[DICE_TOP] = 1


def decide(count: int) -> int:
    """Answers at once: by chance."""
    M[DECISIONS] += 1
    M[STEPS] = STEP_LIMIT
    return rand(POLICY_STREAM, count)


def play_on() -> int:
    """Plays to the end by chance; gives the ending."""
    M[POLICY] = 1
    run()
    return M[ENDING]


def play_many(seed: int, count: int, out: int) -> int:
    """Plays so many games by chance, with seeds behind one another; writes their endings. Gives how many were played."""
    i = 0
    while i < count:
        begin(seed + i, 0)
        M[out + i] = play_on()
        i += 1
    return i


def hide_bags() -> None:
    """Which of the things in a bag is which nobody can tell, unless all are alike."""
    where = THINGS + 1
    while where <= LOCATIONS:
        if M[FORM + where] == FORM_BAG:
            hide_bag(where)
        where += 1


def hide_bag(where: int) -> None:
    """Hides what lies in one bag."""
    first = M[FIRST + where]
    thing = first
    differ = 0
    while thing != 0:
        if M[SORT + thing] != M[SORT + first]:
            differ = 1
        thing = M[NEXT + thing]
    thing = first
    while thing != 0 and differ != 0:
        if M[FACE + thing] == 0:
            M[KNOWN + thing] = 0
        thing = M[NEXT + thing]
