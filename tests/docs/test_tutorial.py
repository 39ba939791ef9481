"""The tutorial and the guides, done step by step as they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from .steps import Walk


def test_the_tutorial_works(tmp_path: Path) -> None:
    reader = Walk(tmp_path)
    reader.page("tutorial.md")
    assert reader.commands >= 15
    assert "The Reeve" in (tmp_path / "mere.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["smallest_game", "own_system", "hints", "speed", "sight", "table"])
def test_a_guide_works(page: str, tmp_path: Path) -> None:
    reader = Walk(tmp_path)
    reader.page(f"{page}.md")
    assert reader.commands >= 1
