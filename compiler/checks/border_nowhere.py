"""A border between places that do not touch."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.compiler.checks._content_walks import IR, own_things
from talewright.compiler.checks._drawn_plans import Rows, beside, drawings, drawn_anywhere, named
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Span

Pair = tuple[str, str]


def find(context: Context) -> Iterator[Diagnostic]:
    """Pairs of places of a drawing that are marked as neighbours but are drawn apart, or not at all."""
    tiles: dict[str, list[Rows]] | None = None
    for thing in own_things(context):
        pairs = list(_pairs(thing))
        maps = list(drawings(thing).values()) if pairs else []
        if not maps:
            continue
        if tiles is None:
            tiles = {t["id"]: list(drawings(t).values()) for t in context.content["things"] if drawings(t)}
        known = set().union(*drawn_anywhere(context).values())
        for field, pair in pairs:
            if known.issuperset(pair) and not any(_touch(rows, pair, tiles) for rows in maps):
                a, b = pair
                yield CHECK.finding(
                    _place(context, thing, pair),
                    f"`{a}` and `{b}` do not touch here, so there is no border for `{field}` to mark",
                    "name two places that are drawn side by side, or mend the drawing",
                )


def _pairs(thing: IR) -> Iterator[tuple[str, Pair]]:
    for name, value in thing.get("fields", {}).items():
        items = value.get("items", ()) if isinstance(value, dict) else ()
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and item.get("op") == "pair":
                a, b = item["a"].get("id"), item["b"].get("id")
                if isinstance(a, str) and isinstance(b, str):
                    yield name, (a, b)


def _touch(rows: Rows, pair: Pair, tiles: dict[str, list[Rows]]) -> bool:
    """Whether two places lie side by side on a drawing, or on tiles that do or may."""
    a, b = pair
    near = beside(rows)
    if b in near.get(a, ()):
        return True
    holding = {name: [tile for tile in named(rows) if _shows(tiles.get(tile, ()), name)] for name in pair}
    for here in holding[a]:
        for there in holding[b]:
            if there in near.get(here, ()):
                return True  # which edges of two tiles meet hangs on how they are turned
            if here == there and any(b in beside(inner).get(a, ()) for inner in tiles[here]):
                return True
    return False


def _shows(drawn: list[Rows] | tuple[()], name: str) -> bool:
    return any(name in named(rows) for rows in drawn)


def _place(context: Context, thing: IR, pair: Pair) -> Span:
    file, start, end = context.work.spots[thing["at"]]
    source = context.source(file)
    a, b = map(re.escape, pair)
    found = re.compile(rf"\b{a}[ ]*\|[ ]*{b}\b").search(source.text, start)
    return source.span(found.start(), found.end()) if found else source.span(start, end)


CHECK = Check(
    code="C513",
    name="border-nowhere",
    severity="warning",
    why="""A list of pairs beside a drawing marks borders: walls, doors, whatever the field is called. Places
    that are not drawn side by side have no border, so that the mark is never looked at.""",
    bad="""
    kind Scene is Chapter:
        map: plan
        walls: list of pair
    Scene dusk "Dusk":
        map:
            bank ford hill
        walls: bank | hill  # <-
    """,
    good="""
    kind Scene is Chapter:
        map: plan
        walls: list of pair
    Scene dusk "Dusk":
        map:
            bank ford hill
        walls: bank | ford
    """,
    find=find,
)
