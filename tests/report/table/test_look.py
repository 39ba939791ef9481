"""A thing looked at closely: what its fields read as, what others lend it, what only the table remembers."""

from __future__ import annotations

from talewright.report.table.tabletop import thing_lines
from tests.runtime.observed_games import asked, begun, compiled

TEXT = """\
role Player is Thing named player
kind Calling:
    strength: int = 2
    nerve: target = 4+
Calling smith "Smith": strength: 3
kind Scout:
    calling: Calling lends all
    stride: int = 2
    stumbled: yes | no = yes reads ""
Scout ada "Ada": calling: smith
modify strength of Scout s: + 1
modify stride of Scout s: - 1

Chapter day "Day": goal: "Reach the evening."
Ending night "Night"

instead of play Chapter c:
    choose n from (0..5) by player
    go to night
"""


def sheet() -> list[str]:
    (decision, view) = next(asked(begun(compiled(TEXT))))
    (seat,) = decision.seats
    return [line.plain.strip() for line in thing_lines(view, view.number("ada"), seat)]


def test_a_field_is_told_as_it_counts_with_what_is_printed() -> None:
    assert "stride 1 (printed 2)" in sheet()[1]


def test_what_a_thing_is_lent_stands_on_its_sheet() -> None:
    assert "strength 4 (printed 3)" in sheet()[1]
    assert "nerve 4+" in sheet()[1]


def test_what_only_the_table_remembers_is_left_out() -> None:
    assert not [line for line in sheet() if "stumbled" in line]


TOOLS = """\
role Player is Thing named player
kind Mill is Place
Mill mill "the Mill"
kind Tool
Tool rope "Rope"
Tool saw "Saw"
Tool nail "Nail"
kind Worker:
    bucket: pile of Tool
    apron: Apron
kind Apron:
    pocket: slot of Tool reads "deep pocket"
Worker ada "Ada":
    apron pinny "Pinny":
        pocket: nail
plan yard: mill
Chapter day "Day"
Ending night "Night"

instead of play Chapter c:
    place ada at mill
    move rope to ada.bucket
    place saw at mill
    choose n from (0..5) by player
    go to night
"""


def test_what_lies_in_what_somebody_has_says_whose() -> None:
    (decision, view) = next(asked(begun(compiled(TOOLS))))
    (seat,) = decision.seats

    def where(name: str) -> str:
        return thing_lines(view, view.number(name), seat)[1].plain.strip()

    assert where("rope") == "in Ada's bucket, at the Mill"
    assert where("nail") == "in Pinny's deep pocket"
    assert where("saw") == "at the Mill"


ROWS = """\
type Skill = nerve | luck
type Level = low | high
die peril: 3, 4, 5
role Player is Thing named player
kind Beast
Beast wolf "Wolf"
Beast bat "Bat"
Beast dog "Dog"
kind Card:
    skills: Skill -> int
    brings: Level -> Beast -> dice
    happens: int -> effect
    foes: list of pair
Card trial "Trial":
    skills: nerve 2, luck 3
    brings:
        low -> bat d3
        high -> wolf 2 * peril, bat 4
    happens:
        1 -> stir
    foes: wolf | dog, dog | bat

Chapter day "Day": goal: "Reach the evening."
Ending night "Night"

action stir: nothing

instead of play Chapter c:
    choose n from (0..5) by player
    go to night
"""


def test_rows_are_told_by_what_they_are_for_with_dice_as_they_are_written() -> None:
    (decision, view) = next(asked(begun(compiled(ROWS))))
    told = [line.plain.strip() for line in thing_lines(view, view.number("trial"), decision.seats[0])]
    assert told[1:] == [
        "skills: nerve 2, luck 3",
        "brings: low (Bat d3), high (Wolf 2 peril, Bat 4)",
        "foes: Wolf and Dog, Dog and Bat",
    ]


TIMES = """\
role Player is Thing named player
kind Charm is Card:
    in force while self in belt
kind Law is Card
pile belt of Charm
track luck 0..9 start 3
Charm clover "the clover":
    after game: luck + 1
Charm horseshoe "the horseshoe":
    after game: luck + 1
Law gravity "gravity":
    after game: luck + 1

Chapter day "Day": goal: "Reach the evening."
Ending night "Night"

instead of play Chapter c:
    move clover to belt
    choose n from (0..5) by player
    go to night
"""


def test_only_what_is_not_always_in_force_says_that_it_is() -> None:
    (decision, view) = next(asked(begun(compiled(TIMES))))
    (seat,) = decision.seats
    said = {
        name: any(
            "its rules are in force" in line.plain for line in thing_lines(view, view.number(name), seat)
        )
        for name in ("clover", "horseshoe", "gravity")
    }
    assert said == {"clover": True, "horseshoe": False, "gravity": False}
