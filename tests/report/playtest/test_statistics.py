"""What a playtest counts, against games whose answers are known by calculation."""

from __future__ import annotations

from itertools import islice, permutations
from typing import Any

import orjson
import pytest

from talewright.report.playtest.output.plain_words import sentences
from talewright.report.playtest.statistics.estimates import difference, percentile, spread, wilson
from talewright.report.playtest.statistics.summary import agency
from tests.report.playtest.tiny import playtest

COIN = """
action game:
    let n = do roll d2
    if n == 1: go to good_end
    go to bad_end
"""

# Safe wins with one chance in four, bold with one in two, mad never; daring is offered on no roll of a d2.
CHOICE = """
action game:
    let n = do roll d4
    let k = do roll d2
    choose one by player:
        "Safe" -> succeed n over 3
        "Bold" -> succeed n over 2
        "Mad" when k == 2 -> wasted + 1
        "Daring" when k == 3 -> wasted + 1
    go to bad_end
action succeed n: int over least: int:
    if n > least: go to good_end
state wasted: int = 0
measure squandered = wasted
"""

ROUNDS = """
track doom 0..20 start 1:
    at 5: tolls + 1
    at 15: tolls + 100
state tolls: int = 0
action game:
    repeat:
        round
action round:
    doom + 2
    if doom >= 9: go to bad_end
after round when doom == 5: tolls + 10
after round when doom == 4: tolls + 1000
measure bells = tolls
"""

CARDS = """
kind Card:
    worth: int = 0
    does: effect
kind Suit
Suit spades "Spades"
Card ace "Ace": does: gained + 3
Card king "King": does: gained + 2
Card queen "Queen": does: gained + 1
Card joker "Joker": does: gained + 50
deck stock of Card face_down = (ace + king + queen)
pile table_top of Card
state gained: int = 0
action game:
    shuffle stock
    draw 2 from stock into table_top
    for each c in table_top: do c.does
    if gained >= 4: go to good_end
    go to bad_end
measure winnings = gained
"""

LIBRARY = """
kind Card
Card fern "Fern"
Card moss "Moss"
pile library of Card = (fern + moss)
pile open_cards of Card
action game:
    repeat 2 times:
        move fern to open_cards
        move fern to library
    go to bad_end
"""

LESSONS = """
kind Lesson is Card:
    in force while self in learned
    after round: gained + 1
Lesson climbing "Climbing"
Lesson diving "Diving"
kind Coin
pile school of Lesson = all Lesson
pile learned of Lesson
pile purse of Coin
state gained: int = 0
action game:
    put copy(climbing) into learned
    put new Coin into purse
    repeat 3 times: round
    go to bad_end
action round: nothing
"""

STORY = """
kind Scene is Chapter
Scene gate "The Gate":
    choice: "Left" -> hall; "Right" -> cellar; "Home" -> bad_end
Scene hall "The Hall":
    choice: "Up" -> good_end; "Down" -> cellar
Scene cellar "The Cellar":
    outcome:
        gold > 5 -> good_end
        otherwise -> bad_end
Scene attic "The Attic":
    outcome: otherwise -> good_end
state gold: int = 0
action game: go to gate
"""

TABLE = """
table weather:
    1 -> 10
    2..3 -> 20
    4 -> 30
    5..9 -> 40
action game:
    let n = do roll d4
    sun = weather(n)
    match n:
        1 -> rain
        2..4 -> shine
        otherwise -> snow
    go to bad_end
action rain: sun + 1
action shine: sun + 2
action snow: sun + 3
state sun: int = 0
measure sunlight = sun
"""


def rules(result: dict[str, Any], kind: str) -> dict[str, int]:
    """How often each place of a kind was met."""
    return {site["name"]: site["times"] for site in result["rules"] if site["kind"] == kind}


