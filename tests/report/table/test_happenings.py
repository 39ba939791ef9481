"""What happened, told to each seat by what it knew at that moment, and to each level of telling."""

from __future__ import annotations

import re
from functools import cache

import pytest

from talewright.cli.terminal.news import Level, News
from talewright.report.table.tabletop import table_lines, thing_lines
from talewright.runtime.session import Decision, Game, load
from talewright.runtime.session.program import Program
from tests.runtime.observed_games import compiled

TEXT = '''
role Player 2..2 named p:
    cards: hand of Ace = all Ace where it.owner is self
    kept: pile of Ace face_down
    luck: track 0..9 start 3 reads "Luck"
kind Ace is Card reads "ace|aces"
Ace red_ace "the Red Ace" per Player
Ace black_ace "the Black Ace" per Player
track fire 0..9 reads "the fire"
state tally: int = 0 reads ""
action hide c: Ace by p: Player reads "{p hides|hide} {c}":
    tally + 1
    move c to p.kept
action show_off c: Ace by p: Player reads "{p shows|show} {c}":
    reveal c
action fan n: int reads "the fire rises by {n space|spaces}": fire + n
action double_fan reads "they fan the fire twice; or so it seems":
    fan 1
    fan 2
action shiver p: Player by n: int reads "{p loses|lose} {n} Luck":
    p.luck - 1
    p.luck - (n - 1)
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    hide (first p1.cards) by p1
    show_off (first p2.cards) by p2
    double_fan
    shiver p1 by 2
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


@cache
def _program(text: str) -> Program:
    return load(compiled(text), traced=True)


def _told(level: Level, seat: int | None, text: str = TEXT) -> list[str]:
    told: list[str] = []
    news: list[News] = []

    def choose(decision: Decision) -> int:
        who = decision.game.everybody()[seat] if seat is not None else None
        told.extend(line.plain.strip() for line in news[0].tell(who, "", 200))
        return 0

    game = Game(_program(text), 1, choose)
    news.append(News(game, level))
    game.listener = news[0]
    game.run()
    return [line for line in told if line and not line.startswith("A day")]


def test_whoever_hides_a_card_hears_which() -> None:
    text = " ".join(_told("usual", 0))
    assert "You hide the Red Ace." in text
    assert "p2 shows the Red Ace." in text


@pytest.mark.parametrize("seat", [1, None])
def test_the_others_hear_only_that_a_card_was_hidden(seat: int | None) -> None:
    text = " ".join(_told("usual", seat))
    assert "p1 hides an ace face down." in text
    assert "p1 hides the" not in text


SHUFFLED = TEXT.replace(
    "    double_fan\n    shiver p1 by 2\n",
    "    hide (first p1.cards) by p1\n    shuffle p1.kept\n    reveal first p1.kept\n",
)


@pytest.mark.parametrize("seat", [1, None])
def test_what_is_seen_later_does_not_tell_what_was_hidden_before(seat: int | None) -> None:
    text = " ".join(_told("usual", seat, SHUFFLED))
    assert text.count("p1 hides an ace face down.") == 2
    assert "p1 hides the" not in text


def test_what_was_done_in_the_end_is_told_with_where_the_tracks_stand() -> None:
    text = " ".join(_told("usual", 1))
    assert "The fire rises by 1 space (Fire now 1). The fire rises by 2 spaces (Fire now 3)." in text
    assert "or so it seems" not in text
    assert "p1 loses 2 Luck (Luck now 1)." in text
    assert "tally" not in text


def test_less_and_more() -> None:
    less, more = " ".join(_told("less", 1)), " ".join(_told("more", 1))
    assert "hides" not in less
    assert "->" not in less
    assert "or so it seems" in more
    assert "Luck of p1 3 -> 2. Luck of p1 2 -> 1." in more


ROLLS = (
    TEXT[: TEXT.index("instead of play")]
    + """
kind Prize
Prize pot
Prize pan
kind Wheel:
    turns: bands of Prize
Wheel wheel:
    turns:
        ..1 -> pot
        2.. -> pan
type Purpose = noise
die loud: 20, 20
die soft: mild, mild
instead of play Chapter c:
    let n = do roll loud by p1 for noise
    for each a in wheel.turns[n + 3]: fire + 1
    let both = do roll 2 * loud by p2
    match both:
        ..39 -> fire + 1
        40.. -> fire + 2
    roll soft
    match 7:
        5..8 -> fire + 1
        otherwise -> fire + 2
    choose x from {1, 2} by p1 "Which?"
    go to night
"""
)


def test_a_roll_is_told_with_its_sum_what_was_added_and_its_band() -> None:
    text = " ".join(_told("usual", 1, ROLLS))
    assert "p1 rolls the loud die for noise: 20, +3 = 23 (2 or more)." in text
    assert "p2 rolls 2 * loud: 20, 20 = 40 (40 or more)." in text
    assert "The soft die shows mild." in text
    assert "7, in the band 5 to 8." in text


CARDS = '''
role Player 2..2 named p:
    luck: track 0..9 start 3 reads "Luck"
    stash: pile of Gem
