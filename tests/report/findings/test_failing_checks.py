"""Checks of a package: before the first move, and after every action of a checked game."""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent

import pytest

from talewright.cli.main import main
from talewright.compiler.checks.check_fails import CHECK
from talewright.report.findings import failing_checks
from talewright.runtime.proving.checks import BrokenCheck

MANIFEST = 'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'
COUNTING = """
    role Player 1..1 named player
    track pence 0..9 start 0:
        at 9: go to rich
    extend Ending:
        result: victory | defeat
    Chapter night "One Night":
        goal: "Nine pence."
    Ending rich "Rich":
        result: victory
    action game:
        repeat: earn
    action earn:
        pence + 1
    check pence < {most}, "never too rich"
"""


@pytest.fixture(autouse=True)
def _empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "kept"))
    monkeypatch.delenv("TALE_PATH", raising=False)


def package(text: str) -> Path:
    """A package of one file."""
    place = Path("game")
    place.mkdir()
    (place / "tale.toml").write_text(MANIFEST, "utf-8")
    (place / "game.tale").write_text(dedent(text).lstrip("\n"), "utf-8")
    return place


def found(capsys: pytest.CaptureFixture[str]) -> list[tuple[str, int]]:
    """Code and line of each finding that `tale lint --format json` shows."""
    shown = json.loads(capsys.readouterr().out)
    return [(one["code"], one["line"]) for one in shown["diagnostics"] if one["code"] == CHECK.code]


def test_a_check_that_fails_is_found_at_its_line_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    package(CHECK.bad)
    for options in ([], [], ["--no-cache"]):
        assert main(["lint", "game", "--format", "json", *options]) == 1
        assert found(capsys) == [("F440", 5)]


def test_tests_know_what_lint_found(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    package(CHECK.bad)
    assert main(["lint", "game"]) == 1
    monkeypatch.setattr(failing_checks, "_broken", lambda document: [])
    capsys.readouterr()
    assert main(["test", "game"]) == 1
    assert CHECK.code in capsys.readouterr().err
    assert main(["test", "game", "--no-cache"]) == 0


def test_a_check_that_holds_is_no_finding(capsys: pytest.CaptureFixture[str]) -> None:
    package(CHECK.good)
    assert main(["lint", "game", "--format", "json"]) == 0
    assert found(capsys) == []


def test_a_mended_text_is_looked_at_again() -> None:
    place = package(CHECK.bad)
    assert main(["lint", "game"]) == 1
    (place / "game.tale").write_text(dedent(CHECK.good).lstrip("\n"), "utf-8")
    assert main(["lint", "game"]) == 0


def test_tests_do_not_pass_beside_a_check_that_fails(capsys: pytest.CaptureFixture[str]) -> None:
    package(CHECK.bad)
    assert main(["test", "game"]) == 1
    assert "F440" in capsys.readouterr().err


def test_a_check_that_cannot_be_worked_out_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    package(dedent(CHECK.good) + 'check count(Book) / (count(Book) - 2) == 2, "halves"\n')
    assert main(["lint", "game"]) == 1
    assert "this check cannot be worked out: R2" in capsys.readouterr().out


def test_a_system_without_a_chapter_waits_for_its_adventures() -> None:
    package('kind Book\nBook atlas\nvalue books = count(Book)\ncheck books == 3, "three books"\n')
    assert main(["lint", "game"]) == 0


def test_a_checked_game_ends_where_an_action_breaks_a_check(capsys: pytest.CaptureFixture[str]) -> None:
    package(COUNTING.format(most=5))
    assert main(["lint", "game"]) == 0
    assert main(["playtest", "game", "--games", "2"]) == 0
    assert main(["playtest", "game", "--games", "2", "--checked"]) == 1
    shown = capsys.readouterr().out
    assert "R16: after `earn`, “never too rich” does not hold at game/game.tale:14" in shown
    assert Path("playtest-failures/1.save.json").is_file()
    assert main(["replay", "playtest-failures/1.save.json", "--package", "game"]) == 1
    assert "the save broke off with the same error" in capsys.readouterr().out


def test_a_checked_game_whose_checks_hold_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    package(COUNTING.format(most=10))
    assert main(["playtest", "game", "--games", "2", "--checked"]) == 0
    assert "Rich" in capsys.readouterr().out
    assert not Path("playtest-failures/1.save.json").exists()


def test_checks_take_no_steps_from_the_game() -> None:
    """Nine actions without a decision, each looked at by a check of 200,000 steps."""
    long = '    check total(1..200000, 1) > 0, "a long sum"\n'
    package(COUNTING.format(most=10) + long)
    assert main(["playtest", "game", "--games", "1", "--checked"]) == 0


def test_games_that_run_away_break_off_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    package(COUNTING.format(most=10).replace("pence + 1", "repeat: pence = 1"))
    assert main(["playtest", "game", "--games", "3"]) == 1
    shown = capsys.readouterr().out
    assert "error with seeds 1, 2, 3: R14: five million steps without a decision" in shown


def test_steps_that_run_out_in_a_loop_of_the_toolkit_are_told_as_steps(
    capsys: pytest.CaptureFixture[str],
) -> None:
    package(
        COUNTING.format(most=10).replace("repeat: earn", "repeat: let n = count((1..97) where it > pence)")
    )
    assert main(["playtest", "game", "--games", "2"]) == 1
    shown = capsys.readouterr().out
    assert "error with seeds 1, 2: R14: five million steps without a decision" in shown


def test_what_a_game_that_runs_away_was_offered_is_taken_back(capsys: pytest.CaptureFixture[str]) -> None:
    body = 'repeat 20 times: choose n from (1..9) by (first Player) "How many?"\n        repeat: pence = 1'
    package(COUNTING.format(most=10).replace("repeat: earn", body))
    assert main(["playtest", "game", "--games", "2"]) == 1
    shown = capsys.readouterr().out
    assert "error with seeds 1, 2: R14: five million steps without a decision" in shown


TITLED = """
    kind Beast
    Beast ox "{title}"
    Chapter night "One Night"
    check {asked}, "there are two"
{rest}"""


@pytest.mark.parametrize(
    ("asked", "rest", "titles", "played"),
    [
        ("count(Beast) == 3", "", ("Ox", "Old Ox"), 1),
        ('ox.title is "Ox"', "", ("Ox", "Old Ox"), 2),
        # A test begins a game of its own: what it reads is nothing to a check.
        ("count(Beast) == 3", '    test "t":\n        expect ox.title is "Ox"\n', ("Ox", "Old Ox"), 1),
    ],
)
def test_a_changed_title_needs_no_game_unless_code_reads_titles(
    asked: str,
    rest: str,
    titles: tuple[str, str],
    played: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    games: list[object] = []
    whole = failing_checks._broken

    def counted(document: dict[str, object]) -> list[BrokenCheck]:
        games.append(document)
        return whole(document)

    monkeypatch.setattr(failing_checks, "_broken", counted)
    place = package(TITLED.format(title=titles[0], asked=asked, rest=rest))
    shown = []
    for title in titles:
        (place / "game.tale").write_text(
            dedent(TITLED.format(title=title, asked=asked, rest=rest)).lstrip("\n"), "utf-8"
        )
        main(["lint", "game", "--format", "json"])
        shown.append(found(capsys))
    assert len(games) == played
    assert shown == ([[("F440", 4)]] * 2 if played == 1 else [[], [("F440", 4)]])