def test_a_coin_is_won_half_the_time() -> None:
    result = playtest(COIN, 2000)
    assert result["games"] == result["finished"] == sum(result["outcomes"].values()) == 2000
    rate = result["win_rate"]
    assert rate["low"] < 0.5 < rate["high"]
    assert rate["value"] == result["outcomes"]["good_end"] / 2000
    assert rate["high"] - rate["low"] == pytest.approx(2 * 1.96 * (0.25 / 2000) ** 0.5, rel=0.02)
    assert result["decisions"]["mean"] == 0
    assert result["chance"] == {"die:d2": {"uses": 2000, "per_game": 1.0, "games": 2000}}


def test_what_may_be_done_at_any_time_is_counted_beside_dice() -> None:
    game = """
state wishes: int = 1
anytime by player when wishes > 0: wish
action wish: wishes - 1
action game:
    let thrown = do roll 2d6
    choose die from thrown by player "Which die?"
    go to good_end
"""
    options = playtest(game, 1200)["points"]["game.die"]["options"]
    # Dice that show the same are one option, about which nobody is asked: that leaves five games in six.
    asked = options["wish"]["offered"]
    assert 940 < asked < 1060
    # One in three wishes first; then everybody takes a die.
    assert 0.27 < options["wish"]["taken"] / asked < 0.4
    assert sum(options[str(face)]["taken"] for face in range(1, 7)) == asked


def test_what_a_choice_is_worth() -> None:
    result = playtest(CHOICE, 4000)
    point = result["points"]["game.choice"]
    options = point["options"]
    # Half the games offer two options, half three: (1/2 + 1/3) / 2 take Safe, 1/6 take Mad.
    assert point["asked"] == 4000
    assert options["Safe"]["offered"] == options["Bold"]["offered"] == 4000
    assert options["Mad"]["offered"] == pytest.approx(2000, abs=100)
    assert options["Safe"]["taken"] == pytest.approx(4000 * 5 / 12, abs=100)
    assert options["Mad"]["taken"] == pytest.approx(4000 / 6, abs=80)
    assert sum(o["taken"] for o in options.values()) == 4000
    assert options["Safe"]["win_rate"] == pytest.approx(1 / 4, abs=0.03)
    assert options["Bold"]["win_rate"] == pytest.approx(1 / 2, abs=0.03)
    assert options["Mad"]["win_rate"] == 0
    assert result["win_rate"]["low"] < (5 / 12) * (3 / 4) < result["win_rate"]["high"]
    assert (point["agency"]["best"], point["agency"]["worst"]) == ("Bold", "Mad")
    assert point["agency"]["low"] < 0.5 < point["agency"]["high"]
    # The share explained: variance of the options' chances over the variance of winning.
    chances = {1 / 4: 5 / 12, 1 / 2: 5 / 12, 0.0: 1 / 6}
    mean = sum(c * w for c, w in chances.items())
    explained = sum(w * (c - mean) ** 2 for c, w in chances.items()) / (mean * (1 - mean))
    assert point["agency"]["explained"] == pytest.approx(explained, abs=0.02)
    assert result["measures"]["squandered"]["mean"] == options["Mad"]["taken"] / 4000


LATE = """
state luck: int = 0
action game:
    repeat 3 times: round
    if luck == 6: go to good_end
    go to bad_end
action round:
    let n = do roll d6
    luck = n
    choose one by player "What now?":
        "Wait" -> nothing
        "Rest" -> nothing
        "Crown yourself" when luck == 6 -> go to good_end
"""


def test_what_only_winners_are_offered_is_not_sold_as_a_choice() -> None:
    result = playtest(LATE, 600)
    found = result["points"]["round.choice"]["agency"]
    assert (found["best"], found["low"] > 0) == ("Crown yourself", True)
    assert not [told for told in sentences(result, {}) if "Crown" in told]
    assert [told for told in sentences(playtest(CHOICE, 400), {}) if "goes most with winning" in told]


def test_a_choice_that_changes_nothing_has_no_agency() -> None:
    even = agency({"a": (0.5, 1000), "b": (0.5, 1000), "c": (0.5, 1000)})
    assert even["spread"] == 0
    assert even["explained"] == 0
    assert even["low"] < 0 < even["high"]
    assert agency({"a": (0.0, 500), "b": (1.0, 500)})["explained"] == pytest.approx(1.0)
    assert agency({"a": (0.6, 5)})["best"] is None


