"""What people read: texts with a mistake in them, and every word that is shown about it.

Run with `TALE_UPDATE_GOLDEN=1` to write the files anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from talewright.compiler.checks import catalogue
from talewright.compiler.in_memory import compile_together, memory_package
from talewright.compiler.passes import CompileResult
from talewright.compiler.types.codes import CODES
from talewright.dsl.diagnostics import Diagnostic
from talewright.report.findings.as_human import render

FOLDER = Path(__file__).resolve().parent
REJECTED = sorted((FOLDER.parent / "fixtures" / "rejected").glob("*.tale"))
UPDATE = os.environ.get("TALE_UPDATE_GOLDEN") == "1"
_FIRST_LINE = re.compile(r"# expected: ([A-Z]\d{3}(?:, [A-Z]\d{3})*)\n")


def _compiled(path: Path) -> CompileResult:
    return compile_together(memory_package({path.name: path.read_text("utf-8")}))


def _expected(path: Path) -> list[str]:
    first = _FIRST_LINE.match(path.read_text("utf-8"))
    assert first is not None, "the first line says which codes are expected: `# expected: N201, T301`"
    return first[1].split(", ")


def _about(result: CompileResult, expected: list[str]) -> list[Diagnostic]:
    """The errors, and whatever else the first line names."""
    return [found for found in result.diagnostics if found.severity == "error" or found.code in expected]


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_just_this_is_found(path: Path) -> None:
    expected = _expected(path)
    found = _about(_compiled(path), expected)
    assert [diagnostic.code for diagnostic in found] == expected, render(found, {})


@pytest.mark.parametrize("path", REJECTED, ids=lambda path: path.stem)
def test_what_is_shown(path: Path) -> None:
    result = _compiled(path)
    shown = render(_about(result, _expected(path)), result.sources)
    golden = FOLDER / f"{path.stem}.txt"
    if UPDATE:
        golden.write_text(shown, "utf-8")
    assert shown == golden.read_text("utf-8")


def test_every_golden_text_has_its_fixture() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == {path.stem for path in REJECTED}


def test_names_of_fixtures_are_sentences() -> None:
    assert [path.stem for path in REJECTED if len(path.stem.split("_")) < 3] == []


def test_every_code_of_names_and_types_is_among_them() -> None:
    shown = {code for path in REJECTED for code in _expected(path)}
    assert shown <= catalogue().keys()
    assert {code for code in CODES if code[0] in "NT"} - shown == set()
