"""Counts what games meet, for reports about many of them. Nothing of it belongs to a game.

Sums stand in one table of rows `[part, a, b, c, times, times in games that were won, games, last game]`, found by their first
four cells. While a game runs, what it adds is only listed; it is added when the game has ended, so that a game that breaks
off leaves no trace. What is offered is added at once, and listed so that it can be taken back.

How often lines of the text are reached stands in a column of its own, because that happens often: in imagined worlds OFFSET
leads to another column, which nobody reads.
"""

from __future__ import annotations

from talewright.runtime.ir.header import OPTIONS, STEP_LIMIT, STEPS
from talewright.runtime.ir.intrinsics import call_table
from talewright.runtime.kernel.bots.bot_chance import bot_draw
from talewright.runtime.kernel.maps.squares import packed
from talewright.runtime.kernel.memory import (
    ACTED,
    CAME,
    CHAPTER,
    CHOICES,
    CHOICES_END,
    CLOSED,
    COUNTED_DECISIONS,
    COUNTED_SLOT,
    DECIDER,
    DECISION,
    DECISIONS,
    DICE,
    DICE_OPTIONS,
    DIE_CELLS,
    DIE_COLUMN,
    DIE_FACE,
    ENDING,
    EXPLORERS,
    FACE,
    FIRST_MADE,
    GAME_NUMBER,
    HIT_GAMES,
    HITS,
    HITS_BEFORE,
    KNOWN,
    LISTED,
    LISTED_END,
    MEASURES,
    MEASURING,
    OFFERS,
    OFFERS_END,
    OFFSET,
    OPTION_LIST,
    PAGES,
    PAGES_END,
    POINT_FORM,
    ROUNDS,
    SAMPLED,
    SEEN,
    SITES,
    SLOTS,
    SORT,
    SQUARE_X,
    SQUARE_Y,
    STREAM_COUNT,
    STREAMS,
    SUM_ROWS,
    SUMS,
    SUMS_USED,
    THINGS,
    WHERE,
    WON,
    M,
    copy,
)
from talewright.runtime.kernel.storage.lists import clear

# The parts of the table.
OFFERED = 1
CHOSEN = 2
ROUND = 3
FINAL = 4
MEASURE = 5
VISIT = 6
EDGE = 7
PAGE_OUTCOME = 8
LAST_PAGE = 9
OUTCOME = 10
STREAM = 11
LENGTH = 12
MET = 13
TRIED = 14
# The cells of a row.
TIMES = 4
WON_TIMES = 5
GAMES = 6
LAST_GAME = 7
ROW_CELLS = 8
# The rows of what is offered have no wins: the decision that was counted last, and the row of how often it was chosen.
LAST_DECISION = WON_TIMES
CHOSEN_ROW = LAST_GAME
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
ROUNDS_KEPT = 400


def hash_of(part: int, a: int, b: int, c: int) -> int:
    """A number below the rows of the table."""
    mixed = (((b * 8191 + c) * 131 + a) * 16 + part) * -1640531527
    return (mixed >> 15) & (SUM_ROWS - 1)


def sum_row(part: int, a: int, b: int, c: int) -> int:
    """The row of a sum, a new one if there is none yet."""
    place = hash_of(part, a, b, c)
    row = SUMS + place * ROW_CELLS
    while M[row] != 0:
        if M[row] == part and M[row + 1] == a and M[row + 2] == b and M[row + 3] == c:
            return row
        place = (place + 1) & (SUM_ROWS - 1)
        row = SUMS + place * ROW_CELLS
    M[SUMS_USED] += 1
    M[row] = part
    M[row + 1] = a
    M[row + 2] = b
    M[row + 3] = c
    return row


def list_sum(part: int, a: int, b: int, c: int) -> None:
    """One more in a sum, once this game has ended."""
    list_row(sum_row(part, a, b, c))


def list_row(row: int) -> None:
    """One more in a row, once this game has ended."""
    at = M[LISTED]
    if at < LISTED_END:
        M[at] = row
        M[LISTED] = at + 1


def add_to(row: int, times: int, won: int) -> None:
    """Adds to a row."""
    M[row + TIMES] += times
    if won != 0:
        M[row + WON_TIMES] += times
    if M[row + LAST_GAME] != M[GAME_NUMBER]:
        M[row + LAST_GAME] = M[GAME_NUMBER]
        M[row + GAMES] += 1


def add_sum(part: int, a: int, b: int, c: int, won: int) -> None:
    """One more in a sum."""
    add_to(sum_row(part, a, b, c), 1, won)


def set_sum(part: int, a: int, b: int, c: int, times: int) -> None:
    """Sets a sum that the host knows."""
    M[sum_row(part, a, b, c) + TIMES] = times


# ------------------------------------------------------------------ while a game runs
def count_came(thing: int, old: int, where: int) -> None:
    """A thing moves: it may come into play."""
    if M[CLOSED + old] != 0 and M[CLOSED + where] == 0:
        M[CAME + M[OFFSET] + counter_of(thing)] += 1