OF_THINGS = """
extend Player:
    breath: track 0..9 start 6
kind Wolf:
    hunger: track 0..9 start 1
Wolf grey "Grey"
Wolf old "Old"
pile woods of Wolf
kind Rat:
    teeth: track 0..9 start 2
Rat rat "Rat" * 10
deck nest of Rat = (rat)
pile cellar of Rat
state night: int = 0
action game:
    repeat: round
action round:
    night + 1
    if night == 4: go to bad_end
    let n = do roll d2
    if n == 1: player.breath - 1
    if night == 2: move grey to woods
    grey.hunger + 1
    let r = do draw from nest
    move r to cellar
    for each x in cellar: x.teeth + 1
"""


def test_tracks_of_things_by_round() -> None:
    result = playtest(OF_THINGS, 1600)
    tracks = result["tracks_by_round"]
    # A seat is always there: after k rounds it has lost what k coins take, so that the median falls by a half each round.
    assert [row["games"] for row in tracks["player.breath"]] == [1600] * 4
    first, second, third, fourth = tracks["player.breath"]
    assert (first["p5"], first["p95"]) == (6, 6)
    assert (second["p5"], second["p95"]) == (5, 6)
    assert (third["p5"], third["median"], third["p95"]) == (4, 5, 6)
    assert (fourth["p5"], fourth["p25"], fourth["p75"], fourth["p95"]) == (3, 4, 5, 6)
    # A wolf counts from when it comes into the woods; the other never does.
    assert [(row["round"], row["median"]) for row in tracks["grey.hunger"]] == [(3, 3), (4, 4)]
    assert "old.hunger" not in tracks
    # Ten rats are told together: one more each round, and each has bitten since it came.
    assert [(row["round"], row["things"]) for row in tracks["Rat.teeth"]] == [(2, 1600), (3, 3200), (4, 4800)]
    assert [row["median"] for row in tracks["Rat.teeth"]] == [3, 3.5, 4]
    assert result["tracks"]["player.breath"]["mean"] == pytest.approx(4.5, abs=0.1)
    assert result["tracks"]["grey.hunger"]["mean"] == 4
    assert orjson.dumps(result) == orjson.dumps(playtest(OF_THINGS, 1600, jobs=2))


OFTEN = """
action game:
    let side = do roll d2
    repeat 40 times: wave side
    let n = do roll d2
    if n == 1: go to good_end
    go to bad_end
action wave side: int:
    choose k from (side..side + 1) by player "Which hand?"
"""


def test_forty_choices_in_one_game_are_one_game() -> None:
    sure = 0
    for first in range(1, 2001, 100):
        found = playtest(OFTEN, 100, first=first)["points"]["wave.k"]
        assert found["asked"] == 4000
        sure += found["agency"]["low"] > 0
    # One and three are offered in half of the games each. Over a thousand choices their win rates differ by far more than the
    # rates of a thousand games would, yet over fifty games by no more than chance makes them.
    assert sure <= 2


def test_tracks_and_hooks_by_round() -> None:
    result = playtest(ROUNDS, 50)
    four = dict.fromkeys(("mean", "low", "high", "p5", "median", "p95"), 4)
    intervals = {"p5": [None, 4], "median": [4, 4], "p95": [4, None]}
    assert result["rounds"] == {"count": 50, "standard_error": 0, **four, "intervals": intervals}
    # Each round begins at 1 + 2 * (round - 1): 1, 3, 5, 7; the game ends at 9.
    assert [row["median"] for row in result["tracks_by_round"]["doom"]] == [1, 3, 5, 7]
    assert {row["games"] for row in result["tracks_by_round"]["doom"]} == {50}
    assert result["tracks"]["doom"]["mean"] == 9
    assert rules(result, "hook") == {"doom at 5": 50, "doom at 15": 0}
    # The fourth round is left by `go to`: no rule follows it.
    assert rules(result, "action") == {"game": 50, "round": 200}
    assert [(s["line"], s["times"]) for s in result["rules"] if s["name"] == "after round"] == [
        (16, 50),
        (17, 0),
    ]
    assert result["measures"]["bells"]["histogram"] == {"11": 50}
    missed = {(site["kind"], site["name"]) for site in result["never"]["rules"]}
    assert missed == {("hook", "doom at 15"), ("rule", "after round")}


