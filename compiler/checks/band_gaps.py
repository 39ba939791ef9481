"""Tables and bands that leave out some numbers or words."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.checks._constant_folding import key
from talewright.compiler.checks._number_ranges import Rows, Taken, all_rows, show, table_keys
from talewright.compiler.checks.check import Check, Context
from talewright.dsl.diagnostics import Diagnostic


def find(context: Context) -> Iterator[Diagnostic]:
    """Gaps between rows, bands without open ends, and words a table does not know."""
    for rows in all_rows(context):
        if not rows.numeric or any(row.rest for row in rows.rows):
            continue
        taken = Taken()
        for row in rows.rows:
            if row.span is not None:
                taken.add(row.span)
        yield from _gaps(context, rows, taken)
        if rows.form == "bands":
            yield from _ends(context, rows, taken)
    yield from _words(context)


def _gaps(context: Context, rows: Rows, taken: Taken) -> Iterator[Diagnostic]:
    for gap in taken.gaps():
        assert gap[1] is not None
        after = next(row for row in rows.rows if row.span is not None and row.span[0] == gap[1] + 1)
        yield CHECK.finding(
            context.span(after.at),
            f"no row takes {show(gap)}",
            f"begin this row at {gap[0]}, or add a row for {show(gap)} or `otherwise`",
        )


def _ends(context: Context, rows: Rows, taken: Taken) -> Iterator[Diagnostic]:
    low, high = taken.spans[0][0], taken.spans[-1][1]
    if low is not None:
        yield CHECK.finding(
            context.span(rows.rows[0].at),
            f"nothing is written for a total below {low}",
            f"open the lowest band: `..{low} ->`",
        )
    elif high is not None:
        yield CHECK.finding(
            context.span(rows.rows[-1].at),
            f"nothing is written for a total above {high}",
            f"open the highest band: `{high}.. ->`",
        )


def _words(context: Context) -> Iterator[Diagnostic]:
    for table in context.content.get("tables", ()):
        kind = table["key"]
        rows = table_keys(context, table)
        if not isinstance(kind, list) or kind[0] != "words" or any(r["key"] != "same" for r in rows):
            continue
        named = {key(row["value"]) for row in rows}
        left_out = [word for word in kind[2] if key({"op": "word", "v": word}) not in named]
        if left_out:
            words = ", ".join(f"`{word}`" for word in left_out)
            yield CHECK.finding(
                context.span(table["at"]),
                f"the table `{table['id']}` has no row for {words}",
                "add the rows, or end with `otherwise ->`",
            )


CHECK = Check(
    code="F401",
    name="gap-in-bands",
    severity="warning",
    why="""A table, a field of bands or a `match` is asked with a number and takes the first row that
    fits. A number that no row takes ends the game with an error. Bands are
    asked with totals, which have no limit: their lowest row begins with `..` and their highest ends with
    it.""",
    bad="""
    table reward:
        1..3 -> 1
        5.. -> 2  # <-
    """,
    good="""
    table reward:
        1..3 -> 1
        4.. -> 2
    """,
    find=find,
)
