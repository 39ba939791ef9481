"""The conformance tests: what each construct of the language means, written in the language itself, on both engines."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from talewright.compiler.document.document_builder import write
from talewright.compiler.in_memory import compile_together, memory_package
from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.proving.runner import Runner
from talewright.schemas.loading import load
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.document import Document

PATHS = {path.stem: path for path in sorted(Path(__file__).resolve().parent.glob("*.tale"))}
ENGINES = {"python": PythonEngine, "wasm": WasmEngine}
EXAMPLES = {f"E{number}" for number in range(1, 15)}


@cache
def document(name: str) -> Document:
    """The document of one file, through bytes and every check of a loader."""
    path = PATHS[name]
    result = compile_together(memory_package({path.name: path.read_text("utf-8")}))
    assert result.document is not None, [d.message for d in result.diagnostics]
    loaded = load(write(result.document))
    assert loaded.document is not None, loaded.problems
    return read_document(loaded.document)


def failures(name: str, engine: Engine, *, open_options: bool = True) -> list[str]:
    """What failed in one file."""
    outcomes = list(Runner(document(name), engine, thorough=True, open_options=open_options).run())
    assert outcomes
    return [f"{name}.tale:{o.failed_line}: {o.title}: {o.message}" for o in outcomes if not o.passed]


def test_there_are_constructs_to_test() -> None:
    assert len(PATHS) > 30


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", PATHS)
def test_construct(name: str, engine: str) -> None:
    failed = failures(name, ENGINES[engine]())
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "name", [name for name, path in PATHS.items() if "\noption " in path.read_text("utf-8")]
)
def test_construct_with_options_that_are_known(name: str, engine: str) -> None:
    """As in play, where a program is made for its options."""
    failed = failures(name, ENGINES[engine](), open_options=False)
    assert not failed, "\n".join(failed)


def test_every_example_of_the_semantics_is_shown() -> None:
    shown = {
        line.partition('"')[2].partition(":")[0]
        for path in PATHS.values()
        for line in path.read_text("utf-8").splitlines()
        if line.startswith('test "E')
    }
    assert shown >= EXAMPLES
