"""Compiled documents in place of packages: played, tried by bots, drawn; and damaged ones, of which `try_mutants` tries more."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import orjson
import pytest

from talewright.cli.main import main
from talewright.compiler import compile_package
from tests.cli.try_mutants import Trial

MANIFEST = 'name = "coin"\nversion = "0.1.0"\ntitle = "A Coin"\ntype = "system"\n[playtest]\ngames = 7\n'
GAME = """
role Player 1..1 is Thing named player
extend Ending:
    result: victory | defeat
Ending heads "Heads":
    result: victory
Ending tails "Tails":
    result: defeat
action game:
    choose one by player "Toss it?":
        "Toss" -> toss
        "Call" -> go to heads
action toss:
    let n = do roll d2
    if n == 1: go to heads
    go to tails
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("coin").mkdir()
    Path("coin/tale.toml").write_text(MANIFEST)
    Path("coin/coin.tale").write_text(GAME)
    assert main(["compile", "coin", "-o", "coin.json"]) == 0


def _report(path: str, capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert main(["playtest", path, "--games", "200", "--jobs", "1", "--json", "-"]) == 0
    made = orjson.loads(capsys.readouterr().out)
    del made["games_per_second"]
    return made


def test_a_document_plays_as_its_package_does(capsys: pytest.CaptureFixture[str]) -> None:
    of_package = _report("coin", capsys)
    # Not beside its package, whose settings it does not take.
    Path("coin").rename("away")
    assert _report("coin.json", capsys) == of_package


def test_a_document_inside_a_package_is_the_document(capsys: pytest.CaptureFixture[str]) -> None:
    Path("coin.json").rename("coin/old.json")
    Path("coin/coin.tale").write_text(GAME.replace("n == 1", "n >= 1"))
    assert _report("coin/old.json", capsys)["win_rate"]["value"] < 1
    assert main(["playtest", "coin/old.json", "--jobs", "1"]) == 0
    # The setting of the package around it (7 games) is not for it.
    assert "1000 games played at random" in capsys.readouterr().out


def test_a_document_is_drawn_and_written_again(capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["graph", "coin.json", "--format", "dot"]) == 0
    assert "Heads" in capsys.readouterr().out
    assert main(["compile", "coin.json", "-o", "again.json"]) == 0
    assert Path("again.json").read_bytes() == Path("coin.json").read_bytes()


def test_a_saved_game_of_a_document_is_played_again(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("coin").rename("away")
    monkeypatch.setattr("sys.stdin", io.StringIO("save mine.json\n1\n"))
    assert main(["play", "coin.json", "--seed", "4"]) == 0
    capsys.readouterr()
    assert main(["replay", "mine.json", "--package", "coin.json"]) == 0
    assert "the package has changed" not in capsys.readouterr().out


@pytest.mark.parametrize("command", [["play"], ["playtest"], ["graph"], ["compile"]])
def test_what_does_not_fit_together_is_refused(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    text = Path("coin.json").read_text()
    Path("bad.json").write_text(text.replace('"op":"let"', '"op":"lett"'))
    assert main([*command, "bad.json"]) == 1
    told = capsys.readouterr().err
    assert "error[D805]" in told
    assert "bad.json:1:" in told
    Path("no.json").write_text('{"content": ')
    assert main([*command, "no.json"]) == 1
    assert "error[D801]: this is not JSON" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "count"), [("salem-night", 20), ("witches_war", 10)])
def test_damaged_adventures_are_refused_or_played(name: str, count: int) -> None:
    document = compile_package(name, trees=False).document
    assert document is not None
    trial = Trial(document, "mutants")
    became = [trial.of(number) for number in range(count)]
    assert became.count("played") > count // 10
    assert became.count("refused") > count // 10
