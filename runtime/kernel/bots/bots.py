"""Bots: they answer the decision that a game stands at.

A bot that thinks looks at worlds which those who decide cannot tell from the real one. Whatever goes wrong there is left to
the game itself to show: faults are forgiven in imagined worlds, and in the values by which a package advises its bots.
"""

from __future__ import annotations

from talewright.runtime.ir.header import (
    ASKING,
    DEPTH,
    FAILED,
    FORGIVING,
    LENIENT,
    NO_ANSWER,
    NONE,
    OPTIONS,
    POLICY,
    STRICT,
    TOO_MUCH,
)
from talewright.runtime.ir.intrinsics import call_table
from talewright.runtime.kernel.bots.bot_chance import bot_draw
from talewright.runtime.kernel.bots.deal import deal, forget_deal
from talewright.runtime.kernel.bots.remembered import begin_remembering, stop_remembering
from talewright.runtime.kernel.memory import (
    APART,
    BOT,
    CHOICES,
    CHOICES_END,
    COUNTING,
    DECIDER,
    DECISION,
    ENDING,
    GATHER_TOP,
    ITERATIONS,
    OPTION_LIST,
    PAYING,
    SEATS,
    STACK_TOP,
    TEAM_MASKS,
    WEIGHER,
    WEIGHTS,
    WON,
    WORLD_IN_MIND,
    WORLD_NOW,
    WORTH,
    WORTH_FIRST,
    WORTH_VARIES,
    M,
    choose_by_search,
    fault,
    is_scored,
    plays_against,
    score_for,
)
from talewright.runtime.kernel.play.option_counts import choose_least_tried
from talewright.runtime.kernel.play.tally import imagine_counters
from talewright.runtime.kernel.storage.copies import load_game, save_game
from talewright.runtime.kernel.storage.frames import answer, grant_steps, run
from talewright.runtime.kernel.storage.lists import clear, fill_cells

# Bots by number; the first answers without stopping.
RANDOM = 1
GUIDED = 2
GREEDY = 3
EXPLORE = 4
SEARCH = 5
# What somebody else has decided: the host has written every answer of the game where answers are kept.
SCRIPTED = 6
# So many options can be thought about.
MOST_OPTIONS = 4096
# How many worlds a score is asked in, and how many are enough where they do not differ.
WORLDS = 6
ENOUGH = 2
# How often a bot that searches is given the steps of a game.
LEAST_SHARES = 16
MOST_SHARES = 256
# What an ending is worth beside scores.
VICTORY = 1_000_000


def choose_option() -> int:
    """What the bot at the table answers."""
    count = M[OPTIONS]
    if count > MOST_OPTIONS:
        fault(TOO_MUCH)
    if count == 1:
        return 0
    if M[BOT] == GUIDED:
        return choose_guided(count)
    if M[BOT] == GREEDY:
        return choose_greedy(count)
    if M[BOT] == SEARCH:
        return choose_by_search(count)
    if COUNTING != 0 and M[BOT] == EXPLORE:
        return choose_least_tried(count)
    if COUNTING != 0 and M[BOT] == SCRIPTED:
        return choose_as_written(count)
    return bot_draw(count)


def share_of_steps() -> int:
    """How often the steps of a game are given to the bot at the table: one that searches needs more, the more games it imagines."""
    if M[BOT] != SEARCH:
        return 1
    shares = LEAST_SHARES + M[ITERATIONS]
    if shares > MOST_SHARES:
        return MOST_SHARES
    return shares


def choose_as_written(count: int) -> int:
    """The next answer that the host has written."""
    if M[CHOICES] < CHOICES_END and (M[M[CHOICES]] < 0 or M[M[CHOICES]] >= count):
        fault(NO_ANSWER)
    return M[M[CHOICES]]


def choose_guided(count: int) -> int:
    """What the package's hints favour most; where they favour nothing, what its score favours."""
    weigh_options(count)
    if is_even(count) != 0 and is_scored(first_decider()) != 0:
        enough = ENOUGH
        if M[PAYING + M[DECISION]] != 0:
            # What is paid changes nothing that anybody could not foresee.
            enough = 1
        rate_options(count, enough)
        return pick_best(WORTH, count)
    return pick_best(WEIGHTS, count)


def choose_greedy(count: int) -> int:
    """What the package's score favours most; among equals, what its hints favour most."""
    if is_scored(first_decider()) == 0:
        fault(NO_ANSWER)
    weigh_options(count)
    rate_options(count, WORLDS)
    most = highest_of(WORTH, count)
    for i in range(count):
        if M[WORTH + i] != most:
            M[WEIGHTS + i] = -1
    return pick_best(WEIGHTS, count)


def is_even(count: int) -> int:
    """Whether all options weigh the same, and there are several."""
    for i in range(1, count):
        if M[WEIGHTS + i] != M[WEIGHTS]:
            return 0
    return count > 1


