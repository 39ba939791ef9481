"""Every check finds its bad sample, at the marked line, and leaves its good one alone."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from talewright.compiler import compile_package
from talewright.compiler.checks import Check, all_checks
from talewright.dsl.diagnostics import Diagnostic

MARK = "# <-"
MANIFEST = {"name": '"sample"', "version": '"1.0.0"', "title": '"A Sample"', "type": '"system"'}
CHECKS = [check for check in all_checks() if check.find is not None]


def _lines(sample: str) -> str:
    return dedent(sample).strip("\n") + "\n"


def _write(folder: Path, check: Check, sample: str) -> None:
    rows = [f"{key} = {value}" for key, value in MANIFEST.items() if f"{key} =" not in check.manifest]
    top, brackets, tables = dedent(check.manifest).partition("[")
    (folder / "tale.toml").write_text("\n".join([*rows, top, brackets + tables, ""]), encoding="utf-8")
    (folder / "sample.tale").write_text(_lines(sample), encoding="utf-8")
    for name, text in check.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(_lines(text), encoding="utf-8")


def _findings(folder: Path, check: Check, sample: str) -> list[Diagnostic]:
    _write(folder, check, sample)
    found = compile_package(folder).diagnostics
    others = [
        f"{d.code} line {d.span.line}: {d.message}"
        for d in found
        if d.severity == "error" and d.code != check.code
    ]
    assert not others, "the sample has other errors"
    return [d for d in found if d.code == check.code]


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.code}-{check.name}")
def test_the_bad_sample_is_found_at_its_mark(check: Check, tmp_path: Path) -> None:
    found = _findings(tmp_path, check, check.bad)
    marked = [number for number, line in enumerate(_lines(check.bad).splitlines(), 1) if MARK in line]
    assert len(marked) == 1, "a bad sample marks one line"
    places = [(Path(d.span.file).name, d.span.line) for d in found]
    assert places == [("sample.tale", marked[0])], "\n".join(f"{d.span.line}: {d.message}" for d in found)
    assert found[0].name == check.name
    assert found[0].message[0] in "`" or not found[0].message[0].isupper(), "a message begins in lower case"


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check.code}-{check.name}")
def test_the_good_sample_is_left_alone(check: Check, tmp_path: Path) -> None:
    found = _findings(tmp_path, check, check.good)
    assert not found, "\n".join(f"{d.span.line}: {d.message}" for d in found)


def test_no_two_checks_share_a_code_or_a_name() -> None:
    checks = all_checks()
    assert len({check.code for check in checks}) == len(checks)
    assert len({check.name for check in checks}) == len(checks)


def test_every_check_says_why() -> None:
    silent = [check.code for check in all_checks() if len(check.why.split()) < 12]
    assert not silent
