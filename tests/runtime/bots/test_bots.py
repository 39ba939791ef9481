"""Bots that look ahead: they find what can be found, and never see what is hidden."""

from __future__ import annotations

import pytest

from talewright.report.playtest.statistics.estimates import wilson
from talewright.runtime.faults import Fault
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.ir.header import BAD_ADDRESS
from talewright.runtime.session import Decision, Game, load
from talewright.runtime.session.bots import Bot, bot
from tests.report.playtest.tiny import playtest
from tests.runtime.small_games import document

LADDER = """
state height: int = 0
state moves: int = 0
value score = height
action game:
    repeat:
        climb
action climb:
    moves + 1
    choose one by player:
        "Up" -> height + 1
        "Stay" -> height + 0
        "Down" -> height - 1
    if moves == 5: settle
action settle:
    if height >= 5: go to good_end
    go to bad_end
"""

# The first step that looks worst is the only one that leads on: no single step shows it.
DETOUR = """
state gold: int = 5
state has_key: yes | no = no
value score = gold
action game:
    choose one by player:
        "Buy the key" -> buy
        "Keep the gold" -> gold + 1
    choose one by player:
        "Open the gate" when has_key -> go to good_end
        "Walk on" -> gold + 1
        "Wait" -> gold + 0
    go to bad_end
action buy:
    has_key = yes
    gold - 3
"""

TILES = """
kind Tile:
    trap: yes | no = no
Tile hole "Hole": trap: yes
Tile floor "Floor"
deck stock of Tile face_down = (hole + floor)
kind Spot:
    tile: slot of Tile face_down
Spot left "Left"
Spot right "Right"
"""

BLIND = (
    TILES
    + """
state safe: int = 0
value score = safe
action game:
    shuffle stock
    move 1 from stock to left.tile
    move 1 from stock to right.tile
    {look}
    choose s from Spot by player "Where?"
    step_on s
action step_on s: Spot:
    reveal s.tile
    if s.tile.trap: go to bad_end
    safe + 1
    go to good_end
"""
)

COVERED = (
    TILES
    + """
pile covered of Tile face_down
state safe: int = 0
value score = safe
action game:
    shuffle stock
    move 2 from stock to covered
    choose t from Tile in covered by player "Which?"
    turn t
action turn t: Tile:
    reveal t
    if t.trap: go to bad_end
    safe + 1
    go to good_end
"""
)

GUESS = """
kind Card:
    red: yes | no = no
Card ruby "Ruby" * 3: red: yes
Card coal "Coal" * 3
deck stock of Card face_down = (ruby + coal)
pile seen of Card
state right: int = 0
value score = right
action game:
    shuffle stock
    choose one by player:
        "Red" -> tell yes
        "Black" -> tell no
action tell red: yes | no:
    draw 1 from stock into seen
    let c = first seen
    if c.red is red: go to good_end
    go to bad_end
"""


@pytest.mark.parametrize("name", ["greedy", "mcts"])
def test_what_is_in_plain_sight_is_found(name: str) -> None:
    # At random one game in 3 ** 5 climbs every time.
    assert playtest(LADDER, 6, name)["win_rate"]["value"] == 1
    assert playtest(LADDER, 200)["win_rate"]["value"] < 0.05


def test_a_search_sees_further_than_a_step() -> None:
    assert playtest(DETOUR, 6, "greedy")["win_rate"]["value"] == 0
    assert playtest(DETOUR, 6, "mcts")["win_rate"]["value"] == 1


@pytest.mark.parametrize("name", ["greedy", "mcts"])
@pytest.mark.parametrize(
    "text", [BLIND.format(look="safe = 0"), COVERED, GUESS], ids=["spots", "pile", "deck"]
)
def test_nobody_peeks(name: str, text: str) -> None:
    games = 60
    result = playtest(text, games, name, iterations=12)
    low, high = wilson(result["outcomes"].get("good_end", 0), games, 3.3)
    assert result["errors"] == 0
    assert low < 0.5 < high, result["outcomes"]


@pytest.mark.parametrize("name", ["greedy", "mcts"])
def test_what_was_shown_is_used(name: str) -> None:
    result = playtest(BLIND.format(look="show left.tile to player"), 20, name, iterations=12)
    assert result["win_rate"]["value"] == 1


