"""The extension of VS Code, bundled and run against a stand-in for the editor: what it finds, starts and tells."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
TESTS = 'test "it holds":\n    expect yes\n\ntest "it fails":\n    expect no\n'
FAILED = {
    "name": "it fails",
    "file": "tests.tale",
    "line": 5,
    "message": "not so",
    "trace": ["first", "then"],
}
TALE = f"""#!/bin/sh
if [ "$1" = test ]; then echo '{json.dumps({"tests": 2, "passed": 1, "failed": [FAILED]})}'; exit 1; fi
exit 2
"""


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("node") is None or not (EXTENSION / "node_modules" / "esbuild").exists():
        pytest.skip("run `npm install` in editors/vscode first")
    made = tmp_path_factory.mktemp("bundle") / "extension.js"
    build = ["npx", "--no-install", "esbuild", "src/extension.ts", "--bundle", "--platform=node"]
    subprocess.run(
        [*build, "--external:vscode", f"--outfile={made}"],
        cwd=EXTENSION,
        check=True,
        capture_output=True,
        timeout=300,
    )
    return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "package"
    (made / ".venv" / "bin").mkdir(parents=True)
    (made / "tale.toml").write_text('name = "package"\n')
    (made / "tests.tale").write_text(TESTS)
    program = made / ".venv" / "bin" / "tale"
    program.write_text(TALE)
    program.chmod(0o755)
    return made


def run(bundle: Path, folder: Path, *words: str, path: str = "") -> dict[str, Any]:
    node = shutil.which("node")
    assert node is not None
    done = subprocess.run(
        [node, str(EXTENSION / "test" / "extension.mjs"), str(bundle), str(folder), *words],
        env={**os.environ, "PATH": path or "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def test_it_starts_finds_the_program_and_runs_tests(bundle: Path, folder: Path) -> None:
    told = run(bundle, folder)
    own = str(folder / ".venv" / "bin" / "tale")
    package = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    assert {entry["command"] for entry in package["contributes"]["commands"]} <= set(told["commands"])
    assert told["warnings"] == []
    # The stand-in for `tale` serves nobody: the author is told so.
    assert any("did not start" in text for text in told["errors"])
    # Nobody has opened the list of tests before they were all run.
    assert told["tests"] == {"tests.tale": ["it holds", "it fails"]}
    assert told["runs"] == [["passed", "it holds"], ["failed", "it fails", "not so", 4]]
    # The lens names its test: where the cursor stands does not matter.
    assert told["traced"] == [["failed", "it fails", "not so\n\nfirst\nthen", 4]]
    assert told["tasks"][0] == {"command": own, "args": ["lint", "."], "cwd": str(folder)}
    assert told["tasks"][1]["args"] == ["play", ".", "--chapter", "evening"]
    assert told["tasks"][2]["command"] == "/opt/other/tale"


def test_a_folder_that_is_not_trusted_starts_nothing_of_its_own(bundle: Path, folder: Path) -> None:
    told = run(bundle, folder, "untrusted")
    assert any("pipx install '.[editor]'" in text for text in told["warnings"])
    assert [task["command"] for task in told["tasks"]] == ["/opt/other/tale"]
    assert told["runs"] == []


def test_the_program_on_the_path_is_found(bundle: Path, folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "bin"
    (folder / ".venv" / "bin").rename(elsewhere)
    told = run(bundle, folder, path=f"{elsewhere}:/usr/bin:/bin")
    assert told["tasks"][0]["command"] == str(elsewhere / "tale")
