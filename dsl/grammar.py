"""The grammar as a ready parser: blocks from indentation, refused words, tables kept on disk."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import lark
from lark import Lark, Token
from lark.exceptions import UnexpectedInput
from lark.grammar import Rule
from lark.lexer import TerminalDef

from talewright.dsl import table_store
from talewright.dsl.build import TreeBuilder
from talewright.dsl.words import RESERVED

GRAMMAR = Path(__file__).with_name("tale.lark")
TAB_COLUMNS = 4
MAX_BLOCKS = 60
MAX_BRACKETS = 60
# Deeper than this, a pass that walks the tree by recursion could run out of stack.
MAX_STEPS = 120

# Words of other languages that would silently become names of nothing.
FOREIGN = {"true": "yes", "false": "no", "null": "none", "nil": "none"}
_REFUSED = RESERVED | FOREIGN.keys()

Reason = Literal["reserved", "foreign", "dedent", "blocks", "brackets", "steps"]


class RefusedError(Exception):
    """A token that the grammar would take and the language does not."""

    def __init__(self, reason: Reason, token: Token) -> None:
        super().__init__(f"{reason}: {token}")
        self.reason = reason
        self.token = token


Failure = UnexpectedInput | RefusedError

_OPENING = frozenset(("LPAR", "LSQB", "LBRACE"))
_CLOSING = frozenset(("RPAR", "RSQB", "RBRACE"))
_SEPARATORS = frozenset(("COMMA", "SEMICOLON"))
_STEPS = frozenset(
    (
        "NOT", "AND", "OR", "DOT", "PLUS", "MINUS", "STAR", "SLASH", "PERCENT", "IN", "NEAR", "ADJACENT_TO",
        "FOLLOWING", "STARTING_WITH", "WITHIN", "OF", "IF", "OTHERWISE", "MANY_OF", "FIRST_POSSIBLE",
        "ALL_POSSIBLE",
    )
)  # fmt: skip


class Blocks:
    """Turns indentation into block tokens, frees newlines inside brackets, and bounds every depth."""

    always_accept = ("_NL",)

    def __init__(self) -> None:
        self.watched = _OPENING | _CLOSING | _SEPARATORS | _STEPS | {"_NL"}

    def watch(self, terminals: Iterable[TerminalDef]) -> None:
        """Counts the arrow too, whose terminal has no name of its own."""
        self.watched = self.watched | {t.name for t in terminals if t.pattern.value == "->"}

    def process(self, stream: Iterable[Token]) -> Iterator[Token]:
        """The stream with block tokens in it."""
        watched = self.watched
        indents = [0]
        token: Token | None = None
        # Steps so far in this stretch; for each open bracket, the steps before it and the most inside.
        depth, outer = 0, list[tuple[int, int]]()
        after_dot = False
        for token in stream:
            kind = token.type
            if kind not in watched:
                after_dot = False
                yield token
            elif kind == "DOT":
                # A dot behind a dot is an empty cell of a drawing: no path goes through it.
                depth = 0 if after_dot and not outer else depth + 1
                after_dot = True
                if depth > MAX_STEPS:
                    raise RefusedError("steps", token)
                yield token
            elif kind == "_NL":
                if not outer:
                    depth = 0
                    yield token
                    yield from self._edges(token, indents)
            elif kind in _OPENING:
                outer.append((depth, depth))
                depth += 1
                if len(outer) > MAX_BRACKETS:
                    raise RefusedError("brackets", token)
                if depth > MAX_STEPS:
                    raise RefusedError("steps", token)
                yield token
            elif kind in _CLOSING:
                yield token
                if outer:
                    depth = max(depth, outer.pop()[1])
            elif kind in _SEPARATORS:
                if outer:
                    base, most = outer[-1]
                    outer[-1] = base, max(most, depth)
                    depth = base + 1
                else:
                    depth = 0
                yield token
            else:
                depth += 1
                if depth > MAX_STEPS:
                    raise RefusedError("steps", token)
                yield token
        while len(indents) > 1:
            indents.pop()
            yield Token.new_borrow_pos("_DEDENT", "", token) if token is not None else Token("_DEDENT", "")

    def _edges(self, token: Token, indents: list[int]) -> Iterator[Token]:
        blank = token[token.rfind("\n") + 1 :]
        indent = len(blank) + blank.count("\t") * (TAB_COLUMNS - 1)
        if indent > indents[-1]:
            indents.append(indent)
            if len(indents) - 1 > MAX_BLOCKS:
                raise RefusedError("blocks", token)
            yield Token.new_borrow_pos("_INDENT", blank, token)
            return
        while indent < indents[-1]:
            indents.pop()
            yield Token.new_borrow_pos("_DEDENT", blank, token)
        if indent != indents[-1]:
            raise RefusedError("dedent", token)


def _refuse(token: Token) -> Token:
    if token in _REFUSED:
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
    key = f"{lark.__version__}\n{grammar}"
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
    return parser().parse(text)  # type: ignore[return-value]


def expected_at_failure(text: str) -> frozenset[str]:
    """The terminals that could have stood where a text fails."""
    run: Any = parser().parse_interactive(text)
    try:
        run.exhaust_lexer()
    except (UnexpectedInput, RefusedError):
        return frozenset(run.accepts())
    return frozenset(run.accepts())
