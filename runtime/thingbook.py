"""The fixed part of a program about things: what they are, where they lie, and how they move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import (
        BOX,
        GAME,
        HANDS,
        ITEMS,
        KNOWN,
        LOC,
        MOST,
        OCCUPANTS,
        OWNER,
        PILE_DECK,
        PILE_FACE,
        PILE_LOOSE,
        PILE_MAX,
        PILE_NAME,
        PILE_OWNER,
        PILE_WATCH,
        PLACE_OF_PILE,
        PLACE_ORDER,
        PLAIN_PILES,
        SEAT_BIT,
        SORT,
        SORTS,
        STEPS,
        SUPPLY,
        TITLES,
        TOKENS,
        UP,
        WATCH,
        S,
    )


def sort_of(thing: int | None) -> str | None:
    return None if thing is None else SORT[thing]


def copies_of(sort: Any) -> list[int]:
    if isinstance(sort, int):
        return [sort]
    return SORTS.get(sort, [])


def first_copy(items: Sequence[int], sort: str) -> int | None:
    """The lowest copy of a sort in a container."""
    found: int | None = None
    for t in items:
        if SORT[t] == sort and (found is None or t < found):
            found = t
    return found


def lowest_copies(items: Sequence[int]) -> dict[str, int]:
    """The lowest copy of every sort in a container."""
    found: dict[str, int] = {}
    for t in items:
        sort = SORT[t]
        if sort not in found or t < found[sort]:
            found[sort] = t
    return found


def one_of(sort: Any) -> int:
    """A copy for a test to use: one that lies in the box first, then one in a pile nobody holds."""
    copies = SORTS[sort]
    taken = S[STEPS + 1]
    for free in (True, False):
        for t in copies:
            if t not in taken and (not free or LOC[t] == BOX or PILE_OWNER[LOC[t]] is None):
                taken.add(t)
                return t
    return copies[0]


def some_copies(sort: str, count: int) -> list[int]:
    """So many copies from the box; what a test needs may also come from a pile that belongs to nobody."""
    found = [t for t in SORTS[sort] if LOC[t] == BOX]
    if GAME.asleep and len(found) < count:
        found += [t for t in SORTS[sort] if LOC[t] != BOX and PILE_OWNER[LOC[t]] is None]
    return found[:count]


def prop_sort(thing: int | None) -> Any:
    return None if thing is None else SORT[thing]


def prop_title(thing: Any) -> str:
    return "none" if thing is None else title_of(thing)


prop_name = prop_title


def prop_prose(thing: int | None) -> str:
    return GAME.prose(thing)  # type: ignore[no-any-return]


def title_of(thing: Any) -> str:
    if isinstance(thing, str):
        copies = SORTS.get(thing)
        return TITLES[copies[0]] if copies else thing
    return str(TITLES[thing])


def prop_place(thing: int | None) -> int | None:
    """The place a thing stands on, straight or inside what stands there."""
    for _ in range(64):
        if thing is None:
            return None
        pile = LOC[thing]
        place = PLACE_OF_PILE.get(pile)
        if place is not None:
            return place
        thing = PILE_OWNER[pile]
    return None


def prop_holder(thing: int | None) -> int | None:
    return None if thing is None else PILE_OWNER[LOC[thing]]


def prop_owner(thing: int | None) -> int | None:
    if thing is None:
        return None
    owner = OWNER[thing]
    return owner if owner is not None else PILE_OWNER[LOC[thing]]


def prop_face(thing: int | None) -> Any:
    return GAME.face(thing)


def decider_of(thing: int | None, column: list[Any], team: list[int] | None = None) -> Any:
    """The seat that decides for a thing: its own, else its team."""
    if thing is None:
        return None
    seat = column[thing]
    return team if seat is None else seat


def items_of(pile: int | None) -> list[int]:
    return [] if pile is None else ITEMS[pile]


def content_of(pile: int | None) -> int | None:
    if pile is None:
        return None
    items = ITEMS[pile]
    return items[0] if items else None


def bottom_of(pile: int | None) -> int | None:
    if pile is None:
        return None
    items = ITEMS[pile]
    return items[-1] if items else None


def core_top(pile: int) -> int | None:
    return content_of(pile)


def lies_in(thing: int | None, pile: int | None) -> bool:
    return thing is not None and pile is not None and LOC[thing] == pile


def inside(thing: Any, where: Any) -> bool:
    """Whether a thing stands in a place or area, or lies in something that belongs to a thing."""
    if thing is None or where is None:
        return False
    if isinstance(where, str):
        return in_area(thing, where)
    pile = OCCUPANTS.get(where)
    at = LOC[thing]
    if pile is not None and at == pile:
        return True
    return PILE_OWNER[at] == where and where not in OCCUPANTS


def in_area(thing: int, area: str) -> bool:
    if area in ("area:box", "area:supply"):
        return LOC[thing] == BOX
    place = thing if thing in OCCUPANTS else PLACE_OF_PILE.get(LOC[thing])
    return place is not None and place in PLACE_ORDER


def inside_any(thing: Any, places: Iterable[int]) -> bool:
    return any(inside(thing, place) for place in places)


def is_face(thing: int | None, up: int) -> bool:
    return thing is not None and UP[thing] == up


def room_left(pile: int) -> int:
    most = PILE_MAX[pile]
    if most is None:
        return MOST
    if not isinstance(most, int):
        most = most(PILE_OWNER[pile])
    return int(most) - len(ITEMS[pile])


def core_room(pile: int) -> int:
    return room_left(pile)


def destination(where: Any) -> int | None:
    """The pile a thing goes to: a container, the occupants of a place, or the box."""
    if where is None:
        return None
    if isinstance(where, str):
        return BOX
    return OCCUPANTS.get(where)


def put_in(thing: int | None, pile: int | None, under: bool = False) -> bool:
    """Moves one thing; a full or missing container leaves it where it is."""
    if thing is None or pile is None:
        return False
    old = LOC[thing]
    if old == pile:
        return False
    shows = PLAIN_PILES.get(pile)
    if shows is not None:
        ITEMS[old].remove(thing)
        ITEMS[pile].append(thing)
        LOC[thing] = pile
        if shows:
            UP[thing] = 1
            KNOWN[thing] = -1
    else:
        most = PILE_MAX[pile]
        if most is not None and (len(ITEMS[pile]) >= most if type(most) is int else room_left(pile) < 1):
            return False
        ITEMS[old].remove(thing)
        if under or not PILE_DECK[pile]:
            ITEMS[pile].append(thing)
        else:
            ITEMS[pile].insert(0, thing)
        LOC[thing] = pile
        face = PILE_FACE[pile]
        if face is not None:
            UP[thing] = face
            if face:
                KNOWN[thing] = -1
            elif PILE_OWNER[pile] in SEAT_BIT:
                KNOWN[thing] |= SEAT_BIT[PILE_OWNER[pile]]  # type: ignore[index]
            elif pile in HANDS:
                KNOWN[thing] |= SEAT_BIT.get(HANDS[pile][PILE_OWNER[pile]], 0)
            if not face and PILE_LOOSE[old] and PILE_FACE[old] == 0:
                leave_unseen(thing, old, pile)
        if pile == BOX:
            go_home(thing)
    if WATCH[thing] is not None:
        look_at(thing)
    if PILE_WATCH and (old in PILE_WATCH or pile in PILE_WATCH):
        pile_changed(thing, old, pile)
    return True


def leave_unseen(thing: int, old: int, pile: int) -> None:
    """Whoever saw neither what was taken out of a hand or bag nor where it went no longer knows which is which there."""
    left = ITEMS[old]
    if not left or len({SORT[t] for t in (thing, *left)}) == 1:
        return
    # Nobody looks into a bag.
    holder = None if PILE_NAME[old].startswith("bag:") else holder_of(old)
    seen = SEAT_BIT.get(holder, 0) | SEAT_BIT.get(holder_of(pile), 0)  # type: ignore[arg-type]
    for t in (thing, *left):
        if not UP[t]:
            KNOWN[t] &= seen


def look_at(thing: int) -> None:
    """Whoever looks at a thing looks again."""
    for look in WATCH[thing] or ():
        look(thing)


def pile_changed(thing: int, old: int, pile: int) -> None:
    """Whoever looks at a container looks again when something left or came."""
    for at in (old, pile):
        for look in PILE_WATCH.get(at, ()):
            look(thing)


def go_home(thing: int) -> None:
    """What is put back into the box returns its tokens."""
    for token, column in TOKENS.items():
        if column[thing]:
            SUPPLY[token] += column[thing]
            column[thing] = 0


def no_cycle(thing: int) -> None:
    """Nothing may come to lie inside itself."""
    at: int | None = thing
    for _ in range(64):
        if at is None:
            return
        pile = LOC[at]
        at = PLACE_OF_PILE.get(pile, PILE_OWNER[pile])
        if at == thing:
            raise Fault("R5", f"{title_of(thing)} would lie inside itself")


def put_all(things: Iterable[int], pile: int | None, under: bool = False) -> None:
    for thing in list(things):
        put_in(thing, pile, under)


def move_count(count: int, source: int, pile: int | None) -> None:
    for thing in ITEMS[source][: max(0, count)]:
        put_in(thing, pile)


def holder_of(pile: int) -> Any:
    """The seat that sees what lies in a container of its own, or in the hand of a thing it decides for."""
    owner = PILE_OWNER[pile]
    return HANDS[pile][owner] if pile in HANDS else owner


def exchange(a: int | None, b: int | None) -> bool:
    if a is None or b is None:
        return False
    first, second = LOC[a], LOC[b]
    i, j = ITEMS[first].index(a), ITEMS[second].index(b)
    ITEMS[first][i], ITEMS[second][j] = ITEMS[second][j], ITEMS[first][i]
    LOC[a], LOC[b] = second, first
    for thing, old in ((a, first), (b, second)):
        face = PILE_FACE[LOC[thing]]
        if face is not None:
            UP[thing] = face
            if face:
                KNOWN[thing] = -1
            else:
                KNOWN[thing] |= SEAT_BIT.get(holder_of(LOC[thing]), 0)
                if PILE_LOOSE[old] and PILE_FACE[old] == 0:
                    leave_unseen(thing, old, LOC[thing])
        watch = WATCH[thing]
        if watch is not None:
            for look in watch:
                look(thing)
    pile_changed(a, first, second)
    return True


def can_move(thing: int | None, pile: int | None) -> bool:
    return thing is not None and pile is not None and LOC[thing] != pile and room_left(pile) > 0
