"""What a failed test in Tale shows of what happened."""

from __future__ import annotations

from .small_games import document, outcomes

TEXT = """
    state coins: int = 1
    action game: coins - 1
    action buy:
        requires coins >= 2, "You have too few coins."
        coins - 2
    action borrow:
        requires coins == 0
        coins + 1
    action visit: buy; borrow
    test "buying":
        when visit
        expect coins == 2
"""


def test_a_refused_call_is_shown_with_its_reason() -> None:
    (outcome,) = outcomes(document(TEXT))
    assert [line.strip() for line in outcome.trace] == [
        "call visit", "refused buy: You have too few coins.", "refused borrow", "done visit"
    ]  # fmt: skip
