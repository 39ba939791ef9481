"""Splits a text without parsing it: logical lines, quotes, brackets and declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from talewright.dsl.grammar.reserved_words import RESERVED
from talewright.schemas.records import record

TAB_COLUMNS = 4

_MARK = re.compile(r'"""|"(?:\\.|[^"\\\n])*"|["#()\[\]{}\n]')
_EMPTY = re.compile(r"[ \t\r]*(?:#[^\n]*)?(?:\n|\Z)")
_BLANK = re.compile(r"[ \t]*")
_NAME = re.compile(r"[A-Za-z_]\w*")
_MOST_READ = 20_000  # of one broken stretch; what comes behind is too much to be one slip
_CLOSERS = {"(": ")", "[": "]", "{": "}"}

DECLARATION = re.compile(
    r"(?:(?:kind|extend|trait|type|token|track|die|table|role|team|option|state|plan|movement|payment|period"
    r"|menu|action|value|check|measure|before|after|forbid|modify|grant|anytime|deck|pile|bag|hand|slot)"
    r"[ \t]+[A-Za-z_(]"
    r'|(?:test|offer)[ \t]+"'
    r"|instead[ \t]+of[ \t]|at[ \t]+(?:start|end)[ \t]+of[ \t]|order[ \t]+of[ \t]|start[ \t]+after[ \t]"
    r"|when[ \t][^\n]*\bbecomes[ \t]+true\b|while[ \t][^\n]*:[ \t]*(?:#[^\n]*)?$"
    r'|[A-Z]\w*[ \t]+(?:[a-z_]\w*|[0-9]+[A-Z]|[A-Z][0-9]+)[ \t]*(?:$|[":,*#]|(?:is|per)[ \t]))',
    re.MULTILINE,
)


@record
class Line:
    """One logical line: `start` is its first word, `end` the newline behind it; columns count from 0."""

    begin: int
    start: int
    end: int
    indent: int
    open_bracket: int | None = None
    stray_bracket: int | None = None
    open_string: int | None = None
    open_prose: int | None = None


def columns(blank: str) -> int:
    """How wide an indentation is."""
    return len(blank) + blank.count("\t") * (TAB_COLUMNS - 1)


def looks_like_declaration(text: str, at: int) -> bool:
    """Whether a declaration seems to begin here."""
    return DECLARATION.match(text, at) is not None


def lines_of(text: str, *, strict: bool = False) -> list[Line]:
    """The logical lines of a text.

    When quotes do not pair up, prose ends before what looks like a declaration; an open bracket does
    so too, and with `strict` at the first line that is not deeper than its own.
    """
    lines, unclosed = _scan(text, strict, guess_prose=False)
    if unclosed:
        lines, _ = _scan(text, strict, guess_prose=True)
    return lines


def stretches(text: str, lines: list[Line]) -> Iterator[tuple[int, int]]:
    """The declarations, each from the left edge to the next; an unindented block stays with its header."""
    starts: list[int] = []
    waiting = False  # a header has been seen whose block has not
    for line in lines:
        if line.indent == 0 or not starts:
            if not (waiting and not looks_like_declaration(text, line.start)):
                starts.append(line.begin)
                waiting = masked(text, line.start, line.end).rstrip().endswith(":")
        else:
            waiting = False
    yield from zip(starts, [*starts, len(text)][1:], strict=True)


def _scan(text: str, strict: bool, guess_prose: bool) -> tuple[list[Line], bool]:
    lines: list[Line] = []
    at, size, unclosed = 0, len(text), False
    while at < size:
        empty = _EMPTY.match(text, at)
        if empty:
            at = max(empty.end(), at + 1)
            continue
        start = _end_of_blank(text, at)
        line = Line(at, start, size, columns(text[at:start]))
        at = _finish(text, line, strict, guess_prose)
        unclosed = unclosed or line.open_prose is not None
        lines.append(line)
    return lines, unclosed


