"""Rows that no number or word can reach."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._number_ranges import Row, Taken, all_rows
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic, Label


def find(context: Context) -> Iterator[Diagnostic]:
    """Every row behind rows that already take all it asks for."""
    for rows in all_rows(context):
        taken = Taken()
        named: dict[str, Row] = {}
        rest: Row | None = None
        for row in rows.rows:
            if rest is not None:
                yield CHECK.finding(
                    context.span(row.at),
                    "this row is never reached: `otherwise` above it takes everything",
                    "move `otherwise` to the end",
                    [Label(context.span(rest.at), "`otherwise` stands here")],
                )
            elif row.span is not None and taken.covers(row.span):
                yield CHECK.finding(
                    context.span(row.at),
                    "this row is never reached: the rows above it take all its numbers",
                    "take it away, or mend the ranges above it",
                )
            elif row.same is not None and row.same in named:
                yield CHECK.finding(
                    context.span(row.at),
                    "this row is never reached: a row above it asks for the same",
                    "take one of them away",
                    [Label(context.span(named[row.same].at), "the other row")],
                )
            if not row.sure:
                continue
            if row.rest:
                rest = rest or row
            elif row.span is not None and (
                row.span[0] is None or row.span[1] is None or row.span[0] <= row.span[1]
            ):
                taken.add(row.span)
            elif row.same is not None:
                named.setdefault(row.same, row)


CHECK = Check(
    code="F404",
    name="unreachable-row",
    severity="warning",
    why="""Rows are tried from the top, and the first that fits is taken. A row whose numbers the rows
    above already take, or that stands below `otherwise`, is never used. Most often a number is
    misprinted.""",
    bad="""
    table reward:
        ..3 -> 1
        otherwise -> 2
        8.. -> 3  # <-
    """,
    good="""
    table reward:
        ..3 -> 1
        8.. -> 3
        otherwise -> 2
    """,
    find=find,
)
