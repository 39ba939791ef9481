"""What one game leaves for the next: lasting fields, the roster, and a record that is plain JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from talewright.runtime.session import Game, Session, campaign, chronicle, load, resume
from talewright.runtime.session.saves import SaveError, read_save, write_save
from tests.runtime import small_games

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


def playing(text: str, players: int | None = None) -> Game:
    return Game(load(small_games.document(text), players=players), 1, lambda decision: 0)


def test_a_first_game_writes_a_record_of_plain_values() -> None:
    game = playing(TEXT, players=2)
    game.run()
    record = json.loads(json.dumps(game.campaign.written()))
    assert [hero["seat"] for hero in record["roster"]] == ["p1", "p2"]
    assert record["roster"][0]["fields"] == {"xp": 5, "rank": {"thing": "squire"}, "bag": [{"copy": "penny"}]}
    assert record["fields"] == {"harbour": {"fame": 3}}


def test_the_next_game_brings_everybody_back() -> None:
    first = playing(TEXT, players=2)
    first.run()
    second = playing(TEXT, players=2)
    second.bring(json.loads(json.dumps(first.campaign.written())))
    second.reset(2)
    second.run()
    heroes = second.campaign.written()["roster"]
    assert [hero["fields"]["xp"] for hero in heroes] == [10, 10]
    assert [len(hero["fields"]["bag"]) for hero in heroes] == [1, 1]
    assert second.campaign.written()["fields"]["harbour"]["fame"] == 5


def test_what_is_not_lasting_begins_anew() -> None:
    first = playing(TEXT, players=1)
    first.run()
    assert "luck" not in first.campaign.written()["roster"][0]["fields"]


def test_without_a_record_everybody_is_new() -> None:
    game = playing(TEXT, players=1)
    game.run()
    again = playing(TEXT, players=1)
    again.bring({"roster": [{"id": "x", "kind": "Dragon", "title": "X", "seat": None, "fields": {}}]})
    again.reset(1)
    again.run()
    assert again.campaign.written() == game.campaign.written()


NAMED = """
role Player 1..2 named p
kind Hero:
    seat: Player or none = none
    xp: int = 0 lasting
    skills: pile of Skill lasting
kind Skill
Skill aim "Aim"
Hero ada "Ada"
Hero wen "Wen"
state back: int = 0 lasting
Chapter raid "Raid"
Ending the_end "Over":
    \"\"\"Over.\"\"\"
instead of play raid:
    let old = first roster(Hero, p1)
    if old is none: old = wen
    otherwise: back + 1
    old.seat = p1
    old.xp + 5
    put copy(aim) into old.skills
    record old
    go to the_end
"""


def test_who_the_package_declares_comes_back_as_that_very_thing() -> None:
    first = small_games.game(NAMED, players=1)
    first.run()
    second = small_games.game(NAMED, players=1)
    second.bring(json.loads(json.dumps(first.campaign.written())))
    second.reset(2)
    second.run()
    assert second.campaign.written()["states"] == {"back": 1}
    (entry,) = second.campaign.written()["roster"]
    assert entry["id"] == "wen"
    assert entry["fields"] == {"xp": 10, "skills": [{"copy": "aim"}, {"copy": "aim"}]}


def test_who_comes_back_decides_through_the_seat_that_called() -> None:
    told = NAMED.replace("otherwise: back + 1", "otherwise if old.seat is p1: back + 1")
    first = small_games.game(told, players=1)
    first.run()
    second = small_games.game(told, players=1)
    second.bring(json.loads(json.dumps(first.campaign.written())))
    second.reset(2)
    second.run()
    assert second.campaign.written()["states"] == {"back": 1}


def test_who_nobody_calls_back_is_as_in_a_first_game() -> None:
    told = NAMED.replace("    let old =", '    say "{wen.xp} {wen.marks}"\n    let old =').replace(
        "    old.xp + 5", '    say "{wen.xp} {wen.marks}"\n    old.xp + 5\n    add 7 to old.marks'
    )
    told = told.replace("    skills:", "    marks: list of int lasting\n    skills:")
    first = playing(told, players=1)
    first.run()
    second = playing(told, players=1)
    second.bring(json.loads(json.dumps(first.campaign.written())))
    second.reset(2)
    second.run()
    assert [line.strip() for line in second.said[:2]] == ["0 nothing", "5 7"]
    (entry,) = second.campaign.written()["roster"]
    assert entry["fields"]["xp"] == 10
    assert entry["fields"]["marks"] == [7, 7]


SATCHEL = """
role Player 1..1 named p
kind Charm:
    wear: int = 0 lasting
    inside: pile of Bead lasting
    notes: list of int lasting
