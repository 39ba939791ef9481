"""Texts with `{expression}` inside: finds the pieces and parses what stands in the braces."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as t

_BRACES = re.compile(r"\\(.)|\{([^{}\n]*)\}")
_PATH = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*\Z")
_ESCAPES = {"n": "\n", "t": "\t"}


def parts_of(text: t.Text) -> Iterator[str | tuple[int, int, t.Expr | None]]:
    """The plain pieces of a text and, with their offsets, the expressions inside braces."""
    base = text.start + (3 if text.prose else 1)
    at = 0
    for found in _BRACES.finditer(text.raw):
        if found.start() > at:
            yield text.raw[at : found.start()]
        at = found.end()
        if found[1] is not None:
            yield _ESCAPES.get(found[1], found[1])
        else:
            start = base + found.start(2)
            yield start, start + len(found[2]), _expression(found[2], start)
    if at < len(text.raw):
        yield text.raw[at:]


def _expression(text: str, start: int) -> t.Expr | None:
    stripped = text.strip()
    if not stripped:
        return None
    start += len(text) - len(text.lstrip())
    if _PATH.match(stripped):
        return _path(stripped, start)
    return _parsed(stripped, start)


def _path(text: str, start: int) -> t.Expr | None:
    from talewright.dsl.grammar.reserved_words import RESERVED

    names = text.split(".")
    if any(name in RESERVED for name in names):
        return _parsed(text, start)
    at = start + len(names[0])
    node: t.Expr = t.Name(start, at, names[0])
    for name in names[1:]:
        node = t.Dot(start, at + 1 + len(name), node, name, at + 1)
        at += 1 + len(name)
    return node


@lru_cache(maxsize=4096)
def _parsed(text: str, start: int) -> t.Expr | None:
    # A check is the shortest declaration that holds one expression; blanks keep the offsets right.
    head = "check ("
    file, findings = parse(Source("text", f"{head}{text})\n"))
    if findings or not file.declarations or not isinstance(file.declarations[0], t.CheckDecl):
        return None
    node = file.declarations[0].condition
    _shift(node, start - len(head))
    return node.inner if isinstance(node, t.Group) else node


def _shift(node: object, by: int) -> None:
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, t.Node):
            item.start += by
            item.end += by
            if isinstance(item, t.Dot):
                item.name_start += by
            stack.extend(getattr(item, name) for name in item.__match_args__)
        elif isinstance(item, (list, tuple)):
            stack.extend(item)
