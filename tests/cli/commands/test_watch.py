"""`tale watch`: findings, the tests that a change can touch, and the game at hand."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from pathlib import Path
from textwrap import dedent

import pytest

from talewright.cli.commands.watch import Watch, changed_files
from talewright.cli.main import main
from talewright.runtime.session import Session
from talewright.runtime.session.program import load
from talewright.runtime.session.saves import write_save

MANIFEST = 'name = "pond"\nversion = "0.1.0"\ntitle = "The Pond"\ntype = "system"\ntale = 1\n'
RULES = dedent(
    """
    role Angler 1..2 is Figure named a:
        joy: track 0..9 start 0
    Ending done "Done"
    value luck = 2
    value patience = 3

    action cast_line by a: Angler: a.joy + luck
    action wait by a: Angler: a.joy + patience

    menu shore(a: Angler)
    offer "Cast" in shore(a): cast_line by a
    offer "Wait" in shore(a): wait by a

    action game:
        repeat 2 times: open shore(a1) by a1
        go to done
    """
).lstrip()
TESTS = dedent(
    """
    test "casting brings luck":
        when cast_line by a1
        expect a1.joy > 0

    test "waiting brings joy":
        when wait by a1
        expect a1.joy > 0
    """
).lstrip()


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    folder = tmp_path / "pond"
    folder.mkdir()
    (folder / "tale.toml").write_text(MANIFEST)
    (folder / "rules.tale").write_text(RULES)
    (folder / "tests.tale").write_text(TESTS)
    return folder


def looked(watch: Watch, capfd: pytest.CaptureFixture[str], changed: list[str] | None = None) -> str:
    watch.look(changed)
    return capfd.readouterr().out


def test_only_touched_tests_run_again(pond: Path, capfd: pytest.CaptureFixture[str]) -> None:
    watch = Watch(pond, ())
    first = looked(watch, capfd)
    assert first.startswith("The Pond  ")
    assert "2 tests: all passed" in first
    (pond / "rules.tale").write_text(RULES.replace("value luck = 2", "value luck = 1"))
    assert "1 of 2 tests: all passed" in looked(watch, capfd)
    (pond / "rules.tale").write_text(RULES.replace("value luck = 2", "value luck = 1  # less"))
    assert "no test is touched by this (2 in all)" in looked(watch, capfd)
    (pond / "tests.tale").write_text(TESTS.replace("joy > 0", "joy > 1", 1))
    again = looked(watch, capfd, [str(pond / "tests.tale")])
    assert "tests.tale" in again.splitlines()[0]
    assert "1 of 2 tests: 1 failed" in again
    assert "casting brings luck" in again


def test_a_failed_test_runs_until_it_passes(pond: Path, capfd: pytest.CaptureFixture[str]) -> None:
    watch = Watch(pond, ())
    (pond / "rules.tale").write_text(RULES.replace("value luck = 2", "value luck = 0"))
    assert "2 tests: 1 failed" in looked(watch, capfd)
    (pond / "rules.tale").write_text(
        RULES.replace("value luck = 2", "value luck = 0").replace("patience = 3", "patience = 4")
    )
    assert "2 tests: 1 failed" in looked(watch, capfd)


def test_errors_leave_the_last_good_state(pond: Path, capfd: pytest.CaptureFixture[str]) -> None:
    watch = Watch(pond, ())
    looked(watch, capfd)
    (pond / "rules.tale").write_text(RULES.replace("= 2", "= two"))
    said = looked(watch, capfd)
    assert "there is nothing called `two`" in said
    assert "no tests and no game while there are errors" in said
    (pond / "rules.tale").write_text(RULES)
    assert "no test is touched" in looked(watch, capfd)


def save_of(folder: Path, path: Path, answers: int) -> None:
    from talewright.compiler import compile_package

    result = compile_package(folder)
    assert result.document is not None
    session = Session(load(result.document), 5)

    def seat(decision: object) -> int:
        if len(session.decisions) >= answers:
            raise KeyboardInterrupt
        return 0

    session.default = seat  # type: ignore[assignment]
    with pytest.raises(KeyboardInterrupt):
        session.run()
    path.write_bytes(write_save(session.save()))


def test_the_game_at_hand_is_played_again(
    pond: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "pond.save.json"
    save_of(pond, save, 1)
    watch = Watch(pond, (), save, tests=False)
    said = looked(watch, capfd)
    assert "the game at hand, after 1 decision:" in said
    assert "1  Cast" in said
    (pond / "rules.tale").write_text(RULES.replace('"Wait"', '"Sit still"'))
    assert "2  Sit still" in looked(watch, capfd)
    (pond / "rules.tale").write_text(RULES.replace('"Cast"', '"Sing"'))
    assert "takes another way at decision 1 of 1" in looked(watch, capfd)
    save.write_bytes(b"{}")
    assert "pond.save.json" in looked(watch, capfd)


def test_a_path_that_is_no_package(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(tmp_path / "nowhere"), "--once"]) == 2
    assert "Traceback" not in capfd.readouterr().err


def test_a_save_during_the_first_look_and_a_new_saved_game_are_noticed(
    pond: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = tmp_path / "game.json"
    looks: list[list[str] | None] = []

    def look(watch: Watch, changed: list[str] | None = None) -> None:
        looks.append(changed)
        if len(looks) == 1:
            (pond / "tale.toml").write_text((pond / "tale.toml").read_text() + "\n")
        elif len(looks) == 2:
            game.write_text("{}")
        else:
            raise KeyboardInterrupt

    monkeypatch.setattr(Watch, "look", look)
    monkeypatch.setattr("talewright.cli.commands.watch.PAUSE", 0.01)
    assert main(["watch", str(pond), "--load", str(game)]) == 0
    assert looks == [None, [str(pond / "tale.toml")], [str(game)]]


def test_what_has_changed() -> None:
    before = {"a": (1, 1), "b": (1, 1), "c": (1, 1)}
    assert changed_files(before, {"a": (1, 1), "b": (2, 1), "d": (1, 1)}) == ["b", "c", "d"]


def test_a_save_is_noticed_and_an_interrupt_ends(pond: Path) -> None:
    import signal

    command = [sys.executable, "-u", "-m", "talewright.cli", "watch", str(pond), "--no-tests"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Whoever starts the tests may ignore interruptions, and what they start inherits that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdout is not None
        # A word that never comes must fail, not wait for ever.
        patience = threading.Timer(120, running.kill)
        patience.start()
        try:
            _read_until(running.stdout, "no findings")
            time.sleep(0.6)
            (pond / "rules.tale").write_text(RULES.replace("= 2", "= two"))
            _read_until(running.stdout, "nothing called")
        finally:
            running.send_signal(signal.SIGINT)
            code = running.wait(30)
            patience.cancel()
        assert code == 0


def _read_until(stream: object, text: str) -> None:
    for line in stream:  # type: ignore[attr-defined]
        if text in line:
            return
    raise AssertionError(text)
