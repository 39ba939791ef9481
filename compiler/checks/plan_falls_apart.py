"""A plan whose places do not all hang together."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._content_walks import own_files, own_things
from talewright.compiler.checks._drawn_plans import (
    NOTHING,
    Rows,
    components,
    drawings,
    drawn_anywhere,
    plain_rows,
)
from talewright.compiler.checks.check import Check, Context
from talewright.compiler.symbols.symbol_table import PlanSymbol
from talewright.compiler.types.lookups import name_span
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.source import Span


def find(context: Context) -> Iterator[Diagnostic]:
    """Drawings of names that fall into pieces, unless the package links places in play."""
    if "core:link" in context.work.used:
        return
    own = own_files(context)
    for symbol in context.work.table.names.values():
        if isinstance(symbol, PlanSymbol) and symbol.origin.source.name in own:
            span = symbol.origin.source.span(*name_span(symbol))
            yield from _apart(plain_rows(_rows(symbol)), symbol.decl.ring, f"the plan `{symbol.name}`", span)
    laid: set[str] | None = None
    for thing in own_things(context):
        maps = drawings(thing)
        if not maps:
            continue
        if laid is None:
            laid = set().union(*drawn_anywhere(context).values())
        if thing["id"] in laid:
            continue  # a tile: its places may meet through the tiles beside it
        for name, rows in maps.items():
            yield from _apart(rows, False, f"the {name} of `{thing['id']}`", context.span(thing["at"]))


def _rows(symbol: PlanSymbol) -> Rows:
    return [[word.text for word, _ in row] for row in symbol.decl.rows]


def _apart(rows: Rows, ring: bool, what: str, span: Span) -> Iterator[Diagnostic]:
    groups = components(rows, ring)
    if len(groups) > 1:
        here, there = groups[0][0], groups[1][0]
        yield CHECK.finding(
            span,
            f"{what} falls apart: there is no way from `{here}` to `{there}`",
            f"draw them side by side, or fill the `{NOTHING}` between them",
        )


CHECK = Check(
    code="C506",
    name="plan-falls-apart",
    severity="warning",
    why="""Places touch when they are drawn side by side. A plan in two parts, with only `.` between
    them, has places that nobody can walk to. (When the package joins places in play with `link`,
    nothing is said.)""",
    bad="""
    kind Scene is Chapter:
        map: plan
    Scene flood "The Flood":  # <-
        map:
            hill . church
            road . tower
    """,
    good="""
    kind Scene is Chapter:
        map: plan
    Scene flood "The Flood":
        map:
            hill bridge church
            road .      tower
    """,
    find=find,
)
