"""Random edits of every bundled file: compiling always ends in findings or a document."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from random import Random

import pytest

from talewright.compiler import parsing
from talewright.compiler.checks import layout
from talewright.compiler.compile import CompileResult, compile_packages
from talewright.dsl import parser, tree
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages import PackageSet, load_package
from talewright.dsl.records import replace
from talewright.dsl.source import Source

from .edits import edited

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted(path.parent for path in (ROOT / "scenarios").rglob("tale.toml"))
FILES = [
    (str(folder.relative_to(ROOT)), path.name) for folder in FOLDERS for path in sorted(folder.glob("*.tale"))
]
EDITS = 1500
PLACES = (4, 10, 14)


@lru_cache(maxsize=200)
def _parsed(name: str, text: str) -> tuple[tree.File, list[Diagnostic]]:
    return parser.parse(Source(name, text))


@cache
def _package(folder: str) -> PackageSet:
    return load_package(ROOT / folder)


@pytest.fixture(autouse=True)
def _parse_each_unedited_file_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsing takes most of the time, and only one file of each package differs from edit to edit."""
    for module in (parsing, layout):
        monkeypatch.setattr(module, "parse", lambda source: _parsed(source.name, source.text))


def _compiled(packages: PackageSet, file: str, text: str) -> CompileResult:
    assert packages.main is not None
    sources = tuple(
        Source(source.name, text) if Path(source.name).name == file else source
        for source in packages.main.sources
    )
    main = replace(packages.main, sources=sources)
    return compile_packages(PackageSet((*packages.packages[:-1], main), main, ()))


def test_there_are_bundled_files_to_edit() -> None:
    assert len(FILES) * sum(PLACES) >= EDITS
    assert {folder for folder, _ in FILES} == {str(folder.relative_to(ROOT)) for folder in FOLDERS}


@pytest.mark.parametrize(("folder", "file"), FILES, ids=lambda part: str(part).removeprefix("scenarios/"))
def test_an_edited_file_gives_findings_or_a_document(folder: str, file: str) -> None:
    packages = _package(folder)
    assert packages.main is not None
    original = next(source.text for source in packages.main.sources if Path(source.name).name == file)
    # Several edits at once cost no more than one, and a mistake never hides what is wrong elsewhere.
    for number, places in enumerate(PLACES):
        random = Random(f"{folder}/{file}/{number}")
        result = _compiled(packages, file, edited(original, random, places))
        wrong = any(found.severity == "error" for found in result.diagnostics)
        assert (result.document is None) == wrong
        for found in result.diagnostics:
            span = found.span
            last = len(result.sources[span.file].text.splitlines()) + 1
            assert 1 <= span.line <= span.end_line <= last
            assert found.message
