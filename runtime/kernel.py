"""The fixed part of every generated program: moving, drawing, rolling, asking.

This file is run inside the name space of each game, beside the code generated for its document, so that
the names declared below are the game's own lists. Things, piles and seats are small whole numbers.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from talewright.runtime.chance import Chance
from talewright.runtime.dicepool import Die, Pool
from talewright.runtime.faults import Fault

# What the loader puts here: the state of one game, as plain lists.
S: list[Any]
ITEMS: list[list[int]]
LOC: list[int]
UP: list[int]
KNOWN: list[int]
SORT: list[str]
THINGS: list[Any]
TITLES: list[str]
OWNER: list[int | None]
PILE_MAX: list[Any]
PILE_FACE: list[int | None]
PILE_DECK: list[bool]
PILE_OWNER: list[int | None]
PILE_SOURCE: list[int | None]
PILE_NAME: list[str]
PILE_RETURNS: list[bool]
OCCUPANTS: dict[int, int]
PLACE_OF_PILE: dict[int, int]
STANDS_ON: list[int | None]
PLAIN_PILES: dict[int, bool]
PILE_WATCH: dict[int, list[Callable[[int], None]]]
SORTS: dict[str, list[int]]
TOKENS: dict[str, list[int]]
SUPPLY: dict[str, int]
TOKEN_MAX: dict[str, dict[str, Any]]
KIND_OF: list[str]
WATCH: list[Any]
POINTS: list[Any]
COUNTS: list[int]
FRAMES: list[list[Any]]
PENDING: list[Any]
SEAT_BIT: dict[int, int]
CHANCE: Chance
GAME: Any
QUICK: Callable[[int], int]
LOG: list[tuple[str, int]]
CHECK: int
CHAPTER: int
ENDED: int
STEPS: int
BOX: int
LIMIT: int
GROUPS: list[Any]
PLACE_ORDER: dict[int, int]
RINGS: list[list[int]]
ANYTHING: Any
DICE: dict[int, Any]
roll_thing: Callable[[int, Any], Any]

MOST = 10**15


class StopAction(BaseException):
    """Leaves every call up to the frame it names."""

    def __init__(self, index: int) -> None:
        self.index = index


class GoTo(BaseException):
    """Leaves everything for another chapter or an ending."""

    def __init__(self, target: int) -> None:
        self.target = target


class GameOver(BaseException):
    """The game has ended."""


class Anew(BaseException):
    """Something was done in the middle of a decision, which must be worked out again."""


class Halt(BaseException):
    """A test has seen enough of a call."""


# ------------------------------------------------------------------ numbers and comparisons
def times(a: Any, b: Any) -> int:
    n = a * b
    if -MOST < n < MOST:
        return int(n)
    raise Fault("R14", "a number grew beyond all bounds")


def compare_lt(a: Any, b: Any) -> bool:
    return a is not None and b is not None and a < b


def compare_le(a: Any, b: Any) -> bool:
    return a is not None and b is not None and a <= b


def compare_gt(a: Any, b: Any) -> bool:
    return a is not None and b is not None and a > b


def compare_ge(a: Any, b: Any) -> bool:
    return a is not None and b is not None and a >= b


def between(n: Any, low: int, high: int) -> bool:
    return n is not None and low <= n <= high


def span(low: int, high: int) -> range:
    if high - low > LIMIT:
        raise Fault("R14", "a range has no bounds")
    return range(low, high + 1)


# ------------------------------------------------------------------ sets
def union(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [*a, *[x for x in b if x not in a]]


def minus(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [x for x in a if x not in b]


def members(what: Any) -> list[Any]:
    """A set of what may be one thing, none, or a set already."""
    if what is None:
        return []
    return [what] if type(what) is int else list(what)


def without(items: Any, gone: Iterable[Any]) -> Any:
    """A list or pool with the first of each of these taken out."""
    left = list(items)
    for item in gone:
        if item in left:
            left.remove(item)
    return Pool(left) if isinstance(items, Pool) else left


def no_nones(items: Iterable[Any]) -> list[Any]:
    return [x for x in items if x is not None]


def first_of(items: Sequence[Any]) -> Any:
    return items[0] if items else None


def last_of(items: Sequence[Any]) -> Any:
    return items[-1] if items else None


def field_of(column: list[Any], thing: int | None) -> Any:
    return None if thing is None else column[thing]


def nth(items: Sequence[Any], n: int) -> Any:
    if 1 <= n <= len(items):
        return items[n - 1]
    raise Fault("R4", f"there is no entry {n} among {len(items)}")


def slice_of(items: Sequence[Any], low: int, high: int) -> list[Any]:
    return list(items[max(0, low - 1) : max(0, high)])


def look_up(table: Any, key: Any) -> Any:
    return None if table is None else table.get(key)


def best(items: Sequence[Any], keys: tuple[tuple[str, Callable[[Any], Any]], ...]) -> list[Any]:
    left = list(items)
    for direction, key in keys:
        if len(left) < 2:
            return left
        rated = [(v, x) for x in left if (v := key(x)) is not None]
        if not rated:
            return []
        top = (max if direction == "highest" else min)(v for v, _ in rated)
        left = [x for v, x in rated if v == top]
    return left


def in_order(items: Sequence[Any], keys: tuple[tuple[str, Any], ...]) -> list[Any]:
    left = list(items)
    for direction, key in reversed(keys):
        if direction == "random":
            shuffle_list(left, "random:order")
        else:
            left.sort(key=key, reverse=direction == "highest")
    return left


def rotate(items: Sequence[int], start: Any, first: bool) -> list[int]:
    """The items in ring order from `start` on; it stands first, or last when it is only followed."""
    for ring in RINGS:
        if start in ring:
            at = ring.index(start)
            order = ring[at:] + ring[:at] if first else ring[at + 1 :] + ring[: at + 1]
            return [x for x in order if x in items]
    if start in items:
        at = items.index(start)
        every = list(items)
        return every[at:] + every[:at] if first else every[at + 1 :] + every[: at + 1]
    return list(items)


def rotated(kept: dict[Any, list[int]], items: Sequence[int], start: Any, first: bool) -> list[int]:
    """The same for a set that never changes: every start is worked out once."""
    found = kept.get(start)
    if found is None:
        found = kept[start] = rotate(items, start, first)
    return found


def includes(have: Sequence[int], want: Sequence[Any]) -> bool:
    """Whether a set holds every thing or sort wanted, each copy counted once."""
    if len(have) < len(want):
        return False
    left = list(have)
    for item in want:
        if isinstance(item, str):
            for x in left:
                if (SORT[x] if isinstance(x, int) else x) == item:
                    left.remove(x)
                    break
            else:
                return False
        elif item in left:
            left.remove(item)
        else:
            return False
    return True


def includes_sorts(have: Sequence[int], want: Sequence[str]) -> bool:
    """The same for things of a container and sorts."""
    if len(have) < len(want):
        return False
    left = [SORT[x] for x in have]
    for sort in want:
        if sort not in left:
            return False
        left.remove(sort)
    return True


def distinct_of(items: Iterable[Any]) -> list[Any]:
    return list(dict.fromkeys(items))


core_distinct = distinct_of


def core_pairs(a: Iterable[Any], b: Iterable[Any]) -> list[Any]:
    return list(zip(a, b, strict=False))


# ------------------------------------------------------------------ things
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


# ------------------------------------------------------------------ moving
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
        if pile == BOX:
            go_home(thing)
    if WATCH[thing] is not None:
        look_at(thing)
    if PILE_WATCH and (old in PILE_WATCH or pile in PILE_WATCH):
        pile_changed(thing, old, pile)
    return True


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


def exchange(a: int | None, b: int | None) -> bool:
    if a is None or b is None:
        return False
    first, second = LOC[a], LOC[b]
    i, j = ITEMS[first].index(a), ITEMS[second].index(b)
    ITEMS[first][i], ITEMS[second][j] = b, a
    LOC[a], LOC[b] = second, first
    for thing in (a, b):
        face = PILE_FACE[LOC[thing]]
        if face is not None:
            UP[thing] = face
            if face:
                KNOWN[thing] = -1
        watch = WATCH[thing]
        if watch is not None:
            for look in watch:
                look(thing)
    pile_changed(a, first, second)
    return True


def can_move(thing: int | None, pile: int | None) -> bool:
    return thing is not None and pile is not None and LOC[thing] != pile and room_left(pile) > 0


# ------------------------------------------------------------------ decks
def shuffle_list(items: list[Any], stream: str) -> None:
    CHANCE.mix(stream, items)


def shuffle(pile: int) -> None:
    items = ITEMS[pile]
    CHANCE.mix(PILE_NAME[pile], items)
    # Nothing is forgotten where there is nothing to mix up.
    if items and (SORT[items[0]] != SORT[items[-1]] or len(set(map(SORT.__getitem__, items))) > 1):
        for t in items:
            if not UP[t]:
                KNOWN[t] = 0
    if GAME.rigs and (rig := GAME.rigs.get(pile)):
        for t in reversed(rig):
            if LOC[t] == pile:
                items.remove(t)
                items.insert(0, t)


def core_shuffled(items: Iterable[Any]) -> list[Any]:
    mixed = list(items)
    shuffle_list(mixed, "random:shuffled")
    return mixed


def refill(pile: int) -> bool:
    """Shuffles the pile's source into it; whether a card is there now."""
    source = PILE_SOURCE[pile]
    if source is None or not ITEMS[source]:
        return False
    for t in list(ITEMS[source]):
        put_in(t, pile)
    shuffle(pile)
    return True


