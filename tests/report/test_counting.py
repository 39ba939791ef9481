"""Counted games are the same games."""

from __future__ import annotations

import pytest

from talewright.cli.scenario import playable
from talewright.compiler import compile_package
from talewright.runtime.bots import RandomBot, quick_random
from talewright.runtime.counting import CountedGame, CountedProgram
from talewright.runtime.game import Game
from talewright.runtime.program import Program


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
