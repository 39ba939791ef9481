"""The same games at each value of one setting: an option, the number of players, a track, a state or a number by name."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from talewright.schemas.records import record

# More values than this take too long to be meant.
MOST_VALUES = 100
PLAYERS = "players"


class SweepError(Exception):
    """Something that cannot be varied, or not so."""


@record(frozen=True)
class Sweep:
    """What is varied, and the values it has one after the other."""

    name: str
    sort: str
    """`option`, `players`, or where in the document it is declared: `tracks`, `states`, `values`."""
    values: tuple[str, ...]

    def options(self, value: str) -> dict[str, str]:
        """The options that a value sets."""
        return {self.name: value} if self.sort == "option" else {}

    def document(self, document: dict[str, Any], value: str) -> dict[str, Any]:
        """The document at a value: what is declared there begins with it."""
        if self.sort in ("option", PLAYERS):
            return document
        made = deepcopy(document)
        entry = next(e for e in made["content"][self.sort] if e["id"] == self.name)
        number = {"op": "int", "v": int(value)}
        match self.sort:
            case "tracks":
                entry["start"] = {"value": number, "locals": []}
            case "states":
                entry["default"] = number
            case _:
                entry["value"] = number
        return made


def sweep_of(text: str, document: dict[str, Any]) -> Sweep:
    """What `NAME=a..b` or `NAME=a,b,c` means for a document."""
    name, equals, said = text.partition("=")
    if not equals or not name or not said:
        raise SweepError(f"`--vary {text}` says no values: write `--vary NAME=1..5` or `--vary NAME=a,b`")
    sweep = Sweep(name, _sort(name, document), _values(name, said))
    _must_fit(sweep, document)
    return sweep


def _must_fit(sweep: Sweep, document: dict[str, Any]) -> None:
    """Refuses what is no number where one is needed, or lies beyond the ends of a track."""
    if sweep.sort == "option":
        return
    for value in sweep.values:
        if not re.fullmatch(r"-?\d{1,9}", value):
            raise SweepError(f"`{sweep.name}` is a number, not `{value}`")
    if sweep.sort == "tracks":
        track = next(t for t in document["content"]["tracks"] if t["id"] == sweep.name)
        for value in sweep.values:
            if not track["low"] <= int(value) <= track["high"]:
                raise SweepError(
                    f"the track `{sweep.name}` goes from {track['low']} to {track['high']}: it cannot start at {value}"
                )


def _values(name: str, said: str) -> tuple[str, ...]:
    span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", said)
    if span is None:
        values = tuple(part.strip() for part in said.split(",") if part.strip())
        if len(values) < 2:
            raise SweepError(f"`{said}` is one value: to vary `{name}`, write `{name}=1..5` or `{name}=a,b`")
        return values
    low, high = int(span[1]), int(span[2])
    if not low < high <= low + MOST_VALUES - 1:
        raise SweepError(f"`{said}` must go up, over at most {MOST_VALUES} values")
    return tuple(str(value) for value in range(low, high + 1))


def _sort(name: str, document: dict[str, Any]) -> str:
    content = document["content"]
    if name == PLAYERS:
        return PLAYERS
    if any(option["id"] == name for option in content.get("options", ())):
        return "option"
    if any(track["id"] == name for track in content.get("tracks", ())):
        return "tracks"
    for state in content.get("states", ()):
        if state["id"] == name:
            if _is_number(state.get("default")):
                return "states"
            raise SweepError(f"the state `{name}` does not begin with a number that the text names")
    for value in content.get("values", ()):
        if value["id"] == name and not value.get("params") and _is_number(value.get("value")):
            return "values"
    known = [o["id"] for o in content.get("options", ())]
    listed = f"; its options are {', '.join(f'`{o}`' for o in known)}" if known else ""
    raise SweepError(
        f"nothing called `{name}` can be varied: name an option, `players`, a track, a state or a number{listed}"
    )


def _is_number(node: Any) -> bool:
    return isinstance(node, dict) and node.get("op") == "int"


__all__ = ["PLAYERS", "Sweep", "SweepError", "sweep_of"]
