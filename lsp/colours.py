"""Semantic tokens: what each word is, for colours that the grammar of an editor cannot know."""

from __future__ import annotations

from collections.abc import Iterator

from talewright.compiler.symbols.core import FUNCTIONS, VERBS_BY_NAME
from talewright.compiler.symbols.symbol_table import Symbol
from talewright.compiler.types.lookups import Work
from talewright.lsp.meaning import meaning_of
from talewright.lsp.words import Lexeme, lexemes

TOKEN_TYPES = (
    "keyword", "class", "type", "enumMember", "variable", "parameter", "property", "function", "method",
    "namespace", "string", "number", "comment",
)  # fmt: skip
_BY_FORM = {
    "kind": "class", "trait": "class", "type": "type", "field": "property", "action": "method", "value": "function",
    "table": "function", "menu": "function", "period": "namespace",
}  # fmt: skip


def coloured(text: str, work: Work | None) -> Iterator[tuple[Lexeme, str]]:
    """Every word and number of a text with the type of its token."""
    for lexeme in lexemes(text):
        if lexeme.form == "number":
            yield lexeme, "number"
        elif lexeme.form == "word" and work is not None:
            kind = _kind(text, lexeme, work)
            if kind:
                yield lexeme, kind


def _kind(text: str, lexeme: Lexeme, work: Work) -> str:
    meaning = meaning_of(text, lexeme, work)
    if meaning.local is not None:
        return "parameter" if meaning.local.form == "parameter" else "variable"
    if meaning.language:
        if lexeme.text in VERBS_BY_NAME:
            return "method"
        return (
            "function" if lexeme.text in FUNCTIONS and text[lexeme.end : lexeme.end + 1] == "(" else "keyword"
        )
    if not meaning.symbols:
        return ""
    symbol: Symbol = meaning.symbols[0]
    if symbol.form == "type" and symbol.name != lexeme.text:
        return "enumMember"
    return _BY_FORM.get(symbol.form, "variable")
