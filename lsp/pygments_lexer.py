"""Tale for Pygments, so that documents and reports are coloured."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, bygroups
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from talewright.lsp.highlighting import WORDS, sorts

_BY_GROUPS: Callable[..., Any] = bygroups
_TOKENS: dict[str, Any] = {
    "opening": Keyword.Declaration, "phrase": Keyword, "inside": Keyword, "word": Keyword, "flag": Keyword, "rule-id": Name.Label,
    "chapter": Name.Class, "number": Number, "kind": Name.Class, "function": Name.Function, "name": Name,
    "sign": Operator,
}  # fmt: skip


def _code() -> list[tuple[Any, ...]]:
    made: list[tuple[Any, ...]] = []
    for sort in sorts():
        token = _TOKENS[sort.name]
        if sort.line:
            made.append((rf"^([ \t]*)({_plain(sort.pattern)})", _BY_GROUPS(Text.Whitespace, token)))
        elif sort.name in WORDS:
            made.append((rf"(?<![A-Za-z0-9_.])(?:{sort.pattern})", token))
        else:
            made.append((rf"(?:{sort.pattern})", token))
    return [*made, (r"\r?\n", Text.Whitespace), (r"[ \t]+", Text.Whitespace), (r".", Punctuation)]


def _plain(pattern: str) -> str:
    """A pattern without groups of its own: Pygments counts them."""
    return re.sub(r"(?<!\\)\((?!\?)", "(?:", pattern)


class TaleLexer(RegexLexer):
    """Lexer for Tale, the language of narrative board games."""

    name = "Tale"
    aliases: ClassVar[list[str]] = ["tale"]
    filenames: ClassVar[list[str]] = ["*.tale"]
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r'^([ \t]*)(""")', _BY_GROUPS(Text.Whitespace, String.Doc), "prose"),
            (r'"""', String.Doc, "prose"),
            (r'"', String, "string"),
            (r"#[^\n]*", Comment.Single),
            *_code(),
        ],
        "prose": [
            (r'"""', String.Doc, "#pop"),
            (r"\\.", String.Escape),
            (r"\{", String.Interpol, "hole"),
            (r'[^"\\{]+|"', String.Doc),
        ],
        "string": [
            (r'"|\n', String, "#pop"),
            (r"\\.", String.Escape),
            (r"\{", String.Interpol, "hole"),
            (r'[^"\\{\n]+', String),
        ],
        "hole": [(r"\}", String.Interpol, "#pop"), *_code()],
    }
