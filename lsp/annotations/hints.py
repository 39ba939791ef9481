"""What the compiler worked out and the text leaves open: types that are inferred, and the range of each band."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from talewright.compiler.checks._number_ranges import Taken, show
from talewright.compiler.symbols.symbol_table import ActionSymbol, Symbol, ValueSymbol
from talewright.compiler.types.lookups import Work, name_span
from talewright.compiler.types.model import Type, written
from talewright.dsl.tree import nodes as t
from talewright.lsp.meaning import Area, areas
from talewright.lsp.project import tree_of
from talewright.schemas.records import record

# Further than this no row of a game goes: an open end is shown as open.
_FAR = 10**9
_PLAIN = {
    "int": "int",
    "truth": "yes | no",
    "pool": "dice",
    "text": "text",
    "effect": "effect",
    "die": "one die",
}
_SILENT = frozenset(("any", "none", "nothing", "unknown", "error"))


@record(frozen=True)
class Hint:
    """A short text to show at an offset, and whether it names a type."""

    offset: int
    text: str
    is_type: bool = True


def hints(text: str, path: str, work: Work) -> list[Hint]:
    """All hints of a text in order."""
    found = [*_declared(text, path, work), *_locals(text, path, work), *_bands(tree_of(text).declarations)]
    return sorted(found, key=lambda hint: hint.offset)


def short(type_: Type) -> str:
    """A type as one would write it; empty where nothing is known or worth saying."""
    if type_.tag in _SILENT:
        return ""
    if type_.tag == "thing":
        return type_.name
    return _PLAIN.get(type_.tag) or written(type_)


# ------------------------------------------------------------------ types
def _declared(text: str, path: str, work: Work) -> Iterator[Hint]:
    """The types of values, and what actions give, where their heads do not say so."""
    for area in areas(text):
        node = area.node
        if isinstance(node, t.ValueDecl) and node.type is None:
            said = _inferred(_symbol(area, path, text, work))
            at = _before_body(text, node, node.value.start if node.value is not None else None)
            if said:
                yield Hint(at, f": {said}")
        elif isinstance(node, t.ActionDecl) and node.gives is None and node.reads is None:
            said = _inferred(_symbol(area, path, text, work))
            if said:
                yield Hint(_before_body(text, node, None), f" gives {said}")


def _inferred(symbol: ValueSymbol | ActionSymbol | None) -> str:
    return short(symbol.type) if symbol is not None and symbol.type is not None else ""


def _symbol(area: Area, path: str, text: str, work: Work) -> ValueSymbol | ActionSymbol | None:
    """The declared value or action of a declaration; the text may be a little ahead of the compiler."""
    node, table = area.node, work.table
    known: list[Symbol | None]
    if isinstance(node, t.ActionDecl):
        word, known = node.verb, [*table.verbs.get(node.verb.text, ())]
    else:
        word, known = node.name, [*table.functions.get(node.name.text, ())]
        known += [table.scoped.get((area.chapter or "", word.text)), table.names.get(word.text)]
    for symbol in known:
        if (
            isinstance(symbol, (ValueSymbol, ActionSymbol))
            and os.path.realpath(symbol.origin.source.name) == path
            and (name_span(symbol)[0] == word.start or symbol.origin.source.text != text)
        ):
            return symbol
    return None


def _before_body(text: str, node: t.Node, value: int | None) -> int:
    """The end of the head of a declaration, before its `=` or `:`."""
    body = value if value is not None else (t.body_start(node) or node.end)
    head = text[node.start : body].rstrip()
    return node.start + len(head.rstrip("=:").rstrip() if head.endswith(("=", ":")) else head)


def _locals(text: str, path: str, work: Work) -> Iterator[Hint]:
    """The types of what `let` and `choose` name, in actions and values."""
    done: dict[str, Any] = getattr(work, "done", {})
    for area in areas(text):
        if not isinstance(area.node, (t.ActionDecl, t.ValueDecl)):
            continue
        symbol = _symbol(area, path, text, work)
        code = done.get(f"{symbol.form}:{symbol.id}") if symbol is not None else None
        waiting: dict[str, list[Any]] = {}
        for entry in (code or {}).get("locals", ()):
            waiting.setdefault(entry["name"], []).append(entry["type"])
        for local in area.locals:
            types = waiting.get(local.name)
            type_ = types.pop(0) if types else None
            if local.form in ("local name", "chosen") and type_ is not None:
                said = _from_json(type_)
                if said:
                    yield Hint(local.end, f": {said}")


def _from_json(type_: Any) -> str:
    if isinstance(type_, str):
        return "" if type_ in _SILENT else _PLAIN.get(type_, type_)
    tag, name, parts = type_
    if tag == "thing":
        return str(name)
    if tag in ("set", "list", "optional"):
        inner = _from_json(parts[0]) if parts else ""
        return f"{inner} or none" if tag == "optional" and inner else f"{tag} of {inner}" if inner else ""
    if tag == "range":
        return f"{parts[0]}..{parts[1]}"
    return str(name or " | ".join(map(str, parts))) if tag in ("words", "ints") else ""


# ------------------------------------------------------------------ bands
def _bands(node: Any) -> Iterator[Hint]:
    """The numbers that each row really takes, where its key does not say just that."""
    if isinstance(node, (list, tuple)):
        rows = [each for each in node if isinstance(each, t.Arrow)]
        if len(rows) > 1:
            yield from _rows(rows)
        for each in node:
            yield from _bands(each)
    elif isinstance(node, t.Node):
        for name in node.__match_args__:
            yield from _bands(getattr(node, name))


def _rows(rows: list[t.Arrow]) -> Iterator[Hint]:
    taken = Taken()
    for row in rows:
        if row.key.form == "otherwise":
            if taken.spans:
                left = _left(taken, None, None)
                yield Hint(row.key.end, f" ({left})" if left else " (nothing is left)", False)
            return
        span = _span(row.key)
        if span is None:
            return
        if taken.touches(span):
            left = _left(taken, *span)
            yield Hint(row.key.end, f" ({left})" if left else " (nothing is left)", False)
        if row.key.when is None:
            taken.add(span)


def _span(key: t.ArrowKey) -> tuple[int | None, int | None] | None:
    value: Any = key.value
    if isinstance(value, t.Number):
        low = None if key.form == "to" else value.value
        high = None if key.form == "from" else value.value
        return low, high
    if not isinstance(value, t.Binary) or value.op != "..":
        return None
    ends = value.left, value.right
    return (
        (ends[0].value, ends[1].value)
        if isinstance(ends[0], t.Number) and isinstance(ends[1], t.Number)
        else None
    )


def _left(taken: Taken, low: int | None, high: int | None) -> str:
    """What of a range earlier rows leave."""
    start = -_FAR if low is None else low
    end = _FAR if high is None else high
    parts: list[str] = []
    for first, last in (*taken.spans, (end + 1, None)):
        begin = -_FAR if first is None else first
        if start < begin and start <= end:
            until = min(begin - 1, end)
            parts.append(show((None if start == -_FAR else start, None if until == _FAR else until)))
        start = max(start, _FAR + 1 if last is None else last + 1)
    return ", ".join(parts)