def pick_best(column: int, count: int) -> int:
    """One of those that have most, by chance."""
    most = highest_of(column, count)
    same = 0
    for i in range(count):
        if M[column + i] == most:
            same += 1
    wanted = bot_draw(same)
    for i in range(count):
        if M[column + i] == most:
            if wanted == 0:
                return i
            wanted -= 1
    return 0


def highest_of(column: int, count: int) -> int:
    """The most that stands in a column over options."""
    most = M[column]
    for i in range(1, count):
        if M[column + i] > most:
            most = M[column + i]
    return most


def first_decider() -> int:
    """The first of those who decide."""
    i = 1
    while i < M[SEATS]:
        if ((M[DECIDER] >> (i - 1)) & 1) != 0:
            return M[SEATS + i]
        i += 1
    return M[SEATS + i]


def known_seats() -> int:
    """Whose knowledge counts: those who decide and, unless everybody plans alone, their teams."""
    seats = M[DECIDER]
    if M[APART] == 0:
        for i in range(1, M[TEAM_MASKS] + 1):
            if (M[TEAM_MASKS + i] & M[DECIDER]) != 0:
                seats = seats | M[TEAM_MASKS + i]
    return seats


def count_imagined(yes: int) -> None:
    """Whatever is met in imagined worlds is counted apart, or not at all."""
    if COUNTING != 0:
        imagine_counters(yes)


def weigh_options(count: int) -> None:
    """How much each option appeals by the package's hints; 1 where they say nothing."""
    slot = M[WEIGHER + M[DECISION]]
    fill_cells(WEIGHTS, count, 1)
    if slot == 0:
        return
    grant_steps()
    save_game(WORLD_NOW)
    seats = known_seats()
    decider = first_decider()
    options = M[OPTION_LIST]
    count_imagined(1)
    dealt = deal(seats)
    begin_remembering()
    some = 0
    for i in range(count):
        M[WEIGHTS + i] = weigh(slot, M[options + 1 + i], decider)
        if M[WEIGHTS + i] > 0:
            some = 1
    stop_remembering()
    forget_deal(dealt)
    load_game(WORLD_NOW)
    count_imagined(0)
    if some == 0:
        fill_cells(WEIGHTS, count, 1)


def weigh(slot: int, option: int, decider: int) -> int:
    """What a hint says of an option; one that cannot be worked out says 1."""
    top = M[STACK_TOP]
    gather = M[GATHER_TOP]
    depth = M[DEPTH]
    M[LENIENT] = FORGIVING
    grant_steps()
    made = call_table(slot, option, decider)
    if M[LENIENT] == FAILED or made == NONE:
        made = 1
    # A fault that was forgiven has left no steps.
    grant_steps()
    M[LENIENT] = STRICT
    M[STACK_TOP] = top
    M[GATHER_TOP] = gather
    M[DEPTH] = depth
    if made < 0:
        made = 0
    return made


def rate_options(count: int, enough: int) -> None:
    """What each option is worth right after it, summed over the same worlds for all of them.

    Where no option is worth different things in the first worlds, the others are not looked at.
    """
    grant_steps()
    save_game(WORLD_NOW)
    count_imagined(1)
    decider = first_decider()
    against = plays_against(decider)
    seats = known_seats()
    M[WORTH_VARIES] = 0
    clear(WORTH, count)
    world = 0
    while world < WORLDS and (world < enough or M[WORTH_VARIES] != 0):
        forget_deal(deal(seats))
        save_game(WORLD_IN_MIND)
        for i in range(count):
            if i > 0:
                load_game(WORLD_IN_MIND)
            made = worth_of(i, decider, against)
            if world == 0:
                M[WORTH_FIRST + i] = made
            if made != M[WORTH_FIRST + i]:
                M[WORTH_VARIES] = 1
            M[WORTH + i] += made
        load_game(WORLD_NOW)
        world += 1
    count_imagined(0)


def worth_of(option: int, decider: int, against: int) -> int:
    """What the game is worth at the decision after an option."""
    policy = M[POLICY]
    M[POLICY] = 0
    M[LENIENT] = FORGIVING
    answer(option)
    asked = run() == ASKING
    failed = M[LENIENT]
    made = score_now(decider)
    M[LENIENT] = STRICT
    M[POLICY] = policy
    if asked == 0 and failed != FAILED and M[ENDING] != 0:
        if (M[WON + M[ENDING]] != 0) != (against != 0):
            made += 10 * VICTORY
        else:
            made -= 10 * VICTORY
    return made


def score_now(decider: int) -> int:
    """What the package says the position is worth; 0 where it cannot say."""
    before = M[LENIENT]
    M[LENIENT] = FORGIVING
    grant_steps()
    made = score_for(decider)
    if M[LENIENT] == FAILED or made == NONE:
        made = 0
    grant_steps()
    M[LENIENT] = before
    if made > VICTORY:
        made = VICTORY
    if made < 0 - VICTORY:
        made = 0 - VICTORY
    return made
