"""`tale playtest` as people and machines use it: files, resuming, comparing, settings of a package, failures."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import orjson
import pytest
from rich.progress import Progress

from talewright.cli.main import main
from talewright.report.playtest.run.chunks import work_of
from talewright.report.playtest.run.games import play_all
from talewright.report.playtest.run.journal import Journal, JournalError
from talewright.report.playtest.run.tally import Tally, from_json, to_json
from talewright.report.playtest.statistics.comparison import CompareError, compare
from talewright.report.playtest.statistics.expectations import ExpectationError, judge
from talewright.report.playtest.statistics.summary import measured
from tests.report.playtest.test_statistics import CHOICE, COIN, ROUNDS, STORY
from tests.report.playtest.tiny import HEAD, job, playtest
from tests.runtime.bots.test_bots import LADDER

MANIFEST = 'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'

FAILING = """
action game:
    choose k from (0..3) by player "How many?"
    let share = 12 / k
    if share > 4: go to good_end
    go to bad_end
"""

UNSHARED = """
state eaten: int = 0
measure share = 12 / eaten
action game:
    choose k from (0..3) by player "How many?"
    eaten = k
    go to bad_end
"""
UNTOLD = "R2: something is divided by zero in measure share at game/game.tale:9"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def package(text: str, more: str = "") -> None:
    Path("game").mkdir(exist_ok=True)
    Path("game/tale.toml").write_text(MANIFEST + more)
    Path("game/game.tale").write_text(HEAD + text)


def tale(*arguments: str) -> int:
    """A playtest on one process, unless the test says otherwise."""
    jobs = () if "--jobs" in arguments else ("--jobs", "1")
    return main(["playtest", "game", *arguments, *jobs])


def result(name: str = "result.json") -> dict[str, Any]:
    made: dict[str, Any] = json.loads(Path(name).read_bytes())
    return made


def timeless(made: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in made.items() if key not in ("games_per_second", "jobs")}


def test_the_json_keeps_its_promise() -> None:
    package(ROUNDS)
    assert tale("--games", "30", "--json", "result.json") == 0
    made = result()
    for key in (
        "scenario", "version", "games", "finished", "errors", "seed", "bot", "outcomes", "win_rate", "chapters", "things",
        "decisions", "rounds", "tracks", "games_per_second", "jobs", "measures",
    ):  # fmt: skip
        assert key in made
    assert made["scenario"] == "game"
    assert made["outcomes"] == {"bad_end": 30}
    assert made["win_rate"].keys() == {"value", "low", "high", "confidence"}
    assert made["rounds"].keys() >= {"mean", "p5", "median", "p95"}
    assert tale("--games", "30", "--jobs", "2", "--json", "again.json") == 0
    assert timeless(result("again.json")) == timeless(made)


def test_json_alone_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    package(COIN)
    assert tale("--games", "20", "--json", "-", "--expect", "games >= 20") == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out)["games"] == 20
    assert "expect games >= 20: met" in shown.err


def test_a_package_keeps_its_own_budget(capsys: pytest.CaptureFixture[str]) -> None:
    settings = '[playtest]\ngames = 40\nseed = 7\nbot = "explore"\nexpect = ["win_rate >= 0.9"]\n'
    package(COIN, settings)
    assert tale("--json", "result.json") == 1
    assert (result()["games"], result()["seed"], result()["bot"]) == (40, 7, "explore")
    assert "expect win_rate >= 0.9: NOT MET" in capsys.readouterr().out
    assert tale("--games", "10", "--json", "result.json") == 1
    assert result()["games"] == 10
    # Another bot or another table is another matter.
    assert tale("--games", "10", "--bot", "random") == 0
    assert tale("--games", "10", "--bot", "explore") == 1
    assert tale("--games", "10", "--bot", "random", "--expect", "win_rate >= 0.9") == 1
    package(COIN, "[playtest]\ngmaes = 40\n")
    assert tale() == 2
    assert "knows no `gmaes`" in capsys.readouterr().err
    package(COIN, '[playtest]\ngames = "many"\n')
    assert tale() == 2
    assert "`games` of `[playtest]` in tale.toml is a whole number" in capsys.readouterr().err


def test_expectations_take_the_interval_into_account() -> None:
    made = playtest(COIN, 100)
    value, high = made["win_rate"]["value"], made["win_rate"]["high"]
    low = made["win_rate"]["low"]
    assert judge(f"win_rate >= {low - 0.01:.4f}", made).state == "met"
    assert judge(f"win_rate >= {value - 0.01:.4f}", made).state == "met so far"
    assert judge(f"win_rate < {high + 0.01:.4f}", made).state == "met"
    assert judge(f"win_rate < {value + 0.01:.4f}", made).state == "met so far"
    assert judge(f"win_rate >= {(value + high) / 2:.4f}", made).state == "open"
    assert judge(f"win_rate >= {high + 0.01:.4f}", made).state == "unmet"


def test_a_game_that_fails_is_kept_and_the_run_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    package(FAILING)
    assert tale("--games", "40", "--json", "result.json") == 1
    made = result()
    assert 0 < made["errors"] < 25
    assert made["finished"] + made["errors"] == 40
    seed = made["failures"][0]["seed"]
    shown = capsys.readouterr().out
    assert "R2" in made["failures"][0]["error"]
    assert f"tale replay playtest-failures/{seed}.save.json --package game" in shown
    assert main(["replay", f"playtest-failures/{seed}.save.json", "--package", "game"]) == 1
    assert "the save broke off with the same error" in capsys.readouterr().out


def test_the_printed_command_replays(capsys: pytest.CaptureFixture[str]) -> None:
    package(FAILING)
    Path("game").rename("my game")
    assert main(["playtest", "my game", "--games", "40", "--jobs", "2"]) == 1
    shown = capsys.readouterr().out
    (printed,) = [line.split("`")[1] for line in shown.splitlines() if line.startswith("kept in ")]
    # One choice in four divides by nought; the others go on.
    places = sorted(Path("playtest-failures").iterdir())
    assert 3 <= len(places) <= 20
    assert "A Game: 40 games" in shown
    words = shlex.split(printed)
    assert words[0] == "tale"
    assert Path(words[2]) in places
    for place in places[:3]:
        assert main([words[1], str(place), *words[3:]]) == 1
        assert "the save broke off with the same error" in capsys.readouterr().out


def test_a_measure_that_fails_is_an_error_of_its_game_alone(capsys: pytest.CaptureFixture[str]) -> None:
    package(UNSHARED)
    for more in (["--db", "games.duckdb"], ["--jobs", "2"], ["--bot", "explore"]):
        assert tale("--games", "40", "--json", "result.json", *more) == 1
        made = result()
        assert 0 < made["errors"] < 25
        assert made["finished"] + made["errors"] == 40 == sum(made["outcomes"].values())
        assert sum(made["measures"]["share"]["histogram"].values()) == made["finished"]
        assert made["failures"][0]["error"] == UNTOLD
        printed = [
            li.split("`")[1] for li in capsys.readouterr().out.splitlines() if li.startswith("kept in ")
        ]
        assert main(shlex.split(printed[0])[1:]) == 1
        shown = capsys.readouterr().out
        assert "in measure `share`, game/game.tale:" in shown
        assert "the save broke off with the same error" in shown


def test_slips_are_told_before_any_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package(COIN)
    monkeypatch.setattr("talewright.report.playtest.run.games.play_all", None)
    assert tale("--expect", "win_rte >= 0.3") == 2
    assert "the result has no `win_rte`; did you mean `win_rate`?" in capsys.readouterr().err
    assert tale("--expect", "win_rate is 3") == 2
    assert "write `win_rate >= 0.3`" in capsys.readouterr().err
    assert tale("--expect", "outcome_rates.god_end >= 0.3") == 2
    assert (
        "`outcome_rates` of the result has no `god_end`; did you mean `good_end`?" in capsys.readouterr().err
    )
    assert tale("--expect", "measures.bells.mean >= 0.3") == 2
    assert "`measures` of the result has no `bells.mean`; it has none" in capsys.readouterr().err
    package(COIN + "measure luck = 1\n")
    assert tale("--expect", "luck.mean >= 0.3") == 2
    assert "the result has no `luck`; did you mean `measures.luck.mean`?" in capsys.readouterr().err
    Path("old.json").write_text('{"finished": 3}')
    assert tale("--compare", "old.json") == 2
    assert "old.json: the old result has no `win_rate`" in capsys.readouterr().err


def test_a_slip_that_only_the_games_show_loses_no_result(capsys: pytest.CaptureFixture[str]) -> None:
    package(COIN)
    assert tale("--games", "20", "--json", "result.json", "--expect", "rounds.men >= 1") == 2
    assert "the result has no `rounds.men`; did you mean `mean`?" in capsys.readouterr().err
    assert result()["games"] == 20


def test_an_ending_that_no_game_reached_counts_as_nought() -> None:
    made = playtest(ROUNDS, 40)
    assert "good_end" not in made["outcomes"]
    assert judge("outcomes.good_end == 0", made).state == "met"
    assert judge("outcome_rates.error < 0.1", made).state == "met"
    assert judge("outcome_rates.good_end >= 0.01", made).state == "open"
    assert judge("outcome_rates.good_end >= 0.5", made).state == "unmet"
    with pytest.raises(ExpectationError, match="did you mean `bad_end`"):
        judge("outcomes.bad_ende > 3", made)


def test_of_many_warnings_a_few_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    package("kind Plate is Card\nPlate " + ", ".join(f"plate_{n}" for n in range(9)) + COIN)
    tale("--games", "10")
    said = capsys.readouterr()
    assert said.err.count("warning[X603]") == 5
    assert "`tale lint game` shows all" in said.err
    assert "10 games played" in said.out


def test_names_with_points_can_be_expected() -> None:
    made = playtest(ROUNDS, 40)
    made["tracks"]["p1.mind"] = made["tracks"]["doom"]
    assert judge("tracks.p1.mind.median == 9", made).state == "met"
    assert judge("tracks.p1.mind > 10", made).explanation == "tracks.p1.mind is 9"


def test_means_and_percentiles_have_intervals_too() -> None:
    made = playtest(COIN, 100) | {"measures": {"sun": measured(dict.fromkeys(range(1, 26), 4))}}
    sun = made["measures"]["sun"]
    assert judge("measures.sun.mean > 12.9", made).state == "met so far"
    assert judge(f"measures.sun.mean > {sun['low'] - 0.1:.4f}", made).state == "met"
    assert judge("measures.sun.mean > 14", made).state == "open"
    # Of a hundred numbers, chance leaves the median between the fortieth and the sixty-first.
    assert sun["intervals"]["median"] == [10, 16]
    states = [judge(f"measures.sun.median >= {n}", made).state for n in (9, 12, 15, 18)]
    assert states == ["met", "met so far", "open", "unmet"]
    # Ten games do not show how high one in twenty can be.
    few = {"measures": {"sun": measured({1: 5, 2: 5})}, "games": 10}
    assert judge("measures.sun.p95 <= 5", few).state == "met so far"
    assert judge("games >= 10", few).state == "met"


def test_comparing_with_other_games_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    package(CHOICE)
    assert tale("--games", "40", "--json", "old.json") == 0
    assert tale("--games", "40", "--bot", "explore", "--compare", "old.json") == 0
    assert "another bot (random before, explore now)" in capsys.readouterr().out


def test_nothing_is_expected_of_games_that_were_not_finished(capsys: pytest.CaptureFixture[str]) -> None:
    package(FAILING.replace("12 / k", "12 / (k - k)"))
    assert tale("--games", "10", "--expect", "win_rate <= 0.2", "--expect", "errors == 0") == 1
    shown = capsys.readouterr().out
    assert "expect win_rate <= 0.2: undecided (no game was finished" in shown
    assert "expect errors == 0: NOT MET" in shown


def test_what_changed_since_yesterday(capsys: pytest.CaptureFixture[str]) -> None:
    package(COIN)
    assert tale("--games", "400", "--json", "old.json") == 0
    assert tale("--games", "400", "--seed", "5000", "--compare", "old.json") == 0
    assert "nothing changed more than chance explains" in capsys.readouterr().out
    package(COIN.replace("d2", "d4"))
    assert tale("--games", "400", "--compare", "old.json") == 0
    assert "win rate: " in capsys.readouterr().out.partition("changed more than chance explains")[2]
    Path("old.json").write_text("[]")
    assert tale("--compare", "old.json") == 2


def test_comparing_sees_means_and_refuses_what_is_no_result() -> None:
    short, long = playtest(ROUNDS, 40), playtest(ROUNDS.replace("doom >= 9", "doom >= 13"), 40)
    changed = {change.what: (change.before, change.after) for change in compare(short, long)}
    assert changed["rounds"] == (4, 6)
    assert changed["track doom"] == (9, 13)
    assert compare(short, short) == []
    with pytest.raises(CompareError, match="no `finished`"):
        compare({}, short)


def test_a_tally_survives_a_file() -> None:
    made = job(CHOICE)
    tally = Tally()
    for played in play_all(made, work_of(made, [(1, 60)]), 1):
        tally.merge(played.tally)
    again = from_json(orjson.loads(orjson.dumps(to_json(tally))))
    assert again == tally


@pytest.mark.parametrize("bot", ["random", "explore"])
def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path: Path, bot: str) -> None:
    made = job(CHOICE, bot, games=500)
    whole = list(play_all(made, work_of(made, [(1, 500)]), 1))
    journal = Journal(tmp_path / "run.journal", made)
    journal.begin()
    # Chunks come in any order; of a generation of explorers some blocks are done and some are not.
    kept = whole[: len(whole) // 2 + 1]
    for played in reversed(kept):
        journal.add(played, Tally())
    # A kill in the middle of a line.
    with journal.path.open("ab") as file:
        file.write(b'{"games": [[1')
    for _ in range(2):
        again = Journal(journal.path, made)
        tally = again.resume()
        assert tally.games == sum(played.count for played in kept)
        left = again.missing(1, 500)
        assert sum(count for _, count in left) == 500 - tally.games
    for played in play_all(made, work_of(made, left, 2, again.tried), 2):
        tally.merge(played.tally)
    expected = Tally()
    for played in whole:
        expected.merge(played.tally)
    assert tally == expected
    with pytest.raises(JournalError, match="another playtest"):
        Journal(journal.path, job(COIN)).resume()


def test_a_long_journal_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("talewright.report.playtest.run.journal.LONGEST", 20_000)
    made = job(CHOICE, games=400)
    journal = Journal(tmp_path / "run.journal", made)
    journal.begin()
    tally = Tally()
    for first in range(1, 401, 8):
        for played in play_all(made, work_of(made, [(first, 8)]), 1):
            tally.merge(played.tally)
            journal.add(played, tally)
    assert journal.path.stat().st_size < 40_000
    again = Journal(journal.path, made)
    assert again.resume() == tally
    assert again.missing(1, 400) == []
    assert again.missing(0, 402) == [(0, 1), (401, 1)]


def test_a_killed_command_loses_no_finished_game() -> None:
    package(CHOICE)
    games = ("--games", "2000000", "--json", "result.json")
    command = [
        sys.executable,
        "-c",
        "import sys; from talewright.cli.main import entry; entry()",
        "playtest",
        "game",
        *games,
    ]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal = Path("result.json.journal")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (journal.exists() and journal.read_bytes().count(b"\n") > 2):
        time.sleep(0.02)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    finished = len(journal.read_bytes().splitlines()) - 1
    assert finished > 0
    assert not Path("result.json").exists()
    # Of two workers the slower one may not have finished a batch that comes before others: all of them are asked for again.
    assert tale(*games, "--resume") == 0
    assert not journal.exists()
    resumed = result()
    assert tale("--games", games[1], "--json", "whole.json") == 0
    assert timeless(resumed) == timeless(result("whole.json"))


def stopped(job: Any, work: Any, jobs: int) -> Any:
    """Somebody presses Ctrl-C after the first chunk."""
    yield next(play_all(job, work, jobs))
    raise KeyboardInterrupt


def test_games_of_a_stopped_run_are_not_thrown_away(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package(CHOICE)
    assert tale("--games", "300", "--json", "whole.json") == 0
    command = ("--games", "300", "--json", "result.json")
    journal = Path("result.json.journal")
    with monkeypatch.context() as patched:
        patched.setattr("talewright.report.playtest.run.games.play_all", stopped)
        assert tale(*command) == 130
    kept = journal.read_bytes()
    capsys.readouterr()
    assert tale(*command) == 2
    told = capsys.readouterr().err
    assert "holds 64 games of this very run" in told
    assert "--resume" in told
    assert journal.read_bytes() == kept
    # Another run at the same place goes on without a word of ours being needed, and loses nothing either.
    for aside in ("result.json.journal.old", "result.json.journal.old1"):
        journal.write_bytes(kept)
        assert tale(*command, "--seed", "5") == 0
        assert f"held 64 games of another run: it is {aside} now" in capsys.readouterr().err
        assert Path(aside).read_bytes() == kept
        assert not journal.exists()
    Path("result.json.journal.old").rename(journal)
    assert tale(*command, "--resume") == 0
    assert timeless(result()) == timeless(result("whole.json"))
    journal.write_text("my notes")
    assert tale(*command) == 2
    assert "is not the journal of a playtest: it is left alone" in capsys.readouterr().err
    assert journal.read_text() == "my notes"
    for nothing in (b"", kept.splitlines(keepends=True)[0]):
        journal.write_bytes(nothing)
        assert tale(*command) == 0


def test_verdicts_are_in_the_json() -> None:
    package(COIN)
    expected = ("win_rate >= 0.2", "win_rate > 0.9", "errors == 0", "points.game.nowhere > 1")
    asked = [part for text in expected for part in ("--expect", text)]
    assert tale("--games", "200", "--json", "result.json", *asked) == 2
    told = result()["expectations"]
    assert [(entry["expect"], entry["state"]) for entry in told] == [
        ("win_rate >= 0.2", "met"),
        ("win_rate > 0.9", "unmet"),
        ("errors == 0", "met"),
        ("points.game.nowhere > 1", "error"),
    ]
    assert told[1]["value"] == result()["win_rate"]["value"]
    assert told[2]["explanation"] == "errors is 0"
    assert tale("--games", "3", "--seed", "5", "--json", "result.json", "--expect", "win_rate > 0.9") == 0
    assert [entry["state"] for entry in result()["expectations"]] == ["open"]
    assert tale("--games", "3", "--json", "result.json") == 0
    assert result()["expectations"] == []


WINLESS = """
Ending dawn "Dawn": result: defeat
kind Card
Card one "One" * 4
Card two "Two" * 4
deck stack of Card = (one + two)
pile shown of Card
action game:
    shuffle stack
    let c = do draw from stack
    move c to shown
    choose k from (1..2) by player "Which?"
    if k == 1: go to dawn
    go to bad_end
