"""The map in boxes: places that are one have no line between them, and everything fits."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rich.text import Text

from talewright.compiler.passes import compile_package
from talewright.report.table.board_map import ASCII, FINE, map_lines, rows_of_places, squares_lines
from talewright.report.table.tabletop import table_lines
from talewright.runtime.observe.view import View
from tests.runtime.observed_games import asked, begun, compiled

MAP = """\
kind Zone is Place
Zone hill "hill"
Zone wood "wood"
Zone lake "lake"
Zone road "road"

plan land:
    hill hill wood
    lake road road
    lake .    road

role Player is Thing named player
kind Figure
Figure fox "a fox" * 2

Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending night "Night":
    \"\"\"Night.\"\"\"

instead of play Chapter c:
    place each Figure at lake
    choose one by player:
        "Wait" -> say "Waiting."
        "Sleep" -> go to night
    go to night
"""

RING = """
kind Zone is Place
Zone one "one"
Zone two "two"
Zone three "three"
Zone four "four"
Zone five "five"
Zone six "six"
plan town ring: one two three four five six
role Player is Thing named player
"""


def game(text: str) -> View:
    play = begun(compiled(text))
    return View.of(play.program, play.machine)


def drawn(view: View, width: int, fine: bool = True) -> list[str]:
    def tell(place: int) -> list[Text]:
        return [Text(view.title(place)), *(Text(view.title(thing)) for thing in view.inside(place))]

    lines = map_lines(view, tell, width, FINE if fine else ASCII)
    return [line.plain for line in lines or []]


def test_squares_of_one_place_are_one_box() -> None:
    assert drawn(game(MAP), 40) == [
        "┌─────────────────────────┬────────────┐",
        "│hill                     │wood        │",
        "├────────────┬────────────┴────────────┤",
        "│lake        │road                     │",
        "│            ├────────────┐            │",
        "│            │            │            │",
        "└────────────┘            └────────────┘",
    ]


def test_a_title_without_end_does_not_fill_the_screen() -> None:
    lines = drawn(game(MAP.replace('"hill"', f'"{"very " * 500}hill"')), 40)
    assert len(lines) < 40
    assert any("…" in line for line in lines)


def test_boxes_without_fine_lines() -> None:
    assert set("".join(drawn(game(MAP), 60, fine=False))) <= set("+-| abcdefghijklmnopqrstuvwxyz")


@pytest.mark.parametrize("width", [36, 60, 80, 100])
def test_a_ring_is_a_row_that_goes_on_below(width: int) -> None:
    made = game(RING)
    lines = drawn(made, width)
    assert all(len(line) <= width for line in lines)
    text = "\n".join(lines)
    places = [made.title(place) for place in rows_of_places(made)[0] if place is not None]
    assert places == ["one", "two", "three", "four", "five", "six"]
    at = [text.index(f"│{name}") for name in places]
    assert at == sorted(at)


def test_a_row_goes_on_below_before_a_word_is_broken() -> None:
    long = RING.replace('"four"', '"observatory"')
    lines = drawn(game(long), 73)
    assert [line for line in lines if "observatory" in line]
    assert len([line for line in lines if line.startswith(("┌", "├", "└"))]) == 3
    assert len([line for line in drawn(game(RING), 73) if line.startswith(("┌", "├", "└"))]) == 2


def test_who_stands_where() -> None:
    decision, view = next(asked(begun(compiled(MAP))))
    seen = "\n".join(line.plain for line in table_lines(view, decision.seats, 80))
    assert "│a fox x2" in seen
    assert seen.startswith("== Day ===")


def test_a_place_beside_the_map_is_told_of_when_something_lies_in_it() -> None:
    text = MAP.replace(
        "role Player",
        'kind Card\nCard seal "a seal"\nkind Niche is Place:\n    keeps: slot of Card\n'
        'Niche first_niche "the first niche"\nNiche second_niche "the second niche"\nrole Player',
    )
    text = text.replace("    place each Figure", "    move seal to first_niche.keeps\n    place each Figure")
    decision, view = next(asked(begun(compiled(text))))
    shown = [line.plain for line in table_lines(view, decision.seats, 80)]
    assert "  the first niche  keeps: a seal" in shown
    assert not any("second niche" in line for line in shown)


def test_squares_are_numbered_as_options_name_them() -> None:
    document = compile_package(
        str(Path(__file__).parents[3] / "scenarios/brimstone/fistful"), trees=False
    ).document
    assert document is not None
    begin, name = "", ""
    for decision, view in asked(begun(document, 5), lambda asked: int(asked.prompt.endswith(" starts at"))):
        if decision.prompt.endswith(" starts at"):
            empty = [line.plain for line in squares_lines(view, decision.seats, 80)]
            assert empty[0][6:].startswith("1234"), "the map is drawn before anybody stands on it"
            begin, name = decision.options[1].text(), decision.prompt.removesuffix(" starts at")
            continue
        lines = [line.plain for line in squares_lines(view, decision.seats, 80)]
        if lines:
            break
    column, row = map(int, re.findall(r"\d+", begin))
    rows = {line.split()[0]: line[6:] for line in lines[1:-1]}
    assert lines[0][6:].startswith("1234")
    assert rows[str(row)][column - 1] == "A"
    assert lines[-1] == f"  A {name} ({column}, {row})"
