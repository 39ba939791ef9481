"""A cast that stands somewhere the chapter's map does not show."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import first_line, own_things
from talewright.compiler.checks._drawn_plans import drawings, drawn_anywhere, named
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Lines of a cast whose place is drawn elsewhere, but not on the map of their own chapter."""
    drawn: dict[str, set[str]] | None = None
    everywhere: set[str] = set()
    for thing in own_things(context):
        maps = drawings(thing)
        if not maps or "cast" not in thing:
            continue
        if drawn is None:
            drawn = drawn_anywhere(context)
            everywhere = set().union(*drawn.values())
        here = set(drawn[""])
        for rows in maps.values():
            for name in named(rows):
                here.add(name)
                here |= drawn.get(name, set())  # a tile brings the places drawn on it
        for line in thing["cast"]:
            place = line["place"]
            if place.get("op") == "thing" and place["id"] in everywhere and place["id"] not in here:
                title = thing.get("title", thing["id"])
                hint = context.work.suggest(place["id"], here)
                yield CHECK.finding(
                    first_line(context, line["at"]),
                    f"`{place['id']}` is not on the map of “{title}”",
                    hint or "name a place of this map, or lay the tile that has it",
                )


CHECK = Check(
    code="C503",
    name="place-not-on-map",
    severity="warning",
    why="""A chapter that draws its own map plays on that map. A figure whose place is drawn only in
    another chapter, or on a tile that is not laid here, stands where nobody can reach it.""",
    bad="""
    kind Scene is Chapter:
        map: plan
    Figure ferryman "The Ferryman"
    Scene dusk "Dusk":
        map:
            bank ford
    Scene dawn "Dawn":
        map:
            hill road
        cast:
            ferryman at ford  # <-
    """,
    good="""
    kind Scene is Chapter:
        map: plan
    Figure ferryman "The Ferryman"
    Scene dusk "Dusk":
        map:
            bank ford
    Scene dawn "Dawn":
        map:
            hill road
        cast:
            ferryman at road
    """,
    find=find,
)
