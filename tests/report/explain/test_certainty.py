"""Views of a seat are the same in every world it cannot tell from this one; what is not is withheld."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.compiler.passes import compile_package
from talewright.report.explain.certainty import DOUBT, elsewhere
from talewright.report.explain.explanations import option_reasons, reasons, refusals
from talewright.report.table.choices import Told
from talewright.report.table.tabletop import table_lines, thing_lines
from talewright.report.table.visibility import Seat, secrets_between, visible
from talewright.runtime.host.decisions import Decision
from talewright.runtime.model.layout import STATE_CELLS
from talewright.runtime.observe.view import View
from tests.runtime.observed_games import asked, begun, compiled

SCENARIOS = Path(__file__).parents[3] / "scenarios"


def seen(view: View, seat: Seat) -> list[str]:
    """The table, and a closer look at some of the things that the seat may look at."""
    known = [t.number for t in view.things if visible(view, t.number, seat)]
    some = known[:: max(1, len(known) // 40)]
    looks = [line.plain for thing in some for line in thing_lines(view, thing, seat)]
    return [line.plain for line in table_lines(view, seat)] + looks


@pytest.mark.parametrize(
    ("package", "players", "options", "when"),
    [
        ("salem/night", 3, {}, (9, 70)),
        ("blackmere", 2, {"mode": "confrontation"}, (30,)),
    ],
    ids=["salem", "blackmere"],
)
def test_bundled_tables_show_nobody_what_they_do_not_know(
    package: str, players: int | None, options: dict[str, Any], when: tuple[int, ...]
) -> None:
    document = compile_package(str(SCENARIOS / package), trees=False).document
    assert document is not None
    play = begun(document, 1, players, options)
    draw, looked = Random(1), []
    for number, (_, view) in enumerate(asked(play, lambda decision: draw.randrange(len(decision.options)))):
        if number in when:
            before = play.machine.snapshot(0, STATE_CELLS)
            for seat in (None, *view.seats):
                now = seen(view, seat)
                worlds = list(elsewhere(view, seat, lambda seat=seat, view=view: seen(view, seat)))  # type: ignore[misc]
                assert all(world == now for world in worlds)
                looked.append(len(worlds))
            assert play.machine.snapshot(0, STATE_CELLS) == before
        if number >= max(when):
            break
    assert any(looked)


SHARES = """
role Player 2..2 named p:
    hold: hand of Coin
    mood: calm | angry = calm hidden
kind Coin is Card:
    worth: int = 1
Coin gold "Gold" * 5: worth: 9
Coin lead "Lead" * 5
deck purse of Coin = all Coin
pile shown of Coin
pile cellar of Coin face_down
Chapter start "Start"
Ending done "Done"
menu turns(q: Player)
value fierce(q: Player) = q.mood is angry
value riches(q: Player) = total(q.hold, it.worth)
action rest by q: Player: nothing
action rob by q: Player:
    requires riches(q) > 99, "You hold {q.hold}."
    nothing
offer "Rest" in turns(q): rest by q
offer "Wait" in turns(q): rest by q
offer "Rob" in turns(q): rob by q
instead of play Chapter c:
    shuffle purse
    for each q in Player: draw 3 from purse into q.hold
    move (first p1.hold) to shown
    p2.mood = angry
    choose c from p2.hold by p2 "Which?"
    move c to cellar
    choose k from (1..2) by p1 "How many?"
    open turns(p1) by p1
    go to done
