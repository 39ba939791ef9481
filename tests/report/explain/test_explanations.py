"""Reasons in words: what is not offered, what may be done at any time, what counts for a thing."""

from __future__ import annotations

from talewright.report.explain.explanations import option_reasons, reasons, refusals
from talewright.report.wording.cards import Cards
from talewright.runtime.session.game import Decision, Game
from talewright.runtime.session.program import load
from talewright.schemas.nodes.codec import read_document
from tests.runtime.observed_games import compiled

YARD = '''
role Player is Thing named player
state wishes: int = 1
track fog 0..9 reads "the fog"
track ledger 0..9 reads ""
kind Beast:
    bold: yes | no = no
    tame: yes | no = no
    teeth: int = 4 reads "bite"
Beast wolf_1 "Grey Wolf"
Beast wolf_2 "White Wolf"
Beast wolf_3 "Red Wolf"
Beast wolf_4 "Old Wolf"
Beast wolf_5 "Lame Wolf"
Beast dog "Dog":
    tame: yes
modify teeth of Beast b when b is wolf_5: - 2
value dangerous(b: Beast) = b is wolf_5 or (b.bold and not b.tame)
menu deeds(p: Player): pass "Rest"
offer "Feed {b}" in deeds(p): feed b by p
action feed b: Beast by p: Player:
    requires dangerous(b) and (b.bold or wishes > 3)
    wishes + 1
offer "Shoo {b}" in deeds(p): shoo b by p
action shoo b: Beast by p: Player reads "{p drives|drive} {b} away":
    requires not dangerous(b)
    wishes + 1
offer "Tie up {b}" in deeds(p): tie_up b by p
action tie_up b: Beast by p: Player:
    requires b is wolf_5
    requires not dangerous(b)
    wishes + 1
anytime by player when wishes > 0: make_wish
action make_wish: wishes - 1
Chapter day "Day":
    track dew 0..3
    """A day."""
Chapter dusk "Dusk":
    track bats 0..3
    """Dusk."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    open deeds(player) by player
    go to night
'''


def asked() -> tuple[Game, Decision, Cards]:
    document = compiled(YARD)
    game = Game(load(document, traced=True))
    decision = game.next()
    assert decision is not None
    return game, decision, Cards(read_document(document))


def test_what_is_not_offered_is_told_with_its_label_filled_in_and_not_all_alike() -> None:
    game, decision, cards = asked()
    told = refusals(game.view(), (), decision.seat, cards)
    assert [line.partition(":")[0] for line in told] == [
        "  Feed Grey Wolf",
        "  Feed White Wolf",
        "  Feed Red Wolf",
        "    (and 3 more such offers)",
        "  Tie up Grey Wolf",
        "  Tie up White Wolf",
        "  Tie up Red Wolf",
        "    (and 3 more such offers)",
    ]
    assert "either Grey Wolf is Lame Wolf or " in told[0]
    assert "and either Grey Wolf is bold or " in told[0]
    lame = refusals(game.view(), (), decision.seat, cards, "lame")[-1]
    assert "only if Lame Wolf is not Lame Wolf and either Lame Wolf is not bold or Lame Wolf is tame" in lame


def test_whoever_asks_about_one_of_many_hears_of_that() -> None:
    game, decision, cards = asked()
    told = refusals(game.view(), (), decision.seat, cards, "Dog")
    assert [line.partition(":")[0] for line in told] == ["  Feed Dog", "  Tie up Dog"]


def test_what_may_be_done_at_any_time_has_a_reason_like_all_options() -> None:
    game, decision, cards = asked()
    wish = next(n for n, option in enumerate(decision.options) if option.id == "make_wish")
    told = option_reasons(game.view(), decision, wish, decision.seat, cards)
    assert told[0] == "  Make wish"
    offered = option_reasons(game.view(), decision, 0, decision.seat, cards)
    assert "it does: Drive Grey Wolf away" in "".join(offered)


def test_a_thing_tells_what_counts_otherwise_than_printed() -> None:
    game, decision, cards = asked()
    view, seat = game.view(), decision.seat
    lame = reasons(view, "Lame Wolf", decision, seat, cards)
    assert lame[:2] == ["  bite of Lame Wolf: 2", "    4 by itself"]
    assert reasons(view, "bite of Lame Wolf", decision, seat, cards) == lame
    assert "(not now: " in reasons(view, "Dog", decision, seat, cards)[2]
    assert reasons(view, "player", decision, seat, cards) == [
        "  Nothing changes what is printed on player; `look player` shows it."
    ]


def test_what_may_be_asked_for_is_what_the_table_shows_here() -> None:
    game, decision, cards = asked()
    told = reasons(game.view(), "nonsense", decision, decision.seat, cards)[1]
    assert "fog" in told
    assert "dew" in told
    assert "bats" not in told
    assert "ledger" not in told
