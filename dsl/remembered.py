"""Declarations that were parsed before, for a process that parses texts again after each keystroke.

A declaration is known by its text. One that now stands elsewhere is copied with the offsets of its new place;
one that has not moved is the very object of the earlier tree, so nobody may change a tree.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from talewright.dsl.grammar.lark_parser import declarations_of
from talewright.dsl.recovery.text_shape import lines_of, stretches
from talewright.dsl.tree import nodes as tree

MAX_KEPT = 20_000
_PLACES = frozenset(("start", "end", "name_start"))


class Remembered:
    """The declarations of texts by their own text; those not asked for longest go first."""

    def __init__(self) -> None:
        self._kept: dict[str, tuple[int, list[Any]]] = {}

    def declarations_of(self, text: str) -> list[Any]:
        """All declarations of a text that ends with a newline; raises a failure if there is an error."""
        parts = [(text[start:end], start) for start, end in stretches(text, lines_of(text))]
        known = sum(len(part) for part, _ in parts if part in self._kept)
        if known * 2 < len(text):
            return self._whole(text, parts)
        made: list[Any] = []
        for part, start in parts:
            made += self.stretch(part, start)
        return made

    def stretch(self, text: str, start: int) -> list[Any]:
        """The declarations of one stretch that starts at an offset; raises a failure if there is an error."""
        found = self._kept.pop(text, None)
        if found is None:
            found = 0, declarations_of(text)
        if found[0] != start:
            found = start, moved(found[1], start - found[0])
        self._keep(text, *found)
        return list(found[1])

    def _whole(self, text: str, parts: list[tuple[str, int]]) -> list[Any]:
        made = declarations_of(text)
        at = 0
        for part, start in parts:
            begin = at
            while at < len(made) and made[at].start < start + len(part):
                at += 1
            self._keep(part, start, made[begin:at])
        return made

    def _keep(self, text: str, start: int, declarations: list[Any]) -> None:
        self._kept[text] = start, declarations
        if len(self._kept) > MAX_KEPT:
            del self._kept[next(iter(self._kept))]


def moved(item: Any, by: int) -> Any:
    """A copy of nodes, all their places so many characters further on."""
    kind: Any = type(item)
    if kind is list:
        return [moved(part, by) for part in item]
    if kind is tuple:
        return tuple(moved(part, by) for part in item)
    copy = _copier(kind)
    return item if copy is None else copy(item, by)


@cache
def _copier(kind: Any) -> Callable[[Any, int], Any] | None:
    """How to copy nodes of a class; none for words, numbers and the like."""
    if not issubclass(kind, tree.Node | tree.ContainerOptions):
        return None
    names = [(name, name in _PLACES) for name in kind.__match_args__]

    def copy(node: Any, by: int) -> Any:
        parts = []
        for name, is_place in names:
            part = getattr(node, name)
            if is_place:
                parts.append(part if part is None else part + by)
            else:
                sort = type(part)
                parts.append(part if sort is str or part is None else moved(part, by))
        return kind(*parts)

    return copy
