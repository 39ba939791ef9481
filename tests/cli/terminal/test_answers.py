"""What `look`, `why` and the options of a decision say, to whoever decides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from talewright.cli.terminal.answers import Answers
from talewright.cli.terminal.player import Terminal
from talewright.report.table.tabletop import table_lines
from talewright.report.wording.cards import Cards
from talewright.runtime import load
from talewright.runtime.session import Decision, Game
from tests.runtime.observed_games import compiled

WIDTH = 90


class Asked:
    """A game that stands at its first decision, or at a later one."""

    def __init__(self, text: str, players: int | None = None) -> None:
        program = load(compiled(text), players=players, traced=True)
        self.game = Game(program, seed=3)
        self.answers = Answers(self.game, Cards(program.nodes))
        self.decision = self._next()

    def _next(self) -> Decision:
        decision = self.game.next()
        assert decision is not None
        return decision

    def take(self, option: str) -> Asked:
        """Takes an option; the game then stands at the next decision."""
        ids = [one.id for one in self.decision.options]
        self.game.answer(self.decision, ids.index(option))
        self.decision = self._next()
        return self

    def look(self, name: str) -> list[str]:
        """What `look NAME` shows."""
        return [line.plain for line in self.answers.look(name, self.decision, WIDTH)]

    def why(self, name: str = "") -> list[str]:
        """What `why NAME` shows."""
        return [line.plain for line in self.answers.why(name, self.decision, WIDTH)]

    def options(self) -> list[str]:
        """The options as they are shown."""
        which = range(len(self.decision.options))
        return [line.plain for line in self.answers.options(self.decision, which)]


PAGES = '''
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
'''

# ------------------------------------------------------------------ options
TRICKS = f"""
kind Trick:
    price: effect: nothing
    does: effect
    bought: yes | no = no
state luck: int = 0
Trick vain "the vain trick":
    does:
        requires luck > 3
        luck + 1
Trick sound "the sound trick": does: luck + 1
pile laid of Trick
role Player is Thing named player
{PAGES}
action perform t: Trick: do t.does
action buy t: Trick:
    do t.price
    t.bought = yes
instead of play Chapter c:
    choose t from Trick by player "Lay out"
    move t to laid
    choose u from Trick by player "Use"
    perform u
    choose b from Trick by player "Buy"
    buy b
    for each d in Trick, chosen by player: perform d
    go to night
"""


def test_a_card_that_can_do_nothing_says_so_where_it_is_used_or_bought_and_nowhere_else() -> None:
    asked = Asked(TRICKS)
    idle = {}
    for taken in ("sound", "sound", "sound", ""):
        idle[asked.decision.prompt] = [line for line in asked.options() if "(would do nothing now)" in line]
        if taken:
            asked.take(taken)
    assert idle["Lay out"] == []
    assert [line.split(":")[0] for line in idle["Use"]] == ["  1  the vain trick (would do nothing now)"]
    assert [line.split(":")[0] for line in idle["Buy"]] == ["  1  the vain trick (would do nothing now)"]
    assert [line.split(":")[0] for line in idle[""]] == ["  1  the vain trick (would do nothing now)"], (
        "which next"
    )


MARKED = f"""
kind Trick:
    does: effect
    chosen, kept: yes | no = no
state luck: int = 0
Trick vain "the vain trick":
    does:
        requires luck > 3
        luck + 1
Trick sound "the sound trick": does: luck + 1
role Player is Thing named player
{PAGES}
action perform t: Trick: do t.does
action mark t: Trick: t.chosen = yes
action keep t: Trick: t.kept = yes
action show_off:
    for each d in Trick where it.chosen: perform d
action count_up:
    for each d in Trick where it.kept: luck + 1
instead of play Chapter c:
    choose k from Trick by player "Keep"
    keep k
    choose m from Trick by player "Mark"
    mark m
    show_off
    count_up
    go to night
"""


def test_what_is_marked_to_be_used_later_says_that_it_can_do_nothing() -> None:
    asked = Asked(MARKED)
    assert not any("would do nothing" in line for line in asked.options()), "what is kept is not used"
    asked.take("sound")
    assert [line.split(":")[0] for line in asked.options()] == [
        "  1  the vain trick (would do nothing now)",
        "  2  the sound trick",
    ]


FRIENDS = f"""
kind Friend:
    coins: int = 0