kind Gem
Gem ruby "a ruby"
Gem pearl "a pearl"
kind Omen is Card:
    does: effect
Omen flood "The Flood":
    does reads "All gems are washed away.": move each Gem to mud
Omen frost "Frost": does: shiver p1 by 1
Omen charm "The Charm": does reads "You feel better": nothing
Omen rain "The Rain": does: rubbed + 1; move each Gem to mud
Omen drizzle "The Drizzle": does: move each Gem to mud
Omen gale "The Gale": does: blow
Omen hail "The Hail": does: blow; move pearl to mud
Omen shelter "The Shelter":
    does:
        blow
        keep
Omen storm "The Storm":
    does reads "The wind takes every gem that was stolen":
        for each p in Player:
            for each g in p.stash: scatter g
        if calm > 9: blow
Omen thaw "The Thaw":
    does reads "The wind takes every gem":
        for each g in Gem: scatter g
Omen still "Stillness": does: nothing
Omen moon "The Moon": does: nothing
Omen star "The Star": does: nothing
deck omens of Omen face_down = all Omen
pile mud of Gem
pile shown of Omen
action shiver p: Player by n: int reads "{p loses|lose} {n} Luck": p.luck - n
action cheer p: Player by n: int reads "{p gains|gain} {n} Luck": p.luck + n
action settle p: Player reads "{p sings|sing}": p.luck + 1; calm + 1
track calm 0..2 start 2
action blow reads "the wind takes a gem":
    requires no mud
    move ruby to mud
action keep: rubbed + 1
action scatter g: Gem: move g to mud
action take g: Gem by p: Player reads "{p takes|take} {g}": move g to p.stash
state rubbed: int = 0 reads ""
menu deeds(p: Player)
offer "Polish the pearl" in deeds(p): polish pearl by p
offer "Rest" in deeds(p): nothing
action polish g: Gem by p: Player reads "{p rubs|rub} {g}": rubbed + 1
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    move flood to shown
    move charm to shown
    do flood.does
    do frost.does
    do still.does
    reveal moon
    reveal star
    show frost to p1
    show still to p2
    say "The Star stands over the house."
    choose g from Gem by p2 "Which gem?"
    take g by p2
    choose h from Gem by p2 "Which gem do you hate?"
    choose up to 1 k from Gem by p2 "Which gem do you love?"
    cheer p2 by 9
    cheer p2 by 1
    settle p2
    do charm.does
    say "The Gale"
    do gale.does
    do drizzle.does
    say "The Hail"
    do hail.does
    say "The Shelter"
    do shelter.does
    say "The Storm"
    do storm.does
    say "The Thaw"
    do thaw.does
    say "The Rain"
    do rain.does
    open up to 1 deeds(p2) by p2 "What now?"
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def _cards_told(level: Level = "usual", asked: str = "p1") -> str:
    news: list[News] = []
    told: list[str] = []

    def choose(decision: Decision) -> int:
        (seat,) = decision.seats
        if decision.game.title(seat) == asked:
            told.extend(line.plain.strip() for line in news[0].tell(seat, asked, 200))
        return len(decision.options) - 1 if "love" in decision.prompt else 0

    game = Game(_program(CARDS), 1, choose)
    news.append(News(game, level))
    game.listener = news[0]
    game.run()
    return "\n".join(told)


