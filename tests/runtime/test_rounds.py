"""What is counted as a round: the outermost repeating action, however deep the game begins it."""

from __future__ import annotations

from talewright.runtime.program import Program

from .small_games import document

TEXT = """
role Player is Thing named player
kind Scene is Chapter
Scene here "Here"
Ending done_with "Done"
state n: int = 0
action game: evening
action evening:
    repeat 2 times: deal
    repeat while n < 5: hand
    go to done_with
action deal: n + 0
action hand:
    repeat while n % 3 != 2: trick
    n + 1
action trick: n + 1
"""


def test_the_outermost_endless_loop_makes_the_rounds() -> None:
    assert Program(document(TEXT)).round_action == "hand/"
    inside = TEXT.replace("action game: evening", "action game:\n    repeat: evening")
    assert Program(document(inside)).round_action == "evening/"
    none = TEXT.replace("repeat while", "repeat 2 times: nothing\n    if")
    assert Program(document(none)).round_action == ""
