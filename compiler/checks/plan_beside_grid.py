"""Two sorts of maps in one game, and ways of moving without squares to move on."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks.check import Check, Context
from talewright.compiler.checks.usage_index import at_in_main, is_main, is_whole
from talewright.compiler.symbols.symbol_table import MovementSymbol
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every plan beside a Grid, and every movement where only plans are."""
    if not is_whole(context):
        return
    work = context.work
    grids = [thing for thing in context.content["things"] if work.is_a(thing["kind"], "Grid")]
    plans = [plan for plan in context.content["plans"] if plan["rows"]]
    if grids and plans:
        for thing in grids:
            if at_in_main(context, thing["at"]) or not is_main(context, _package(context, plans[0]["id"])):
                yield CHECK.finding(
                    context.span(thing["at"]),
                    f"`{thing['id']}` is a Grid, and this game has a plan too: it can have one sort of map",
                    "draw all places in the plan, or lay all of them as pieces on the Grid",
                )
    if grids or not plans:
        return
    for movement in work.table.names.values():
        if isinstance(movement, MovementSymbol) and is_main(context, movement.origin.package):
            word = movement.decl.name
            yield CHECK.finding(
                movement.origin.source.span(word.start, word.end),
                f"the movement `{word.text}` goes over the squares of a Grid, and here are only the places of a plan",
                "write a `value` of the mover and two places as the way: `value by_boat(k: Keeper, a: Room, b: Room) = ...`",
            )


def _package(context: Context, plan: str) -> str:
    symbol = context.work.table.names.get(plan)
    return symbol.origin.package if symbol is not None else ""


CHECK = Check(
    code="C514",
    name="plan-beside-grid",
    severity="warning",
    why="""The places of a game come either from plans, which draw places and the ways between them, or
    from pieces with squares that are laid on a Grid. A game has one sort of map. A `movement` says how
    somebody goes from square to square, so it needs a Grid; on a plan, a value of the mover and two places
    is the way.""",
    bad="""
    kind Room is Place
    Room mill, inn
    plan town:
        mill inn
    movement ride:  # <-
        costs at: 2
    action game: nothing
    """,
    good="""
    kind Room is Place
    Room mill, inn
    plan town:
        mill inn
    action game: nothing
    """,
    find=find,
)
