"""Another world: what a seat knows stays as it is, what it does not know lies anywhere it could lie."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from talewright.runtime.dealing import Deal
from talewright.runtime.game import Decision, Game
from talewright.runtime.imagining import ImaginedGame
from talewright.runtime.program import Program
from tests.runtime.small_games import document
from tests.runtime.test_bundled_games import _document

HANDS = """
role Player 2..2 named player
kind Scene is Chapter
Scene here "Here"
Ending done_with "Done"
kind Card:
    rank: int = 0
    marked: yes | no = no
Card low "Low" * 4: rank: 1
Card high "High" * 4: rank: 2
deck stock of Card face_down = all Card
extend Player:
    hand: hand of Card
pile table of Card face_up
state buried: Card or none = none
action game:
    shuffle stock
    for each p in Player: draw 2 from stock into p.hand
    buried = first stock
    (last stock).marked = yes
    draw 1 from stock into table
    let who = first Player
    choose n from (1..2) by who "Which?"
    go to done_with
"""


class Seen(BaseException):
    """At the decision."""


def stopped(program: Program, seed: int, decisions: int) -> Game:
    """A game left standing at a decision."""
    game = Game(program, seed)
    draw = Random(seed).random

    def agent(decision: Decision) -> int:
        if len(game.log) == decisions:
            raise Seen
        return int(draw() * len(decision.options))

    game.agent = agent
    with pytest.raises(Seen):
        game.run()
    return game


def known(game: Game, seats: list[int]) -> dict[int, Any]:
    """Where everything lies that somebody among these knows."""
    space = game.space
    bits = sum(space["SEAT_BIT"][seat] for seat in seats)
    return {
        thing: (space["LOC"][thing], space["KNOWN"][thing])
        for thing in range(len(space["UP"]))
        if space["UP"][thing] or space["KNOWN"][thing] & bits
    }


@pytest.mark.parametrize(("package", "players"), [("salem/night", 3), ("dark_rituals/encounters", 1)])
@pytest.mark.unwatched
def test_what_is_known_stays_and_every_pile_stays_as_high(package: str, players: int) -> None:
    game = stopped(Program(_document(package), {}, players), 4, 12)
    seats = game.everybody()[:1]
    copy, before = game.snapshot(), known(game, seats)
    heights = [len(items) for items in game.space["ITEMS"]]
    deal, hidden = Deal(game, seats), 0
    for seed in range(20):
        game.restore(copy)
        hidden += len(deal.world(Random(seed)))
        space = game.space
        assert known(game, seats) == before
        assert [len(items) for items in space["ITEMS"]] == heights
        for pile, items in enumerate(space["ITEMS"]):
            assert all(space["LOC"][thing] == pile for thing in items)
    assert hidden
    game.restore(copy)
    assert game.snapshot()["ITEMS"] == copy["ITEMS"]


def test_every_hidden_card_may_lie_in_every_hidden_place() -> None:
    game = stopped(Program(document(HANDS), {}, 2), 1, 0)
    first, second = game.everybody()
    space = game.space
    mine = [
        t
        for t in range(len(space["UP"]))
        if space["KNOWN"][t] & space["SEAT_BIT"][first] and not space["UP"][t]
    ]
    copy, deal = game.snapshot(), Deal(game, [first])
    theirs, buried, marked = Counter[int](), Counter[int](), Counter[int]()
    field = next(f.number for f in game._mutable() if f.name == "marked")
    cell = game.layout.scalars["state:buried"]
    hand = next(p for p, items in enumerate(space["ITEMS"]) if space["PILE_OWNER"][p] == second and items)
    deck = next(p for p, name in enumerate(space["PILE_NAME"]) if name == "pile:stock")
    for seed in range(600):
        game.restore(copy)
        deal.world(Random(seed))
        theirs.update(space["ITEMS"][hand])
        buried[space["S"][cell]] += 1
        assert space[f"F{field}"][space["ITEMS"][deck][-1]]
        marked[space["ITEMS"][deck][-1]] += 1
    hidden = {t for t in range(len(space["UP"])) if not space["UP"][t] and t not in mine}
    assert len(mine) == 2
    # Two hands of two and one card on the table leave five of the eight hidden from the first player.
    assert set(theirs) == set(marked) == hidden
    assert len(hidden) == 5
    assert all(150 < times < 330 for times in theirs.values())
    # What was buried was the card that now lies face up: everybody can see it, and it stays.
    assert len(buried) == 1


NUMBERS = HANDS.replace(
    '    choose n from (1..2) by who "Which?"\n',
    """    choose 2 ns from (16..27) by who "Which two?"
    for each n in (16..27), chosen by who: told + n * n
    open sayings by who "What?"
    for each n in ns: picked + n * 100
""",
).replace(
    "action game:",
    """menu sayings
offer "Say {n}" in sayings: speak n
action speak n: 16..27: picked + n
state picked: int = 0
state told: int = 0
action game:""",
)


def test_a_number_that_is_chosen_is_no_thing_that_lies_elsewhere_now() -> None:
    """The cards, which bear these numbers, are dealt anew at every decision."""
    program = Program(document(NUMBERS), {}, 2)
    assert set(program.layout.of_kind("Card")) < set(range(16, 28))
    game = ImaginedGame(program)
    asked = 0

    def steer(id_: str, by: Any, options: Any) -> int:
        return min(6, len(options) - 1)

    def agent(decision: Decision) -> int:
        nonlocal asked
        asked += 1
        game.stand_at(decision.game)
        for seed in range(3):
            assert game.imagine(steer, world=([], Random(seed))) == "done_with"
            assert game.space["S"][game.layout.scalars["state:picked"]] == 4500 + 22
            assert game.space["S"][game.layout.scalars["state:told"]] == sum(n * n for n in range(16, 28))
        return steer("", None, decision.options)

    Game(program, 1, agent).run()
    assert asked > 12