Friend ann "Ann": coins: 3
Friend ben "Ben"
role Player is Thing named player
menu deals(p: Player, f: Friend)
offer "Beg" in deals(p, f) when f.coins > 0: beg from f
offer "Steal" in deals(p, f): steal from f
action beg from f: Friend: f.coins - 1
action steal from f: Friend:
    requires f.coins > 1
    f.coins - 2
action meet by p: Player:
    choose up to 1 f from Friend by p "Deal with whom?"
    if f is not none: open up to 1 deals(p, f) by p
{PAGES}
instead of play Chapter c:
    meet by player
    go to night
"""


def test_whoever_there_is_nothing_to_deal_about_with_says_so() -> None:
    asked = Asked(FRIENDS)
    assert asked.options() == ["  1  Ann", "  2  Ben (would do nothing now)", "  3  None of these"]
    assert any("would do nothing now" in line for line in asked.why("2"))


MENU = f"""
role Player is Thing named player
state coins: int = 0
menu deals(p: Player)
action swap by p: Player reads "{{p swaps|swap}} an item with somebody": coins + 1
action beg by p: Player reads "{{p receives|receive}} 2 coins": coins + 2
offer "Swap one item with somebody" in deals(p): swap by p
offer "Beg" in deals(p): beg by p
offer "Bribe the porter" in deals(p) when coins > 9: coins - 9
{PAGES}
instead of play Chapter c:
    open up to 1 deals(player) by player "What passes?"
    go to night
"""


def test_what_a_label_says_already_is_not_said_again() -> None:
    assert Asked(MENU).options()[:2] == ["  1  Swap one item with somebody", "  2  Beg: Receive 2 coins."]


def test_what_is_hidden_by_a_condition_stands_in_why() -> None:
    assert Asked(MENU).why() == ["  Bribe the porter: only if the coins are more than 9"]


REFUSED = f"""
role Player is Thing named player
state coins: int = 1 reads "the coins"
state storm: yes | no = yes reads "the storm rages"
menu trades(p: Player)
action swap by p: Player reads "{{p swaps|swap}} a coin for a fish": coins - 1
action row_out p: Player for n: int reads "{{p rows|row}} out {{n mile|miles}}":
    requires coins > n
    coins - n
action sail p: Player reads "{{p sails|sail}} home":
    coins + 1
action brood by p: Player reads "":
    requires coins > 9
    coins - 9
forbid sail p when storm
before swap by p when storm:
    coins - 1
offer "Swap" in trades(p): swap by p
{PAGES}
instead of play Chapter c:
    row_out player for 5
    sail player
    brood by player
    open up to 1 trades(player) by player "What now?"
    go to night
"""


def test_what_was_refused_is_told_in_the_words_of_its_action_with_what_it_requires() -> None:
    told = [line.partition(" (")[0] for line in Asked(REFUSED).why()]
    assert told[0] == "  You row out 5 miles: only if the coins are more than 5"
    assert told[1] == "  You sail home: No player can sail home if the storm rages"
    assert not any("brood" in line for line in told), "players are told nothing of it"


def test_an_option_is_explained_in_words_and_not_by_names_of_the_code() -> None:
    told = [line.partition(" (")[0] for line in Asked(REFUSED).why("1")]
    assert told == [
        "  Swap",
        "    asked in the menu “trades”",
        "    offered",
        "    it does: Swap a coin for a fish",
        "    in force: Before a player swaps a coin for a fish, if the storm rages, the coins fall",
        "      by 1.",
    ]


ROADS = f"""
role Player is Thing named player:
    mind: track 0..6 start 6 reads "Mind"
    ways: pile of Road = all Road
    shelf: pile of Tool = all Tool where it is not lamp
kind Road is Card:
    shut: yes | no = no
    holds light
Road ford "the Ford": shut: yes
Road bridge "the Bridge"
Road fog "the Fog":
    forbid ride p on w when w is tunnel, "The fog is in the tunnel."
Road tunnel "the Tunnel"
kind Tool:
    power: effect(user: Player)
Tool cordial "cordial" * 2: power: calm user by 1
Tool lamp "lamp" * 2: power: calm user by 1
token light * 4 reads "Light|Lights"
menu uses(p: Player): pass "Keep all"
action calm p: Player by n: int reads "{{p gains|gain}} {{n}} Mind": p.mind + n
action ride p: Player on w: Road:
    requires not w.shut, "The river is high."
    p.mind - 1
action use t: Tool by p: Player reads "{{p uses|use}} the {{t}}": do t.power(p)
action boast by p: Player reads "{{p boasts|boast}}":
    requires p.mind < 6
    p.mind - 1
