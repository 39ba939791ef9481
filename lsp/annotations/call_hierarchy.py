"""Who calls an action or value, and what it calls."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from talewright.compiler.symbols.symbol_table import ActionSymbol, Symbol, TableSymbol, ValueSymbol
from talewright.compiler.types.lookups import Work, name_span
from talewright.dsl.tree import nodes as t
from talewright.lsp.meaning import Area, areas, meaning_of
from talewright.lsp.words import lexemes
from talewright.schemas.records import record

_CALLABLE = (ActionSymbol, ValueSymbol, TableSymbol)


@record(frozen=True)
class Caller:
    """A declaration: its name, what it is, and where it and its name stand."""

    name: str
    form: str
    path: str
    start: int
    end: int
    name_start: int
    name_end: int


def callables(symbols: tuple[Symbol, ...]) -> Iterator[Caller]:
    """Those of some symbols that can be called."""
    for symbol in symbols:
        if isinstance(symbol, _CALLABLE) and symbol.origin.package != "core":
            path = os.path.realpath(symbol.origin.source.name)
            node = symbol.node
            yield Caller(symbol.name, symbol.form, path, node.start, node.end, *name_span(symbol))


def caller_at(text: str, path: str, offset: int) -> Caller | None:
    """The declaration around an offset, as somebody who calls."""
    around = [area for area in areas(text) if area.start <= offset <= area.end]
    area = min(around, key=lambda each: each.end - each.start, default=None)
    if area is None:
        return None
    name, start, end = _name(area, text)
    return Caller(name, _form(area.node), path, area.start, area.end, start, end)


def called_from(text: str, start: int, end: int, work: Work) -> Iterator[tuple[Caller, tuple[int, int]]]:
    """What the code between two offsets calls, and where."""
    for word in lexemes(text):
        if word.form == "word" and start <= word.start < end:
            for caller in callables(meaning_of(text, word, work).symbols):
                if caller.name_start != word.start:
                    yield caller, (word.start, word.end)


def _form(node: Any) -> str:
    return type(node).__name__.removesuffix("Decl").lower() if node is not None else "declaration"


def _name(area: Area, text: str) -> tuple[str, int, int]:
    node = area.node
    word = getattr(node, "verb", None) or getattr(node, "name", None)
    if isinstance(node, t.ThingDecl) and node.ids:
        word = node.ids[0]
    if isinstance(word, t.Word):
        return word.text, word.start, word.end
    head = text[area.start : area.end].partition("\n")[0].strip().rstrip(":")[:80]
    return head or "?", area.start, area.start + len(head)
