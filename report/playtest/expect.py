"""Expectations over the result of a playtest, with the interval taken into account."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

_FORM = re.compile(r"\s*([a-z_][\w.]*)\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?)\s*\Z")


# What is known for sure even where no game was finished.
COUNTS = ("games", "finished", "errors")


class ExpectationError(Exception):
    """An expectation that cannot be read."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of an expectation: `met`, `unmet`, or `open` when there were not enough games."""

    text: str
    state: str
    value: float
    explanation: str


def read(text: str, known: Collection[str]) -> tuple[str, str, float]:
    """The parts of an expectation, so that a slip is found before any game is played."""
    found = _FORM.match(text)
    if found is None:
        raise ExpectationError(f"`{text}` is no expectation: write `win_rate >= 0.3` or `rounds.mean < 20`")
    name = found[1].partition(".")[0]
    if name not in known:
        near = get_close_matches(name, known, 1)
        help_ = f"did you mean `{near[0]}`?" if near else f"it has {', '.join(sorted(known))}"
        raise ExpectationError(f"the result has no `{name}`; {help_}")
    return found[1], found[2], float(found[3])


def judge(text: str, result: dict[str, Any]) -> Verdict:
    """Looks an expectation up in a result."""
    name, sign, number = read(text, result)
    value, low, high = _look_up(name, result)
    if not result.get("finished", 1) and name not in COUNTS:
        return Verdict(text, "open", value, "no game was finished: not enough games to tell")
    if _holds(value, sign, number):
        return Verdict(text, "met", value, f"{name} is {value:g}")
    if low is not None and high is not None and _possible(low, high, sign, number):
        return Verdict(
            text, "open", value, f"{name} is {value:g} ({low:.3f} to {high:.3f}): not enough games to tell"
        )
    return Verdict(text, "unmet", value, f"{name} is {value:g}")


def _look_up(name: str, result: dict[str, Any]) -> tuple[float, float | None, float | None]:
    at: Any = result
    for part in name.split("."):
        if not isinstance(at, dict) or part not in at:
            raise ExpectationError(
                f"the result has no `{name}`; it has {', '.join(sorted(at)) if isinstance(at, dict) else 'a number'}"
            )
        at = at[part]
    if isinstance(at, dict) and "value" in at:
        return float(at["value"]), at.get("low"), at.get("high")
    if isinstance(at, dict) and "mean" in at:
        return float(at["mean"]), at["low"], at["high"]
    if isinstance(at, (int, float)):
        return float(at), None, None
    raise ExpectationError(f"`{name}` is not a number")


def _holds(value: float, sign: str, number: float) -> bool:
    match sign:
        case ">=":
            return value >= number
        case "<=":
            return value <= number
        case ">":
            return value > number
        case "<":
            return value < number
        case "==":
            return value == number
    return value != number


def _possible(low: float, high: float, sign: str, number: float) -> bool:
    if sign in (">=", ">"):
        return high >= number
    if sign in ("<=", "<"):
        return low <= number
    return low <= number <= high
