"""Streams of chance: the k-th draw depends on seed, name and k alone, and all numbers come about equally often."""

from __future__ import annotations

from collections import Counter

from talewright.runtime.chance import Chance


def draws(seed: int, name: str, count: int) -> list[int]:
    chance = Chance(seed)
    return [chance.below(name, 1000) for _ in range(count)]


def test_streams_do_not_mind_each_other() -> None:
    chance = Chance(7)
    seen: dict[str, list[int]] = {"a": [], "b": []}
    for turn in range(90):
        seen["a" if turn % 3 else "b"].append(chance.below("a" if turn % 3 else "b", 1000))
    assert seen == {"a": draws(7, "a", 60), "b": draws(7, "b", 30)}
    assert draws(7, "a", 30) != draws(7, "b", 30)
    assert draws(7, "a", 30) != draws(8, "a", 30)


def test_where_a_stream_stands_can_be_kept() -> None:
    for count in range(40):
        chance = Chance(3)
        for _ in range(count):
            chance.below("x", 6)
        kept = chance.snapshot()
        chance.below("y", 6)
        ahead = [chance.below("x", 10**6) for _ in range(20)]
        chance.restore(kept)
        assert chance.snapshot() == kept
        assert [chance.below("x", 10**6) for _ in range(20)] == ahead


def test_a_single_possibility_takes_no_draw() -> None:
    chance = Chance(1)
    assert chance.below("x", 1) == 0
    chance.mix("x", [5])
    assert chance.snapshot() == {}


def test_all_numbers_and_orders_come_up_equally_often() -> None:
    faces: Counter[int] = Counter()
    orders: Counter[tuple[int, ...]] = Counter()
    for seed in range(6000):
        chance = Chance(seed)
        faces[chance.below("die", 6)] += 1
        items = [1, 2, 3]
        chance.mix("deck", items)
        orders[tuple(items)] += 1
    # The chi-square that chance passes once in ten thousand times with five degrees of freedom.
    for counted in (faces, orders):
        assert len(counted) == 6
        assert sum((n - 1000) ** 2 / 1000 for n in counted.values()) < 25.7
