"""Stored lists: blocks of the heap, `[capacity, n, item 1, ...]`, known by the address of n.

Free blocks of one size are linked behind `FREE_BLOCKS + size class`.
"""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.kernel.memory import (
    HEAP,
    HEAP_END,
    HEAP_TOP,
    SORT,
    TEXT_LISTS,
    TEXT_TEXTS,
    TITLE_TEXTS,
    M,
    copy,
    fault,
)

# The first cells of the heap are the heads of the lists of free blocks, one for each power of two.
SIZE_CLASSES = 20
# What the items of a block are: cells, or addresses of blocks whose shape stands in the higher bits.
SHAPE_FLAT = 0
SHAPE_TEXT = 1
SHAPE_LIST = 2
SHAPE_MAP = 3
SHAPE_TRAIT = 4
SHAPE_BITS = 3
SHAPE_MASK = 7
# The number of a text that is the title of a thing.
TITLE = -1


def size_class(count: int) -> int:
    """The smallest power of two that holds so many cells."""
    found = 2
    while (1 << found) < count:
        found += 1
    return found


def allocate(count: int) -> int:
    """A block for so many items."""
    found = size_class(count + 2)
    if found >= SIZE_CLASSES:
        fault(TOO_MUCH)
    block = M[HEAP + found]
    if block != 0:
        M[HEAP + found] = M[block]
    else:
        block = M[HEAP_TOP]
        if block + (1 << found) > HEAP_END:
            fault(TOO_MUCH)
        M[HEAP_TOP] = block + (1 << found)
    M[block] = found
    return block + 1


def release(block: int) -> None:
    """Gives a block back."""
    found = M[block - 1]
    M[block - 1] = M[HEAP + found]
    M[HEAP + found] = block - 1


def is_stored(block: int) -> int:
    """Whether a list lies in the heap."""
    return block >= HEAP and block < HEAP_END


def store_blocks(cell: int, things: int, shape: int) -> None:
    """Keeps a copy of a block and of the blocks that it holds; what the cell held is given back afterwards."""
    old = M[cell]
    if old == things:
        return
    M[cell] = stored_copy(things, shape)
    release_blocks(old, shape)


def stored_copy(block: int, shape: int) -> int:
    """A copy in the heap of a block and of those that it holds."""
    if block == 0:
        return 0
    count = M[block]
    if count < 0:
        count = 0 - count
    made = allocate(count)
    copy(made, block, count + 1)
    for i in range(1, count + 1):
        inner = shape_inside(made, i, shape)
        if inner >= 0:
            M[made + i] = stored_copy(M[made + i], inner)
    return made


def release_blocks(block: int, shape: int) -> None:
    """Gives a block back, and those that it holds."""
    if is_stored(block) == 0:
        return
    for i in range(1, M[block] + 1):
        inner = shape_inside(block, i, shape)
        if inner >= 0:
            release_blocks(M[block + i], inner)
    release(block)


def shape_inside(block: int, i: int, shape: int) -> int:
    """The shape of the block whose address is the i-th item of another; -1 if that item is no address."""
    form = shape & SHAPE_MASK
    if form == SHAPE_LIST or (form == SHAPE_MAP and i % 2 == 0):
        return shape >> SHAPE_BITS
    if form == SHAPE_TEXT and i > 1 and M[block + 1] > 0:
        if ((M[TEXT_LISTS + M[block + 1]] >> (i - 2)) & 1) != 0:
            return SHAPE_FLAT
        if ((M[TEXT_TEXTS + M[block + 1]] >> (i - 2)) & 1) != 0:
            return SHAPE_TEXT
    return -1


def same_blocks(first: int, second: int, shape: int) -> int:
    """Whether two blocks hold the same, and the blocks in them do; whose a trait was when it was named does not count."""
    if first == second:
        return 1
    if first == 0 or second == 0:
        return 0
    if M[first] != M[second]:
        return 0
    for i in range(1, M[first] + 1):
        inner = shape_inside(first, i, shape)
        if inner >= 0:
            if same_blocks(M[first + i], M[second + i], inner) == 0:
                return 0
        elif M[first + i] != M[second + i] and not ((shape & SHAPE_MASK) == SHAPE_TRAIT and i == 2):
            return 0
    return 1


def same_members(first: int, second: int, shape: int) -> int:
    """Whether two sets hold the same, in whatever order."""
    if M[first] != M[second]:
        return 0
    for i in range(1, M[first] + 1):
        inner = shape_inside(first, i, shape)
        j = M[second]
        while j > 0 and same_items(M[first + i], M[second + j], inner) == 0:
            j -= 1
        if j == 0:
            return 0
    return 1


def same_map(first: int, second: int, shape: int) -> int:
    """Whether two maps bring the same for each key: lists of keys and values in turn."""
    if M[first] != M[second]:
        return 0
    i = 1
    while i < M[first]:
        j = 1
        while j < M[second] and M[second + j] != M[first + i]:
            j += 2
        if j > M[second]:
            return 0
        if same_items(M[first + i + 1], M[second + j + 1], shape_inside(first, i + 1, shape)) == 0:
            return 0
        i += 2
    return 1


def same_items(first: int, second: int, shape: int) -> int:
    """Whether two items are the same: blocks of a shape, or with -1 cells."""
    if shape >= 0:
        return same_blocks(first, second, shape)
    return 1 if first == second else 0


def same_text(first: int, second: int) -> int:
    """Whether two texts have the same words and show the same."""
    return same_blocks(words_of(first), words_of(second), SHAPE_TEXT)


def words_of(text: int) -> int:
    """A text; the title of a thing as the words that it is."""
    if text != 0 and M[text] == 2 and M[text + 1] == TITLE:
        return M[TITLE_TEXTS + M[SORT + M[text + 2]]]
    return text


def store_number(cell: int, number: int) -> None:
    """Keeps a number in a cell that may hold a list, which is then given back."""
    if is_stored(M[cell]) != 0:
        release(M[cell])
    M[cell] = number


def copy_behaviour(cell: int, held: int) -> None:
    """Keeps the behaviour of a field in another: what was handed over is a block, all else a number."""
    if is_stored(held) != 0:
        store_blocks(cell, held, SHAPE_FLAT)
    else:
        store_number(cell, held)


def drop_blocks(at: int, count: int, shape: int) -> None:
    """Gives back the blocks that some cells held."""
    while count > 0:
        release_blocks(M[at], shape)
        at += 1
        count -= 1