def refill_plainly(pile: int) -> bool:
    """The same in one go, for things that nobody looks at and a container that takes them all."""
    source: list[int] = ITEMS[PILE_SOURCE[pile]]  # type: ignore[index]
    if not source:
        return False
    face = PILE_FACE[pile]
    for t in source:
        LOC[t] = pile
        UP[t] = face  # type: ignore[assignment]
        if face:
            KNOWN[t] = -1
    ITEMS[pile].extend(reversed(source) if PILE_DECK[pile] else source)
    source.clear()
    shuffle(pile)
    return True


def draw_one(pile: int) -> int | None:
    """The top card, still in its pile: whoever draws it moves it on."""
    items = ITEMS[pile]
    if not items and not refill(pile):
        return None
    name = PILE_NAME[pile]
    if name.startswith("bag:"):
        return items[pick_index(name, len(items), items) if GAME.rigs else CHANCE.below(name, len(items))]
    return items[0]


def pick_index(stream: str, count: int, items: Sequence[Any]) -> int:
    rig = GAME.rigs.get(stream)
    if rig:
        wanted = rig.pop(0)
        if wanted in items:
            return items.index(wanted)
    return CHANCE.below(stream, count)


def draw(pile: int) -> int | None:
    """Draws one card out of its pile into nobody's hands."""
    thing = draw_one(pile)
    if thing is not None:
        out_of_pile(thing, pile)
    return thing