# Eight right steps out of six each: nothing but a hint shows the way.
HINTED = """
state steps: int = 0
value score = 0
value appeal_step_n(n: int) = {hint}
action game:
    repeat 8 times: step
    if steps == 8: go to good_end
    go to bad_end
action step:
    choose n from (1..6) by player "Which way?"
    if n == 4: steps + 1
"""
OFFERED = """
state dug: int = 0
state sung: int = 0
value score = 0
value appeal_dig(who: Player) = 9 if who is player and dug < 6 otherwise 0
value appeal_sing = 0
menu doing(p: Player): pass "Enough"
offer "Dig" in doing(p): dig
offer "Sing" in doing(p): sing
offer "Hum" in doing(p): sing
action dig: dug + 1
action sing: sung + 1
action game:
    open doing(player) by player until passed
    if dug == 6 and sung == 0: go to good_end
    go to bad_end
"""
PEEKING = BLIND.format(look="safe = 0") + "value appeal_game_s(s: Spot) = 0 if s.tile.trap otherwise 5\n"


@pytest.mark.parametrize("name", ["guided", "greedy", "mcts"])
def test_a_package_can_say_what_looks_good(name: str) -> None:
    told = HINTED.format(hint="6 if n == 4 otherwise 1")
    # A search weighs what it sees; greedy takes a hint wherever its score makes no difference.
    assert playtest(told, 12, name)["win_rate"]["value"] >= (0.5 if name == "mcts" else 1)
    assert playtest(HINTED.format(hint="1"), 12, name)["win_rate"]["value"] == 0


def test_offers_can_look_good_too() -> None:
    assert playtest(OFFERED, 6, "guided")["win_rate"]["value"] == 1
    assert playtest(OFFERED, 6, "greedy")["win_rate"]["value"] == 1
    assert playtest(OFFERED, 6, "mcts")["win_rate"]["value"] == 1


@pytest.mark.parametrize("name", ["guided", "greedy", "mcts"])
def test_a_hint_that_looks_at_hidden_things_sees_a_world_dealt_anew(name: str) -> None:
    result = playtest(PEEKING, 60, name, iterations=12)
    low, high = wilson(result["outcomes"].get("good_end", 0), 60, 3.3)
    assert low < 0.5 < high, result["outcomes"]


# What is asked is told too: whose turn it is, and what an offer chooses.
ASKED = """
state gold: int = 0
value score = 0 - gold
value appeal_turn_may(who: Player) = 3 if who is player and gold < 4 otherwise 0
value appeal_pay(who: Player, n: Price) = 2 if n.sum == 3 otherwise 0
kind Price:
    sum: int
Price little "Little": sum: 2
Price fair "Fair": sum: 3
Price dear "Dear": sum: 4
menu paying(p: Player): pass "Nothing"
offer "Pay {n}" in paying(p): pay n
action pay n: Price:
    requires gold >= n.sum
    gold - n.sum
action turn:
    player may "Dig": gold + 1
action game:
    repeat 6 times: turn
    open paying(player) by player
    if gold == 1: go to good_end
    go to bad_end
"""


def test_questions_and_what_an_offer_chooses_can_be_weighed() -> None:
    assert playtest(ASKED, 6, "guided")["win_rate"]["value"] == 1


# Two offers of one action differ only in what they put into it; labels are told by their numbers.
FIXED = """
kind Tool
Tool spade "Spade"
Tool spoon "Spoon"
pile bag of Tool = all Tool
state depth: int = 0
state told: int = 0
value score = 0
value appeal_use(who: Player, t: Tool) = 5 if who is player and t is spade and depth < 3 otherwise 0
value appeal_report_choice(who: Player, n: int) = 4 if who is player and n == 3 otherwise 0
menu using(p: Player): pass "Enough"
offer "Stir" in using(p): use spoon
offer "Dig" in using(p): use spade
action use t: Tool:
    requires t in bag
    depth + (1 if t is spade otherwise 9)
action report:
    choose one by player:
        "Nothing found" -> told + 1
        "Gold found" when depth == 0 -> told + 2
        "A bone found" -> told + 3
        "All found" -> told + 4
action game:
    open using(player) by player until passed
    report
    if depth == 3 and told == 3: go to good_end
    go to bad_end
"""


