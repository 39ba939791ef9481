"""Parses texts without mistakes from the tables that Lark has made, without loading Lark.

Whatever is out of the ordinary, it gives up, and Lark says what is wrong.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from talewright.dsl.build.transformer import TreeBuilder
from talewright.dsl.grammar import table_store
from talewright.dsl.grammar.indentation import REFUSED, Blocks, RefusedError
from talewright.dsl.grammar.tokens import Token

_Build = Callable[[list[Any]], Any]


class _MistakeError(Exception):
    """The text is not in order."""


def at_once(text: str) -> list[Any] | None:
    """All declarations of a text that ends with a newline; none when there is any mistake in it."""
    ready = _ready()
    try:
        return None if ready is None else ready.parse(text)
    except (_MistakeError, RefusedError):
        return None


@cache
def _ready() -> Quick | None:
    """The parser; none where this Lark keeps its tables otherwise, and then Lark parses everything itself."""
    key = f"quick\n{table_store.grammar_key()}"
    tables = table_store.load(key)
    try:
        if tables is not None:
            return Quick(tables)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        pass  # tables of another shape: they are made again
    from talewright.dsl.grammar.parser_tables import make_tables

    try:
        tables = make_tables()
        made = Quick(tables)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, ImportError):
        return None
    table_store.save(key, tables)
    return made


class Quick:
    """The loop over tokens and states."""

    def __init__(self, tables: dict[str, Any]) -> None:
        self._states: dict[int, dict[str, int]] = tables["states"]
        self._start: int = tables["start"]
        self._end: int = tables["end"]
        builder = TreeBuilder()
        self._rules = [(rule[0], rule[1], _build(builder, *rule[2:])) for rule in tables["rules"]]
        self._lexers: list[Any] = tables["lexers"]
        self._lexer_of: dict[int, int] = tables["lexer_of"]
        self._ignored = frozenset(tables["ignored"])
        self._blocks = Blocks()
        self._blocks.watched = frozenset(tables["watched"])
        # By state: how to match, and the words that are no names there; made when the state is first met.
        self._scanners: dict[int, Any] = {}
        self._by_lexer: dict[int, Any] = {}

    def parse(self, text: str) -> list[Any]:
        """The declarations of a text."""
        states, rules, end = self._states, self._rules, self._end
        stack: list[int] = [self._start]
        values: list[Any] = []
        token: Any = None
        for token in self._blocks.process(self._tokens(text, stack)):
            kind = token.type
            row = states[stack[-1]]
            while True:
                action = row.get(kind)
                if action is None:
                    raise _MistakeError
                if action >= 0:
                    break
                size, name, build = rules[~action]
                if size:
                    parts = values[-size:]
                    del stack[-size:], values[-size:]
                    values.append(build(parts))
                else:
                    values.append(build([]))
                state = states[stack[-1]][name]
                stack.append(state)
                row = states[state]
            stack.append(action)
            values.append(token)
        while stack[-1] != end:
            action = states[stack[-1]].get("$END")
            if action is None or action >= 0:
                raise _MistakeError
            size, name, build = rules[~action]
            parts = values[len(values) - size :]
            del stack[len(stack) - size :], values[len(values) - size :]
            values.append(build(parts))
            stack.append(states[stack[-1]][name])
        return list(values[-1])

    def _tokens(self, text: str, stack: list[int]) -> Iterator[Token]:
        at, length = 0, len(text)
        scanners, ignored, new = self._scanners, self._ignored, Token.__new__
        while at < length:
            state = stack[-1]
            known = scanners.get(state)
            if known is None:
                known = scanners[state] = self._scanner(state)
            matches, words = known
            for match in matches:
                found = match(text, at)
                if found is not None:
                    break
            else:
                raise _MistakeError
            kind = found.lastgroup
            begin, at = at, found.end()
            if kind in ignored:
                continue
            value = found.group()
            if kind in words:
                kind = words[kind].get(value, kind)
            if kind == "NAME" and value in REFUSED:
                raise _MistakeError
            token = new(Token, value)
            token.type, token.start_pos, token.end_pos = kind, begin, at
            yield token

    def _scanner(self, state: int) -> Any:
        number = self._lexer_of[state]
        if number not in self._by_lexer:
            patterns, words = self._lexers[number]
            self._by_lexer[number] = [_pattern(*each).match for each in patterns], words
        return self._by_lexer[number]


def _pattern(text: str, flags: int, code: bytes, groups: int, names: Any, by_number: Any) -> Any:
    """A regular expression from its code; compiled anew where this Python makes them otherwise."""
    try:
        from _sre import compile as assemble  # type: ignore[import-not-found]

        return assemble(text, flags, array("I", code).tolist(), groups, names, by_number)
    except (ImportError, RuntimeError, TypeError, ValueError, OverflowError):
        import re

        return re.compile(text)


def _build(builder: TreeBuilder, name: str, single: bool, parts: list[Any], missing: int) -> _Build:
    """How a rule makes its value from those of its parts."""
    make: _Build = _inline if name.startswith("_") else getattr(builder, name, _unknown)
    gaps = missing or any(before for _, _, before in parts)
    if not gaps and not any(spread for _, spread, _ in parts):
        numbers = [number for number, _, _ in parts]
        if len(numbers) == 1 and single:
            only = numbers[0]
            return lambda given: given[only]
        return lambda given: make([given[number] for number in numbers])

    def build(given: list[Any]) -> Any:
        children: list[Any] = []
        for number, spread, before in parts:
            if before:
                children += [None] * before
            if spread:
                # The first one is taken over as it is: a list that grows by one must not be copied each time.
                children = children + given[number] if children else given[number]
            else:
                children.append(given[number])
        if missing:
            children += [None] * missing
        return children[0] if single and len(children) == 1 else make(children)

    return build


def _unknown(children: list[Any]) -> Any:
    """For rules that only ever pass on their one part, and so have no method."""
    raise _MistakeError


def _inline(children: list[Any]) -> list[Any]:
    return children