def draw_plainly(pile: int) -> int | None:
    """The same in one go, for a program that tells nobody what is drawn."""
    items = ITEMS[pile]
    if not items and not refill(pile):
        return None
    index = 0
    name = PILE_NAME[pile]
    if name.startswith("bag:"):
        index = pick_index(name, len(items), items) if GAME.rigs else CHANCE.below(name, len(items))
    thing = items[index]
    if PILE_RETURNS[pile]:
        return thing
    if WATCH[thing] is not None or pile in PILE_WATCH or LIMBO in PILE_WATCH:
        out_of_pile(thing, pile)
        return thing
    del items[index]
    ITEMS[LIMBO].append(thing)
    LOC[thing] = LIMBO
    UP[thing] = 1
    KNOWN[thing] = -1
    return thing


def out_of_pile(thing: int, pile: int) -> None:
    if PILE_RETURNS[pile]:
        return
    put_in(thing, LIMBO)
    UP[thing] = 1
    KNOWN[thing] = -1


LIMBO: int


def draw_many(pile: int, count: int) -> list[int]:
    drawn: list[int] = []
    for _ in range(max(0, count)):
        thing = draw(pile)
        if thing is None:
            break
        drawn.append(thing)
    return drawn


def draw_into(pile: int, count: int, into: int | None, under: bool = False) -> list[int]:
    drawn: list[int] = []
    for _ in range(max(0, count)):
        thing = draw_one(pile)
        if thing is None or not put_in(thing, into, under):
            break
        drawn.append(thing)
    return drawn


