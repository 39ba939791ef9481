"""The pictures of the README are made from the program, and the documents name files that are there."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from talewright.dsl.packages.loader import bundled_packages

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_gallery", ROOT / "docs" / "gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look for their module by name.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def shown(picture: Path) -> str:
    """The words of a drawing."""
    return " ".join(re.sub(r"<[^>]+>|&#160;", " ", picture.read_text("utf-8")).split())


def test_the_pictures_show_the_program(gallery: ModuleType, tmp_path: Path) -> None:
    gallery.finding_picture(tmp_path)
    assert "error[N201]: there is nothing called `silense`" in shown(tmp_path / "finding.svg")
    gallery.table_picture(tmp_path)
    assert "The Night the Gates Stood Open" in shown(tmp_path / "table.svg")
    for picture in tmp_path.iterdir():
        assert "url(http" not in picture.read_text("utf-8")
        assert (ROOT / "docs" / "images" / picture.name).exists()


def test_the_gallery_holds_a_page_and_a_graph_of_each_game(gallery: ModuleType) -> None:
    index = (ROOT / "docs" / "gallery" / "index.md").read_text("utf-8")
    for game in gallery.GALLERY:
        assert game.name in bundled_packages()
        for ending in ("html", "svg"):
            assert (ROOT / "docs" / "gallery" / f"{game.name}.{ending}").exists()
            assert f"]({game.name}.{ending})" in index


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page: str) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)", (ROOT / page).read_text("utf-8")):
        assert "://" in link or (ROOT / link).exists(), link


def test_contributing_names_files_that_are_there() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    named = re.findall(r"`([a-z_.]+/[\w./]*)`", text)
    assert len(named) > 20
    for name in named:
        assert (ROOT / name).exists() or "NAME" in name, name


def test_repeat_passes_through_the_files_that_contributing_names() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    rows = re.findall(r"^\| (?:a way to write something|a statement) \|.*$", text, re.MULTILINE)
    files = re.findall(r"`([a-z_]+/[\w./]+\.(?:py|lark))`", "".join(rows))
    assert len(rows) == 2
    assert len(files) >= 7
    for name in files:
        assert re.search("repeat", (ROOT / name).read_text("utf-8"), re.IGNORECASE), name


def test_no_list_of_what_to_write_is_longer_than_five_files() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    table = text.split("| to add | write |", 1)[1].split("\n\n", 1)[0]
    rows = [row for row in table.splitlines() if row.startswith("| a ")]
    assert len(rows) >= 7
    for row in rows:
        assert len(set(re.findall(r"`[a-z_]+/[\w./]*`", row))) <= 5, row
