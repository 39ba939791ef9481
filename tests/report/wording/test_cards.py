"""Every card of five games as players read it; `TALE_GOLDEN=write pytest ...` writes the texts anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from talewright.compiler import compile_package
from talewright.report.wording.cards import Cards
from talewright.report.wording.pages import wording_lines
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.document import Document

ROOT = Path(__file__).parents[3]
PACKAGES = {
    "salem": "scenarios/salem/night",
    "blackmere": "scenarios/blackmere",
    "dark_rituals": "scenarios/dark_rituals/encounters",
    "salt_ledger": "scenarios/solomon_kane_first/salt_ledger",
    "brimstone": "scenarios/brimstone/territory",
}


@pytest.fixture(scope="module", params=list(PACKAGES))
def worded(request: pytest.FixtureRequest) -> tuple[str, Document]:
    document = compile_package(ROOT / PACKAGES[request.param], trees=False).document
    assert document is not None
    return request.param, read_document(document)


def test_all_cards_read_as_they_did(worded: tuple[str, Document]) -> None:
    name, document = worded
    # Lines of the source move all the time; the words are what is looked at.
    shown = "\n".join(line for line in wording_lines(document, width=110) if not line.startswith("  |"))
    shown = "\n".join(_without_place(line) for line in shown.splitlines()) + "\n"
    golden = Path(__file__).with_name(f"{name}.txt")
    if os.environ.get("TALE_GOLDEN") == "write":
        golden.write_text(shown, "utf-8")
    assert shown == golden.read_text("utf-8")


def _without_place(line: str) -> str:
    return line if line.startswith(" ") or ".tale:" not in line else f"{line.rpartition(', ')[0]})"


def test_no_card_shows_code_or_what_cannot_be_said(worded: tuple[str, Document]) -> None:
    cards = Cards(worded[1])
    text = " ".join(line.text for thing in worded[1].content.things for line in cards.lines(thing.id))
    for bad in ("_", "{", "}", "this holds", " ... ", " a a ", "  "):
        assert bad not in text, bad
