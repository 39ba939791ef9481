"""From the positions of the protocol to character offsets and back."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable

from lsprotocol import types as lsp

from talewright.dsl.source import Source, Span

_WIDTHS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
    "utf-16": lambda text: len(text) + sum(character > "\uffff" for character in text),
    "utf-32": len,
}


class Positions:
    """Lines and columns of one text, in the units that client and server agreed on."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self._text = text
        self._source = Source("", text)
        self._width = _WIDTHS[encoding]
        self._starts = [0, *(at + 1 for at, character in enumerate(text) if character == "\n")]

    def offset(self, position: lsp.Position) -> int:
        """The character offset of a position; one outside the text means the nearest place inside."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        line = self._source.line_text(position.line + 1)
        if self._width(line) == len(line):
            return start + min(position.character, len(line))
        taken = 0
        for count, character in enumerate(line):
            if taken >= position.character:
                return start + count
            taken += self._width(character)
        return start + len(line)

    def position(self, offset: int) -> lsp.Position:
        """The position of a character offset."""
        offset = max(0, min(offset, len(self._text)))
        line = bisect_right(self._starts, offset) - 1
        start = self._starts[line]
        return lsp.Position(line, self._width(self._text[start:offset]))

    def end_of_line(self, line: int) -> lsp.Position:
        """The position behind the last character of a line, which counts from 0."""
        return lsp.Position(line, self._width(self._source.line_text(line + 1)))

    def range(self, start: int, end: int) -> lsp.Range:
        """The range between two character offsets."""
        return lsp.Range(self.position(start), self.position(end))

    def of_span(self, span: Span) -> lsp.Range:
        """The range of a span, whose columns count characters from 1."""
        return self.range(*self.offsets(span))

    def offsets(self, span: Span) -> tuple[int, int]:
        """The character offsets of a span."""
        return self._at(span.line, span.column), self._at(span.end_line, span.end_column)

    def _at(self, line: int, column: int) -> int:
        if line > len(self._starts):
            return len(self._text)
        return min(self._starts[max(0, line - 1)] + column - 1, len(self._text))
