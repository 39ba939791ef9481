"""What `tale new` makes for each bundled system lints, tests and plays at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from talewright.cli.commands.new import STARTER
from talewright.cli.main import main
from talewright.dsl.packages.loader import bundled_packages, find_package


def _systems() -> list[str]:
    found = [find_package(name, folder) for name, folder in bundled_packages().items()]
    return sorted({f"{manifest.name}" for _, manifest in filter(None, found) if manifest.type == "system"})


@pytest.mark.parametrize("system", _systems())
def test_a_new_adventure_lints_tests_and_plays(
    system: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALE_PATH", raising=False)
    assert main(["new", "first-night", "--system", system]) == 0
    assert main(["lint", "first-night", "--fail-on", "info"]) == 0, capsys.readouterr().out
    assert main(["fmt", "--check", "first-night"]) == 0
    assert main(["test", "first-night", "--jobs", "1"]) == 0, capsys.readouterr().out
    capsys.readouterr()
    assert main(["playtest", "first-night", "--games", "5"]) == 0, capsys.readouterr().out


def test_every_bundled_system_brings_a_starter() -> None:
    found = [find_package(name, folder) for name, folder in bundled_packages().items()]
    folders = [folder for folder, manifest in filter(None, found) if manifest.type == "system"]
    assert folders
    assert [folder for folder in folders if not list((folder / STARTER).glob("*.jinja"))] == []
