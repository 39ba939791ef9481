"""Rows of a table or of bands that claim the same numbers."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._number_ranges import Taken, all_rows, show
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic, Label


def find(context: Context) -> Iterator[Diagnostic]:
    """Every row that shares some numbers, but not all, with rows above it."""
    for rows in all_rows(context):
        if not rows.numeric:
            continue
        taken = Taken()
        earlier: list[tuple[Taken, int]] = []
        for row in rows.rows:
            if row.span is None or not row.sure:
                continue
            if taken.touches(row.span) and not taken.covers(row.span):
                other = next(at for one, at in earlier if one.touches(row.span))
                yield CHECK.finding(
                    context.span(row.at),
                    f"{show(row.span)} overlaps a row above it",
                    "let each number stand in one row; the first row that fits is taken",
                    [Label(context.span(other), "the other row")],
                )
            taken.add(row.span)
            alone = Taken()
            alone.add(row.span)
            earlier.append((alone, row.at))


CHECK = Check(
    code="F402",
    name="overlapping-bands",
    severity="warning",
    why="""The first row that fits is taken, so numbers that two rows claim belong to the upper one,
    whatever the lower one says. A reader cannot see which was meant.""",
    bad="""
    table reward:
        ..4 -> 1
        4..8 -> 2  # <-
        9.. -> 3
    """,
    good="""
    table reward:
        ..4 -> 1
        5..8 -> 2
        9.. -> 3
    """,
    find=find,
)