def draw_one_into(pile: int, into: int | None, under: bool = False) -> int | None:
    drawn = draw_into(pile, 1, into, under)
    return drawn[0] if drawn else None


def draw_until(pile: int, test: Callable[[int], Any]) -> int | None:
    passed: list[int] = []
    refills = 0
    found: int | None = None
    while True:
        if not ITEMS[pile]:
            refills += 1
            if refills > 1 or not refill(pile):
                break
        thing = ITEMS[pile][0]
        put_in(thing, LIMBO)
        UP[thing] = 1
        KNOWN[thing] = -1
        if test(thing):
            found = thing
            break
        passed.append(thing)
    source = PILE_SOURCE[pile]
    for thing in passed:
        put_in(thing, source if source is not None else pile, True)
    return found


def take_some(count: int, source: Any) -> list[int]:
    """The first so many of a pile or list."""
    if isinstance(source, int):
        return draw_many(source, count)
    taken = list(source[: max(0, count)])
    del source[: len(taken)]
    return taken


def random_of(items: Sequence[Any], stream: str) -> Any:
    if not items:
        return None
    if len(items) == 1:
        return items[0]
    rig = GAME.rigs.get("random")
    if rig:
        wanted = rig.pop(0)
        for item in items:
            if item == wanted or (isinstance(wanted, str) and isinstance(item, int) and SORT[item] == wanted):
                return item
        raise Fault("R11", f"`rig random` names {title_of(wanted)}, which is not among those to pick from")
    return items[CHANCE.below(stream, len(items))]


# ------------------------------------------------------------------ faces and knowledge
def reveal(thing: int | None) -> None:
    if thing is not None:
        UP[thing] = 1
        KNOWN[thing] = -1
        watch = WATCH[thing]
        if watch is not None:
            for look in watch:
                look(thing)


def show(thing: int | None, seat: Any) -> None:
    if thing is None:
        return
    for s in seat if isinstance(seat, list) else (seat,):
        KNOWN[thing] |= SEAT_BIT.get(s, 0)


def knows(seat: Any, thing: int | None) -> bool:
    if thing is None:
        return False
    if UP[thing]:
        return True
    if isinstance(seat, list):
        return all(knows(s, thing) for s in seat)
    return bool(KNOWN[thing] & SEAT_BIT.get(seat, 0))


def flip(thing: Any) -> None:
    if isinstance(thing, Die):
        thing.flip()
    elif thing is not None:
        GAME.flip(thing)
        watch = WATCH[thing]
        if watch is not None:
            for look in watch:
                look(thing)


# ------------------------------------------------------------------ tokens
def core_supply(token: Any) -> int:
    if isinstance(token, int):
        return len(ITEMS[token])
    return SUPPLY[token]


def put_token(count: int, token: str, thing: int | None) -> int:
    if thing is None:
        return 0
    moved = max(0, min(count, SUPPLY[token]))
    most = TOKEN_MAX.get(token, {}).get(KIND_OF[thing])
    if most is not None:
        moved = max(0, min(moved, (most if isinstance(most, int) else most(thing)) - TOKENS[token][thing]))
    TOKENS[token][thing] += moved
    SUPPLY[token] -= moved
    if moved:
        token_moved(token)
    return moved


