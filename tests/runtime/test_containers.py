"""Containers and things are both numbers: what the pattern of a core verb names is never taken for the other."""

from __future__ import annotations

import pytest

from talewright.runtime.program import Program
from talewright.runtime.testing import Runner

from .small_games import document

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


@pytest.mark.parametrize("first", [False, True])
def test_a_container_is_no_thing_of_the_same_number(first: bool) -> None:
    room = "hall" if first else "attic"
    wanted = Program(document(TEXT.replace("PILES", ""))).layout.number[room]
    text = TEXT.replace("PILES", "\n".join(f"pile p{n} of Card" for n in range(1, wanted)))
    made = document(text)
    layout = Program(made).layout
    assert layout.pile_number["last_pile"] == layout.number[room] == wanted
    assert [outcome.message for outcome in Runner(made).run()] == ["", ""]
