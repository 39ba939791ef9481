"""What packages, files and streams can do to a command: no control of the terminal, no defect, no endless reading."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from talewright.cli.main import main
from talewright.cli.output import write_text
from talewright.dsl.text_sanitizer import harmless

TALE = [sys.executable, "-m", "talewright.cli"]
MANIFEST = 'name = "game"\nversion = "0.1.0"\ntitle = "A Game"\ntype = "system"\n'
NASTY = "\x1b]0;owned\x07\x9b2J\u202egnp.exe\u2066"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "tale.toml").write_text(MANIFEST)
    (folder / "game.tale").write_text(
        'Chapter ford "The Ford"\nEnding safe "Safe"\naction game: go to safe\n'
    )
    return folder


def test_no_text_commands_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    write_text(f"one\ttwo\n{NASTY}\n")
    said = capsys.readouterr().out
    assert said.startswith("one\ttwo\n")
    assert harmless(said) == said
    assert not set("\x1b\x07\x9b\u202e\u2066") & set(said)


def test_titles_in_drawings_are_filtered(package: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (package / "game.tale").read_text("utf-8").replace("The Ford", f"The Ford{NASTY[-9:]}")
    (package / "game.tale").write_text(text, "utf-8")
    for drawing in ("dot", "mermaid", "svg"):
        if main(["graph", "game", "--format", drawing]) == 0:
            said = capsys.readouterr().out
            assert harmless(said) == said


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_output_is_told_in_one_line(package: Path) -> None:
    for command in (["list"], ["lint", "game"], ["graph", "game"], ["--version"]):
        with open("/dev/full", "w") as full:
            run = subprocess.run(
                [*TALE, *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False
            )
        assert (run.returncode, run.stderr) == (
            2,
            "tale: cannot write standard output: no space left on device\n",
        )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_game_whose_output_is_full_is_kept(package: Path) -> None:
    with open("/dev/full", "w") as full:
        run = subprocess.run(
            [*TALE, "play", "game", "--seed", "1"],
            input="quit\n", stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert run.returncode == 2
    assert run.stderr.endswith("tale: cannot write standard output: no space left on device\n")
    assert Path("game-1.save.json").exists()


def test_a_closed_output_is_told_in_one_line() -> None:
    run = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m talewright.cli list >&-'],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (2, "tale: standard output is closed\n")


@pytest.mark.skipif(sys.platform != "linux", reason="limits differ between systems")
def test_a_limit_of_the_shell_is_told_in_one_line(package: Path) -> None:
    command = f'ulimit -v 4000000; "{sys.executable}" -m talewright.cli playtest game --games 2 --jobs 1'
    run = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        check=False,
    )
    reason = "cannot allocate memory (`ulimit -v` shows the limit)"
    assert (run.returncode, run.stderr) == (2, f"tale: cannot write the memory of a game: {reason}\n")


@pytest.mark.parametrize(
    "command",
    [
        ["compile", "--check"],
        ["replay"],
        ["test", "game", "--covers"],
        ["playtest", "game", "--compare"],
    ],
)
def test_what_may_never_end_is_refused(
    command: list[str], package: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo("pipe")
    for path in ("/dev/zero", "pipe"):
        assert main([*command, path]) == 2
        assert "no ordinary file" in capsys.readouterr().err
