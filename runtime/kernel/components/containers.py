"""Where things lie: every place and container holds a doubly linked list of things.

A location is a number: 1 to THINGS for the things that others can stand on, then the containers. The first of a list is
the top: what is put into a pile or deck comes first, into other containers last; what stands on a thing is kept in order
of declaration.
"""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import seldom
from talewright.runtime.kernel.components.traits import lose_traits
from talewright.runtime.kernel.memory import (
    ARMED_BY_MOVE,
    BOX,
    CAPACITY,
    CLOSED,
    COUNT,
    COUNTING,
    DIRTY,
    FACE,
    FIRST,
    FIRST_MADE,
    FORM,
    FORM_BAG,
    FORM_DECK,
    FORM_HAND,
    GRID,
    HOLDER_SEAT,
    KIND_LIES,
    KNOWN,
    LAST,
    LIES,
    LIES_DOWN,
    LIES_UP,
    MAP,
    MAP_CELLS,
    NEXT,
    ON_TABLE,
    OWNER_OF,
    OWNS,
    PIECE_AT,
    PREVIOUS,
    SEAT_BIT,
    SORT,
    STAND_BASE,
    TABLE_WATCHED,
    THINGS,
    TOKEN_CELL,
    TOKEN_SUPPLY,
    TOKENS,
    UNLIMITED,
    WHERE,
    WIDTH,
    M,
    armed_by_move,
    can_stand,
    capacity_of,
    cells,
    fault,
    is_ground,
    is_piece,
    lay_piece,
    stand,
)
from talewright.runtime.kernel.play.tally import count_came

R5 = 5


def unlink(thing: int) -> None:
    """Takes a thing out of the list it stands in."""
    if M[WHERE + thing] != 0:
        close_gap(thing, M[WHERE + thing])
    M[NEXT + thing] = 0
    M[PREVIOUS + thing] = 0
    M[WHERE + thing] = 0


def close_gap(thing: int, where: int) -> None:
    """Joins what stands before and behind a thing that leaves a list."""
    before = M[PREVIOUS + thing]
    after = M[NEXT + thing]
    M[NEXT + (before if before != 0 else FIRST - NEXT + where)] = after
    M[PREVIOUS + (after if after != 0 else LAST - PREVIOUS + where)] = before
    M[COUNT + where] -= 1


def link_after(thing: int, where: int, before: int) -> None:
    """Puts a thing behind another one of a list, or first if that is none."""
    ahead = NEXT + (before if before != 0 else FIRST - NEXT + where)
    after = M[ahead]
    M[ahead] = thing
    M[PREVIOUS + (after if after != 0 else LAST - PREVIOUS + where)] = thing
    M[NEXT + thing] = after
    M[PREVIOUS + thing] = before
    M[COUNT + where] += 1
    M[WHERE + thing] = where


def room(where: int) -> int:
    """How many more things fit."""
    most = M[CAPACITY + where]
    if most == UNLIMITED:
        return 1000000000
    if most < 0:
        most = capacity_of(where)
    return most - M[COUNT + where]


def can_move(thing: int, where: int) -> int:
    """Whether a thing can be moved somewhere: it is not there, and there is room."""
    if thing == 0 or where == 0:
        return 0
    if GRID != 0 and is_ground(where) != 0:
        return can_stand(thing, where)
    if M[WHERE + thing] == where:
        return 0
    return room(where) > 0


def put_in(thing: int, where: int, under: int) -> int:
    """Moves one thing; what is full or missing leaves it where it is."""
    old = M[WHERE + thing]
    if old == where:
        return 0
    # Most things have nothing inside of them, and most containers have room.
    if GRID != 0 or M[FIRST + thing] != 0 or M[OWNS + thing] != 0 or M[COUNT + where] >= M[CAPACITY + where]:
        return put_if_possible(thing, where, under)
    move(thing, old, where, under)
    return 1


@seldom
def put_if_possible(thing: int, where: int, under: int) -> int:
    """As `put_in`, where a move may be impossible, or more than a move."""
    if thing == 0 or where == 0:
        return 0
    if GRID != 0:
        if is_ground(where) != 0:
            return stand(thing, where)
        if where == GRID and is_piece(thing) != 0 and M[PIECE_AT + thing] == 0:
            return lay_piece(thing)
    old = M[WHERE + thing]
    if old == where or room(where) < 1:
        return 0
    if (where == thing or M[FIRST + thing] != 0 or M[OWNS + thing] != 0) and is_inside_thing(where, thing):
        fault(R5)
    if GRID != 0 and where != GRID:
        M[STAND_BASE + thing] = 0
    move(thing, old, where, under)
    return 1


def move(thing: int, old: int, where: int, under: int) -> None:
    """Takes a thing out of its list and puts it where it belongs in another one."""
    if old != 0:
        close_gap(thing, old)
    before = M[LAST + where]
    if where <= THINGS:
        while before > thing:
            before = M[PREVIOUS + before]
    elif under == 0 and M[FORM + where] <= FORM_DECK:
        before = 0
    link_after(thing, where, before)
    arrive(thing, old, where)


def is_inside_thing(where: int, thing: int) -> int:
    """Whether a location is a thing, belongs to it, or lies inside of it."""
    while where != 0:
        owner = where
        if where > THINGS:
            owner = M[OWNER_OF + where]
        if owner == thing:
            return 1
        if owner == 0:
            return 0
        where = M[WHERE + owner]
    return 0