def count_acted(thing: int) -> None:
    """A thing does what its text says."""
    if thing > 0:
        M[ACTED + M[OFFSET] + counter_of(thing)] += 1


def counter_of(thing: int) -> int:
    """Where a thing is counted: what `copy` has made counts for what it is a copy of."""
    if thing >= FIRST_MADE and M[SORT + thing] > 0 and M[SORT + thing] <= THINGS:
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
            M[HITS + M[OFFSET] + M[rows + 1 + M[rows] * 3 + i]] += 1
            return
        i += 1


def count_page(page: int) -> None:
    """The story comes to a page."""
    if page != 0 and M[OFFSET] == 0 and M[PAGES] < PAGES_END:
        M[M[PAGES]] = page
        M[PAGES] += 1


def sample_round() -> None:
    """A round begins: notes where every track stands, `[track, cell, thing that has it or 0, whether several share it]`."""
    if M[OFFSET] != 0 or M[ROUNDS] > ROUNDS_KEPT:
        return
    i = 1
    while i < M[SAMPLED]:
        thing = M[SAMPLED + i + 2]
        if thing == 0 or M[CLOSED + M[WHERE + thing]] == 0:
            list_sum(ROUND, M[SAMPLED + i], M[ROUNDS], M[M[SAMPLED + i + 1]])
        i += 4


def option_key(form: int, option: int) -> int:
    """What an option is counted as, in every game alike: copies of a thing are one, and what lies hidden cannot be told apart."""
    if option <= -1000:
        return option
    if form == AS_THINGS:
        if option <= 0 or option > THINGS:
            return option
        if (
            M[FACE + option] == 0
            and M[WHERE + option] != 0
            and (M[KNOWN + option] & M[DECIDER]) != M[DECIDER]
        ):
            return FACE_DOWN
        return M[SORT + option]
    if form == AS_OFFERS:
        if option == 0:
            return PASSED
        return M[option + 1]
    # A number of a square means another square in another game, and addresses mean nothing when a game is over.
    if option > 0:
        if form == AS_SQUARES:
            return packed(M[SQUARE_X + option], M[SQUARE_Y + option])
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


def count_decision(chosen: int) -> None:
    """Somebody chooses one of the options."""
    if M[CHOICES] < CHOICES_END:
        M[M[CHOICES]] = chosen
        M[CHOICES] += 1
    form = M[POINT_FORM + M[DECISION]]
    if form == NOT_AT_ALL:
        return
    point = M[DECISION]
    if form == AS_WAYS:
        # A page stands for its own choice.
        point = -1 - M[CHAPTER]
    options = M[OPTION_LIST] + 1
    M[COUNTED_DECISIONS] += 1
    count = M[OPTIONS]
    i = 0
    while i < count:
        option = M[options + i]
        key = option_key(form, option)
        face = 0
        if DICE_OPTIONS != 0:
            face = option_face(form, option)
        if form == AS_DICE and option > 0:
            key = 0
        # Nearly always the row is where it is looked for first.
        row = SUMS + hash_of(OFFERED, point, key, face) * ROW_CELLS
        if M[row + 1] != point or M[row + 2] != key or M[row] != OFFERED or M[row + 3] != face:
            row = sum_row(OFFERED, point, key, face)
        if M[row + LAST_DECISION] != M[COUNTED_DECISIONS]:
            count_offered(row)
        if i == chosen:
            if M[row + CHOSEN_ROW] == 0:
                M[row + CHOSEN_ROW] = sum_row(CHOSEN, point, key, face)
            list_row(M[row + CHOSEN_ROW])
        i += 1


def count_offered(row: int) -> None:
    """One more time that an option is offered; several that count as one are counted once in a decision."""
    M[row + LAST_DECISION] = M[COUNTED_DECISIONS]
    at = M[OFFERS]
    if at < OFFERS_END:
        M[row + TIMES] += 1
        M[at] = row
        M[OFFERS] = at + 1


def choose_least_tried(count: int) -> int:
    """One of the options that were tried least so far, to reach what others have not; all that try at once try it."""
    form = M[POINT_FORM + M[DECISION]]
    point = M[DECISION]
    if form == AS_WAYS:
        point = -1 - M[CHAPTER]
    options = M[OPTION_LIST]
    least = -1
    same = 0
    i = 0
    while i < count:
        option = M[options + 1 + i]
        tried = M[sum_row(TRIED, point, option_key(form, option), option_face(form, option)) + TIMES]
        if least < 0 or tried < least:
            least = tried
            same = 0
        if tried == least:
            same += 1
        i += 1
    wanted = bot_draw(same)
    i = 0
    while i < count:
        option = M[options + 1 + i]
        row = sum_row(TRIED, point, option_key(form, option), option_face(form, option))
        if M[row + TIMES] == least:
            if wanted == 0:
                M[row + TIMES] += M[EXPLORERS]
                return i
            wanted -= 1
        i += 1
    return 0