def test_cards_come_into_play_and_act() -> None:
    result = playtest(CARDS, 15_000)
    uses = result["thing_uses"]
    for card in ("ace", "king", "queen"):
        assert uses[card]["came"] == uses[card]["acted"] == uses[card]["games"]
        assert uses[card]["share"] == pytest.approx(2 / 3, abs=0.01)
        assert result["things"][card] == uses[card]["came"] + uses[card]["acted"]
    joker = {"title": "Joker", "kind": "Card", "came": 0, "acted": 0, "games": 0, "share": 0}
    (lost,) = result["never"]["things"]
    assert uses["joker"] == {**joker, "file": lost["file"], "line": lost["line"]}
    # A suit lies nowhere and does nothing: it is a word, not a component.
    assert [thing["id"] for thing in result["never"]["things"]] == ["joker"]
    assert "spades" not in result["things"]
    # Ace and king win, ace and queen win, king and queen do not: the ace is in every win.
    assert uses["ace"]["win_rate"]["value"] == 1
    assert uses["ace"]["swing"]["value"] == 1
    assert uses["king"]["win_rate"]["low"] < 1 / 2 < uses["king"]["win_rate"]["high"]
    assert sum(card["came"] for card in uses.values()) == 30_000
    assert result["measures"]["winnings"]["histogram"].keys() == {"3", "4", "5"}


def test_what_leaves_the_pile_it_began_in_comes_into_play() -> None:
    result = playtest(LIBRARY, 50)
    assert (result["thing_uses"]["fern"]["came"], result["thing_uses"]["fern"]["games"]) == (100, 50)
    assert [thing["id"] for thing in result["never"]["things"]] == ["moss"]


def test_a_copy_counts_for_what_it_is_a_copy_of() -> None:
    result = playtest(LESSONS, 10)
    climbing = result["thing_uses"]["climbing"]
    assert (climbing["came"], climbing["acted"], climbing["games"]) == (10, 30, 10)
    assert [thing["id"] for thing in result["never"]["things"]] == ["diving"]


def test_where_the_story_goes() -> None:
    # The games from seed 1 on happen to be luckier than nineteen in twenty runs are.
    result = playtest(STORY, 1800, first=50_001)
    chapters = result["chapters"]
    assert chapters["gate"]["visits"] == 1800
    assert chapters["hall"]["visits"] == pytest.approx(600, abs=60)
    # A third straight to the cellar, and half of the third that takes the hall.
    assert chapters["cellar"]["visits"] == pytest.approx(900, abs=60)
    assert chapters["cellar"]["last"] == {"bad_end": chapters["cellar"]["visits"]}
    assert chapters["attic"]["visits"] == 0
    assert chapters["hall"]["outcomes"]["good_end"] == result["outcomes"]["good_end"]
    assert result["win_rate"]["low"] < 1 / 6 < result["win_rate"]["high"]
    edges = {(edge["from"], edge["to"]): edge["times"] for edge in result["edges"]}
    assert edges["gate", "hall"] == chapters["hall"]["visits"]
    assert edges["hall", "cellar"] + edges["gate", "cellar"] == chapters["cellar"]["visits"]
    assert sum(n for (a, _), n in edges.items() if a == "gate") == 1800
    assert {(e["from"], e["to"]) for e in result["never"]["edges"]} == {
        ("cellar", "good_end"),
        ("attic", "good_end"),
    }
    assert [c["id"] for c in result["never"]["chapters"]] == ["attic"]
    assert result["points"]["gate.choice"]["options"]["Left"]["taken"] == edges["gate", "hall"]
    assert result["points"]["gate.choice"]["asked"] == 1800


