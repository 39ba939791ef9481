"""The title and the prose of a chapter are said when its page is turned to, unless a system takes that over."""

from __future__ import annotations

import pytest

from talewright.runtime.session import Session, load
from tests.runtime.small_games import document

INN = '''
kind Evening is Chapter:
    left: Ending
Evening table "The Last Table":
    """The lamps are low."""
    left: road
Ending road "The Road":
    """You keep what you have."""
'''
HARBOUR = '''
Chapter quay "The Quay":
    """A ship lies there."""
    outcome: otherwise -> sea
Chapter sea "The Sea":
    """Nothing but water."""
    outcome: otherwise -> home
Ending home "Home":
    """There it is."""
'''
TABLE = "The Last Table\n\nThe lamps are low."
ROAD = "You keep what you have."
SAID = {
    "played by `game`": (INN + "action game: go to chapter.left\n", [TABLE, ROAD]),
    "said by `game` itself": (
        INN + "action game:\n    say chapter.prose\n    go to chapter.left\n",
        ["The lamps are low.", ROAD],
    ),
    "replaced by the system": (INN + "instead of play Evening e: go to e.left\n", [ROAD]),
    "page after page": (
        HARBOUR,
        ["The Quay\n\nA ship lies there.", "The Sea\n\nNothing but water.", "There it is."],
    ),
    "set up, then page after page": (
        HARBOUR + "state n: int = 0\naction game: n + 1\n",
        ["The Quay\n\nA ship lies there.", "The Sea\n\nNothing but water.", "There it is."],
    ),
    "begun elsewhere": (
        HARBOUR + "action game: go to sea\n",
        ["The Sea\n\nNothing but water.", "There it is."],
    ),
}


@pytest.mark.parametrize("case", SAID)
def test_what_is_said_when_a_page_is_turned_to(case: str) -> None:
    text, expected = SAID[case]
    said: list[str] = []

    def hear(kind: str, detail: object) -> None:
        if kind == "say":
            said.append(str(detail))

    session = Session(load(document(text)), 1)
    session.game.listener = hear
    session.run()
    assert said == expected
