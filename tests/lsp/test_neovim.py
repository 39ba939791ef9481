"""Neovim as a client, set up with the very lines that docs/editors.md tells people to write."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from talewright.compiler.passes import compile_package
from talewright.dsl.format.formatter import format_text

ROOT = Path(__file__).parents[2]
MANIFEST = 'name = "pier"\nversion = "0.1.0"\ntitle = "The Pier"\ntype = "system"\nuses = []\n'
KINDS = dedent(
    """
    role Keeper 1..2 is Figure named p:
        satchel: pile of Book

    kind Room is Place
    kind Book is Card:
        weight: 1..3 = 1

    Room hall "the Hall"
    Book atlas "The Atlas":
        weight: 3
    """
).lstrip()
RULES = dedent(
    """
    action game:
        for each k in Keeper: place k at hall
        fetch atlass by p1

    action fetch b: Book by k: Keeper:
        requires  b.weight <= 4, "Too heavy."
        move b   to k.satchel
        say "{k} takes {atlas}."
    """
).lstrip()


def findings(folder: Path) -> list[list[object]]:
    found = compile_package(folder, cache=False, document=False).diagnostics
    return sorted([os.path.basename(d.span.file), d.code, d.span.line - 1, d.span.column - 1] for d in found)


@pytest.mark.skipif(shutil.which("nvim") is None, reason="there is no Neovim on this machine")
def test_findings_jump_rename_and_format(tmp_path: Path) -> None:
    folder, home = tmp_path / "pier", tmp_path / "home"
    folder.mkdir()
    home.mkdir()
    (folder / "tale.toml").write_text(MANIFEST)
    (folder / "kinds.tale").write_text(KINDS)
    (folder / "rules.tale").write_text(RULES)
    expected = findings(folder)
    lines = re.search(
        r"```lua\n(.*?)```", (ROOT / "docs" / "editors.md").read_text(encoding="utf-8"), re.DOTALL
    )
    assert lines is not None
    (home / "init.lua").write_text(lines.group(1))
    said = tmp_path / "seen.json"
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    places = {name: str(home) for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    done = subprocess.run(
        [
            "nvim",
            "--headless",
            "-n",
            "-i",
            "NONE",
            "-u",
            home / "init.lua",
            "-S",
            Path(__file__).with_name("neovim.lua"),
        ],
        cwd=folder,
        env={**os.environ, **places, "PATH": path, "TALE_SEEN": str(said)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert said.exists(), done.stderr
    seen = json.loads(said.read_text(encoding="utf-8"))
    assert "failed" not in seen, (seen, done.stderr)
    assert sorted(seen["findings"]) == expected
    assert [found for found in expected if found[1] == "N201"]
    assert "atlass" in seen["on_disk"], "nothing was saved by then"
    assert seen["jump"] == {"file": "kinds.tale", "line": 9, "text": 'Book atlas "The Atlas":'}
    mended = RULES.replace("atlass", "lexicon").replace("{atlas}", "{lexicon}")
    assert "\n".join(seen["unsaved"]) + "\n" == mended
    assert (folder / "kinds.tale").read_text() == KINDS.replace("Book atlas", "Book lexicon")
    laid_out, mistakes = format_text(mended, "rules.tale")
    assert not mistakes
    assert laid_out != mended
    assert (folder / "rules.tale").read_text() == laid_out
    assert sorted(os.listdir(folder)) == ["kinds.tale", "rules.tale", "tale.toml"]
    assert not [found for found in findings(folder) if found[1] == "N201"]