def take_token(count: int, token: str, thing: int | None) -> int:
    if thing is None:
        return 0
    moved = max(0, min(count, TOKENS[token][thing]))
    TOKENS[token][thing] -= moved
    SUPPLY[token] += moved
    if moved:
        token_moved(token)
    return moved


def token_moved(token: str) -> None:
    if CHECK >= 0:
        S[CHECK] = True


def tokens_at(token: str, where: Any) -> int:
    column = TOKENS[token]
    if isinstance(where, str):
        return sum(column[p] for p in PLACE_ORDER)
    return 0 if where is None else column[where]


# ------------------------------------------------------------------ dice
def roll(formula: Any, purpose: Any, roller: Any) -> Any:
    """A roll: the face of a single die without numbers, else a pool."""
    if isinstance(formula, tuple):
        if formula[0] == "die":
            faces = formula[2]
            face = faces[roll_index(formula[1], len(faces), faces, purpose)]
            if isinstance(face, int):
                return Pool([Die(face, purpose, roller, faces, formula[1])])
            return face
        return Pool(list(dice_of(formula, purpose, roller)))
    return roll_thing(formula, purpose) if formula in DICE else formula


def dice_of(formula: Any, purpose: Any, roller: Any) -> Iterable[Die]:
    match formula[0]:
        case "dice":
            faces = range(1, formula[2] + 1)
            for _ in range(formula[1]):
                name = f"d{formula[2]}"
                yield Die(faces[roll_index(name, formula[2], faces, purpose)], purpose, roller, faces, name)
        case "die":
            face = formula[2][roll_index(formula[1], len(formula[2]), formula[2], purpose)]
            yield Die(face, purpose, roller, formula[2], formula[1])
        case "many":
            if formula[1] > 1000:
                raise Fault("R14", "more than a thousand dice in one roll")
            for _ in range(max(0, formula[1])):
                yield from dice_of(formula[2], purpose, roller)
        case "fixed":
            yield Die(formula[1], purpose, roller, (formula[1],), "fixed")


def roll_index(name: str, sides: int, faces: Sequence[Any], purpose: Any) -> int:
    rig = GAME.rigs.get(name)
    if rig:
        wanted = rig.pop(0)
        if wanted in faces:
            return faces.index(wanted)
        raise Fault("R11", f"`rig {name}` asks for a face that the die does not have")
    stream = DIE_STREAMS.get((name, purpose))
    if stream is None:
        stream = DIE_STREAMS[name, purpose] = f"die:{name}:{purpose}"
    return CHANCE.below(stream, sides)


DIE_STREAMS: dict[tuple[str, Any], str] = {}


def pool_total(pool: Any) -> Any:
    return pool.total() if isinstance(pool, Pool) else pool


def pool_dice(pool: Any) -> list[Die]:
    return pool.dice if isinstance(pool, Pool) else list(pool)


def as_pool(dice: Iterable[Die]) -> Pool:
    return Pool(list(dice))


def pool_all_equal(pool: Pool) -> bool:
    return len({d.face for d in pool.dice}) == 1


def die_value(die: Any) -> Any:
    if isinstance(die, Pool):
        return die.total()
    return die.face if isinstance(die, Die) else die


def reroll(dice: Any) -> None:
    for die in [dice] if isinstance(dice, Die) else pool_dice(dice):
        if not die.rerolled:
            die.face = die.faces[roll_index(die.name, len(die.faces), die.faces, die.purpose)]
            die.rerolled = True


