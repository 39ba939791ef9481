"""Drawings made of names: their rows with the columns in line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from talewright.dsl.tree import nodes as tree


def drawn_rows(file: tree.File) -> dict[int, str]:
    """Every row of the drawings of a file by the offset where it starts, as it should be written."""
    written: dict[int, str] = {}
    for rows in _drawings(file):
        cells = [[word.text + turn for word, turn in row] for row in rows]
        widths = [0] * max(map(len, cells), default=0)
        for texts in cells:
            for column, cell in enumerate(texts):
                widths[column] = max(widths[column], len(cell))
        for row, texts in zip(rows, cells, strict=True):
            padded = (text.ljust(width) for text, width in zip(texts, widths, strict=False))
            written[row[0][0].start] = " ".join(padded).rstrip()
    return written


def _drawings(file: tree.File) -> Iterator[list[list[tuple[tree.Word, str]]]]:
    pending: list[Any] = list(file.declarations)
    while pending:
        node = pending.pop()
        if isinstance(node, list | tuple):
            pending.extend(node)
        elif isinstance(node, tree.Drawn | tree.PlanDecl):
            yield node.rows
        elif isinstance(node, tree.Node):
            pending.extend(getattr(node, part) for part in node.__match_args__)
