"""Whether two syntax trees mean the same."""

from __future__ import annotations

from typing import Any

from talewright.dsl.tree import nodes as tree
from talewright.dsl.tree.prose_literals import prose_text

PLACES = frozenset(("start", "end", "name_start"))


def same_tree(a: tree.File, b: tree.File) -> bool:
    """Whether two files hold the same declarations, wherever these stand in their texts."""
    # A list instead of recursion: nothing limits how deep expressions may nest.
    pairs: list[tuple[Any, Any]] = [(a.declarations, b.declarations)]
    while pairs:
        left, right = pairs.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, list | tuple):
            if len(left) != len(right):
                return False
            pairs.extend(zip(left, right, strict=True))
        elif isinstance(left, tree.Text):
            if not _same_text(left, right):
                return False
        elif isinstance(left, tree.Node | tree.ContainerOptions):
            names = (name for name in left.__match_args__ if name not in PLACES)
            pairs.extend((getattr(left, name), getattr(right, name)) for name in names)
        elif left != right:
            return False
    return True


def _same_text(a: tree.Text, b: tree.Text) -> bool:
    if a.raw == b.raw:
        return a.prose == b.prose
    return a.prose and b.prose and prose_text(a.raw) == prose_text(b.raw)
