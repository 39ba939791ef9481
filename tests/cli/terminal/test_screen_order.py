"""What a player sees last: the table, what happened since, then the question, all on one screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from talewright.cli.terminal.player import COMMANDS, HELP
from talewright.cli.terminal.screen import WIDEST
from tests.cli.terminals import Played

PROMPT = "\n> "
MORE = "-- Enter for more -- "
CHANGED = "  (what has changed; `table` shows everything)\n"
SIZES = [(100, 40), (80, 24)]
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


def _up_to_question(played: Played) -> str:
    """Everything up to the next question; a pause between pages is passed with Enter."""
    text = played.wait_for(PROMPT, MORE, seconds=90)
    while text.endswith(MORE):
        played.type("")
        text += played.wait_for(PROMPT, MORE, seconds=90)
    return text


@pytest.mark.parametrize(("columns", "lines"), SIZES)
@pytest.mark.parametrize(
    ("game", "answer", "decisions", "more"),
    [
        ("salem", "1", 20, ()),
        ("blackmere", "1", 20, ()),
        ("salt_ledger", "1", 12, ("--tell", "more")),
        ("witches_war", "1", 12, ("--tell", "more")),
        ("fistful", "2", 12, ("--tell", "more")),
    ],
)
def test_news_and_question_are_on_the_last_screen(
    tmp_path: Path, game: str, answer: str, decisions: int, more: tuple[str, ...], columns: int, lines: int
) -> None:
    played = Played(["play", game, "--seed", "7", *more], tmp_path, columns=columns, lines=lines)
    for _ in range(decisions):
        since = _up_to_question(played)
        screen = _broken(played.screen[: played.seen], columns)[-lines:]
        questions = [n for n, line in enumerate(screen) if line.startswith(("p1: ", "p1, p2: ", "master: "))]
        assert questions, "\n".join(screen)
        assert any(line.lstrip().startswith("1  ") for line in screen[questions[-1] :])
        assert max(map(len, screen)) <= min(columns, WIDEST), "one width for everything"
        _, changed, told = since.partition(CHANGED)
        if changed and MORE not in told:
            assert all(line in screen for line in told.splitlines()), "the news has left the screen"
        played.type(answer)
    played.type("quit")
    code, _ = played.end()
    assert code == 0


def test_the_table_the_news_and_the_question_stand_in_this_order(tmp_path: Path) -> None:
    played = Played(["play", "salem", "--seed", "7"], tmp_path, columns=80, lines=24)
    shown = _up_to_question(played)
    for _ in range(30):
        if QUESTION in shown and NEWS in shown:
            break
        played.type("1")
        shown = _up_to_question(played)
    asked = _broken(shown, 80)
    table, news, question = (
        next(n for n, line in enumerate(asked) if line.startswith(begin)) for begin in (TABLE, NEWS, QUESTION)
    )
    assert table < news < question
    played.type("look necromancer")
    looked = _up_to_question(played)
    assert "At 40: The game ends" in looked
    assert "_" not in looked
    played.type("quit")
    code, _ = played.end()
    assert code == 0


LONG = """
Ending done "Done"
action game: tell
action tell:
    for each n in (1..40): say "Page {n} of the tale."
    choose k from (1..3) by p "How many?"
    say "That makes {k}."
    choose k from (4..6) by p "How many more?"
    go to done
role Player 1..1 named p
"""


@pytest.mark.parametrize("typed", ["2", "gold", "all of it"])
def test_what_is_typed_before_a_question_is_seen_does_not_answer_it(tmp_path: Path, typed: str) -> None:
    played = _long(tmp_path)
    played.wait_for(MORE)
    played.type(typed)
    shown = _up_to_question(played)
    assert "Page 40 of the tale." in shown
    assert "That makes" not in shown, "nobody has answered it"
    played.type("3", "quit")
    code, last = played.end()
    assert code == 0
    assert "No option" not in last
    assert "That makes 3." in last


def test_a_command_may_be_typed_before_a_question_is_seen(tmp_path: Path) -> None:
    assert {line.split()[0] for line in HELP.splitlines()} - {"a", "some", "Enter"} <= COMMANDS
    played = _long(tmp_path)
    played.wait_for(MORE)
    played.type("quit")
    code, last = played.end()
    assert code == 0
    assert "How many?" in last
    assert "The game is saved in" in last


def _long(folder: Path) -> Played:
    """A game that tells more than a screen of news before it asks anything."""
    package = folder / "long"
    package.mkdir()
    (package / "tale.toml").write_text(
        'name = "long"\nversion = "0.1.0"\ntype = "system"\ntitle = "Long"\ntale = 1\n'
    )
    (package / "game.tale").write_text(LONG)
    return Played(["play", "long", "--seed", "7"], folder, columns=80, lines=24)
