"""Lines of a source with marks under them."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from talewright.dsl.source import Source, Span
from talewright.dsl.text_sanitizer import harmless
from talewright.schemas.records import record

_TAB = "    "
_CUT = "..."


@record(frozen=True)
class Mark:
    """A span to be underlined with a sign, and what to say about it."""

    span: Span
    sign: str
    text: str
    style: str


def printable(text: str) -> str:
    """The text without characters that could move the cursor or change the direction of writing."""
    return harmless(text.replace("\t", _TAB)).replace("\n", "\ufffd")


def excerpt(source: Source, marks: list[Mark], margin: int, width: int, frame: str) -> Iterator[Text]:
    """The marked lines in order, each with its number, cut to the width around its first mark."""
    by_line: dict[int, list[Mark]] = {}
    for mark in marks:
        by_line.setdefault(mark.span.line, []).append(mark)
    before = 0
    for line in sorted(by_line):
        if before and line > before + 1:
            yield Text("...", style=frame)
        before = line
        yield from _marked_line(source.line_text(line), line, by_line[line], margin, width, frame)


def _marked_line(
    text: str, line: int, marks: list[Mark], margin: int, width: int, frame: str
) -> Iterator[Text]:
    room = max(24, width - margin - 4)
    first = min(mark.span.column for mark in marks) - 1
    begin, end = _window(text, first, max(_end(mark.span, text) for mark in marks), room)
    head = _CUT if begin else ""
    shown = head + printable(text[begin:end]) + (_CUT if end < len(text) else "")
    yield Text.assemble((f"{line:>{margin}} | ", frame), shown.rstrip())
    for mark in marks:
        start = min(max(mark.span.column - 1, begin), end)
        stop = min(max(_end(mark.span, text), start), end)
        pad = cell_len(head + printable(text[begin:start]))
        signs = mark.sign * max(1, cell_len(printable(text[start:stop])))
        label = f" {printable(mark.text)}" if mark.text else ""
        yield Text.assemble(
            (" " * margin + " | ", frame), " " * pad, (signs, mark.style), (label, mark.style)
        )


def _end(span: Span, text: str) -> int:
    """The offset in its first line where a span ends."""
    return span.end_column - 1 if span.end_line == span.line else len(text)


def _window(text: str, first: int, last: int, room: int) -> tuple[int, int]:
    """The part of a line to show: all of it if it fits, else what lies around the first mark."""
    # A tab is shown as four signs and a wide letter as two, so a line of `room` letters may not fit.
    if len(text) <= room and cell_len(printable(text)) <= room:
        return 0, len(text)
    space = room - 2 * len(_CUT)
    begin = max(0, min(first, len(text)) - space // 3)
    if min(last, len(text)) <= space and cell_len(printable(text[:last])) <= space:
        begin = 0
    end, used = begin, 0
    while end < len(text):
        used += cell_len(printable(text[end]))
        if used > space:
            break
        end += 1
    return begin, end
