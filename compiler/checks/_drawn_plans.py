"""Drawings of names: which places they show, and what lies beside what."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from talewright.compiler.checks._content_walks import IR
from talewright.compiler.checks.check import Context

Rows = list[list[str]]
NOTHING = "."


def rows_of(value: Any) -> Rows | None:
    """The rows of names of a field, turns left out; none when it is no such drawing."""
    if not isinstance(value, dict) or value.get("op") != "rows":
        return None
    return plain_rows(value["rows"])


def plain_rows(rows: Iterable[Iterable[Any]]) -> Rows:
    """Rows of names without the signs that turn a tile."""
    return [[cell[0] if isinstance(cell, list) else cell for cell in row] for row in rows]


def drawings(thing: IR) -> dict[str, Rows]:
    """Every drawing of names that a thing holds, by field."""
    found = {}
    for name, value in thing.get("fields", {}).items():
        rows = rows_of(value)
        if rows is not None:
            found[name] = rows
    return found


def named(rows: Rows) -> set[str]:
    """The names in a drawing."""
    return {name for row in rows for name in row if name != NOTHING}


def drawn_anywhere(context: Context) -> dict[str, set[str]]:
    """What each thing with drawings shows, and under an empty name what the plans at top level show."""
    known = context.notes.get(__name__)
    if known is None:
        known = {"": {name for plan in context.content["plans"] for name in named(plain_rows(plan["rows"]))}}
        for thing in context.content["things"]:
            for rows in drawings(thing).values():
                known.setdefault(thing["id"], set()).update(named(rows))
        context.notes[__name__] = known
    found: dict[str, set[str]] = known
    return found


def components(rows: Rows, ring: bool = False) -> list[list[str]]:
    """The names of a drawing in groups that touch each other, in the order drawn."""
    near = beside(rows, ring)
    groups: list[list[str]] = []
    seen: set[str] = set()
    for name in dict.fromkeys(name for row in rows for name in row if name != NOTHING):
        if name in seen:
            continue
        group, stack = [], [name]
        seen.add(name)
        while stack:
            here = stack.pop()
            group.append(here)
            stack.extend(near[here] - seen)
            seen |= near[here]
        groups.append(group)
    return groups


def beside(rows: Rows, ring: bool = False) -> dict[str, set[str]]:
    """What touches what in a drawing."""
    near: dict[str, set[str]] = {}
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            if name == NOTHING:
                continue
            mine = near.setdefault(name, set())
            for other in _neighbours(rows, x, y, ring):
                mine.add(other)
                near.setdefault(other, set()).add(name)
    return near


def _neighbours(rows: Rows, x: int, y: int, ring: bool) -> list[str]:
    row = rows[y]
    found = []
    if x + 1 < len(row):
        found.append(row[x + 1])
    if y + 1 < len(rows) and x < len(rows[y + 1]):
        found.append(rows[y + 1][x])
    if ring:
        # The last place of a ring touches the first, and each row goes on in the next.
        following = rows[(y + 1) % len(rows)] if x + 1 == len(row) else []
        found.extend(following[:1])
    return [name for name in found if name != NOTHING]
