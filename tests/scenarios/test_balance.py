"""A bundled scenario says what a playtest of it should show; small runs keep to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from talewright.cli.main import main
from talewright.dsl.packages.loader import load_package

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


def _played(tmp_path: Path, package: str, *arguments: str) -> dict[str, Any]:
    """The result of a playtest that did all that is expected of it."""
    file = tmp_path / "result.json"
    assert main(["playtest", str(SCENARIOS / package), "--json", str(file), *arguments]) == 0
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def test_a_small_playtest_keeps_to_the_budget_of_its_package(tmp_path: Path) -> None:
    loaded = load_package(SCENARIOS / "salem/night").main
    assert loaded is not None
    budget = loaded.manifest.playtest
    bounds = " ".join(budget["expect"])
    assert all(word in bounds for word in ("errors == 0", "win_rate >= ", "win_rate <= "))
    result = _played(tmp_path, "salem/night", "--games", "6")
    assert result["bot"] == budget["bot"]


def test_who_plays_by_hints_sometimes_wins_a_game_that_nobody_wins_blindly(tmp_path: Path) -> None:
    by_hints = _played(tmp_path, "salem/night", "--players", "3", "--games", "10")
    assert 0 < by_hints["win_rate"]["value"] < 1
    blind = ("--bot", "random", "--expect", "win_rate == 0")
    _played(tmp_path, "salem/night", "--players", "3", "--games", "150", *blind)
