"""The shape of the code: small folders with a map each, and no towers of classes."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("dsl", "compiler", "report", "cli", "schemas", "lsp")
MAX_DEPTH = 2
MAX_MODULES = 20
# One file a check: there are as many as there are checks.
LARGE = {"compiler/checks"}


def modules(package: str) -> list[Path]:
    return sorted(path for path in (ROOT / package).rglob("*.py") if "templates" not in path.parts)


def bases_of(package: str) -> dict[str, list[str]]:
    """The names of the bases of every class of a package."""
    found: dict[str, list[str]] = {}
    for path in modules(package):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[node.name] = [base.id for base in node.bases if isinstance(base, ast.Name)]
    return found


def depth(name: str, bases: dict[str, list[str]]) -> int:
    return 1 + max((depth(base, bases) for base in bases[name] if base in bases and base != name), default=0)


def test_the_depth_of_a_chain_is_measured() -> None:
    bases = {"A": ["Exception"], "B": ["A"], "C": ["B", "Other"]}
    assert [depth(name, bases) for name in "ABC"] == [1, 2, 3]


@pytest.mark.parametrize("package", PACKAGES)
def test_no_class_has_a_grandparent_of_our_own(package: str) -> None:
    bases = bases_of(package)
    assert [name for name in bases if depth(name, bases) > MAX_DEPTH] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_no_folder_is_too_full(package: str) -> None:
    counts: dict[str, int] = {}
    for path in modules(package):
        folder = path.parent.relative_to(ROOT).as_posix()
        counts[folder] = counts.get(folder, 0) + (path.name != "__init__.py")
    assert {name for name, count in counts.items() if count > MAX_MODULES} <= LARGE


@pytest.mark.parametrize("package", PACKAGES)
def test_every_folder_has_a_map(package: str) -> None:
    for folder in sorted({path.parent for path in modules(package)}):
        text = folder.joinpath("__init__.py").read_text(encoding="utf-8")
        lines = (ast.get_docstring(ast.parse(text)) or "").splitlines()
        assert 3 <= len(lines) <= 10, f"{folder} needs a map of three to ten lines"


@pytest.mark.parametrize("package", [*PACKAGES, "runtime"])
def test_a_map_names_what_is_there(package: str) -> None:
    for folder in sorted({path.parent for path in modules(package)}):
        text = folder.joinpath("__init__.py").read_text(encoding="utf-8")
        for line in (ast.get_docstring(ast.parse(text)) or "").splitlines():
            for name in re.findall(r"`(\w\w+)/?`", line.partition(":")[0]) if line.startswith("- ") else ():
                assert folder.joinpath(name).exists() or folder.joinpath(f"{name}.py").exists(), (
                    f"{folder}: {name}"
                )
