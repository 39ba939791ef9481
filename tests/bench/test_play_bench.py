"""The yardsticks of `bench/` play the same games as Tale, and no measure has slipped badly."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.runtime.lower.program import Build
from talewright.runtime.model.cells import DECISIONS

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))
import play as play_bench
import salem_by_hand
import tictactoe_by_hand

# The chi-square that chance passes once in ten thousand times, by degrees of freedom.
UNLIKELY = {1: 15.1, 2: 18.4, 3: 21.1, 4: 23.5, 5: 25.7, 6: 27.9, 7: 29.9, 8: 31.8, 9: 33.7}


@cache
def salem() -> dict[str, Any]:
    """The document of the bundled game."""
    return play_bench.document(play_bench.SALEM)


def chi_square(a: Counter[Any], b: Counter[Any]) -> tuple[float, int]:
    """How far two samples lie apart, rare outcomes taken together, and the degrees of freedom."""
    total_a, total_b = a.total(), b.total()
    cells: list[tuple[int, int]] = []
    rare = (0, 0)
    for outcome in sorted(a | b):
        pair = (a[outcome], b[outcome])
        if sum(pair) < 20:
            rare = (rare[0] + pair[0], rare[1] + pair[1])
        else:
            cells.append(pair)
    if sum(rare) >= 20:
        cells.append(rare)
    value = 0.0
    for seen_a, seen_b in cells:
        share = (seen_a + seen_b) / (total_a + total_b)
        value += (seen_a - share * total_a) ** 2 / (share * total_a) + (seen_b - share * total_b) ** 2 / (
            share * total_b
        )
    return value, len(cells) - 1


def alike(a: Counter[Any], b: Counter[Any]) -> bool:
    """Whether two samples may well come from one game."""
    value, freedom = chi_square(a, b)
    return freedom > 0 and value < UNLIKELY[freedom]


def banded(number: int, width: int) -> int:
    """A number as one of at most six bands."""
    return min(5, number // width)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_salem_by_hand_plays_the_same_game(players: int) -> None:
    games = play_bench.Games(salem(), players)
    tale: dict[str, Counter[Any]] = {
        name: Counter() for name in ("ending", "decisions", "rounds", "necromancer")
    }
    hand: dict[str, Counter[Any]] = {name: Counter() for name in tale}
    for seed in range(1200):
        tale["ending"][games.endings(seed, 1)[0]] += 1
        tale["decisions"][banded(games.machine.read(DECISIONS, 1)[0], 25)] += 1
        tale["rounds"][banded(games.cell("rounds"), 4)] += 1
        tale["necromancer"][banded(games.cell("necromancer"), 8)] += 1
    for seed in range(1200):
        chance = Random(seed)
        night = salem_by_hand.Night(
            players, chance, lambda count, chance=chance: int(chance.random() * count)
        )  # type: ignore[misc]
        hand["ending"][night.play()] += 1
        hand["decisions"][banded(night.decisions, 25)] += 1
        hand["rounds"][banded(night.rounds, 4)] += 1
        hand["necromancer"][banded(night.necromancer, 8)] += 1
    for name in tale:
        assert alike(tale[name], hand[name]), (name, tale[name], hand[name])


@pytest.mark.parametrize("which", [which for which, *_ in play_bench.YARDSTICKS])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.skipif(shutil.which("node") is None, reason="node is missing")
def test_salem_in_javascript_plays_the_same_game(which: str, players: int) -> None:
    command = ["node", str(play_bench.HERE / "salem_javascript.mjs"), which, "3000", "0", str(players)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\{.*\}) decisions ([\d.]+) rounds ([\d.]+)", said)
    assert found is not None, said
    games = play_bench.Games(salem(), players, Build())
    tale = Counter(games.endings(0, 3000))
    assert alike(tale, Counter(json.loads(found[1]))), (tale, said)


def test_two_different_games_are_told_apart() -> None:
    two, four = (Counter(salem_by_hand.play(players, seed) for seed in range(700)) for players in (2, 4))
    assert not alike(two, four)


def test_tictactoe_by_hand_plays_the_same_game() -> None:
    games = play_bench.Games(play_bench.document(play_bench.TICTACTOE), 2)
    tale = Counter(games.endings(0, 3000))
    hand = Counter(tictactoe_by_hand.play(seed) for seed in range(3000))
    assert alike(tale, hand), (tale, hand)


@pytest.mark.parametrize("players", [2, 4])
def test_programs_that_count_or_trace_play_the_very_same_games(players: int) -> None:
    plain, counted, traced = made = [
        play_bench.Games(salem(), players, build)
        for build in (Build(), Build(bots=True, counted=True), Build(traced=True))
    ]
    for seed in range(60):
        plain.play(seed, 1)
        counted.play_counted(seed, 1)
        traced.play(seed, 1)
        assert len({games.last_ending() for games in made}) == 1
        for name in ("WHERE", "NEXT", "FACE"):
            layouts = [games.program.lowered.layout for games in made]
            columns = [
                games.machine.read(layout.names[name], layout.width)
                for games, layout in zip(made, layouts, strict=True)
            ]
            assert columns[0] == columns[1] == columns[2], (seed, name)


# Bounds far below the aims of `bench/play.py`, because machines that run tests are busy.
LOOSE = {
    "Salem, 2 players, Tale / Python by hand": 2.0,
    "tic-tac-toe, Tale / Python by hand": 4.0,
    "Salem, guided / Python by hand at random": 0.03,
    "Salem, counted / not counted": 0.4,
    "beside 1,000 such cards / beside 10": 2.0,
}


def test_no_measure_has_slipped_badly() -> None:
    parts = ["salem", "tictactoe", "guided", "counting", "idle"]
    # What is compared with node has no bound here, so node need not warm up.
    sizes = replace(play_bench.QUICK, warm=0)
    rows = {row.name: row for row in play_bench.measure(sizes, parts)}
    for name, bound in LOOSE.items():
        row = rows[name]
        assert row.value >= bound if row.least is not None else row.value <= bound, row


def test_words_change_no_byte_of_a_silent_game() -> None:
    (silent, playtests, *cards) = play_bench.measure(play_bench.QUICK, ["wording"])
    assert (silent.value, playtests.value) == (0, 0)
    assert len(cards) == 2


def test_a_changed_program_is_told_apart() -> None:
    written = play_bench.document(play_bench.TICTACTOE)
    plain, counted = (play_bench.code_of(written, build) for build in (Build(), Build(counted=True)))
    assert play_bench.changed_bytes(plain, counted) > 0
    assert play_bench.changed_bytes(plain, plain) == 0


def test_the_idle_cards_would_follow_the_action_if_they_were_in_force(tmp_path: Path) -> None:
    heat = []
    for number, first in enumerate(("", "    move 2 from library to in_play\n")):
        text = play_bench.IDLE_CARDS.format(count=10, actions=50)
        text = text.replace("action game:\n", f"action game:\n{first}")
        games = play_bench.Games(play_bench.text_document(tmp_path, f"idle_{number}", text), None)
        games.play(1, 1)
        heat.append(games.cell("heat"))
    assert heat == [0, 100]
