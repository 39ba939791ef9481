"""The table as a seat sees it: whose dice show what, what lies beside the map, what a card costs and does."""

from __future__ import annotations

from talewright.compiler.in_memory import compile_text
from talewright.report.table.effect_text import wording
from talewright.report.table.tabletop import printed_lists, table_lines
from talewright.runtime.game import Decision, Game
from talewright.runtime.program import Program

TEXT = """\
role Player is Thing named player
kind Symbol
Symbol sun "Sun"
Symbol moon "Moon"
token spark * 9
kind Deed is Card:
    cost: list of Symbol
    does: effect
Deed shine "Shine":
    cost: sun, moon
    does: put 1 spark on altar  # one spark
Deed rest "Rest":
    does: nothing
kind Altar:
    holds spark
Altar altar "The Altar"

Chapter day "Day":
    \"\"\"A day.\"\"\"
    goal: "Reach the evening."
Ending night "Night":
    \"\"\"Night.\"\"\"

instead of play Chapter c:
    put 2 spark on altar
    choose d from Deed by player
    choose n from (0..5) by player
    if n > 5: go to night
    do d.does
    choose one by player:
        "Sleep" -> go to night
        "Wait" -> nothing
    go to night
"""


def decisions(text: str) -> list[tuple[Decision, list[str]]]:
    """The decisions of a game, each with the table as its decider saw it; the first option is taken."""
    result = compile_text(text)
    assert result.document is not None, [d.message for d in result.diagnostics]
    game = Game(Program(result.document, None, None))
    found: list[tuple[Decision, list[str]]] = []

    def agent(decision: Decision) -> int:
        found.append((decision, [line.plain for line in table_lines(game, decision.seat, 80)]))
        return 0

    game.agent = agent
    game.run(None)
    return found


def table(text: str = TEXT) -> list[str]:
    return decisions(text)[0][1]


def test_the_goal_of_a_chapter_stands_under_its_title() -> None:
    shown = table()
    assert shown[0].startswith("== Day ")
    assert shown[1] == "  Goal: Reach the evening."


def test_tokens_on_things_beside_the_map_are_told() -> None:
    assert "  The Altar: spark 2" in table()


def test_an_option_shows_what_its_card_lists_and_nothing_else() -> None:
    decision, _ = decisions(TEXT)[0]
    told = {o.text(): printed_lists(decision.game, o, decision.seat) for o in decision.options}
    assert told == {"Shine": " (cost: Sun, Moon)", "Rest": ""}


def test_the_words_of_an_effect_come_from_its_file_without_comments() -> None:
    decision, _ = decisions(TEXT)[0]
    game = decision.game
    lines = TEXT.splitlines()

    def read(file: str, line: int) -> str:
        return lines[line - 1]

    assert wording(game, game.layout.number["shine"], read) == ["does: put 1 spark on altar"]
    assert wording(game, game.layout.number["altar"], read) == []


ROLLED = """\
role Player is Thing named player
kind Symbol
Symbol sun "Sun"
Symbol moon "Moon"
die SkyDie * 3:
    faces: sun, sun, sun, sun, sun, moon
kind Sky:
    seat: Player or none = none
    pool: pile of SkyDie
Sky dawn "Dawn"
Sky dusk "Dusk"
bag dice of SkyDie = all SkyDie

Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending night "Night":
    \"\"\"Night.\"\"\"

instead of play Chapter c:
    dawn.seat = player
    roll 2 from dice into dawn.pool
    let d = first dawn.pool
    d.face = moon
    choose kept from dawn.pool by dawn
    go to night
"""


def test_dice_are_called_by_the_face_that_is_up_and_shown_with_whom_a_seat_decides_for() -> None:
    decision, shown = decisions(ROLLED)[0]
    assert sorted(option.text() for option in decision.options) == ["Moon", "Sun"]
    holding = [line for line in shown if line.strip().startswith("Dawn")]
    assert len(holding) == 1
    assert "Moon" in holding[0]
    assert "Sun" in holding[0]
    assert not any("Dusk" in line for line in shown)


def test_nothing_is_said_of_numbers_and_labels() -> None:
    _, numbers, labels = (decision for decision, _ in decisions(TEXT))
    assert len(numbers.options) == 6
    assert [o.text() for o in labels.options] == ["Sleep", "Wait"]
    for decision in (numbers, labels):
        assert {printed_lists(decision.game, o, decision.seat) for o in decision.options} == {""}
