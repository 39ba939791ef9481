"""Questions and choices in words, as those hear them who are asked and those who look on."""

from __future__ import annotations

from talewright.report.table.choices import Told, question_of
from talewright.runtime.session.game import Game
from talewright.runtime.session.program import load
from tests.runtime.observed_games import asked, begun, compiled

SHOP = '''
role Player is Thing named player
kind Symbol
Symbol sun, moon
die Bone * 8:
    faces: sun, moon
bag bones of Bone = all Bone
pile tray of Bone
kind Ware is Card:
    cost: list of Symbol
Ware rope "A Rope, Long": cost: {sun}
deck wares of Ware face_down = all Ware
payment by_bones:
    Bone b for s
action buy w: Ware by p: Player: pay w.cost from tray using by_bones by p
Chapter day "Day":
    """A day."""
Ending night "Night":
    """Night."""
instead of play Chapter c:
    roll 8 from bones into tray
    buy rope by player
    reveal rope
    buy rope by player
    go to night
'''


def test_a_payment_says_what_is_paid_for_to_those_who_know_it() -> None:
    game = Game(load(compiled(SHOP), traced=True), seed=3)
    asked, told = [], []
    while (decision := game.next()) is not None:
        view = game.view()
        asked.append(question_of(view, decision))
        told.append(Told(view, decision, 0).text("all"))
        game.answer(decision, 0)
    assert asked == ["Pay with", "Pay for “A Rope, Long” with"]
    assert told[1].startswith("player: Pay for “A Rope, Long” with: ")


ALIKE = """
role Player is Thing named player
kind Door:
    shut: yes | no = yes
    offer "Open" in deeds: open_it self
Door red "the Red Door"
Door blue "the Blue Door"
menu deeds: pass "Wait"
action open_it d: Door: d.shut = no
state sum: int = 2
state prize: int = 2
offer "Pay {sum}" in deeds: sum - 1
offer "Pay {1 + 1}" in deeds: sum - 2
offer "pass" in deeds: nothing
Chapter day "Day"
Ending night "Night"
instead of play Chapter c:
    open deeds by player "What?"
    choose one by player "How?":
        "Gain {prize}" -> sum + 2
        "Gain {1 + 1}" -> nothing
        "Rest" -> nothing
    go to night
"""


def test_options_that_read_alike_are_told_apart() -> None:
    labels = [[option.text() for option in decision.options] for decision, _ in asked(begun(compiled(ALIKE)))]
    menu, choice = labels[:2]
    assert sorted(menu) == [
        "Open (the Blue Door)",
        "Open (the Red Door)",
        "Pay 2 (1)",
        "Pay 2 (2)",
        "Wait",
        "pass",
    ]
    assert choice == ["Gain 2 (1)", "Gain 2 (2)", "Rest"]
