"""Finds the places of values in a JSON text, which the JSON reader does not tell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from talewright.dsl.source import Source, Span

Path = tuple[str | int, ...]

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.DOTALL)


class Places:
    """The places of some values of a valid JSON text, found in one pass."""

    def __init__(self, source: Source, wanted: Iterable[Path]) -> None:
        self.source = source
        # A missing value is shown at what should hold it, so the paths above are wanted too.
        self._wanted = {path[:length] for path in wanted for length in range(len(path) + 1)}
        self._found: dict[Path, tuple[int, int]] = {}
        if any(self._wanted):
            self._scan()

    def span(self, path: Path) -> Span:
        """The place of the value at a path, or the beginning of the nearest value around it."""
        while path:
            found = self._found.get(path)
            if found is not None:
                return self.source.span(*found)
            path = path[:-1]
        return self.source.span(0, 0)

    def _scan(self) -> None:
        path: list[str | int] = []
        objects: list[bool] = []
        key: str | int = ""
        waiting = False  # for the colon after a key
        for token in _TOKEN.finditer(self.source.text):
            sign = token[0]
            if sign in "]}":
                if objects:
                    objects.pop()
                    key = path.pop()
            elif sign == ",":
                if objects and not objects[-1] and isinstance(key, int):
                    key += 1
                waiting = bool(objects) and objects[-1]
            elif sign == ":":
                waiting = False
            elif waiting and sign[0] == '"':
                key = _text(sign)
            elif sign in "[{":
                self._note(path, key, objects, token.start(), token.end())
                objects.append(sign == "{")
                path.append(key)
                key = "" if objects[-1] else 0
                waiting = objects[-1]
            else:
                self._note(path, key, objects, token.start(), token.end())

    def _note(self, path: list[str | int], key: str | int, objects: list[bool], start: int, end: int) -> None:
        # The first step of `path` is the text itself, which has no key.
        full = (*path[1:], key) if objects else ()
        if full in self._wanted:
            self._found[full] = (start, end)


def _text(sign: str) -> str:
    try:
        return str(json.loads(sign))
    except ValueError:
        return sign
