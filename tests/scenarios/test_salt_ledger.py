"""The two acts of the Salt Ledger: each is played from its start, and the sheet leads from one to the other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talewright.compiler import compile_package
from talewright.report.playtest.statistics.comparison import comparable
from talewright.runtime.session import Session, load
from talewright.runtime.session.bots import bot
from talewright.runtime.session.campaign import Record
from talewright.runtime.session.program import Program

from .baseline import REACHED
from .ledger_baseline import ACTS, BASELINE, CELLS, PACKAGE, SEED, WIDE, there

# The sheet leads from act to act (`test_the_sheet_leads_to_the_second_act`).
UNMET: dict[str, set[str]] = {
    "chapters": set(),
    "edges": {f"9{version} -> 11{version}" for version in "ABC"},
    "things": set(),
}
AGAIN = "the package has changed since: python -m tests.scenarios.ledger_baseline"
FIRST_ACT, SECOND_ACT = {"9A", "9B", "9C"}, {"18A", "18B", "18C"}


def _ended(options: dict[str, Any], players: int) -> str:
    """The ending of one act that is played at random."""
    document = compile_package(PACKAGE, trees=False).document
    assert document is not None
    session = Session(load(document, options, players), 1)
    session.default = bot("random", 1)
    return session.run()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_first_act_is_played_to_one_of_its_endings(players: int) -> None:
    assert _ended({}, players) in FIRST_ACT


@pytest.mark.parametrize("unplayed", ["cards", "dashboards", "neither"])
def test_the_second_act_is_played_to_one_of_its_endings(unplayed: str) -> None:
    assert _ended({"first_act": 2, "unplayed": unplayed}, 2) in SECOND_ACT


@pytest.mark.parametrize("version", ["A", "B", "C"])
def test_the_sheet_leads_to_the_second_act(version: str) -> None:
    document = compile_package(PACKAGE, trees=False).document
    assert document is not None
    program = load(document, {}, 2, bots=True)
    first = next(
        played for seed in range(1, 60) if (played := _played(program, seed, None))[0] == f"9{version}"
    )
    record = first[1].game.campaign.after()
    assert record["fields"] == {"sheet": {"chapter": {"thing": f"11{version}"}}}
    ending, second = _played(program, 1, record)
    assert ending in SECOND_ACT
    opening = next(node["title"] for node in document["story"]["nodes"] if node["id"] == f"11{version}")
    assert opening in second.game.said


def _played(program: Program, seed: int, brought: Record | None) -> tuple[str, Session]:
    """One act by hints, with what an act before has left."""
    session = Session(program, seed, brought=brought)
    session.default = bot("guided", seed)
    return session.run(), session


def _kept(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((BASELINE / f"{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(("act", "players"), CELLS)
def test_every_company_was_measured_and_fewer_are_within_twelve_points_of_four(
    act: int, players: int
) -> None:
    cell, four = _kept(f"act_{act}_players_{players}"), _kept(f"act_{act}_players_4")
    comparable(cell)
    assert cell["options"] == {"first_act": str(act)}
    assert (cell["bot"], cell["errors"]) == ("guided", 0)
    assert (cell["finished"], cell["seed"]) == (ACTS, SEED)
    assert 0.45 <= four["win_rate"]["value"] <= 0.6
    assert abs(cell["win_rate"]["value"] - four["win_rate"]["value"]) <= 0.12


def test_the_baseline_is_of_these_pages() -> None:
    document = compile_package(PACKAGE, trees=False).document
    assert document is not None
    pages = {node["id"] for node in document["story"]["nodes"] if not node["ending"]}
    for act, players in CELLS:
        cell = _kept(f"act_{act}_players_{players}")
        assert pages <= {way["from"] for way in cell["edges"]}, AGAIN


def test_nobody_wins_at_random_and_nothing_breaks() -> None:
    runs = [run for run in _kept("reach")["runs"] if run["bot"] == "random"]
    assert len(runs) == 2
    assert all(run["finished"] == WIDE and run["errors"] == 0 and run["win_rate"] < 0.1 for run in runs)


@pytest.mark.parametrize("sort", REACHED)
def test_what_no_bot_meets_is_known(sort: str) -> None:
    reach = _kept("reach")
    assert set(reach["never"][sort]) <= UNMET[sort]
    assert there()[sort] == set(reach["met"][sort]) | set(reach["never"][sort]), AGAIN