"""


def test_where_no_ending_counts_as_won_nothing_is_said_of_winning(capsys: pytest.CaptureFixture[str]) -> None:
    package(WINLESS)
    Path("game/game.tale").write_text(
        (HEAD + WINLESS).replace('Good": result: victory', 'Good": result: defeat')
    )
    games = ("--games", "200", "--json", "result.json", "--report", "page.html", "--versus", "explore")
    assert tale(*games, "--expect", "win_rate >= 0.1") == 1
    text, page = capsys.readouterr().out, Path("page.html").read_text()
    assert result()["winning"] == []
    for shown in (text, page):
        assert "No ending counts as won" in shown
        assert "no ending counts as won: none has a result such as victory" in shown
        assert "were won" not in shown
        assert "are won" not in shown
    for word in ("Swing", "Won<", "Explains", 'id="skill"', 'class="lost"', "green when won"):
        assert word not in page
    package(WINLESS)
    assert tale(*games, "--expect", "win_rate >= 0.1") == 1
    text, page = capsys.readouterr().out, Path("page.html").read_text()
    assert result()["winning"] == ["good_end"]
    assert "0.0% were won" in text
    for word in ("Swing", "Won<", "Explains", 'id="skill"', 'class="lost"', "green when won"):
        assert word in page


def test_an_ending_that_became_rarer_is_listed_once() -> None:
    before, after = playtest(STORY, 400), playtest(STORY.replace("gold: int = 0", "gold: int = 9"), 400)
    names = [change.what for change in compare(before, after)]
    assert len(names) == len(set(names))
    endings = {*before["outcomes"], *after["outcomes"]}
    assert any(name.removeprefix("games that end in ") in endings for name in names)
    assert not any(name.removeprefix("games that reach ") in endings for name in names)


ALONE = """
option mode: together | alone = together
action game:
    requires mode is together or count(Hero) == 1, "Alone means alone."
    choose k from (1..2) by (first Hero) "Which?"
    if k == 1: go to good_end
    go to bad_end
