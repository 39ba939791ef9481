"""Lists on the stack: a block of cells `[n, item 1, ..., item n]`, known by its address.

A list grows only while it is the last thing on the stack.
"""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.components.chance import rand
from talewright.runtime.kernel.memory import (
    GATHER_END,
    GATHER_TOP,
    NONE,
    SORT,
    STACK_END,
    STACK_TOP,
    M,
    copy,
    fault,
)
from talewright.runtime.kernel.storage.heap import SHAPE_FLAT, same_blocks

# The cells of a row of a rule that may come next.
RIVAL_CELLS = 5


def new_list() -> int:
    """An empty list on top of the stack."""
    made = M[STACK_TOP]
    M[made] = 0
    M[STACK_TOP] = made + 1
    return made


def filled(count: int, item: int) -> int:
    """So many cells that hold the same on top of the stack."""
    made = M[STACK_TOP]
    if made + count > STACK_END:
        fault(TOO_MUCH)
    M[STACK_TOP] = made + count
    fill_cells(made, count, item)
    return made


def zeroed(count: int) -> int:
    """So many cells of nothing on top of the stack."""
    return filled(count, 0)


def clear(at: int, count: int) -> None:
    """Empties so many cells."""
    fill_cells(at, count, 0)


def fill_cells(at: int, count: int, item: int) -> None:
    """Puts the same into so many cells. Beyond the first few, each stretch is copied behind itself."""
    few = count
    if few > 16:
        few = 16
    i = 0
    while i < few:
        M[at + i] = item
        i += 1
    while i < count:
        more = i
        if i + more > count:
            more = count - i
        copy(at + i, at, more)
        i += more


def push(things: int, item: int) -> None:
    """Adds to the list that lies on top of the stack."""
    end = things + M[things] + 1
    if end >= STACK_END:
        fault(TOO_MUCH)
    M[end] = item
    M[things] += 1
    M[STACK_TOP] = end + 1


def insert(things: int, item: int) -> None:
    """Adds to the list of numbers on top of the stack, which stays in order and holds each once."""
    i = M[things]
    while i > 0 and M[things + i] > item:
        i -= 1
    if i > 0 and M[things + i] == item:
        return
    push(things, item)
    for j in range(M[things], i + 1, -1):
        M[things + j] = M[things + j - 1]
    M[things + i + 1] = item


def finish(things: int) -> int:
    """Ends the stack behind a list."""
    M[STACK_TOP] = things + M[things] + 1
    return things


def gathered(base: int, made: int) -> int:
    """What was collected since a mark, as a list at an address, where the stack then ends."""
    count = M[GATHER_TOP] - base
    if M[GATHER_TOP] > GATHER_END or made + count >= STACK_END:
        # What was overwritten meanwhile belongs to this game, which ends here.
        fault(TOO_MUCH)
    copy(made + 1, base, count)
    M[made] = count
    M[STACK_TOP] = made + 1 + count
    M[GATHER_TOP] = base
    return made


def pair_up(first: int, second: int) -> int:
    """Two lists side by side: a list of blocks of two."""
    count = M[first]
    if M[second] < count:
        count = M[second]
    made = M[STACK_TOP]
    M[made] = count
    M[STACK_TOP] = made + 1 + count
    for i in range(1, count + 1):
        pair = new_list()
        push(pair, M[first + i])
        push(pair, M[second + i])
        M[made + i] = pair
    return made


def has_pair(pairs: int, first: int, second: int) -> int:
    """Whether two values stand side by side in a list of pairs."""
    i = 1
    while i < M[pairs]:
        if M[pairs + i] == first and M[pairs + i + 1] == second:
            return 1
        i += 2
    return 0


def forget_pair(pairs: int, first: int, second: int) -> None:
    """Makes a pair of a list one that nobody looks for."""
    i = 1
    while i < M[pairs]:
        if M[pairs + i] == first and M[pairs + i + 1] == second:
            M[pairs + i] = 0
        i += 2


def highest_row(rows: int) -> int:
    """Where the row of the rule with the highest rank begins, in a list of such rows; 0 if there is none."""
    found = 0
    i = 0
    while i < M[rows]:
        at = rows + i
        if found == 0 or M[at + 4] > M[found + 4] or (M[at + 4] == M[found + 4] and M[at + 5] > M[found + 5]):
            found = at
        i += RIVAL_CELLS
    return found


def copy_list(things: int) -> int:
    """A copy of a list on top of the stack."""
    made = M[STACK_TOP]
    size = M[things] + 1
    if made + size > STACK_END:
        fault(TOO_MUCH)
    copy(made, things, size)
    M[STACK_TOP] = made + size
    return made


def settle(things: int, mark: int) -> int:
    """Moves a list, or a formula of dice, down to a mark, where the stack then goes on."""
    size = M[things]
    if size < 0:
        size = 0 - size
    size += 1
    if things != mark:
        copy(mark, things, size)
    M[STACK_TOP] = mark + size
    return mark