offer "Drink the cordial" in uses(p): use first cordial in p.shelf by p
offer "Light the lamp" in uses(p): use first lamp in p.shelf by p
offer "Boast" in uses(p): boast by p
{PAGES}
instead of play Chapter c:
    put 2 light on bridge
    open up to 1 uses(player) by player "Use an item?"
    choose_way player
    go to night
action choose_way p: Player:
    choose w from p.ways where possible(ride p on it) by p "Which way?"
    ride p on w
"""


def bare(lines: list[str]) -> list[str]:
    """Lines without the places in the text that they name."""
    return [line.partition(" (")[0].strip() for line in lines]


def test_an_entry_that_would_do_nothing_says_so() -> None:
    assert Asked(ROADS).options()[0] == "  1  Drink the cordial (would do nothing now): Gain 1 Mind."


def test_what_is_not_offered_is_told_in_words() -> None:
    assert bare(Asked(ROADS).why()) == [
        "Light the lamp: there is no lamp on your shelf",
        "Boast: only if your Mind is less than 6",
    ]


def test_what_cannot_be_chosen_is_told_with_what_forbids_it() -> None:
    asked = Asked(ROADS).take("pass")
    assert [option.id for option in asked.decision.options] == ["bridge", "fog"]
    assert bare(asked.why()) == [
        "the Ford: The river is high.",
        "the Tunnel: The fog is in the tunnel, by the Fog",
    ]
    assert bare(asked.why("the tunnel")) == ["the Tunnel: The fog is in the tunnel, by the Fog"]
    assert bare(asked.why("bridge")) == ["the Bridge", "asked “Which way?”"]


def test_tokens_are_looked_at() -> None:
    assert Asked(ROADS).look("light") == ["Light (token): the Bridge 2"]


def test_how_the_story_may_end_is_not_to_be_looked_up() -> None:
    assert Asked(ROADS).look("night") == ["Nothing you know of is called so."]
    assert Asked(ROADS).look("day")[0] == "Day (chapter)"


ANSWERS = f"""
role Player is Thing named player:
    luck: track 0..9 start 5 reads "Luck"
kind Coin is Card reads "coin|coins":
    worth: effect(who: Player)
Coin penny "a penny": worth: who.luck + 1
deck purse of Coin face_down = all Coin
pile given of Coin reads "the gifts"
action pay p: Player by n: int reads "{{p loses|lose}} {{n}} Luck": p.luck - n
action nameless p: Player: p.luck - 1
{PAGES}
action stake p: Player by n: int:
    choose one by p "The stranger":
        "Greet him" -> pay p by 2
        "Lose 1 Luck" -> pay p by 1
        "Wager what was said" -> pay p by n
        "Do as you like" -> nameless p
        "Walk on" -> nothing
    p may "Open the purse": draw 1 from purse into given
instead of play Chapter c:
    stake player by 3
    go to night
