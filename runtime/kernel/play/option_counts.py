"""Counts what is offered and chosen at decisions, and lets explorers choose by it.

What is offered is added at once; a copy from before the game takes it back when the game breaks off. Where a decision has found
the sum of an option before, it is kept.
"""

from __future__ import annotations

from talewright.runtime.ir.header import ENDLESS, OPTIONS
from talewright.runtime.ir.intrinsics import seldom
from talewright.runtime.kernel.bots.bot_chance import bot_draw
from talewright.runtime.kernel.memory import (
    ANYTIME,
    CHAPTER,
    CHOICES,
    CHOICES_END,
    COUNTED_DECISIONS,
    DECIDER,
    DECISION,
    DICE,
    DIE_CELLS,
    DIE_COLUMN,
    DIE_FACE,
    EXPLORERS,
    FACE,
    FIRST_MADE,
    KEPT_FORM,
    KEPT_FROM,
    KNOWN,
    LAST_OFFERED,
    NOT_KEPT,
    OFFERED,
    OPTION_LIST,
    POINT_FORM,
    SORT,
    SQUARE_AT,
    TAKEN_OPTION,
    THINGS,
    WHERE,
    M,
    fault,
)
from talewright.runtime.kernel.play.sums import OPTION, TIMES, TRIED, list_sum, row_of, sum_of

# How the options of a decision are told apart.
AS_THINGS = 1
AS_OFFERS = 2
AS_DICE = 3
AS_WAYS = 4
NOT_AT_ALL = 5
AS_SQUARES = 6
AS_SPOTS = 7
AS_TEXTS = 8
# What an option is where its value does not tell.
FACE_DOWN = -1
PASSED = -2
# Where the packed square stands in a spot, `[n, SPOT, base, where, ...]`.
WHERE_IN_SPOT = 3


def is_told(thing: int) -> int:
    """Whether those who decide can tell which thing an option is."""
    return M[FACE + thing] != 0 or M[WHERE + thing] == 0 or (M[KNOWN + thing] & M[DECIDER]) == M[DECIDER]


def option_key(form: int, option: int) -> int:
    """What an option is counted as, in every game alike: copies of a thing are one, and what lies hidden cannot be told apart."""
    if option <= -1000:
        return option
    if form == AS_THINGS:
        if option <= 0 or option > THINGS:
            return option
        if not is_told(option):
            return FACE_DOWN
        return M[SORT + option]
    if form == AS_OFFERS:
        if option == 0:
            return PASSED
        return M[option + 1]
    return key_of_value(form, option)


def key_of_value(form: int, option: int) -> int:
    """The key of an option that is neither a thing nor an offer.

    A number of a square means another square in another game, and addresses mean nothing when a game is over.
    """
    if option > 0:
        if form == AS_SQUARES:
            return M[SQUARE_AT + option]
        if form == AS_SPOTS:
            return M[option + WHERE_IN_SPOT]
        if form == AS_TEXTS:
            return M[option + 1]
    return option


def option_face(form: int, option: int) -> int:
    """What a die shows that is an option; 0 for everything else."""
    if form == AS_DICE and option > 0:
        return M[DICE + option * DIE_CELLS + DIE_FACE]
    if form == AS_THINGS and option > 0 and option <= THINGS and M[DIE_COLUMN + option] != 0:
        return M[M[DIE_COLUMN + option]]
    return 0


def option_sum(part: int, form: int, option: int) -> int:
    """The sum of an option of a decision."""
    point = M[DECISION]
    if form == AS_WAYS:
        # A page stands for its own choice.
        point = -1 - M[CHAPTER]
    key = option_key(form, option)
    if part == OPTION and form == AS_DICE and option > 0:
        # Only what a die shows tells it apart.
        key = 0
    return sum_of(part, point, key, option_face(form, option))


