"""Splits a text into rows of words, signs and comments, which the formatter then arranges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from talewright.dsl.tree.prose_literals import TAB
from talewright.schemas.records import field, record

Form = Literal["word", "target", "sign", "string", "prose"]
_FORMS: dict[str, Form] = {"word": "word", "target": "target", "string": "string", "prose": "prose"}

# A run of letters and digits is never split, even where the grammar would split it.
_SCAN = re.compile(
    r'''
      (?P<prose>"""(?:.|\n)*?""")
    | (?P<string>"(?!"")(?:\\.|[^"\\\n])*")
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\n)
    | (?P<blank>[ \t]+)
    | (?P<target>[0-9]+\+(?=[\s,;:)\]}]))
    | (?P<word>[A-Za-z0-9_]+)
    | (?P<sign>->|\.\.|==|!=|<=|>=|[^ \t\n])
    ''',
    re.VERBOSE,
)


class Lexeme(NamedTuple):
    """A word, sign or text; `apart` when blanks stood before it."""

    form: Form
    text: str
    start: int
    apart: bool


@record
class Row:
    """One line as written, or several when prose runs over them."""

    width: int = 0
    lexemes: list[Lexeme] = field(default_factory=list)
    comment: str = ""
    column: int = 0


def read_rows(text: str) -> Iterator[Row]:
    """The rows of a text whose last line ends with a line break."""
    row = Row()
    line_start = 0
    apart = False
    for match in _SCAN.finditer(text):
        form = match.lastgroup
        if form == "newline":
            yield row
            row = Row()
            line_start = match.end()
            apart = False
            continue
        if form == "blank":
            if match.start() == line_start and not row.lexemes:
                row.width = _width(match.group())
            apart = True
            continue
        if form == "comment":
            row.comment = match.group().replace("\t", TAB).rstrip()
            row.column = _width(text[line_start : match.start()])
            continue
        row.lexemes.append(Lexeme(_FORMS.get(form or "", "sign"), match.group(), match.start(), apart))
        apart = False
        if form == "prose" and "\n" in match.group():
            line_start = text.rindex("\n", match.start(), match.end()) + 1


def _width(blanks: str) -> int:
    return len(blanks.replace("\t", TAB))