@pytest.mark.parametrize("name", ["guided", "greedy", "mcts"])
def test_what_an_offer_puts_in_and_labels_can_be_weighed(name: str) -> None:
    assert playtest(FIXED, 6, name)["win_rate"]["value"] == 1


# Saying something beside saying nothing.
SILENT = """
state said: int = 0
value appeal_speak_choice = 2
action speak:
    choose up to one by player:
        "Yes" -> said + 1
action game:
    speak
    if said == 1: go to good_end
    go to bad_end
"""


def test_a_label_can_look_better_than_none() -> None:
    assert playtest(SILENT, 6, "guided")["win_rate"]["value"] == 1
    assert playtest(SILENT.replace("= 2", "= 0"), 6, "guided")["win_rate"]["value"] == 0


def test_where_no_hint_helps_the_score_does() -> None:
    assert playtest(LADDER, 6, "guided")["win_rate"]["value"] == 1


DUEL = """
role Thief named thief
role NightWatch named watch
state height: int = 0
state moves: int = 0
value score = height
{own}
action game:
    repeat 4 times: step
    if height >= 2: go to good_end
    go to bad_end
action step:
    choose a from (0..1) by thief "Climb?"
    height + a
    choose b from (0..1) by watch "Push?"
    height - b
"""


@pytest.mark.parametrize("name", ["guided", "greedy", "mcts"])
def test_a_role_with_a_score_of_its_own_plays_against_the_rest(name: str) -> None:
    friends = playtest(DUEL.format(own=""), 6, name)
    assert friends["win_rate"]["value"] == 1
    foes = playtest(DUEL.format(own="value score_night_watch = 0 - height"), 6, name)
    assert foes["win_rate"]["value"] == 0


TEAM = (
    TILES
    + """
role Friend 2..3 is Thing named f
team friends of Friend
state safe: int = 0
value score = safe
action game:
    shuffle stock
    move 1 from stock to left.tile
    move 1 from stock to right.tile
    show left.tile to f1
    choose s from Spot by f2 "Where?"
    if s.tile.trap: go to bad_end
    safe + 1
    go to good_end
"""
)


def test_a_team_plans_together_or_apart() -> None:
    together = playtest(TEAM, 20, "mcts", iterations=12)
    assert together["win_rate"]["value"] == 1
    apart = playtest(TEAM, 60, "mcts", iterations=12, apart=True)
    low, high = wilson(apart["outcomes"].get("good_end", 0), 60, 3.3)
    assert low < 0.5 < high


def test_the_same_seed_gives_the_same_game() -> None:
    assert playtest(DETOUR, 4, "mcts") == playtest(DETOUR, 4, "mcts", jobs=2)


def test_greedy_says_that_it_needs_a_score() -> None:
    result = playtest(
        TILES + 'action game:\n    choose k from (1..2) by player "?"\n    go to bad_end\n', 1, "greedy"
    )
    assert result["errors"] == 1
    assert "value score" in result["failures"][0]["error"]


def test_what_breaks_while_a_bot_thinks_is_an_error_of_play(monkeypatch: pytest.MonkeyPatch) -> None:
    program = load(
        document(
            f'role Player is Thing named player\n{TILES}action game:\n    choose k from (1..2) by player "?"\n'
        ),
        bots=True,
    )
    game = Game(program, 1)
    decision = game.next()
    assert decision is not None

    def broken(export: str, *arguments: int) -> int:
        raise EngineFault(BAD_ADDRESS)

    monkeypatch.setattr(game.machine, "call", broken)
    with pytest.raises(Fault):
        bot("guided", 1)(decision)


def test_anybody_can_write_a_bot() -> None:
    class Last(Bot):
        def choose(self, decision: Decision) -> int:
            return len(decision.options) - 1

    assert callable(Last())
    with pytest.raises(ValueError, match="there is no bot `clever`"):
        bot("clever", 1)


