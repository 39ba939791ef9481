"""Every sample of the reference compiles, or gives the finding it says, and its tables are up to date."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from talewright.dsl.format.formatter import format_text

from .samples import Sample, Section, compiled, sections_of

ROOT = Path(__file__).parents[2]
REFERENCE = sections_of((ROOT / "docs" / "language.md").read_text(encoding="utf-8"))
SECTIONS = [pytest.param(section, id=section.heading) for section in REFERENCE]
MISTAKES = [
    pytest.param(section, sample, id=f"line {sample.line}: {sample.bad}")
    for section in REFERENCE
    for sample in section.samples
    if sample.bad
]


@pytest.mark.parametrize("section", SECTIONS)
def test_samples_compile(section: Section, tmp_path: Path) -> None:
    result = compiled(section.good(), tmp_path)
    errors = [f"{d.span.line}: {d.code} {d.message}" for d in result.diagnostics if d.severity == "error"]
    assert errors == []
    assert result.document is not None


@pytest.mark.parametrize(("section", "sample"), MISTAKES)
def test_mistakes_are_found(section: Section, sample: Sample, tmp_path: Path) -> None:
    result = compiled((*section.good(), sample), tmp_path)
    here = [d for d in result.diagnostics if d.span.file.endswith(sample.file)]
    assert sample.bad in {d.code for d in here}
    assert {d.code for d in result.diagnostics if d.severity == "error"} <= {sample.bad}


@pytest.mark.parametrize("section", SECTIONS)
def test_samples_are_in_the_one_layout(section: Section) -> None:
    for sample in section.good():
        text = sample.source().lstrip("\n")
        assert format_text(text, sample.file) == (text, [])


def test_the_generated_tables_are_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate_reference.py"), "--check"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")
