"""The fixed part of a program about numbers, comparisons and sets, and the budget of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.dicepool import Pool
from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import CHANCE, GAME, LIMIT, MOST, RINGS, SORT, STEPS, S


def step() -> None:
    S[STEPS] += 1
    if S[STEPS] > LIMIT and (GAME.quick is None or not GAME.decided()):
        raise Fault("R14", "a million steps without a decision")


# So many turns of a loop may be counted at once, before the first.
FEW_TURNS = 64


def many_turns(turns: int) -> Iterable[None]:
    """The turns of a loop that were counted at once: they are counted as they come, as many at a time as came before.

    A loop may be left before its end; and where the budget ends in the middle, it ends there.
    """
    S[STEPS] -= turns
    return _turns(turns)


def _turns(left: int) -> Iterable[None]:
    done = 0
    while left > 0:
        some = min(left, done or 1, FEW_TURNS)
        if S[STEPS] + some > LIMIT:
            some = 1
            step()
        else:
            S[STEPS] += some
        yield from (None,) * some
        left -= some
        done += some


def bounded(n: int) -> int:
    if -MOST < n < MOST:
        return n
    raise Fault("R14", "a number grew beyond all bounds")


# More than anybody would lay out on a table.
MANY = 20_000


def grown(items: list[Any]) -> list[Any]:
    if len(items) > MANY:
        raise Fault("R14", "a list grew beyond all bounds")
    return items


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


def union(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [*a, *[x for x in b if x not in a]]


def minus(a: Sequence[Any], b: Sequence[Any]) -> list[Any]:
    return [x for x in a if x not in b]


def members(what: Any) -> list[Any]:
    """A set of what may be one thing, none, or a set already."""
    if what is None:
        return []
    return [what] if isinstance(what, int) else list(what)


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


def shuffle_list(items: list[Any], stream: str) -> None:
    CHANCE.mix(stream, items)


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


def pairs_of(table: Any) -> list[Any]:
    return list(table.items()) if isinstance(table, dict) else list(table)


def in_range(value: Any, low: Any, high: Any) -> bool:
    value = value.total() if isinstance(value, Pool) else value
    return value is not None and (low is None or value >= low) and (high is None or value <= high)


def second_of(made: Any) -> Any:
    return made


def something(items: Any) -> bool:
    return bool(items) if isinstance(items, list) else items is not None
