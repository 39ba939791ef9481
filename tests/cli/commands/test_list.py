"""`tale list`, the names of bundled packages, and other small promises of the commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from talewright.cli.main import main

ROOT = Path(__file__).resolve().parents[3]


def test_every_bundled_package_has_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    packages = {row["name"]: row for row in json.loads(capsys.readouterr().out)["packages"]}
    assert len(packages) == len(list((ROOT / "scenarios").rglob("tale.toml")))
    assert packages["blackmere"]["type"] == "adventure"
    assert main(["list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(any(line.startswith(name) for line in lines) for name in packages)


@pytest.mark.parametrize(
    "name", sorted(p.name for p in (ROOT / "scenarios").iterdir() if (p / "system").is_dir())
)
def test_the_folder_of_a_game_is_a_name_for_it(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from talewright.dsl.packages.loader import find_package_folder

    monkeypatch.chdir(tmp_path)
    folder, _ = find_package_folder(name)
    assert folder is not None
    assert folder.is_relative_to(ROOT / "scenarios" / name)


def test_a_picture_that_cannot_be_drawn_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["graph", "blackmere", "-o", "x.png"]) == 2
    assert "cannot draw x.png" in capsys.readouterr().err
    assert not Path("x.png").exists()


def test_a_new_package_with_a_bundled_name_is_pointed_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "salem"]) == 0
    assert "`salem` is the name of a bundled package too" in capsys.readouterr().err


def test_hints_name_the_command_as_it_was_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TALE_CALLED", "./tale")
    assert main(["new", "mine"]) == 0
    assert "next: ./tale lint mine" in capsys.readouterr().out


def test_the_package_runs_as_a_module(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "talewright", "new", "mine"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert "next: python -m talewright lint mine" in run.stdout


def test_shells_can_complete_commands() -> None:
    asked = {"_TALE_COMPLETE": "bash_complete", "COMP_WORDS": "tale pl", "COMP_CWORD": "1"}
    run = subprocess.run(
        [sys.executable, "-m", "talewright.cli"],
        env={**os.environ, **asked},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.split() == ["plain,play", "plain,playtest"]
