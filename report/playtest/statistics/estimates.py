"""Rates with Wilson intervals, means and percentiles, from numbers counted by value."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, erfc, floor, sqrt
from typing import Any

Z95 = 1.959963984540054


def wilson(hits: float, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a rate."""
    if games == 0:
        return 0.0, 1.0
    rate = hits / games
    centre = rate + z * z / (2 * games)
    spread = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    low = 0.0 if hits == 0 else max(0.0, (centre - spread) / scale)
    return low, 1.0 if hits == games else min(1.0, (centre + spread) / scale)


def rate(hits: int, games: int) -> dict[str, float]:
    """A rate with its interval."""
    low, high = wilson(hits, games)
    return {"value": hits / games if games else 0.0, "low": low, "high": high, "confidence": 0.95}


def difference(hits: float, games: int, other_hits: float, other_games: int) -> tuple[float, float, float]:
    """The difference of two rates with its interval (Newcombe's, from both Wilson intervals)."""
    first, second = hits / games, other_hits / other_games
    low, high = wilson(hits, games)
    other_low, other_high = wilson(other_hits, other_games)
    value = first - second
    down = sqrt((first - low) ** 2 + (other_high - second) ** 2)
    up = sqrt((high - first) ** 2 + (second - other_low) ** 2)
    return value, max(-1.0, value - down), min(1.0, value + up)


def percentile(values: Mapping[float, int], share: float) -> float:
    """A percentile of counted numbers, by linear interpolation between the nearest ranks."""
    count = sum(values.values())
    if not count:
        return 0.0
    at = share * (count - 1)
    low = int(at)
    first = second = 0.0
    seen = 0
    found = False
    for value in sorted(values):
        seen += values[value]
        if not found and seen > low:
            first, found = value, True
        if seen > min(low + 1, count - 1):
            second = value
            break
    return first + (second - first) * (at - low)


SHARES = {"p5": 0.05, "median": 0.5, "p95": 0.95}


def percentile_interval(values: Mapping[float, int], share: float) -> tuple[float | None, float | None]:
    """The 95 % interval of a percentile: the numbers at the ranks between which chance leaves it. Without enough games
    there is no such rank, and nothing is said of that side."""
    count = sum(values.values())
    middle, spread = count * share, Z95 * sqrt(count * share * (1 - share))
    low, high = floor(middle - spread), ceil(middle + spread) + 1
    return (
        _at_rank(values, low) if low >= 1 else None,
        _at_rank(values, high) if high <= count else None,
    )


def _at_rank(values: Mapping[float, int], rank: int) -> float:
    """The number at a rank, counted from 1."""
    seen = 0
    for value in sorted(values):
        seen += values[value]
        if seen >= rank:
            break
    return value


def spread(values: Mapping[float, int]) -> dict[str, Any]:
    """Mean with its standard error and 95 % interval (normal), and percentiles of counted numbers with theirs (by rank)."""
    count = sum(values.values())
    if not count:
        names = ("mean", "standard_error", "low", "high", *SHARES)
        return {"count": 0, **dict.fromkeys(names, 0.0), "intervals": {}}
    ordered = sorted(values.items())
    mean = sum(v * n for v, n in ordered) / count
    variance = sum(n * (v - mean) ** 2 for v, n in ordered) / (count - 1) if count > 1 else 0.0
    error = sqrt(variance / count)
    return {
        "count": count,
        "mean": mean,
        "standard_error": error,
        "low": mean - Z95 * error,
        "high": mean + Z95 * error,
        **{name: percentile(values, share) for name, share in SHARES.items()},
        "intervals": {name: list(percentile_interval(values, share)) for name, share in SHARES.items()},
    }


def bands(values: Mapping[float, int], of: str = "games") -> dict[str, float]:
    """What a plot over time needs: of how many, median, the middle half, and nine tenths."""
    return {
        of: sum(values.values()),
        "p5": percentile(values, 0.05),
        "p25": percentile(values, 0.25),
        "median": percentile(values, 0.5),
        "p75": percentile(values, 0.75),
        "p95": percentile(values, 0.95),
    }


def two_sided(z: float) -> float:
    """The chance of a normal deviate at least so far from nought."""
    return erfc(abs(z) / sqrt(2))
