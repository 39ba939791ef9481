"""What a player sees last: the table, what happened since, then the question, all on one screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.terminals import Played

PROMPT = "\n> "
QUESTION = "p1: Which way?"
TABLE = "* p1 "
NEWS = "  p2: Which way?"


def _broken(shown: str, columns: int) -> list[str]:
    """Lines as the terminal breaks them."""
    return [
        line[at : at + columns]
        for line in shown.split("\n")
        for at in range(0, max(1, len(line)), columns)
    ]  # fmt: skip


@pytest.mark.parametrize(("columns", "lines"), [(100, 40), (80, 24)])
def test_the_table_the_news_and_the_question_stand_in_this_order(
    tmp_path: Path, columns: int, lines: int
) -> None:
    played = Played(
        ["play", "salem", "--seed", "7", "--seat", "p2=random"], tmp_path, columns=columns, lines=lines
    )
    shown = played.wait_for(PROMPT, 60)
    for _ in range(30):
        if QUESTION in shown and NEWS in shown:
            break
        played.type("1")
        shown = played.wait_for(PROMPT, 60)
    asked = _broken(shown, columns)
    table, news, question = (
        next(n for n, line in enumerate(asked) if line.startswith(begin)) for begin in (TABLE, NEWS, QUESTION)
    )
    assert table < news < question
    assert len(asked) - news < lines, "the news has left the screen"
    played.type("look necromancer")
    looked = played.wait_for(PROMPT, 30)
    assert "At 40: Go to" in looked
    assert "_" not in looked
    played.type("quit")
    code, _ = played.end()
    assert code == 0