def test_rows_of_tables_and_arms() -> None:
    result = playtest(TABLE, 1200)
    met = rules(result, "row")
    assert met["weather: 5..9"] == met["game: otherwise"] == 0
    assert met["weather: 1"] == met["game: 1"] == rules(result, "action")["rain"]
    assert met["weather: 2..3"] == pytest.approx(600, abs=60)
    assert met["game: 2..4"] == 1200 - met["game: 1"] == met["weather: 2..3"] + met["weather: 4"]


BANDS = """
kind Prize
Prize pebble "Pebble"
Prize pearl "Pearl"
kind Chest:
    finds: bands of Prize
Chest oak "Oak":
    finds: 1..2 -> pebble; 3..4 -> pearl; 5..6 -> pebble, pearl
Chest iron "Iron":
    finds: 1..6 -> pebble
state found: int = 0
Ending won "Won": result: victory
action game:
    let n = do roll d4
    found = count(oak.finds[n])
    go to won
"""


def test_rows_of_bands_in_fields() -> None:
    result = playtest(BANDS, 1200)
    met = rules(result, "row")
    assert met["oak.finds: 1..2"] == pytest.approx(600, abs=60)
    assert met["oak.finds: 1..2"] + met["oak.finds: 3..4"] == 1200
    assert met["oak.finds: 5..6"] == met["iron.finds: 1..6"] == 0


def test_agency_is_the_same_in_whatever_order_options_come() -> None:
    taken = {f"o{n}": (1 / (n + 3), 20 + n * n) for n in range(9)}
    told = {repr(agency(dict(order))) for order in islice(permutations(taken.items()), 0, 300_000, 997)}
    assert len(told) == 1


RARE = """
kind Card
Card common "Common" * 40
Card rare "Rare"
Card lost "Lost"
deck stack of Card = (common + rare)
pile shown of Card
state again: int = 0
action game:
    shuffle stack
    let c = do draw from stack
    move c to shown
    go to bad_end
"""


def test_what_lies_in_play_at_the_end_of_any_game_was_met() -> None:
    part = playtest(RARE, 400)
    # In 400 games of one draw in 41 nobody misses it but once in twenty thousand runs.
    assert [t["id"] for t in part["never"]["things"]] == ["lost"]
    assert [t["id"] for t in playtest(RARE, 4, first=101)["never"]["things"]] == ["rare", "lost"]
    assert orjson.dumps(part) == orjson.dumps(playtest(RARE, 400, jobs=2))


def test_how_many_jobs_makes_no_difference() -> None:
    for bot in ("random", "explore"):
        alone = playtest(CHOICE, 230, bot)
        assert orjson.dumps(alone) == orjson.dumps(playtest(CHOICE, 230, bot, jobs=2))


MANY = """
action game:
    choose k from (1..50) by player "Which?"
    if k == 1: go to good_end
    go to bad_end
"""


def test_explorers_know_what_was_tried_over_the_whole_run() -> None:
    alone = playtest(MANY, 1000, "explore")
    taken = [row["taken"] for row in alone["points"]["game.k"]["options"].values()]
    assert sum(taken) == 1000
    assert len(taken) == 50
    # Blocks that know nothing of each other would leave some options at 13 and bring others to 27.
    assert max(taken) - min(taken) <= 8
    assert orjson.dumps(alone) == orjson.dumps(playtest(MANY, 1000, "explore", jobs=3))


def test_an_explorer_tries_what_is_rare() -> None:
    explored = playtest(CHOICE, 400, "explore")["points"]["game.choice"]["options"]
    at_random = playtest(CHOICE, 400)["points"]["game.choice"]["options"]
    # It is offered in half the games only, and still taken as often as the others.
    assert explored["Mad"]["taken"] > 1.5 * at_random["Mad"]["taken"]