# ------------------------------------------------------------------ games
def begin_tally() -> None:
    """A game begins."""
    M[GAME_NUMBER] += 1
    M[OFFSET] = 0
    M[MEASURING] = 0
    M[LISTED] = LISTED + 1
    M[OFFERS] = OFFERS + 1
    M[PAGES] = PAGES + 1
    M[CHOICES] = CHOICES + 1
    copy(HITS_BEFORE, HITS, SITES)
    copy(HITS_BEFORE + SITES, CAME, SLOTS)
    copy(HITS_BEFORE + SITES + SLOTS, ACTED, SLOTS)


def drop_tally() -> None:
    """What this game met is not counted."""
    # A game that ran without end has left no steps.
    M[STEPS] = STEP_LIMIT
    copy(HITS, HITS_BEFORE, SITES)
    copy(CAME, HITS_BEFORE + SITES, SLOTS)
    copy(ACTED, HITS_BEFORE + SITES + SLOTS, SLOTS)
    at = OFFERS + 1
    while at < M[OFFERS]:
        M[M[at] + TIMES] -= 1
        at += 1
    M[LISTED] = LISTED + 1
    M[OFFERS] = OFFERS + 1
    M[PAGES] = PAGES + 1


def end_tally() -> None:
    """A game has ended: what it met is added up."""
    won = M[WON + M[ENDING]]
    tally_measures(won)
    listed_end = M[LISTED]
    at = LISTED + 1
    while at < listed_end:
        add_to(M[at], 1, won)
        at += 1
    i = 0
    while i < SITES:
        if M[HITS + i] != M[HITS_BEFORE + i]:
            M[HIT_GAMES + i] += 1
        i += 1
    i = 1
    while i < SLOTS:
        if M[CAME + i] != M[HITS_BEFORE + SITES + i] or M[ACTED + i] != M[HITS_BEFORE + SITES + SLOTS + i]:
            add_sum(MET, i, 0, 0, won)
        i += 1
    thing = 1
    while thing <= THINGS:
        if M[SEEN + M[COUNTED_SLOT + thing]] == 0 and M[CLOSED + M[WHERE + thing]] == 0:
            M[SEEN + M[COUNTED_SLOT + thing]] = 1
        thing += 1
    tally_pages(won)
    add_sum(OUTCOME, M[ENDING], 0, 0, won)
    add_sum(LENGTH, 0, M[DECISIONS], 0, won)
    add_sum(LENGTH, 1, M[ROUNDS], 0, won)
    i = 1
    while i < M[SAMPLED]:
        thing = M[SAMPLED + i + 2]
        if M[SAMPLED + i + 3] == 0 and (thing == 0 or M[CLOSED + M[WHERE + thing]] == 0):
            add_sum(FINAL, M[SAMPLED + i], M[M[SAMPLED + i + 1]], 0, won)
        i += 4
    i = 0
    while i < STREAM_COUNT:
        if M[STREAMS + i] > 0:
            add_to(sum_row(STREAM, i, 0, 0), M[STREAMS + i], won)
        i += 1


def tally_measures(won: int) -> None:
    """What the package measures; a fault there is one of the game, so it comes before anything is added."""
    i = 1
    while i <= M[MEASURES]:
        M[MEASURING] = i
        list_sum(MEASURE, i - 1, call_table(M[MEASURES + i]), 0)
        i += 1
    M[MEASURING] = 0


def tally_pages(won: int) -> None:
    """The pages of a game in order: the first is set before it begins, and then played."""
    first = PAGES + 1
    if M[PAGES] > first + 1 and M[first] == M[first + 1]:
        first += 1
    last = 0
    at = first
    while at < M[PAGES]:
        page = M[at]
        add_sum(VISIT, page, 0, 0, won)
        row = sum_row(PAGE_OUTCOME, page, M[ENDING], 0)
        if M[row + LAST_GAME] != M[GAME_NUMBER]:
            add_to(row, 1, won)
        if at > first:
            add_sum(EDGE, M[at - 1], page, 0, won)
        if page != M[ENDING]:
            last = page
        at += 1
    if last != 0:
        add_sum(LAST_PAGE, last, M[ENDING], 0, won)


def table_is_full() -> int:
    """Whether the host should empty the table before the next game."""
    return M[SUMS_USED] > SUM_ROWS // 2


def forget_sums() -> None:
    """Empties everything that was added up."""
    clear(SUMS, SUM_ROWS * ROW_CELLS)
    M[SUMS_USED] = 0
    M[GAME_NUMBER] = 0
    M[OFFERS] = OFFERS + 1
    clear(HITS, SITES)
    clear(HIT_GAMES, SITES)
    clear(CAME, SLOTS)
    clear(ACTED, SLOTS)
    clear(SEEN, SLOTS)
