"""Stored lists: blocks of the heap, `[capacity, n, item 1, ...]`, known by the address of n.

Free blocks of one size are linked behind `FREE_BLOCKS + size class`.
"""

from __future__ import annotations

from talewright.runtime.kernel.memory import HEAP, HEAP_END, HEAP_TOP, M, copy, fault

# The first cells of the heap are the heads of the lists of free blocks, one for each power of two.
SIZE_CLASSES = 20
R14 = 14


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
        fault(R14, 0)
    block = M[HEAP + found]
    if block != 0:
        M[HEAP + found] = M[block]
    else:
        block = M[HEAP_TOP]
        if block + (1 << found) > HEAP_END:
            fault(R14, 0)
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


def store_list(cell: int, things: int) -> None:
    """Keeps a copy of a list in a cell; what the cell held is given back."""
    old = M[cell]
    if old == things:
        return
    count = M[things]
    if count < 0:
        count = 0 - count
    if is_stored(old) != 0:
        if count + 2 <= (1 << M[old - 1]) and M[old - 1] <= size_class(count + 2) + 2:
            copy(old, things, count + 1)
            return
        release(old)
    block = allocate(count)
    copy(block, things, count + 1)
    M[cell] = block


def store_number(cell: int, number: int) -> None:
    """Keeps a number in a cell that may hold a list, which is then given back."""
    if is_stored(M[cell]) != 0:
        release(M[cell])
    M[cell] = number


def drop_lists(at: int, count: int) -> None:
    """Gives back the lists that some cells held."""
    while count > 0:
        if is_stored(M[at]) != 0:
            release(M[at])
        at += 1
        count -= 1