# ------------------------------------------------------------------ showing values
def show_value(value: Any, kind: Any) -> str:
    tag = kind[0] if isinstance(kind, tuple) else kind
    if tag == "optional":
        return show_value(value, kind[2][0])
    if value is None:
        return "none"
    if tag == "pile":
        return ", ".join(title_of(t) for t in ITEMS[value]) or "nothing"
    if tag == "thing":
        return title_of(value)
    if tag == "sort":
        return title_of(value)
    if value is True or value is False:
        return "yes" if value else "no"
    if tag == "target":
        return f"{value}+"
    if tag in ("set", "list"):
        return ", ".join(show_value(v, kind[2][0]) for v in value) or "nothing"
    if isinstance(value, Pool):
        return str(value.total())
    if isinstance(value, Die):
        return show_value(value.face, "any")
    return str(value).replace("_", " ") if tag == "words" else str(value)


# ------------------------------------------------------------------ asking
def grouped(options: Sequence[Any], by: Any, group: int) -> list[Any]:
    """One representative of options that are the same as far as the decider knows."""
    columns = GROUPS[group]
    seats = by if isinstance(by, list) else [by]
    seen: dict[Any, Any] = {}
    for t in options:
        if t is None:
            continue
        if UP[t] or all(KNOWN[t] & SEAT_BIT.get(s, 0) for s in seats):
            key: Any = (SORT[t], LOC[t], UP[t], *[c[t] for c in columns])
            try:
                seen.setdefault(key, t)
            except TypeError:
                seen.setdefault(repr(key), t)
        else:
            seen.setdefault(("hidden", LOC[t], GAME.back(t)), []).append(t)
    made: list[Any] = []
    # What lies hidden comes last, by where it lies: its place among the others would tell what it is.
    hidden: list[Any] = []
    for found in seen.values():
        if isinstance(found, list):
            # The lowest copy would tell the decider something: chance picks among what looks alike.
            hidden.append(found[CHANCE.below(f"blind:{PILE_NAME[LOC[found[0]]]}", len(found))])
        else:
            made.append(found)
    if len(hidden) > 1:
        hidden.sort(key=LOC.__getitem__)
    return made + hidden


def by_sort(things: Sequence[int]) -> list[int]:
    """The first of every sort."""
    seen: dict[str, int] = {}
    for t in things:
        if SORT[t] not in seen:
            seen[SORT[t]] = t
    return list(seen.values())


def distinct_dice(dice: Sequence[Any]) -> list[Any]:
    """One of the dice that show the same."""
    return list({(die.face, die.rerolled, die.name): die for die in reversed(dice)}.values())[::-1]


def pick(
    point: int, by: Any, options: Sequence[Any], group: int = -1, optional: bool = False, prompt: Any = None
) -> Any:
    """One of the options, by the seat that decides; none when there is nothing to choose."""
    COUNTS[point] += 1
    if group != -1 and len(options) > 1:
        options = grouped(options, by, group) if group >= 0 else distinct_dice(options)
    if optional:
        if not options:
            return None
        if (quick := GAME.quick) is not None:
            index = quick(len(options) + 1)
            S[STEPS] = 0
            GAME.log.append(("", index))
            return options[index] if index < len(options) else None
        return GAME.ask(point, by, [*options, None], prompt)
    if len(options) < 2:
        return options[0] if options else None
    if (quick := GAME.quick) is not None:
        index = quick(len(options))
        S[STEPS] = 0
        GAME.log.append(("", index))
        return options[index]
    return GAME.ask(point, by, options, prompt)


def pick_many(
    point: int,
    by: Any,
    options: Sequence[Any],
    count: int,
    mode: str,
    again: Any = None,
    group: int = -1,
    prompt: Any = None,
) -> list[Any]:
    """Several of the options, one after another; `again` narrows what remains before every pick."""
    left = list(options)
    chosen: list[Any] = []
    if mode == "exactly" and again is None and len(left) <= count:
        COUNTS[point] += 1
        return left
    least = count if mode == "at least" else 0
    most = len(left) if mode == "at least" else count
    while left and len(chosen) < most:
        offered = again(left) if again is not None else left
        if not offered:
            break
        if mode == "exactly" and len(offered) <= most - len(chosen):
            # There is room for all of these: nothing to decide.
            chosen += offered
            left = [x for x in left if x not in offered]
            continue
        free = (mode == "up to") or (mode == "at least" and len(chosen) >= least)
        item = pick(point, by, offered, group, free, prompt)
        if item is None:
            break
        chosen.append(item)
        left.remove(item)
    return [x for x in options if x in chosen]


