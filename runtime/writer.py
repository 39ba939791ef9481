"""Python source under construction. Every name in it is numbered by us; no text of a document enters it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Functions that count and compare whole numbers, and nothing else: nothing in them can go wrong.
_SAFE = re.compile(
    r"(?:def _(?:_can)?\((?:self_)?\):|S\[\d+\]|\d+|\b(?:return|pass|bool|True|False|if|else|and|or|not)\b|[-+*|()<>=!\s])+"
)


class Writer:
    """Lines of generated source with their indentation, and the place in the text each comes from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: list[int] = []
        self.depth = 0
        self.at = -1
        self.constants: dict[str, Any] = {}
        # Those that are tables of lists of things.
        self.listing: set[str] = set()
        self._by_value: dict[tuple[str, Any], str] = {}
        self._count = 0
        self._functions: dict[str, str] = {}

    def line(self, text: str) -> None:
        """Adds a line at the present depth."""
        self.lines.append("    " * self.depth + text)
        self.places.append(self.at)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """A header and what is indented below it."""
        self.line(header)
        self.depth += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.line("pass")
        self.depth -= 1

    def shared(self, name: str, begin: int) -> str:
        """The name of what was written from a line on, or of what does the same and was written before.

        A story has hundreds of pages that do the same, and Python runs one function often sooner than many seldom.
        Where something can go wrong, each place keeps its own: a fault tells which line of the package it comes from.
        """
        text = "\n".join(self.lines[begin:]).replace(f"def {name}", "def _")
        if _SAFE.fullmatch(text) is None:
            return name
        known = self._functions.setdefault(text, name)
        if known != name:
            del self.lines[begin:], self.places[begin:]
        return known

    def fresh(self, prefix: str) -> str:
        """A name nobody else has."""
        self._count += 1
        return f"{prefix}{self._count}"

    def next_name(self, prefix: str) -> str:
        """The name that will be given next."""
        return f"{prefix}{self._count + 1}"

    def constant(self, value: Any, prefix: str = "C") -> str:
        """A name for a value that is handed over by reference."""
        key: tuple[str, Any] | None
        try:
            key = (type(value).__name__, value)
            known = self._by_value.get(key)
        except TypeError:
            key, known = None, None
        if known is not None:
            return known
        name = self.fresh(prefix)
        self.constants[name] = value
        if key is not None:
            self._by_value[key] = name
        return name

    def things(self, table: dict[Any, list[int]]) -> str:
        """A name for a table of lists of things."""
        name = self.constant(table)
        self.listing.add(name)
        return name

    def text(self) -> str:
        """The whole source."""
        return "\n".join(self.lines) + "\n"