def test_an_effect_of_which_nothing_was_told_is_told_as_its_card_says() -> None:
    text = _cards_told()
    assert "The Flood: All gems are washed away." in text
    assert "You lose 1 Luck (Luck now 2)." in text
    assert "Frost:" not in text, "what it does was told"
    assert "Stillness" not in text, "it does nothing"


def test_an_effect_that_is_refused_says_so() -> None:
    assert "The Gale: The wind takes a gem (none of it is possible now)." in _cards_told()
    assert "Rain: Move all gems to the mud." in _cards_told()


def test_of_an_effect_that_was_refused_in_part_nothing_is_denied() -> None:
    text = _cards_told()
    assert "The Hail: The wind takes a gem. Move a pearl to the mud." in text, (
        "the gem was moved all the same"
    )
    assert "The Shelter: The wind takes a gem" in text, "something else in it was done"
    assert "The Thaw: The wind takes every gem." in text, "nothing is denied of what was done"
    assert text.count("none of it is possible now") == 2


def test_an_effect_for_each_of_none_says_so() -> None:
    told = "The Storm: The wind takes every gem that was stolen (none of it is possible now)."
    assert told in _cards_told()


def test_the_effect_of_a_hidden_card_is_told_only_where_its_title_was_said() -> None:
    text = _cards_told()
    assert "The Rain: Move all gems to the mud." in text
    assert "Drizzle" not in text


def test_what_is_turned_up_is_told_unless_somebody_says_it() -> None:
    text = _cards_told()
    assert "The Moon is turned up." in text
    assert "The Star is turned up" not in text
    assert "turned up" not in _cards_told("less")


def test_what_somebody_is_shown_is_told_to_them_alone() -> None:
    text = _cards_told()
    assert "You are shown: Frost." in text
    assert "Stillness" not in text


def test_a_choice_is_not_told_again_by_what_came_of_it() -> None:
    text = _cards_told()
    assert "p2 takes a ruby." in text
    assert "Which gem?" not in text
    assert "p2: Which gem do you hate? a ruby" in text, "nothing came of that one"
    assert "p2 rubs a pearl." in text
    assert "Polish" not in text
    assert "love" not in text, "nothing was chosen"


def test_a_track_that_cannot_move_on_says_that_it_stays() -> None:
    text = _cards_told()
    assert "p2 gains 9 Luck (Luck now 9). p2 gains 1 Luck (Luck stays 9)." in text
    assert "p2 sings (as they were)." in text, "three words for each of many would say no more"
    assert "9 -> 9" not in _cards_told("more")


def test_what_a_card_says_to_whoever_uses_it_is_told_to_them_alone() -> None:
    assert "feel better" not in _cards_told()
    assert "The Charm: You feel better." in _cards_told(asked="p2")


