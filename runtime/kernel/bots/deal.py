"""Determinization: what some seats do not know is dealt anew among the places where such things lie hidden.

The game must stand at a decision. Whatever names a hidden thing afterwards names the one that lies in its place now:
containers, fields, states, rules for a while, the options, and the locals of everything that is running. Who has gained a
trait keeps it.
"""

from __future__ import annotations

from talewright.runtime.ir.header import FRAME_TOP, OPTIONS, SEED_HIGH, SEED_LOW
from talewright.runtime.ir.passes.cutting import HANDED_OVER
from talewright.runtime.kernel.bots.bot_chance import bot_draw
from talewright.runtime.kernel.components.traits import set_trait_bit
from talewright.runtime.kernel.components.until import BEARER, CAPTURED, RULE
from talewright.runtime.kernel.memory import (
    BACK,
    BACKS,
    BEHAVIOUR_COLUMNS,
    DEAL_COLUMNS,
    DEAL_LISTS,
    DEAL_THINGS,
    DECISION,
    EFFECT_THINGS,
    FACE,
    FACES,
    FIRST,
    FRAME_TABLE,
    FRAMES,
    KNOWN,
    LAST,
    MENU_ARGUMENTS,
    MENU_THINGS,
    NEXT,
    NOW,
    OFFER_THINGS,
    OPTION_LIST,
    POINT_HOLDS,
    PREVIOUS,
    RUN,
    RUN_TOP,
    SCRATCH_COLUMN,
    SCRATCH_WIDTH,
    SITE_THINGS,
    STACK,
    STACK_TOP,
    THINGS,
    TRAIT_CELLS,
    TRAIT_RECORDS,
    TRAIT_RECORDS_END,
    TRAIT_TOP,
    TRAITS_BORN,
    UNTIL,
    UNTIL_CELLS,
    UNTIL_THINGS,
    UNTIL_TOP,
    VERB_THINGS,
    WHERE,
    M,
    armed_by_move,
    copy,
)
from talewright.runtime.kernel.storage.heap import is_stored
from talewright.runtime.kernel.storage.lists import clear

# Columns in the region of bots, each as wide as a column over things: hidden things by their backs, the same as they lie,
# where each lay, the locations where they lie, and lists that were dealt with already.
MEMBERS = SCRATCH_COLUMN
LYING = SCRATCH_COLUMN + SCRATCH_WIDTH
KEPT = SCRATCH_COLUMN + 2 * SCRATCH_WIDTH
PLACES = SCRATCH_COLUMN + 3 * SCRATCH_WIDTH
ROW = SCRATCH_COLUMN + 4 * SCRATCH_WIDTH
DONE = SCRATCH_COLUMN + 5 * SCRATCH_WIDTH
STARTS = SCRATCH_COLUMN + 6 * SCRATCH_WIDTH
CHAINED = SCRATCH_COLUMN + 7 * SCRATCH_WIDTH
# Instead of bits: the behaviour of a field.
BORNE = -1
# Where captured cells begin in the record of a trait.
TRAIT_CAPTURED = 6
# What the options of a decision hold: things, or the blocks of offers.
HOLDS_THINGS = 1
HOLDS_OFFERS = 2


def prepare_deals() -> None:
    """Every thing stands for itself; whatever has a trait now was born with it."""
    M[TRAITS_BORN] = M[TRAIT_TOP] - TRAIT_RECORDS
    for thing in range(THINGS + 1):
        M[NOW + thing] = thing


def deal(seats: int) -> int:
    """Deals what some seats do not know; gives how many things took part. Chance begins anew."""
    count = find_hidden(seats)
    if count > 0:
        places = find_places(count)
        shuffle_hidden(places)
        exchange_hidden(places, count)
    M[SEED_LOW] = bot_draw(0)
    M[SEED_HIGH] = bot_draw(0)
    return count


def forget_deal(count: int) -> None:
    """Every thing stands for itself again."""
    for i in range(count):
        thing = M[MEMBERS + i]
        M[NOW + thing] = thing


def find_hidden(seats: int) -> int:
    """Lists things face down that no seat knows and that share their back with others, by backs, in order of their numbers."""
    clear(STARTS, BACKS + 2)
    hidden = LYING
    for thing in range(1, THINGS + 1):
        if M[FACE + thing] == 0 and (M[KNOWN + thing] & seats) == 0 and M[FACES + thing] == 0:
            M[hidden] = thing
            hidden += 1
            M[STARTS + M[BACK + thing] + 1] += 1
    for back in range(1, BACKS + 2):
        if M[STARTS + back] == 1:
            # Alone with its back: everybody knows which one it is.
            M[STARTS + back] = 0
        M[STARTS + back] += M[STARTS + back - 1]
    count = M[STARTS + BACKS + 1]
    if count == 0:
        return 0
    clear(ROW, BACKS + 1)
    for i in range(LYING, hidden):
        thing = M[i]
        back = M[BACK + thing]
        if M[STARTS + back] < M[STARTS + back + 1]:
            M[MEMBERS + M[STARTS + back] + M[ROW + back]] = thing
            M[ROW + back] += 1
            M[NOW + thing] = 0
    return count


