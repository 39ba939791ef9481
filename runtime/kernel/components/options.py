"""Lists of options, and what is picked from them."""

from __future__ import annotations

from talewright.runtime.kernel.components.chance import rand
from talewright.runtime.kernel.components.dice import alike_dice
from talewright.runtime.kernel.memory import (
    FACE,
    HAS_TWINS,
    KIND_NUMBER,
    KNOWN,
    SORT,
    STACK_TOP,
    STREAM_OF,
    THINGS,
    WHERE,
    M,
    alike,
)
from talewright.runtime.kernel.storage.lists import includes_item, new_list, push, remove_item, zeroed

BUCKETS = 16


def push_option(options: int, item: int) -> None:
    """Adds an option to a list, which need not lie on top of the stack: what lies behind it is no longer needed."""
    count = M[options] + 1
    M[options + count] = item
    M[options] = count
    if M[STACK_TOP] < options + count + 1:
        M[STACK_TOP] = options + count + 1


def shorten(options: int, count: int) -> None:
    """Lets a list end earlier; what stood behind stays where it is, and so does the end of the stack."""
    M[options] = count


def reserve_list(things: int, count: int) -> None:
    """Keeps room behind a list that lies on top of the stack."""
    M[STACK_TOP] = things + count + 1


def append(things: int, item: int) -> None:
    """Adds to a list for which room was kept."""
    M[things] += 1
    M[things + M[things]] = item


def take_one(chosen: int, left: int, item: int) -> None:
    """Moves one item from what is left to what is chosen."""
    append(chosen, item)
    remove_item(left, item)


def take_all(chosen: int, left: int) -> None:
    """Moves everything that is left to what is chosen."""
    for i in range(1, M[left] + 1):
        append(chosen, M[left + i])
    M[left] = 0


def take_these(chosen: int, left: int, these: int) -> None:
    """Moves some items from what is left to what is chosen."""
    for i in range(1, M[these] + 1):
        take_one(chosen, left, M[these + i])


def in_order_of(every: int, chosen: int) -> int:
    """What was chosen, in the order in which it was listed."""
    made = new_list()
    for i in range(1, M[every] + 1):
        if includes_item(chosen, M[every + i]) != 0:
            push(made, M[every + i])
    return made


def is_known(thing: int, seats: int) -> int:
    """Whether all of some seats know a thing."""
    return M[FACE + thing] != 0 or (M[KNOWN + thing] & seats) == seats


def is_same_option(first: int, second: int) -> int:
    """Whether two things that are known are the same as options."""
    if M[SORT + first] != M[SORT + second] or M[WHERE + first] != M[WHERE + second]:
        return 0
    if M[FACE + first] != M[FACE + second]:
        return 0
    return alike(first, second)


def merge_things(options: int, seats: int) -> None:
    """Leaves one of the things that are the same as far as some seats know; what they do not know comes last.

    Which one of the things that lie hidden in one place is meant is chance. Things of which there can be others are found
    again by their sort: each bucket begins a chain of them, from the last that was kept to the first.
    """
    count = M[options]
    buckets = zeroed(BUCKETS + count + 1)
    links = buckets + BUCKETS
    hidden = new_list()
    kept = 0
    for i in range(1, count + 1):
        thing = M[options + i]
        if thing != 0:
            if is_known(thing, seats) == 0:
                push(hidden, thing)
            elif M[HAS_TWINS + thing] == 0:
                kept += 1
                M[options + kept] = thing
            else:
                bucket = buckets + M[SORT + thing] % BUCKETS
                j = M[bucket]
                while j > 0 and is_same_option(M[options + j], thing) == 0:
                    j = M[links + j]
                if j == 0:
                    kept += 1
                    M[options + kept] = thing
                    M[links + kept] = M[bucket]
                    M[bucket] = kept
    M[options] = kept
    merge_hidden(options, hidden)
    M[STACK_TOP] = buckets


def merge_hidden(options: int, hidden: int) -> None:
    """Adds one thing by chance of those of one kind that lie hidden in each place; they come in the order of places."""
    first = M[options] + 1
    left = M[hidden]
    while left > 0:
        where = M[WHERE + M[hidden + 1]]
        kind = M[KIND_NUMBER + M[hidden + 1]]
        same = 0
        for i in range(1, left + 1):
            if looks_so(M[hidden + i], where, kind) != 0:
                same += 1
        stream = 0
        if where > THINGS:
            stream = M[STREAM_OF + where]
        wanted = rand(stream, same)
        kept = 0
        same = 0
        for i in range(1, left + 1):
            thing = M[hidden + i]
            if looks_so(thing, where, kind) != 0:
                if same == wanted:
                    append(options, thing)
                    settle_by_place(options, first)
                same += 1
            else:
                kept += 1
                M[hidden + kept] = thing
        left = kept


def looks_so(thing: int, where: int, kind: int) -> int:
    """Whether a hidden thing lies in a place and is of a kind: no more can be seen of it."""
    return M[WHERE + thing] == where and M[KIND_NUMBER + thing] == kind


def settle_by_place(options: int, first: int) -> None:
    """Moves the last option up behind those from a position on that lie in earlier places, or the same one."""
    i = M[options]
    thing = M[options + i]
    while i > first and M[WHERE + M[options + i - 1]] > M[WHERE + thing]:
        M[options + i] = M[options + i - 1]
        i -= 1
    M[options + i] = thing


def merge_dice(options: int) -> None:
    """Leaves one of the dice that show the same."""
    kept = 0
    for i in range(1, M[options] + 1):
        j = 1
        while j <= kept and alike_dice(M[options + j], M[options + i]) == 0:
            j += 1
        if j > kept:
            kept += 1
            M[options + kept] = M[options + i]
    M[options] = kept
