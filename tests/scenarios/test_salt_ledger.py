"""The two acts of the Salt Ledger: each is played from its start, and the sheet leads from one to the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from talewright.compiler import compile_package
from talewright.runtime.session import Session, load
from talewright.runtime.session.bots import bot

PACKAGE = Path(__file__).resolve().parents[2] / "scenarios/solomon_kane_first/salt_ledger"
FIRST_ACT, SECOND_ACT = {"9A", "9B", "9C"}, {"18A", "18B", "18C"}


def _ended(options: dict[str, Any], players: int) -> str:
    """The ending of one act that is played at random."""
    document = compile_package(PACKAGE).document
    assert document is not None
    session = Session(load(document, options, players), 1)
    session.default = bot("random", 1)
    return session.run()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.unwatched
def test_the_first_act_is_played_to_one_of_its_endings(players: int) -> None:
    assert _ended({}, players) in FIRST_ACT


@pytest.mark.parametrize("unplayed", ["cards", "dashboards", "neither"])
@pytest.mark.unwatched
def test_the_second_act_is_played_to_one_of_its_endings(unplayed: str) -> None:
    assert _ended({"first_act": 2, "unplayed": unplayed}, 2) in SECOND_ACT
