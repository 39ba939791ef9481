"""What is written down of Blackmere's balance fits the package, and says that it is balanced."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talewright.compiler import compile_package
from talewright.report.playtest.statistics.comparison import comparable

from .baseline import ACTS, BASELINE, CELLS, PACKAGE, REACHED, all_met, content_of, names_of

AGAIN = "the package has changed since: python tests/scenarios/baseline.py"


def kept(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((BASELINE / f"{name}.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(("mode", "players"), CELLS)
def test_a_sensible_company_wins_between_a_third_and_two_thirds(mode: str, players: int) -> None:
    cell = kept(f"{mode}_{players}")
    comparable(cell)
    assert cell["options"] == {"mode": mode}
    assert (cell["bot"], cell["finished"], cell["errors"]) == ("guided", ACTS, 0)
    assert 1 / 3 < cell["win_rate"]["value"] < 2 / 3


def test_the_baseline_is_of_these_pages() -> None:
    document = compile_package(PACKAGE, trees=False).document
    assert document is not None
    nodes = document["story"]["nodes"]
    left = {node["id"] for node in nodes if not node["ending"]}
    for mode, players in CELLS:
        cell = kept(f"{mode}_{players}")
        assert {way["from"] for way in cell["edges"]} == left, AGAIN
        assert set(cell["outcomes"]) <= {node["id"] for node in nodes} - left, AGAIN


@pytest.mark.parametrize("sort", REACHED)
def test_some_bot_meets_every_page_way_and_card(sort: str) -> None:
    reach = kept("reach")
    assert reach["never"][sort] == []
    assert all(run["errors"] == 0 for run in reach["runs"])


@pytest.mark.parametrize("sort", REACHED)
def test_what_was_met_is_what_there_is_today(sort: str) -> None:
    there = names_of(content_of(PACKAGE))[sort]
    reach = kept("reach")
    assert there == set(reach["met"][sort]) | set(reach["never"][sort]), AGAIN


def test_a_card_that_no_run_meets_is_told() -> None:
    there = {
        "chapters": {"1A"},
        "edges": {"1A -> 2A", "1A -> 2B"},
        "things": {"oars", "stocking", "wolf", "new"},
    }
    runs = [
        result({"oars": 1, "stocking": 0, "wolf": 0}, "2A"),
        result({"oars": 0, "stocking": 0, "wolf": 0}, ""),
    ]
    lists = [result({"wolf": 3, "herald": 1, "stocking": 0}, "2B")]
    assert all_met(there, runs, lists) == {
        "chapters": {"1A"},
        "edges": {"1A -> 2A"},
        "things": {"oars", "wolf"},
    }


def result(things: dict[str, int], way: str) -> dict[str, Any]:
    ways = [{"from": "1A", "to": to} for to in ("2A", "2B")]
    return {
        "chapters": {"1A": {"visits": 1}},
        "edges": ways,
        "things": things,
        "never": {
            "chapters": [],
            "edges": [entry for entry in ways if entry["to"] != way],
            "things": [{"id": name} for name, times in things.items() if not times],
        },
    }
