"""The kept games of bundled scenarios are played again, decision by decision, and end as they did."""

from __future__ import annotations

from pathlib import Path

import pytest

from talewright.cli.main import main
from talewright.runtime.session.saves import load_file, write_save

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
KEPT = sorted(SCENARIOS.rglob("replays/*.save.json"))
AGAIN = "if the change is meant: python tests/scenarios/record.py"


def _ids(path: Path) -> str:
    return path.relative_to(SCENARIOS).as_posix()


@pytest.mark.parametrize("path", KEPT, ids=_ids)
def test_a_kept_game_is_played_again_to_the_same_end(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save = load_file(path)
    assert main(["replay", str(path), "--package", str(path.parents[1]), "--trace"]) == 0, AGAIN
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"ended: {save.outcome}, {len(save.decisions)} decisions"


def test_a_kept_game_with_another_answer_is_refused(tmp_path: Path) -> None:
    path = KEPT[0]
    save = load_file(path)
    save.decisions = save.decisions[:-1]
    cut = tmp_path / "cut.save.json"
    cut.write_bytes(write_save(save))
    assert main(["replay", str(cut), "--package", str(path.parents[1])]) == 1


def test_games_for_two_three_and_four_are_kept_and_one_is_a_victory() -> None:
    saves = [load_file(path) for path in (SCENARIOS / "salem/night/replays").glob("*.save.json")]
    assert sorted(save.players or 0 for save in saves) == [2, 3, 4]
    assert "sealed" in [save.outcome for save in saves]


def test_every_mode_of_blackmere_is_kept_and_one_game_is_a_victory() -> None:
    saves = [load_file(path) for path in (SCENARIOS / "blackmere/replays").glob("*.save.json")]
    modes = {str(save.options.get("mode", "coop")) for save in saves}
    assert modes == {"coop", "confrontation", "solo", "duel"}
    assert {save.outcome for save in saves} & {
        "end_morning_service",
        "end_lych_gate",
        "end_silence",
        "end_grey_morning",
    }


def test_a_win_a_loss_and_a_game_for_one_of_the_salt_ledger_are_kept() -> None:
    folder = SCENARIOS / "solomon_kane_first/salt_ledger/replays"
    saves = {path.name.split(".")[0]: load_file(path) for path in folder.glob("*.save.json")}
    assert {name: save.players for name, save in saves.items()} == {
        "four_players_victory": 4,
        "two_players_defeat": 2,
        "one_player": 1,
    }
    assert saves["four_players_victory"].outcome in ("9A", "9B")
    assert saves["two_players_defeat"].outcome == "9C"
