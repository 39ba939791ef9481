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
    CAME_BEFORE,
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
    KEPT_ROWS,
    KNOWN,
    LAST_KEPT,
    LED_ON,
    LIMBO,
    LISTED,
    LISTED_END,
    MEASURES,
    MEASURING,
    MET_GAMES,
    MET_WINS,
    NOT_KEPT,
    OFFERS,
    OFFERS_END,
    OFFSET,
    OPTION_LIST,
    OPTION_ROW_CELLS,
    OPTION_ROWS,
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
    UNSEEN,
    WHERE,
    WON,
    M,
    copy,
    fault,
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
TRIED = 13
# The cells of a row.
TIMES = 4
WON_TIMES = 5
GAMES = 6
LAST_GAME = 7
ROW_CELLS = 8
# The rows of what is offered have no wins: the decision that was counted last, and the row of how often it was chosen.
LAST_DECISION = WON_TIMES
CHOSEN_ROW = LAST_GAME
R8 = 8
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
    """A thing moves: it may come into play. It does so when it is drawn or made, and lies in limbo until it is put somewhere."""
    if M[CLOSED + where] != 0 or (M[CLOSED + old] == 0 and where != LIMBO):
        return
    if thing == M[CAME_BEFORE] and M[OFFSET] == 0:
        M[CAME_BEFORE] = 0
        return
    M[CAME + M[OFFSET] + counter_of(thing)] += 1


def count_came_back(thing: int) -> None:
    """A thing is drawn from a container that takes it back at once; when it is put somewhere next, it has come already."""
    M[CAME + M[OFFSET] + counter_of(thing)] += 1
    if M[OFFSET] == 0:
        M[CAME_BEFORE] = thing


def count_acted(thing: int) -> None:
    """A thing does what its text says."""
    if thing > 0:
        M[ACTED + M[OFFSET] + counter_of(thing)] += 1


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


def option_row(part: int, form: int, option: int) -> int:
    """The row of an option of a decision."""
    point = M[DECISION]
    if form == AS_WAYS:
        # A page stands for its own choice.
        point = -1 - M[CHAPTER]
    key = option_key(form, option)
    if part == OFFERED and form == AS_DICE and option > 0:
        # Only what a die shows tells it apart.
        key = 0
    return sum_row(part, point, key, option_face(form, option))


def count_decision(chosen: int) -> None:
    """Somebody chooses one of the options; several that count as one are offered once.

    A decision among things or offers keeps the rows of those that were options before.
    """
    if M[CHOICES] >= CHOICES_END:
        # A game that goes on for ever would never come back to the host.
        fault(R8, 0)
    M[M[CHOICES]] = chosen
    M[CHOICES] += 1
    form = M[POINT_FORM + M[DECISION]]
    if form == NOT_AT_ALL:
        return
    last = M[LAST_KEPT + M[DECISION]]
    rows = M[KEPT_ROWS + M[DECISION]]
    decision = M[COUNTED_DECISIONS] + 1
    M[COUNTED_DECISIONS] = decision
    option_at = M[OPTION_LIST] + 1
    chosen_at = option_at + chosen
    end = option_at + M[OPTIONS]
    at = M[OFFERS]
    if at + M[OPTIONS] > OFFERS_END:
        return
    taken = 0
    while option_at < end:
        option = M[option_at]
        kept = rows
        if option < 0 or option > last:
            kept = NOT_KEPT
        elif option > 0:
            if form == AS_OFFERS:
                kept += M[option + 1] + 1
            elif is_told(option):
                kept += M[SORT + option]
            else:
                kept = NOT_KEPT
        row = M[kept]
        if row == 0:
            row = option_row(OFFERED, form, option)
            if kept != NOT_KEPT:
                M[kept] = row
        if M[row + LAST_DECISION] != decision:
            M[row + LAST_DECISION] = decision
            M[row + TIMES] += 1
            M[at] = row
            at += 1
        if option_at == chosen_at:
            taken = row
        option_at += 1
    M[OFFERS] = at
    if M[taken + CHOSEN_ROW] == 0:
        M[taken + CHOSEN_ROW] = sum_row(CHOSEN, M[taken + 1], M[taken + 2], M[taken + 3])
    list_row(M[taken + CHOSEN_ROW])


def choose_least_tried(count: int) -> int:
    """One of the options that were tried least so far, to reach what others have not; all that try at once try it."""
    form = M[POINT_FORM + M[DECISION]]
    options = M[OPTION_LIST]
    least = -1
    same = 0
    i = 0
    while i < count:
        tried = M[option_row(TRIED, form, M[options + 1 + i]) + TIMES]
        if least < 0 or tried < least:
            least = tried
            same = 0
        if tried == least:
            same += 1
        i += 1
    wanted = bot_draw(same)
    i = 0
    while i < count:
        row = option_row(TRIED, form, M[options + 1 + i])
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
    if M[GAME_NUMBER] == 1:
        look_for_all()
    M[OFFSET] = 0
    M[CAME_BEFORE] = 0
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
            M[MET_GAMES + i] += 1
            if won != 0:
                M[MET_WINS + i] += 1
        i += 1
    look_for_unseen()
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
        if M[CLOSED + M[WHERE + thing]] == 0:
            M[SEEN + M[COUNTED_SLOT + thing]] = 1
        if M[SEEN + M[COUNTED_SLOT + thing]] == 0:
            M[UNSEEN + 1 + left] = thing
            left += 1
        i += 1
    M[UNSEEN] = left


def tally_measures(won: int) -> None:
    """What the package measures; a fault there is one of the game, so it comes before anything is added."""
    i = 1
    while i <= M[MEASURES]:
        M[MEASURING] = i
        list_sum(MEASURE, i - 1, call_table(M[MEASURES + i]), 0)
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
    return M[SUMS_USED] > SUM_ROWS // 2


def forget_sums() -> None:
    """Empties everything that was added up."""
    clear(SUMS, SUM_ROWS * ROW_CELLS)
    clear(OPTION_ROWS, OPTION_ROW_CELLS)
    M[SUMS_USED] = 0
    M[GAME_NUMBER] = 0
    M[OFFERS] = OFFERS + 1
    clear(HITS, SITES)
    clear(HIT_GAMES, SITES)
    clear(CAME, SLOTS)
    clear(ACTED, SLOTS)
    clear(MET_GAMES, SLOTS)
    clear(MET_WINS, SLOTS)
    clear(SEEN, SLOTS)
