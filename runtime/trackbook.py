"""The fixed part of a program about tracks: what happens where a marker goes, and bands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import MOST, StopAction


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
