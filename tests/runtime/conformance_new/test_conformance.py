"""The conformance tests on the engine that plays documents as machine code: what each construct of the language means.

Every file runs in both engines. A file that does not pass yet stands in UNFINISHED with the reason, and only there; a test sees
to it that such a file really fails, so that the list can only shrink.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from talewright.compiler.document.assembly import write
from talewright.compiler.in_memory import compile_together, memory_package
from talewright.runtime.checking import checked_document
from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir.validate import InvalidModule
from talewright.runtime.proving.runner import Runner
from talewright.schemas.nodes.codec import read_document
from talewright.schemas.nodes.document import Document

FOLDER = Path(__file__).resolve().parents[2] / "conformance"
FILES = sorted(path.stem for path in FOLDER.glob("*.tale"))
ENGINES = {"python": PythonEngine, "wasm": WasmEngine}
UNFINISHED = {
    "grants": "grants of traits are not finished",
    "lending": "fields that are lent are not lowered",
    "making": "things made in play are not lowered",
    "no_map": "questions about maps are not lowered",
    "once": "which rule came into force last is not known",
    "ordering": "orders of rules are not lowered",
    "ordering_rivals": "orders of rules are not lowered",
    "squares": "grids are not lowered",
    "traits": "fields of traits that a thing fills are not lowered",
    "zones": "questions about squares are not lowered",
}


@cache
def document(name: str) -> Document:
    """The document of one file, through bytes and every check of a loader."""
    path = FOLDER / f"{name}.tale"
    result = compile_together(memory_package({path.name: path.read_text("utf-8")}))
    assert result.document is not None, [d.message for d in result.diagnostics]
    return read_document(checked_document(write(result.document)))


def failures(name: str, engine: Engine) -> list[str]:
    """What failed in one file."""
    outcomes = list(Runner(document(name), engine).run())
    assert outcomes
    return [f"{name}.tale:{o.failed_line}: {o.title}: {o.message}" for o in outcomes if not o.passed]


@pytest.mark.unwatched
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", [name for name in FILES if name not in UNFINISHED])
def test_construct(name: str, engine: str) -> None:
    failed = failures(name, ENGINES[engine]())
    assert not failed, "\n".join(failed)


@pytest.mark.unwatched
@pytest.mark.parametrize("name", UNFINISHED)
def test_what_is_unfinished_fails(name: str) -> None:
    try:
        failed = failures(name, WasmEngine())
    except (InvalidModule, IndexError, KeyError) as error:
        failed = [str(error)]
    assert failed, f"{name} passes now: take it out of UNFINISHED"


def test_only_files_that_exist_are_unfinished() -> None:
    assert set(UNFINISHED) <= set(FILES)
