"""Lark with the grammar of Tale: it parses every text, and says what could have stood where one fails."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from talewright.dsl import user_cache
from talewright.dsl.build.transformer import TreeBuilder
from talewright.dsl.digest import blake2b
from talewright.dsl.grammar.grammar_file import GRAMMAR, grammar_key
from talewright.dsl.grammar.indentation import FOREIGN, REFUSED, Blocks, RefusedError

Failure = UnexpectedInput | RefusedError
FAILURES = (UnexpectedInput, RefusedError)


def _refuse(token: Token) -> Token:
    if token in REFUSED:
        raise RefusedError("foreign" if token in FOREIGN else "reserved", token)
    return token


@cache
def parser() -> Lark:
    """The parser; Lark keeps its tables in the user's cache folder."""
    blocks = Blocks()
    made = Lark(
        GRAMMAR.read_text(encoding="utf-8"),
        parser="lalr",
        lexer="contextual",
        maybe_placeholders=True,
        cache=_tables_path(),
        postlex=blocks,
        transformer=TreeBuilder(),
        lexer_callbacks={"NAME": _refuse},
    )
    blocks.watch(made.terminals)
    return made


def _tables_path() -> str | bool:
    """Where Lark keeps the tables of this grammar; nowhere, if somebody else could have written there."""
    running = f"{sys.implementation.name} {'.'.join(map(str, sys.version_info[:3]))}\n{grammar_key()}"
    name = blake2b(running.encode(), digest_size=16).hexdigest()
    path = user_cache.own_file(f"grammar-{name}.tables")
    return str(path) if path is not None else False


def declarations_of(text: str) -> list[Any]:
    """All declarations of a text that ends with a newline; raises a failure at the first error."""
    return parser().parse(text)  # type: ignore[return-value]


def expected_at_failure(text: str) -> frozenset[str]:
    """The terminals that could have stood where a text fails."""
    run: Any = parser().parse_interactive(text)
    try:
        run.exhaust_lexer()
    except FAILURES:
        return frozenset(run.accepts())
    return frozenset(run.accepts())
