"""Breaks behind switches: off they change nothing, on they do what a document broken for good does."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.compiler import compile_package
from talewright.report.testing.mutation_testing import Breaker
from talewright.runtime.breaking import breaks
from talewright.runtime.switching import Switched
from talewright.runtime.testing import Runner

FOLDER = Path(__file__).parents[2] / "conformance"
FILES = sorted(FOLDER.glob("*.tale"))
MANIFEST = 'name = "one"\nversion = "0.1.0"\ntitle = "One"\ntype = "system"\n'


def _document(file: Path, tmp_path: Path) -> dict[str, Any]:
    (tmp_path / "tale.toml").write_text(MANIFEST)
    (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"))
    document = compile_package(tmp_path).document
    assert document is not None
    return document


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_switches_that_are_off_change_nothing(file: Path, tmp_path: Path) -> None:
    document = _document(file, tmp_path)
    switched = Switched(document, breaks(document)).document
    outcomes = [(outcome.title, outcome.message) for outcome in Runner(switched).run()]
    assert outcomes == [(title, "") for title, _ in outcomes]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
@pytest.mark.unwatched
def test_a_break_is_noticed_alike_behind_a_switch_and_in_a_program_of_its_own(
    file: Path, tmp_path: Path
) -> None:
    document = _document(file, tmp_path)
    breaker = Breaker(document, range(len(document["content"]["tests"])), lambda _: True)
    breaker.prepare()
    places = [place for place in breaker.places if place in breaker.switched.numbers]
    for place in Random(1).sample(places, min(6, len(places))):
        tried = breaker.attempt(place)
        assert tried.noticed == breaker.apart(place, breaker.tests), (tried.line, tried.what)
