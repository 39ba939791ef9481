"""`tale playtest --vary`: one setting at several values, with the figures side by side."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from talewright.cli.main import main

MANIFEST = 'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'
TEXT = """
role Player 1..3 named p
option target: 2..12 = 7 "What to reach"
state bonus: int = 0
track luck 0..6 start 0
value extra = 0
state reached: yes | no = no
state n: int = 0
extend Ending:
    result: victory | defeat
Ending won "Won": result: victory
Ending lost "Lost": result: defeat
measure sum = n
measure hit = reached
action game:
    let a = do roll d6
    n = a + bonus + luck + extra
    reached = n >= target
    if n >= target: go to won
    go to lost
"""


@pytest.fixture(autouse=True)
def _package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game").mkdir()
    Path("game/tale.toml").write_text(MANIFEST)
    Path("game/game.tale").write_text(TEXT)


def sweep(*more: str) -> int:
    return main(["playtest", "game", "--games", "300", "--jobs", "1", *more])


def test_each_value_has_its_own_games_and_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert sweep("--vary", "target=2..7", "--json", "out.json", "--report", "out.html") == 0
    swept = orjson.loads(Path("out.json").read_bytes())
    assert [run["value"] for run in swept["runs"]] == ["2", "3", "4", "5", "6", "7"]
    for run in swept["runs"]:
        share = (7 - int(run["value"])) / 6
        rate = run["result"]["win_rate"]
        assert rate["low"] - 0.02 <= share <= rate["high"] + 0.02
        assert run["result"]["games"] == 300
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split() == ["target", "games", "won", "hit", "sum"]
    assert len([line for line in shown if line[:1].isdigit()]) == 6
    page = Path("out.html").read_text("utf-8")
    assert page.count("<svg") == 3
    assert page.count("<circle") == 18


@pytest.mark.parametrize("name", ["bonus", "luck", "extra"])
def test_states_tracks_and_numbers_can_be_varied(name: str) -> None:
    assert sweep("--vary", f"{name}=0,2", "--json", "out.json") == 0
    first, second = orjson.loads(Path("out.json").read_bytes())["runs"]
    means = [run["result"]["measures"]["sum"]["mean"] for run in (first, second)]
    # The same seeds roll the same dice, so that only what is varied makes a difference.
    assert means[1] - means[0] == pytest.approx(2)


def test_players_can_be_varied() -> None:
    assert sweep("--vary", "players=1..3", "--json", "out.json") == 0
    runs = orjson.loads(Path("out.json").read_bytes())["runs"]
    assert [run["result"]["players"] for run in runs] == [1, 2, 3]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (["--vary", "luck=5..9"], "goes from 0 to 6: it cannot start at 7"),
        (["--vary", "nosuch=1..2"], "nothing called `nosuch` can be varied"),
        (["--vary", "target=3"], "`3` is one value"),
        (["--vary", "target"], "says no values"),
        (["--vary", "target=9..3"], "must go up"),
        (["--vary", "target=1..99999"], "at most 100 values"),
        (["--vary", "target=10..14"], "lies between 2 and 12"),
        (["--vary", "bonus=a,b"], "`bonus` is a number, not `a`"),
        (["--vary", "reached=1..2"], "does not begin with a number"),
        (["--vary", "players=3..5"], "for 1 to 3 players, not 4"),
        (["--vary", "target=3..4", "--luck", "3"], "leave --luck away"),
        (["--vary", "target=3..4", "--bot", "guided"], "does not know what is good"),
    ],
)
def test_what_cannot_be_varied_is_told(
    given: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sweep(*given) == 2
    assert why in capsys.readouterr().err


def test_a_sweep_that_is_stopped_shows_the_values_that_were_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from talewright.cli.commands import playtest_sweep

    whole, begun = playtest_sweep.play_all, []

    def stopped(job: Any, work: Any, jobs: int) -> Any:
        begun.append(job)
        if len(begun) == 3:
            raise KeyboardInterrupt
        yield from whole(job, work, jobs)

    monkeypatch.setattr(playtest_sweep, "play_all", stopped)
    assert sweep("--vary", "target=2..7") == 130
    said = capsys.readouterr().err
    assert "stopped after 2 of 6 values" in said