"""


def test_a_label_shows_what_it_does_unless_it_says_so_or_nobody_has_words_for_it() -> None:
    assert Asked(ANSWERS).options() == [
        "  1  Greet him: Lose 2 Luck.",
        "  2  Lose 1 Luck",
        "  3  Wager what was said: Lose 3 Luck.",
        "  4  Do as you like",
        "  5  Walk on",
    ]


def test_a_yes_shows_what_it_does() -> None:
    asked = Asked(ANSWERS).take("Walk on")
    assert asked.options() == ["  1  Yes: Draw 1 coin from the purse into the gifts.", "  2  No"]
    assert asked.look("1") == ["Yes", "  Draw 1 coin from the purse into the gifts."]


# ------------------------------------------------------------------ things
FIGURES = f'''
trait Savage(often: int) reads "Savage {{often}}":
    """It strikes again and again."""
kind Beast is Figure reads "beast|beasts":
    health: int = 3
    wounds: track 0..9 start 0
    grudge: int = 7 hidden
    ticks: int = 4 reads ""
    does: effect
Place den "the den"
Beast wolf "the wolf" is Savage(2):
    """It has been here before."""
    health: 4
    does: luck - 1
state luck: int = 5 reads "the luck"
modify health of Beast b when luck < 9: + 1
role Player is Figure named player
plan house: den
{PAGES}
instead of play Chapter c:
    place wolf at den
    wolf.wounds + 2
    choose n from (1..2) by player "How many?"
    go to night
'''


def test_a_figure_has_an_attribute_line_keywords_and_what_it_does() -> None:
    told = Asked(FIGURES).look("wolf")
    assert told == [
        "the wolf (beast)",
        "  at the den",
        "  It has been here before.",
        "  health 5 (printed 4); wounds 2/9",
        "  Savage 2. It strikes again and again.",
        "  Does: The luck falls by 1.",
    ]


def test_a_place_says_who_is_there() -> None:
    assert "  here: the wolf" in Asked(FIGURES).look("den")


def test_a_number_is_explained_with_the_rule_that_changes_it() -> None:
    told = Asked(FIGURES).why("health of the wolf")
    assert told[:2] == ["  health of the wolf: 5", "    4 by itself"]
    assert told[2].startswith("    + 1")


def test_a_hidden_number_is_neither_shown_nor_explained() -> None:
    asked = Asked(FIGURES)
    assert not [line for line in asked.look("wolf") if "grudge" in line or "7" in line]
    assert asked.why("grudge of the wolf") == ["  The grudge of the wolf is hidden from you."]


# ------------------------------------------------------------------ chapters and tracks
CHAPTERS = '''
kind Find is Card
Find rope "Rope"
Find straw "Straw"
kind Scene is Chapter:
    search: bands of Find
state key: yes | no = no reads "the key is found"
Scene cellar "The Cellar":
    """It is dark."""
    goal: "Find the way out."
    search: ..4 -> straw; 5.. -> rope
    choice: "Up the stairs" -> yard; "Through the wall" -> ruin
Scene yard "The Yard":
    """Light."""
    search: ..4 -> straw; 5.. -> rope
    choice: "On" -> ruin
Ending ruin "Ruin":
    """Nothing is left."""
track dread 0..9 start 2 reads "the dread":
    at 4: key = yes
    above 8: go to ruin
role Player is Figure named player:
    nerve: track 0..5 start 5 reads "Nerve":
        below 1: go to ruin
instead of play Scene c:
    choose n from (1..2) by player "How many?"
    follow chapter.choice by player
'''


def test_a_chapter_shows_its_goal_its_printed_tests_and_the_ways_on_that_have_a_label() -> None:
    told = Asked(CHAPTERS).look("chapter")
    assert told[0] == "The Cellar (scene)"
    assert "  goal: Find the way out." in told
    assert "  search: 4 or less, 5 or more" in told
    assert "  ways on: “Up the stairs”; “Through the wall”" in told
    assert not [line for line in told if "Ruin" in line or "Yard" in line], "where a way leads is not told"


@pytest.mark.parametrize("name", ["dread", "the Dread"])
def test_a_track_says_what_waits_on_it(name: str) -> None:
    asked = Asked(CHAPTERS)
    told = asked.look(name)
    assert told == [
        "Dread (track): 2, from 0 to 9",
        "  At 4: From now on the key is found.",
        "  Above 8: The game ends: “Ruin”.",
    ]
    assert asked.why(name) == told


def test_a_track_of_a_person_says_what_waits_on_it() -> None:
    assert Asked(CHAPTERS).why("nerve") == [
        "Nerve of player (track): 5, from 0 to 5",
        "  Below 1: The game ends: “Ruin”.",
    ]


# ------------------------------------------------------------------ piles
PILES = f"""
kind Leaf is Card:
    weight: int = 1
Leaf ash "Ash"
Leaf elm "Elm"
Leaf fir "Fir"
Leaf oak "Oak"
role Player 2..2 named p:
    hold: hand of Leaf
deck stock of Leaf face_down = {{ash, elm, fir, oak}}
pile embers of Leaf
{PAGES}
instead of play Chapter c:
    shuffle stock
    move ash to embers
    move elm to p1.hold
    move fir to p2.hold
    show oak to p1
    choose n from (1..2) by p1 "How many?"
    choose m from (1..2) by p2 "How many?"
    go to night