def arrive(thing: int, old: int, where: int) -> None:
    """What follows from a move: the face, who knows it, tokens that go home, rules that look again."""
    if COUNTING != 0 and M[CLOSED + old] > M[CLOSED + where]:
        count_came(thing)
    if TABLE_WATCHED != 0:
        M[DIRTY] = 1
    lies = M[LIES + where]
    if where <= THINGS and (old == 0 or old > THINGS):
        lies = M[KIND_LIES + thing]
    if lies == LIES_UP:
        M[FACE + thing] = 1
        M[KNOWN + thing] = -1
    elif lies == LIES_DOWN:
        M[FACE + thing] = 0
        seer = seat_bit(holder(where))
        M[KNOWN + thing] |= seer
        if is_loose(old) and M[LIES + old] == LIES_DOWN:
            leave_unseen(thing, old, where)
    if where == BOX and (TOKENS > 0 or FIRST_MADE <= THINGS):
        put_away(thing)
    if M[ARMED_BY_MOVE + thing] != 0:
        armed_by_move(thing)


@seldom
def put_away(thing: int) -> None:
    """What lies in the box holds no tokens; if it was made in play, it is gone for good."""
    return_tokens(thing)
    if thing >= FIRST_MADE:
        vanish(thing)


def vanish(thing: int) -> None:
    """A thing that was made in play is gone for good once it lies in the box."""
    unlink(thing)
    lose_traits(thing, 0)
    M[SORT + thing] = 0


def is_loose(where: int) -> int:
    """Whether only its holder sees which thing is taken out of a container."""
    return M[FORM + where] == FORM_HAND or M[FORM + where] == FORM_BAG


def holder(where: int) -> int:
    """The seat that sees what lies in a container: its owner, or whoever decides for its owner."""
    cell = M[HOLDER_SEAT + where]
    if cell == 0:
        return M[OWNER_OF + where]
    return M[cell]


def seat_bit(thing: int) -> int:
    """The bit of a seat in the column of who knows a thing; 0 for all other things."""
    return M[SEAT_BIT + thing]


@seldom
def leave_unseen(thing: int, old: int, where: int) -> None:
    """Whoever saw neither what was taken out nor where it went no longer knows which is which."""
    other = M[FIRST + old]
    while other != 0:
        if M[SORT + other] != M[SORT + thing]:
            break
        other = M[NEXT + other]
    if other == 0:
        return
    seen = seat_bit(holder(where))
    if M[FORM + old] != FORM_BAG:
        seen |= seat_bit(holder(old))
    forget(thing, seen)
    other = M[FIRST + old]
    while other != 0:
        forget(other, seen)
        other = M[NEXT + other]


def forget(thing: int, seen: int) -> None:
    """Only these seats still know a thing that lies face down."""
    if M[FACE + thing] == 0:
        M[KNOWN + thing] &= seen


def return_tokens(thing: int) -> None:
    """What is put into the box gives its tokens back."""
    token = 0
    while token < TOKENS:
        cell = M[TOKEN_CELL + token * WIDTH + thing]
        if cell != 0:
            M[TOKEN_SUPPLY + token] += M[cell]
            M[cell] = 0
        token += 1


def exchange(first: int, second: int) -> int:
    """Two things change places, whatever room there is."""
    if first == 0 or second == 0:
        return 0
    here = M[WHERE + first]
    there = M[WHERE + second]
    before_first = M[PREVIOUS + first]
    before_second = M[PREVIOUS + second]
    if before_second == first:
        unlink(first)
        link_after(first, there, second)
    elif before_first == second:
        unlink(second)
        link_after(second, here, first)
    else:
        unlink(first)
        unlink(second)
        link_after(second, here, before_first)
        link_after(first, there, before_second)
    arrive(first, here, there)
    arrive(second, there, here)
    return 1


def move_count(count: int, source: int, where: int) -> None:
    """Moves so many things from the top of a container."""
    thing = M[FIRST + source]
    while count > 0 and thing != 0:
        following = M[NEXT + thing]
        put_in(thing, where, 0)
        thing = following
        count -= 1


def put_list(things: int, where: int, under: int) -> None:
    """Moves every thing of a list."""
    end = things + M[things]
    while things < end:
        things += 1
        put_in(M[things], where, under)


def place_of(thing: int) -> int:
    """The place a thing stands on, straight or inside what stands there."""
    where = M[WHERE + thing]
    if where <= THINGS:
        return where
    return place_around(where)


def place_around(where: int) -> int:
    """The place that a container belongs to: its owner stands there, or lies inside of what does."""
    steps = 0
    while where > THINGS and steps < 64:
        where = M[WHERE + M[OWNER_OF + where]]
        steps += 1
    if where > THINGS:
        return 0
    return where


def holder_of(thing: int) -> int:
    """What a thing lies in, as a thing: the place, or the owner of the container."""
    where = M[WHERE + thing]
    if where <= THINGS:
        return where
    return M[OWNER_OF + where]


def is_inside(thing: int, where: int) -> int:
    """Whether a thing stands on another one, or lies in something that belongs to it."""
    if thing == 0 or where == 0:
        return 0
    at = M[WHERE + thing]
    if at == where:
        return 1
    if M[ON_TABLE + where] != 0:
        return 0
    if M[M[MAP] + MAP_CELLS + where] != 0:
        return (cells(thing) & M[M[MAP] + MAP_CELLS + where]) != 0
    if at <= THINGS:
        return 0
    return M[OWNER_OF + at] == where
