"""`tale new`, and how files are written."""

from __future__ import annotations

import tomllib
from pathlib import Path

import click
import pytest

from talewright.cli import output
from talewright.cli.main import main
from talewright.dsl.packages.loader import load_package


@pytest.fixture(autouse=True)
def _empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TALE_PATH", raising=False)


def system(version: str = "0.1.0") -> Path:
    """A system called `words` in the folder `base`."""
    place = Path("base")
    place.mkdir()
    text = f'name = "words"\nversion = "{version}"\ntitle = "Words"\ntype = "system"\n'
    (place / "tale.toml").write_text(text, "utf-8")
    (place / "story.tale").write_text("# words\n", "utf-8")
    return place


@pytest.mark.parametrize(
    ("arguments", "files"),
    [
        (["--kind", "system"], {"rules.tale", "story.tale", "tale.toml", "tests.tale", "words.tale"}),
        (
            [],
            {
                "story.tale",
                "system/rules.tale",
                "system/tale.toml",
                "system/words.tale",
                "tale.toml",
                "tests.tale",
            },
        ),
    ],
)
def test_new_makes_a_package_without_findings(arguments: list[str], files: set[str]) -> None:
    assert main(["new", "long-night", *arguments]) == 0
    made = Path("long-night")
    assert {path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file()} == files
    result = load_package(made)
    assert result.diagnostics == ()
    assert result.main is not None
    assert (result.main.name, result.main.title) == ("long-night", "Long Night")
    for source in result.sources().values():
        assert "{{" not in source.text
        assert source.text.endswith("\n")
    assert [path.name for path in Path().iterdir()] == ["long-night"]


def test_new_adventure_for_a_system() -> None:
    system("2.3.4")
    assert main(["new", "trip", "--system", "words"]) == 0
    assert tomllib.loads(Path("trip/tale.toml").read_text())["uses"] == ["words >=2.3"]
    result = load_package("trip")
    assert result.diagnostics == ()
    assert [entry.name for entry in result.packages] == ["words", "trip"]


def test_new_uses_the_starter_of_a_system(capsys: pytest.CaptureFixture[str]) -> None:
    starter = system() / "starter"
    starter.mkdir()
    (starter / "first.tale.jinja").write_text("# {{ title }} in {{ system }}\n")
    assert main(["new", "trip", "--kind", "adventure", "--system", "words"]) == 0
    assert Path("trip/first.tale").read_text() == "# Trip in words\n"
    (starter / "first.tale.jinja").write_text("{{ ''.__class__.__mro__ }}")
    assert main(["new", "evil", "--system", "words"]) == 2
    assert "cannot use the template" in capsys.readouterr().err
    assert not Path("evil").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["Night"], "cannot be the name"),
        (["../night"], "cannot be the name"),
        (["x" * 65], "cannot be the name"),
        (["there"], "`there` is there already"),
        (["night", "--system", "nothing"], "There is no system `nothing`"),
        (["night", "--kind", "system", "--system", "words"], "--system goes with adventures"),
        (["night", "--kind", "poem"], "'poem' is not one of"),
    ],
)
def test_new_refuses(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("there").mkdir()
    assert main(["new", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert [path.name for path in Path().iterdir()] == ["there"]


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "kept.txt"
    target.write_text("old")

    def failing(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", failing)
    with pytest.raises(click.ClickException, match="no space left on device"):
        output.write_file(target, b"new")
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    output.write_file(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "new"


def test_the_starter_tells_its_story(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "mine"]) == 0
    assert main(["play", "mine", "--seed", "1", "--seat", "player=random"]) == 0
    assert "The lamps are low" in capsys.readouterr().out
