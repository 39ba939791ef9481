"""The tutorial, done step by step as it says."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
_FENCE = re.compile(r"^```(?P<info>[^\n]+)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)


def steps() -> list[tuple[list[str], str]]:
    """The fenced blocks of the page, with the words behind their backticks."""
    page = PAGE.read_text(encoding="utf-8")
    return [(match["info"].split(), match["text"]) for match in _FENCE.finditer(page)]


def run(line: str, folder: Path, typed: str) -> tuple[int, str]:
    """One command of the page, in a folder; its exit code and what it wrote."""
    program, *arguments = shlex.split(line)
    if program == "cp":
        shutil.copytree(ROOT / arguments[1], folder / arguments[2])
        return 0, ""
    assert program == "./tale", line
    command = [sys.executable, "-m", "talewright.cli", *arguments]
    done = subprocess.run(command, cwd=folder, input=typed, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def change(file: Path, old: str, new: str) -> None:
    """Replaces a passage that stands in a file once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name} holds {text.count(old)} times: {old}"
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_the_tutorial_works(tmp_path: Path) -> None:
    said = ""
    commands = 0
    old: tuple[Path, str] | None = None
    for words, text in steps():
        match words:
            case ["tale", "new", name]:
                (tmp_path / name).write_text(text, encoding="utf-8")
            case ["tale", "change", name]:
                old = tmp_path / name, text
            case ["tale", "into"]:
                assert old is not None
                change(*old, text)
                old = None
            case ["text"]:
                assert all(line in said for line in text.splitlines()), said
            case ["sh", *how]:
                for line in text.splitlines():
                    code, said = run(line, tmp_path, how[1] + "\n" if how[:1] == ["types"] else "")
                    assert code == (1 if how == ["fails"] else 0), f"{line}\n{said}"
                    commands += 1
            case _:
                raise AssertionError(f"what is ```{' '.join(words)} to do?")
    assert commands >= 15
    assert "The Reeve" in (tmp_path / "mere.svg").read_text(encoding="utf-8")