"""


def test_as_many_players_as_can_begin(capsys: pytest.CaptureFixture[str]) -> None:
    package(ALONE, "[playtest]\nplayers = 2\n")
    text = Path("game/game.tale").read_text()
    Path("game/game.tale").write_text(
        text.replace("role Player is Thing named player", "role Hero 1..3 is Thing")
    )
    assert tale("--games", "5", "--json", "result.json") == 0
    assert result()["players"] == 2
    assert tale("--games", "5", "--set", "mode=alone", "--json", "result.json") == 0
    assert result()["players"] == 1
    assert result()["errors"] == 0
    assert "1 player instead of 2: Alone means alone." in capsys.readouterr().err
    assert tale("--games", "5", "--set", "mode=alone", "--players", "3") == 2
    assert (
        "with 3 players the game cannot begin: Alone means alone. Write --players 1."
        in capsys.readouterr().err
    )


def test_a_game_for_one_is_not_played_by_three(capsys: pytest.CaptureFixture[str]) -> None:
    package(COIN)
    assert tale("--games", "5", "--players", "3") == 2
    assert "this is for 1 player, not 3" in capsys.readouterr().err
    assert tale("--games", "5", "--players", "1") == 0


FERRY = """
role Tide 0..1 named tide
option storm: yes | no = no
action game:
    if storm:
        tide may "Rise": nothing
    choose k from (1..2) by player "Which?"
    if k == 1: go to good_end
    go to bad_end
