"""The table as a seat sees it: whose dice show what, what lies beside the map, what a card costs and does."""

from __future__ import annotations

from talewright.report.table.effect_text import wording
from talewright.report.table.tabletop import printed_lists, table_lines
from talewright.report.wording.cards import Cards
from talewright.runtime.host.decisions import Decision
from talewright.schemas.nodes.codec import read_document
from tests.runtime.observed_games import asked, begun, compiled

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


def decisions(text: str) -> list[tuple[Decision, list[str], dict[str, str]]]:
    """The decisions of a game, each with the table as its decider saw it, and what options list; the first is taken."""
    found = []
    for decision, view in asked(begun(compiled(text))):
        (seat,) = decision.seats
        lists = {option.text(): printed_lists(view, option, seat) for option in decision.options}
        found.append((decision, [line.plain for line in table_lines(view, seat, 80)], lists))
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
    assert decisions(TEXT)[0][2] == {"Shine": " (cost: Sun, Moon)", "Rest": ""}


def test_an_effect_is_told_in_words() -> None:
    document = compiled(TEXT)
    cards = Cards(read_document(document))
    _, view = next(asked(begun(document)))
    assert wording(view, view.number("shine"), cards) == ["Does: Put 1 spark on the Altar."]
    assert wording(view, view.number("altar"), cards) == []


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
    let other = last dawn.pool
    other.face = sun
    choose kept from dawn.pool by dawn
    go to night
"""


def test_dice_are_called_by_the_face_that_is_up_and_shown_with_whom_a_seat_decides_for() -> None:
    decision, shown, _ = decisions(ROLLED)[0]
    assert sorted(option.text() for option in decision.options) == ["Moon", "Sun"]
    holding = [line for line in shown if line.strip().startswith("Dawn")]
    assert len(holding) == 1
    assert "Moon" in holding[0]
    assert "Sun" in holding[0]
    assert not any("Dusk" in line for line in shown)


def test_nothing_is_said_of_numbers_and_labels() -> None:
    _, numbers, labels = decisions(TEXT)
    assert len(numbers[0].options) == 6
    assert [option.text() for option in labels[0].options] == ["Sleep", "Wait"]
    assert {*numbers[2].values(), *labels[2].values()} == {""}


def test_things_made_in_play_are_called_by_what_their_kind_reads() -> None:
    made = TEXT.replace(
        "kind Altar:", 'kind Pip reads "lucky pip|lucky pips"\npile pips of Pip\nkind Altar:'
    ).replace("    put 2 spark on altar\n", "    repeat 2 times: put new Pip into pips\n")
    (line,) = [line for line in table(made) if "pip" in line.lower()]
    assert line.split() == ["pips:", "lucky", "pip", "x2"]


SET_UP = """
role Player is Thing named player
option late: yes | no = no
Chapter morning "Morning": goal: "Wake up."
Chapter evening "Evening": goal: "Fall asleep."
Ending night "Night"
value beginning: Chapter = morning
modify beginning when late: = evening
action game:
    choose x from {1, 2} by player "How?"
    go to beginning
instead of play Chapter c:
    choose x from {1, 2} by player "Which?"
    go to night
"""


def test_no_page_is_shown_before_the_first_is_turned_to() -> None:
    headings = []
    for _, view in asked(begun(compiled(SET_UP), options={"late": True})):
        headings.append([line.plain for line in table_lines(view, None) if line.plain.startswith("==")])
    assert [line.strip("= ") for line in headings[1]] == ["Evening"]
    assert headings[0] == []
