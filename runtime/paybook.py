"""The part of a generated program that pays; it runs inside the name space of games with payments."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.paying import PayByThing, PayByToken, Used, sources_of, ways_to_pay

if TYPE_CHECKING:
    from talewright.runtime.bookspace import BOX, COUNTS, GAME, KIND_OF, SORT, TOKENS, Anew
    from talewright.runtime.deckbook import take_token
    from talewright.runtime.thingbook import put_in, title_of

ALIKE: dict[str, list[list[Any]]]


def alike(thing: int) -> Hashable:
    """What tells a thing from others of its sort: the fields that play can change."""
    return (SORT[thing], *(str(column[thing]) for column in ALIKE.get(KIND_OF[thing], ())))


def tokens_on(token: str, thing: Any) -> int:
    return int(TOKENS[token][thing])


def ways_now(cost: Sequence[Any], things: Sequence[int], rules: Sequence[Any]) -> list[Used]:
    symbols = sorted(cost, key=str)
    return ways_to_pay(
        symbols, sources_of(symbols, things, rules, alike, tokens_on), [rule.at_most for rule in rules]
    )


def can_pay(cost: Sequence[Any], things: Sequence[int], rules: Sequence[Any]) -> bool:
    return bool(ways_now(cost, things, rules))


def pay(
    point: int, by: Any, cost: Sequence[Any], things: Sequence[int], rules: Sequence[Any], into: int | None
) -> bool:
    """Pays a whole cost or nothing; whoever pays picks among ways that leave something different behind."""
    COUNTS[point] += 1
    while True:
        ways = ways_now(cost, things, rules)
        if not ways:
            return False
        if len(ways) == 1:
            chosen = 0
            break
        labels = [(number, text, text) for number, text in enumerate(way_text(way, things) for way in ways)]
        GAME.ways = [[(spent_from(key, things), count) for key, count in way] for way in ways]
        try:
            chosen = GAME.ask_labelled(point, by, labels, None, False)
            break
        except Anew:
            continue
    for key, count in sorted(ways[chosen], key=str):
        if key[0] == "token":  # type: ignore[index]
            take_token(count, key[1], key[2])  # type: ignore[index]
        else:
            for thing in [t for t in things if alike(t) == key[1]][:count]:  # type: ignore[index]
                put_in(thing, BOX if into is None else into)
    return True


def spent_from(key: Any, things: Sequence[int]) -> Any:
    """One of the things that a way of paying spends, or that on which a token of it lies."""
    return key[2] if key[0] == "token" else next(t for t in things if alike(t) == key[1])


def way_text(way: Used, things: Sequence[int]) -> str:
    """What a way of paying spends, in words."""
    parts = []
    for key, count in sorted(way, key=str):
        if key[0] == "token":  # type: ignore[index]
            name = str(key[1]).replace("_", " ")  # type: ignore[index]
        else:
            name = face_text(next(t for t in things if alike(t) == key[1]))  # type: ignore[index]
        parts.append(name if count == 1 else f"{count} {name}")
    return ", ".join(parts) or "nothing"


def face_text(thing: int) -> str:
    face = GAME.face(thing)
    if face is None:
        return str(title_of(thing))
    return str(title_of(face)) if isinstance(face, int) else str(face).replace("_", " ")


__all__ = ["PayByThing", "PayByToken"]
