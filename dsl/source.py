"""Source texts and exact places in them."""

from __future__ import annotations

from bisect import bisect_right

from talewright.schemas.records import field, record


@record(frozen=True)
class Span:
    """A stretch of one file; lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __lt__(self, other: Span) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[str, int, int, int, int]:
        return self.file, self.line, self.column, self.end_line, self.end_column


@record
class Source:
    """One text with its name as shown to people, and the way from offsets to lines."""

    name: str
    text: str
    _starts: list[int] | None = field(default=None, repr=False)

    def _line_starts(self) -> list[int]:
        if self._starts is None:
            starts = [0]
            find = self.text.find
            at = find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = find("\n", at + 1)
            self._starts = starts
        return self._starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """The line and column, from 1, of a character offset."""
        starts = self._line_starts()
        line = bisect_right(starts, max(0, min(offset, len(self.text))))
        return line, max(0, offset) - starts[line - 1] + 1

    def span(self, start: int, end: int) -> Span:
        """The span between two character offsets."""
        end = max(start, min(end, len(self.text)))
        line, column = self.line_column(start)
        end_line, end_column = self.line_column(end)
        return Span(self.name, line, column, end_line, end_column)

    def line_text(self, line: int) -> str:
        """The text of one line, without its line break."""
        starts = self._line_starts()
        if not 1 <= line <= len(starts):
            return ""
        begin = starts[line - 1]
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[begin:end].rstrip("\r\n")
