"""Statistics of a playtest: rates with Wilson intervals, means, percentiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import sqrt
from typing import Any

from talewright.report.playtest.records import GameRecord

Z95 = 1.959963984540054


def wilson(hits: int, games: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a rate."""
    if games == 0:
        return 0.0, 1.0
    rate = hits / games
    centre = rate + z * z / (2 * games)
    spread = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def percentile(ordered: Sequence[float], share: float) -> float:
    """A percentile by linear interpolation between the nearest ranks."""
    if not ordered:
        return 0.0
    at = share * (len(ordered) - 1)
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def spread(values: Iterable[float]) -> dict[str, Any]:
    """Mean, standard error and percentiles of numbers."""
    ordered = sorted(values)
    count = len(ordered)
    if not count:
        return {"count": 0, "mean": 0.0, "standard_error": 0.0, "p5": 0.0, "median": 0.0, "p95": 0.0}
    mean = sum(ordered) / count
    variance = sum((v - mean) ** 2 for v in ordered) / (count - 1) if count > 1 else 0.0
    return {
        "count": count,
        "mean": mean,
        "standard_error": sqrt(variance / count),
        "p5": percentile(ordered, 0.05),
        "median": percentile(ordered, 0.5),
        "p95": percentile(ordered, 0.95),
    }


def summarise(records: Sequence[GameRecord], about: dict[str, Any]) -> dict[str, Any]:
    """The result of a playtest as `--json` writes it, but for speed."""
    games = sorted(records, key=lambda r: r.seed)
    finished = [r for r in games if not r.error]
    outcomes = Counter(r.outcome for r in games)
    wins = sum(r.won for r in finished)
    low, high = wilson(wins, len(finished))
    tracks = sorted({name for r in finished for name in r.tracks})
    measures = sorted({name for r in finished for name in r.measures})
    return {
        **about,
        "games": len(games),
        "finished": len(finished),
        "errors": len(games) - len(finished),
        "outcomes": dict(sorted(outcomes.items(), key=lambda item: (-item[1], item[0]))),
        "win_rate": {"value": wins / len(finished) if finished else 0.0, "low": low, "high": high, "confidence": 0.95},
        "decisions": spread(r.decisions for r in finished),
        "rounds": spread(r.rounds for r in finished),
        "tracks": {name: spread(r.tracks[name] for r in finished) for name in tracks},
        "measures": {name: measured([r.measures[name] for r in finished]) for name in measures},
        "failures": [{"seed": r.seed, "error": r.error} for r in games if r.error][:20],
    }


def measured(values: list[Any]) -> dict[str, Any]:
    """A measure over all games: numbers in spread and histogram, words in counts."""
    if all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
        return {**spread(values), "histogram": {str(k): n for k, n in sorted(Counter(values).items())}}
    return {"counts": dict(sorted(Counter(str(v) for v in values).items()))}
