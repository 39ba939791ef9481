"""After each of many random edits a running server knows what a fresh compilation finds.

`TALE_EDITS=2000 pytest tests/lsp/test_edits.py` makes more of them; `TALE_EDITS_SEED` begins elsewhere, and
`TALE_EDITS_IN` names other packages by their folders, or `all` of them.
"""

from __future__ import annotations

import importlib.util
import os
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from talewright.compiler.incremental import parsed_files
from talewright.compiler.passes import compile_packages
from talewright.dsl.diagnostics import Diagnostic
from talewright.dsl.packages.loader import load_package, packages_below
from talewright.dsl.parser import parse
from talewright.dsl.source import Source
from talewright.lsp.project import Project

SCENARIOS = Path(__file__).parents[2] / "scenarios"
FEW = "salem/night dark_rituals/system brimstone/fistful"
ALL = " ".join(str(found.relative_to(SCENARIOS)) for found in packages_below(SCENARIOS))
PACKAGES = os.environ.get("TALE_EDITS_IN", FEW).replace("all", ALL).split()
EDITS = int(os.environ.get("TALE_EDITS", "60"))
SEED = os.environ.get("TALE_EDITS_SEED", "")
# So many keystrokes go into one text before it is put back: mistakes pile up quickly.
IN_A_ROW = 3
TYPED = 'abcdefghijklmnopqrstuvwxyz    \n:.,;(){}"#_0123456789A>'

_spec = importlib.util.spec_from_file_location(
    "tale_test_edits", Path(__file__).parents[1] / "compiler" / "edits.py"
)
assert _spec is not None
assert _spec.loader is not None
_edits = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_edits)


@lru_cache(maxsize=400)
def _parsed(name: str, text: str) -> Any:
    return parse(Source(name, text))


def found_anew(folder: Path, unsaved: dict[str, str]) -> list[Diagnostic]:
    """The findings without anything kept but the trees of texts that were the same before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parsed_files, "parse", lambda source: _parsed(source.name, source.text))
        return compile_packages(load_package(folder, unsaved=unsaved), None, document=False).diagnostics


def typed(text: str, chance: Random) -> str:
    """The text after one keystroke, or after a larger change."""
    if chance.random() < 0.4:
        return str(_edits.edited(text, chance, 1))
    at = chance.randrange(len(text) + 1)
    return (
        text[:at] + chance.choice(TYPED) + text[at:] if chance.random() < 0.7 else text[:at] + text[at + 1 :]
    )


@pytest.mark.parametrize("package", PACKAGES)
def test_the_findings_are_those_of_lint(package: str) -> None:
    chance = Random(f"{package}{SEED}")
    folder = SCENARIOS / package
    project = Project(folder)
    project.compile({})
    # Files of the packages it uses are edited too: their changes reach further.
    texts = {path: source.text for path, source in project.sources().items() if path.endswith(".tale")}
    unsaved: dict[str, str] = {}
    for number in range(EDITS // len(PACKAGES)):
        if number % IN_A_ROW == 0:
            unsaved = {}
        path = chance.choice(list(unsaved) or sorted(texts))
        unsaved[path] = typed(unsaved.get(path, texts[path]), chance)
        there = project.compile(dict(unsaved)).diagnostics
        assert there == found_anew(folder, unsaved), f"after edit {number} in {path}"
