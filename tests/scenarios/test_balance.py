"""The bundled scenarios say what a playtest of them should show; small runs keep to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talewright.cli.main import main
from talewright.dsl.packages import load_package

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


def _played(tmp_path: Path, package: str, *arguments: str) -> dict[str, Any]:
    """The result of a playtest that did all that is expected of it."""
    file = tmp_path / "result.json"
    assert main(["playtest", str(SCENARIOS / package), "--json", str(file), *arguments]) == 0
    found: dict[str, Any] = json.loads(file.read_text())
    return found


@pytest.mark.parametrize("package", ["salem/night", "blackmere"])
def test_a_small_playtest_keeps_to_the_budget_of_its_package(package: str, tmp_path: Path) -> None:
    loaded = load_package(SCENARIOS / package).main
    assert loaded is not None
    budget = loaded.manifest.playtest
    bounds = " ".join(budget["expect"])
    assert all(word in bounds for word in ("errors == 0", "win_rate >= ", "win_rate <= "))
    result = _played(tmp_path, package, "--games", "12")
    assert result["bot"] == budget["bot"]


@pytest.mark.parametrize("players", ["2", "3", "4"])
def test_who_plays_by_the_hints_of_salem_often_wins_and_who_plays_blindly_does_not(
    players: str, tmp_path: Path
) -> None:
    by_hints = _played(tmp_path, "salem/night", "--players", players, "--games", "16")
    assert 0.1 < by_hints["win_rate"]["value"] < 0.8
    blind = ("--bot", "random", "--expect", "win_rate <= 0.01")
    _played(tmp_path, "salem/night", "--players", players, "--games", "300", *blind)
