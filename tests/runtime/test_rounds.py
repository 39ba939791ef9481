"""What is counted as a round: the action called so, else the outermost repeating one, however deep the game begins it."""

from __future__ import annotations

import pytest

from .small_games import game

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


@pytest.mark.parametrize(
    ("text", "action", "rounds"),
    [
        (TEXT, "hand/", 2),
        (TEXT.replace("action game: evening", "action game:\n    repeat: evening"), "evening/", 1),
        # Without an endless loop, one that is counted.
        (TEXT.replace("repeat while", "repeat 2 times: nothing\n    if"), "deal/", 2),
        (TEXT.replace("repeat while", "if").replace("repeat 2 times: deal", "deal"), "", 0),
        # Whoever calls an action `round` has said it.
        (TEXT.replace("trick", "round"), "round/", 4),
    ],
)
def test_the_action_called_round_or_the_outermost_loop_makes_the_rounds(
    text: str, action: str, rounds: int
) -> None:
    playing = game(text)
    assert playing.program.lowered.round_action() == action
    assert playing.run() == "done_with"
    assert playing.rounds == rounds
