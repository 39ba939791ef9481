"""`tale explain --wording`: every card as players read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from talewright.cli.main import main

MANIFEST = (
    'name = "harbour"\nversion = "0.1.0"\ntitle = "The Harbour"\ntype = "system"\nuses = []\ntale = 1\n'
)
CARDS = """
role Sailor 1..2 named s:
    gold: int = 9 reads "gold"
kind Chest is Card:
    opens: effect(s: Sailor)
Chest black "A Black Chest": opens: pay 2 by s
Chest white "A White Chest":
    reads "Nothing but sand"
    opens: nothing
action pay n: int by s: Sailor reads "{s pays|pay} {n} gold": s.gold - n
"""


@pytest.fixture
def harbour(tmp_path: Path) -> str:
    (tmp_path / "tale.toml").write_text(MANIFEST, "utf-8")
    (tmp_path / "cards.tale").write_text(CARDS, "utf-8")
    return str(tmp_path)


def test_cards_stand_beside_their_source(harbour: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--wording", harbour]) == 0
    shown = capsys.readouterr().out
    assert "A Black Chest (Chest, harbour/cards.tale:6)\n    Opens: Pay 2 gold.\n" in shown
    assert '  | Chest black "A Black Chest": opens: pay 2 by s' in shown
    assert "Nothing but sand. *" in shown


def test_the_words_alone(harbour: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "--plain", "--wording", harbour]) == 0
    assert "|" not in capsys.readouterr().out


def test_neither_a_code_nor_a_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain"]) == 2
    assert "--wording PATH" in capsys.readouterr().err
    assert main(["explain", "--wording", "no/such/place"]) == 2


def test_lint_lists_the_words_that_were_written_by_hand(
    harbour: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lint", "--own-words", harbour]) == 0
    assert capsys.readouterr().out == "harbour/cards.tale:7: A White Chest: Nothing but sand.\n"


def test_a_number_goes_unmentioned_at_no_place(harbour: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(harbour, "cards.tale").read_text("utf-8")
    bad = 'action warm s: Sailor by n: int reads "{s is|are} warmed": s.gold + n\naction game: warm s1 by 2\n'
    Path(harbour, "cards.tale").write_text(text + bad, "utf-8")
    main(["lint", harbour])
    assert "the wording of `warm` never mentions `n`" in capsys.readouterr().out


def test_a_mistake_in_a_wording_is_told_once(harbour: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(harbour, "cards.tale").read_text("utf-8")
    bad = (
        'action warm s: Sailor reads "{who} is warmed": s.gold + 1\n'
        'action cool s: Sailor reads "{s is cooled": s.gold - 1\n'
        'trait Cold(n: int, m: int) reads "Cold {n}"\n'
        'trait Icy(n: int, m: int) reads "Icy {n}[ and {m}]"\n'
        "action game: nothing\n"
    )
    Path(harbour, "cards.tale").write_text(text + bad, "utf-8")
    main(["lint", harbour])
    told = capsys.readouterr().out
    assert "there is no parameter `who`" in told
    assert "the hole is not closed" in told
    assert "write `\\` before a bracket" in told
    assert "the wording of `Cold` never mentions `m`" in told
    for again in ("`warm` never", "this `{` has no `}`", "`Icy` never"):
        assert again not in told
