"""Nobody peeks through what a running action remembers: one coin in two is white, and no bot knows which."""

from __future__ import annotations

from typing import Any

import pytest
from orjson import loads

from talewright.report.playtest.statistics.estimates import wilson
from talewright.runtime.session import load
from tests.report.playtest.tiny import document, playtest

BOTS = ["greedy", "mcts", "guided"]
COINS = """
kind Coin:
    worth: int = 0
    tells: effect
Coin black "Black":
    tells: settle tries on black
Coin white "White":
    worth: 1
    tells: settle tries on white
deck stack of Coin face_down = all Coin
pile table of Coin face_up
pile vault of Coin face_down
state right: int = 0
state tries: 0..9 = 0
value score = right
action settle n: 0..9 on c: Coin:
    if n == c.worth:
        right + 1
        go to good_end
    go to bad_end
action game:
    shuffle stack
    bet
"""
ASKED = '    choose n from (0..1) by player "Worth?"\n'
LOCAL = "action bet:\n    let c = first stack\n" + ASKED + "    settle n on c\n"
PARAMETER = "action bet: bet_on first stack\naction bet_on c: Coin:\n" + ASKED + "    settle n on c\n"
LIST = (
    "action bet:\n    let cs = stack where it.worth >= 0\n"
    + ASKED
    + "    move cs to vault\n    settle n on first cs\n"
)
LOOP = (
    "action bet:\n    for each c in stack:\n    "
    + ASKED
    + "        tries + 1\n        if tries == 2: settle n on c\n"
)
UNTIL = (
    "action call_out n: 0..1: tries + 1\naction bet:\n    let c = first stack\n    until end of bet:\n"
    "        after call_out n: settle n on c\n" + ASKED + "    call_out n\n"
)
MENU = """
menu betting(d: Coin)
offer "Black" in betting(d): settle 0 on d
offer "White" in betting(d): settle 1 on d
action bet: open betting(first stack) by player
"""
OPEN_OFFER = """
menu betting(d: Coin)
offer "It is {n}" in betting(d): settle n on d
action bet:
    let c = first stack
    move c to vault
    open betting(c) by player
"""
TRAIT = """
trait Bound(c: Coin):
    after call_out n: settle n on c
action call_out n: 0..1: tries + 1
action bet:
    let c = first stack
    player gains Bound(c)
    choose n from (0..1) by player "Worth?"
    call_out n
"""
NAMED = """
action bet:
    for each c in stack: move c to table
    move black to stack
    move white to stack
    shuffle stack
    let c = first stack
    choose n from (0..1) by player "Worth?"
    settle n on c
"""
STATE = """
state secret: Coin or none = none
action bet:
    secret = first stack
    let c = secret
    choose n from (0..1) by player "Worth?"
    settle n on c
"""
MADE = """
pile purse of Coin face_down
action bet:
    let a = copy(black)
    let b = copy(white)
    move a to purse
    move b to purse
    shuffle purse
    let c = first purse
    choose n from (0..1) by player "Worth?"
    settle n on c
"""
# What a card does, handed on to somebody who does not know whose it is.
EFFECT = """
action whisper told: effect:
    choose n from (0..1) by player "Worth?"
    tries = n
    do told
action bet: whisper (first stack).tells
"""
BLOCK = """
action whisper told: effect to p: Player:
    choose n from (0..1) by p "Worth?"
    tries = n
    do told
action bet:
    let c = first stack
    whisper to player:
        settle tries on c
"""
# Rules of a hidden card, offered by it.
OFFERED = """
menu betting
extend Coin:
    in force while self in vault
    offer "It is black" in betting: settle 0 on self
    offer "It is white" in betting: settle 1 on self
action bet:
    move 1 from stack to vault
    open betting by player
"""
# Traits that a hidden card has gained, and what they bring.
GAINED = """
trait Chosen
action bet:
    let c = first stack
    c gains Chosen
    choose n from (0..1) by player "Worth?"
    settle n on first Chosen
"""
BROUGHT = """
menu betting
trait Chosen:
    offer "It is black" in betting: settle 0 on self
    offer "It is white" in betting: settle 1 on self
action bet:
    let c = first stack
    c gains Chosen
    open betting by player
"""
GRANTED = """
menu betting
trait Chosen:
    offer "It is black" in betting: settle 0 on self
    offer "It is white" in betting: settle 1 on self
grant Chosen to (Coin in vault)
action hide_one: move 1 from stack to vault
action bet:
    hide_one
    open betting by player
"""
CASES = {
    "gained": GAINED,
    "brought": BROUGHT,
    "granted": GRANTED,
    "effect": EFFECT,
    "block": BLOCK,
    "offered": OFFERED,
    "made": MADE,
    "local": LOCAL,
    "parameter": PARAMETER,
    "list": LIST,
    "loop": LOOP,
    "until": UNTIL,
    "menu": MENU,
    "offer": OPEN_OFFER,
    "trait": TRAIT,
    "named": NAMED,
    "state": STATE,
}


