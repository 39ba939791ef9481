"""Small charts as inline SVG: bars with intervals, histograms, bands over rounds. Colours come from the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import ceil, floor
from typing import Any

# Narrow enough that labels can be read on a phone.
WIDTH = 440.0
BINS = 30
# Fewer games than this say nothing together.
FEW = 5


def bars(rows: Sequence[tuple[str, float, float, float, str]]) -> str:
    """Shares between nought and one as bars, each with its interval and a style."""
    step, top = 44.0, 4.0
    height = top + step * len(rows)
    parts = []
    for number, (label, value, low, high, style) in enumerate(rows):
        y = top + number * step
        whole = WIDTH - 70
        parts.append(
            f'<text class="label" x="0" y="{y + 13:.1f}">{escape(shortened(label, 44))}</text>'
            f'<rect class="ground" x="0" y="{y + 19:.1f}" width="{whole:.1f}" height="14" rx="3"/>'
            f'<rect class="{style}" x="0" y="{y + 19:.1f}" width="{whole * value:.1f}" height="14" rx="3"/>'
            f'<path class="whisker" d="M{whole * low:.1f},{y + 26:.1f} H{whole * high:.1f} '
            f'M{whole * low:.1f},{y + 21:.1f} v10 M{whole * high:.1f},{y + 21:.1f} v10"/>'
            f'<text class="number" x="{WIDTH:.0f}" y="{y + 31:.1f}" text-anchor="end">{value:.1%}</text>'
        )
    return _picture(height, "Outcomes with 95 % intervals", parts)


def histogram(counted: Mapping[str, int], about: str) -> str:
    """How often each whole number came up, in at most a few dozen bins."""
    values = {int(float(value)): times for value, times in counted.items()}
    if not values:
        return ""
    low, high = min(values), max(values)
    size = max(1, -(-(high - low + 1) // BINS))
    count = (high - low) // size + 1
    bins = [0] * count
    for value, times in values.items():
        bins[(value - low) // size] += times
    height, foot, left = 190.0, 30.0, 8.0
    most = max(bins)
    wide = (WIDTH - 2 * left) / count
    parts = []
    for number, times in enumerate(bins):
        tall = (height - foot - 18) * times / most
        first = low + number * size
        name = str(first) if size == 1 else f"{first} to {first + size - 1}"
        parts.append(
            f'<rect class="bar" x="{left + number * wide + 0.5:.1f}" y="{height - foot - tall:.1f}" '
            f'width="{max(wide - 1, 0.5):.1f}" height="{tall:.1f}"><title>{name}: {times}</title></rect>'
        )
    every = max(1, -(-count // 7))
    for number in range(0, count, every):
        at = left + (number + 0.5) * wide
        parts.append(
            f'<text class="tick" x="{at:.1f}" y="{height - 12:.1f}" text-anchor="middle">{low + number * size}</text>'
        )
    parts.append(f'<path class="axis" d="M{left:.0f},{height - foot:.1f} H{WIDTH - left:.0f}"/>')
    parts.append(f'<text class="tick" x="{left:.0f}" y="12">{escape(about)}; the highest bar: {most}</text>')
    return _picture(height, about, parts)


def over_rounds(rows: Sequence[Mapping[str, Any]], about: str) -> str:
    """A track round by round: the median, the middle half and nine tenths of the games still running."""
    if not rows:
        return ""
    height, foot, left, top = 200.0, 30.0, 40.0, 14.0
    lowest: int = floor(min(r["p5"] for r in rows))
    highest: int = max(ceil(max(r["p95"] for r in rows)), lowest + 1)
    rounds: list[int] = [r["round"] for r in rows]
    across = max(1, rounds[-1] - rounds[0])

    def x(number: float) -> float:
        return left + (WIDTH - left - 10) * (number - rounds[0]) / across

    def y(value: float) -> float:
        return height - foot - (height - foot - top) * (value - lowest) / (highest - lowest)

    def band(low: str, high: str, style: str) -> str:
        there = " ".join(f"{x(r['round']):.1f},{y(r[high]):.1f}" for r in rows)
        back = " ".join(f"{x(r['round']):.1f},{y(r[low]):.1f}" for r in reversed(rows))
        return f'<polygon class="{style}" points="{there} {back}"/>'

    line = " ".join(f"{x(r['round']):.1f},{y(r['median']):.1f}" for r in rows)
    parts = [
        band("p5", "p95", "wide-band"),
        band("p25", "p75", "band"),
        f'<polyline class="line" points="{line}"/>',
    ]
    if len(rows) == 1:
        parts.append(f'<circle class="dot" cx="{x(rounds[0]):.1f}" cy="{y(rows[0]["median"]):.1f}" r="4"/>')
    for value in sorted({lowest, (lowest + highest) // 2, highest}):
        parts.append(
            f'<text class="tick" x="{left - 6:.0f}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>'
        )
    every = max(1, -(-len(rounds) // 7))
    for number in rounds[::every]:
        parts.append(
            f'<text class="tick" x="{x(number):.1f}" y="{height - 12:.1f}" text-anchor="middle">{number}</text>'
        )
    parts.append(f'<path class="axis" d="M{left:.0f},{top:.0f} V{height - foot:.1f} H{WIDTH - 10:.0f}"/>')
    return _picture(height, about, parts)


def over_values(points: Sequence[tuple[str, float, float, float]], about: str, share: bool) -> str:
    """A figure at each value of a setting, with its interval; shares go from nought to one."""
    height, foot, left, top = 200.0, 30.0, 52.0, 14.0
    lowest = 0.0 if share else min(low for _, _, low, _ in points)
    highest = 1.0 if share else max(high for _, _, _, high in points)
    if highest <= lowest:
        highest = lowest + 1.0

    def x(number: int) -> float:
        return left + (WIDTH - left - 20) * (number + 0.5) / len(points)

    def y(value: float) -> float:
        return height - foot - (height - foot - top) * (value - lowest) / (highest - lowest)

    line = " ".join(f"{x(i):.1f},{y(value):.1f}" for i, (_, value, _, _) in enumerate(points))
    parts = [f'<polyline class="line" points="{line}"/>']
    every = max(1, -(-len(points) // 10))
    for number, (label, value, low, high) in enumerate(points):
        parts.append(
            f'<path class="whisker" d="M{x(number):.1f},{y(low):.1f} V{y(high):.1f}"/>'
            f'<circle class="dot" cx="{x(number):.1f}" cy="{y(value):.1f}" r="4"/>'
        )
        if number % every == 0:
            parts.append(
                f'<text class="tick" x="{x(number):.1f}" y="{height - 12:.1f}" text-anchor="middle">'
                f"{escape(shortened(label, 8))}</text>"
            )
    for value in (lowest, (lowest + highest) / 2, highest):
        shown = f"{value:.0%}" if share else f"{value:.3g}"
        parts.append(
            f'<text class="tick" x="{left - 6:.0f}" y="{y(value) + 4:.1f}" text-anchor="end">{shown}</text>'
        )
    parts.append(f'<path class="axis" d="M{left:.0f},{top:.0f} V{height - foot:.1f} H{WIDTH - 10:.0f}"/>')
    return _picture(height, about, parts)


def reached(rows: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The rounds that at least one game in a hundred comes to, and of few games five: the last games alone say little."""
    counts = [row.get("games", row.get("things", 0)) for row in rows]
    most = max(counts, default=0)
    enough = max(min(FEW, most), most / 100)
    return [row for row, count in zip(rows, counts, strict=True) if count >= enough]


def shortened(text: str, most: int) -> str:
    """A text that fits."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _picture(height: float, about: str, parts: Sequence[str]) -> str:
    head = f'<svg class="chart" viewBox="0 0 {WIDTH:.0f} {height:.0f}" role="img" aria-label="{escape(about, True)}">'
    return "\n".join([head, *parts, "</svg>"])
