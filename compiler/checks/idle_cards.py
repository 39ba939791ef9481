"""Cards that never come into play."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import Index, at_in_main, index, is_whole, weight
from talewright.dsl.diagnostics import Diagnostic

# Counting cards when a package is compiled, or naming them in a test, brings none into play.
_ONLY_LOOKING = frozenset(("test", "check"))


def find(context: Context) -> Iterator[Diagnostic]:
    """Every card that no pile deals, no code names and no query can meet."""
    if not is_whole(context):
        return
    seen = index(context)
    work = context.work
    met = _kinds_met(seen)
    forced = {kind["id"] for kind in context.content.get("kinds", ()) if "in_force" in kind}
    for thing in context.content.get("things", ()):
        name, kind = thing["id"], thing["kind"]
        if (
            "at" not in thing
            or "inside" in thing
            or not work.is_a(kind, "Card")
            or not at_in_main(context, thing["at"])
        ):
            continue
        if kind == "Card" and "text" in thing and "fields" not in thing and "rules" not in thing:
            # A plain card with nothing but text lies beside the board to be read.
            continue
        lineage = work.lineage(kind)
        if any(above in met for above in lineage) or _named(seen, name, thing.get("copies", 1)):
            continue
        if thing.get("rules") and not any(above in forced for above in lineage):
            # Its rules are in force from the first moment, wherever it lies.
            continue
        yield CHECK.finding(
            context.span(thing["at"]),
            f"the card `{name}` is never drawn, revealed or referred to",
            "put it into a pile that is drawn from, or name it where it should appear",
            severity=weight(context),
        )


def _named(seen: Index, name: str, copies: int) -> bool:
    names = [name, *(f"{name}_{number}" for number in range(1, min(copies, 99) + 1) if copies > 1)]
    for one in names:
        users = seen.users.get(("thing", one), ())
        if any(seen.units[n].form not in _ONLY_LOOKING and seen.units[n].id != name for n in users):
            return True
    return False


def _kinds_met(seen: Index) -> set[str]:
    """The kinds whose things some code or some pile in use can meet."""
    met: set[str] = set()
    for (sort, kind), users in seen.users.items():
        if sort == "kind" and any(_brings(seen, number) for number in users):
            met.add(kind)
    return met


def _brings(seen: Index, number: int) -> bool:
    unit = seen.units[number]
    if unit.form in _ONLY_LOOKING:
        return False
    return unit.form != "pile" or ("pile", unit.id) in seen.users


CHECK = Check(
    code="F409",
    name="idle-card",
    severity="warning",
    why="""A card takes part in the game when it lies in a pile that somebody draws from, when a band, an
    effect or another card names it, or when a query can meet it. A card that nothing reaches might as
    well not exist. Most often some list forgot its number.""",
    bad="""
    kind Clue is Card
    pile shelf of Clue
    Clue C1 "A Torn Page"
    Clue C2 "A Wet Boot"  # <-
    action game: move C1 to shelf
    """,
    good="""
    kind Clue is Card
    deck clues of Clue = all Clue
    pile shelf of Clue
    Clue C1 "A Torn Page"
    Clue C2 "A Wet Boot"
    action game: draw 1 from clues into shelf
    """,
    find=find,
)
