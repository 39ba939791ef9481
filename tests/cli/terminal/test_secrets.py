"""Whatever a seat can see, hear or ask for is the same in every game that differs only in what it does not know."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.terminals import COMMAND

from .secrets_game import NAMES, secrets

TOML = 'name = "secrets"\nversion = "0.1.0"\ntype = "system"\ntitle = "Secrets"\ntale = 1\n'
ASKED = (
    "strength of p2", "owed of p2", "luck of p2", "debt of p2", "guilt of p2", "hold of p2", "left over", "next weight", "1",
    *(f"dust of {name}" for name in NAMES),
)  # fmt: skip
LOOKS = (
    "table", "log", "look p2", "look p1", "why", "look 1", "look stock", "look cellar", "look table", "look chapter",
    *(f"look {name}" for name in NAMES), *(f"why {what}" for what in ASKED),
)  # fmt: skip
ANSWERS = ("1", "1", "1")


def played(folder: Path, order: tuple[str, ...], typed: str, *arguments: str) -> str:
    """All that one game with the deck in an order writes."""
    package = folder / "secrets"
    package.mkdir(parents=True)
    (package / "tale.toml").write_text(TOML)
    (package / "game.tale").write_text(secrets(order))
    keep = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES")}
    run = subprocess.run(
        [*COMMAND, "play", "secrets", *arguments],
        input=typed,
        cwd=folder,
        env={**keep, "COLUMNS": "80", "LINES": "60"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout.replace(str(folder), "FOLDER")


def unseen(told: str) -> list[str]:
    """The cards that were looked for and never seen."""
    return [name for name in NAMES if f"{name.title()} (leaf)" not in told]


@pytest.fixture(scope="module", params=["7", "8", "11"])
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """What p1 reads in two games that differ only in what p1 does not know, having asked for everything each time."""
    typed = "".join("".join(f"{look}\n" for look in LOOKS) + f"{answer}\n" for answer in ANSWERS)
    folder = tmp_path_factory.mktemp("games")
    one = played(folder / "one", NAMES, typed, "--seat", "p2=random", "--seed", request.param)
    hidden = unseen(one)
    moved = dict(zip(hidden, hidden[1:] + hidden[:1], strict=True))
    order = tuple(moved.get(name, name) for name in NAMES)
    return one, played(folder / "other", order, typed, "--seat", "p2=random", "--seed", request.param)


def test_a_person_reads_the_same_whatever_they_do_not_know(both: tuple[str, str]) -> None:
    one, other = both
    assert one == other


def test_what_a_person_knows_is_told(both: tuple[str, str]) -> None:
    told = both[0]
    # Two of their own, one that they were shown, and one that p2 laid on the table; p2 buried another.
    assert len(unseen(told)) == len(NAMES) - 4
    assert "  left over: 8" in told
    assert "  next weight: " in told
    assert "p2: Bury which first? (chosen in secret)" in told
    assert "p2: How many? " in told
    assert re.search(r"p2: (Yes|No) \(asked in secret\)", told)  # the question names a card of their hand
    assert "  The debt of p2 is hidden from you." in told
    assert "Something about it depends on what you do not know" in told


def test_whoever_only_watches_knows_no_hand(tmp_path: Path) -> None:
    told = played(tmp_path / "one", NAMES, "", "--seat", "all=random", "--seed", "7")
    assert "(chosen in secret)" in told
    buried = [line for line in told.splitlines() if "Bury which first?" in line]
    assert len(buried) == 2
    assert all(line.endswith("Bury which first? (chosen in secret)") for line in buried)
    assert "guilt" not in told


def test_a_replay_for_a_seat_tells_what_that_seat_may_know(tmp_path: Path) -> None:
    typed = "".join(f"{look}\n" for look in LOOKS) + "1\n1\nquit\n"
    one = played(tmp_path / "one", NAMES, typed, "--seat", "p2=random", "--seed", "7")
    table = "".join(f"look {name}\n" for name in NAMES)
    whole = played(tmp_path / "whole", NAMES, f"1\n1\n{table}quit\n", "--seat", "p2=random", "--seed", "7")
    hidden = unseen(one + whole)
    moved = dict(zip(hidden, hidden[1:] + hidden[:1], strict=True))
    order = tuple(moved.get(name, name) for name in NAMES)
    played(tmp_path / "other", order, "1\n1\nquit\n", "--seat", "p2=random", "--seed", "7")

    def traced(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [*COMMAND, "replay", "secrets-7.save.json", "--package", "secrets", "--trace", *arguments]
        return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", timeout=120)

    told = traced(tmp_path / "one", "--seat", "p1")
    assert told.stdout == traced(tmp_path / "other", "--seat", "p1").stdout
    assert "play.c#2  p2: (in secret)" in told.stdout
    assert told.stdout != traced(tmp_path / "one").stdout
    assert "There is no seat `p9`; there are p1, p2" in traced(tmp_path / "one", "--seat", "p9").stderr


TOGETHER = """
kind Leaf is Card
Leaf oak "Oak"
Leaf elm "Elm"
Leaf ash "Ash"
role Player 2..2 is Thing named p:
    hand: pile of Leaf face_down
team players of Player
deck stock of Leaf face_down = all Leaf
Ending end "The End"
action game:
    shuffle stock
    for each q in Player:
        move 1 from stock to q.hand
    choose a from (1..3) by p1 "Alone?"
    choose n from (1..3) by players "Together?"
    go to end
"""


@pytest.mark.parametrize("bot", [True, False])
def test_whoever_decides_with_bots_is_not_asked_to_hand_over(tmp_path: Path, bot: bool) -> None:
    package = tmp_path / "secrets"
    package.mkdir()
    (package / "tale.toml").write_text(TOML)
    (package / "game.tale").write_text(TOGETHER)
    run = subprocess.run(
        [*COMMAND, "play", "secrets", "--seed", "3", "--seat", "p2=random" if bot else "all=human"],
        input="1\ntable\n2\n",
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    told = run.stdout.partition("Alone?")[2]
    assert "p1, p2: Together?" in told
    # Two people look at one screen together: what each holds is hidden before it is shown to both.
    assert ("Hand the keyboard to p1, p2" in told) is not bot
    assert (re.search("p1 .*(Oak|Elm|Ash)", told) is not None) is bot