def includes_item(things: int, item: int) -> int:
    """Whether an item stands in a list."""
    for i in range(M[things], 0, -1):
        if M[things + i] == item:
            return 1
    return 0


def position(things: int, item: int) -> int:
    """The position of an item in a list, counted from 1; 0 if it is not there."""
    count = M[things]
    for i in range(1, count + 1):
        if M[things + i] == item:
            return i
    return 0


def remove_at(things: int, at: int) -> None:
    """Takes the item at a position out of a list."""
    while at < M[things]:
        M[things + at] = M[things + at + 1]
        at += 1
    M[things] -= 1


def remove_item(things: int, item: int) -> None:
    """Takes the first such item out of a list."""
    at = position(things, item)
    if at != 0:
        remove_at(things, at)


def union(first: int, second: int) -> int:
    """All of the first list, then what only the second has."""
    made = copy_list(first)
    count = M[second]
    for i in range(1, count + 1):
        if includes_item(made, M[second + i]) == 0:
            push(made, M[second + i])
    return made


def appended(first: int, second: int) -> int:
    """All of the first list, then all of the second."""
    made = copy_list(first)
    count = M[second]
    for i in range(1, count + 1):
        push(made, M[second + i])
    return made


def minus(first: int, second: int) -> int:
    """The first list without the members of the second."""
    made = new_list()
    count = M[first]
    for i in range(1, count + 1):
        if includes_item(second, M[first + i]) == 0:
            push(made, M[first + i])
    return made


def without(first: int, second: int) -> int:
    """The first list with the first of each member of the second taken out."""
    made = copy_list(first)
    count = M[second]
    for i in range(1, count + 1):
        remove_item(made, M[second + i])
    return finish(made)


def distinct(things: int) -> int:
    """Each member once."""
    made = new_list()
    count = M[things]
    for i in range(1, count + 1):
        if includes_item(made, M[things + i]) == 0:
            push(made, M[things + i])
    return made


def part(things: int, low: int, high: int) -> int:
    """The members from one position to another."""
    if low < 1:
        low = 1
    made = new_list()
    while low <= high and low <= M[things]:
        push(made, M[things + low])
        low += 1
    return made


def mix(things: int, stream: int) -> None:
    """Puts a list into random order."""
    for i in range(M[things], 1, -1):
        j = 1 + rand(stream, i)
        item = M[things + i]
        M[things + i] = M[things + j]
        M[things + j] = item


def keep_best(things: int, keys: int, highest: int) -> None:
    """Keeps the members whose key is best; those without a key drop out. Keys stand in the same order."""
    count = M[things]
    best = NONE
    for i in range(1, count + 1):
        key = M[keys + i]
        if key != NONE and (best == NONE or (highest != 0 and key > best) or (highest == 0 and key < best)):
            best = key
    kept = 0
    for i in range(1, count + 1):
        if M[keys + i] == best and best != NONE:
            kept += 1
            M[things + kept] = M[things + i]
    M[things] = kept


def sort_by(things: int, keys: int, highest: int) -> None:
    """Sorts a list by its keys, which move along; equal ones stay in order."""
    for i in range(2, M[things] + 1):
        item = M[things + i]
        key = M[keys + i]
        j = i - 1
        while j > 0:
            if (highest != 0 and M[keys + j] >= key) or (highest == 0 and M[keys + j] <= key):
                break
            M[things + j + 1] = M[things + j]
            M[keys + j + 1] = M[keys + j]
            j -= 1
        M[things + j + 1] = item
        M[keys + j + 1] = key


def includes_all(have: int, want: int, of_sorts: int) -> int:
    """Whether a list holds every member of another, with its repetitions; of things, whether it holds every sort of it."""
    for i in range(1, M[want] + 1):
        left = repeated(want, i)
        k = M[have]
        while k > 0 and left > 0:
            item = M[have + k]
            if of_sorts != 0:
                item = M[SORT + item]
            if item == M[want + i]:
                left -= 1
            k -= 1
        if left > 0:
            return 0
    return 1


def repeated(things: int, at: int) -> int:
    """How often the item at a position stands in a list up to there."""
    item = M[things + at]
    found = 1
    at -= 1
    while at > 0:
        if M[things + at] == item:
            found += 1
        at -= 1
    return found


def rotated(things: int, ring: int, start: int, first: int) -> int:
    """The members of a list in ring order from one on; it stands first, or last when it is only followed.

    The ring is a list; 0 where none holds the start, then the list itself is turned.
    """
    if ring == 0:
        ring = things
    at = position(ring, start)
    if at == 0:
        return copy_list(things)
    whole = same_blocks(things, ring, SHAPE_FLAT)
    end = M[STACK_TOP]
    made = end
    count = M[ring]
    if first == 0:
        at += 1
    for _ in range(count):
        if at > count:
            at = 1
        if whole != 0 or includes_item(things, M[ring + at]) != 0:
            end += 1
            M[end] = M[ring + at]
        at += 1
    M[made] = end - made
    return finish(made)


def settle_nothing(mark: int) -> int:
    """Ends the stack at a mark; gives none."""
    M[STACK_TOP] = mark
    return 0
