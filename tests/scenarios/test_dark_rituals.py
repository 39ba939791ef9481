"""The encounters of Dark Rituals, played: in a row, at random, and as kept games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talewright.cli.main import main
from talewright.compiler import compile_package
from talewright.runtime.session.saves import load_file
from tests.cli.commands.test_play import piped

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
ENCOUNTERS = ("e1", "e2", "e3", "e4", "e5")
# How often a player who goes by the hints should win each, and by how much it may be off.
AIMS = {"e1": 0.60, "e2": 0.55, "e3": 0.50, "e4": 0.45, "e5": 0.40}
OFF = 0.07


def _played(tmp_path: Path, *arguments: str) -> dict[str, Any]:
    file = tmp_path / "result.json"
    package = str(SCENARIOS / "dark_rituals/encounters")
    assert main(["playtest", package, "--json", str(file), "--bot", "random", *arguments]) == 0
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_the_chain_plays_all_five_in_a_row(tmp_path: Path) -> None:
    result = _played(tmp_path, "--games", "1", "--set", "chain=yes", "--checked")
    assert result["errors"] == 0
    assert [result["chapters"][name]["visits"] for name in ENCOUNTERS] == [1] * 5
    assert set(result["outcomes"]) <= {"e5_contented", "e5_a_mark_on_the_hill"}


def test_without_the_chain_one_encounter_is_a_game(tmp_path: Path) -> None:
    result = _played(tmp_path, "--games", "1")
    assert [result["chapters"][name]["visits"] for name in ENCOUNTERS] == [1, 0, 0, 0, 0]


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_nobody_wins_blindly(tmp_path: Path, encounter: str) -> None:
    options = (
        "--games",
        "6",
        "--chapter",
        encounter,
        "--expect",
        "win_rate < 0.1",
        "--expect",
        "errors == 0",
    )
    _played(tmp_path, *options)


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_a_won_and_a_lost_game_of_each_encounter_are_kept(encounter: str) -> None:
    folder = SCENARIOS / "dark_rituals/encounters/replays"
    saves = {name: load_file(folder / f"{encounter}_{name}.save.json") for name in ("won", "lost")}
    assert {save.chapter for save in saves.values()} == {encounter}
    assert len({save.outcome for save in saves.values()}) == 2


@pytest.mark.parametrize("encounter", ENCOUNTERS)
def test_the_baseline_keeps_to_the_aims(encounter: str) -> None:
    file = SCENARIOS / f"dark_rituals/encounters/baseline/{encounter}.json"
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert (kept["games"], kept["bot"], kept["options"], kept["errors"]) == (300, "guided", {}, 0)
    assert abs(kept["win_rate"]["value"] - AIMS[encounter]) <= OFF


def test_a_game_opens_with_its_text_told_once_and_groups_orders_by_figure(tmp_path: Path) -> None:
    run = piped(tmp_path, "4\nlook 1\n", "play", "witches_war", "--seed", "4")
    assert run.returncode == 0
    assert run.stdout.count("Then stop stamping") == 1
    assert run.stdout.count("Gather Their Souls") == 1
    # One entry for each figure, not one for each thing it could do; and whose card lies on top.
    orders = run.stdout.partition("First order (25 energy). ")[2].split("> ")[0].splitlines()
    assert orders[0].endswith(" comes next.")
    assert orders[1:4] == ["  1  Ikrek", "  2  Hagatha", "  3  Pekka"]
    assert orders[-1] == "  8  Pass the round: the heroes act twice, and your energy comes back"


# Encounter 2 as somebody played it, to a victory.
BY_HAND = "1 3 6 2 6 2 3 5 3 5 3 5 3 15 10 2 10 1 10 4 10 4 1 7 1 5 1 5 1 5 2 2 3 12 3 12 7 3 7 4 7 4 7 4"


def test_a_game_by_hand_tells_of_plants_burnt_and_of_a_round_passed_for_want_of_energy(
    tmp_path: Path,
) -> None:
    typed = "\n".join(BY_HAND.split()) + "\n"
    run = piped(tmp_path, typed, "play", "witches_war", "--chapter", "e2", "--seed", "77")
    assert run.returncode == 0
    assert "-- An Early Night: victory --" in run.stdout
    struck = run.stdout.index("Ikrek strikes at Mother Ysolt: 3 against 3.")
    assert run.stdout.rindex("The heroes burn 1 of their plants.", 0, struck) > 0
    assert run.stdout.index("The Master Sorcerer passes the round.") < run.stdout.index("Energy 0 -> 25")


def test_zones_have_names_of_their_own_and_maps_have_walls() -> None:
    document = compile_package(SCENARIOS / "dark_rituals/encounters", trees=False).document
    assert document is not None
    things = document["content"]["things"]
    zones = {thing["id"]: thing["title"] for thing in things if thing["kind"] == "Zone"}
    assert len(set(zones.values())) == len(zones)
    assert not [title for title in zones.values() if "_" in title or title == title.lower()]
    maps = {thing["id"]: thing["fields"] for thing in things if thing["id"] in ENCOUNTERS}
    assert tuple(maps) == ENCOUNTERS
    for held in maps.values():
        laid = {name for row in held["map"]["rows"] for name in row} - {"."}
        assert laid <= set(zones)
        assert 16 <= len(laid) <= 24
        assert len(held["walls"]["items"]) >= 4