LINES = '''
role Player 2..2 named p
track fire 0..9 reads "the fire"
kind Omen is Card reads "omen|omens":
    close: lines reads "Near"
    far: lines
pile omens of Omen = all Omen
action fan n: int reads "the fire rises by {n space|spaces}":
    requires fire < 3
    fire + n
Omen comet "the Comet":
    close: fan 3; fan 1
    far: fan 1
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    say "Signs:"
    say "- one"
    say "- two"
    say "Read them."
    run comet.close
    run comet.far
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_lines_of_a_card_are_read_before_what_came_of_them() -> None:
    told = _told("usual", None, LINES)
    assert told[told.index("Read them.") + 1 :] == [
        "Near: The fire rises by 3 spaces. The fire rises by 1 space.",
        "Fire now 3.",
        "Far: The fire rises by 1 space.",
    ]


def test_less_is_told_without_the_lines_of_a_card() -> None:
    assert not [line for line in _told("less", None, LINES) if line.startswith(("Near", "Far"))]


def test_items_of_a_list_follow_each_other_without_an_empty_line() -> None:
    news: list[News] = []
    told: list[str] = []

    def choose(decision: Decision) -> int:
        told.extend(line.plain for line in news[0].tell(decision.seats[0], "", 200))
        return 0

    game = Game(_program(LINES), 1, choose)
    news.append(News(game, "usual"))
    game.listener = news[0]
    game.run()
    first = told.index("Signs:")
    assert told[first : first + 6] == ["Signs:", "", "  - one", "  - two", "", "Read them."]


SHORT = '''
role Player 2..2 named p
track fire 0..9 reads "the fire"
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    say "The wind turns."
    say "Ada looks up."
    fire + 1
    say "Bo counts 7 sparks."
    match 7:
        5..8 -> fire + 1
        otherwise -> nothing
    say "A long evening begins, and nobody here knows how it ends."
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_texts_of_one_line_follow_each_other_without_an_empty_line() -> None:
    told: list[str] = []
    news: list[News] = []

    def choose(decision: Decision) -> int:
        told.extend(line.plain for line in news[0].tell(decision.seats[0], "", 50))
        return 0

    game = Game(_program(SHORT), 1, choose)
    news.append(News(game, "usual"))
    game.listener = news[0]
    game.run()
    assert told[told.index("The wind turns.") :] == [
        "The wind turns.",
        "Ada looks up.",
        "  Fire 0 -> 1.",
        "Bo counts 7 sparks.",
        "  That is in the band 5 to 8. Fire 1 -> 2.",
        "A long evening begins, and nobody here knows how",
        "it ends.",
        "",
    ]


DICE = """
role Player 2..2 named p:
    tray: pile of Bone
    mind: track 0..6 start 6 reads "Mind"
    hand: pile of Pearl
kind Symbol
Symbol sword, shield
die Bone * 4:
    faces: sword, shield
    opposite: sword | shield
die doom: mind_slips, marker_moves
bag bones of Bone = all Bone
kind Beast
Beast ghoul "the Ghoul"
kind Pearl
Pearl pearl "black pearl"
kind Charm:
    wants: list of sort of Rune = {rune, rune}
kind Rune is Card
Rune rune "Rune" * 3
deck runes of Rune face_down = all Rune
Charm charm "the Charm"
pile mud of Beast
action throw n: int by p: Player: roll n from bones into p.tray
action toss by p: Player reads "{p rolls|roll} the bones": roll 2 from bones into p.tray
action again b: Bone: roll b
action suffer by p: Player reads "{p rolls|roll} the die of doom":
    let shown = do roll doom
    shake p by 1
action shake p: Player by n: int reads "{p loses|lose} {n} Mind": p.mind - n
action fell b: Beast reads "{b is|are} overcome": move b to mud
action defeat b: Beast by p: Player reads "{p overcomes|overcome} {b}": fell b
action hand_over x: Pearl by p: Player to q: Player reads "{p gives|give} the {x} to {q}": move x to q.hand
Chapter day "Day"
Ending night "Night"
instead of play Chapter c:
    throw 3 by p2
    again first p2.tray
    move p2.tray to bones
    toss by p2
    suffer by p2
    defeat ghoul by p2
    p2 may "Hand over {pearl}": hand_over pearl by p2 to p1
    choose x from {1, 2} by p1 "Which?"
    go to night
"""


def _rolled(level: Level = "usual") -> str:
    rigged = load(compiled(DICE), traced=True)
    told: list[str] = []
    news: list[News] = []

    def choose(decision: Decision) -> int:
        if decision.form != "yes":
            told.extend(line.plain.strip() for line in news[0].tell(decision.game.everybody()[0], "p1", 500))
        return 0

    game = Game(rigged, 1, choose)
    news.append(News(game, level))
    game.listener = news[0]
    game.run()
    return " ".join(told)


def test_dice_that_are_things_are_told_when_they_are_rolled() -> None:
    text = _rolled()
    assert re.search(r"3 bones are rolled: (sword|shield), (sword|shield), (sword|shield)\.", text), text
    assert re.search(r"The bone die shows (sword|shield)\.", text), text


