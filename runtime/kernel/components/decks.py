"""Decks and bags, faces, and who knows them."""

from __future__ import annotations

from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.ir.intrinsics import seldom
from talewright.runtime.kernel.components.chance import rand
from talewright.runtime.kernel.components.containers import (
    link_after,
    move_count,
    put_in,
    put_list,
    seat_bit,
    unlink,
)
from talewright.runtime.kernel.components.rigs import next_rig, rigged_first
from talewright.runtime.kernel.memory import (
    BOX,
    COUNT,
    COUNTING,
    DIRTY,
    FACE,
    FACES,
    FIRST,
    FORM,
    FORM_BAG,
    KNOWN,
    LAST,
    LIES,
    LIES_AS_BEFORE,
    LIMBO,
    NEXT,
    NONE,
    PREVIOUS,
    REFILL,
    RETURNS,
    RIGS,
    SHOWN,
    SORT,
    STACK_END,
    STACK_TOP,
    STREAM_OF,
    THING_DIE,
    WHERE,
    M,
    copy,
    fault,
    turn_die,
    turn_face,
)
from talewright.runtime.kernel.play.tally import count_came_back
from talewright.runtime.kernel.storage.lists import minus, mix, new_list, part, push


def list_items(where: int) -> int:
    """What lies in a container or on a place, as a list on the stack."""
    made = M[STACK_TOP]
    if made + M[COUNT + where] >= STACK_END:
        fault(TOO_MUCH)
    end = made
    thing = M[FIRST + where]
    while thing != 0:
        end += 1
        M[end] = thing
        thing = M[NEXT + thing]
    M[made] = end - made
    M[STACK_TOP] = end + 1
    return made


def relink(where: int, things: int) -> None:
    """Puts the things of a container into the order of a list."""
    count = M[things]
    before = 0
    for i in range(count, 0, -1):
        thing = M[things + i]
        M[WHERE + thing] = where
        M[NEXT + thing] = before
        M[PREVIOUS + thing] = M[things + i - 1]
        before = thing
    M[FIRST + where] = before
    M[PREVIOUS + before] = 0
    M[LAST + where] = 0
    if count > 0:
        M[LAST + where] = M[things + count]
    M[COUNT + where] = count


def shuffle(where: int) -> None:
    """Mixes a container; what was known of what lies face down in it is forgotten."""
    if where == 0:
        return
    top = M[STACK_TOP]
    things = list_items(where)
    mix(things, M[STREAM_OF + where])
    if M[RIGS] != 0:
        rigged_first(where, things)
    relink(where, things)
    forget_faces(things)
    M[STACK_TOP] = top
    M[DIRTY] = 1


def forget_faces(things: int) -> None:
    """Which of some things that lie face down is which nobody can tell any more, unless all are alike."""
    if differ(things) == 0:
        return
    for i in range(M[things], 0, -1):
        if M[FACE + M[things + i]] == 0:
            M[KNOWN + M[things + i]] = 0


def differ(things: int) -> int:
    """Whether a list holds things of more than one sort."""
    for i in range(M[things], 1, -1):
        if M[SORT + M[things + i]] != M[SORT + M[things + 1]]:
            return 1
    return 0


@seldom
def refill(where: int) -> int:
    """Shuffles the pile that a deck takes in; whether a card is there now."""
    source = M[REFILL + where]
    if source == 0:
        return 0
    if M[COUNT + source] == 0:
        return 0
    move_count(M[COUNT + source], source, where)
    shuffle(where)
    return 1


def draw_one(where: int) -> int:
    """The card that is drawn next, still in its container."""
    if M[COUNT + where] == 0 and refill(where) == 0:
        return 0
    if M[FORM + where] != FORM_BAG:
        return M[FIRST + where]
    thing = NONE
    if M[RIGS] != 0:
        thing = next_rig(where)
    if thing != NONE and M[WHERE + thing] == where:
        return thing
    thing = M[FIRST + where]
    for _ in range(rand(M[STREAM_OF + where], M[COUNT + where])):
        thing = M[NEXT + thing]
    return thing


def draw(where: int) -> int:
    """Draws one card, face up, into nobody's hands; back into a container that takes back what is drawn."""
    return draw_card(where, 1)


def draw_card(where: int, comes: int) -> int:
    """As `draw`; `comes` says whether what is taken back at once comes into play."""
    if where == 0:
        return 0
    thing = draw_one(where)
    if thing != 0:
        if M[RETURNS + where] == 0:
            take_out(thing)
        else:
            if COUNTING != 0 and comes != 0:
                count_came_back(thing)
            if M[FORM + where] != FORM_BAG:
                shuffle(where)
    return thing