"""


@pytest.mark.parametrize(("storm", "players"), [("no", 1), ("yes", 2)])
def test_a_seat_that_nothing_is_asked_of_is_no_player(storm: str, players: int) -> None:
    package(FERRY)
    assert tale("--games", "5", "--set", f"storm={storm}", "--json", "result.json") == 0
    assert result()["players"] == players


def test_how_far_apart_two_bots_are(capsys: pytest.CaptureFixture[str]) -> None:
    package(LADDER)
    assert tale("--games", "30", "--bot", "greedy", "--versus", "random", "--json", "result.json") == 0
    skill = result()["skill"]
    # Greedy always climbs; at random one game in 3 ** 5 does.
    assert result()["win_rate"]["value"] == 1
    assert skill["win_rate"]["value"] < 0.1
    assert skill["gap"]["low"] > 0.7
    points = [round(100 * skill["gap"][key]) for key in ("value", "low", "high")]
    told = f"{points[0]} points less ({points[1]} to {points[2]}) than by "
    assert told in capsys.readouterr().out


def test_of_many_broken_games_the_first_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    package(FAILING.replace("12 / k", "12 / (k / 3)"))
    assert tale("--games", "20") == 1
    capsys.readouterr()
    assert tale("--games", "60", "--json", "result.json") == 1
    shown = capsys.readouterr().out
    errors = result()["errors"]
    assert 20 < errors < 60
    assert f"kept in playtest-failures: 20 of {errors} games that broke off, `" in shown
    # What went wrong stands in one line, before anything that is said of the others.
    assert shown.count("error with seed") == 1
    assert f"  {errors} of 60 games broke off with an error." in shown.split(" played at random")[0]
    assert "“error”" not in shown
    assert len(list(Path("playtest-failures").iterdir())) == 20


def test_progress_tells_the_pace_of_the_whole_run(monkeypatch: pytest.MonkeyPatch) -> None:
    package(CHOICE)
    told: list[dict[str, Any]] = []
    clock = iter(range(10_000))
    monkeypatch.setattr("talewright.cli.commands.playtest.perf_counter", lambda: next(clock))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(Progress, "update", lambda self, task, **how: told.append(how))
    monkeypatch.setattr("talewright.report.playtest.run.chunks.FIRST_CHUNK", 40)
    monkeypatch.setattr("talewright.report.playtest.run.chunks.MOST", 40)
    assert tale("--games", "200", "--json", "result.json") == 0
    # The clock is looked at once for each chunk of forty games, and a second passes.
    assert [how["rate"] for how in told] == ["40/s"] * 5
    assert sum(how["advance"] for how in told) == 200
    won = result()["win_rate"]["value"]
    assert told[-1]["won"] == f"{won:.1%}"


def test_resuming_what_was_never_begun_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    package(COIN)
    assert tale("--games", "10", "--json", "result.json", "--resume") == 0
    assert "there is no result.json.journal to go on from: all games are played" in capsys.readouterr().err
    assert result()["games"] == 10


def test_resuming_needs_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    package(COIN)
    assert tale("--resume") == 2
    assert "`--resume` needs the --json or --db file" in capsys.readouterr().err


def test_questions_in_sql() -> None:
    import duckdb

    package(CHOICE)
    assert tale("--games", "120", "--json", "result.json", "--db", "games.duckdb") == 0
    made = result()
    with duckdb.connect("games.duckdb") as base:
        won = base.sql("SELECT count(*) FROM games WHERE won").fetchone()
        assert won == (made["outcomes"]["good_end"],)
        taken = dict(base.sql("SELECT option, count(*) FROM decisions GROUP BY option").fetchall())
        assert taken == {o: row["taken"] for o, row in made["points"]["game.choice"]["options"].items()}
        assert base.sql("SELECT sum(number) FROM measures WHERE measure = 'squandered'").fetchone() == (
            taken["Mad"],
        )
    package(ROUNDS)
    assert tale("--games", "5", "--db", "games.duckdb") == 0
    with duckdb.connect("games.duckdb") as base:
        assert base.sql("SELECT count(*) FROM games").fetchone() == (5,)
        rows = base.sql("SELECT round, value FROM tracks WHERE seed = 1 ORDER BY round").fetchall()
        assert rows == [(1, 1), (2, 3), (3, 5), (4, 7)]


def test_a_cluster_gives_the_same_result() -> None:
    from distributed import LocalCluster

    package(CHOICE)
    assert tale("--games", "80", "--json", "alone.json") == 0
    with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
        assert tale("--games", "80", "--json", "result.json", "--cluster", cluster.scheduler_address) == 0
    assert timeless(result()) == timeless(result("alone.json"))


def test_a_cluster_that_is_not_there(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package(COIN)
    assert tale("--games", "5", "--cluster", "nonsense://127.0.0.1:9") == 2
    assert "no cluster answers at" in capsys.readouterr().err


HOPELESS = """
action game:
    let share = 12 / 0
    go to bad_end