# Which label leads on, and whether to blow the horn in the middle of everything.
BLOWING = """
state steps: int = 0
state blown: int = 0
value score = 0 - steps
value appeal_turn_choice(n: int) = 5 if n == 2 otherwise 2
value appeal_wander_may = 1
value appeal_blow = {horn}
anytime by player when blown < 3: blow
action blow:
    blown + 1
action wander:
    player may "Rest": steps + 0
action turn:
    choose one by player:
        "Wall" -> go to bad_end
        "Gate" -> steps + 1
action game:
    repeat 3 times: wander
    repeat 3 times: turn
    if blown == {wanted}: go to good_end
    go to bad_end
"""


@pytest.mark.parametrize(("horn", "wanted"), [("0", 0), ("9", 3)])
@pytest.mark.parametrize("name", ["guided", "mcts"])
def test_what_may_be_done_at_any_time_can_be_weighed(name: str, horn: str, wanted: int) -> None:
    assert playtest(BLOWING.format(horn=horn, wanted=wanted), 6, name)["win_rate"]["value"] == 1


# A number that is chosen is never mistaken for the card that happens to have the same one.
COUNTING = """
kind Card
Card plain_card "Plain" * 12
Card gilt_card "Gilt" * 12
deck stock of Card face_down = all Card
state chosen: int = 0
{hint}
action guess:
    choose n from (15..24) by player "How many?"
    chosen = n
    if n == 20: go to good_end
    go to bad_end
action game:
    shuffle stock
    guess
"""


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("greedy", "value score = 0"),
        ("guided", "value score = 0"),
        ("guided", "value appeal_guess_n(n: int) = 5 if n == 20 otherwise 1"),
    ],
)
def test_a_chosen_number_is_no_card(name: str, hint: str) -> None:
    assert playtest(COUNTING.format(hint=hint), 6, name)["win_rate"]["value"] == 1


# Two copper coins and the oil are to be spent, and the gold is to be kept.
PAYING = """
kind Sign
Sign toll
kind Coin
Coin copper "Copper" * 2
Coin gold "Gold" * 2
kind Lamp:
    holds oil
token oil * 4
Lamp lamp "Lamp"
pile purse of Coin face_up = all Coin
pile spent of Coin face_up
payment coins_and_oil:
    Coin c for s
    oil on lamp for s
{hint}
action pass_gate:
    pay {{toll, toll, toll}} from purse using coins_and_oil by player into spent
    if lamp.oil == 1 and count(spent where it is gold) == 0: go to good_end
    go to bad_end
action game:
    put 2 oil on lamp
    pass_gate
"""
SPARING = """
value appeal_pass_gate_pay(x: Thing): int:
    if x is lamp: give 5
    give 9 if x is copper otherwise 1
"""


@pytest.mark.parametrize("name", ["guided", "mcts"])
def test_what_is_paid_with_can_be_weighed(name: str) -> None:
    assert playtest(PAYING.format(hint=SPARING), 4, name)["win_rate"]["value"] == 1
    assert playtest(PAYING.format(hint=""), 20)["win_rate"]["value"] < 1


# A wish that may be made whenever somebody is asked, twice at most, at decisions that no hint speaks of.
WISHES = """
kind Wish is Card
Wish first_wish "First"
Wish second_wish "Second"
pile wishes of Wish = all Wish
state granted: int = 0
anytime by player when any wishes: make_wish
action make_wish:
    choose w from wishes by player
    remove w
    granted + 1
action game:
    player may "Hop": granted + 0
    choose one by player:
        "Left" -> granted + 0
        "Right" -> granted + 0
    if granted == 2: go to good_end
    go to bad_end
"""


@pytest.mark.parametrize("name", ["guided", "greedy", "mcts"])
def test_scores_that_differ_by_one_are_told_apart(name: str) -> None:
    # No game can be won here: only the score says what a wish is worth.
    poor = WISHES.replace("granted == 2", "granted == 9") + "value score = granted\nmeasure made = granted\n"
    assert playtest(poor, 12, name)["measures"]["made"]["mean"] == 2


@pytest.mark.parametrize(("weight", "won"), [("9", 1), ("0", 0)])
def test_what_may_be_done_at_any_time_is_weighed_at_every_decision(weight: str, won: int) -> None:
    assert playtest(WISHES + f"value appeal_make_wish = {weight}\n", 12, "guided")["win_rate"]["value"] == won