"""


def test_an_open_pile_can_be_opened() -> None:
    assert Asked(PILES, 2).look("embers") == ["Embers (pile, 1): Ash"]


def test_a_closed_pile_shows_what_the_seat_was_shown_and_counts_the_rest() -> None:
    first = Asked(PILES, 2)
    assert first.look("stock") == ["Stock (deck, 1): Oak"]
    assert first.take("1").look("stock") == ["Stock (deck, 1): 1 face down"]


def test_what_somebody_has_of_their_own_can_be_opened() -> None:
    asked = Asked(PILES, 2)
    assert asked.look("hold") == ["Hold of p1 (1): Elm"]
    assert asked.take("1").look("the hold") == ["Hold of p2 (1): Fir"]


def test_what_a_seat_does_not_know_cannot_be_looked_at_by_name() -> None:
    asked = Asked(PILES, 2)
    assert asked.look("elm")[0] == "Elm (leaf)"
    for hidden in ("fir",):
        assert asked.look(hidden) == ["Nothing you know of is called so."]
    later = asked.take("1")
    assert later.look("fir")[0] == "Fir (leaf)"
    assert later.look("elm") == ["Nothing you know of is called so."]
    assert later.look("oak") == ["Nothing you know of is called so."]
    assert later.why("weight of oak") == ["  Nothing you know of is called oak."]


# ------------------------------------------------------------------ two things of one name
TWINS = f'''
kind Town is Place
Town docks "the Docks":
    """They smell of tar."""
kind Ticket is Card:
    leads_to: Town
Ticket docks_ticket "the Docks": leads_to: docks
Town heath "the Heath"
Ticket heath_ticket "the Heath": leads_to: heath
role Player is Figure named player
plan coast: docks heath
{PAGES}
instead of play Chapter c:
    choose t from Ticket by player "Which way?"
    go to night
'''


HOUNDS = f"""
token wound * 9 reads "wound|wounds"
kind Hound is Figure:
    holds wound
    mad: yes | no = no reads "mad"
Hound hound "Hound" * 3
kind Yard is Place
Yard yard "the Yard"
role Player is Thing named player
{PAGES}
instead of play Chapter c:
    for each h in Hound: place h at yard
    put 2 wound on hound_1
    hound_2.mad = yes
    choose h from Hound by player "Which?"
    go to night
"""


def test_things_of_one_name_are_told_apart_by_what_has_become_of_them() -> None:
    assert Asked(HOUNDS).options() == [
        "  1  Hound (the Yard) (2 wounds)",
        "  2  Hound (the Yard) (mad)",
        "  3  Hound (the Yard)",
    ]


NAMES = f"""
kind Deed is Card
Deed still_water "Still Water"
kind Person
Person wat "Wat Pask, the Drover"
role Player is Figure named player
{PAGES}
instead of play Chapter c:
    choose d from Deed by player
    choose n from (0..5) by player
    go to night
"""


def test_a_word_of_a_name_is_meant_rather_than_a_part_of_one() -> None:
    assert Asked(NAMES).look("wat")[0] == "Wat Pask, the Drover (person)"
    assert Asked(NAMES).look("wate")[0] == "Still Water (deed)"


@pytest.mark.parametrize("name", ["1", "the docks", "docks"])
def test_things_of_one_name_are_looked_at_together(name: str) -> None:
    told = Asked(TWINS).look(name)
    assert told[0] == "the Docks (ticket)"
    assert "the Docks (town)" in told
    assert "  They smell of tar." in told


def test_what_cannot_be_looked_at_is_said_plainly() -> None:
    asked = Asked(TWINS)
    assert asked.look("") == ["Say at what: `look NAME`, or `look N` for option N."]
    assert asked.look("99") == ["There is no option 99; they go from 1 to 2. Or try `look NAME`."]
    assert asked.why("9") == ["  There is no option 9; they go from 1 to 2."]
    assert asked.look("the moon") == ["Nothing you know of is called so."]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2 5", "Take one option at a time: type one number."),
        ("1, 2", "Take one option at a time: type one number."),
        ("9", "There is no option 9; they go from 1 to 2."),
    ],
)
def test_what_is_typed_amiss_is_answered_by_what_to_type(typed: str, said: str) -> None:
    told: list[str] = []
    terminal = SimpleNamespace(screen=SimpleNamespace(write=told.append))
    assert Terminal._chosen(cast(Terminal, terminal), typed, Asked(TWINS).decision) is None
    assert told == [said]


SPELLS = f"""
role Player is Thing named player
state purse: int = 5
kind Spell is Card:
    works: effect
Spell thrift "Thrift": works: purse + 1
Spell waste "Waste": works: purse - 1
menu deeds
offer "Cast {{s}}" in deeds: cast s
offer "Throw {{s}} away" in deeds reads "": cast s
action cast s: Spell: do s.works
{PAGES}
instead of play Chapter c:
    open deeds by player "And now?"
    go to night