def shuffle_hidden(places: int) -> None:
    """Which of the things with one back lies where the others lay: the order of places must not tell what lies there."""
    copy(ROW, STARTS, BACKS + 1)
    for i in range(places):
        thing = M[FIRST + M[PLACES + i]]
        while thing != 0:
            # A hidden thing stands for nothing yet.
            if M[NOW + thing] == 0:
                back = M[BACK + thing]
                M[LYING + M[ROW + back]] = thing
                M[ROW + back] += 1
            thing = M[NEXT + thing]
    for back in range(BACKS + 1):
        first = M[STARTS + back]
        for i in range(M[STARTS + back + 1] - 1, first, -1):
            j = first + bot_draw(i - first + 1)
            thing = M[LYING + i]
            M[LYING + i] = M[LYING + j]
            M[LYING + j] = thing
        for i in range(first, M[STARTS + back + 1]):
            M[NOW + M[LYING + i]] = M[MEMBERS + i]


def find_places(count: int) -> int:
    """The locations where hidden things lie, in order; also keeps where each of these lies."""
    places = 0
    before = -1
    for i in range(count):
        where = M[WHERE + M[MEMBERS + i]]
        M[KEPT + i] = where
        if where != before:
            before = where
            j = places
            while j > 0 and M[PLACES + j - 1] > where:
                j -= 1
            if j == 0 or M[PLACES + j - 1] != where:
                for k in range(places, j, -1):
                    M[PLACES + k] = M[PLACES + k - 1]
                M[PLACES + j] = where
                places += 1
    return places


def exchange_hidden(places: int, count: int) -> None:
    """Puts things where others lay."""
    exchange_chains(places)
    i = 0
    while i < count:
        i = move_columns(i)
    M[DONE] = 0
    rename_columns()
    rename_frames()
    rename_records()
    rename_calls()
    if TRAIT_RECORDS_END > TRAIT_RECORDS:
        rename_traits()
    rename_options()
    for i in range(count):
        thing = M[MEMBERS + i]
        if M[WHERE + thing] != M[KEPT + i]:
            armed_by_move(thing)


def exchange_chains(places: int) -> None:
    """Writes the chains of locations anew, after all of them have been read."""
    end = 0
    for i in range(places):
        thing = M[FIRST + M[PLACES + i]]
        while thing != 0:
            M[CHAINED + end] = M[NOW + thing]
            end += 1
            thing = M[NEXT + thing]
        M[ROW + i] = end
    end = 0
    for i in range(places):
        write_chain(M[PLACES + i], end, M[ROW + i])
        end = M[ROW + i]


def write_chain(where: int, i: int, end: int) -> None:
    """Writes the chain of one location."""
    before = 0
    while i < end:
        thing = M[CHAINED + i]
        M[PREVIOUS + thing] = before
        if before == 0:
            M[FIRST + where] = thing
        else:
            M[NEXT + before] = thing
        before = thing
        i += 1
    M[NEXT + before] = 0
    M[LAST + where] = before


def move_columns(first: int) -> int:
    """What belongs to a place rather than to a thing, for the things with one back; gives where the next back begins."""
    back = M[BACK + M[MEMBERS + first]]
    end = M[STARTS + back + 1]
    columns = M[DEAL_COLUMNS + back]
    for k in range(M[columns], 0, -1):
        move_cells(M[columns + k], first, end)
    return end


def move_cells(address: int, first: int, end: int) -> None:
    """The cells of one column. Where all hold the same, nothing moves."""
    same = M[address + M[MEMBERS + first]]
    differ = 0
    for i in range(first, end):
        held = M[address + M[MEMBERS + i]]
        M[ROW + i] = held
        differ |= held ^ same
    i = first
    while i < end and differ != 0:
        M[address + M[NOW + M[MEMBERS + i]]] = M[ROW + i]
        i += 1


def rename(cell: int) -> None:
    """A cell that holds a thing names what lies there now."""
    if M[cell] > 0 and M[cell] <= THINGS:
        M[cell] = M[NOW + M[cell]]


def is_movable(block: int) -> int:
    """Whether a block lies on the stack or in the heap: others never change."""
    return is_stored(block) != 0 or (block >= STACK and block < M[STACK_TOP])


