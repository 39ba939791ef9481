"""The report calls decisions and options as the table does."""

from __future__ import annotations

from talewright.report.playtest.statistics.content import Content
from talewright.runtime.session import load
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
    assert content.option_words("almanac") == {"title": "The Almanac"}, "of which there are copies"
    assert content.option_words("herbal") == {"title": "A Herbal of Wings"}
    assert content.option_words("heavy_rain") == {"title": "heavy rain"}
    assert content.option_words("Sing: loudly") == {}
