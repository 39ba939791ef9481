"""Games from the first image to the end."""

from __future__ import annotations

from talewright.runtime.ir.header import (
    ASKING,
    GAME_LIMIT,
    POLICY,
    SEED_HIGH,
    SEED_LOW,
    STEP_LIMIT,
    STEPS,
    TOO_MUCH,
)
from talewright.runtime.kernel.bots.bot_chance import seed_bot
from talewright.runtime.kernel.bots.bots import RANDOM, choose_option, share_of_steps
from talewright.runtime.kernel.bots.deal import prepare_deals
from talewright.runtime.kernel.bots.remembered import stop_remembering
from talewright.runtime.kernel.components.chance import rand, seed_chance
from talewright.runtime.kernel.components.decks import forget_faces, list_items
from talewright.runtime.kernel.components.until import leave_calls
from talewright.runtime.kernel.memory import (
    ASLEEP,
    BOT,
    COUNTING,
    DECISIONS,
    DICE_TOP,
    ENDING,
    FORM,
    FORM_BAG,
    GAME_STEPS,
    GATHER,
    GATHER_TOP,
    HEAP,
    HEAP_TOP,
    HELD,
    IMAGE,
    IMAGE_END,
    LEAVING,
    LOCATIONS,
    MOST_STEPS,
    POLICY_STREAM,
    RUN,
    RUN_TOP,
    STACK,
    STACK_TOP,
    START_PAGE,
    STATE_END,
    THINGS,
    TRAIT_RECORDS,
    TRAIT_TOP,
    UNTIL,
    UNTIL_TOP,
    M,
    copy,
    enter_story,
    fault,
    initialise,
)
from talewright.runtime.kernel.play.option_counts import count_decision
from talewright.runtime.kernel.play.tally import begin_tally, end_tally, table_is_full
from talewright.runtime.kernel.storage.frames import answer, drop_frames, grant_steps, run
from talewright.runtime.kernel.storage.heap import SIZE_CLASSES, is_stored
from talewright.runtime.model.cells import FIRST_PAGE


def prepare() -> None:
    """Works out the first image; once for a machine."""
    M[STACK_TOP] = STACK
    M[GATHER_TOP] = GATHER
    M[HEAP_TOP] = HEAP + SIZE_CLASSES
    M[DICE_TOP] = 1
    M[RUN_TOP] = RUN
    M[UNTIL_TOP] = UNTIL
    M[TRAIT_TOP] = TRAIT_RECORDS
    M[STEPS] = STEP_LIMIT
    M[MOST_STEPS] = GAME_LIMIT
    M[ASLEEP] = 1
    initialise()
    M[ASLEEP] = 0
    M[STACK_TOP] = STACK
    size = M[HEAP_TOP] - HEAP
    born = M[TRAIT_TOP] - TRAIT_RECORDS
    if IMAGE + STATE_END + size + born > IMAGE_END:
        fault(TOO_MUCH)
    copy(IMAGE, 0, STATE_END)
    copy(IMAGE + STATE_END, HEAP, size)
    copy(IMAGE + STATE_END + size, TRAIT_RECORDS, born)
    if BOT != 0:
        prepare_deals()


def first_list(things: int) -> int:
    """A list that the first image holds, as it was then."""
    if is_stored(things) != 0:
        return things - HEAP + IMAGE + STATE_END
    return things


def begin(low: int, high: int) -> None:
    """A new game."""
    copy(0, IMAGE, STATE_END)
    size = M[HEAP_TOP] - HEAP
    copy(HEAP, IMAGE + STATE_END, size)
    copy(TRAIT_RECORDS, IMAGE + STATE_END + size, M[TRAIT_TOP] - TRAIT_RECORDS)
    seed_chance(low, high)
    if BOT != 0:
        seed_bot(M[SEED_LOW], M[SEED_HIGH])
    drop_frames()
    M[GAME_STEPS] = 0
    if BOT != 0:
        M[MOST_STEPS] = GAME_LIMIT * share_of_steps()
        # A game may have broken off while a bot was thinking.
        stop_remembering()
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
    grant_steps()
    chosen = rand(POLICY_STREAM, count)
    if COUNTING != 0:
        count_decision(chosen)
    return chosen


def play_on() -> int:
    """Plays to the end: by chance, or as the bot at the table decides. Gives the ending."""
    if BOT == 0 or M[BOT] <= RANDOM:
        M[POLICY] = 1
        run()
        return M[ENDING]
    M[POLICY] = 0
    while run() == ASKING:
        chosen = choose_option()
        M[DECISIONS] += 1
        if COUNTING != 0:
            count_decision(chosen)
        answer(chosen)
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
    for where in range(THINGS + 1, LOCATIONS + 1):
        if M[FORM + where] == FORM_BAG:
            top = M[STACK_TOP]
            forget_faces(list_items(where))
            M[STACK_TOP] = top


def play_counted(low: int, high: int, count: int) -> int:
    """Plays games with seeds behind one another, and adds up what they meet; gives how many were played.

    The host makes room when the table is full, and notes a game that breaks off.
    """
    played = 0
    while played < count and table_is_full() == 0:
        begin_tally()
        begin(low + played, high)
        M[FIRST_PAGE] = M[START_PAGE]
        play_on()
        end_tally()
        played += 1
    return played
