"""Damaged documents: refused with a finding or valid, never an exception."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from functools import cache
from typing import Any

import orjson
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some

from talewright.compiler.document.document_builder import from_elsewhere
from talewright.compiler.document.json_spans import Places
from talewright.dsl.source import Source
from talewright.schemas import loading
from talewright.schemas.nodes.codec import read_document

from .document_sample import sample_bytes, sample_document
from .test_document import reference

Path = tuple[str | int, ...]
JUNK: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    99,
    10**9,
    10**12,
    2**70,
    0.5,
    "",
    "x",
    "core:move",
    "verb:move",
    "Thing",
    "_1",
    "thing_٣",
    "__import__('os')",
    "\ud7ff",
    "x" * 1000,
    [],
    {},
    [[]],
    {"op": "local", "n": 0},
    {"op": "result"},
    {"op": "trait_param", "name": "n"},
    {"op": "nothing"},
    {"op": []},
    {"op": {"op": "int"}},
    {"op": "text", "parts": [1]},
    ["thing", "Guard", []],
    ["effect", "", [["v", "int"]]],
    ["map", "", ["int", ["set", "", ["int"]]]],
]
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@cache
def paths() -> list[Path]:
    """Every path into the sample but those into the source map."""
    found: list[Path] = []
    stack: list[tuple[Any, Path]] = [(sample_document(), ())]
    while stack:
        value, path = stack.pop()
        found.append(path)
        if isinstance(value, dict):
            stack.extend(
                (inner, (*path, key)) for key, inner in value.items() if (*path, key) != ("sources", "spots")
            )
        elif isinstance(value, list):
            stack.extend((inner, (*path, at)) for at, inner in enumerate(value))
    return found


def at(document: Any, path: Path) -> Any:
    """The value at a path."""
    for step in path:
        document = document[step]
    return document


def damaged(seed: int, count: int) -> dict[str, Any]:
    """The sample with a few values taken out, replaced, doubled or swapped."""
    dice = random.Random(seed)
    document = sample_document()
    for _ in range(count):
        path = dice.choice(paths()[1:])
        try:
            owner = at(document, path[:-1])
            owner[path[-1]]
        except (LookupError, TypeError):
            continue
        match dice.randrange(4):
            case 0:
                del owner[path[-1]]
            case 1:
                owner[path[-1]] = deepcopy(dice.choice(JUNK))
            case 2 if isinstance(owner, list):
                owner.append(deepcopy(owner[path[-1]]))
            case _:
                owner[path[-1]] = deepcopy(at(sample_document(), dice.choice(paths())))
    return document


def written(document: Any) -> bytes:
    """The document as JSON, numbers of any size included."""
    return json.dumps(document).encode()


@QUICK
@given(some.integers(0, 2**32), some.integers(1, 3))
def test_a_damaged_document_is_valid_or_refused(seed: int, count: int) -> None:
    found = from_elsewhere(written(damaged(seed, count)), "game.json")[1]
    for finding in found:
        assert finding.code.startswith("D8")
        assert finding.message
        assert finding.span.file == "game.json"
        assert finding.span.line >= 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(some.integers(0, 2**32))
@example(377635)
def test_both_validators_give_the_same_verdict(seed: int) -> None:
    document = json.loads(written(damaged(seed, 1)))
    # One of them has no whole numbers beyond 64 bits; the reader refuses those before any schema is asked.
    if orjson.loads(written(document)) == document:
        assert (not loading.wrong_shapes(document)) == reference().is_valid(document)


@QUICK
@given(some.integers(0, 2**32), some.booleans())
def test_what_can_be_read_is_what_has_the_right_shape(seed: int, more: bool) -> None:
    document = json.loads(written(damaged(seed, 0 if more else 1)))
    if more:
        nodes = [path for path in paths() if isinstance(at(document, path), dict)]
        at(document, random.Random(seed).choice(nodes))["more"] = "than belongs here"
    try:
        read_document(document)
    except (LookupError, TypeError, ValueError):
        assert loading.wrong_shapes(document)
    else:
        assert not loading.wrong_shapes(document)


@QUICK
@given(
    some.integers(0, len(sample_bytes()) - 1),
    some.integers(0, 255),
    some.sampled_from(["cut", "change", "drop"]),
)
def test_a_damaged_file_is_valid_or_refused(place: int, byte: int, how: str) -> None:
    data = bytearray(sample_bytes())
    if how == "cut":
        del data[place:]
    elif how == "drop":
        del data[place]
    else:
        data[place] = byte
    for finding in from_elsewhere(bytes(data), "game.json")[1]:
        assert finding.code.startswith("D8")


@given(some.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert [finding.severity for finding in from_elsewhere(data, "game.json")[1]] == ["error"]


VALUES = some.recursive(
    some.none() | some.booleans() | some.integers(-9, 9) | some.text(max_size=4),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=3), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, some.sampled_from([None, 1]), some.booleans())
def test_the_place_of_every_value_is_found(value: Any, indent: int | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    every: list[tuple[Any, Path]] = [(value, ())]
    for inner, path in every:
        if isinstance(inner, dict):
            every.extend((one, (*path, key)) for key, one in inner.items())
        elif isinstance(inner, list):
            every.extend((one, (*path, at)) for at, one in enumerate(inner))
    places = Places(Source("game.json", text), [path for _, path in every])
    lines = text.split("\n")
    for inner, path in every[1:]:
        span = places.span(path)
        shown = lines[span.line - 1][span.column - 1 :]
        if isinstance(inner, dict | list):
            assert shown[0] == ("{" if isinstance(inner, dict) else "[")
        else:
            assert json.loads(shown[: span.end_column - span.column]) == inner