def test_games_of_one_chapter_do_not_look_for_the_rest_of_the_book() -> None:
    whole, part = playtest(STORY, 60), playtest(STORY, 60, chapter="cellar")
    assert [page["id"] for page in whole["never"]["chapters"]] == ["attic"]
    assert part["never"]["chapters"] == [] or part["never"]["chapters"][0]["id"] == "good_end"
    assert {way["from"] for way in part["never"]["edges"]} == {"cellar"}
    assert part["never"]["points"] == []


def test_ways_are_called_by_their_label_or_condition() -> None:
    ways = {(way["from"], way["to"]): way["by"] for way in playtest(STORY, 20)["edges"]}
    assert ways["gate", "hall"] == ["Left"]
    assert ways["cellar", "good_end"] == ["gold > 5"]
    assert ways["cellar", "bad_end"] == ["otherwise"]


def test_dice_are_no_things_to_be_met() -> None:
    kept = """
kind Sign
Sign hope, doubt
die LuckDie * 2:
    faces: hope, doubt
bag cup of LuckDie = all LuckDie
pile rolled of LuckDie
action game:
    let luck = do roll 1 from cup into rolled
    go to good_end
"""
    assert playtest(kept, 5)["things"] == {}


def test_intervals_and_percentiles() -> None:
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)
    assert wilson(5, 10) == pytest.approx((0.2366, 0.7634), abs=1e-4)
    # Newcombe (1998), the first example: 56 of 70 against 48 of 80.
    assert difference(56, 70, 48, 80) == pytest.approx((0.2, 0.0524, 0.3339), abs=1e-4)
    values = {1: 2, 5: 1, 9: 1}
    assert percentile(values, 0.5) == 3
    assert percentile(values, 1.0) == 9
    assert percentile({}, 0.5) == 0
    assert spread(values)["mean"] == 4
    assert spread(values)["standard_error"] == pytest.approx((44 / 3 / 4) ** 0.5)


RULES = """
kind Charm:
    in force while self in worn
Charm star "Star":
    modify power: + 2
Charm moon "Moon":
    forbid leap when pits == 0
pile worn of Charm
deck shelf of Charm face_down = (star + moon)
state pits: int = 0
value power = 1
menu deeds(p: Player): pass "Wait"
offer "Leap" in deeds(p): leap
offer "Rest" in deeds(p): rest
action game:
    let n = do roll d3
    if n == 1: move star to worn
    if n == 2: move moon to worn
    open deeds(player) by player
    if power == 3: go to good_end
    go to bad_end
action leap: pits + 1
action rest: pits + 2
after rest: pits + 4
after rest when pits > 9: pits + 8
"""


def test_offers_forbids_modifiers_and_rules_after() -> None:
    result = playtest(RULES, 3000)
    by_name = {site["name"]: site for site in result["rules"] if site["kind"] in ("offer", "rule")}
    point = result["points"]["menu.deeds"]
    rows = point["options"]
    star, moon = result["outcomes"]["good_end"], result["thing_uses"]["moon"]["came"]
    assert star == pytest.approx(1000, abs=90)
    assert result["thing_uses"]["star"]["came"] == star
    # Whoever wears the moon is not offered to leap, and the moon has acted then; the star acts when the power is asked for.
    assert rows["Leap"]["offered"] == 3000 - moon
    assert rows["Rest"]["offered"] == rows["pass"]["offered"] == point["asked"] == 3000
    assert by_name["forbid leap"]["games"] == moon == result["thing_uses"]["moon"]["games"]
    assert by_name["modify power"]["games"] == by_name["modify power"]["times"] == star
    assert rows["Leap"]["taken"] == by_name['offer "Leap"']["times"] == rules(result, "action")["leap"]
    # A third of the games choose between two, the others among three.
    assert rows["Rest"]["taken"] == pytest.approx(3000 * (1 / 3 * 1 / 2 + 2 / 3 * 1 / 3), abs=90)
    after = [site["times"] for site in result["rules"] if site["name"] == "after rest"]
    assert after == [rows["Rest"]["taken"], 0]


