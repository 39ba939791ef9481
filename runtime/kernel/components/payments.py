"""Payments: how the symbols of a cost can be covered by things that look alike and by tokens.

Everything is worked out in a region of its own that belongs to no game: symbols, sources with how many there are, which rules
let a source cover a symbol, and the ways that were found, each with how many of every source it uses.
"""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.components.containers import put_in
from talewright.runtime.kernel.components.tokens import take_token
from talewright.runtime.kernel.memory import PAY, SORT, THING_FACE, M, alike, fault
from talewright.runtime.kernel.storage.lists import clear, new_list, push

MOST = 32
MOST_RULES = 16
MOST_WAYS = 500

SYMBOLS = PAY
SOURCES = PAY + 1
RULES = PAY + 2
WAYS = PAY + 3
SYMBOL = PAY + 8
# Of a source: the first of its things, or minus the number of its token; on what the token lies; how many there are.
SOURCE = SYMBOL + MOST
TOKEN_ON = SOURCE + MOST
HAVE = TOKEN_ON + MOST
LEFT = HAVE + MOST
USED = LEFT + MOST
LIMIT = USED + MOST
SPENT = LIMIT + MOST_RULES
COVERS = SPENT + MOST_RULES
WAY = COVERS + MOST * MOST


def begin_payment(cost: int, rules: int) -> None:
    """Notes the symbols of a cost in order of declaration."""
    if M[cost] > MOST or rules > MOST_RULES:
        fault(TOO_MUCH)
    M[SYMBOLS] = M[cost]
    M[SOURCES] = 0
    M[RULES] = rules
    M[WAYS] = 0
    for i in range(M[cost]):
        symbol = M[cost + 1 + i]
        j = i
        while j > 0 and M[SYMBOL + j - 1] > symbol:
            M[SYMBOL + j] = M[SYMBOL + j - 1]
            j -= 1
        M[SYMBOL + j] = symbol
    for i in range(rules):
        M[LIMIT + i] = -1
        M[SPENT + i] = 0


def add_source(source: int, lies_on: int, count: int) -> int:
    """One more source; gives its number."""
    at = M[SOURCES]
    if at >= MOST:
        fault(TOO_MUCH)
    M[SOURCES] = at + 1
    M[SOURCE + at] = source
    M[TOKEN_ON + at] = lies_on
    M[HAVE + at] = count
    M[USED + at] = 0
    clear(COVERS + at * MOST, M[SYMBOLS])
    return at


def add_things(things: int) -> None:
    """Things that look alike are one source."""
    for i in range(1, M[things] + 1):
        thing = M[things + i]
        at = source_like(thing)
        if at < 0:
            add_source(thing, 0, 1)
        else:
            M[HAVE + at] += 1


def source_like(thing: int) -> int:
    """The source whose things look like this one, or -1."""
    for at in range(M[SOURCES]):
        other = M[SOURCE + at]
        if other > 0 and M[SORT + other] == M[SORT + thing] and alike(other, thing) != 0:
            return at
    return -1


def find_ways(only_one: int) -> int:
    """Finds the different ways to cover all symbols, or whether there is one; gives how many."""
    for at in range(M[SOURCES]):
        M[LEFT + at] = M[HAVE + at]
    cover(0, only_one)
    return M[WAYS]


def note_way() -> None:
    """Notes what is used now, unless it was found before."""
    way = 0
    while way < M[WAYS]:
        at = 0
        while at < M[SOURCES] and M[WAY + way * MOST + at] == M[USED + at]:
            at += 1
        if at == M[SOURCES]:
            return
        way += 1
    for at in range(M[SOURCES]):
        M[WAY + way * MOST + at] = M[USED + at]
    M[WAYS] = way + 1


def cover(symbol: int, only_one: int) -> None:
    """Covers the symbols from one on in every way."""
    if M[WAYS] >= MOST_WAYS or (only_one != 0 and M[WAYS] > 0):
        return
    if symbol == M[SYMBOLS]:
        note_way()
        return
    for at in range(M[SOURCES]):
        if M[LEFT + at] > 0:
            for rule in range(M[RULES]):
                limit = M[LIMIT + rule]
                if ((M[COVERS + at * MOST + symbol] >> rule) & 1) != 0 and (
                    limit < 0 or M[SPENT + rule] < limit
                ):
                    M[LEFT + at] -= 1
                    M[SPENT + rule] += 1
                    M[USED + at] += 1
                    cover(symbol + 1, only_one)
                    M[USED + at] -= 1
                    M[SPENT + rule] -= 1
                    M[LEFT + at] += 1
                    if limit < 0:
                        break


def way_numbers() -> int:
    """The numbers of the ways that were found, counted from 1, as a list."""
    made = new_list()
    for i in range(1, M[WAYS] + 1):
        push(made, i)
    return made


def spend_way(way: int, things: int, into: int) -> None:
    """Spends what a way uses: things go into a container by sort and face, then tokens to the supply."""
    done = 0
    while done < M[SOURCES]:
        M[LEFT + done] = 1
        done += 1
    while done > 0:
        at = next_spent()
        M[LEFT + at] = 0
        count = M[WAY + (way - 1) * MOST + at]
        source = M[SOURCE + at]
        if source > 0:
            spend_things(source, count, things, into)
        elif count > 0:
            take_token(count, -1 - source, M[TOKEN_ON + at])
        done -= 1


def next_spent() -> int:
    """The source that is spent next."""
    found = -1
    for at in range(M[SOURCES]):
        if M[LEFT + at] != 0 and (found < 0 or is_spent_before(M[SOURCE + at], M[SOURCE + found]) != 0):
            found = at
    return found


def is_spent_before(first: int, second: int) -> int:
    """Whether one source is spent before another: by sort, then by the face of a die; tokens come last."""
    if first <= 0 or second <= 0:
        return first > 0
    if M[SORT + first] != M[SORT + second]:
        return M[SORT + first] < M[SORT + second]
    if M[THING_FACE + first] == 0:
        return 0
    return M[M[THING_FACE + first]] < M[M[THING_FACE + second]]


def spend_things(like: int, count: int, things: int, into: int) -> None:
    """Moves so many of the things that look like one."""
    sort = M[SORT + like]
    i = 1
    while i <= M[things] and count > 0:
        thing = M[things + i]
        if (
            thing != like and thing != 0 and M[SORT + thing] == sort and alike(like, thing) != 0
        ) or thing == like:
            put_in(thing, into, 0)
            count -= 1
        i += 1


def source_cell(source: int, symbol: int) -> int:
    """The address of what lets a source cover a symbol: a bit for every rule."""
    return COVERS + source * MOST + symbol