TURNED_DICE = """
role Player is Thing named player
kind Symbol
Symbol sword, shield
die Bone * 1:
    faces: sword
    opposite: sword | shield
bag bones of Bone = all Bone
pile tray of Bone
kind Leaf is Card
Leaf leaf "the leaf"
pile leaves of Leaf = all Leaf
Chapter day "Day"
Ending night "Night"
instead of play Chapter c:
    roll 1 from bones into tray
    flip first tray
    let rolled = do roll 3d1
    choose e from rolled by player "Roll again"
    reroll e
    flip leaf
    choose x from {1, 2} by player "Which?"
    go to night
"""


def test_a_die_that_is_turned_over_or_rolled_again_is_told() -> None:
    text = " ".join(_told("usual", 0, TURNED_DICE))
    assert "The bone die shows sword. The bone die is turned over: shield." in text
    assert "A d1 is rolled again: 1." in text
    assert "leaf" not in text


def test_a_roll_is_told_with_whoever_rolls() -> None:
    assert re.search(r"p2 rolls the bones: (sword|shield), (sword|shield)\.", _rolled())


def test_a_roll_is_told_before_what_came_of_it() -> None:
    text = _rolled()
    assert re.search(r"p2 rolls the die of doom: (mind slips|marker moves)\. p2 loses 1 Mind", text), text


def test_what_was_done_tells_who_did_it_once() -> None:
    text = _rolled()
    assert "p2 overcomes the Ghoul." in text
    assert "is overcome" not in text


def test_a_yes_goes_without_saying_where_what_came_of_it_says_it() -> None:
    text = _rolled()
    assert "p2 gives the black pearl to you." in text
    assert "Hand over" not in text


def test_a_sort_that_is_printed_is_told_wherever_its_copies_lie() -> None:
    game = Game(load(compiled(DICE), traced=True), 1, lambda decision: 0)
    game.run()
    view = game.view()
    shown = [line.plain for line in thing_lines(view, view.number("charm"), None)]
    assert "  wants: Rune, Rune" in shown


WIDOW = """
role Player 1..1 named player
track warmth 0..9 start 3 reads "Warmth"
token light * 9 reads "light|lights"
kind Hall is Place:
    holds light
Hall hall "the Hall"
plan house: hall
kind Omen is Card:
    does: effect
Omen widow "The Widow":
    does:
        put 1 light on hall
        warmth + 1
pile shown of Omen
Chapter day "Day"
Ending night "Night"
instead of play Chapter c:
    move widow to shown
    say "The Widow"
    do widow.does
    choose x from {1, 2} by player "Which?"
    go to night
"""


def test_a_card_that_moves_a_track_tells_also_what_else_it_does() -> None:
    text = " ".join(_told("usual", 0, WIDOW))
    assert "The Widow: Put 1 light on the Hall. Gain 1 Warmth (Warmth now 4)." in text
    assert "->" not in text


def test_every_step_is_told_where_every_step_is_asked_for() -> None:
    assert "Warmth 3 -> 4." in " ".join(_told("more", 0, WIDOW))


MADE = """
role Player 1..1 named player
kind Chip reads "silver chip|silver chips"
pile bank of Chip
pile mud of Chip
action deal:
    repeat 3 times: put new Chip into bank
action blink p: Player reads "{p blinks|blink}": shown + 1
kind Bead
Bead bead "glass bead" * 3
pile beads of Bead = all Bead
pile dust of Bead reads ""
action sweep some: set of Bead by p: Player reads "{p sweeps|sweep} up {some}": move each some to dust
kind Gust is Card:
    does: effect
Gust gust "A Gust": does: move gust to blown
pile blown of Gust reads "the wind"
action play_card g: Gust by p: Player reads "{p plays|play} {g}":
    shown + 1
    do g.does
action dusk reads "the evening": shown + 1
state shown: int = 0 reads ""
kind Rat
Rat a "Ash"
Rat b "Birch"
Rat c "Cedar"
Rat d "Dew"
Rat e "Elm"
action chase rats: set of Rat by p: Player reads "{p chases|chase} {rats}": shown + 1
Chapter day "Day"
Ending night "Night"
instead of play Chapter c:
    deal
    dusk
    blink player
    blink player
    blink player
    sweep {first beads} by player
    sweep all beads by player
    play_card gust by player
    chase Rat by player
    choose x from {1, 2} by player "Which?"
    go to night
"""


