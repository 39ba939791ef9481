"""Many breaks in one document, each behind a switch: what is written once is played with any one of them.

A switch is an expression that is true while its break is tried. It also notes that it was asked, so that only those
tests are run again that came to the place at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from talewright.runtime.breaking import (
    CONDITIONS,
    UNASKED,
    WITHOUT_FIRST,
    WITHOUT_LINE,
    WITHOUT_RULE,
    Break,
    Path,
    altered,
)
from talewright.runtime.layout import IR

# What is worked out when a program is written cannot wait for a switch.
FIXED = frozenset({"anytime", "menus", "payments", "periods", "states"})
FIXED_KEYS = frozenset({"holds", "max", "start", "track", "while"})
SWITCHED_RULES = frozenset({"after", "before", "forbid", "instead_of", "modify", "state"})


class Switch:
    """Which break is tried, and which were asked for."""

    def __init__(self) -> None:
        self.on = -1
        self.asked: set[int] = set()

    def __call__(self, number: int) -> bool:
        self.asked.add(number)
        return number == self.on


class Switched:
    """A document with breaks built in; `numbers` holds those that could be."""

    def __init__(self, document: IR, places: Iterable[Break]) -> None:
        self.switch = Switch()
        self.numbers: dict[Break, int] = {}
        self._at: dict[Path, list[Break]] = {}
        self._ways: set[Path] = set()
        for found in places:
            self._at.setdefault(found.path, []).append(found)
            self._ways.update(found.path[:end] for end in range(len(found.path) + 1))
        self.document = {**document, "content": self._built(document["content"], (), switched=True)}

    def _built(self, node: Any, path: Path, switched: bool) -> Any:
        if path not in self._ways:
            return node
        made: Any = node
        if isinstance(node, list):
            made = [self._built(item, (*path, index), switched) for index, item in enumerate(node)]
        elif isinstance(node, dict):
            made = {
                key: self._built(value, (*path, key), switched and _may_wait(node, path, key))
                for key, value in node.items()
            }
        # Conditions are dropped inside what other breaks pass over.
        here = sorted(self._at.get(path, ()), key=lambda found: found.what not in CONDITIONS)
        for found in here if switched else ():
            made = self._with(found, node, made)
        return made

    def _with(self, found: Break, plain: IR, made: IR) -> IR:
        """A node with one break built in, over those that are built in already."""
        match found.what:
            case what if what == WITHOUT_LINE:
                return self._line(found, made)
            case what if what == WITHOUT_RULE:
                return self._rule(found, made)
            case what if what == UNASKED:
                return _either(self._switch(found), made)
            case what if what in CONDITIONS:
                side = "a" if what == WITHOUT_FIRST else "b"
                return {**made, side: _either(self._switch(found), made[side])}
        return {"op": "pick", "if": self._switch(found), "yes": altered(plain, found.what), "no": made}

    def _line(self, found: Break, made: IR) -> IR:
        if made["op"] == "requires":
            return {**made, "if": _either(self._switch(found), made["if"])}
        nothing = {"op": "nothing", "at": made["at"]}
        return {
            "op": "if",
            "at": made["at"],
            "branches": [[self._switch(found), [nothing]]],
            "otherwise": [made],
        }

    def _rule(self, found: Break, made: IR) -> IR:
        if made["rule"] not in SWITCHED_RULES:
            return made
        key = "if" if made["rule"] == "state" else "when"
        still = {"op": "not", "of": self._switch(found)}
        asked = made.get(key)
        return {**made, key: still if asked is None else {"op": "and", "a": still, "b": asked}}

    def _switch(self, found: Break) -> IR:
        number = self.numbers.setdefault(found, len(self.numbers))
        return {"op": "broken", "n": number, "ask": self.switch}


def _may_wait(node: IR, path: Path, key: Any) -> bool:
    """Whether what stands under a key of a node is worked out in play, or at least each time a game is set up."""
    if not path:
        return key not in FIXED
    if key in FIXED_KEYS or (key == "value" and node.get("key") == "same"):
        return False
    if path[0] == "traits" and len(path) == 2 and key == "fields":
        return False
    return not (key == "body" and node.get("rule") == "offer")


def _either(first: IR, last: IR) -> IR:
    return {"op": "or", "a": first, "b": last}
