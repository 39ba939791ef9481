"""Brimstone beyond its tests in Tale: a campaign from file to file, the kept games, and what was measured."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talewright.compiler import compile_package
from talewright.report.playtest.statistics.comparison import comparable
from talewright.runtime.session import Session, load
from talewright.runtime.session.bots import bot
from talewright.runtime.session.saves import load_file

from .baseline import REACHED
from .brimstone_baseline import BRIMSTONE, FIRST, GAMES, LATER, REACH, Cell, there

MISSIONS = ("fistful", "few_more", "seal_the_gate", "blow_the_mine", "farmers_son", "thing_below")

# Bots seldom go through a gate, and draw few encounters beyond.
UNSEEN = {
    "avalanche", "blue_fire", "library_of_breath", "silver_merchant", "snow_blind", "the_other_posse", "thin_ice",
    "warm_room",
}  # fmt: skip


def _heroes(record: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {hero["id"]: hero["fields"] for hero in record["roster"]}


def test_six_missions_are_played_by_bots_and_what_lasts_is_saved_between() -> None:
    document = compile_package(BRIMSTONE / "territory", trees=False).document
    assert document is not None
    program = load(document, {"campaign": False}, 2, bots=True)
    written = ""
    before: dict[str, dict[str, Any]] = {}
    for seed, mission in enumerate(MISSIONS, start=1):
        session = Session(program, seed, mission, json.loads(written) if written else None)
        session.default = bot("guided", seed)
        outcome = session.run()
        written = json.dumps(session.game.campaign.after())
        heroes = _heroes(json.loads(written))
        assert len(heroes) >= 2, (mission, outcome)
        assert set(before) <= set(heroes), (mission, outcome)
        # Experience is never lost, and every mission brings some to somebody.
        assert all(heroes[name]["xp"] >= before[name]["xp"] for name in before)
        assert sum(hero["xp"] for hero in heroes.values()) > sum(hero["xp"] for hero in before.values())
        before = heroes
    record = json.loads(written)
    assert len(record["states"]["missions_won"]) + record["states"]["missions_lost"] == len(MISSIONS)
    assert max(hero["level"] for hero in before.values()) > 1


def test_a_won_and_a_lost_game_of_every_mission_are_kept() -> None:
    kept = {
        path.name.removesuffix(".save.json"): load_file(path)
        for package in ("fistful", "territory")
        for path in (BRIMSTONE / package / "replays").glob("*.save.json")
    }
    for mission in MISSIONS[1:]:
        assert kept[f"{mission}_won"].chapter == kept[f"{mission}_lost"].chapter == mission
        assert kept[f"{mission}_won"].outcome != kept[f"{mission}_lost"].outcome
    assert kept["two_players_victory"].outcome == "fistful_done"
    assert kept["one_hero_lost"].outcome != "fistful_done"
    assert kept["campaign"].outcome in ("quiet_country", "empty_street")


def _kept(cell: Cell) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(cell.file.read_text(encoding="utf-8"))
    return found


def _win_rate(cell: Cell, low: float, high: float) -> float:
    """How often a cell was won: within bounds, by as many games as were promised, in as many turns."""
    kept = _kept(cell)
    comparable(kept)
    who = (kept["bot"], kept["players"], kept["finished"], kept["errors"])
    assert who == ("guided", cell.players, GAMES, 0)
    assert 12 <= kept["measures"]["turns_played"]["mean"] <= 25, cell.name
    assert kept["outcomes"].get("fled", 0) < 0.02 * GAMES, cell.name
    rate: float = kept["win_rate"]["value"]
    assert low <= rate <= high, cell.name
    return rate


def test_the_first_mission_is_as_hard_for_one_as_for_four() -> None:
    rates = [_win_rate(cell, 0.45, 0.65) for cell in FIRST]
    assert max(rates) - min(rates) <= 0.15


@pytest.mark.parametrize("cell", LATER, ids=lambda cell: cell.name)
def test_a_later_mission_is_won_about_every_second_time_at_its_level(cell: Cell) -> None:
    assert _kept(cell)["options"]["first_level"] == str(cell.level)
    _win_rate(cell, 0.40, 0.60)


def test_every_page_and_way_is_met_and_all_but_some_encounters_of_another_world() -> None:
    kept, names = json.loads(REACH.read_text(encoding="utf-8")), there()
    for sort in REACHED:
        assert names[sort] == set(kept["met"][sort]) | set(kept["never"][sort]), "play the baseline anew"
    assert kept["never"]["chapters"] == kept["never"]["edges"] == []
    assert set(kept["never"]["things"]) <= UNSEEN
