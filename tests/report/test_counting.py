"""Counted games are the same games."""

from __future__ import annotations

import pytest

from talewright.cli.scenario import playable
from talewright.compiler import compile_package
from talewright.runtime.bots import RandomBot, quick_random
from talewright.runtime.counting import CountedGame, CountedProgram
from talewright.runtime.game import Game
from talewright.runtime.program import Program
from tests.report.tiny import playtest


@pytest.mark.parametrize("name", ["salem", "blackmere"])
def test_counting_changes_nothing(name: str) -> None:
    document = compile_package(playable(name)).document
    assert document is not None
    plain, counted = Game(Program(document)), CountedGame(CountedProgram(document))
    for seed in range(12):
        seen = []
        for game in (plain, counted):
            game.reset(seed)
            quick_random(game, seed)
            seen.append((game.run(), [index for _, index in game.log]))
        assert seen[0] == seen[1]
        anytime = [n for n, site in enumerate(counted.program.sites) if site["kind"] == "anytime"]
        assert len(counted.taken) + sum(counted.hits[n] for n in anytime) == len(counted.log)


def test_what_is_counted_does_not_depend_on_how_options_are_read() -> None:
    document = compile_package(playable("salem")).document
    assert document is not None
    game = CountedGame(CountedProgram(document))
    for seed in range(4):
        found = []
        for quick in (True, False):
            game.reset(seed)
            if quick:
                quick_random(game, seed)
            else:
                game.quick, game.agent = None, RandomBot(seed)
            game.run()
            # A label may ask for values, and so for what modifies and forbids: that is no difference of the game.
            sites = enumerate(game.program.sites)
            done = [n for n, site in sites if not site["name"].startswith(("modify", "forbid"))]
            found.append(
                ([game.hits[n] for n in done], dict(game.came), list(game.taken), game.take_offered())
            )
        assert found[0] == found[1]


BANDS = """
kind Coin
Coin copper "Copper"
Coin gold "Gold"
kind Chest:
    holds: bands of Coin
Chest old "Old" * 2:
    holds:
        ..4 -> copper
        5..6 -> gold
        7.. -> copper
state found: int = 0
action game:
    let n = do roll d6
    let got = first old_1.holds[n]
    if got is gold: go to good_end
    go to bad_end
"""


def test_rows_of_bands_in_fields_are_counted() -> None:
    result = playtest(BANDS, 300)
    rows = {r["name"]: r["times"] for r in result["rules"] if r["kind"] == "row"}
    assert rows == {
        "old: ..4": result["outcomes"]["bad_end"],
        "old: 5..6": result["outcomes"]["good_end"],
        "old: 7..": 0,
    }
    assert "old: 7.." in [r["name"] for r in result["never"]["rules"]]