def choose_one(
    point: int, by: Any, options: Sequence[Any], prompt: Any = None, optional: bool = False
) -> int:
    """The number of the option taken among (number, label) pairs, or -1."""
    COUNTS[point] += 1
    if not options:
        return -1
    if len(options) == 1 and not optional:
        return int(options[0][0])
    made = GAME.ask_labelled(point, by, options, prompt, optional)
    return int(made)


def may(point: int, by: Any, label: Any) -> bool:
    COUNTS[point] += 1
    if (quick := GAME.quick) is not None:
        index = quick(2)
        S[STEPS] = 0
        GAME.log.append(("", index))
        return bool(index == 0)
    return GAME.ask_yes(point, by, label)  # type: ignore[no-any-return]


def yes() -> bool:
    """The same asked of a quick chooser."""
    index = QUICK(2)
    LOG.append(("", index))
    return index == 0


def agreed(point: int, by: Any, text: Any) -> bool:
    for seat in list(by) if isinstance(by, list) else [by]:
        COUNTS[point] += 1
        if not GAME.ask_yes(point, seat, text):
            return False
    return True


# ------------------------------------------------------------------ frames: stop, during, until, per
def running(verb: str) -> int:
    for index in range(len(FRAMES) - 1, -1, -1):
        if FRAMES[index][0] == verb:
            return index
    return -1


def stop_action(verb: str) -> None:
    index = running(verb)
    if index >= 0:
        raise StopAction(index)


def during(moment: str, *of: Any) -> bool:
    if moment.startswith("period:"):
        return bool(GAME.periods.get(moment[7:]))
    verb = moment[5:]
    return any(f[0] == verb and (not of or f[1] == of[0]) for f in FRAMES)


def leave_frame() -> None:
    """Ends what lasted until the end of the innermost call."""
    frame = FRAMES.pop()
    if frame[2]:
        for undo in frame[2]:
            undo()


def until_end(moment: str, edge: str, install: Callable[[], Callable[[], None]]) -> None:
    undo = install()
    verb = moment[5:] if moment.startswith("verb:") else moment
    if edge == "until end of":
        index = running(verb)
        if index >= 0:
            if FRAMES[index][2] is None:
                FRAMES[index][2] = []
            FRAMES[index][2].append(undo)
            return
    PENDING.append([edge, verb, undo])


def begin_frame(verb: str, first: Any) -> None:
    """Opens a tracked call: pending `until`s that waited for it attach to it or end."""
    cleanup: list[Any] | None = None
    if PENDING:
        for entry in list(PENDING):
            if entry[1] != verb:
                continue
            PENDING.remove(entry)
            if entry[0] == "until start of next":
                entry[2]()
            else:
                cleanup = cleanup or []
                cleanup.append(entry[2])
    FRAMES.append([verb, first, cleanup])


# ------------------------------------------------------------------ rules that come and go
def enter_rule(rules: list[Any], entry: list[Any]) -> None:
    insort(rules, entry, key=_key)


def leave_rule(rules: list[Any], entry: list[Any]) -> None:
    entry[3] = False
    rules.remove(entry)


def _key(entry: list[Any]) -> int:
    return int(entry[0])


def forbidden(rules: list[Any], params: tuple[Any, ...]) -> bool:
    for entry in rules:  # noqa: SIM110 - a generator would cost more than the rules
        if entry[2](entry[1], *params):
            return True
    return False


