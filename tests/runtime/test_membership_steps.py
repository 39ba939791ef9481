"""What a menu costs hardly depends on whether its condition is a set or a question about one thing."""

from __future__ import annotations

from talewright.runtime.ir.header import STEP_LIMIT, STEPS

from .small_games import game

COINS = 40
FRAME = """
role Player 1..1 named player
kind Coin is Card:
    worth: int = 1
{coins}
pile mine of Coin = all Coin
pile spent of Coin
Ending done "Done"
menu deeds
offer "Spend {{c}}" in deeds: spend c
action game:
    repeat while count(spent) < 3: open deeds by player "What now?"
    go to done
{condition}
    move c to spent
"""
AS_A_SET = """
value good: set of Coin = Coin where (it in mine and count(mine where it.worth > 3) > 2)
action spend c: Coin:
    requires c in good
"""
AS_A_QUESTION = """
value good(c: Coin) = c in mine and count(mine where it.worth > 3) > 2
action spend c: Coin:
    requires good(c)
"""


def steps(condition: str) -> int:
    """How many steps the first menu takes."""
    coins = "\n".join(f'Coin coin_{n} "Coin {n}": worth: {n % 7}' for n in range(COINS))
    playing = game(FRAME.format(coins=coins, condition=condition))
    decision = playing.next()
    assert decision is not None
    assert len(decision.options) == COINS
    return STEP_LIMIT - playing.machine.read(STEPS, 1)[0]


def test_a_set_that_conditions_tell_costs_little_more_than_the_question() -> None:
    asked = steps(AS_A_QUESTION)
    assert asked > COINS
    # Each condition is asked twice at most: for the set from which the menu offers, and for the action.
    assert steps(AS_A_SET) <= 2 * asked
