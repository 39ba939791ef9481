"""Tracks that move one way only while something waits at the other end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import folding
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, index, is_whole, nodes_in, weight
from talewright.dsl.diagnostics import Diagnostic

IR = dict[str, Any]


# What rolled dice come to.
_DICE = frozenset(("pool_total", "die_value"))


class _Moves:
    """What is known of all changes of one track."""

    def __init__(self) -> None:
        self.up = False
        self.down = False
        self.lands: set[int] = set()
        self.anywhere = False


def find(context: Context) -> Iterator[Diagnostic]:
    """Every hook on a space that the marker can never come to."""
    if not is_whole(context):
        return
    moves = _moves(context)
    for name, track, given in _tracks(context):
        moved = moves.get(name, _Moves())
        if moved.anywhere or (given and name not in moves):
            continue
        start = _start(track)
        for hook in track["hooks"]:
            if start is None or not at_in_main(context, hook["at"]) or _comes(hook, start, moved, track):
                continue
            yield CHECK.finding(
                context.span(hook["at"]), _message(name, moved), _help(hook, start), severity=weight(context)
            )


def _message(name: str, moved: _Moves) -> str:
    shown = name.rpartition(".")[2].rpartition(":")[2]
    if not moved.up and not moved.down:
        return f"nothing moves `{shown}` to where this waits"
    return f"`{shown}` only {'rises' if moved.up else 'falls'}, so it never comes to where this waits"


def _help(hook: IR, start: int) -> str:
    lower = hook["when"] == "below" or (hook["when"] != "above" and max(hook["spaces"]) < start)
    return f"let something {'lower' if lower else 'raise'} it, or take the hook away"


def _comes(hook: IR, start: int, moved: _Moves, track: IR) -> bool:
    """Whether some space of a hook can be reached from the start, or where an assignment puts the marker."""
    if hook["when"] == "below":
        return moved.down
    if hook["when"] == "above":
        return moved.up
    low = track["low"] if moved.down else min(moved.lands, default=start)
    high = track["high"] if moved.up else max(moved.lands, default=start)
    low, high = min(low, start), max(high, start)
    if moved.up or moved.down:
        return any(low <= space <= high for space in hook["spaces"])
    return any(space in moved.lands for space in hook["spaces"])


def _tracks(context: Context) -> Iterator[tuple[str, IR, bool]]:
    """Every track with hooks; the flag says that things may start it elsewhere."""
    for track in context.content.get("tracks", ()):
        if track.get("hooks"):
            yield track["id"], track, False
    for kind in (*context.content.get("kinds", ()), *context.content.get("traits", ())):
        for field in kind.get("fields", ()):
            if field.get("track", {}).get("hooks"):
                yield f"{kind['id']}.{field['name']}", field["track"], True


def _start(track: IR) -> int | None:
    start = track.get("start")
    if start is None:
        return int(track["low"])
    value = start["value"]
    return int(value["v"]) if value.get("op") == "int" else None


def _moves(context: Context) -> dict[str, _Moves]:
    fold = folding(context)
    below_zero = any(
        face.get("op") == "int" and face["v"] < 0
        for die in context.content.get("dice", ())
        for face in die["faces"]
    )
    found: dict[str, _Moves] = {}
    seen = index(context)
    for op in ("change", "assign"):
        for node, unit in seen.of(op):
            target = node["target"]
            name = _name(target)
            if unit.form == "test":
                continue
            if target.get("op") == "late":
                # Whatever it is that moves here, it may be any track of that name.
                for kind in context.content.get("kinds", ()):
                    found.setdefault(f"{kind['id']}.{target['name']}", _Moves()).anywhere = True
            if name is None:
                continue
            moved = found.setdefault(name, _Moves())
            if op == "assign":
                value = node["value"]
                if value.get("op") == "int":
                    moved.lands.add(value["v"])
                else:
                    moved.anywhere = True
                continue
            low, high = fold.range(node["by"])
            rising = node["sign"] > 0
            # A positive amount is what people write; only a known negative one turns the direction round.
            backwards = high is not None and high < 0
            either = (low is not None and low < 0 and not backwards) or (
                low is None and below_zero and any(inner.get("op") in _DICE for inner in nodes_in(node["by"]))
            )
            moved.up |= either or rising != backwards
            moved.down |= either or rising == backwards
    for thing in context.content.get("things", ()):
        for field in thing.get("fields", ()):
            owner = context.work.field_of(thing["kind"], field)
            if owner is not None and owner[0].type.name == "track":
                found.setdefault(f"{owner[0].owner}.{field}", _Moves()).anywhere = True
    return found


def _name(target: IR) -> str | None:
    if target.get("op") == "track":
        return str(target["id"])
    return f"{target['owner']}.{target['name']}" if target.get("op") == "field" else None


CHECK = Check(
    code="F416",
    name="one-way-track",
    severity="warning",
    why="""A hook on a track waits for the marker. If everything that moves the track pushes it the same
    way, a hook on the other side of the start is never reached: either the hook stands at the wrong end,
    or what should bring the marker there is still missing.""",
    bad="""
    track doom 0..12 start 3:
        at 0: go to saved  # <-
        at 12: go to lost
    Ending saved "Saved"
    Ending lost "Lost"
    action game:
        repeat: doom + 1
    """,
    good="""
    track doom 0..12 start 3:
        at 0: go to saved
        at 12: go to lost
    Ending saved "Saved"
    Ending lost "Lost"
    role Player 1..4 named p
    action game:
        repeat:
            choose one by p1 "The bell":
                "Ring it" -> doom + 1
                "Hush it" -> doom - 1
    """,
    find=find,
)