kind Bead:
    size: int = 1 lasting
Charm ring "Ring"
Bead pearl "Pearl"
kind Chest:
    held: pile of Charm lasting
Chest chest "Chest"
state games: int = 0 lasting
Ending the_end "Over":
    \"\"\"Over.\"\"\"
action game:
    if games == 0:
        let c = copy(ring)
        c.wear = 4
        add 6 to c.notes
        let b = copy(pearl)
        b.size = 9
        put b into c.inside
        put c into chest.held
    games + 1
    let c = first chest.held
    say "{c.wear} {c.notes} {(first c.inside).size} {count(chest.held)}"
    go to the_end
"""


def test_a_copy_in_a_lasting_container_keeps_its_own_lasting_fields() -> None:
    first = playing(SATCHEL, players=1)
    first.run()
    assert first.said[0] == "4 6 9 1"
    left, _ = chronicle.read_campaign(chronicle.write_campaign(first.campaign.after(), ["small"]))
    second = playing(SATCHEL, players=1)
    second.bring(left)
    second.reset(2)
    second.run()
    assert second.said[0] == "4 6 9 1"


WELCOME = """
role Player 1..3 named p
state greeted: int = 0
kind Mission is Chapter
Mission raid "Raid"
Ending the_end "Over":
    \"\"\"Over.\"\"\"
action play m: Mission:
    greeted + count(newcomers(Player))
    greeted + 10 * count(newcomers(Player))
    say "{greeted}"
    go to the_end
"""


def test_newcomers_are_those_who_were_in_no_game_before() -> None:
    first = playing(WELCOME, players=2)
    assert first.run() == "the_end"
    assert first.said[0] == "2"
    left = first.campaign.after()
    assert left["seats"] == ["p1", "p2"]
    second = playing(WELCOME, players=3)
    second.bring(json.loads(json.dumps(left)))
    for _ in range(2):
        second.reset(2)
        second.run()
        assert second.said[0] == "1"
    assert second.campaign.after()["seats"] == ["p1", "p2", "p3"]
    written = chronicle.write_campaign(second.campaign.after(), ["small"])
    assert chronicle.read_campaign(written)[0] == second.campaign.after()


# ------------------------------------------------------------------ cells of every sort
CELLS = """
role Player 1..1 named p
kind Skill
Skill might "Might"
Skill wit "Wit"
kind Coin
Coin penny "Penny" * 2
kind Hero:
    skills: Skill -> int lasting
    seen: set of Coin = {} lasting
    order: list of Skill lasting
    mood: sad | glad = sad lasting
    alive: yes | no = yes lasting
    rank: 1..3 = 1 lasting
    motto: text = "Onward" lasting
    home: Place or none = none lasting
Hero ann "Ann":
    skills: might 2, wit 1
    order: wit, might
pile bank of Coin = all Coin
state chosen: Coin or none = none lasting
state told: set of Coin = {} lasting
state games: int = 0 lasting
Ending the_end "Over":
    \"\"\"Over.\"\"\"
action game:
    if games == 0:
        chosen = penny_2
        told = {penny_1}
        ann.seen = bank
        ann.mood = glad
        ann.alive = no
    games + 1
    go to the_end