def _end_of_blank(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _finish(text: str, line: Line, strict: bool, guess_prose: bool) -> int:
    """Fills in a line from its start; gives where the next one begins."""
    at, size = line.start, len(text)
    brackets: list[tuple[str, int]] = []
    while True:
        mark = _MARK.search(text, at)
        if mark is None:
            break
        sign, at = mark.group(), mark.end()
        if sign == "\n":
            if brackets and not _bracket_ends(text, line, at, strict):
                continue
            line.end = mark.start()
            if brackets:
                line.open_bracket = brackets[-1][1]
            return at
        if sign == "#":
            newline = text.find("\n", at)
            at = size if newline < 0 else newline
        elif sign == '"""':
            end = _end_of_prose(text, at, guess_prose)
            if end is None:
                line.open_prose = mark.start()
                break
            if end < 0:
                line.open_prose = mark.start()
                line.end = -end - 1
                return -end
            at = end
        elif sign == '"':
            line.open_string = mark.start()
            newline = text.find("\n", at)
            at = size if newline < 0 else newline
        elif sign in _CLOSERS:
            brackets.append((sign, mark.start()))
        elif sign in ")]}":
            if brackets and _CLOSERS[brackets[-1][0]] == sign:
                brackets.pop()
            elif line.stray_bracket is None:
                line.stray_bracket = mark.start()
    line.end = max(line.start, len(text.rstrip()))
    if brackets:
        line.open_bracket = brackets[-1][1]
    return size


def _end_of_prose(text: str, at: int, guess: bool) -> int | None:
    """The offset behind the closing quotes, none without any, or minus where a declaration cuts it off."""
    close = text.find('"""', at)
    if guess:
        newline = text.find("\n", at, close if close >= 0 else len(text))
        while newline >= 0:
            if looks_like_declaration(text, newline + 1):
                return -(newline + 1)
            newline = text.find("\n", newline + 1, close if close >= 0 else len(text))
    return close + 3 if close >= 0 else None


def _bracket_ends(text: str, line: Line, at: int, strict: bool) -> bool:
    """Whether a bracket that is open at a newline seems forgotten."""
    if strict and text[max(line.start, at - 200) : at].rstrip().endswith(":"):
        return True
    while (empty := _EMPTY.match(text, at)) and at < len(text):
        at = max(empty.end(), at + 1)
    start = _end_of_blank(text, at)
    if start >= len(text):
        return True
    if text[start] in ")]}":
        return False
    if strict and columns(text[at:start]) <= line.indent:
        return True
    return start == at and looks_like_declaration(text, at)


def masked(text: str, start: int, end: int) -> str:
    """A stretch of text, equally long, with comments blanked, newlines as blanks and quoted text as `_`."""
    parts: list[str] = []
    at = start
    while at < end:
        mark = _MARK.search(text, at, end)
        if mark is None:
            parts.append(text[at:end])
            break
        parts.append(text[at : mark.start()])
        sign, at = mark.group(), mark.end()
        if sign == "#":
            newline = text.find("\n", at, end)
            stop = end if newline < 0 else newline
            parts.append(" " * (stop - mark.start()))
            at = stop
        elif sign == '"""':
            close = text.find('"""', at, end)
            stop = end if close < 0 else close + 3
            parts.append('"' + "_" * (stop - mark.start() - 2) + '"')
            at = stop
        elif len(sign) > 1:
            parts.append('"' + "_" * (len(sign) - 2) + '"')
        else:
            parts.append(" " if sign == "\n" else sign)
    return "".join(parts).replace("\r", " ").replace("\t", " ")


def names_in(text: str, start: int, end: int) -> set[str]:
    """The words of a stretch of text that may be meant as names."""
    found = _NAME.findall(masked(text, start, min(end, start + _MOST_READ)))
    return {name for name in found if name.strip("_")} - RESERVED