SPREAD = """
track heat 0..20 start 0
action game:
    repeat:
        round
action round:
    if heat > 0: go to bad_end
    let n = do roll d20
    heat + n
"""


def test_bands_of_tracks_and_intervals_of_means() -> None:
    result = playtest(SPREAD, 4000)
    first, second = result["tracks_by_round"]["heat"]
    assert (first["p5"], first["median"], first["p95"]) == (0, 0, 0)
    # A fair die of twenty faces: one game in twenty shows 1, a quarter at most 5, half at most 10.
    wanted = {"p5": 1.5, "p25": 5.5, "median": 10.5, "p75": 15.5, "p95": 19.5}
    for name, value in wanted.items():
        assert second[name] == pytest.approx(value, abs=1)
    end = result["tracks"]["heat"]
    assert end["low"] < 10.5 < end["high"]
    # The variance of a fair die is (20 * 20 - 1) / 12.
    assert end["standard_error"] == pytest.approx((399 / 12 / 4000) ** 0.5, rel=0.03)
    assert end["high"] - end["mean"] == pytest.approx(1.96 * end["standard_error"], rel=0.001)
    assert result["rounds"]["mean"] == 2


PRICE = """
kind Coin
Coin copper "Copper"
Coin silver "Silver"
kind Sign
Sign one "One"
pile purse of Coin = (copper + silver)
pile till of Coin
payment coins:
    Coin c for s when c is copper
    Coin c for s when c is silver
action game:
    pay {one} from purse using coins by player into till
    if count(till) > 1: ask
    choose one by player:
        "Home" -> go to good_end
        "Away" -> go to bad_end
action ask:
    choose one by player:
        "Left" -> nothing
        "Right" -> nothing
"""


def test_ways_to_pay_are_not_counted_and_so_never_said_to_be_missing() -> None:
    result = playtest(PRICE, 20)
    assert result["thing_uses"]["copper"]["games"] < 20  # somebody chose which coin to pay with
    assert [point["name"] for point in result["never"]["points"]] == ["ask.choice"]


UNNUMBERED = """
action game:
    choose up to 1 n from (1..2) by player
    go to good_end
"""


def test_a_number_that_may_be_left_unchosen_is_counted() -> None:
    options = playtest(UNNUMBERED, 300)["points"]["game.n"]["options"]
    assert options.keys() == {"none", "1", "2"}
    assert all(row["taken"] == pytest.approx(100, abs=40) for row in options.values())


WALK = """
kind Yard is Piece
kind Crate is Piece
kind Walker is Figure
Grid town:
    cells: square
    steps: straight
    corners: open
    sight: centre_to_centre
    pieces: Yard
Yard yard:
    plan: \"\"\"
        ....
        \"\"\"
Yard left:
    plan: \"\"\"
        ..
        \"\"\"
Walker walker "the Walker"
movement creep:
    costs at: 1
state words: list of text = {"hm", "ho {count(Walker)}"}
action game:
    let n = do roll d2
    if n == 1: lay left on town
    lay yard on town
    stand walker at first cells(yard)
    choose s from reach(walker, 1, creep) by player "Where to?"
    choose c from cells(yard) by player "Which?"
    choose w from words by player "What?"
    go to good_end
"""


def test_squares_and_texts_are_the_same_options_in_every_game() -> None:
    points = playtest(WALK, 200)["points"]
    square = "square({}, 1)".format
    # The yard begins at column 1, or at column 5 where another piece lies before it.
    assert points["game.c"]["options"].keys() == {square(x) for x in range(1, 9)}
    assert points["game.s"]["options"].keys() == {square(x) for x in (1, 2, 5, 6)}
    assert points["game.s"]["options"][square(2)]["title"] == "column 2, row 1"
    assert points["game.w"]["options"].keys() == {"hm", "ho …"}
    taken = sum(row["taken"] for row in points["game.w"]["options"].values())
    assert taken == points["game.w"]["asked"] == 200
