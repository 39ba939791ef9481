"""The samples of `docs/editors.md`: what can be read is read, what can be run is run."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_helix_gets_the_command_that_there_is() -> None:
    (text,) = blocks("toml")
    settings = tomllib.loads(text)
    server = settings["language-server"]["tale"]
    assert (server["command"], *server["args"]) == ("tale", "lsp")
    assert settings["language"][0]["language-servers"] == ["tale"]
    done = subprocess.run(
        [sys.executable, "-m", "talewright.cli", *server["args"], "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Serve an editor" in done.stdout


def test_the_commands_of_the_extension_are_its_own() -> None:
    scripts = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))[
        "scripts"
    ]
    named = re.findall(r"npm run (\w+)", PAGE)
    assert named
    assert set(named) <= set(scripts)
    assert "out/tale.vsix" in scripts["package"]


def test_pygmentize_knows_the_language(tmp_path: Path) -> None:
    (tmp_path / "a.tale").write_text("kind Boat\n")
    done = subprocess.run(
        [sys.executable, "-m", "pygments", "-l", "tale", "-f", "raw", "a.tale"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Token.Keyword.Declaration\t'kind'" in done.stdout


def test_neovim_shows_findings_with_these_lines(tmp_path: Path) -> None:
    """Neovim itself as the client: it opens a file, waits for findings, and goes to a definition."""
    neovim = shutil.which("nvim")
    if neovim is None:
        pytest.skip("Neovim is not installed (on Debian: apt install neovim)")
    (lua,) = blocks("lua")
    command = json.dumps([sys.executable, "-m", "talewright.cli", "lsp"])[1:-1]
    (tmp_path / "init.lua").write_text(lua.replace('"tale", "lsp"', command))
    package = tmp_path / "pier"
    package.mkdir()
    (package / "tale.toml").write_text(
        'name = "pier"\nversion = "0.1.0"\ntitle = "The Pier"\ntype = "system"\nuses = []\n'
    )
    (package / "a.tale").write_text("kind Boat is Plce\nBoat cutter\n")
    script = """
    vim.cmd("edit a.tale")
    vim.wait(40000, function() return #vim.diagnostic.get(0) > 0 end, 100)
    local seen = {}
    for _, found in ipairs(vim.diagnostic.get(0)) do table.insert(seen, found.code) end
    vim.api.nvim_win_set_cursor(0, {2, 1})
    local asked = vim.lsp.util.make_position_params(0, "utf-16")
    local answers = vim.lsp.buf_request_sync(0, "textDocument/definition", asked, 20000)
    local line = -1
    for _, answer in pairs(answers or {}) do line = answer.result[1].range.start.line end
    vim.fn.writefile({table.concat(seen, " "), tostring(line)}, "seen.txt")
    """
    (tmp_path / "script.lua").write_text(script)
    done = subprocess.run(
        [neovim, "--headless", "--clean", "-u", str(tmp_path / "init.lua"), "-c", f"luafile {tmp_path}/script.lua", "-c", "qa!"],
        cwd=package, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    assert (package / "seen.txt").exists(), done.stderr
    codes, line = (package / "seen.txt").read_text().splitlines()
    assert "N203" in codes.split()
    assert line == "0"
