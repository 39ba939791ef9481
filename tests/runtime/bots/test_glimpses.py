"""A glimpse of another world in the middle of a game: nothing that play can change is left changed."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from talewright.runtime.countcode import CountedProgram
from talewright.runtime.counting import CountedGame
from talewright.runtime.dealing import Deal
from talewright.runtime.game import Decision, Game
from talewright.runtime.glimpsing import can_glimpse, glimpse
from talewright.runtime.hints import Hints
from talewright.runtime.program import Program
from tests.runtime.small_games import document
from tests.runtime.test_bundled_games import _document

from .test_determinization import HANDS

# A rule that comes into force with where a card lies, and remembers that it has been true.
REMEMBERING = HANDS.replace(
    "    marked: yes | no = no\n",
    "    marked: yes | no = no\n    in force while self in stock\n"
    '    when self.marked becomes true: say "Marked."\n',
)


def position(game: Game) -> Any:
    """Everything that play can change, and chance."""
    kept = game.snapshot()
    running = kept["S"][game.space["STEPS"] + 1]
    return {**kept, "S": [set(running) if one is running else one for one in kept["S"]]}, game.space["CHANCE"]


def without_functions(kept: dict[str, Any]) -> dict[str, Any]:
    """The same of two games whose rules are functions of their own."""
    numbers = [[entry[0] for entry in rules] for rules in kept["rules"]]
    return {**kept, "rules": numbers, "armed": [armed for _, armed in kept["armed"]]}


def dealt(game: Game, decision: Decision, draw: Random) -> bool:
    """Whether a glimpse could be had; the game stands as before in any case."""
    seats = [decision.seat] if isinstance(decision.seat, int) else list(decision.seat)
    deal = Deal(game, seats)
    if not can_glimpse(game, deal):
        return False
    before = position(game)
    with glimpse(game, deal, draw) as swapped:
        assert game.space["CHANCE"] is not before[1]
        if swapped:
            assert position(game)[0]["ITEMS"] != before[0]["ITEMS"]
        game.space["S"][game.space["CHECK"]] = True
    assert position(game) == before
    return True


@pytest.mark.parametrize(("package", "least"), [("blackmere", 50), ("salem/night", 1)])
@pytest.mark.unwatched
def test_a_game_goes_on_as_if_nobody_had_looked(package: str, least: int) -> None:
    program = Program(_document(package), {}, 2)
    plain = Game(program, 3)
    draw = Random(5)
    plain.agent = lambda decision: int(draw.random() * len(decision.options))
    outcome = plain.run()
    looked = Game(program, 3)
    again, world = Random(5), Random(9)
    glimpses = 0

    def agent(decision: Decision) -> int:
        nonlocal glimpses
        glimpses += dealt(looked, decision, world)
        return int(again.random() * len(decision.options))

    looked.agent = agent
    assert looked.run() == outcome
    assert looked.log == plain.log
    ends = (position(game)[0] for game in (looked, plain))
    first, second = (without_functions(end) for end in ends)
    assert first == second
    assert glimpses >= least


@pytest.mark.unwatched
def test_what_is_counted_stays_counted() -> None:
    program = CountedProgram(_document("blackmere"), {}, 2)
    game = CountedGame(program, 3)
    draw = Random(5)
    compared = 0

    def agent(decision: Decision) -> int:
        nonlocal compared
        hits = list(game.hits)
        seats = [decision.seat] if isinstance(decision.seat, int) else list(decision.seat)
        hints = Hints(game)
        point = decision.id.partition("#")[0]
        if hints.speak_of(point) and decision.form == "choose":
            with glimpse(game, Deal(game, seats), draw):
                hints.weights(point, seats, [option.value for option in decision.options], ())
                compared += hits != game.hits
            assert hits == game.hits
        return int(draw.random() * len(decision.options))

    game.agent = agent
    game.run()
    assert compared > 10


def test_rules_that_remember_are_not_looked_at_this_way() -> None:
    for text, possible in ((HANDS, True), (REMEMBERING, False)):
        program = Program(document(text), {}, 2)
        game = Game(program, 1)
        found = []

        def agent(decision: Decision, game: Game = game, found: list[bool] = found) -> int:
            found.append(dealt(game, decision, Random(1)))
            return 0

        game.agent = agent
        game.run()
        assert found == [possible]
