"""Rows of tables, bands and branches as ranges of numbers, in the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._constant_folding import CONSTANTS, Range, key
from talewright.compiler.checks.check import Context
from talewright.compiler.checks.usage_index import index
from talewright.compiler.symbols.symbol_table import TableSymbol
from talewright.dsl.tree import nodes as t
from talewright.schemas.records import record

IR = dict[str, Any]


@record
class Row:
    """One row: the numbers it takes, or the constant it asks for; `sure` if it has no `when`."""

    at: int
    span: Range | None
    same: str | None
    rest: bool
    sure: bool


@record
class Rows:
    """The rows of one table, field of bands or branch; `at` is where it begins."""

    form: str
    name: str
    at: int
    rows: list[Row]
    numeric: bool


def all_rows(context: Context) -> list[Rows]:
    """Every table, bands and branch whose rows are constant, made once."""
    made = context.notes.get("rows")
    if made is None:
        made = context.notes["rows"] = list(_collect(context))
    return list(made)


def _collect(context: Context) -> Iterator[Rows]:
    for table in context.content.get("tables", ()):
        yield from _rows("table", table["id"], table_keys(context, table))
    found = index(context)
    for node, _ in found.of("bands"):
        yield from _rows("bands", "", node["rows"])
    for node, _ in found.of("branch"):
        yield from _rows("branch", "", node["arms"])


def _rows(form: str, name: str, rows: list[IR]) -> Iterator[Rows]:
    made: list[Row] = []
    for row in rows:
        one = _row(row)
        if one is None:
            return
        made.append(one)
    if made:
        numeric = all(row.span is not None or row.rest for row in made) and any(row.span for row in made)
        yield Rows(form, name, made[0].at, made, numeric)


def _row(row: IR) -> Row | None:
    """A row, or none if its key is only known in play."""
    sure = "when" not in row
    match row["key"]:
        case "otherwise":
            return Row(row["at"], None, None, True, sure)
        case "range":
            low, high = _bound(row["low"]), _bound(row["high"])
            if low is _UNKNOWN or high is _UNKNOWN:
                return None
            return Row(row["at"], (low, high), None, False, sure)  # type: ignore[arg-type]
        case "same":
            value = row["value"]
            if value.get("op") == "int":
                return Row(row["at"], (value["v"], value["v"]), None, False, sure)
            if value.get("op") in CONSTANTS or value.get("op") == "sort":
                return Row(row["at"], None, key(value), False, sure)
    return None


def table_keys(context: Context, table: IR) -> list[IR]:
    """The keys of a table's rows, in the form in which branches and bands have theirs."""
    symbols = context.work.table.functions.get(table["id"], ())
    symbol = next((s for s in symbols if isinstance(s, TableSymbol)), None)
    if symbol is None:
        return []
    arrows = [arrow for arrow in symbol.decl.body if isinstance(arrow, t.Arrow)]
    words = isinstance(table["key"], list) and table["key"][0] == "words"
    return [
        {**_arrow_key(arrow.key, words), "at": row["at"]}
        for arrow, row in zip(arrows, table["rows"], strict=False)
    ]


def _arrow_key(arrow: t.ArrowKey, words: bool) -> IR:
    made: IR
    value = arrow.value
    if arrow.form == "otherwise" or value is None:
        return {"key": "otherwise"}
    if arrow.form == "from":
        return {"key": "range", "low": _constant(value, words), "high": None}
    if arrow.form == "to":
        return {"key": "range", "low": None, "high": _constant(value, words)}
    if isinstance(value, t.Binary) and value.op == "..":
        made = {"key": "range", "low": _constant(value.left, words), "high": _constant(value.right, words)}
    else:
        made = {"key": "same", "value": _constant(value, words)}
    return {**made, "when": arrow.when} if arrow.when is not None else made


def _constant(node: t.Expr, words: bool) -> IR:
    if isinstance(node, t.Number):
        return {"op": "int", "v": node.value}
    if isinstance(node, (t.Name, t.Capital)):
        return {"op": "word", "v": node.name} if words else {"op": "thing", "id": node.name}
    return {"op": "unknown"}


_UNKNOWN = object()


def _bound(value: IR | None) -> object:
    if value is None:
        return None
    return value["v"] if value.get("op") == "int" else _UNKNOWN


def show(span: Range) -> str:
    """A range as a designer writes it."""
    low, high = span
    if low is not None and low == high:
        return str(low)
    return f"{'' if low is None else low}..{'' if high is None else high}"


class Taken:
    """The numbers that earlier rows take, as ranges apart from each other and in order."""

    def __init__(self) -> None:
        self.spans: list[Range] = []

    def covers(self, span: Range) -> bool:
        """Whether every number of a range is taken."""
        return any(_inside(span, taken) for taken in self.spans)

    def touches(self, span: Range) -> bool:
        """Whether some number of a range is taken."""
        return any(_overlap(span, taken) for taken in self.spans)

    def add(self, span: Range) -> None:
        """Takes the numbers of a range."""
        merged = span
        apart: list[Range] = []
        for taken in self.spans:
            if _overlap(merged, taken) or _adjoin(merged, taken):
                merged = (_least(merged[0], taken[0]), _greatest(merged[1], taken[1]))
            else:
                apart.append(taken)
        apart.append(merged)
        self.spans = sorted(apart, key=lambda s: -(10**12) if s[0] is None else s[0])

    def gaps(self) -> Iterator[Range]:
        """The ranges between those taken."""
        for before, after in zip(self.spans, self.spans[1:], strict=False):
            assert before[1] is not None
            assert after[0] is not None
            yield before[1] + 1, after[0] - 1

    def missing(self, low: int, high: int) -> list[int]:
        """The numbers from low to high that are not taken."""
        return [n for n in range(low, high + 1) if not self.covers((n, n))]


def _inside(span: Range, outer: Range) -> bool:
    low = outer[0] is None or (span[0] is not None and span[0] >= outer[0])
    high = outer[1] is None or (span[1] is not None and span[1] <= outer[1])
    return low and high


def _overlap(a: Range, b: Range) -> bool:
    return (a[1] is None or b[0] is None or a[1] >= b[0]) and (b[1] is None or a[0] is None or b[1] >= a[0])


def _adjoin(a: Range, b: Range) -> bool:
    return (a[1] is not None and b[0] == a[1] + 1) or (b[1] is not None and a[0] == b[1] + 1)


def _least(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else min(a, b)


def _greatest(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else max(a, b)
