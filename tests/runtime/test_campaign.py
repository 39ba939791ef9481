"""What one game leaves for the next: lasting fields, the roster, and a record that is plain JSON."""

from __future__ import annotations

import json

from . import playing

TEXT = """
role Player 1..2 named p
kind Hero:
    seat: Player
    xp: int = 0 lasting
    luck: int = 3
    rank: Rank or none = none lasting
    bag: pile of Coin lasting
kind Rank
Rank squire "Squire"
kind Coin
Coin penny "Penny" * 2
kind Town:
    fame: int = 1 lasting
Town harbour "Harbour"
pile bank of Coin = all Coin
state enlisted: int = 0
state returned: int = 0

kind Mission is Chapter
Mission raid "Raid"
Ending the_end "Over":
    \"\"\"Over.\"\"\"

action play m: Mission:
    for each p in Player: sign_up by p
    harbour.fame + 2
    for each h in Hero:
        h.xp + 5
        h.luck + 1
        record h
    go to the_end

action sign_up by p: Player:
    let old = first roster(Hero, p)
    if old is none:
        let h = new Hero
        h.seat = p
        h.rank = squire
        put copy(penny_1) into h.bag
        enlisted + 1
    otherwise: returned + 1
"""


def test_a_first_game_writes_a_record_of_plain_values() -> None:
    game = playing.game(TEXT, players=2)
    game.run()
    record = json.loads(json.dumps(game.campaign))
    assert [hero["seat"] for hero in record["roster"]] == ["p1", "p2"]
    assert record["roster"][0]["fields"] == {"xp": 5, "rank": {"thing": "squire"}, "bag": [{"copy": "penny"}]}
    assert record["fields"] == {"harbour": {"fame": 3}}


def test_the_next_game_brings_everybody_back() -> None:
    first = playing.game(TEXT, players=2)
    first.run()
    second = playing.game(TEXT, players=2)
    second.bring(json.loads(json.dumps(first.campaign)))
    second.reset(2)
    second.run()
    heroes = second.campaign["roster"]
    assert [hero["fields"]["xp"] for hero in heroes] == [10, 10]
    assert [len(hero["fields"]["bag"]) for hero in heroes] == [1, 1]
    assert second.campaign["fields"]["harbour"]["fame"] == 5


def test_what_is_not_lasting_begins_anew() -> None:
    first = playing.game(TEXT, players=1)
    first.run()
    assert "luck" not in first.campaign["roster"][0]["fields"]


def test_without_a_record_everybody_is_new() -> None:
    game = playing.game(TEXT, players=1)
    game.run()
    again = playing.game(TEXT, players=1)
    again.bring({"roster": [{"id": "x", "kind": "Dragon", "title": "X", "seat": None, "fields": {}}]})
    again.reset(1)
    again.run()
    assert again.campaign == game.campaign