def draw_many(where: int, count: int) -> int:
    """Draws so many cards; gives a list."""
    made = new_list()
    while count > 0:
        top = M[STACK_TOP]
        thing = draw_card(where, 0)
        M[STACK_TOP] = top
        if thing == 0:
            break
        if M[RETURNS + where] != 0:
            put_in(thing, LIMBO, 0)
        push(made, thing)
        count -= 1
    if where != 0 and M[RETURNS + where] != 0:
        take_back(made, where)
    return made


def take_back(drawn: int, where: int) -> None:
    """What was drawn from a container that takes it back lies there again, shuffled in."""
    put_list(drawn, where, 1)
    if M[FORM + where] != FORM_BAG:
        shuffle(where)


def draw_into(where: int, count: int, into: int, under: int) -> int:
    """Draws so many cards into a container; gives a list of those that went there."""
    made = new_list()
    while count > 0:
        top = M[STACK_TOP]
        thing = draw_one_into(where, into, under)
        M[STACK_TOP] = top
        if thing == 0:
            break
        push(made, thing)
        count -= 1
    return made


def draw_one_into(where: int, into: int, under: int) -> int:
    """Draws one card into a container; gives it, or none."""
    if where == 0:
        return 0
    thing = draw_one(where)
    if thing == 0:
        return 0
    if put_in(thing, into, under) == 0:
        return 0
    return thing


def can_draw(where: int) -> int:
    """Whether there is a card, or one can be shuffled in."""
    if where == 0:
        return 0
    if M[COUNT + where] > 0:
        return 1
    source = M[REFILL + where]
    if source == 0:
        return 0
    return M[COUNT + source] > 0


def put_back(passed: int, where: int) -> None:
    """Cards that `draw until` has passed over go to the pile their deck takes in, else under the deck."""
    if M[REFILL + where] != 0:
        put_list(passed, M[REFILL + where], 0)
    else:
        put_list(passed, where, 1)


def take_some(things: int, count: int) -> int:
    """The first so many of a list, as a list; the list itself loses them."""
    made = part(things, 1, count)
    left = M[things] - M[made]
    copy(things + 1, things + 1 + M[made], left)
    M[things] = left
    return made


def discard(thing: int) -> None:
    """To the pile that the container of a thing reshuffles from, else to the box."""
    if thing == 0:
        return
    home = BOX
    where = M[WHERE + thing]
    if where != 0 and M[REFILL + where] != 0:
        home = M[REFILL + where]
    put_in(thing, home, 0)


def reveal(thing: int) -> None:
    """Turns a thing face up for everybody."""
    if thing != 0:
        M[FACE + thing] = 1
        M[KNOWN + thing] = -1
        M[DIRTY] = 1


def show(thing: int, seat: int) -> None:
    """Lets one seat know a thing."""
    if thing != 0:
        M[KNOWN + thing] |= seat_bit(seat)
        M[SHOWN + thing] |= seat_bit(seat)


def knows(seat: int, thing: int) -> int:
    """Whether a seat knows a thing."""
    if thing == 0:
        return 0
    if M[FACE + thing] != 0:
        return 1
    return (M[KNOWN + thing] & seat_bit(seat)) != 0


def flip(thing: int) -> None:
    """Turns a card over: to its other face if it has several, else up or down."""
    if thing == 0:
        return
    M[DIRTY] = 1
    if M[THING_DIE + thing] != 0:
        turn_die(thing)
        return
    if M[FACES + thing] != 0:
        turn_face(thing)
        return
    M[FACE + thing] = 1 - M[FACE + thing]
    if M[FACE + thing] != 0:
        M[KNOWN + thing] = -1


def fill(where: int, things: int) -> None:
    """For tests: a container holds just these things, the first on top; what lay there goes where they came from."""
    if where == 0:
        return
    top = M[STACK_TOP]
    origins = new_list()
    for i in range(1, M[things] + 1):
        if M[WHERE + M[things + i]] != where:
            push(origins, M[WHERE + M[things + i]])
    displaced = minus(list_items(where), things)
    put_list(displaced, LIMBO, 0)
    put_list(things, where, 1)
    for i in range(1, M[displaced] + 1):
        moved = 0
        if i <= M[origins]:
            moved = put_in(M[displaced + i], M[origins + i], 1)
        if moved == 0:
            put_in(M[displaced + i], BOX, 0)
    M[STACK_TOP] = top


def take_out(thing: int) -> None:
    """Takes a card out of its container, face up, into nobody's hands."""
    put_in(thing, LIMBO, 0)
    M[FACE + thing] = 1
    M[KNOWN + thing] = -1


def put_on_top(thing: int, where: int) -> None:
    """For tests: a thing lies on top of a container, as things lie there; who knows it stays as it is."""
    unlink(thing)
    link_after(thing, where, 0)
    if M[LIES + where] != LIES_AS_BEFORE:
        M[FACE + thing] = M[LIES + where]
