"""What is written down of Blackmere's balance fits the package, and says that it is balanced."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talewright.compiler import compile_package
from talewright.report.playtest.compare import comparable

from .baseline import ACTS, BASELINE, CELLS, PACKAGE

AGAIN = "the pages have changed since: python tests/scenarios/baseline.py"


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
    document = compile_package(PACKAGE).document
    assert document is not None
    nodes = document["story"]["nodes"]
    left = {node["id"] for node in nodes if not node["ending"]}
    for mode, players in CELLS:
        cell = kept(f"{mode}_{players}")
        assert {way["from"] for way in cell["edges"]} == left, AGAIN
        assert set(cell["outcomes"]) <= {node["id"] for node in nodes} - left, AGAIN


def test_every_page_and_way_is_reached_by_some_bot() -> None:
    never = kept("reach")["never"]
    assert (never["chapters"], never["edges"]) == ([], [])
