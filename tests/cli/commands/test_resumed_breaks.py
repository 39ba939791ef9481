"""`tale test --break --resume`: what a run that was stopped has tried is kept, as long as it holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from talewright.cli.main import main
from talewright.dsl import user_cache
from talewright.runtime.proving.breaker import Breaker, Tried
from talewright.runtime.proving.breaking import Break

RULES = """\
state gold: int = 3
state debt: int = 0
action pay n: int:
    requires gold >= n, "Too poor."
    gold - n
action borrow n: int:
    debt + n
    gold + n
check gold > 2, "Nobody begins poor."
"""
PAYING = 'test "paying takes gold":\n    when pay 2\n    expect gold == 1\n'
POOR = 'test "the poor cannot pay":\n    when pay 4\n    expect gold == 3\n'
BORROWING = 'test "a loan is gold":\n    when borrow 2\n    expect gold == 5\n'
DEBTS = 'test "a loan is a debt":\n    when borrow 2\n    expect debt == 2\n'
BREAK = ["--break", ".tale", "--jobs", "1"]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(user_cache, "folder", lambda: tmp_path / "cache")
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "tale.toml").write_text('name = "shop"\nversion = "0.1.0"\ntitle = "A Shop"\ntype = "system"\n')
    (folder / "rules.tale").write_text(RULES)
    (folder / "tests.tale").write_text(PAYING + BORROWING)
    return folder


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Break]:
    """The breaks that are tried, in their order."""
    made: list[Break] = []
    attempt = Breaker.attempt

    def noted(breaker: Breaker, found: Break) -> Tried:
        made.append(found)
        return attempt(breaker, found)

    monkeypatch.setattr(Breaker, "attempt", noted)
    return made


def told(capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], str]:
    """What the command found out about breaks, and what it said beside."""
    said = capsys.readouterr()
    return json.loads(said.out)["broken"], said.err


def journal_of(package: Path) -> Path:
    """Where the command keeps what it has tried."""
    (journal,) = (package.parent / "cache").glob("breaks-*.journal")
    return journal


def stopped_after(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run is stopped by Ctrl-C when so many breaks were tried."""
    attempt, left = Breaker.attempt, iter(range(count))

    def stopping(breaker: Breaker, found: Break) -> Tried:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return attempt(breaker, found)

    monkeypatch.setattr(Breaker, "attempt", stopping)
    main(["test", "shop", *BREAK])
    monkeypatch.setattr(Breaker, "attempt", attempt)


def test_a_stopped_run_goes_on_where_it_was(
    package: Path, tried: list[Break], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", "shop", *BREAK, "--json"]) == 1
    whole, _ = told(capsys)
    every = len(tried)
    assert every == whole["tried"] > 6
    journal_of(package).unlink()
    stopped_after(4, monkeypatch)
    assert f"4 of {every} breaks are kept: the same command with --resume goes on" in capsys.readouterr().err
    tried.clear()
    assert main(["test", "shop", *BREAK, "--json", "--resume"]) == 1
    resumed, said = told(capsys)
    assert f"4 of {every} breaks were tried before" in said
    assert len(tried) == every - 4
    assert resumed == whole


def test_only_what_no_unchanged_test_noticed_is_tried_with_other_tests(
    package: Path, tried: list[Break], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", "shop", *BREAK, "--json"]) == 1
    before, _ = told(capsys)
    every = len(tried)
    tried.clear()
    (package / "tests.tale").write_text(DEBTS + PAYING + BORROWING)
    assert main(["test", "shop", *BREAK, "--json", "--resume"]) == 1
    after, said = told(capsys)
    assert len(tried) == before["tried"] - before["noticed"]
    assert f"tests have changed since the last run: {before['noticed']} of {every} breaks hold" in said
    assert after["noticed"] > before["noticed"]
    tried.clear()
    # Who noticed it does not look any more.
    (package / "tests.tale").write_text(PAYING + DEBTS)
    assert main(["test", "shop", *BREAK, "--json", "--resume"]) == 1
    assert {(one["line"], one["what"]) for one in told(capsys)[0]["unnoticed"]} > {(8, "without this line")}
    tried.clear()
    assert main(["test", "shop", *BREAK, "--json", "--resume"]) == 1
    resumed, said = told(capsys)
    assert tried == []
    assert f"{every} of {every} breaks were tried before" in said
    assert main(["test", "shop", *BREAK, "--json"]) == 1
    assert told(capsys)[0] == resumed


def test_a_test_chosen_by_its_title_does_not_answer_for_others(
    package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["test", "shop", *BREAK, "--json"])
    capsys.readouterr()
    main(["test", "shop", *BREAK, "--json", "--resume", "-k", "paying"])
    resumed, _ = told(capsys)
    main(["test", "shop", *BREAK, "--json", "-k", "paying"])
    assert told(capsys)[0] == resumed
    assert (8, "without this line") in {(one["line"], one["what"]) for one in resumed["unnoticed"]}


def test_a_changed_rule_begins_anew(
    package: Path, tried: list[Break], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["test", "shop", *BREAK])
    every = len(tried)
    tried.clear()
    (package / "rules.tale").write_text(RULES.replace("debt + n", "debt + n; debt + 0"))
    capsys.readouterr()
    main(["test", "shop", *BREAK, "--resume"])
    assert "has changed since the last run: every break is tried anew" in capsys.readouterr().err
    assert len(tried) > every


def test_a_line_cut_short_is_tried_again(
    package: Path, tried: list[Break], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["test", "shop", *BREAK, "--json"]) == 1
    whole, _ = told(capsys)
    journal = journal_of(package)
    journal.write_bytes(journal.read_bytes()[:-9])
    for again in (1, 0):
        tried.clear()
        assert main(["test", "shop", *BREAK, "--json", "--resume"]) == 1
        assert told(capsys)[0] == whole
        assert len(tried) == again
    journal.write_bytes(b"something else\n")
    assert main(["test", "shop", *BREAK, "--json", "--resume"]) == 1
    assert told(capsys)[0] == whole


def test_without_a_folder_to_keep_anything_in_everything_is_tried(
    package: Path, tried: list[Break], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(user_cache, "folder", lambda: None)
    main(["test", "shop", *BREAK])
    every = len(tried)
    capsys.readouterr()
    main(["test", "shop", *BREAK, "--resume"])
    assert "no run was stopped here: every break is tried" in capsys.readouterr().err
    assert len(tried) == 2 * every


def test_going_on_needs_something_to_break(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", "shop", "--resume"]) == 2
    assert "`--resume` goes on with `--break`" in capsys.readouterr().err
