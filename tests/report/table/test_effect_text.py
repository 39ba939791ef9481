"""What options bring with them, in the words of the package."""

from __future__ import annotations

from talewright.report.table.effect_text import option_wording, part_wording, track_lines, trait_lines
from talewright.report.wording.cards import Cards
from talewright.runtime.session.game import Game
from talewright.runtime.session.program import load
from talewright.schemas.nodes.codec import read_document
from tests.runtime.observed_games import asked, begun, compiled

TEXT = '''
kind Ware
Ware rope "a rope" * 2
kind Stall is Place:
    ware: slot of Ware
    price: effect
kind Shop is Place:
    left, right: Stall
Shop booth "the booth":
    left.price: nothing
    right.price: purse - 2  # dear
role Player is Thing named player
state purse: int = 5
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    move rope_1 to booth.left.ware
    move rope_2 to booth.right.ware
    choose stall from Stall by player "Take?"
    do stall.price
    go to night
'''


def test_an_option_shows_what_it_costs() -> None:
    document = compiled(TEXT)
    cards = Cards(read_document(document))
    decision, view = next(asked(begun(document)))
    shown = [part_wording(view, option, decision.seats[0], cards) for option in decision.options]
    assert shown == ["", " (price: The purse falls by 2)"]


TRAITS = '''
trait Burning(heat: int) reads "burning ({heat})":
    """It hurts to touch."""
trait Wet
kind Lamp
Lamp lantern "the lantern" is Burning(3)
Lamp candle "the candle"
role Player is Thing named player
track dread 0..9 start 2 reads "the dread":
    at 4: go to night
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    choose lamp from Lamp by player "Which?"
    go to night
'''


def test_keywords_are_told_with_what_they_were_given_and_what_they_mean() -> None:
    document = compiled(TRAITS)
    cards = Cards(read_document(document))
    decision, view = next(asked(begun(document)))
    told = trait_lines(view, view.number("lantern"), decision.seats[0], cards)
    assert told == ["burning (3). It hurts to touch."]


def test_a_track_says_what_waits_on_it() -> None:
    document = compiled(TRAITS)
    _, view = next(asked(begun(document)))
    told = track_lines(view, "Dread", None, Cards(read_document(document)))
    assert told == ["Dread (track): 2, from 0 to 9", "  At 4: The game ends: “Night”."]
    assert track_lines(view, "hope", None, Cards(read_document(document))) == []


MENU = '''
role Player is Thing named player
state purse: int = 5
menu stalls
action pay n: int reads "pay {n coin|coins}": purse - n
offer "A loaf" in stalls: pay 2
offer "A cake" in stalls reads "pay 3 coins, and wait": pay 3
offer "Pay a penny" in stalls reads "": pay 1
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    open stalls by player "Buy?"
    go to night
'''


def test_an_entry_of_a_menu_says_what_it_does_unless_it_has_its_own_words() -> None:
    document = compiled(MENU)
    cards = Cards(read_document(document))
    decision, view = next(asked(begun(document)))
    shown = [option_wording(view, option, decision, cards) for option in decision.options]
    assert shown == [": Pay 2 coins.", ": Pay 3 coins, and wait.", ""]


AGAIN = '''
role Player is Thing named player:
    grit: int = 3
action turn by h: Player:
    let die = do roll d6 by h
    choose one by h "What now?":
        "Spend 1 Grit and roll again" -> h.grit - 1; reroll die
        "Roll again" -> h.grit - 1; reroll die
        "Keep it" -> nothing
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    turn by player
    go to night
'''


def test_a_label_that_says_all_of_what_it_does_is_not_said_again() -> None:
    document = compiled(AGAIN)
    cards = Cards(read_document(document))
    decision, view = next(asked(begun(document)))
    shown = [option_wording(view, option, decision, cards) for option in decision.options]
    assert shown == ["", ": Lose 1 grit. Reroll the dice.", ""]


AT_ANY_TIME = '''
role Player is Thing named player
state purse: int = 5
state wishes: int = 1
anytime by player when wishes > 0: make_wish
action make_wish: wishes - 1
action visit:
    player may "Buy a loaf?": purse - 2
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    visit
    go to night
'''


def test_what_may_be_done_at_any_time_is_not_told_as_the_answer_to_a_question() -> None:
    document = compiled(AT_ANY_TIME)
    cards = Cards(read_document(document))
    decision, view = next(asked(begun(document)))
    assert [option.text() for option in decision.options] == ["Buy a loaf?", "No", "Make wish"]
    shown = [option_wording(view, option, decision, cards) for option in decision.options]
    assert shown == [": The purse falls by 2.", "", ""]


WITH_NAMES = '''
role Player is Thing named player
kind Hero:
    player: Player
    grit: int = 5 reads "Grit"
    luck: int = 3 hidden
Hero ada "Ada": player: player
trait Stubborn:
    before rest h when h is self:
        h.player may "Stay up?": self.grit - 1
action rest h: Hero reads "{h rests|rest}": h.grit + 1
action pay n: int by h: Hero reads "{h pays|pay} {n} Grit": h.grit - n
action cross h: Hero:
    let toll = h.grit - 2
    let doom = h.luck + 1
    let other = first Hero
    choose one by h.player "The bridge":
        "Go on" -> pay toll by h
        "Guess" -> pay doom by other
        "Turn back: rest" -> rest h
        "Part with 1 Grit" -> pay 1 by h
        "Think" ->
            toll = 1
            pay toll by h
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    ada gains Stubborn
    cross ada
    rest ada
    go to night
'''


def shown_when_asked(text: str) -> list[list[str]]:
    document = compiled(text)
    cards = Cards(read_document(document))
    game = Game(load(document, traced=True))
    found = []
    while (decision := game.next()) is not None:
        view = game.view()
        found.append([option_wording(view, option, decision, cards) for option in decision.options])
        game.answer(decision, 0)
    return found


def test_an_answer_says_what_it_does_with_what_the_names_around_it_stand_for() -> None:
    bridge, rest = shown_when_asked(WITH_NAMES)
    # What is hidden from whoever is asked is not told, nor what a label says itself, nor names that change in between.
    assert bridge == [": Pay 3 Grit.", "", "", "", ""]
    assert rest == [": Lose 1 Grit.", ""]


def test_what_the_names_stand_for_is_that_of_the_question_that_is_asked() -> None:
    text = WITH_NAMES.replace("    cross ada\n", "    cross ada\n    ada.grit + 4\n    cross ada\n")
    first, second, _ = shown_when_asked(text)
    assert (first[0], second[0]) == (": Pay 3 Grit.", ": Pay 4 Grit.")
