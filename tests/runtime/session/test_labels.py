"""What options are called: parts by owner and content, copies by place, hidden things by their back."""

from __future__ import annotations

from typing import Any

from talewright.compiler.in_memory import compile_text
from talewright.runtime.session import Decision, Game, load

SHOP = """
kind Ware
Ware rope "a rope" * 2
Ware knife "a knife"

kind Stall is Place:
    ware: slot of Ware
    cost: int = 1
kind Shop is Place:
    left, right: Stall
Shop upper "the upper shop":
    left.cost: 2
    right.cost: 3
Shop lower "the lower shop":
    left.cost: 2
    right.cost: 3

role Player is Thing named player
deck store of Ware face_down = Ware
pile drawer of Ware face_down
state found: Ware or none = none

Chapter day "Day":
    \"\"\"A day.\"\"\"
Ending night "Night":
    \"\"\"Night.\"\"\"

instead of play Chapter c:
    move rope_1 to upper.left.ware
    move rope_2 to upper.right.ware
    choose here from (upper.left + upper.right) by player "Which?"
    move knife to lower.right.ware
    choose there from Stall by player "Which?"
    move rope_1 to lower.left.ware
    choose w from Ware by player "What?"
    found = w
    move each Ware to store
    shuffle store
    move 1 from store to drawer
    choose blind from Ware by player "Which card?"
    found = blind
    go to night
"""


def labels(text: str) -> list[list[tuple[str, str]]]:
    document: dict[str, Any] | None = compile_text(text).document
    assert document is not None
    seen: list[list[tuple[str, str]]] = []

    def look(decision: Decision) -> int:
        seen.append([(option.id, option.text()) for option in decision.options])
        return 0

    Game(load(document), agent=look).run()
    return seen


def test_parts_are_named_by_what_lies_in_them() -> None:
    assert labels(SHOP)[0] == [("upper.left", "left: a rope"), ("upper.right", "right: a rope")]


def test_parts_of_several_owners_say_whose_they_are() -> None:
    assert [label for _, label in labels(SHOP)[1]] == [
        "the upper shop, left: a rope",
        "the upper shop, right: a rope",
        "the lower shop, left: empty",
        "the lower shop, right: a knife",
    ]


def test_copies_with_one_title_say_where_they_are() -> None:
    named = [label for _, label in labels(SHOP)[2]]
    assert sorted(named) == ["a knife", "a rope (the lower shop)", "a rope (the upper shop)"]


def test_what_lies_face_down_is_named_by_its_back_and_pile() -> None:
    assert sorted(labels(SHOP)[3]) == [
        ("face down: drawer Ware", "a ware face down (drawer)"),
        ("face down: store Ware", "a ware face down (store)"),
    ]


def test_numbers_in_an_order_that_somebody_settles_are_shown_as_numbers() -> None:
    text = """
role Player is Thing named player
kind Scene is Chapter
Scene here "Here"
Ending end_of_it "Over"
state sum: int = 0
action game:
    for each n in (1..3), chosen by player: sum = sum * 10 + n
    go to end_of_it
"""
    shown: list[list[str]] = []

    def look(decision: Decision) -> int:
        shown.append([option.text() for option in decision.options])
        return len(decision.options) - 1

    result = compile_text(text)
    assert result.document is not None, result.diagnostics
    Game(load(result.document), 1, look).run()
    assert shown == [["1", "2", "3"], ["1", "2"]]
