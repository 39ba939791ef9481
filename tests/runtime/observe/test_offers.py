"""Why an offer is not made, and that asking changes nothing."""

from __future__ import annotations

from talewright.runtime.model.layout import STATE_CELLS
from talewright.runtime.observe.evaluator import Scope
from talewright.runtime.observe.offers import TAKEN_ALREADY, open_menu, withheld
from talewright.schemas.nodes.names import Offers
from talewright.schemas.nodes.queries import Count
from tests.runtime.observed_games import asked, begun, compiled
from tests.runtime.session import island


def test_why_an_offer_is_not_made() -> None:
    play = begun(island.document(), 1)
    view = next(view for decision, view in asked(play) if decision.form == "menu")
    before = play.machine.snapshot(0, STATE_CELLS)
    told = [(offer.label, offer.refusals[0].reason) for offer in withheld(view.evaluator)]
    assert told == [
        ("Dive", "There is nothing to dive for here."),
        ("Climb the lighthouse", "The lighthouse is elsewhere."),
    ]
    assert play.machine.snapshot(0, STATE_CELLS) == before


MENU = """
role Player 2..2 named p
state coins: int = 1
kind Ware
Ware rope "a rope"
Ware lamp "a lamp"
pile shelf of Ware = all Ware
Chapter start "Start"
Ending done "Done"
menu market(q: Player) once per day: pass "Pass"
action day: open market(p2) by p2 until passed
action buy w: Ware by q: Player:
    requires w in shelf
    requires coins >= 1, "{q} cannot pay for {w}."
    coins - 1
action rest by q: Player: nothing
forbid rest by q when coins > 0, "There is money left."
offer "Buy {w}" in market(q): buy w by q
offer "Rest" in market(q): rest by q
instead of play Chapter c:
    day
    go to done
"""


def test_offers_are_tried_with_what_the_menu_was_opened_with() -> None:
    found = asked(begun(compiled(MENU)))
    decision, view = next(found)
    opened = open_menu(view.evaluator)
    assert opened is not None
    assert [view.title(seat) for seat in opened.arguments if isinstance(seat, int)] == ["p2"]
    assert [option.text() for option in decision.options][:2] == ["Buy a rope", "Buy a lamp"]
    (rest,) = withheld(view.evaluator)
    assert (rest.label, [refusal.reason for refusal in rest.refusals]) == ("Rest", ["There is money left."])


def test_an_offer_that_was_taken_says_so() -> None:
    found = asked(begun(compiled(MENU)))
    next(found)
    decision, view = next(found)
    assert [option.text() for option in decision.options] == ["Rest", "Pass"]
    (buy,) = withheld(view.evaluator)
    assert buy.refusals[0].reason == TAKEN_ALREADY


FREE = """
role Player 1..1 named player
kind Ware
Ware rope "a rope"
Ware lamp "a lamp"
pile shelf of Ware = all Ware
Chapter start "Start"
Ending done "Done"
menu market
action take w: Ware:
    requires w in shelf
    nothing
offer "Take {w}" in market: take w
instead of play Chapter c:
    choose k from (1..2) by player
    open market by player
    go to done
"""


def test_what_a_menu_offers_is_what_is_asked() -> None:
    (_, before), (decision, _) = list(asked(begun(compiled(FREE))))
    assert before.evaluator.value(Count(Offers("market")), Scope()) == len(decision.options) == 2


HIDDEN = """
role Player 1..1 named player
kind Door
Door oak "an oak door" * 2
Door iron "an iron door" * 2
deck passage of Door face_down = all Door
Chapter start "Start"
Ending done "Done"
state strength: int = 0
menu hall
action force d: Door:
    requires d in passage
    requires strength >= 1, "You are too weak."
    nothing
action rest: nothing
offer "Force {d}" in hall: force d
offer "Rest" in hall: rest
offer "Look around" in hall: rest
instead of play Chapter c:
    open hall by player
    go to done
"""


def test_offers_of_things_that_lie_hidden_are_tried_without_chance() -> None:
    _, view = next(asked(begun(compiled(HIDDEN))))
    found = withheld(view.evaluator)
    assert {refusal.reason for offer in found for refusal in offer.refusals} == {"You are too weak."}
