"""What is written down of Brimstone's balance says that its missions are balanced."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talewright.report.playtest.statistics.comparison import comparable

from .brimstone_baseline import FIRST, GAMES, LATER, Cell


def kept(cell: Cell) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(cell.file.read_text(encoding="utf-8"))
    comparable(found)
    assert (found["bot"], found["players"]) == ("guided", cell.players)
    assert (found["finished"], found["errors"]) == (GAMES, 0)
    return found


def _won(cell: Cell) -> float:
    rate: float = kept(cell)["win_rate"]["value"]
    return rate


@pytest.mark.parametrize("cell", FIRST, ids=lambda cell: cell.name)
def test_the_first_mission_is_won_about_every_second_time(cell: Cell) -> None:
    assert 0.45 <= _won(cell) <= 0.65


def test_no_number_of_heroes_has_it_much_easier() -> None:
    rates = [_won(cell) for cell in FIRST]
    assert max(rates) - min(rates) <= 0.15


@pytest.mark.parametrize("cell", LATER, ids=lambda cell: cell.name)
def test_a_later_mission_is_won_about_every_second_time_at_its_level(cell: Cell) -> None:
    assert 0.40 <= _won(cell) <= 0.60


@pytest.mark.parametrize("cell", [*FIRST, *LATER], ids=lambda cell: cell.name)
def test_a_mission_takes_an_evening_and_nobody_flees(cell: Cell) -> None:
    found = kept(cell)
    assert 12 <= found["measures"]["turns_played"]["mean"] <= 25
    assert found["outcomes"].get("fled", 0) < 0.02 * GAMES
    assert found["decisions"]["mean"] <= 150 * cell.players