def test_what_happens_again_and_again_is_counted_and_a_crowd_is_not_listed() -> None:
    text = " ".join(_told("usual", None, MADE))
    assert "Player blinks (3 times)." in text
    assert "Player chases Ash and 4 others." in text
    assert "Player sweeps up a glass bead. Player sweeps up 2 glass beads." in text
    assert "Player plays A Gust: Move “A Gust” to the wind." in text, "what a card says follows its name"
    assert "evening" not in text, "the name of a moment is no news"


def test_what_was_made_in_play_is_counted_on_the_table_without_its_numbers() -> None:
    game = Game(_program(MADE), 1)
    assert game.next() is not None
    table = "\n".join(line.plain for line in table_lines(game.view(), None))
    assert "bank: silver chip x3" in table


FIGHT = '''
role Player 2..2 named p
kind Rat
Rat rat "the Rat"
action beat r: Rat by p: Player reads "{p overcomes|overcome} {r}": fell r
action fell r: Rat reads "{r is|are} overcome": remove r
action meet r: Rat by p: Player reads "{p meets|meet} {r}":
    p may "Fight?": beat r by p
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    meet rat by p1
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_what_comes_after_a_question_is_not_told_as_what_came_before_it() -> None:
    told = " ".join(_told("usual", 1, FIGHT))
    assert "p1 overcomes the Rat." in told
    assert "meets" not in told


HAUNT = '''
role Player 2..2 named p
kind Ghost
Ghost shade "Shadow" * 3
Ghost abbot "Abbot"
kind Room is Place
Room hall "the Hall"
action haunt g: Ghost reads "{g appears|appear} in the Hall": place g at hall
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    haunt shade_2
    haunt abbot
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_one_of_several_alike_is_told_with_an_article() -> None:
    told = " ".join(_told("usual", 1, HAUNT))
    assert "A Shadow appears in the Hall. Abbot appears in the Hall." in told


HERBS = '''
role Player 2..2 named p
kind Bed
Bed herbs "patch of herbs" * 3
Bed well "The Well"
pile field of Bed face_down = all Bed
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    reveal herbs_2
    reveal well
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_what_is_turned_up_is_one_of_several() -> None:
    told = " ".join(_told("usual", 1, HERBS))
    assert "A patch of herbs is turned up. The Well is turned up." in told


ANSWER = '''
role Player 2..2 named p
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    choose one by p2:
        "None that I know of" -> say "{p2}: none that I know of"
        "One" -> nothing
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_an_answer_that_the_game_says_itself_is_told_once() -> None:
    told = [line for line in _told("usual", 0, ANSWER) if "none that" in line.lower()]
    assert told == ["p2: none that I know of"]


RISK = '''
role Player 2..2 named p
kind Rat
Rat rat "the Rat"
die harm: bite, scratch
action risk r: Rat by p: Player reads "{p meets|meet} {r}, which costs a roll of the die": roll harm
action meet r: Rat by p: Player reads "{p meets|meet} {r}": risk r by p
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    meet rat by p1
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_what_came_up_is_told_with_the_words_in_which_it_was_rolled() -> None:
    told = " ".join(_told("usual", 1, RISK))
    assert re.search(r"p1 meets the Rat, which costs a roll of the die: (bite|scratch)\.", told)


STEP = '''
role Player 2..2 named p
kind Rat
Rat rat "the Rat"
kind Room is Place
Room hall "the Hall"
Room attic "the Attic"
action enter r: Rat to z: Room reads "{r appears|appear} in {z}": place r at z
action step r: Rat to z: Room reads "{r moves|move} to {z}": enter r to z
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    enter rat to hall
    step rat to attic
    choose x from {1, 2} by p1 "Which?"
    go to night
'''


def test_of_two_actions_that_name_the_same_the_outer_one_is_told() -> None:
    told = " ".join(_told("usual", 1, STEP))
    assert "The Rat appears in the Hall. The Rat moves to the Attic." in told
