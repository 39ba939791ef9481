"""The report calls decisions and options as the table does."""

from __future__ import annotations

import re

import orjson

from talewright.report.playtest.output.as_text import page
from talewright.report.playtest.output.html_page import render
from talewright.report.playtest.statistics.comparison import compare
from talewright.report.playtest.statistics.content import Content
from talewright.runtime.session import load
from tests.report.playtest.tiny import document, playtest
from tests.runtime.observed_games import compiled

GAME = '''
role Keeper 1..1 named p
kind Book is Card
Book almanac "The Almanac" * 2
Book herbal "A Herbal of Wings"
type Weather = heavy_rain | sun
pile shelf of Book = all Book
action borrow by k: Keeper reads "{k borrows|borrow} a book": choose b from shelf by k
action lend by k: Keeper: choose b from shelf by k "Which book?"
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    borrow by p
    lend by p
    go to night
'''


def test_decisions_and_options_have_the_words_of_the_table() -> None:
    program = load(compiled(GAME))
    content = Content(program)
    asked = {point.id: content.point_words(number) for number, point in enumerate(program.lowered.points)}
    assert asked["lend.b"] == {"asks": "Which book?"}
    assert asked["borrow.b"] == {"asks": "borrow a book"}
    borrowed = next(n for n, point in enumerate(program.lowered.points) if point.id == "borrow.b")
    assert content.option_words(borrowed, "almanac") == {"title": "The Almanac"}, "of which there are copies"
    assert content.option_words(borrowed, "herbal") == {"title": "A Herbal of Wings"}
    assert content.option_words(borrowed, "heavy_rain") == {"title": "heavy rain"}
    assert content.option_words(borrowed, "Sing: loudly") == {}


WORN = """
extend Player:
    self_trust: track 0..9 start 4
    purse: track 0..9 start 2 reads "Coins in hand"
kind SeaFoe
SeaFoe one "One" * 20
extend SeaFoe:
    long_grudge: track 0..5 start 1
track high_water 0..9 start 3
track moon 0..9 start 0 reads "the Waning Moon"
menu deeds(q: Player): pass "Catch your breath"
offer "Wait" in deeds(q): nothing
measure coins_left = player.purse
measure was_calm = player.self_trust > 3
pile sea of SeaFoe
action game:
    for each foe in SeaFoe: move foe to sea
    round
    go to good_end
action round:
    open deeds(player) by player
    player may "Jump in?":
        high_water + 1
    choose up to 1 k from (1..2) by player "How deep?"
    if player.self_trust > 8: ask
action ask:
    choose one by player "Left or right?":
        "Left" -> nothing
        "Right" -> nothing
"""


def test_the_pages_call_answers_tracks_and_measures_as_the_table_does() -> None:
    result = playtest(WORN, 60)
    result |= {"scenario": "sample", "version": "0.1.0", "players": 1, "games_per_second": 1.0}
    assert {"pass", "Wait"} == set(result["points"]["menu.deeds"]["options"]), "ids stay"
    assert {"coins_left", "was_calm"} == set(result["measures"])
    described = orjson.loads(document(WORN))
    html, text = render(result, described), page(result, described)
    for told in ("Catch your breath", "Yes", "No", "None of these"):
        assert f"<td>{told}</td>" in html
    for told in ("pass", "yes", "no", "none"):
        assert f"<td>{told}</td>" not in html
    for told in ("self trust of player", "Coins in hand of player", "high water", "Waning Moon"):
        assert f"<b>{told}</b>" in html
        assert f"  track {told}: " in text
    assert "<b>long grudge of each sea foe</b>" in html
    assert "  coins left: " in text
    assert "  was calm: yes in 100.0%" in text
    assert "<b>coins left</b>" in html
    assert re.search("Decisions never asked.*<li>“Left or right.” .ask.choice.", html, re.DOTALL)


def test_options_never_taken_are_told_in_words_too() -> None:
    result = playtest(WORN, 60)
    result |= {"scenario": "sample", "version": "0.1.0", "players": 1, "games_per_second": 1.0}
    place = {"file": "a.tale", "line": 1}
    result["never"]["options"] = [{"point": "menu.deeds", "option": "pass", **place}]
    described = orjson.loads(document(WORN))
    assert "<li>menu.deeds: Catch your breath" in render(result, described)
    assert "options taken: menu.deeds: Catch your breath (a.tale:1)" in page(result, described)


WISHES = """
role Player is Thing named player
state wishes: int = 1
anytime by player when wishes > 0: make_wish
anytime by player when wishes > 1: wish_again
action make_wish reads "make a wish": wishes - 1
action wish_again: wishes - 1
Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending night "Night":
    \"\"\"Night.\"\"\"
instead of play Chapter c:
    choose x from (1..2) by player
    go to night
"""


def test_what_may_be_done_at_any_time_and_squares_have_words() -> None:
    content = Content(load(compiled(WISHES)))
    assert content.option_words(0, "make_wish") == {"title": "Make a wish"}
    assert content.option_words(0, "wish_again") == {"title": "Wish again"}
    assert content.option_words(0, "square(2, 13)") == {"title": "column 2, row 13"}


def test_what_has_changed_is_told_in_the_words_of_the_report() -> None:
    before = playtest(WORN, 60)
    after = playtest(WORN.replace("high_water 0..9 start 3", "high_water 0..9 start 5"), 60)
    use = {"title": "The Almanac", "games": 60}
    before["thing_uses"] = {"almanac": use | {"games": 0}}
    after["thing_uses"] = {"almanac": use}
    after["outcomes"] = {"bad_end": 60}
    told = [change.what for change in compare(before, after, {"good_end": "A Good End"})]
    assert "track high water" in told
    assert "games with The Almanac" in told
    assert {"games that end in “A Good End”", "games that end in bad_end"} <= set(told)
