"""The grammar as a ready parser of Lark: it makes the tables, and says what is wrong with a text."""

from __future__ import annotations

from functools import cache
from typing import Any, cast

import lark
from lark import Lark, Token
from lark.exceptions import UnexpectedInput
from lark.grammar import Rule
from lark.lexer import TerminalDef

from talewright.dsl.build.transformer import TreeBuilder
from talewright.dsl.grammar import table_store
from talewright.dsl.grammar.fast_parser import at_once
from talewright.dsl.grammar.indentation import FOREIGN, REFUSED, Blocks, RefusedError
from talewright.dsl.grammar.table_store import GRAMMAR

Failure = UnexpectedInput | RefusedError


def _refuse(token: Token) -> Token:
    if token in REFUSED:
        raise RefusedError("foreign" if token in FOREIGN else "reserved", token)
    return token


@cache
def parser() -> Lark:
    """The parser, from the tables on disk when they fit this grammar."""
    grammar = GRAMMAR.read_text(encoding="utf-8")
    blocks = Blocks()
    given: dict[str, Any] = {
        "postlex": blocks,
        "transformer": TreeBuilder(),
        "lexer_callbacks": {"NAME": _refuse},
    }
    key = f"whole\n{table_store.grammar_key()}"
    made = _from_tables(table_store.load(key), given)
    if made is None:
        made = Lark(grammar, parser="lalr", lexer="contextual", maybe_placeholders=True, **given)
        table_store.save(key, _tables(made, given))
    blocks.watch(made.terminals)
    return made


def _tables(made: Lark, given: dict[str, Any]) -> dict[str, Any]:
    data, memo = made.memo_serialize([TerminalDef, Rule])
    data["options"] = {name: value for name, value in data["options"].items() if name not in given}
    return {"data": data, "memo": memo}


def _from_tables(tables: Any, given: dict[str, Any]) -> Lark | None:
    if tables is None:
        return None
    try:
        load: Any = Lark._load_from_dict
        return cast(Lark, load(tables["data"], tables["memo"], **given))
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, AssertionError, lark.LarkError):
        return None  # tables of another shape: they are built again


def declarations_of(text: str) -> list[Any]:
    """All declarations of a text that ends with a newline; raises a failure at the first error."""
    made = at_once(text)
    return parser().parse(text) if made is None else made  # type: ignore[return-value]


def expected_at_failure(text: str) -> frozenset[str]:
    """The terminals that could have stood where a text fails."""
    run: Any = parser().parse_interactive(text)
    try:
        run.exhaust_lexer()
    except (UnexpectedInput, RefusedError):
        return frozenset(run.accepts())
    return frozenset(run.accepts())
