"""Containers as what the pattern of a core verb names: there a name may stand for a container or for a thing."""

from __future__ import annotations

from typing import Any


class Container(int):
    """The number of a container that is never taken for the thing of the same number."""

    __slots__ = ()


def part_of(parts: dict[str, Any], part: str, pile: str) -> Any:
    """What a part of a call is; `pile` is there too if it is a container."""
    value = parts.get(part)
    return Container(value) if value is not None and pile in parts else value


def plain_part(value: Any) -> Any:
    """The same as the verb itself takes it."""
    return int(value) if type(value) is Container else value


def same_part(a: Any, b: Any) -> bool:
    """Whether two names mean the same: a container is never a thing."""
    return bool(a == b) and (type(a) is Container) == (type(b) is Container)
