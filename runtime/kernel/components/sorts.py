"""Copies of a sort."""

from __future__ import annotations

from talewright.runtime.kernel.memory import ASLEEP, BOX, OWNER_OF, SORT, TAKEN, THINGS, WHERE, M
from talewright.runtime.kernel.storage.lists import clear, new_list, push


def copies_of(sort: int) -> int:
    """All copies of a sort, as a list."""
    made = new_list()
    for thing in range(1, THINGS + 1):
        if M[SORT + thing] == sort:
            push(made, thing)
    return made


def copies_in_box(sort: int, count: int) -> int:
    """So many copies from the box, as a list; what a test needs may also come from a container that belongs to nobody."""
    made = new_list()
    thing = 1
    while thing <= THINGS and M[made] < count:
        if M[SORT + thing] == sort and M[WHERE + thing] == BOX:
            push(made, thing)
        thing += 1
    if M[ASLEEP] != 0:
        thing = 1
        while thing <= THINGS and M[made] < count:
            if M[SORT + thing] == sort and M[WHERE + thing] != BOX and is_nobodys(M[WHERE + thing]) != 0:
                push(made, thing)
            thing += 1
    return made


def is_nobodys(where: int) -> int:
    """Whether a location is a container that belongs to nobody."""
    return where > THINGS and M[OWNER_OF + where] == 0


def one_copy(sort: int) -> int:
    """A copy for a test to use that it has not used yet: one that nobody holds, else any; the first if all are used."""
    first = 0
    held = 0
    for thing in range(1, THINGS + 1):
        if M[SORT + thing] == sort:
            if first == 0:
                first = thing
            if M[TAKEN + thing] == 0:
                where = M[WHERE + thing]
                if where == 0 or is_nobodys(where) != 0:
                    M[TAKEN + thing] = 1
                    return thing
                if held == 0:
                    held = thing
    if held != 0:
        M[TAKEN + held] = 1
        return held
    return first


def forget_taken() -> None:
    """The next test may use every copy again."""
    clear(TAKEN, THINGS + 1)
