"""Counts what games meet, for reports about many of them. Nothing of it belongs to a game.

How often lines of the text are reached, and things come into play and act, stands in one row of counters. A copy from before
the game says which of them the game has touched; it also takes back what was counted in a game that breaks off. A bot that
imagines other worlds puts the counters aside. Everything else is a sum (`sums`).
"""

from __future__ import annotations

from talewright.runtime.ir.header import STEP_LIMIT, STEPS
from talewright.runtime.ir.intrinsics import call_table, seldom
from talewright.runtime.kernel.memory import (
    ACTED,
    CAME,
    CAME_BEFORE,
    CHOICES,
    CLOSED,
    COUNTED_SLOT,
    COUNTER_CELLS,
    COUNTERS,
    COUNTERS_ASIDE,
    COUNTERS_BEFORE,
    DECISIONS,
    ENDING,
    FIRST_MADE,
    GAME_NUMBER,
    HIT_GAMES,
    HITS,
    IMAGINING,
    KEPT_SUM_CELLS,
    KEPT_SUMS,
    LED_ON,
    LISTED,
    MEASURES,
    MEASURING,
    MET_GAMES,
    MET_WINS,
    OFFERED,
    OFFERED_BEFORE,
    OPTIONS_USED,
    PAGES,
    PAGES_END,
    ROUNDS,
    SAMPLED,
    SEEN,
    SITES,
    SLOTS,
    SORT,
    STREAM_COUNT,
    STREAMS,
    SUM_NUMBERS,
    SUM_ROWS,
    SUMS_USED,
    THINGS,
    UNSEEN,
    WHERE,
    WON,
    M,
    copy,
)
from talewright.runtime.kernel.play.sums import (
    EDGE,
    FINAL,
    LAST_GAME,
    LAST_PAGE,
    LENGTH,
    MEASURE,
    OUTCOME,
    PAGE_OUTCOME,
    ROUND,
    STREAM,
    VISIT,
    add_sum,
    add_to,
    list_sum,
    row_of,
    sum_of,
)
from talewright.runtime.kernel.storage.lists import clear

ROUNDS_KEPT = 400


# ------------------------------------------------------------------ while a game runs
def count_came(thing: int) -> None:
    """A thing comes into play. What is drawn or made does so, and lies in limbo until it is put somewhere."""
    if thing == M[CAME_BEFORE] and M[IMAGINING] == 0:
        M[CAME_BEFORE] = 0
        return
    M[CAME + counter_of(thing)] += 1


@seldom
def count_came_back(thing: int) -> None:
    """A thing is drawn from a container that takes it back at once; when it is put somewhere next, it has come already."""
    M[CAME + counter_of(thing)] += 1
    if M[IMAGINING] == 0:
        M[CAME_BEFORE] = thing


def count_acted(thing: int) -> None:
    """A thing does what its text says."""
    if thing > 0:
        M[ACTED + counter_of(thing)] += 1


def counter_of(thing: int) -> int:
    """Where a thing is counted: what `copy` has made counts for what it is a copy of."""
    if FIRST_MADE <= THINGS and thing >= FIRST_MADE and M[SORT + thing] > 0 and M[SORT + thing] <= THINGS:
        return M[COUNTED_SLOT + M[SORT + thing]]
    return M[COUNTED_SLOT + thing]


def count_band(rows: int, number: int) -> None:
    """A number was looked up in bands: behind the rows `[n, (low, high, list) ...]` stand the numbers of their lines."""
    if rows == 0:
        return
    i = 0
    while i < M[rows]:
        row = rows + 1 + i * 3
        if M[row] <= number and number <= M[row + 1]:
            M[HITS + M[rows + 1 + M[rows] * 3 + i]] += 1
            return
        i += 1


def count_page(page: int) -> None:
    """The story comes to a page."""
    if page != 0 and M[IMAGINING] == 0 and M[PAGES] < PAGES_END:
        M[M[PAGES]] = page
        M[PAGES] += 1


def sample_round() -> None:
    """A round begins: notes where every track stands, `[track, cell, thing that has it or 0, whether several share it]`."""
    if M[IMAGINING] != 0 or M[ROUNDS] > ROUNDS_KEPT:
        return
    i = 1
    while i < M[SAMPLED]:
        if is_in_play(M[SAMPLED + i + 2]) != 0:
            list_sum(sum_of(ROUND, M[SAMPLED + i], M[ROUNDS], M[M[SAMPLED + i + 1]]))
        i += 4


def is_in_play(thing: int) -> int:
    """Whether a thing lies where things are in play, limbo included; nothing (0) counts as such."""
    return thing == 0 or M[CLOSED + M[WHERE + thing]] <= 0


def imagine_counters(yes: int) -> None:
    """Puts the counters aside while other worlds are imagined, and back."""
    M[IMAGINING] = yes
    if yes != 0:
        copy(COUNTERS_ASIDE, COUNTERS, COUNTER_CELLS)
    else:
        copy(COUNTERS, COUNTERS_ASIDE, COUNTER_CELLS)


