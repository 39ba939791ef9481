"""Arranges rows: indentation, blank lines, and the columns of drawings and comments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from talewright.dsl.format.lexemes import Lexeme, Row
from talewright.dsl.format.spaces import CLOSERS, OPENERS, with_blanks
from talewright.dsl.tree.prose_literals import rebased
from talewright.schemas.records import record

STEP = 4
_QUOTES = '"""'


@record
class Line:
    """One line to write; `level` is the depth of its block, `hang` what open brackets add."""

    level: int
    hang: int
    code: str = ""
    comment: str = ""
    column: int = 0
    after_blank: bool = False

    @property
    def indent(self) -> int:
        """The blanks before the line."""
        return STEP * (self.level + self.hang)

    @property
    def end(self) -> int:
        """The column where its code ends."""
        last = self.code.rpartition("\n")
        return len(last[2]) if last[1] else self.indent + len(self.code)


class Page:
    """Takes rows in order and keeps the lines to write."""

    def __init__(self, drawn: Mapping[int, str]) -> None:
        self.lines: list[Line] = []
        self._drawn = drawn
        self._indents = [0]
        self._brackets: list[int] = []
        self._head = ""
        self._before: Lexeme | None = None
        self._blank = False
        self._waiting: list[tuple[Row, bool]] = []
        self._begun = False

    def take(self, row: Row) -> None:
        """Set the next row."""
        if row.lexemes:
            self._take_code(row)
        elif row.comment and self._brackets:
            self._add(Line(len(self._indents) - 1, self._brackets[-1] + 1, "", row.comment))
        elif row.comment:
            self._waiting.append((row, self._blank))
            self._blank = False
        else:
            self._blank = True
        # The indent of the very first line is no block: nothing stands before it.
        self._begun = True

    def finish(self) -> str:
        """The whole page."""
        self._place_comments(0, self._indents)
        _align_comments(self.lines)
        written: list[str] = []
        for line in self.lines:
            if line.after_blank:
                written.append("")
            gap = " " * (line.column - line.end) if line.code and line.comment else ""
            written.append(" " * line.indent + line.code + gap + line.comment)
        return "".join(line + "\n" for line in written)

    def _take_code(self, row: Row) -> None:
        closes = row.lexemes[0].form == "sign" and row.lexemes[0].text in CLOSERS
        if self._brackets:
            hang = self._hang(row.lexemes)
        else:
            hang = 0
            self._head = row.lexemes[0].text
            self._before = None
            self._enter_block(row.width if self._begun else 0)
        line = Line(len(self._indents) - 1, hang, "", row.comment, row.column)
        line.code = self._code(row.lexemes, line.indent)
        self._add(line, tight=closes)
        self._follow_brackets(row.lexemes, hang)
        self._before = row.lexemes[-1]

    def _enter_block(self, width: int) -> None:
        """Follow the blocks to a line of this width, and set the comments that waited for it."""
        old = list(self._indents)
        while width < self._indents[-1]:
            self._indents.pop()
        if width > self._indents[-1]:
            self._indents.append(width)
        self._place_comments(len(self._indents) - 1, old)

    def _place_comments(self, level: int, indents: list[int]) -> None:
        """A comment belongs to the next line, unless it is indented deeper: then it stays in the block that ends there."""
        deepest = len(indents) - 1
        blank = self._blank
        for row, after_blank in self._waiting:
            while deepest > level and indents[deepest] > row.width:
                deepest -= 1
            self._blank = after_blank
            self._add(Line(max(level, deepest), 0, "", row.comment))
        self._waiting.clear()
        self._blank = blank

    def _code(self, lexemes: list[Lexeme], indent: int) -> str:
        for index, lexeme in enumerate(lexemes):
            if lexeme.start in self._drawn:
                head = with_blanks(lexemes[:index], self._head)
                return f"{head} {self._drawn[lexeme.start]}" if head else self._drawn[lexeme.start]
        if lexemes[-1].form == "prose":
            margin = indent if len(lexemes) == 1 else indent + STEP
            prose = lexemes[-1]
            text = _QUOTES + rebased(prose.text[3:-3], margin) + _QUOTES
            lexemes = [*lexemes[:-1], Lexeme("prose", text, prose.start, prose.apart)]
        return with_blanks(lexemes, self._head, self._before)

    def _hang(self, lexemes: list[Lexeme]) -> int:
        """The extra indentation of a line inside brackets; a closing bracket goes back to where its line began."""
        closing = 0
        while closing < len(lexemes) and lexemes[closing].form == "sign" and lexemes[closing].text in CLOSERS:
            closing += 1
        return self._brackets[-min(closing, len(self._brackets))] if closing else self._brackets[-1] + 1

    def _follow_brackets(self, lexemes: list[Lexeme], hang: int) -> None:
        for lexeme in lexemes:
            if lexeme.form != "sign":
                continue
            if lexeme.text in OPENERS:
                self._brackets.append(hang)
            elif lexeme.text in CLOSERS and self._brackets:
                self._brackets.pop()

    def _add(self, line: Line, tight: bool = False) -> None:
        """Keep one blank line before a line, but none where a file, block or bracket begins or ends."""
        if self._blank and self.lines and not tight:
            last = self.lines[-1]
            opens = bool(last.code) and (line.level > last.level or last.code[-1] in OPENERS)
            line.after_blank = not opens
        self._blank = False
        self.lines.append(line)


def set_page(rows: Iterable[Row], drawn: Mapping[int, str]) -> str:
    """The rows in the one layout; `drawn` are the rows of drawings by their offset."""
    page = Page(drawn)
    for row in rows:
        page.take(row)
    return page.finish()


def _align_comments(lines: list[Line]) -> None:
    """Aligns comments of neighbouring lines that were aligned before."""
    start = 0
    while start < len(lines):
        stop = start + 1
        while stop < len(lines) and _in_line(lines[stop - 1], lines[stop]):
            stop += 1
        column = max(line.end for line in lines[start:stop]) + 2
        for line in lines[start:stop]:
            line.column = column
        start = stop


def _in_line(above: Line, below: Line) -> bool:
    if not (above.code and above.comment and below.code and below.comment):
        return False
    if below.after_blank or "\n" in below.code:
        return False
    return above.level == below.level and above.column == below.column
