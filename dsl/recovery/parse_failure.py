"""Describes a failed parse in the terms that messages need."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from talewright.dsl.grammar.indentation import RefusedError
from talewright.dsl.grammar.lark_parser import Failure, expected_at_failure
from talewright.dsl.recovery.text_shape import Line, looks_like_declaration, masked

_WORD = re.compile(r"[A-Za-z_]\w*|[0-9]+|\S")
_NAME = re.compile(r"[A-Za-z_]\w*")
_ENDS = {"_NL": "newline", "_INDENT": "indent", "_DEDENT": "end", "$END": "end"}
_THING = re.compile(r"[A-Z]\w*[ \t]+[\w\"]")


@dataclass(frozen=True)
class Trouble:
    """A failed parse of a draft: the logical line, the word it stopped at, what could have stood there."""

    text: str
    lines: Sequence[Line]
    index: int
    at: int
    word: str
    kind: str
    expected: frozenset[str] = field(default=frozenset())

    @property
    def line(self) -> Line:
        """The logical line at fault."""
        return self.lines[self.index]

    @property
    def next(self) -> Line | None:
        """The logical line below."""
        return self.lines[self.index + 1] if self.index + 1 < len(self.lines) else None

    @property
    def previous(self) -> Line | None:
        """The logical line above."""
        return self.lines[self.index - 1] if self.index else None

    @cached_property
    def code(self) -> str:
        """The line without comments and quoted text, as long as the line."""
        return masked(self.text, self.line.start, self.line.end)

    @cached_property
    def offset(self) -> int:
        """Where in `code` the parser stopped."""
        return max(0, min(self.at - self.line.start, len(self.code)))

    @property
    def before(self) -> str:
        """The line's code up to the failure."""
        return self.code[: self.offset]

    @property
    def after(self) -> str:
        """The line's code from the failure on."""
        return self.code[self.offset :]

    @cached_property
    def segment(self) -> tuple[int, int]:
        """The statement at fault: between `;`, or behind the last `:` that opens a block on the line."""
        begin = self.before.rfind(";") + 1
        opened = re.search(r".*:[ ]+(?=\S)", self.code[begin : self.offset])
        if opened and not self.code[begin:].lstrip().startswith(
            ("action", "value", "option", "state", "menu")
        ):
            begin += opened.end()
        end = self.code.find(";", self.offset)
        return begin, len(self.code) if end < 0 else end

    @cached_property
    def statement(self) -> str:
        """The code of the statement at fault, without outer blanks."""
        begin, end = self.segment
        return self.code[begin:end].strip()

    @cached_property
    def first_word(self) -> str:
        """The line's first word."""
        found = _WORD.match(self.code)
        return found.group() if found else ""

    @cached_property
    def last_word(self) -> str:
        """The word before the failure."""
        words = _WORD.findall(self.before[-200:])
        return words[-1] if words else ""

    def parents(self) -> list[str]:
        """The lines this one stands below, the nearest first, as code."""
        found: list[str] = []
        indent = self.line.indent
        for line in reversed(self.lines[: self.index]):
            if line.indent < indent:
                indent = line.indent
                found.append(masked(self.text, line.start, min(line.end, line.start + 400)).strip())
        return found

    @cached_property
    def place(self) -> str:
        """What may stand on this line: `top`, `kind`, `thing`, `test` or `statement`."""
        above = self.parents()
        while above and above[-1].startswith("while ") and looks_like_declaration(above[-1], 0):
            above.pop()
        if not above:
            return "top"
        first = _NAME.match(above[-1])
        word = first.group() if first else ""
        if word == "test":
            return "test" if len(above) == 1 else "statement"
        inline = all(re.match(r'[a-z_]\w*[ ]+\w+[ ]*(?:"_*"[ ]*)?:$', parent) for parent in above[:-1])
        if word in ("kind", "extend", "trait", "role"):
            return "kind" if len(above) == 1 else "statement"
        if _THING.match(above[-1]) or word == "die":
            return "thing" if inline else "statement"
        return "statement"

    def span_of(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in `code` as offsets in the draft."""
        return self.line.start + start, self.line.start + end


def line_at(lines: Sequence[Line], offset: int) -> int:
    """The index of the logical line that holds an offset, or of the nearest one above it."""
    return max(0, bisect_right([line.begin for line in lines], offset) - 1)


def trouble_of(failure: Failure, text: str, lines: Sequence[Line]) -> Trouble:
    """What is known about a failure in a draft."""
    if isinstance(failure, RefusedError):
        at = failure.token.start_pos or 0
        index = line_at(lines, at)
        if failure.reason in ("dedent", "blocks"):
            index = min(index + 1, len(lines) - 1)
            at = lines[index].start
        expected = expected_at_failure(text) if failure.reason == "reserved" else frozenset[str]()
        return Trouble(text, lines, index, at, str(failure.token), failure.reason, expected)
    if isinstance(failure, UnexpectedCharacters):
        at = failure.pos_in_stream or 0
        allowed = frozenset(failure.allowed or ())
        return Trouble(text, lines, line_at(lines, at), at, text[at : at + 1], "character", allowed)
    return _behind_open_bracket(_of_token(failure, text, lines))


def _behind_open_bracket(t: Trouble) -> Trouble:
    """After an unclosed bracket, the parser fails many lines later: the line with the bracket is at fault."""
    if "_NL" in t.expected or t.line.open_bracket is not None:
        return t
    for index in range(t.index - 1, -1, -1):
        if t.lines[index].open_bracket is not None:
            return replace(t, index=index, kind="token", word=t.word or " ")
    return t


def _of_token(failure: UnexpectedInput, text: str, lines: Sequence[Line]) -> Trouble:
    token = failure.token if isinstance(failure, UnexpectedToken) else None
    kind = token.type if token is not None else "$END"
    at = token.start_pos if token is not None else None
    if at is None or kind == "$END":
        at = len(text.rstrip())
    expected = frozenset[str]()
    if isinstance(failure, UnexpectedToken):
        run: Any = failure.interactive_parser
        expected = frozenset(run.accepts() if run is not None else failure.expected)
    index = line_at(lines, at)
    if kind in _ENDS:
        return Trouble(text, lines, index, at, "", _ENDS[kind], expected)
    return Trouble(text, lines, index, at, str(token), "token", expected)
