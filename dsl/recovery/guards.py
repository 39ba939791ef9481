"""Checks before parsing: size, binary data, line ends, tabs, long lines and huge numbers."""

from __future__ import annotations

import re

from talewright.dsl.diagnostics import Diagnostic, Edit, Fix
from talewright.dsl.recovery.mistake_table import finding
from talewright.dsl.recovery.text_shape import TAB_COLUMNS, Line, lines_of, masked
from talewright.dsl.source import Source
from talewright.dsl.text_sanitizer import CONTROL
from talewright.schemas.records import field, record

MAX_TEXT = 4 * 1024 * 1024
MAX_LINE = 4000
MAX_NUMBER = 10**9
_MOST_OF_ONE_CODE = 20

_LONE_RETURN = re.compile(r"\r(?!\n)")
_TAB_INDENT = re.compile(r"^[ ]*\t", re.MULTILINE)
_DIGITS = re.compile(r"[0-9]{10}")
_NUMBER = re.compile(r"\b(?:[0-9]*[dx])?([0-9]{10,})")
_PROSE = re.compile(r'"""(?:[^"]|"(?!""))*"""')
_INK = re.compile(r"\S")


@record
class Prepared:
    """A text ready to be parsed, as long as its source (and a newline); none when it must not be."""

    text: str | None
    findings: list[Diagnostic] = field(default_factory=list)
    wiped: list[tuple[int, int]] = field(default_factory=list)


def prepare(source: Source) -> Prepared:
    """The text to parse, without anything that would harm the parser."""
    text = source.text
    if len(text) > MAX_TEXT:
        said = f"the text has {len(text):,} characters; at most {MAX_TEXT:,} are read"
        return Prepared(None, [finding("S101", said, source.span(0, 0), "split it into files by subject")])
    nul = text.find("\0")
    if nul >= 0:
        said = "this is no text: it holds a zero byte"
        return Prepared(
            None, [finding("S102", said, source.span(nul, nul + 1), "save it as plain UTF-8 text")]
        )
    ready = Prepared(text)
    if text.startswith("\ufeff"):
        _mark(source, ready)
    if "\r" in text and _LONE_RETURN.search(text):
        _returns(source, ready)
    _controls(source, ready)
    _shape(source, ready)
    if ready.text is not None and not ready.text.endswith("\n"):
        ready.text += "\n"
    return ready


def _mark(source: Source, ready: Prepared) -> None:
    span = source.span(0, 1)
    fix = Fix("take out the mark", (Edit(span, ""),))
    said = "the text begins with a byte order mark"
    ready.findings.append(finding("S109", said, span, "save it as plain UTF-8", (fix,)))
    ready.text = " " + source.text[1:]


def _returns(source: Source, ready: Prepared) -> None:
    text = ready.text or ""
    places = [found.start() for found in _LONE_RETURN.finditer(text)]
    edits = tuple(Edit(source.span(at, at + 1), "\n") for at in places)
    said = "a carriage return stands here without its line feed"
    help = "end lines with a line feed"
    span = source.span(places[0], places[0] + 1)
    ready.findings.append(finding("S108", said, span, help, (Fix("use line feeds", edits),)))
    ready.text = _LONE_RETURN.sub("\n", text)


def _controls(source: Source, ready: Prepared) -> None:
    """Characters that nobody sees, and that could command a terminal or turn the direction of a text."""
    found = [at for at in CONTROL.finditer(source.text) if at[0] != "\r"]
    for at in found[:_MOST_OF_ONE_CODE]:
        span = source.span(*at.span())
        said = f"a character that nobody sees stands here, U+{ord(at[0]):04X}"
        fix = Fix("take it out", (Edit(span, ""),))
        ready.findings.append(
            finding("S128", said, span, "take it out: what is shown has a mark in its place", (fix,))
        )


def _shape(source: Source, ready: Prepared) -> None:
    """The guards that need logical lines; these are read only when something looks odd."""
    text = ready.text or ""
    tabs = "\t" in text and _TAB_INDENT.search(text) is not None
    longest = len(text) > MAX_LINE and max(map(len, text.split("\n"))) > MAX_LINE
    if tabs or longest:
        lines = lines_of(text)
        if tabs:
            _tabs(source, ready, lines)
        if longest:
            _long_lines(source, ready, lines)
    if _DIGITS.search(text):
        _numbers(source, ready)


def _tabs(source: Source, ready: Prepared, lines: list[Line]) -> None:
    text = ready.text or ""
    pure: list[Edit] = []
    mixed: list[Edit] = []
    for line in lines:
        blank = text[line.begin : line.start]
        if "\t" in blank:
            group = mixed if " " in blank else pure
            group.append(Edit(source.span(line.begin, line.start), " " * line.indent))
    if mixed:
        more = f" (and {len(mixed) - 1} lines more)" if len(mixed) > 1 else ""
        said = f"this line is indented with tabs and spaces mixed{more}"
        help = "indent with four spaces a step"
        fix = Fix("use spaces", (*mixed, *pure), safe=False)
        ready.findings.append(finding("S112", said, mixed[0].span, help, (fix,)))
    elif pure:
        said = f"this line is indented with tabs; each counts as {TAB_COLUMNS} columns"
        fix = Fix("use spaces", tuple(pure))
        ready.findings.append(finding("S111", said, pure[0].span, "indent with four spaces a step", (fix,)))


def _long_lines(source: Source, ready: Prepared, lines: list[Line]) -> None:
    found = 0
    last_wiped = 0
    for index, line in enumerate(lines):
        text = ready.text or ""
        if line.end - line.start <= MAX_LINE or line.begin < last_wiped:
            continue
        # Prose may have any length. A newline stands for it here, so that the code around it stays apart.
        at_most = max(map(len, _PROSE.sub("\n", text[line.start : line.end]).split("\n")))
        if at_most <= MAX_LINE:
            continue
        last_wiped = _end_of_block(lines, index, len(text))
        ready.wiped.append((line.begin, last_wiped))
        ready.text = text[: line.begin] + _INK.sub(" ", text[line.begin : last_wiped]) + text[last_wiped:]
        found += 1
        if found <= _MOST_OF_ONE_CODE:
            said = f"this line has {at_most:,} characters; at most {MAX_LINE:,} are read"
            span = source.span(line.start, line.start + 1)
            ready.findings.append(finding("S103", said, span, "break it inside brackets, or use a block"))


def _end_of_block(lines: list[Line], index: int, size: int) -> int:
    for line in lines[index + 1 :]:
        if line.indent <= lines[index].indent:
            return line.begin
    return size


def _numbers(source: Source, ready: Prepared) -> None:
    text = ready.text or ""
    pieces: list[str] = []
    done = found = 0
    for number in _NUMBER.finditer(masked(text, 0, len(text))):
        digits = number.group(1)
        if len(digits.lstrip("0")) <= 10 and int(digits) <= MAX_NUMBER:
            continue
        start, end = number.span(1)
        pieces += [text[done:start], str(MAX_NUMBER - 1).rjust(end - start, "0")]
        done = end
        found += 1
        if found <= _MOST_OF_ONE_CODE:
            said = f"this number is too large: at most {MAX_NUMBER:,} can be counted"
            ready.findings.append(finding("S107", said, source.span(start, end), "use a smaller number"))
    if done:
        ready.text = "".join([*pieces, text[done:]])
