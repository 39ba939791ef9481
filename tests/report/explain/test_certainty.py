"""Views of a seat are the same in every world it cannot tell from this one; what is not is withheld."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.compiler.passes import compile_package
from talewright.report.explain.certainty import DOUBT, elsewhere
from talewright.report.explain.reasons import option_reasons, reasons, refusals
from talewright.report.table.choices import Told
from talewright.report.table.tabletop import table_lines, thing_lines
from talewright.report.table.visibility import Seat, secrets_between, visible
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program
from talewright.runtime.session import Session
from talewright.runtime.standing import digest
from talewright.runtime.whys import Whys
from tests.runtime import small_games

SCENARIOS = Path(__file__).parents[3] / "scenarios"


def view(game: Game, seat: Seat) -> list[str]:
    """The table, and a closer look at some of the things that the seat may look at."""
    known = [t.number for t in game.layout.things if visible(game, t.number, seat)]
    some = known[:: max(1, len(known) // 40)]
    looks = [line.plain for thing in some for line in thing_lines(game, thing, seat)]
    return [line.plain for line in table_lines(game, seat)] + looks


@pytest.mark.parametrize(
    ("package", "players", "options", "when"),
    [
        ("salem/night", 3, {}, (9, 70)),
        ("blackmere", 2, {"mode": "confrontation"}, (30,)),
        ("dark_rituals/encounters", None, {}, (20,)),
    ],
    ids=["salem", "blackmere", "dark rituals"],
)
@pytest.mark.unwatched
def test_bundled_tables_show_nobody_what_they_do_not_know(
    package: str, players: int | None, options: dict[str, Any], when: tuple[int, ...]
) -> None:
    document = compile_package(str(SCENARIOS / package)).document
    assert document is not None
    made = Session(Program(document, options, players, traced=True), 1)
    draw, looked = Random(1), []

    def agent(decision: Decision) -> int:
        game = decision.game
        if len(made.decisions) in when:
            before = digest(game)
            for seat in (None, *game.everybody()):
                now = view(game, seat)
                worlds = list(elsewhere(game, seat, lambda seat=seat: view(game, seat)))  # type: ignore[misc]
                assert all(world == now for world in worlds)
                looked.append(len(worlds))
            assert digest(game) == before
        return draw.randrange(len(decision.options))

    made.default = agent
    made.run()
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


def asked(decisions: int, seed: int = 2) -> tuple[Game, Decision, list[tuple[Decision, int]]]:
    """A game stopped at a decision, and those made before it."""
    made = Session(Program(small_games.document(SHARES), traced=True), seed)
    taken: list[tuple[Decision, int]] = []
    held: list[Decision] = []

    class Stop(BaseException):
        pass

    def agent(decision: Decision) -> int:
        if len(taken) == decisions:
            held.append(decision)
            raise Stop
        taken.append((decision, 0))
        return 0

    made.default = agent
    with pytest.raises(Stop):
        made.run()
    return made.game, held[0], taken


def test_a_value_is_told_to_those_who_know_what_it_rests_on() -> None:
    game, decision, _ = asked(1)
    one, other = game.everybody()
    assert reasons(game, "fierce of p2", decision, one) == [DOUBT]
    assert reasons(game, "fierce of p2", decision, other)[0] == "  fierce of p2: yes"
    assert reasons(game, "mood of p2", decision, one) == ["  The mood of p2 is hidden from you."]
    assert reasons(game, "riches of p2", decision, one) == [DOUBT]
    assert reasons(game, "riches of p2", decision, None) == [DOUBT]
    assert reasons(game, "riches of p1", decision, one)[0].startswith("  riches of p1: ")
    assert reasons(game, "riches of p1", decision, (one, other)) == [DOUBT]


def test_what_is_refused_is_told_with_reasons_that_are_known() -> None:
    game, decision, _ = asked(2)
    one, other = game.everybody()
    assert any("You hold" in line for line in refusals(game, Whys(game), one))
    assert not any("You hold" in line for line in refusals(game, Whys(game), other))
    assert option_reasons(game, decision, 0, one)[0] == "  Rest"


@pytest.mark.parametrize("seed", range(2, 6))
def test_a_secret_choice_is_no_less_secret_for_a_copy_that_everybody_sees(seed: int) -> None:
    game, _, taken = asked(1, seed)
    one, other = game.everybody()
    told = Told(*taken[0])
    assert told.text(one) == told.text(None) == "p2: Which? (chosen in secret)"
    assert told.text(other) in ("p2: Which? Gold", "p2: Which? Lead")
    assert told.text("all") == told.text(other)


def test_hidden_fields_are_secrets_between_seats() -> None:
    hidden = """
role Player 2..2 named p:
    mood: calm | angry = calm hidden
Chapter start "Start"
Ending done "Done"
instead of play Chapter c: go to done
"""
    game = small_games.game(hidden)
    assert secrets_between(game, *game.everybody())
    assert not secrets_between(game, 0, 0)
    game = small_games.game(hidden.replace(" hidden", ""))
    assert not secrets_between(game, *game.everybody())


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
    seen: dict[Seat, str] = {}

    def look(decision: Decision) -> int:
        for seat in (None, *decision.game.everybody()):
            seen[seat] = " ".join(line.plain for line in table_lines(decision.game, seat))
        return 0

    made = small_games.game(DOORS, agent=look, traced=True)
    made.run()
    one, other = made.everybody()
    assert "Pit" in seen[one]
    assert "Floor" not in seen[one]
    for seat in (other, None):
        assert "Pit" not in seen[seat]
        assert "Floor" not in seen[seat]


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


@pytest.mark.parametrize("traced", [False, True])
def test_whoever_decides_for_a_thing_sees_what_it_holds(traced: bool) -> None:
    known: dict[int, list[bool]] = {}

    def look(decision: Decision) -> int:
        game = decision.game
        held = [
            game.space["ITEMS"][game.late_field(game.layout.number["bors"], pile)][0]
            for pile in ("grip", "chest")
        ]
        known.update({seat: [visible(game, thing, seat) for thing in held] for seat in game.everybody()})
        return 0

    made = small_games.game(KNIGHT, agent=look, traced=traced)
    made.run()
    assert list(known.values()) == [[True, True], [False, False]]
