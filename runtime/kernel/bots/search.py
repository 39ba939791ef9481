"""Monte-Carlo search over worlds that those who decide cannot tell from the real one.

The options that appeal at least half as much as the best are tried in the same worlds, a few at first; the better half goes
on into more of them, until one is left. A game is imagined for some decisions, which the package's hints decide.
"""

from __future__ import annotations

from talewright.runtime.ir.header import (
    ASKING,
    FORGIVING,
    LENIENT,
    OPTIONS,
    POLICY,
    STRICT,
)
from talewright.runtime.kernel.bots.bot_chance import bot_draw
from talewright.runtime.kernel.bots.bots import (
    MOST_OPTIONS,
    VICTORY,
    count_imagined,
    first_decider,
    highest_of,
    known_seats,
    pick_best,
    score_now,
    weigh,
    weigh_options,
)
from talewright.runtime.kernel.bots.deal import deal, forget_deal
from talewright.runtime.kernel.bots.remembered import begin_remembering, stop_remembering
from talewright.runtime.kernel.memory import (
    DECISION,
    ENDING,
    ITERATIONS,
    OPTION_LIST,
    ROUNDS,
    SCORE_HIGH,
    SCORE_LOW,
    SEARCHED,
    WEIGHER,
    WEIGHTS,
    WON,
    WORLD_IN_MIND,
    WORLD_NOW,
    WORTH_FIRST,
    M,
    plays_against,
)
from talewright.runtime.kernel.storage.copies import load_game, save_game
from talewright.runtime.kernel.storage.frames import answer, grant_steps, run
from talewright.runtime.kernel.storage.lists import clear

# Imagined games for a decision, and at least so many for each option.
LEAST_GAMES = 48
LEAST_EACH = 4
# An imagined game is left when so many rounds have begun, and after so many decisions in any case.
ROUNDS_AHEAD = 6
DECISIONS_AHEAD = 120
# Columns over options: those that are left, and how their imagined games went.
LEFT = SEARCHED
WINS = SEARCHED + MOST_OPTIONS
LOSSES = SEARCHED + 2 * MOST_OPTIONS
OPEN = SEARCHED + 3 * MOST_OPTIONS
LOST_SCORE = SEARCHED + 4 * MOST_OPTIONS
OPEN_SCORE = SEARCHED + 5 * MOST_OPTIONS
# A victory is worth three parts, a game that is not decided up to two, one that is lost up to half a part.
PART = 10_000


def choose_by_search(count: int) -> int:
    """The option that does best in imagined games."""
    weigh_options(count)
    most = highest_of(WEIGHTS, count)
    clear(WINS, count)
    clear(LOSSES, count)
    clear(OPEN, count)
    clear(LOST_SCORE, count)
    clear(OPEN_SCORE, count)
    left = 0
    for i in range(count):
        if 2 * M[WEIGHTS + i] >= most:
            M[LEFT + left] = i
            left += 1
    if left == 1:
        return M[LEFT]
    M[SCORE_LOW] = VICTORY
    M[SCORE_HIGH] = 0 - VICTORY
    games = M[ITERATIONS]
    if games == 0:
        games = LEAST_EACH * count
        if games < LEAST_GAMES:
            games = LEAST_GAMES
    halvings = 1
    while (1 << halvings) < left:
        halvings += 1
    while left > 1:
        worlds = games // (halvings * left)
        if worlds < 1:
            worlds = 1
        try_in_worlds(left, worlds)
        rank_left(left)
        if left == 2:
            left = 1
        else:
            left = (left + 1) // 2
    return M[LEFT]


def try_in_worlds(left: int, worlds: int) -> None:
    """Tries every option that is left in so many worlds."""
    grant_steps()
    save_game(WORLD_NOW)
    count_imagined(1)
    decider = first_decider()
    seats = known_seats()
    while worlds > 0:
        forget_deal(deal(seats))
        save_game(WORLD_IN_MIND)
        for i in range(left):
            if i > 0:
                load_game(WORLD_IN_MIND)
            imagine(M[LEFT + i], decider)
        load_game(WORLD_NOW)
        worlds -= 1
    count_imagined(0)


def imagine(option: int, decider: int) -> None:
    """Plays on from an option, and notes how that goes."""
    policy = M[POLICY]
    M[POLICY] = 0
    M[LENIENT] = FORGIVING
    until = M[ROUNDS] + ROUNDS_AHEAD
    answer(option)
    status = run()
    soon = score_now(decider)
    ahead = DECISIONS_AHEAD
    while status == ASKING and M[LENIENT] == FORGIVING and ahead > 0 and M[ROUNDS] < until:
        answer(choose_by_hints(M[OPTIONS]))
        M[LENIENT] = FORGIVING
        status = run()
        ahead -= 1
    ended = status != ASKING and M[LENIENT] == FORGIVING and M[ENDING] != 0
    made = score_now(decider)
    M[LENIENT] = STRICT
    M[POLICY] = policy
    made += soon
    if made < M[SCORE_LOW]:
        M[SCORE_LOW] = made
    if made > M[SCORE_HIGH]:
        M[SCORE_HIGH] = made
    if ended == 0:
        M[OPEN + option] += 1
        M[OPEN_SCORE + option] += made
    elif (M[WON + M[ENDING]] != 0) != (plays_against(decider) != 0):
        M[WINS + option] += 1
    else:
        M[LOSSES + option] += 1
        M[LOST_SCORE + option] += made


def choose_by_hints(count: int) -> int:
    """What appeals most; the world is imagined already."""
    slot = M[WEIGHER + M[DECISION]]
    if slot == 0 or count > MOST_OPTIONS:
        return bot_draw(count)
    decider = first_decider()
    options = M[OPTION_LIST]
    begin_remembering()
    for i in range(count):
        M[WORTH_FIRST + i] = weigh(slot, M[options + 1 + i], decider)
    stop_remembering()
    return pick_best(WORTH_FIRST, count)


def promise(option: int) -> int:
    """What an option was worth on average, in ten-thousandths of a part."""
    games = M[WINS + option] + M[LOSSES + option] + M[OPEN + option]
    if games == 0:
        return 0
    return (
        3 * PART * M[WINS + option] // games
        + share(OPEN, OPEN_SCORE, option, games, PART)
        + share(LOSSES, LOST_SCORE, option, games, 0) // 2
    )


def share(times: int, score: int, option: int, games: int, base: int) -> int:
    """What games that went one way add to the worth of an option: the part they have, and how their scores compare."""
    count = M[times + option]
    if count == 0:
        return 0
    width = M[SCORE_HIGH] - M[SCORE_LOW]
    better = 0
    if width > 0:
        above = M[score + option] - count * M[SCORE_LOW]
        better = (above // count * 100 + above % count * 100 // count) // width * (PART // 100)
    return (base + better) * count // games


def rank_left(left: int) -> None:
    """The options that are left, the best first; among equals the one that appeals more."""
    for i in range(1, left):
        option = M[LEFT + i]
        worth = promise(option)
        j = i
        while j > 0 and is_worse(M[LEFT + j - 1], worth, option) != 0:
            M[LEFT + j] = M[LEFT + j - 1]
            j -= 1
        M[LEFT + j] = option


def is_worse(one: int, worth: int, other: int) -> int:
    """Whether an option promises less than another."""
    mine = promise(one)
    return mine < worth or (mine == worth and M[WEIGHTS + one] < M[WEIGHTS + other])
