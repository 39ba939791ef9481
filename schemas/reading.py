"""Reads a document from bytes: JSON, depth, numbers and version, before its shape is checked."""

from __future__ import annotations

import re
from typing import Any

import orjson

from talewright.schemas.limits import MAX_BYTES, MAX_DEPTH
from talewright.schemas.problems import Path, Problem
from talewright.schemas.records import field, record
from talewright.schemas.upgrade import OLDEST, upgrade

FORMAT = "talewright document"
VERSION = 2
_TOO_DEEP = f"the values are nested more than {MAX_DEPTH} deep"
_LOOKED_AT = frozenset((dict, list, float))
# An unclosed text is read to its end at once, so that no byte is read twice.
_BRACKET = re.compile(rb'"(?:[^"\\]+|\\.?)*+"?|[\[\]{}]', re.DOTALL)


@record
class Reading:
    """The document, brought up to the present version, unless a problem stands in the way."""

    document: dict[str, Any] | None
    problems: list[Problem] = field(default_factory=list)


def read(data: bytes) -> Reading:
    """Reads the bytes of a document of any known version."""
    if len(data) > MAX_BYTES:
        said = f"the document has {len(data):,} bytes; at most {MAX_BYTES:,} are read"
        return Reading(None, [Problem("D804", (), said)])
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as problem:
        # The JSON reader refuses deep nesting too, but with another message.
        return Reading(None, [_too_deep(data) or _not_json(data, problem)])
    depth, whole = _measured(value)
    if depth > MAX_DEPTH:
        return Reading(None, [_too_deep(data) or Problem("D804", (), _TOO_DEEP)])
    return _known(value, whole)


def nested_too_deep(value: Any) -> list[Problem]:
    """The problem of a value that is nested too deeply to be walked by recursion."""
    return [Problem("D804", (), _TOO_DEEP)] if _measured(value)[0] > MAX_DEPTH else []


def _measured(value: Any) -> tuple[int, bool]:
    """How many levels there are, and whether all numbers are whole; found without recursion."""
    depth, whole = 0, True
    level = [value]
    while level:
        inner: list[Any] = []
        for item in level:
            if type(item) is dict:
                inner.extend(item.values())
            elif type(item) is list:
                inner.extend(item)
        whole = whole and float not in set(map(type, level))
        depth += 1
        level = [item for item in inner if type(item) in _LOOKED_AT]
    return depth, whole


def _too_deep(data: bytes) -> Problem | None:
    """Where in the bytes the nesting goes too deep."""
    depth = 0
    for found in _BRACKET.finditer(data):
        sign = found[0]
        if sign in (b"[", b"{"):
            depth += 1
        elif sign in (b"]", b"}"):
            depth -= 1
        if depth > MAX_DEPTH:
            return Problem("D804", (), _TOO_DEEP, "split long expressions into values", offset=found.start())
    return None


def _not_json(data: bytes, problem: orjson.JSONDecodeError) -> Problem:
    if not data.strip():
        return Problem("D801", (), "the file is empty", offset=0)
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as wrong:
        said = "this is no UTF-8 text, so it cannot be JSON"
        return Problem("D801", (), said, "save it as UTF-8", offset=wrong.start)
    reason = problem.msg[:1].lower() + problem.msg[1:]
    offset = len(data.decode("utf-8")[: problem.pos].encode("utf-8"))
    return Problem("D801", (), f"this is not JSON: {reason}", offset=offset)


def _known(value: Any, whole: bool) -> Reading:
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        path: Path = ("format",) if isinstance(value, dict) and "format" in value else ()
        said = f'a document says `"format": "{FORMAT}"`, and this does not'
        return Reading(None, [Problem("D802", path, said, "write one with `tale compile`")])
    version = value.get("version")
    if type(version) is not int or not OLDEST <= version <= VERSION:
        known = f"{OLDEST} to {VERSION}"
        shown = orjson.dumps(version).decode()[:40]
        said = f"the document has version {shown}; this toolkit reads {known}"
        newer = type(version) is int and version > VERSION
        help = "update the toolkit" if newer else "compile the package again"
        return Reading(None, [Problem("D803", ("version",) if "version" in value else (), said, help)])
    if not whole:
        return Reading(
            None, [Problem("D805", _fraction(value), "numbers of a document are whole, and this is not")]
        )
    if version == VERSION:
        return Reading(value)
    said = f"the document has the older version {version}; it was brought up to {VERSION}"
    older = Problem("D813", ("version",), said, "compile the package again to write it anew")
    try:
        return Reading(upgrade(value), [older])
    except ValueError as problem:
        return Reading(None, [Problem("D805", (), f"the older document cannot be read: {problem}")])


def _fraction(value: Any) -> Path:
    """The path to a number that is not whole, or too long to be kept as one."""
    stack: list[tuple[Any, Path]] = [(value, ())]
    while stack:
        item, path = stack.pop()
        rows: Any
        if type(item) is dict:
            rows = item.items()
        elif type(item) is list:
            rows = enumerate(item)
        else:
            continue
        for key, inner in rows:
            kind = type(inner)
            if kind is dict or kind is list:
                stack.append((inner, (*path, key)))
            elif kind is float:
                return (*path, key)
    return ()
