"""Random edits of every bundled file: compiling always ends in findings or a document."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from random import Random

import pytest

from talewright.compiler.checks import unformatted_file
from talewright.compiler.incremental import parsed_files
from talewright.compiler.passes import CompileResult, compile_packages
from talewright.dsl import parser
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.loader import PackageSet, load_package
from talewright.dsl.source import Source
from talewright.dsl.tree import nodes as tree
from talewright.schemas.records import replace

from .edits import edited

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = sorted(path.parent for path in (ROOT / "scenarios").rglob("tale.toml"))
EDITS = 1500
PLACES = (4, 10, 14)
TOGETHER = 12


def _groups(folder: Path) -> list[tuple[str, int, tuple[str, ...]]]:
    """The files of a package, a few at a time; each round has them in other company."""
    files = [path.name for path in sorted(folder.glob("*.tale"))]
    found = []
    for number in range(len(PLACES)):
        Random(number).shuffle(files)
        for begin in range(0, len(files), TOGETHER):
            found.append(
                (str(folder.relative_to(ROOT)), number, tuple(sorted(files[begin : begin + TOGETHER])))
            )
    return found


GROUPS = [group for folder in FOLDERS for group in _groups(folder)]


@lru_cache(maxsize=200)
def _parsed(name: str, text: str) -> tuple[tree.File, list[Diagnostic]]:
    return parser.parse(Source(name, text))


@cache
def _package(folder: str) -> PackageSet:
    return load_package(ROOT / folder)


@pytest.fixture(autouse=True)
def _parse_each_unedited_file_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parsing takes most of the time, and only one file of each package differs from edit to edit."""
    for module in (parsed_files, unformatted_file):
        monkeypatch.setattr(
            module, "parse", lambda source, remembered=None: _parsed(source.name, source.text)
        )


def _compiled(packages: PackageSet, texts: dict[str, str]) -> CompileResult:
    assert packages.main is not None
    sources = tuple(
        Source(source.name, texts.get(Path(source.name).name, source.text))
        for source in packages.main.sources
    )
    main = replace(packages.main, sources=sources)
    return compile_packages(PackageSet((*packages.packages[:-1], main), main, ()))


def test_there_are_bundled_files_to_edit() -> None:
    edits = [(folder, file, PLACES[number]) for folder, number, files in GROUPS for file in files]
    assert sum(places for _, _, places in edits) >= EDITS
    assert len(set(edits)) == len(edits)
    for folder in FOLDERS:
        for path in folder.glob("*.tale"):
            assert {(str(folder.relative_to(ROOT)), path.name, places) for places in PLACES} <= set(edits)


@pytest.mark.parametrize(
    ("folder", "number", "files"),
    GROUPS,
    ids=[f"{f.removeprefix('scenarios/')}-{n}-{g[0]}" for f, n, g in GROUPS],
)
def test_edited_files_give_findings_or_a_document(folder: str, number: int, files: tuple[str, ...]) -> None:
    packages = _package(folder)
    assert packages.main is not None
    originals = {Path(source.name).name: source.text for source in packages.main.sources}
    # Several edits at once cost no more than one, and a mistake never hides what is wrong elsewhere.
    texts = {
        file: edited(originals[file], Random(f"{folder}/{file}/{number}"), PLACES[number]) for file in files
    }
    result = _compiled(packages, texts)
    wrong = any(found.severity == "error" for found in result.diagnostics)
    assert (result.document is None) == wrong
    for found in result.diagnostics:
        span = found.span
        last = len(result.sources[span.file].text.splitlines()) + 1
        assert 1 <= span.line <= span.end_line <= last
        assert found.message
