"""Menus that nobody opens."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._unused_declarations import WHY_SYSTEMS, in_main, is_used, report
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Every menu without an `open`."""
    for symbol in context.work.table.menus.values():
        if in_main(context, symbol.origin) and not is_used(context, "menu", symbol.name):
            yield report(
                CHECK,
                context,
                symbol,
                f"nothing opens the menu `{symbol.name}`",
                f"write `open {symbol.name} by ...`",
            )


CHECK = Check(
    code="F429",
    name="unused-menu",
    severity="warning",
    why="""What is offered in a menu can be chosen while the menu is open. A menu that nothing opens keeps
    all its offers from the players."""
    + WHY_SYSTEMS,
    bad="""
    track hope 0..9 start 4
    menu camp  # <-
    offer "Rest" in camp: rest
    action rest: hope + 1
    action game: hope + 1
    """,
    good="""
    track hope 0..9 start 4
    role Player 1..4 named p
    menu camp
    offer "Rest" in camp: rest
    action rest: hope + 1
    action game: open camp by p1
    """,
    find=find,
)