# ------------------------------------------------------------------ games
def begin_tally() -> None:
    """A game begins."""
    M[GAME_NUMBER] += 1
    if M[GAME_NUMBER] == 1:
        look_for_all()
    M[IMAGINING] = 0
    M[CAME_BEFORE] = 0
    M[MEASURING] = 0
    M[LISTED] = LISTED + 1
    M[PAGES] = PAGES + 1
    M[CHOICES] = CHOICES + 1
    copy(COUNTERS_BEFORE, COUNTERS, COUNTER_CELLS)
    copy(OFFERED_BEFORE, OFFERED, M[OPTIONS_USED] + 1)


def drop_tally() -> None:
    """What this game met is not counted."""
    # A game that ran without end has left no steps.
    M[STEPS] = STEP_LIMIT
    copy(COUNTERS, COUNTERS_BEFORE, COUNTER_CELLS)
    copy(OFFERED, OFFERED_BEFORE, M[OPTIONS_USED] + 1)
    M[LISTED] = LISTED + 1
    M[PAGES] = PAGES + 1


def end_tally() -> None:
    """A game has ended: what it met is added up."""
    won = M[WON + M[ENDING]] != 0
    game = M[GAME_NUMBER]
    tally_measures()
    listed_end = M[LISTED]
    at = LISTED + 1
    while at < listed_end:
        add_to(M[at], 1, won, game)
        at += 1
    i = 0
    while i < SITES:
        if M[HITS + i] != M[COUNTERS_BEFORE + i]:
            M[HIT_GAMES + i] += 1
        i += 1
    i = 1
    while i < SLOTS:
        if (
            M[CAME + i] != M[COUNTERS_BEFORE + SITES + i]
            or M[ACTED + i] != M[COUNTERS_BEFORE + SITES + SLOTS + i]
        ):
            M[MET_GAMES + i] += 1
            M[MET_WINS + i] += won
        i += 1
    look_for_unseen()
    tally_pages(won)
    add_sum(OUTCOME, M[ENDING], 0, 0, won)
    add_sum(LENGTH, 0, M[DECISIONS], 0, won)
    add_sum(LENGTH, 1, M[ROUNDS], 0, won)
    i = 1
    while i < M[SAMPLED]:
        if M[SAMPLED + i + 3] == 0 and is_in_play(M[SAMPLED + i + 2]) != 0:
            add_sum(FINAL, M[SAMPLED + i], M[M[SAMPLED + i + 1]], 0, won)
        i += 4
    i = 0
    while i < STREAM_COUNT:
        if M[STREAMS + i] > 0:
            add_to(sum_of(STREAM, i, 0, 0), M[STREAMS + i], won, game)
        i += 1


def look_for_all() -> None:
    """No game had anything in play at its end yet."""
    M[UNSEEN] = THINGS
    thing = 1
    while thing <= THINGS:
        M[UNSEEN + thing] = thing
        thing += 1


def look_for_unseen() -> None:
    """Which of the things that no game had in play at its end are there at this one; the others are looked for again."""
    left = 0
    count = M[UNSEEN]
    i = 0
    while i < count:
        thing = M[UNSEEN + 1 + i]
        if is_in_play(thing) != 0:
            M[SEEN + M[COUNTED_SLOT + thing]] = 1
        if M[SEEN + M[COUNTED_SLOT + thing]] == 0:
            M[UNSEEN + 1 + left] = thing
            left += 1
        i += 1
    M[UNSEEN] = left


def tally_measures() -> None:
    """What the package measures; a fault there is one of the game, so it comes before anything is added."""
    i = 1
    while i <= M[MEASURES]:
        M[MEASURING] = i
        list_sum(sum_of(MEASURE, i - 1, call_table(M[MEASURES + i]), 0))
        i += 1
    M[MEASURING] = 0


def tally_pages(won: int) -> None:
    """The pages of a game in order."""
    first = PAGES + 1 + pages_passed_by()
    last = 0
    at = first
    while at < M[PAGES]:
        page = M[at]
        add_sum(VISIT, page, 0, 0, won)
        number = sum_of(PAGE_OUTCOME, page, M[ENDING], 0)
        if M[row_of(number) + LAST_GAME] != M[GAME_NUMBER]:
            add_to(number, 1, won, M[GAME_NUMBER])
        if at > first:
            add_sum(EDGE, M[at - 1], page, 0, won)
        if page != M[ENDING]:
            last = page
        at += 1
    if last != 0:
        add_sum(LAST_PAGE, last, M[ENDING], 0, won)


def pages_passed_by() -> int:
    """How many pages were set, but not played: the first is set before the game begins, and `game` may lead to it or to another."""
    first = PAGES + 1
    if M[PAGES] <= first + 1:
        return 0
    if M[first] == M[first + 1] or (LED_ON != 0 and M[first + 1] != M[ENDING]):
        return 1
    return 0


def table_is_full() -> int:
    """Whether the host should empty the table before the next game."""
    return M[OPTIONS_USED] + M[SUMS_USED] > SUM_ROWS // 2


def forget_sums() -> None:
    """Empties everything that was added up."""
    clear(SUM_NUMBERS, SUM_ROWS)
    clear(KEPT_SUMS, KEPT_SUM_CELLS)
    M[OPTIONS_USED] = 0
    M[SUMS_USED] = 0
    M[GAME_NUMBER] = 0
    clear(COUNTERS, COUNTER_CELLS)
    clear(HIT_GAMES, SITES)
    clear(MET_GAMES, SLOTS)
    clear(MET_WINS, SLOTS)
    clear(SEEN, SLOTS)
