"""What a way of walking says of squares and steps.

A way of walking is 0 (any step), the number of a function in the table that says whether a step is open, or the address of
the block of a movement: for `blocked by`, `halts at`, `trades with` and `costs at` a form (nothing, things, square by square)
and a function. What a movement says of things is kept in a cell of flags for each square.
"""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import call_table
from talewright.runtime.kernel.maps.squares import base_size, square_under
from talewright.runtime.kernel.memory import (
    BLOCKS,
    FIRST_SQUARE,
    OPEN_WAY,
    SQUARE_COUNT,
    STACK_TOP,
    STAND_AT,
    STAND_BASE,
    M,
)
from talewright.runtime.kernel.storage.lists import zeroed

# What is known of a square while ways are looked for, as bits.
OCCUPIED = 1
OWN = 2
BARRED = 4
SWAPS = 8
TRADED = 16
HELD = 32
# The parts of a movement.
BLOCKED_BY = 0
HALTS_AT = 2
TRADES_WITH = 4
COSTS_AT = 6
BY_THINGS = 1
BY_SQUARE = 2


def flag_things(flags: int, way: int, part: int, mover: int, flag: int) -> None:
    """Notes the squares under the things that a part of a movement is about."""
    if M[way + part] != BY_THINGS:
        return
    top = M[STACK_TOP]
    things = call_table(M[way + part + 1], mover)
    for i in range(1, M[things] + 1):
        thing = M[things + i]
        if thing != mover and M[STAND_BASE + thing] != 0:
            flag_under(flags, thing, flag)
    M[STACK_TOP] = top


def flag_under(flags: int, thing: int, flag: int) -> None:
    """Notes the squares under a thing."""
    base = M[STAND_BASE + thing]
    for i in range(base_size(base)):
        square = square_under(base, M[STAND_AT + thing], i)
        if square != 0:
            M[flags + square - FIRST_SQUARE] |= flag


def asked(way: int, part: int, mover: int, square: int) -> int:
    """What a part of a movement says of a square."""
    top = M[STACK_TOP]
    found = call_table(M[way + part + 1], mover, square)
    M[STACK_TOP] = top
    return found


def is_about(flags: int, way: int, part: int, flag: int, mover: int, square: int) -> int:
    """Whether a part of a movement is about a square."""
    if M[way + part] == BY_SQUARE:
        return asked(way, part, mover, square) == 1
    return (M[flags + square - FIRST_SQUARE] & flag) != 0


def price_of(way: int, mover: int, square: int) -> int:
    """What entering a square costs; never less than one."""
    if way < BLOCKS or M[way + COSTS_AT] != BY_SQUARE:
        return 1
    price = asked(way, COSTS_AT, mover, square)
    if price < 1:
        return 1
    if price > 16000:
        return 16000
    return price


def step_is_modified_open(here: int, there: int) -> int:
    """Whether rules that modify `open` leave a step open."""
    if OPEN_WAY == 0:
        return 1
    top = M[STACK_TOP]
    found = call_table(OPEN_WAY, here, there) == 1
    M[STACK_TOP] = top
    return found


def step_leads(mover: int, way: int, here: int, there: int) -> int:
    """Whether a way of walking opens a step."""
    if way > 0 and way < BLOCKS:
        top = M[STACK_TOP]
        found = call_table(way, mover, here, there) == 1
        M[STACK_TOP] = top
        return found
    return step_is_modified_open(here, there)


def is_closed(flags: int, way: int, mover: int, square: int) -> int:
    """Whether a movement leads no way over a square."""
    if is_about(flags, way, BLOCKED_BY, BARRED, mover, square) == 0:
        return 0
    return is_about(flags, way, TRADES_WITH, TRADED, mover, square) == 0


def movement_flags(mover: int, way: int) -> int:
    """What a movement says of squares, on top of the stack; nothing for other ways of walking."""
    if way < BLOCKS:
        return 0
    flags = zeroed(M[SQUARE_COUNT])
    flag_things(flags, way, BLOCKED_BY, mover, BARRED)
    flag_things(flags, way, TRADES_WITH, mover, TRADED)
    return flags