def is_done(block: int) -> int:
    """Whether a block has been looked at in this deal; from now on it has."""
    i = 1
    while i <= M[DONE]:
        if M[DONE + i] == block:
            return 1
        i += 1
    if i < SCRATCH_WIDTH:
        M[DONE] = i
        M[DONE + i] = block
    return 0


def rename_list(things: int) -> None:
    """A list on the stack or in the heap names what lies there now; each is looked at once."""
    if is_movable(things) == 0 or is_done(things) != 0:
        return
    for i in range(1, M[things] + 1):
        rename(things + i)


def rename_columns() -> None:
    """Fields and states that name things: stretches `[address, count]`."""
    i = 1
    while i < M[DEAL_THINGS]:
        at = M[DEAL_THINGS + i]
        end = at + M[DEAL_THINGS + i + 1]
        while at < end:
            rename(at)
            at += 1
        i += 2
    i = 1
    while i < M[DEAL_LISTS]:
        at = M[DEAL_LISTS + i]
        end = at + M[DEAL_LISTS + i + 1]
        while at < end:
            rename_list(M[at])
            at += 1
        i += 2


def rename_frames() -> None:
    """The locals of what is running."""
    frame = FRAMES
    while frame < M[FRAME_TOP]:
        row = M[FRAME_TABLE + M[frame + 1]]
        if row != 0:
            cells = M[row + M[frame + 2]]
            if cells != 0:
                for i in range(1, M[cells] + 1):
                    place = M[cells + i]
                    if place > HANDED_OVER:
                        rename_effect(M[frame + place - HANDED_OVER])
                    elif place > 0:
                        rename(frame + place)
                    else:
                        rename_list(M[frame - place])
        frame += M[frame] + 1


def rename_effect(block: int) -> None:
    """What an effect that was handed over has captured: `[n, function, ...]`."""
    if is_movable(block) == 0 or is_done(block) != 0:
        return
    bits = M[EFFECT_THINGS + M[block + 1]]
    if bits == BORNE:
        rename_borne(block)
    else:
        rename_bits(block + 2, bits)


def rename_borne(block: int) -> None:
    """The behaviour of a field, `[n, function, which, thing]`: that of the thing that lies there now."""
    thing = M[block + 3]
    if thing <= 0 or thing > THINGS:
        return
    i = 1
    while i <= M[BEHAVIOUR_COLUMNS]:
        column = M[BEHAVIOUR_COLUMNS + i]
        if thing >= M[column + 1] and thing <= M[column + 2] and M[M[column] + thing] == M[block + 2]:
            M[block + 2] = M[M[column] + M[NOW + thing]]
            i = M[BEHAVIOUR_COLUMNS]
        i += 1
    M[block + 3] = M[NOW + thing]


def rename_calls() -> None:
    """The first arguments of running calls."""
    at = RUN
    while at < M[RUN_TOP]:
        if M[VERB_THINGS + M[at]] != 0:
            rename(at + 1)
        at += 2


def rename_traits() -> None:
    """Traits that were gained stay with whatever lies in a place; those that a thing was born with are part of it."""
    record = TRAIT_RECORDS + M[TRAITS_BORN]
    while record < M[TRAIT_TOP]:
        thing = M[record]
        if thing > 0 and M[NOW + thing] != thing:
            set_trait_bit(thing, M[record + 1], 0)
        record += TRAIT_CELLS
    record = TRAIT_RECORDS + M[TRAITS_BORN]
    while record < M[TRAIT_TOP]:
        rename(record)
        rename_bits(record + TRAIT_CAPTURED, M[SITE_THINGS + M[record + 2]])
        set_trait_bit(M[record], M[record + 1], 1)
        record += TRAIT_CELLS


def rename_records() -> None:
    """The bearers and captured locals of rules for a while."""
    record = UNTIL
    while record < M[UNTIL_TOP]:
        rename(record + BEARER)
        rename_bits(record + CAPTURED, M[UNTIL_THINGS + M[record + RULE]])
        record += UNTIL_CELLS


def rename_bits(at: int, bits: int) -> None:
    """Those of some cells in a row that hold things, by bits."""
    while bits != 0:
        if (bits & 1) != 0:
            rename(at)
        bits = bits >> 1
        at += 1


def rename_options() -> None:
    """The options, and what their menu was opened with."""
    holds = M[POINT_HOLDS + M[DECISION]]
    options = M[OPTION_LIST]
    if holds == HOLDS_THINGS:
        rename_list(options)
    if holds == HOLDS_OFFERS:
        for i in range(1, M[OPTIONS] + 1):
            option = M[options + i]
            if option > 0:
                rename(option + 2)
                rename_bits(option + 3, M[OFFER_THINGS + M[option + 1]])
        rename_bits(M[MENU_ARGUMENTS] + 1, M[MENU_THINGS + M[DECISION]])