def count_decision(chosen: int) -> None:
    """Somebody chooses one of the options; several that count as one are offered once.

    Most options are kept from before. They come first here, and those that are not, or cannot be, last.
    """
    if M[CHOICES] >= CHOICES_END:
        # A game that goes on for ever would never come back to the host.
        fault(ENDLESS)
    M[M[CHOICES]] = chosen
    M[CHOICES] += 1
    form = M[KEPT_FORM + M[DECISION]]
    if form == NOT_AT_ALL:
        return
    kept = M[KEPT_FROM + M[DECISION]]
    decision = M[COUNTED_DECISIONS]
    M[COUNTED_DECISIONS] = decision + 1
    # What is not kept looks as if it had been offered already.
    M[LAST_OFFERED] = decision
    at = M[OPTION_LIST] + 1
    end = at + M[OPTIONS]
    chosen_at = at + chosen
    if form == 0:
        offer_others(at, end, chosen_at)
        list_sum(M[TAKEN_OPTION])
        return
    while at < end:
        option = M[at]
        keeper = kept + option
        if form == AS_THINGS:
            if (ANYTIME != 0 and option < 0) or (FIRST_MADE <= THINGS and option >= FIRST_MADE):
                break
            if M[FACE + option] == 0 and option > 0 and is_told(option) == 0:
                break
        elif option > 0:
            keeper = kept + 1 + M[option + 1]
        elif option < 0:
            break
        number = M[keeper]
        if M[LAST_OFFERED + number] != decision:
            M[LAST_OFFERED + number] = decision
            M[OFFERED + number] += 1
        elif number == 0:
            break
        if at == chosen_at:
            M[TAKEN_OPTION] = number
        at += 1
    if at < end:
        offer_others(at, end, chosen_at)
    list_sum(M[TAKEN_OPTION])


@seldom
def offer_others(at: int, end: int, chosen_at: int) -> None:
    """Counts that options are offered, and which is taken, whether they are kept or not."""
    decision = M[LAST_OFFERED]
    while at < end:
        number = kept_sum(M[at])
        if M[LAST_OFFERED + number] != decision:
            M[LAST_OFFERED + number] = decision
            M[OFFERED + number] += 1
        if at == chosen_at:
            M[TAKEN_OPTION] = number
        at += 1


def kept_sum(option: int) -> int:
    """The sum of an option, which is kept for the next time if it can be."""
    form = M[POINT_FORM + M[DECISION]]
    at = kept_at(M[KEPT_FORM + M[DECISION]], M[KEPT_FROM + M[DECISION]], option)
    if M[at] != 0:
        return M[at]
    number = option_sum(OPTION, form, option)
    if at != NOT_KEPT:
        M[at] = number
    return number


def kept_at(form: int, kept: int, option: int) -> int:
    """The cell that keeps the sum of an option."""
    if form == AS_THINGS and option >= 0 and option < FIRST_MADE and (option == 0 or is_told(option) != 0):
        return kept + option
    if form == AS_OFFERS and option == 0:
        return kept
    if form == AS_OFFERS and option > 0:
        return kept + 1 + M[option + 1]
    return NOT_KEPT


def choose_least_tried(count: int) -> int:
    """One of the options that were tried least so far, to reach what others have not; all that try at once try it."""
    form = M[POINT_FORM + M[DECISION]]
    options = M[OPTION_LIST]
    least = -1
    same = 0
    i = 0
    while i < count:
        tried = M[row_of(option_sum(TRIED, form, M[options + 1 + i])) + TIMES]
        if least < 0 or tried < least:
            least = tried
            same = 0
        if tried == least:
            same += 1
        i += 1
    wanted = bot_draw(same)
    i = 0
    while i < count:
        row = row_of(option_sum(TRIED, form, M[options + 1 + i]))
        if M[row + TIMES] == least:
            if wanted == 0:
                M[row + TIMES] += M[EXPLORERS]
                return i
            wanted -= 1
        i += 1
    return 0
