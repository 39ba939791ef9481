"""What was played before leaves no mark: bots that look ahead decide in a game as if it were the first."""

from __future__ import annotations

from typing import Any

import pytest
from orjson import loads

from talewright.runtime.bots import bot
from talewright.runtime.faults import Fault
from talewright.runtime.game import Game
from talewright.runtime.imagining import ImaginedGame
from talewright.runtime.marking import Marked
from talewright.runtime.program import Program
from tests.report.playtest.tiny import document as tiny

# Somebody may blow the horn whenever they are asked, and is asked in many ways; rules remember cards that lie hidden.
BUSY = """
kind Coin:
    worth: int = 0
    kept_with: Coin or none = none
Coin penny "Penny"
Coin crown "Crown": worth: 1
Coin crooked "Crooked": worth: 2
deck stock of Coin face_down = all Coin
pile spent of Coin
state won: int = 0
state blown: int = 0
value score = won
value appeal_guess_may = blown + 1
anytime by player when blown < 2: blow
action blow: blown + 1
action guess:
    let c = first stock
    until end of turn:
        after blow: won + c.worth
    choose n from (0..2) by player "Worth?"
    if n == c.worth: won + 1
    player may "Keep it": c.kept_with = first stock where it is not c
    move c to spent
action turn:
    repeat 2 times: guess
    choose one by player:
        "on" -> won + 0
        "off" -> blown + 0
    move each spent to stock
    shuffle stock
action game:
    shuffle stock
    repeat 3 times: turn
    if won > 4: go to good_end
    go to bad_end
"""


def played(program: Program, seed: int, name: str) -> list[Any]:
    """The decisions of one game, with how many options each had."""
    looking = bot(name, seed, iterations=4)
    found: list[Any] = []

    def agent(decision: Any) -> int:
        found.append((decision.id, len(decision.options)))
        found.append(looking(decision))
        return int(found[-1])

    game = Game(program, seed, agent, hurried=False)
    try:
        found.append(game.run())
    except Fault as fault:
        found.append(str(fault))
    return found


@pytest.mark.parametrize("name", ["guided", "greedy", "mcts"])
def test_a_game_after_others_is_played_as_if_it_were_the_first(name: str) -> None:
    document = loads(tiny(BUSY))
    several = Program(document)
    after = [played(several, seed, name) for seed in range(8)]
    alone = [played(Program(document), seed, name) for seed in range(8)]
    assert after == alone
    assert {game[-1] for game in alone} <= {"good_end", "bad_end"}


def test_marks_are_put_back_with_the_table() -> None:
    game = ImaginedGame(Program(loads(tiny(BUSY))))
    field = next(f for f in game.layout.fields.values() if f.name == "kept_with")
    column = game.space[f"F{field.number}"]
    penny, crown = (game.numbers[game.layout.number[name]] for name in ("penny", "crown"))
    assert type(penny) is type(crown) is Marked
    column[penny] = crown
    kept = game.snapshot()
    column[penny] = int(crown)
    game.restore(kept)
    assert type(column[penny]) is Marked
    game.reset(1)
    assert column[penny] is None
