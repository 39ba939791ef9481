"""Games of the new engine that go the way of the old one, to the last draw."""

from __future__ import annotations

from pathlib import Path

import pytest

from talewright.compiler import compile_package
from talewright.runtime.program import Program

from .tape import player, record

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
GAMES = 12


@pytest.mark.parametrize("players", [2, 3, 4])
def test_salem_goes_the_same_way(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    document = compile_package(SCENARIOS / "salem" / "night").document
    assert document is not None
    old = Program(document, {}, players)
    new = player(document, {}, players, monkeypatch)
    parted = {seed: said for seed in range(GAMES) if (said := new.play(record(old, seed)))}
    assert not parted
