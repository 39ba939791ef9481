"""More copies of a thing used at once than the box holds."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import first_line, index, is_own, own_things
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import ThingSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Casts and `sort * n` that ask for more copies than were declared."""
    work = context.work
    for thing in own_things(context):
        placed: dict[str, int] = {}
        for line in thing.get("cast", ()):
            for group in line["groups"]:
                symbol = work.thing(group.get("thing", ""))
                if symbol is None:
                    continue
                sort = symbol.sort or symbol.name
                whole = work.thing(sort)
                have = _copies(whole)
                before = placed.get(sort, 0)
                placed[sort] = before + group["count"]
                if whole is None or have is None or not before <= have < placed[sort]:
                    continue
                if have == 1 and group["count"] == 1:
                    continue  # one figure in two places is a finding of its own
                yield CHECK.finding(
                    context.span(group["at"]),
                    f"this cast needs {placed[sort]} of `{sort}`, but the box holds {have}",
                    f"declare more copies, `* {placed[sort]}`, or place fewer",
                    [work.label(whole, "declared here")],
                )
    for node, at in index(context).all("some_copies"):
        sort, count = node["of"].get("id"), node["count"]
        symbol = work.thing(sort) if node["of"].get("op") == "sort" else None
        have = _copies(symbol)
        if symbol is None or have is None or count.get("op") != "int" or count["v"] <= have:
            continue
        if is_own(context, at):
            yield CHECK.finding(
                first_line(context, at),
                f"`{sort} * {count['v']}` asks for more than the box holds: there are {have}",
                f"declare more copies, or ask for {have} at most",
                [work.label(symbol, "declared here")],
            )


def _copies(symbol: ThingSymbol | None) -> int | None:
    """How many there are; none when that depends on who plays."""
    return None if symbol is None or symbol.per is not None else symbol.copies


CHECK = Check(
    code="C501",
    name="too-many-copies",
    severity="warning",
    why="""`Kind name * n` says how many copies of a thing lie in the box. A cast that places more
    of them, or `name * m` with a greater number, gets only the copies that are left.""",
    bad="""
    kind Beast is Figure
    Beast hound "Hound" * 2
    plan fen: reeds bank
    Chapter dusk "Dusk":
        cast:
            3 hound at reeds  # <-
    """,
    good="""
    kind Beast is Figure
    Beast hound "Hound" * 3
    plan fen: reeds bank
    Chapter dusk "Dusk":
        cast:
            3 hound at reeds
    """,
    find=find,
    local=True,
)