"""


def test_an_entry_of_a_menu_about_one_card_says_what_the_card_does() -> None:
    assert Asked(SPELLS).options() == [
        "  1  Cast Thrift: The purse rises by 1.",
        "  2  Cast Waste: The purse falls by 1.",
        "  3  Throw Thrift away",
        "  4  Throw Waste away",
    ]


BOOK = """\
role Reader is Thing named reader
kind Gift
Gift might "Might"
Gift wit "Wit"
kind Spell:
    works: effect
Spell frost "Frost":
    works: heat - 1
Spell thaw "Thaw":
    works: heat + 1
kind Page is Card:
    spell: Spell
Page page_frost "page of Frost": spell: frost
Page page_thaw "page of Thaw": spell: thaw
track heat 0..9 start 5
kind Wizard is Figure:
    gifts: Gift -> int
    wounds: int = 0 reads "wound|wounds"
    charmed: yes | no = no reads "charmed"
    rite: bands of Spell
    tale: bands of Page
Wizard merle "Merle":
    gifts: might 1, wit 3
    wounds: 2
    charmed: yes
    rite: ..4 -> frost; 5.. -> thaw
    tale: ..4 -> page_frost; 5.. -> page_frost
extend Gift:
    board: track 0..6 start 0
Place hall "the Hall"
Place yard "the Yard"
Place well "the Well"

Chapter day "Day":
    \"\"\"A day.\"\"\"
    map:
        hall yard
        well .
    walls: hall | yard
Ending night "Night":
    \"\"\"Night.\"\"\"
extend Chapter:
    map: plan
    walls: list of pair

menu readings
offer "Read {page}" in readings: read page
action read page: Page: do page.spell.works

instead of play Chapter c:
    stage c
    place merle at hall
    wit.board = 2
    open readings by reader
    choose p from Page by reader
    go to night
"""


def test_a_card_says_what_the_one_thing_printed_on_it_does() -> None:
    game = Asked(BOOK)
    assert game.look("page of frost") == ["page of Frost (page)", "  spell: Frost", "  Works: Lose 1 heat."]
    assert game.look("1")[0] == "Read page of Frost"
    assert game.look("1")[-3:] == game.look("page of frost")


def test_the_very_name_is_meant_rather_than_what_can_be_chosen() -> None:
    game = Asked(BOOK)
    assert game.look("frost")[0] == "Frost (spell)"
    game.game.answer(game.decision, 0)
    game.decision = game._next()
    assert [option.label for option in game.decision.options] == ["page of Frost", "page of Thaw"]
    assert game.look("frost")[0] == "Frost (spell)"
    assert game.look("page of")[0] == "page of Frost (page)"


def test_numbers_by_name_and_what_bands_bring_are_printed_but_no_cards() -> None:
    assert Asked(BOOK).look("merle") == [
        "Merle (wizard)",
        "  at the Hall",
        "  wounds 2; charmed",
        "  gifts: Might 1, Wit 3",
        "  rite: 4 or less Frost, 5 or more Thaw",
        "  tale: 4 or less, 5 or more",
    ]


def test_the_table_shows_walls_and_what_has_become_of_whom_and_boards() -> None:
    game = Asked(BOOK)
    lines = [line.plain for line in table_lines(game.game.view(), game.decision.seat, WIDTH)]
    shown = "\n".join(lines)
    assert "Merle (2 wounds, charmed)" in shown
    assert "Wit: board 2/6" in shown
    assert "Might" not in shown
    (hall,) = [line for line in lines if "the Hall" in line and "│" in line]
    assert hall.split("the Yard")[0].endswith("║")
    assert "═" not in shown


DOORS = f"""
role Player is Thing named player
kind Porter reads "porter|porters"
Porter ada "Ada"
Porter bo "Bo"
state locked: yes | no = yes
action fetch who: Porter: nothing
action bribe who: Porter with n: int:
    requires not locked, "It is locked."
offer "{{who}} fetches a key ({{1 + 1}})" in deeds when not locked: fetch who
offer "Bribe {{who}}" in deeds: bribe who with 3
offer "Knock" in deeds: nothing
offer "Wait" in deeds: nothing
menu deeds
{PAGES}
instead of play Chapter c:
    open deeds by player "What now?"
    go to night
"""


def test_what_is_not_offered_is_told_without_signs_of_the_language() -> None:
    told = [line.partition(" (sample")[0] for line in Asked(DOORS).why()]
    assert told == [
        "  The porter fetches a key (...): only if “locked” is not true",
        "  Bribe Ada: It is locked.",
        "  Bribe Bo: It is locked.",
    ]
