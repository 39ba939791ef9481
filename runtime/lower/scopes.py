"""Local names of the document with their types."""

from __future__ import annotations

from collections.abc import Iterable

from talewright.schemas.nodes.types import ANY, Type


def local_types(locals_: Iterable[object]) -> dict[int, Type]:
    """The types of locals by their number."""
    return {number: getattr(local, "type", ANY) for number, local in enumerate(locals_)}


def local_names(locals_: Iterable[object]) -> dict[int, str]:
    """The names of locals by their number."""
    return {number: str(getattr(local, "name", local)) for number, local in enumerate(locals_)}
