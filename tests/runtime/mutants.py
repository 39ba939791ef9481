"""Documents damaged at random: places exchanged, doubled, taken away, and values of other places put in."""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Iterator
from random import Random
from typing import Any

import orjson

NUMBERS = (0, 1, -1, 2, 7, 255, 65_536, 10**9, -(10**9), 2**31, -(2**31), 2**62)
ODD: tuple[Any, ...] = (None, True, False, "", "x", 1.5, [], {}, "\0", "a/b", "core:move")

Path = tuple[Any, ...]


class Mutants:
    """Damaged copies of one document. What is damaged lies in its content and in its story."""

    def __init__(self, document: dict[str, Any], chance: Random) -> None:
        self.data = orjson.dumps(document)
        self.chance = chance
        self.paths = [path for part in ("content", "story") for path in _below(document[part], (part,))]
        self.alike: dict[tuple[Any, type], list[Path]] = defaultdict(list)
        for path in self.paths:
            self.alike[path[-1], type(_at(document, path))].append(path)

    def next(self) -> tuple[bytes, str]:
        """A document damaged in one to three places, and how."""
        document = orjson.loads(self.data)
        how = [self._damage(document) for _ in range(self.chance.choice((1, 1, 2, 3)))]
        return orjson.dumps(document), "; ".join(how)

    def _damage(self, document: dict[str, Any]) -> str:
        path = self.chance.choice(self.paths)
        holder, key = _at(document, path[:-1]), path[-1]
        if _lacks(holder, key):
            return "an earlier damage took this place away"
        what, there = self.chance.randrange(6), holder[key]
        if what == 0:
            del holder[key]
            return f"took {path} away"
        if what == 1 and isinstance(holder, list):
            holder.insert(key, copy.deepcopy(there))
            return f"doubled {path}"
        if what == 2 and isinstance(there, int) and not isinstance(there, bool):
            holder[key] = self.chance.choice((*NUMBERS, there + 1, there - 1))
            return f"changed {there} to {holder[key]} at {path}"
        if what == 3:
            holder[key] = self.chance.choice(ODD)
            return f"put {holder[key]!r} at {path}"
        # What stands at a like place elsewhere often fits in shape.
        other = self.chance.choice(self.alike[key, type(there)] or [path])
        holder[key] = copy.deepcopy(_at(document, other))
        return f"put {other} at {path}"


def _below(node: Any, path: Path) -> Iterator[Path]:
    steps = node.keys() if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
    for step in steps:
        yield (*path, step)
        yield from _below(node[step], (*path, step))


def _at(document: Any, path: Path) -> Any:
    node = document
    for step in path:
        if _lacks(node, step):
            return None
        node = node[step]
    return node


def _lacks(holder: Any, key: Any) -> bool:
    if isinstance(holder, dict):
        return key not in holder
    return not (isinstance(holder, list) and isinstance(key, int) and key < len(holder))
