"""The first adventure of the README, done step by step as it says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"
_FENCE = re.compile(r"^```(?P<info>[^\n]+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
STORY = "moonlight/story.tale"


def steps() -> list[tuple[str, str]]:
    """The fenced blocks of the section, with what stands behind their backticks."""
    page = README.read_text(encoding="utf-8")
    section = page.split("## A first adventure", 1)[1].split("\n## ", 1)[0]
    return [(match["info"], match["text"]) for match in _FENCE.finditer(section)]


def run(line: str, folder: Path) -> tuple[int, str]:
    """One command of the README, in a folder; its exit code and what it wrote."""
    program, *arguments = shlex.split(line)
    assert program == "./tale"
    command = [sys.executable, "-m", "talewright.cli", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_first_adventure_works(tmp_path: Path) -> None:
    said = ""
    commands = 0
    for info, text in steps():
        words = info.split()
        if words[:2] == ["tale", "add"]:
            with (tmp_path / words[2]).open("a", encoding="utf-8") as file:
                file.write(text)
        elif words[0] == "text":
            assert all(line in said for line in text.splitlines()), said
        else:
            assert words[0] == "sh", info
            if words[1:2] == ["then"]:
                story = tmp_path / STORY
                wrong, right = words[2:]
                assert wrong in story.read_text(encoding="utf-8")
                story.write_text(story.read_text(encoding="utf-8").replace(wrong, right), encoding="utf-8")
            for line in text.splitlines():
                code, said = run(line, tmp_path)
                assert code == (1 if "fails" in words else 0), said
                commands += 1
    assert commands >= 6
    assert (tmp_path / "moonlight.json").stat().st_size > 1000
    assert "<svg" in (tmp_path / "moonlight.svg").read_text(encoding="utf-8")