"""

ANSWERS = """
type Mood = glum | merry
state lucky: yes | no = no
state mood: Mood = glum
measure by_luck = lucky
measure feeling = mood
action game:
    choose k from (0..3) by player "How many?"
    if k == 0:
        lucky = yes
        mood = merry
    go to bad_end
"""


def test_a_run_stops_when_the_first_twenty_games_all_break_off(capsys: pytest.CaptureFixture[str]) -> None:
    package(HOPELESS)
    for jobs in ("1", "2"):
        assert tale("--games", "500", "--jobs", jobs, "--json", "result.json") == 1
        assert (result()["games"], result()["errors"]) == (20, 20)
        assert "stopped after 20 games of 500: every one of them broke off" in capsys.readouterr().err


def test_answers_and_words_are_measured_by_their_shares(capsys: pytest.CaptureFixture[str]) -> None:
    package(ANSWERS)
    told = ("--expect", "measures.by_luck > 0.05", "--expect", "measures.by_luck.no > 0.5")
    assert tale("--games", "200", "--json", "result.json", *told) == 0
    made = result()["measures"]
    assert set(made["by_luck"]["counts"]) == {"yes", "no"}
    share = made["by_luck"]["shares"]["yes"]
    assert share["value"] == made["by_luck"]["counts"]["yes"] / 200
    assert share["low"] < share["value"] < share["high"]
    assert made["feeling"]["shares"]["merry"] == share
    assert [entry["state"] for entry in result()["expectations"]] == ["met", "met"]
    assert f"by luck: yes in {share['value']:.1%} ({share['low']:.1%} to" in capsys.readouterr().out


def test_all_cores_play_by_default() -> None:
    package(COIN)
    assert main(["playtest", "game", "--games", "20", "--json", "result.json"]) == 0
    assert result()["jobs"] == len(os.sched_getaffinity(0))


def test_a_run_that_is_stopped_shows_what_was_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from talewright.report.playtest.run import games

    package(COIN)
    whole = games.play_all

    def stopped(*given: Any) -> Any:
        yield next(whole(*given))
        raise KeyboardInterrupt

    monkeypatch.setattr(games, "play_all", stopped)
    assert tale("--games", "500") == 130
    said = capsys.readouterr().err
    assert "stopped after 64 of 500 games" in said
    assert "with 95 % confidence" in said
    assert "games a second" not in said


@pytest.mark.parametrize(
    "how", [("--bot", "greedy"), ("--bot", "mcts"), ("--bot", "guided"), ("--versus", "greedy")]
)
def test_a_bot_that_knows_nothing_of_the_game_is_refused(
    how: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    package(COIN)
    assert tale("--games", "500", *how) == 2
    assert f"the bot {how[1]} does not know what is good in this game" in capsys.readouterr().err


def test_bots_that_see_what_is_hidden_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    package(
        "kind Door:\n    worth: int = 0 hidden\nstate prize: int = 0 hidden\nvalue score = prize\n" + COIN
    )
    assert tale("--games", "2", "--bot", "greedy") == 0
    assert "bots that imagine the game see `prize`, `worth`" in capsys.readouterr().err
    assert tale("--games", "2") == 0
    assert "imagine" not in capsys.readouterr().err


def test_a_disk_that_fills_up_is_told_with_the_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(self: Journal, *played: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    package(COIN)
    monkeypatch.setattr(Journal, "add", full)
    assert tale("--games", "5", "--json", "result.json") == 2
    assert "cannot write result.json.journal: no space left on device" in capsys.readouterr().err


def test_links_of_a_report_are_addresses_whatever_a_folder_is_called() -> None:
    package(STORY)
    odd = Path('javascript:alert(1)#?"<x>%2f')
    Path("game").rename(odd)
    assert main(["playtest", str(odd), "--games", "5", "--jobs", "1", "--report", "report.html"]) == 0
    links = re.findall(r'href="([^"#][^"]*)"', Path("report.html").read_text("utf-8"))
    assert links
    for link in links:
        place, _, line = link.partition("#")
        assert line.startswith("L")
        assert ":" not in place
        assert Path(unquote(place)) == odd / "game.tale"


def test_a_run_that_is_stopped_while_the_database_writes_is_no_defect(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    database = pytest.importorskip("talewright.report.playtest.output.database").Database
    pytest.importorskip("duckdb")
    package(COIN)

    def interrupted(*_: Any) -> None:
        raise RuntimeError("Query interrupted")

    with monkeypatch.context() as patched:
        patched.setattr(database, "_insert", lambda self, name, rows: name != "about" and interrupted())
        assert tale("--games", "100", "--db", "games.db") == 130
    assert "defect" not in capsys.readouterr().err
    assert tale("--games", "100", "--db", "games.db", "--resume") == 0


def test_a_database_that_cannot_be_written_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    duckdb = pytest.importorskip("duckdb")
    from talewright.report.playtest.output.database import Database

    package(COIN)

    def full(self: Any, name: str, rows: Any) -> None:
        if name != "about":
            raise duckdb.IOException("No space left on device")

    monkeypatch.setattr(Database, "_insert", full)
    assert tale("--games", "100", "--db", "games.db") == 2
    assert "cannot write games.db: No space left on device" in capsys.readouterr().err


LED_ON = """
Chapter 1A "A": outcome: otherwise -> 2B
Chapter 2B "B": outcome: otherwise -> won
Chapter 3C "C": outcome: otherwise -> lost
Ending won "Won"
Ending lost "Lost"
instead of play Chapter c:
    go to edge(c.outcome)
