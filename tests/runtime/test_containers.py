"""Containers and things are both locations: what the pattern of a core verb names is never taken for the other."""

from __future__ import annotations

import pytest

from talewright.runtime.session import load

from .small_games import document, outcomes

TEXT = """
role Player is Thing named player
kind Scene is Chapter
Scene here "Here"
kind Card:
    rank: int = 3
Card ace "Ace"
trait Cold
kind Room is Place:
    rank: int = 5
Room hall "Hall"
Room attic "Attic" is Cold
PILES
pile last_pile of Card
state log: int = 0
state seen: int = 0
state ranks: int = 0
after move Card c to d when d is hall: log + 1
after move Card c to d when d is Cold: log + 10
after move Card c to d when d is last_pile: seen + 1
after move Card c to d:
    if d is Room: log + 100
    match d:
        Room -> log + 1000
        otherwise -> log + 0
before move Card c to d when d is attic and seen == 9: d = hall

test "a container is no place of the same number":
    when move ace to last_pile
    expect log == 0 and seen == 1
    when move ace to attic
    expect log == 1110 and seen == 1
    when move ace to hall
    expect log == 2211 and seen == 1

test "what a name is changed to is where the thing goes":
    given: seen = 9
    when move ace to attic
    expect ace in hall
"""


@pytest.mark.parametrize("piles", [0, 1, 15, 16, 17])
def test_a_container_is_never_taken_for_a_thing(piles: int) -> None:
    made = document(TEXT.replace("PILES", "\n".join(f"pile p{n} of Card" for n in range(piles))))
    world = load(made).lowered.world
    assert {pile.number for pile in world.piles}.isdisjoint(world.number.values())
    assert [outcome.message for outcome in outcomes(made)] == ["", ""]
