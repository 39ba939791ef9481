"""A text that is being repaired, with the original offset of each character."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from talewright.dsl.tree import nodes as tree

_INK = re.compile(r"[^\s]")


class Draft:
    """One stretch of a source, changed edit by edit; `origin` gives the source offset of each character."""

    def __init__(self, text: str, base: int) -> None:
        self.text = text
        self.origin: Sequence[int] = range(base, base + len(text) + 1)

    def replace(self, edits: Iterable[tuple[int, int, str]]) -> None:
        """Applies edits that do not overlap, each a start, an end and what stands there afterwards."""
        origin = list(self.origin)
        for start, end, text in sorted(edits, reverse=True):
            self.text = self.text[:start] + text + self.text[end:]
            if len(text) == end - start:
                continue
            origin[start:end] = [origin[start]] * len(text)
        self.origin = origin

    def blank(self, start: int, end: int) -> None:
        """Wipes a stretch, leaving its line breaks."""
        self.text = self.text[:start] + _INK.sub(" ", self.text[start:end]) + self.text[end:]

    def place(self, offset: int) -> int:
        """The source offset of an offset here."""
        return self.origin[max(0, min(offset, len(self.origin) - 1))]


def settle(nodes: Iterable[Any], origin: Sequence[int]) -> None:
    """Moves nodes from the offsets of a draft to those of its source."""
    last = len(origin) - 1
    seen: set[int] = set()
    waiting: list[Any] = list(nodes)
    while waiting:
        item = waiting.pop()
        if isinstance(item, list | tuple):
            waiting.extend(item)
        elif isinstance(item, tree.Node | tree.ContainerOptions) and id(item) not in seen:
            seen.add(id(item))
            for name in item.__match_args__:
                value = getattr(item, name)
                if name in ("start", "end", "name_start") and isinstance(value, int):
                    setattr(item, name, origin[min(value, last)])
                elif isinstance(value, list | tuple | tree.Node | tree.ContainerOptions):
                    waiting.append(value)
