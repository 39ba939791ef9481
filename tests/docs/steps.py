"""Runs a page step by step, as a reader would: writes its files, changes them, runs its commands, compares what they say.

The words behind a fence say what to do. `LANGUAGE new FILE` writes a file, `add FILE` appends to one, `change FILE` and then
`into` replace a passage. `sh` runs commands; `sh fails` expects exit code 1, `sh types LINE` types a line. `text` must be in what
the last command said. `<!-- LANGUAGE new FILE ... -->` is a file that readers do not see, and `<!-- package PAGE -->` writes the
files of another page first.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(
    r"^```(?P<info>[^\n]+)\n(?P<text>.*?)^```$"
    r"|^<!-- package (?P<page>\S+) -->$"
    r"|^<!-- (?P<hidden>(?:tale|toml) [^\n]+)\n(?P<unseen>.*?)^-->$",
    re.DOTALL | re.MULTILINE,
)


@dataclass
class Walk:
    """One reader in a folder."""

    folder: Path
    said: str = ""
    commands: int = 0
    old: tuple[Path, str] | None = field(default=None)

    def page(self, name: str, only_files: bool = False) -> None:
        """Does what a page of `docs` says."""
        text = (ROOT / "docs" / name).read_text(encoding="utf-8")
        for match in _BLOCK.finditer(text):
            if match["page"] is not None:
                self.page(match["page"], only_files=True)
            elif match["hidden"] is not None:
                self.step(match["hidden"].split(), match["unseen"])
            elif not only_files or "new" in match["info"].split():
                self.step(match["info"].split(), match["text"])

    def step(self, words: list[str], text: str) -> None:
        """Does what one block says."""
        match words:
            case [_, "new", name]:
                place = self.folder / name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_text(text, encoding="utf-8")
            case [_, "add", name]:
                with (self.folder / name).open("a", encoding="utf-8") as file:
                    file.write(text)
            case [_, "change", name]:
                self.old = self.folder / name, text
            case [_, "into"]:
                assert self.old is not None
                change(*self.old, text)
                self.old = None
            case ["text"]:
                assert all(line in self.said for line in text.splitlines()), self.said
            case ["sh", *how]:
                for line in text.splitlines():
                    self.run(line, how)
            case _:
                raise AssertionError(f"what is ```{' '.join(words)} to do?")

    def run(self, line: str, how: list[str]) -> None:
        """Runs one command of the page."""
        program, *arguments = shlex.split(line)
        self.commands += 1
        if program == "cp":
            shutil.copytree(ROOT / arguments[1], self.folder / arguments[2])
            return
        assert program == "./tale", line
        if arguments[0] == "test":
            # Other tests run on the other cores; each process would make programs of its own.
            arguments += ["--jobs", "1"]
        done = subprocess.run(
            [sys.executable, "-m", "talewright.cli", *arguments],
            cwd=self.folder,
            input=f"{how[1]}\n" if how[:1] == ["types"] else "",
            capture_output=True,
            text=True,
            check=False,
        )
        self.said = done.stdout + done.stderr
        assert done.returncode == (1 if how == ["fails"] else 0), f"{line}\n{self.said}"


def change(file: Path, old: str, new: str) -> None:
    """Replaces a passage that stands in a file once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{file.name} holds {text.count(old)} times: {old}"
    file.write_text(text.replace(old, new), encoding="utf-8")
