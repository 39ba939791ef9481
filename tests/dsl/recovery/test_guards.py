"""Hostile and odd texts: a coded finding at the right place, no traceback, no hang."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.parser import parse
from talewright.dsl.source import Source


def read(text: str) -> tuple[int, list[tuple[str, int, int]]]:
    file, findings = parse(Source("x.tale", text))
    return len(file.declarations), [(f.code, f.span.line, f.span.column) for f in findings]


@contextmanager
def shallow_stack(frames: int = 220) -> Iterator[None]:
    """Little room for recursion, so that a parser that recurses would fail."""
    depth, frame = 0, sys._getframe()
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + frames)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("kind Door\n\0", (0, [("S102", 2, 1)])),
        ("\ufeffkind Door\n", (1, [("S109", 1, 1)])),
        ("kind Door\ufeff\n", (0, [("S117", 1, 10)])),
        ("kind Door\n# \u202e\x1b[31m\r\nkind Wall\r\n", (2, [("S128", 2, 3), ("S128", 2, 4)])),
        ("kind Door:\r    open = no\rkind Wall\r", (2, [("S108", 1, 11)])),
        ("kind Door:\n\topen = no\n\twide = no\n", (1, [("S111", 2, 1)])),
        ("kind Door:\n \topen = no\n", (1, [("S112", 2, 1)])),
        ("kind Door:\n    open\t=\tno\n", (1, [])),
        ("token coin * 1000000000\n", (1, [])),
        ("token coin * 1000000001\n", (1, [("S107", 1, 14)])),
        ('Door gate "number 99999999999"  # 99999999999\n', (1, [])),
        ("token coin * " + "9" * 3900 + "\n", (1, [("S107", 1, 14)])),
        ("value a = 2d99999999999\n", (1, [("S107", 1, 13)])),
        ('kind Door:\n    """' + "word " * 2000 + '"""\n', (1, [])),
        ("# " + "x" * 5000 + "\n", (0, [])),
        ("kind Wall\n" + "x" * 1_000_000 + "\nkind Roof\n", (2, [("S103", 2, 1)])),
    ],
)
def test_odd_texts(text: str, expected: tuple[int, list[tuple[str, int, int]]]) -> None:
    assert read(text) == expected


def test_a_text_of_more_than_four_million_characters_is_refused() -> None:
    assert read("# remark\n" * 500_000) == (0, [("S101", 1, 1)])


def test_a_long_line_takes_its_block_along_and_is_one_finding() -> None:
    text = "action go:\n    if " + "a + " * 1500 + "a:\n        rest\n    wait\n"
    assert read(text) == (1, [("S103", 2, 5)])
    alone = "action go:\n    x = " + "a + " * 1500 + "a\n\nkind Wall\n"
    file, findings = parse(Source("x.tale", alone))
    assert [finding.code for finding in findings] == ["S103"]
    assert len(file.declarations) == 1
    assert {"go", "x", "a"} <= file.broken_names


def test_a_number_that_is_too_large_is_still_a_number() -> None:
    file, _ = parse(Source("x.tale", "token coin * 99999999999\n"))
    assert file.declarations[0].count == 999_999_999  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("action go:\n" + "".join(" " * (n + 1) + "if a:\n" for n in range(900)), "S104"),
        ("value a = " + "(" * 2000 + "1" + ")" * 1900 + "\n", "S105"),
        ("value a = " + "(\n" * 5000 + "1" + ")\n" * 5000, "S105"),
        ("check " + "not " * 900 + "a\n", "S106"),
        ("check " + ".".join("a" * 900) + "\n", "S106"),
        ("check a" + "[1]" * 900 + "\n", "S106"),
        ("check " + "a of " * 700 + "b\n", "S106"),
        ("check " + " or ".join("a" * 500) + "\n", "S106"),
        ("value a = (1" + "\n + 1" * 5000 + ")\n", "S106"),
        ("value a = " + "1 if b otherwise " * 200 + "2\n", "S106"),
        ("value a = " + "(" * 50 + "x" + (")" + "+a" * 20) * 50 + "\n", "S106"),
        ("kind A:\n    f: " + "int -> " * 400 + "int\n", "S106"),
        ("kind A:\n    f: " + "list of " * 400 + "int\n", "S106"),
        ("action go:\n    rest a: " + "all possible: " * 200 + "rest b\n", "S106"),
    ],
)
def test_nothing_nests_without_end(text: str, code: str) -> None:
    parse(Source("x.tale", "kind Wall\n"))
    with shallow_stack():
        _, found = read(text)
    assert [f[0] for f in found] == [code]


@pytest.mark.parametrize(
    "text",
    [
        "plan yard: " + "a . b . " * 25 + "\n",
        "plan yard: " + ". . . . " * 100 + "\n",
        "type Word = " + " | ".join(f"w{n}" for n in range(400)) + "\n",
        "value a = {" + ",\n".join(f"w{n}.size + 1" for n in range(2000)) + "}\n",
        "value a = " + "f(" * 55 + "1" + ")" * 55 + "\n",
        "value a = " + " + ".join(f"f(x{n})" for n in range(55)) + "\n",
    ],
)
def test_long_is_not_deep(text: str) -> None:
    assert read(text)[1] == []


def test_tabs_are_mended_by_their_fix() -> None:
    _, findings = parse(Source("x.tale", "kind Door:\n\topen = no\n\twide = no\n"))
    edits = findings[0].fixes[0].edits
    assert [(edit.span.line, edit.text) for edit in edits] == [(2, "    "), (3, "    ")]
    assert findings[0].fixes[0].safe


def test_mixed_indents_are_counted() -> None:
    _, findings = parse(Source("x.tale", "kind Door:\n \ta = 1\n \tb = 2\n \tc = 3\n"))
    found: Diagnostic = findings[0]
    assert found.code == "S112"
    assert "and 2 lines more" in found.message
    assert not found.fixes[0].safe
