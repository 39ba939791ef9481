"""Every code has one page, and the pages about names and types show just what they are about."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import talewright.compiler
from talewright.cli.main import main
from talewright.compiler.checks import Check, catalogue
from talewright.compiler.checks.names_pages import CHECKS as NAMES
from talewright.compiler.checks.types_pages import CHECKS as TYPES
from talewright.compiler.in_memory import plain
from talewright.compiler.types.codes import CODES
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.format.formatter import LAYOUT_CODES
from talewright.dsl.packages.package_codes import PACKAGE_CODES
from talewright.dsl.recovery.mistake_table import MISTAKES
from tests.compiler.text_findings import compiled

PAGES = pytest.mark.parametrize("check", [*NAMES, *TYPES], ids=lambda check: check.code)
COMPILER = Path(talewright.compiler.__path__[0])


def told(text: str) -> list[Diagnostic]:
    """The errors of a text, and whatever else resolving and typing has found."""
    return [found for found in compiled(text).diagnostics if found.severity == "error" or found.code in CODES]


@PAGES
def test_the_bad_sample_has_one_error_on_the_marked_line(check: Check) -> None:
    text = plain(check.bad)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if line.endswith("# <-")]
    assert [(found.code, found.span.line) for found in told(text)] == [(check.code, line) for line in lines]
    assert len(lines) == 1


@PAGES
def test_the_good_sample_has_no_error(check: Check) -> None:
    assert told(check.good) == []


@PAGES
def test_messages_are_sentences_in_lower_case(check: Check) -> None:
    (found,) = told(check.bad)
    assert found.message[0] == "`" or found.message[0].islower()
    assert found.message[-1] not in ".!?"
    assert found.message.count("`") % 2 == 0
    assert found.help == "" or not found.help.endswith(".")


def test_the_catalogue_holds_every_code_of_every_pass() -> None:
    passes = {*PACKAGE_CODES, *LAYOUT_CODES, *CODES, *(mistake.code for mistake in MISTAKES)}
    assert passes <= catalogue().keys()
    assert list(catalogue()) == sorted(catalogue())


def test_codes_and_names_are_the_ones_that_are_reported() -> None:
    for code, (name, severity) in CODES.items():
        page = catalogue()[code]
        assert (page.code, page.name, page.severity) == (code, name, severity)


def test_no_two_findings_share_a_name() -> None:
    names = Counter(page.name for page in catalogue().values())
    assert [name for name, number in names.items() if number > 1] == []


def test_every_code_of_resolving_and_typing_is_reported_somewhere() -> None:
    modules = [p for p in COMPILER.rglob("*.py") if p.name != "codes.py" and p.parent.name != "checks"]
    reported = {code for path in modules for code in re.findall(r'"([A-Z]\d{3})"', path.read_text("utf-8"))}
    assert set(CODES) - reported == set()


@pytest.mark.parametrize("letter", sorted({code[0] for code in catalogue()}))
def test_every_code_can_be_explained(letter: str, capsys: pytest.CaptureFixture[str]) -> None:
    for code, page in catalogue().items():
        if code[0] == letter:
            assert main(["explain", code.lower()]) == 0
            shown = capsys.readouterr().out
            assert shown.startswith(f"{code} {page.name} ({page.severity})\n\n")
            assert page.why.split()[0] in shown
