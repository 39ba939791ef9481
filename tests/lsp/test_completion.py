"""What is proposed first inside things, casts, fields and tests: what fits there."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from lsprotocol import types as lsp

from talewright.lsp.answers import Answers
from talewright.lsp.desk import Desk

MANIFEST = 'name = "pier"\nversion = "0.1.0"\ntitle = "P"\ntype = "system"\nuses = []\n[test]\ncovers = "../rules.yaml"\n'
CATALOGUE = "rules:\n- {id: WS-GOLD-01, topic: gold}\n- {id: WS-TIDE-02, topic: tides}\n"
TEXT = dedent(
    """
    role Keeper 1..2 is Figure
    trait Watchful
    kind Room is Place
    kind Deed:
        price: 1..3 = 1
    kind Trail is Card:
        rooms: list of Room
        odds: bands of Room
        likely: Room or none = none
        does: effect
        deed: list of Deed
    Room hall "the Hall"
    Room vault "the Vault"
    Figure crier "the Crier"
    state mood: calm | wild = calm
    option tide: high | low = high
    Chapter one "One"
    Ending dry "Dry"
    action game:
        nothing
    action swim by k: Keeper:
        nothing

    """
).lstrip()


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> tuple[Answers, str]:
    folder = tmp_path_factory.mktemp("completion")
    (folder / "rules.yaml").write_text(CATALOGUE)
    (folder / "pier").mkdir()
    (folder / "pier" / "tale.toml").write_text(MANIFEST)
    path: Path = folder / "pier" / "rules.tale"
    path.write_text(TEXT)
    desk = Desk()
    desk.open(path.as_uri(), TEXT)
    list(desk.publications())
    return Answers(desk), path.as_uri()


def proposed(answers: tuple[Answers, str], written: str) -> list[lsp.CompletionItem]:
    asked, uri = answers
    text = TEXT + written
    asked.desk.open(uri, text)
    list(asked.desk.publications())
    where = lsp.Position(text.count("\n"), len(text) - (text.rfind("\n") + 1))
    return asked.completion(lsp.CompletionParams(lsp.TextDocumentIdentifier(uri), where)).items


@pytest.mark.parametrize(
    ("written", "first"),
    [
        ("Trail t:\n    rooms: ", ["hall", "vault"]),
        ("Trail t:\n    rooms: hall, ", ["hall", "vault"]),
        ("Trail t:\n    rooms: hall, va", ["hall", "vault"]),
        ("Trail t:\n    likely: ", ["hall", "vault"]),
        ("Trail t:\n    odds: ..3 -> ", ["hall", "vault"]),
        ("Trail t:\n    odds:\n        ..3 -> hall\n        4.. -> ", ["hall", "vault"]),
        ('Trail t:\n    deed wade "Wade":\n        ', ["price"]),
        ("Trail t:\n    ", ["rooms", "odds", "likely", "does", "deed"]),
        ("Trail t:\n    does:\n        ", ["game", "swim"]),
        ("Trail t:\n    does: ", ["game", "swim"]),
        ("Chapter two:\n    cast:\n        ", ["crier"]),
        ("Chapter two:\n    cast:\n        crier at ", ["hall", "vault"]),
        ("Chapter two:\n    cast:\n        crier at hall is ", ["Watchful"]),
        ("Chapter two:\n    outcome:\n        otherwise -> ", ["one", "two", "dry"]),
        ("action go:\n    mood = ", ["calm", "wild"]),
        ("action go:\n    if mood is ", ["calm", "wild"]),
        ("state other: ", ["int", "text"]),
        ("option other: ", ["int", "text"]),
        ("value other: ", ["int", "text"]),
        ('test "t":\n    start one with ', ["players", "seed", "tide"]),
        ('test "t":\n    start one with players 1, ', ["players", "seed", "tide"]),
        ('test "t":\n    start one with players 1, tide ', ["high", "low"]),
        ('test "t":\n    covers ', ["WS-GOLD-01", "WS-TIDE-02"]),
    ],
)
def test_what_fits_comes_first(answers: tuple[Answers, str], written: str, first: list[str]) -> None:
    found = [item.label for item in proposed(answers, written)]
    assert set(found[: len(first)]) == set(first), found[:20]


def test_a_line_of_a_cast_goes_on_with_its_place(answers: tuple[Answers, str]) -> None:
    assert proposed(answers, "Chapter two:\n    cast:\n        ")[0].insert_text == "crier at $0"


def test_an_id_with_hyphens_is_replaced_whole(answers: tuple[Answers, str]) -> None:
    items = proposed(answers, 'test "t":\n    covers WS-GOLD-01, WS-TI')
    edit = items[1].text_edit
    assert isinstance(edit, lsp.TextEdit)
    assert edit.new_text == "WS-TIDE-02"
    assert (edit.range.start.character, edit.range.end.character) == (23, 28)
    assert items[1].detail == "tides"
