"""The conformance tests: what each construct of the language means, written in the language itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from talewright.compiler.document.assembly import write
from talewright.compiler.in_memory import compile_together, memory_package
from talewright.runtime.checking import checked_document
from talewright.runtime.testing import Runner

FOLDER = Path(__file__).resolve().parent
FILES = sorted(FOLDER.glob("*.tale"))
EXAMPLES = {f"E{number}" for number in range(1, 15)}


def _named(path: Path) -> str:
    return path.stem


def test_there_are_constructs_to_test() -> None:
    assert len(FILES) > 30


@pytest.mark.parametrize("path", FILES, ids=_named)
def test_construct(path: Path) -> None:
    result = compile_together(memory_package({path.name: path.read_text("utf-8")}))
    errors = [f"{f.span.line}: {f.message}" for f in result.diagnostics if f.severity == "error"]
    assert result.document is not None, errors
    # What is played is what was written: the document goes through bytes and every check of a loader.
    outcomes = list(Runner(checked_document(write(result.document))).run())
    assert outcomes
    failed = [f"{path.name}:{o.failed_line}: {o.title}: {o.message}" for o in outcomes if not o.passed]
    assert not failed, "\n".join(failed)


def test_every_example_of_the_semantics_is_shown() -> None:
    shown = {
        line.partition('"')[2].partition(":")[0]
        for path in FILES
        for line in path.read_text("utf-8").splitlines()
        if line.startswith('test "E')
    }
    assert shown >= EXAMPLES