"""


def test_cells_of_every_sort_come_back_as_they_were() -> None:
    first = playing(CELLS)
    first.run()
    record = json.loads(json.dumps(first.campaign.after()))
    assert record["states"] == {
        "chosen": {"thing": "penny_2"}, "told": [{"thing": "penny_1"}], "games": 1
    }  # fmt: skip
    second = playing(CELLS)
    chronicle.look_over(second.program.lowered, record)
    second.bring(record)
    second.reset(2)
    second.run()
    assert second.campaign.after() == {**record, "states": {**record["states"], "games": 2}}


def test_a_campaign_file_is_what_was_written() -> None:
    game = playing(CELLS)
    game.run()
    record = game.campaign.after()
    data = chronicle.write_campaign(record, ["one", "two"])
    assert chronicle.read_campaign(data) == (record, ["one", "two"])


def test_who_stayed_away_stays_in_the_roster_and_who_fell_is_gone() -> None:
    away = {"id": "hero_1", "kind": "Knight", "title": "Away", "seat": None, "fields": {}}
    fell = {"id": "old", "kind": "Hero", "title": "Fell", "seat": "p1", "fields": {}}
    game = playing(TEXT.replace("record h", "h.luck + 0"), players=1)
    game.bring({"roster": [away, fell], "fields": {"elsewhere": {"x": 1}}, "states": {}})
    game.reset(1)
    game.run()
    left = game.campaign.after()
    assert left["roster"] == [away]
    assert left["fields"] == {"elsewhere": {"x": 1}, "harbour": {"fame": 3}}


def test_names_in_the_roster_stay_apart() -> None:
    game = playing(TEXT, players=1)
    game.run()
    (own,) = game.campaign.written()["roster"]
    game.bring({"roster": [{**own, "kind": "Knight"}], "fields": {}, "states": {}})
    game.reset(1)
    game.run()
    assert len({entry["id"] for entry in game.campaign.after()["roster"]}) == 2


WRONG = [
    ("fields", {"ann": {"rank": 4}}, "rank.*from 1 to 3"),
    ("fields", {"ann": {"rank": True}}, "rank"),
    ("fields", {"ann": {"mood": "angry"}}, 'one of "sad", "glad"'),
    ("fields", {"ann": {"alive": 1}}, "true or false"),
    ("fields", {"ann": {"motto": 3}}, "a text"),
    ("fields", {"ann": {"order": [{"thing": "penny_1"}]}}, "order"),
    ("fields", {"ann": {"skills": [["might", 2]]}}, "skills"),
    ("fields", {"ann": {"skills": {"might": 2}}}, "skills"),
    ("fields", {"ann": {"home": "ann"}}, "a Place of the game"),
    ("states", {"games": 10**12}, "games.*whole number"),
    ("states", {"chosen": {"thing": "ann"}}, "a Coin of the game"),
    ("states", {"told": "penny_1"}, "told"),
]


@pytest.mark.parametrize(("part", "value", "why"), WRONG)
def test_a_record_that_does_not_fit_is_refused(part: str, value: dict[str, Any], why: str) -> None:
    game = playing(CELLS)
    record = {**campaign.empty(), part: value}
    with pytest.raises(chronicle.CampaignError, match=why):
        chronicle.look_over(game.program.lowered, record)


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b'{"format": "talewright campaign"}', b'{"format": "talewright campaign", "version": 2}',
        b'{"format": "talewright campaign", "version": 1, "packages": [], "record": {"roster": []}}',
        b'{"format": "talewright save", "version": 1}', b"\xff\xfe",
    ],
)  # fmt: skip
def test_what_is_no_campaign_is_refused(data: bytes) -> None:
    with pytest.raises(chronicle.CampaignError):
        chronicle.read_campaign(data)


def test_a_saved_game_remembers_what_it_was_brought() -> None:
    first = playing(CELLS)
    first.run()
    session = Session(first.program, 5, brought=first.campaign.after())
    session.run()
    kept = read_save(write_save(session.save()))
    assert kept.brought["states"]["games"] == 1
    again = resume(first.program.document, kept)
    again.run()
    assert again.game.campaign.written() == session.game.campaign.written()
    kept.brought = {**campaign.empty(), "states": {"games": "many"}}
    with pytest.raises(SaveError, match="games"):
        resume(first.program.document, kept)
