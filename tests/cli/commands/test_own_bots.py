"""`tale playtest --bot path/file.py:Class`: a bot of one's own, with everything that a playtest counts."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from talewright.cli.main import main

MANIFEST = 'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'
TEXT = """
role Player 1..1 named p
state taken: int = 0
extend Ending:
    result: victory | defeat
Ending won "Won": result: victory
Ending lost "Lost": result: defeat
measure sum = taken
action game:
    repeat 3 times: pick
    let n = do roll d6
    if n < 3: pick
    if taken >= 9: go to won
    go to lost
action pick:
    choose n from (1..3) by p "How many?"
    taken + n
"""
BOTS = """
class Most:
    def __init__(self, seed):
        self.seed = seed

    def choose(self, decision):
        return len(decision.options) - 1


class Least:
    def choose(self, decision):
        return 0


class Wild(Most):
    def choose(self, decision):
        return 7


class Broken(Most):
    def choose(self, decision):
        return decision.nothing


class Mute:
    pass
"""


@pytest.fixture(autouse=True)
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game").mkdir()
    Path("game/tale.toml").write_text(MANIFEST)
    Path("game/game.tale").write_text(TEXT)
    Path("mine.py").write_text(BOTS)


def run(bot: str, *more: str) -> int:
    return main(["playtest", "game", "--games", "60", "--jobs", "1", "--bot", bot, *more])


def result(bot: str, *more: str) -> dict[str, object]:
    assert run(bot, "--json", "out.json", *more) == 0
    found: dict[str, object] = orjson.loads(Path("out.json").read_bytes())
    return found


def test_a_bot_of_ones_own_plays_and_is_counted() -> None:
    most = result("mine.py:Most", "--report", "out.html")
    assert most["win_rate"]["value"] == 1.0  # type: ignore[index]
    assert most["bot"] == "mine.py:Most"
    options = most["points"]["pick.n"]["options"]  # type: ignore[index]
    assert {name: option["taken"] > 0 for name, option in options.items()} == {
        "1": False,
        "2": False,
        "3": True,
    }
    assert Path("out.html").exists()
    least = result("mine.py:Least")
    assert least["win_rate"]["value"] == 0.0  # type: ignore[index]
    # The same seeds roll the same dice: as many decisions, one each.
    assert least["decisions"]["mean"] == most["decisions"]["mean"]  # type: ignore[index]
    assert least["measures"]["sum"]["mean"] == least["decisions"]["mean"]  # type: ignore[index]


def test_jobs_and_order_do_not_matter() -> None:
    alone = result("mine.py:Most")
    together = result("mine.py:Most", "--jobs", "2")
    for part in ("outcomes", "decisions", "measures", "points", "chance"):
        assert alone[part] == together[part]


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("mine.py:Nobody", "mine.py has no class `Nobody`; it has Most, Least, Wild, Broken, Mute"),
        ("other.py:Most", "there is no file other.py"),
        ("gready", "there is no bot `gready`"),
        ("mine.py:Mute", "it needs a method `choose(self, decision)`"),
        ("mine.py:Wild", "answered 7 to pick.n#1: it must be a number from 0 to 2"),
        ("mine.py:Broken", "failed at pick.n#1: AttributeError"),
    ],
)
def test_a_bot_that_cannot_play_is_told(bot: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(bot) == 2
    assert why in capsys.readouterr().err


def test_luck_needs_a_bot_that_can_decide_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("mine.py:Most", "--luck", "3") == 2
    assert "leave one of the two away" in capsys.readouterr().err
