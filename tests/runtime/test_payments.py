"""Payments by matching, against a plain slow way of finding the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from itertools import permutations, product

from hypothesis import given
from hypothesis import strategies as st

from talewright.runtime.paying import Source, Used, ways_to_pay

RULES = 3
covers = st.frozensets(st.integers(0, RULES - 1), max_size=2)


@st.composite
def puzzles(draw: st.DrawFn) -> tuple[list[int], list[Source], list[int | None]]:
    """A cost of up to three symbols, up to three sorts of sources, and limits of three rules."""
    symbols = list(range(draw(st.integers(0, 3))))
    sources = [
        Source(name, draw(st.integers(1, 2)), tuple(draw(covers) for _ in symbols))
        for name in "abc"[: draw(st.integers(0, 3))]
    ]
    limits = [draw(st.one_of(st.none(), st.integers(0, 2))) for _ in range(RULES)]
    return symbols, sources, limits


def plainly(symbols: list[int], sources: list[Source], limits: list[int | None]) -> set[Used]:
    """Every assignment of single pieces and rules to symbols, tried one by one."""
    pieces = [source for source in sources for _ in range(source.count)]
    found: set[Used] = set()
    for chosen in permutations(range(len(pieces)), len(symbols)):
        for rules in product(range(RULES), repeat=len(symbols)):
            covered = all(
                rule in pieces[p].covers[s] for p, rule, s in zip(chosen, rules, symbols, strict=True)
            )
            used = Counter(rules)
            if covered and all(limit is None or used[r] <= limit for r, limit in enumerate(limits)):
                taken: Counter[Hashable] = Counter(pieces[p].key for p in chosen)
                found.add(frozenset(taken.items()))
    return found


@given(puzzles())
def test_every_different_way_is_found_once(puzzle: tuple[list[int], list[Source], list[int | None]]) -> None:
    symbols, sources, limits = puzzle
    ways = ways_to_pay(symbols, sources, limits)
    assert len(ways) == len(set(ways))
    assert set(ways) == plainly(symbols, sources, limits)


def test_nothing_costs_nothing() -> None:
    assert ways_to_pay([], [], []) == [frozenset()]


def test_a_cost_nobody_can_cover_has_no_way() -> None:
    assert ways_to_pay(["sun"], [Source("a", 4, (frozenset(),))], [None]) == []
