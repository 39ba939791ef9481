"""Blocks from indentation, words that are refused, and a bound on every depth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from talewright.dsl.grammar.reserved_words import RESERVED

TAB_COLUMNS = 4
MAX_BLOCKS = 60
MAX_BRACKETS = 60
# Deeper than this, a pass that walks the tree by recursion could run out of stack.
MAX_STEPS = 120

# Words of other languages that would silently become names of nothing.
FOREIGN = {"true": "yes", "false": "no", "null": "none", "nil": "none"}
REFUSED = RESERVED | FOREIGN.keys()

Reason = Literal["reserved", "foreign", "dedent", "blocks", "brackets", "steps"]


class RefusedError(Exception):
    """A token that the grammar would take and the language does not."""

    def __init__(self, reason: Reason, token: Any) -> None:
        super().__init__(f"{reason}: {token}")
        self.reason = reason
        self.token = token


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
        self.watched: frozenset[str] = _OPENING | _CLOSING | _SEPARATORS | _STEPS | {"_NL"}

    def watch(self, terminals: Iterable[Any]) -> None:
        """Counts the arrow too, whose terminal has no name of its own."""
        self.watched = self.watched | {t.name for t in terminals if t.pattern.value == "->"}

    def process(self, stream: Iterable[Any]) -> Iterator[Any]:
        """The stream with block tokens in it."""
        watched = self.watched
        indents = [0]
        token: Any = None
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
            yield token.new_borrow_pos("_DEDENT", "", token)

    def _edges(self, token: Any, indents: list[int]) -> Iterator[Any]:
        blank = token[token.rfind("\n") + 1 :]
        indent = len(blank) + blank.count("\t") * (TAB_COLUMNS - 1)
        if indent > indents[-1]:
            indents.append(indent)
            if len(indents) - 1 > MAX_BLOCKS:
                raise RefusedError("blocks", token)
            yield token.new_borrow_pos("_INDENT", blank, token)
            return
        while indent < indents[-1]:
            indents.pop()
            yield token.new_borrow_pos("_DEDENT", blank, token)
        if indent != indents[-1]:
            raise RefusedError("dedent", token)
