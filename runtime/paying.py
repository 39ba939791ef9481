"""Payments: how the symbols of a cost can be covered by things and tokens."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Used = frozenset[tuple[Hashable, int]]
_MOST_WAYS = 500


@dataclass(frozen=True, slots=True)
class PayByThing:
    """Things of a kind cover a symbol when a test says so, at most so often."""

    kind: Any
    test: Callable[[int, Any], Any] | None
    at_most: int | None


@dataclass(frozen=True, slots=True)
class PayByToken:
    """Tokens that lie on a thing cover a symbol, at most so often."""

    token: str
    on: Callable[[], Any]
    test: Callable[[Any], Any] | None
    at_most: int | None


@dataclass(frozen=True, slots=True)
class Source:
    """What looks alike: how many there are, and by which rules each symbol can be covered with one."""

    key: Hashable
    count: int
    covers: tuple[frozenset[int], ...]


def ways_to_pay(
    symbols: Sequence[Any], sources: Sequence[Source], limits: Sequence[int | None]
) -> list[Used]:
    """Every different multiset of sources that covers all symbols, each rule used at most as often as it may.

    `Source.covers` has one entry for each symbol of the cost, in its order.
    """
    left = [source.count for source in sources]
    spent = [0] * len(limits)
    used: Counter[Hashable] = Counter()
    found: dict[Used, None] = {}
    seen: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()

    def cover(index: int) -> None:
        if len(found) >= _MOST_WAYS:
            return
        if index == len(symbols):
            found.setdefault(frozenset(used.items()))
            return
        state = (index, tuple(left), tuple(n if limits[i] is not None else 0 for i, n in enumerate(spent)))
        if state in seen:
            return
        seen.add(state)
        for number, source in enumerate(sources):
            if not left[number]:
                continue
            for rule in sorted(source.covers[index]):
                limit = limits[rule]
                if limit is not None and spent[rule] >= limit:
                    continue
                left[number] -= 1
                spent[rule] += 1
                used[source.key] += 1
                cover(index + 1)
                used[source.key] -= 1
                if not used[source.key]:
                    del used[source.key]
                spent[rule] -= 1
                left[number] += 1
                if limit is None:
                    break

    cover(0)
    return list(found)


def sources_of(
    symbols: Sequence[Any], things: Iterable[int], rules: Sequence[Any], alike: Callable[[int], Hashable],
    tokens_on: Callable[[str, Any], int],
) -> list[Source]:  # fmt: skip
    """What can pay: things that look alike together, and tokens by where they lie."""
    groups: dict[Hashable, list[int]] = {}
    for thing in things:
        groups.setdefault(("thing", alike(thing)), []).append(thing)
    found = []
    for key, members in groups.items():
        covers = tuple(
            frozenset(
                i for i, rule in enumerate(rules)
                if isinstance(rule, PayByThing)
                and members[0] in rule.kind
                and (rule.test is None or rule.test(members[0], symbol))
            )
            for symbol in symbols
        )  # fmt: skip
        if any(covers):
            found.append(Source(key, len(members), covers))
    for index, rule in enumerate(rules):
        if isinstance(rule, PayByToken):
            on = rule.on()
            count = 0 if on is None else tokens_on(rule.token, on)
            if count:
                own = frozenset((index,))
                covers = tuple(own if rule.test is None or rule.test(s) else frozenset() for s in symbols)
                found.append(Source(("token", rule.token, on), count, covers))
    return found
