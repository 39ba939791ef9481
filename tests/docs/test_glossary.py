"""The glossary has no word that nothing else uses."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDERS = ("docs", "dsl", "compiler", "runtime", "report", "cli", "lsp", "schemas")


def test_every_word_is_used_elsewhere() -> None:
    page = ROOT / "docs" / "glossary.md"
    files = [
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in (".md", ".py")
    ]
    text = "\n".join(path.read_text("utf-8") for path in files if path != page).lower()
    words = [
        word
        for row in re.findall(r"^\| ([a-z][a-z, ]*) \|", page.read_text("utf-8"), re.MULTILINE)
        for word in row.split(", ")
    ]
    assert len(words) > 30
    assert [word for word in words if word != "word" and word not in text] == []