"""


def stopped(decisions: int, seed: int = 2) -> tuple[View, Decision, list[Told]]:
    """A game stopped at a decision, and what was chosen before it."""
    told: list[Told] = []
    for number, (decision, view) in enumerate(asked(begun(compiled(SHARES), seed))):
        for choice in told:
            choice.look(view)
        if number == decisions:
            return view, decision, told
        told.append(Told(view, decision, 0))
    raise AssertionError("the game is over")


def test_a_value_is_told_to_those_who_know_what_it_rests_on() -> None:
    view, decision, _ = stopped(1)
    one, other = view.seats
    assert reasons(view, "fierce of p2", decision, one) == [DOUBT]
    assert reasons(view, "fierce of p2", decision, other)[0] == "  fierce of p2: yes"
    assert reasons(view, "mood of p2", decision, one) == ["  The mood of p2 is hidden from you."]
    assert reasons(view, "riches of p2", decision, one) == [DOUBT]
    assert reasons(view, "riches of p2", decision, None) == [DOUBT]
    assert reasons(view, "riches of p1", decision, one)[0].startswith("  riches of p1: ")
    assert reasons(view, "riches of p1", decision, (one, other)) == [DOUBT]


def test_what_is_refused_is_told_with_reasons_that_are_known() -> None:
    view, decision, _ = stopped(2)
    one, other = view.seats
    assert any("You hold" in line for line in refusals(view, (), one))
    assert not any("You hold" in line for line in refusals(view, (), other))
    assert option_reasons(view, decision, 0, one)[0] == "  Rest"


def test_a_secret_choice_is_no_less_secret_for_a_copy_that_everybody_sees() -> None:
    answers = []
    for seed in range(2, 12):
        view, _, (told,) = stopped(1, seed)
        one, other = view.seats
        if told.deciders == (one,):
            continue  # all that the other holds is alike, so that there was nothing to choose
        assert told.text(one) == told.text(None) == "p2: Which? (chosen in secret)"
        assert told.text("all") == told.text(other)
        answers.append(told.text(other))
    assert set(answers) == {"p2: Which? Gold", "p2: Which? Lead"}


def test_hidden_fields_are_secrets_between_seats() -> None:
    hidden = """
role Player 2..2 named p:
    mood: calm | angry = calm hidden
Chapter start "Start"
Ending done "Done"
instead of play Chapter c: go to done
"""
    for text, secrets in ((hidden, True), (hidden.replace(" hidden", ""), False)):
        play = begun(compiled(text))
        view = View.of(play.program, play.machine)
        assert secrets_between(view, *view.seats) == secrets
        assert not secrets_between(view, view.seats[0], view.seats[0])


DOORS = """
role Player 2..2 named p
kind Tile is Card
Tile pit "Pit"
Tile floor "Floor"
kind Door is Place:
    behind: slot of Tile face_down
Door left "Left": behind: pit
Door right "Right": behind: floor
Chapter start "Start"
Ending done "Done"
instead of play Chapter c:
    show left.behind to p1
    choose k from (1..2) by p1
    go to done
"""


def test_what_lies_face_down_from_the_start_is_seen_by_those_it_was_shown_to() -> None:
    _, view = next(asked(begun(compiled(DOORS))))
    lines = {seat: " ".join(line.plain for line in table_lines(view, seat)) for seat in (None, *view.seats)}
    one, other = view.seats
    assert "Pit" in lines[one]
    assert "Floor" not in lines[one]
    for seat in (other, None):
        assert "Pit" not in lines[seat]
        assert "Floor" not in lines[seat]


KNIGHT = """
role Player 2..2 named p
kind Leaf is Card
Leaf oak "Oak"
Leaf elm "Elm"
Leaf ash "Ash"
Leaf fir "Fir"
kind Knight is Figure:
    player: Player or none = none
    grip: hand of Leaf
    chest: hand of Leaf
Knight bors "Bors"
deck wood of Leaf = all Leaf
Chapter start "Start"
Ending done "Done"
instead of play Chapter c:
    shuffle wood
    bors.player = p1
    draw 1 from wood into bors.grip
    draw 1 from wood into bors.chest
    exchange bors.chest.top with wood.top
    choose k from (1..2) by bors
    go to done
"""


def test_whoever_decides_for_a_thing_sees_what_it_holds() -> None:
    _, view = next(asked(begun(compiled(KNIGHT))))
    piles = view.program.world.pile_fields
    held = [view.inside(piles[view.number("bors"), pile])[0] for pile in ("grip", "chest")]
    known = [[visible(view, thing, seat) for thing in held] for seat in view.seats]
    assert known == [[True, True], [False, False]]