def run_before(rules: list[Any], params: tuple[Any, ...]) -> tuple[Any, ...]:
    for entry in tuple(rules):
        if entry[3]:
            changed = entry[2](entry[1], *params)
            if changed is not None:
                params = changed
    return params


def run_after(rules: list[Any], result: Any, params: tuple[Any, ...]) -> None:
    stopped: StopAction | None = None
    for entry in tuple(rules):
        if not entry[3]:
            continue
        try:
            entry[2](entry[1], result, *params)
        except StopAction as stop:
            if stopped is None or stop.index < stopped.index:
                stopped = stop
    if stopped is not None:
        raise stopped


def winner(rules: list[Any], params: tuple[Any, ...], below: int) -> Any:
    """The highest replacement that applies, below the one that asks `as usual`."""
    # Within a layer the rule that entered force last comes first.
    for entry in sorted(rules, key=_entered, reverse=True) if len(rules) > 1 else rules:
        if entry[8] < below and entry[3] and entry[2](entry[1], *params):
            return entry
    return None


def _entered(entry: list[Any]) -> int:
    return int(entry[8])


def fold(base: Any, rules: list[Any], params: tuple[Any, ...]) -> Any:
    """A value through its modifiers: the last `=`, then sets, sums and bounds."""
    value = base
    for entry in reversed(rules):
        if entry[4] == "=":
            made = entry[2](entry[1], *params)
            if made is not NOT_NOW:
                value = made[0]
                break
    added: list[Any] | None = None
    for change in ("with", "without"):
        for entry in rules:
            if entry[4] == change:
                made = entry[2](entry[1], *params)
                if made is not NOT_NOW:
                    value = union(value, made[0]) if change == "with" else minus(value, made[0])
    del added
    for entry in rules:
        if entry[4] in ("+", "-"):
            made = entry[2](entry[1], *params)
            if made is not NOT_NOW:
                value = value + made[0] if entry[4] == "+" else value - made[0]
    for entry in rules:
        if entry[4] in ("at least", "at most"):
            made = entry[2](entry[1], *params)
            if made is not NOT_NOW:
                value = max(value, made[0]) if entry[4] == "at least" else min(value, made[0])
    return value


NOT_NOW: Any


# ------------------------------------------------------------------ tracks and budgets
def step() -> None:
    S[STEPS] += 1
    if S[STEPS] > LIMIT and (GAME.quick is None or not GAME.decided()):
        raise Fault("R14", "a million steps without a decision")


def bounded(n: int) -> int:
    if -MOST < n < MOST:
        return n
    raise Fault("R14", "a number grew beyond all bounds")


def crossed(
    before: int,
    target: int,
    low: int,
    high: int,
    hooks: Sequence[tuple[str, int, Callable[..., None]]],
    landing: bool,
    *owner: Any,
) -> None:
    """Runs the hooks of a track after its marker has moved."""
    after = min(max(target, low), high)
    up = after > before
    passed = range(before + 1, after + 1) if up else range(before - 1, after - 1, -1)
    due: list[tuple[int, Callable[..., None]]] = []
    for when, space, hook in hooks:
        met = space == after if landing or when == "on" else space in passed
        if when in ("at", "on") and after != before and met:
            due.append((abs(space - before), hook))
        elif (when == "below" and target < space) or (when == "above" and target > space):
            due.append((MOST, hook))
    due.sort(key=_distance)
    stopped: StopAction | None = None
    for _, hook in due:
        try:
            hook(*owner)
        except StopAction as stop:
            # The other hooks of this moment still run; the outermost target wins.
            if stopped is None or stop.index < stopped.index:
                stopped = stop
    if stopped is not None:
        raise stopped


def _distance(entry: tuple[int, Any]) -> int:
    return entry[0]


def band_of(rows: Any, number: int) -> list[Any]:
    for low, high, items in rows:
        if (low is None or number >= low) and (high is None or number <= high):
            return items  # type: ignore[no-any-return]
    raise Fault("R3", f"{number} lies outside every band")