def by_half(text: str, name: str, games: int = 60, **settings: Any) -> None:
    """Every second game is won, as if by lot."""
    result = playtest(text, games, name, iterations=8, **settings)
    assert result["errors"] == 0, result["failures"]
    low, high = wilson(result["outcomes"].get("good_end", 0), games, 3.3)
    assert low < 0.5 < high, result["outcomes"]


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("case", CASES)
def test_nobody_peeks_through_what_an_action_remembers(case: str, name: str) -> None:
    by_half(COINS + CASES[case], name)


# Hints that look at what an action remembers.
TOLD = COINS.replace("value score = right", "value score = 0")
HINTS = {
    "menu": TOLD
    + MENU
    + "value appeal_settle(d: Coin, n: int): int:\n    give 9 if n == d.worth otherwise 1\n",
    "bearer": TOLD
    + OFFERED
    + "value appeal_settle(n: int, d: Coin): int:\n    give 9 if n == d.worth otherwise 1\n",
    "until": TOLD
    + """
value sharp(n: int) = 0
value appeal_bet_n(n: int) = 1 + sharp(n)
action bet:
    let c = first stack
    until end of bet:
        modify sharp(n) when n == c.worth: + 8
    choose n from (0..1) by player "Worth?"
    settle n on c
""",
    "running": TOLD
    + """
value appeal_bet_on_n(n: int) = 9 if during bet_on of white and n == 1 otherwise 2
action bet: bet_on first stack
action bet_on c: Coin:
    choose n from (0..1) by player "Worth?"
    settle n on c
""",
    "trait": TOLD
    + """
trait Bound(c: Coin)
value appeal_bet_n(n: int) = 9 if player.c.worth == n otherwise 1
action bet:
    let c = first stack
    player gains Bound(c)
    choose n from (0..1) by player "Worth?"
    settle n on c
""",
}


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("case", HINTS)
def test_no_hint_peeks_through_what_an_action_remembers(case: str, name: str) -> None:
    by_half(HINTS[case], name)


# The coins have these numbers too.
NUMBERED = """
action bet:
    let low = {low}
    let some = ({low}..{high}) where it > {low}
    until end of bet:
        after call_out n: check n against low
    for each k in some:
        call_in k + low
action call_in m: int:
    choose n from ({low}..{high}) by player "Which?"
    if n + {low} != m: go to bad_end
    call_out n
action call_out n: int: tries + 1
action check n: int against low: int:
    if n <= low: go to bad_end
    if tries == {high} - {low}: go to good_end
"""


@pytest.mark.parametrize("name", BOTS)
def test_a_number_that_an_action_remembers_is_no_coin(name: str) -> None:
    low = load(loads(document(COINS + LOCAL))).lowered.world.number["black"]
    text = COINS.replace("value score = right", "value score = tries")
    result = playtest(text + NUMBERED.format(low=low, high=low + 3), 6, name, iterations=24)
    assert result["win_rate"]["value"] == 1, result


# Everybody has read the rules.
BY_NAME = """
action bet:
    let c = white
    move c to vault
    choose n from (0..1) by player "Worth?"
    settle n on c
"""


@pytest.mark.parametrize("name", BOTS)
def test_a_thing_that_the_rules_name_is_known(name: str) -> None:
    assert playtest(COINS + BY_NAME, 12, name, iterations=8)["win_rate"]["value"] == 1
