"""Which tests a change can touch: those that name, over however many steps, something that is not as it was."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

# The sections of a document whose entries act without being named: whatever happens, they may answer.
_UNNAMED = ("anytime", "orders", "checks", "periods")
# The parts of a rule that say what it answers to: who names that meets the rule.
_HEADS = ("action", "value", "field", "menu", "owner")
_SETUP = "start_after"

Pieces = dict[str, Any]


def touched_tests(before: Mapping[str, Any] | None, after: Mapping[str, Any]) -> list[int]:
    """The numbers of the tests of a document that the change from another one can touch; all without the other."""
    tests = after["content"]["tests"]
    if before is None:
        return list(range(len(tests)))
    old, new = _pieces(before), _pieces(after)
    changed = {name for name in {*old, *new} if _plain(old.get(name)) != _plain(new.get(name))}
    if not changed:
        return _changed_tests(before, after)
    near = _neighbours(new)
    # What is gone is named by what was there before.
    for name, others in _neighbours(old).items():
        near.setdefault(name, set()).update(others & changed)
    always = {name for name in {*new, *old} if name.partition(" ")[0] in _UNNAMED}
    always |= {*_unasked(old), *_unasked(new)}
    always.update(after["content"].get(_SETUP, ()))
    known = {*new, *old, *near}
    own = set(_changed_tests(before, after))
    return [
        number
        for number, test in enumerate(tests)
        if number in own or not changed.isdisjoint(_closure({*_strings(test)} & known | always, near))
    ]


def _changed_tests(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[int]:
    known = {_plain(test) for test in before["content"]["tests"]}
    return [n for n, test in enumerate(after["content"]["tests"]) if _plain(test) not in known]


def _pieces(document: Mapping[str, Any]) -> Pieces:
    """Every declaration but tests by its id; those without one, or with the id of another, by section and number."""
    made: Pieces = {}
    for section, items in document["content"].items():
        if section in ("tests", _SETUP):
            continue
        for number, item in enumerate(items):
            name = str(item.get("id", "")) if isinstance(item, dict) else ""
            made[name if name and name not in made else f"{section} {number} {name}"] = item
    return made


def _unasked(pieces: Pieces) -> Iterator[str]:
    """The rules that answer to nothing that is named, such as `when C becomes true`."""
    for name, piece in pieces.items():
        rules = [piece] if "rule" in piece else piece.get("rules", ())
        if any(not any(rule.get(head) for head in _HEADS) for rule in rules):
            yield name


def _neighbours(pieces: Pieces) -> dict[str, set[str]]:
    """From each piece to those it names, and to those that answer to it: rules, and things of a kind."""
    by_id: dict[str, set[str]] = {}
    for name, piece in pieces.items():
        by_id.setdefault(str(piece.get("id", name)), set()).add(name)
    made: dict[str, set[str]] = {name: set() for name in pieces}
    for name, piece in pieces.items():
        for said in set(_strings(piece)):
            made[name] |= by_id.get(said, set())
        answered = {str(piece.get("kind", "")), *map(str, piece.get("parents", ()))}
        for rule in [piece] if "rule" in piece else piece.get("rules", ()):
            answered |= {str(rule[head]) for head in _HEADS if rule.get(head)}
        for said in answered - {""}:
            for other in by_id.get(said, {said}):
                made.setdefault(other, set()).add(name)
    return made


def _closure(start: set[str], near: Mapping[str, set[str]]) -> set[str]:
    seen = set(start)
    waiting = list(start)
    while waiting:
        for name in near.get(waiting.pop(), ()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def _strings(node: Any) -> Iterator[str]:
    """Every text in a piece, of which some are names; an overload and a path by their first part too."""
    stack = [node]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            yield item
            if "#" in item or "." in item:
                yield item.partition("#")[0].partition(".")[0]
        elif isinstance(item, dict):
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)


def _plain(node: Any) -> bytes:
    """A piece as bytes, without its places in the text."""
    return orjson.dumps(_without_places(node), option=orjson.OPT_SORT_KEYS)


def _without_places(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _without_places(value) for key, value in node.items() if key != "at"}
    return [_without_places(each) for each in node] if isinstance(node, list) else node
