"""`tale playtest --transcript`: every game of a playtest in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from talewright.cli.main import main
from tests.report.playtest.tiny import HEAD

MANIFEST = 'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'
WALK = '''
kind Scene is Chapter
Scene gate "The Gate":
    """
    Two doors.

    One is open.
    """
    choice: "Left" -> hall; "Home" -> bad_end
Scene hall "The Hall":
    choice: "Up" -> stairs
Scene stairs "The Stairs"
action game: go to gate
before play Scene s when s is stairs:
    choose k from (0..1) by player "How many steps?"
    let height = 12 / k
    say "It is {height} steps up."
    go to good_end
'''
BEGINNING = """\
# Seed 1

The Gate

Two doors.

One is open.

player:
  """


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game").mkdir()
    Path("game/tale.toml").write_text(MANIFEST)
    Path("game/game.tale").write_text(HEAD + WALK)


def told(*arguments: str) -> int:
    return main(["playtest", "game", "--jobs", "1", "--transcript", "games.txt", *arguments])


def test_every_game_of_a_playtest_is_told() -> None:
    told("--games", "40", "--json", "result.json")
    text = Path("games.txt").read_text(encoding="utf-8")
    result = json.loads(Path("result.json").read_bytes())
    assert text.startswith(BEGINNING)
    assert [int(seed) for seed in re.findall(r"^# Seed (\d+)$", text, re.MULTILINE)] == list(range(1, 41))
    assert text.count("The end: Good") == result["outcomes"]["good_end"] > 0
    assert text.count("The end: Bad") == result["outcomes"]["bad_end"] > 0
    broken = text.count("The game breaks off: R2: something is divided by zero at game/game.tale:22")
    assert broken == result["errors"] > 0
    assert "player:\n  - Left\n  > Home\n\nThe end: Bad\n" in text
    assert "player: How many steps?\n  - 0\n  > 1\n\nIt is 12 steps up.\n\nThe end: Good\n" in text
    assert "player: How many steps?\n  > 0\n  - 1\n\nThe game breaks off" in text


def test_a_chapter_and_a_seed_are_those_of_the_playtest() -> None:
    told("--games", "2", "--seed", "7", "--chapter", "stairs")
    text = Path("games.txt").read_text(encoding="utf-8")
    assert re.findall(r"^# Seed (\d+)\n\nplayer: How many steps\?$", text, re.MULTILINE) == ["7", "8"]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("--bot", "explore"), "tells of games by random, guided, greedy or mcts, not by `explore`"),
        (("--vary", "players=1..1"), "leave --transcript away"),
    ],
)
def test_what_cannot_be_told_is_refused(
    arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert told(*arguments) == 2
    assert reason in capsys.readouterr().err
    assert not Path("games.txt").exists()


def test_a_file_that_cannot_be_written_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    Path("games.txt").mkdir()
    assert told("--games", "2") == 2
    assert "games.txt" in capsys.readouterr().err
    Path("games.txt").rmdir()
    assert main(["playtest", "game", "--games", "2", "--jobs", "1", "--transcript", "no/games.txt"]) == 2
    assert "cannot write no/games.txt" in capsys.readouterr().err
