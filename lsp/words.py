"""The words of a text where they are code: names and keywords, also those in the braces of texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from talewright.schemas.records import record

_SCAN = re.compile(
    r'''(?P<prose>"""(?:.|\n)*?(?:"""|\Z))|(?P<string>"(?:\\.|[^"\\\n])*"?)|(?P<comment>\#[^\n]*)'''
    r"""|(?P<number>[0-9]+x[0-9]+|[0-9]*d[0-9]+(?![a-z0-9_])|[0-9]+\+(?=[\s,;:)\]}])|[0-9]+(?![A-Za-z0-9_]))"""
    r"""|(?P<rule>[A-Z]+(?:-[A-Z0-9]+)+)|(?P<word>[A-Za-z0-9_]+)|(?P<sign>->|\.\.|[^\s])"""
)
_HOLE = re.compile(r"\\.|\{([^{}\"]*)\}", re.DOTALL)
_NAME = re.compile(r"[A-Za-z0-9_]+")


@record(frozen=True)
class Lexeme:
    """A word, number, sign, text or comment. `inside` tells that it stands in the braces of a text."""

    form: str
    text: str
    start: int
    end: int
    inside: bool = False


@lru_cache(maxsize=192)
def lexemes(text: str) -> tuple[Lexeme, ...]:
    """All lexemes of a text in order; those in the braces of a text come behind that text."""
    return tuple(_lexemes(text))


def _lexemes(text: str) -> Iterator[Lexeme]:
    for match in _SCAN.finditer(text):
        form = match.lastgroup or "sign"
        yield Lexeme(form, match.group(), match.start(), match.end())
        if form in ("prose", "string"):
            for hole in _HOLE.finditer(text, match.start(), match.end()):
                if hole.group(1) is not None:
                    for name in _NAME.finditer(text, hole.start(1), hole.end(1)):
                        yield Lexeme("word", name.group(), name.start(), name.end(), True)


def word_at(text: str, offset: int) -> Lexeme | None:
    """The word that an offset touches, if it is code."""
    found = [
        each for each in lexemes(text) if each.start <= offset <= each.end and each.form in ("word", "rule")
    ]
    return found[-1] if found else None


def in_text(text: str, offset: int) -> bool:
    """Whether an offset lies in prose, a text or a comment, outside its braces."""
    around = [each for each in lexemes(text) if each.start < offset <= _end(each) and not each.inside]
    if not around or around[-1].form not in ("prose", "string", "comment"):
        return bool(around) and around[-1].form == "comment"
    return not any(hole.start(1) <= offset <= hole.end(1) for hole in _holes(text, around[-1]))


def _end(lexeme: Lexeme) -> int:
    """The last offset that is inside: behind a text that is still open one goes on writing it."""
    closing = {"prose": '"""', "string": '"'}.get(lexeme.form)
    is_open = lexeme.form == "comment" or (
        closing is not None and (len(lexeme.text) < 2 * len(closing) or not lexeme.text.endswith(closing))
    )
    return lexeme.end if is_open else lexeme.end - 1


def _holes(text: str, lexeme: Lexeme) -> Iterator[re.Match[str]]:
    if lexeme.form != "comment":
        for hole in _HOLE.finditer(text, lexeme.start, lexeme.end):
            if hole.group(1) is not None:
                yield hole