action game:
    let n = do roll d6
    if n == 1: go to lost
    if n == 2: go to 1A
    go to 3C
"""


def test_a_page_that_the_game_passes_by_is_not_visited() -> None:
    pytest.importorskip("duckdb")
    package(LED_ON)
    assert tale("--games", "600", "--json", "result.json", "--db", "games.db") == 0
    told = result()
    chapters, outcomes = told["chapters"], told["outcomes"]
    assert chapters["2B"]["visits"] == outcomes["won"] > 50
    # Where `game` leads to an ending at once, it was the first page that was played.
    straight = outcomes["lost"] - chapters["3C"]["visits"]
    assert straight > 50
    assert chapters["1A"]["visits"] == outcomes["won"] + straight
    assert {(edge["from"], edge["to"]) for edge in told["edges"] if edge["times"]} == {
        ("1A", "2B"), ("2B", "won"), ("3C", "lost"), ("1A", "lost"),
    }  # fmt: skip
    import duckdb

    with duckdb.connect("games.db") as games:
        rows = games.execute("SELECT chapter, count(*) FROM chapters GROUP BY chapter").fetchall()
    assert dict(rows)["1A"] == chapters["1A"]["visits"]


PLAYED_FIRST = """
kind Scene is Chapter
Scene one "One"
Scene two "Two"
Ending the_end "The End"
action game: play chapter
action play c: Scene:
    choose one by player "Well?":
        "On" -> leave c
action leave c: Scene:
    if c is one: go to two
    go to the_end
"""


def test_a_page_that_the_game_plays_before_it_leads_anywhere_is_visited() -> None:
    package(PLAYED_FIRST)
    assert tale("--games", "10", "--json", "result.json") == 0
    chapters = result()["chapters"]
    assert [chapters[page]["visits"] for page in ("one", "two", "the_end")] == [10, 10, 10]
