"""The fixed part of a program about decks and bags, faces and who knows them, and tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.dicepool import Die
from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import (
        BOX,
        CHANCE,
        CHECK,
        GAME,
        ITEMS,
        KIND_OF,
        KNOWN,
        LIMBO,
        LOC,
        NAMESPACE,
        PILE_DECK,
        PILE_FACE,
        PILE_NAME,
        PILE_OWNER,
        PILE_RETURNS,
        PILE_SOURCE,
        PILE_WATCH,
        PLACE_ORDER,
        SEAT_BIT,
        SORT,
        SUPPLY,
        TOKEN_MAX,
        TOKENS,
        UP,
        WATCH,
        S,
    )
    from talewright.runtime.setbook import shuffle_list
    from talewright.runtime.thingbook import put_in, title_of


def shuffle(pile: int) -> None:
    items = ITEMS[pile]
    CHANCE.mix(PILE_NAME[pile], items)
    # Nothing is forgotten where there is nothing to mix up.
    if items and (SORT[items[0]] != SORT[items[-1]] or len(set(map(SORT.__getitem__, items))) > 1):
        up, known = UP, KNOWN
        for t in items:
            if not up[t]:
                known[t] = 0
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


def reveal_all(things: Iterable[int]) -> None:
    for thing in list(things):
        reveal(thing)


def show_all(things: Iterable[int], seat: Any) -> None:
    for thing in list(things):
        show(thing, seat)


def discard(things: Any, many: bool) -> None:
    """Puts things where their kind is discarded: the pile their deck reshuffles from, else the box."""
    for thing in list(things) if many else [things]:
        if thing is None:
            continue
        home = PILE_SOURCE[LOC[thing]] if isinstance(PILE_SOURCE[LOC[thing]], int) else None
        put_in(thing, home if home is not None else BOX)


def fill(pile: Any, items: Sequence[int]) -> None:
    """For tests: a container holds just these things; what lay there goes where they came from."""
    if not isinstance(pile, int):
        return
    origins = [LOC[thing] for thing in items if LOC[thing] != pile]
    displaced = [thing for thing in ITEMS[pile] if thing not in items]
    for thing in displaced:
        put_in(thing, LIMBO)
    for thing in items:
        put_in(thing, pile)
        if not UP[thing]:
            KNOWN[thing] = SEAT_BIT.get(PILE_OWNER[pile], 0)  # type: ignore[arg-type]
    for index, thing in enumerate(displaced):
        if not (index < len(origins) and put_in(thing, origins[index], True)):
            put_in(thing, BOX)


def can_draw(pile: Any) -> bool:
    if not isinstance(pile, int):
        return bool(pile)
    source = PILE_SOURCE[pile]
    return bool(ITEMS[pile]) or (source is not None and bool(ITEMS[source]))


def can_put_token(count: int, token: str, thing: int | None) -> bool:
    if thing is None or count < 1 or SUPPLY[token] < 1:
        return False
    most = TOKEN_MAX.get(token, {}).get(NAMESPACE["KIND_OF"][thing])
    if most is None:
        return True
    return TOKENS[token][thing] < (most if isinstance(most, int) else most(thing))


def can_take_token(count: int, token: str, thing: int | None) -> bool:
    return thing is not None and count > 0 and TOKENS[token][thing] > 0
