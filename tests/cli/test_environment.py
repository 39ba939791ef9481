"""How `./tale` and `./check` set themselves up: from lock files with hashes, and with a clear word where that fails."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock")
# A Python that makes an environment of itself; what its pip says, and whether it succeeds, stands in a file.
FAKE = """#!/bin/sh
echo "$*" >>"$CALLS"
case "$*" in
*"-m venv"*) mkdir -p "$4/bin" && cp "$0" "$4/bin/python" ;;
*"--require-hashes"*) cat "$SAYS"; [ ! -s "$SAYS" ] ;;
*"--editable"*) printf '#!/bin/sh\\necho played\\n' >.venv/bin/tale && chmod +x .venv/bin/tale ;;
esac
"""
UNREACHABLE = "WARNING: Retrying after connection broken by 'NewConnectionError'\nERROR: No matching distribution found for attrs"
CHANGED = "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE."
UNFIT = "ERROR: No matching distribution found for wasmtime==50.0.1"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    for name in ("tale", "pyproject.toml", "setup.py", *LOCKS):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    (tmp_path / "python").write_text(FAKE)
    (tmp_path / "python").chmod(0o755)
    return tmp_path


def started(clone: Path, says: str) -> tuple[subprocess.CompletedProcess[str], list[str]]:
    """What the first `./tale` says where pip says this, and the calls of Python."""
    (clone / "says").write_text(says)
    (clone / "calls").write_text("")
    surroundings = {
        "PYTHON": str(clone / "python"),
        "CALLS": str(clone / "calls"),
        "SAYS": str(clone / "says"),
    }
    done = subprocess.run(
        [str(clone / "tale")], env=os.environ | surroundings, capture_output=True, text=True, check=False
    )
    return done, (clone / "calls").read_text().splitlines()


def test_the_first_call_says_what_it_does_and_installs_by_hashes(clone: Path) -> None:
    done, calls = started(clone, "")
    assert (done.returncode, done.stdout) == (0, "played\n")
    first, second = done.stderr.splitlines()
    assert "making a virtual environment" in first
    assert "needs a network" in first
    assert "requirements.lock" in second
    (by_hashes,) = (call for call in calls if "--require-hashes" in call)
    assert "--requirement requirements.lock" in by_hashes
    (own,) = (call for call in calls if "--editable" in call)
    assert "--no-deps --no-build-isolation" in own
    again, calls = started(clone, "")
    assert (again.stdout, again.stderr, calls) == ("played\n", "", [])


def test_a_changed_lock_file_is_installed_anew(clone: Path) -> None:
    started(clone, "")
    with (clone / "requirements.lock").open("a") as lock:
        lock.write("# other versions\n")
    _, calls = started(clone, "")
    assert any("--require-hashes" in call for call in calls)


@pytest.mark.parametrize(
    ("says", "told"),
    [(UNREACHABLE, "the package index cannot be reached"), (CHANGED, "nothing was installed")],
)
def test_what_cannot_be_trusted_or_reached_is_not_tried_otherwise(clone: Path, says: str, told: str) -> None:
    done, calls = started(clone, says)
    assert done.returncode == 2
    assert told in done.stderr
    assert not any("--editable" in call for call in calls)


def test_a_lock_file_that_does_not_fit_is_told_and_left_aside(clone: Path) -> None:
    done, calls = started(clone, UNFIT)
    assert done.returncode == 0
    assert "does not fit this Python or system" in done.stderr
    assert any(call.endswith("--editable .") and "--no-deps" not in call for call in calls)


def pinned(name: str) -> dict[str, str]:
    """The versions of a lock file by package."""
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", (ROOT / name).read_text(), re.MULTILINE))


def test_the_lock_files_hold_what_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = {"requirements.lock": project["dependencies"]}
    extras = project["optional-dependencies"]
    wanted["requirements-dev.lock"] = [
        *project["dependencies"],
        *(text for group in extras.values() for text in group),
    ]
    for name, declared in wanted.items():
        versions = pinned(name)
        for requirement in (made for made in map(Requirement, declared) if made.name != project["name"]):
            assert requirement.specifier.contains(versions[requirement.name]), f"run .ci/lock: {requirement}"
    assert pinned("requirements.lock").items() <= pinned("requirements-dev.lock").items()


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_a_hash_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    entries = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) >= len(pinned(name)) > 10
    assert all("--hash=sha256:" in entry for entry in entries)
    assert "://" not in text


@pytest.mark.parametrize("install", ["yes", "no"])
def test_a_missing_browser_is_told_and_can_be_declined(install: str, tmp_path: Path) -> None:
    """The step of `./check` alone, where nothing but a false apt-get and `grep` can be found."""
    script = (ROOT / "check").read_text()
    step = re.search(r"^wanted\(\) \{$.*?^\}$", script, re.DOTALL | re.MULTILINE)
    browser = re.search(r"^    (wanted chromium .*)$", script, re.MULTILINE)
    assert step is not None
    assert browser is not None
    apt = tmp_path / "apt-get"
    apt.write_text('#!/bin/sh\necho "$*" >>calls\nexit 1\n')
    apt.chmod(0o755)
    (tmp_path / "build").mkdir()
    bash = shutil.which("bash")
    assert bash is not None
    told = subprocess.run(
        [bash, "-c", f"{step[0].replace('EUID == 0', '1')}\n{browser[1]}"],
        cwd=tmp_path,
        env={"PATH": str(tmp_path), "CHECK_INSTALL": install},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "tests look at the pages of reports" in told
    assert ("decline with CHECK_INSTALL=no" in told) == (install == "yes")
    assert (tmp_path / "calls").exists() == (install == "yes")
    assert "left out and named below" in told
