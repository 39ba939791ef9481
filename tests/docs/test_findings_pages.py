"""The pages about findings: one for each code, and never older than what they describe."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from talewright.compiler.checks import catalogue

ROOT = Path(__file__).resolve().parents[2]


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


build = _load()


def test_the_pages_are_up_to_date() -> None:
    assert build.stale() == [], "run `python docs/build.py`"


def test_every_code_has_a_page_that_the_index_links_to() -> None:
    made = build.pages()
    assert len(made) == len(catalogue()) + 1
    for check in catalogue().values():
        name = f"{check.code}-{check.name}.md"
        assert made[name].startswith(f"# {check.code} {check.name}\n")
        assert f"[{check.code}]({name})" in made["README.md"]


def test_every_layer_of_codes_has_its_heading() -> None:
    assert {code[0] for code in catalogue()} <= set(build.LAYERS)


def test_a_page_shows_what_the_finding_says_about_its_sample() -> None:
    text = build.page(catalogue()["N215"])
    assert (
        "error[N215]: a kind cannot descend from itself: Boat is Ship is Boat\n --> sample.tale:2:6\n"
    ) in text
    assert "1 error" not in text
    assert text.index("## Not so") < text.index("It says:") < text.index("## But so")


def test_signs_that_cannot_be_seen_are_spelled_out() -> None:
    assert "\\ufeffkind Door" in build.page(catalogue()["S109"])


def test_stale_missing_and_forgotten_pages_are_named(tmp_path: Path) -> None:
    build.write(tmp_path)
    assert build.stale(tmp_path) == []
    (tmp_path / "README.md").write_text("# Old\n", "utf-8")
    (tmp_path / "P012-package-cycle.md").unlink()
    (tmp_path / "Z999-forgotten.md").write_text("# Z999\n", "utf-8")
    assert build.stale(tmp_path) == ["P012-package-cycle.md", "README.md", "Z999-forgotten.md"]
    build.write(tmp_path)
    assert build.stale(tmp_path) == []


def test_the_script_checks_and_refuses_what_it_does_not_know(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "stale", list)
    assert build.main(["--check"]) == 0
    monkeypatch.setattr(build, "stale", lambda: ["N201-unknown-name.md"])
    assert build.main(["--check"]) == 1
    assert "docs/findings/N201-unknown-name.md is stale" in capsys.readouterr().out
    assert build.main(["--chek"]) == 2
    assert "usage" in capsys.readouterr().err
