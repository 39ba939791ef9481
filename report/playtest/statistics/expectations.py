"""Expectations over the result of a playtest, with the interval taken into account."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from math import inf
from typing import Any

from talewright.report.playtest.statistics.estimates import rate
from talewright.schemas.records import record

_FORM = re.compile(r"\s*([a-z_][\w.]*)\s*(>=|<=|==|!=|>|<)\s*(-?\d+(?:\.\d+)?)\s*\Z")


_CONTRARY = {">=": "<", "<": ">=", "<=": ">", ">": "<=", "==": "!=", "!=": "=="}

# What is known for sure even where no game was finished.
COUNTS = ("games", "finished", "errors")


class ExpectationError(Exception):
    """An expectation that cannot be read."""


@record(frozen=True)
class Verdict:
    """What became of an expectation: `met`, `unmet`; `met so far` or `open` when there were not enough games.

    Both ways alike: chance may explain neither what is met nor what is not.
    """

    text: str
    state: str
    value: float
    explanation: str


def read(
    text: str, known: Collection[str], within: Mapping[str, Collection[str]] | None = None
) -> tuple[str, str, float]:
    """The parts of an expectation, so that a slip is found before any game is played.

    `within` has the names under some of the known ones, where they are the same whatever is played.
    """
    found = _FORM.match(text)
    if found is None:
        raise ExpectationError(f"`{text}` is no expectation: write `win_rate >= 0.3` or `rounds.mean < 20`")
    name, _, rest = found[1].partition(".")
    if name not in known:
        groups = [group for group, names in (within or {}).items() if name in names]
        if groups:
            raise ExpectationError(f"the result has no `{name}`; did you mean `{groups[0]}.{found[1]}`?")
        raise ExpectationError(f"the result has no `{name}`; {_instead(name, known)}")
    names = (within or {}).get(name)
    if names is not None and rest and not any(rest == n or rest.startswith(f"{n}.") for n in names):
        raise ExpectationError(f"`{name}` of the result has no `{rest}`; {_instead(rest, names)}")
    return found[1], found[2], float(found[3])


def _instead(name: str, known: Collection[str]) -> str:
    near = get_close_matches(name, known, 1)
    if near:
        return f"did you mean `{near[0]}`?"
    return f"it has {', '.join(sorted(known))}" if known else "it has none"


def judge(text: str, result: dict[str, Any]) -> Verdict:
    """Looks an expectation up in a result."""
    name, sign, number = read(text, result)
    if not result.get("finished", 1) and name not in COUNTS:
        return Verdict(text, "open", 0.0, "no game was finished: not enough games to tell")
    value, low, high = _look_up(name, result)
    told = f"{name} is {value:g}"
    if low < high:
        told += f", {_between(low, high)} with 95 % confidence"
    if _holds(value, sign, number):
        if _possible(low, high, _CONTRARY[sign], number):
            games = result.get("finished", result.get("games", 0))
            return Verdict(text, "met so far", value, f"{told}: {games} games are not enough to be sure")
        return Verdict(text, "met", value, told)
    if _possible(low, high, sign, number):
        return Verdict(text, "open", value, f"{told}: not enough games to tell")
    if name.startswith("win_rate") and not result.get("winning", True) and not value:
        told = "no ending counts as won: none has a result such as victory"
    return Verdict(text, "unmet", value, told)


def _between(low: float, high: float) -> str:
    if low == -inf:
        return f"at most {high:.3g}" if high < inf else "anything"
    return f"at least {low:.3g}" if high == inf else f"between {low:.3g} and {high:.3g}"


def _look_up(name: str, result: dict[str, Any]) -> tuple[float, float, float]:
    """A number of the result with its interval; what is counted and no estimate is its own interval."""
    at: Any = result
    last = ""
    within: Mapping[str, Any] = {}
    parts = name.split(".")
    while parts:
        keys = {**at.get("shares", {}), **at} if isinstance(at, dict) else {}
        # Names may have points of their own: the longest that is there is meant.
        taken = next((n for n in range(len(parts), 0, -1) if ".".join(parts[:n]) in keys), 0)
        if taken:
            last, within = ".".join(parts[:taken]), keys
            at, parts = keys[last], parts[taken:]
            continue
        found, at = at, _no_such_ending(name, result)
        if at is None:
            has = _instead(".".join(parts), keys) if isinstance(found, dict) else "there is a number"
            raise ExpectationError(f"the result has no `{name}`; {has}")
        break
    if isinstance(at, dict) and "yes" in at.get("shares", {}):
        at = at["shares"]["yes"]
    if isinstance(at, dict) and "value" in at:
        value = float(at["value"])
        return value, float(at.get("low", value)), float(at.get("high", value))
    if isinstance(at, dict) and "mean" in at:
        return float(at["mean"]), float(at["low"]), float(at["high"])
    if isinstance(at, (int, float)):
        if last in ("mean", "value", "spread") and "low" in within:
            return float(at), float(within["low"]), float(within["high"])
        low, high = within.get("intervals", {}).get(last, (at, at))
        return float(at), -inf if low is None else float(low), inf if high is None else float(high)
    raise ExpectationError(f"`{name}` is not a number")


def _no_such_ending(name: str, result: dict[str, Any]) -> Any:
    """The count or the rate of an ending that no game reached."""
    kind, _, ending = name.partition(".")
    if ending != "error" and ending not in result["chapters"]:
        return None
    return {"outcomes": 0, "outcome_rates": rate(0, result["games"])}.get(kind)


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
    match sign:
        case ">=":
            return high >= number
        case ">":
            return high > number
        case "<=":
            return low <= number
        case "<":
            return low < number
        case "!=":
            return low < high or low != number
    return low <= number <= high
