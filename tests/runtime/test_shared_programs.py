"""Tests in Tale whose settings mean the same are played by one program."""

from __future__ import annotations

from talewright.runtime.engines.interface import Program
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.ir.nodes import Module
from talewright.runtime.proving.runner import Runner
from talewright.schemas.nodes.codec import read_document

from .small_games import document

TEXT = """
kind Scene is Chapter
Scene here "Here"

option depth: 1 | 2 = 2 "How deep"
state log: int = 0
action dive: log + depth

test "left out":
    when dive
    expect log == 2

test "the default":
    start here with depth 2
    when dive
    expect log == 2

test "another":
    start here with depth 1
    when dive
    expect log == 1
"""


class CountingEngine(PythonEngine):
    """Counts the programs that it loads."""

    loaded = 0

    def load(self, module: Module) -> Program:
        self.loaded += 1
        return super().load(module)


def test_a_default_that_is_written_needs_no_program_of_its_own() -> None:
    engine = CountingEngine()
    outcomes = list(Runner(read_document(document(TEXT)), engine).run())
    assert [outcome.message for outcome in outcomes] == ["", "", ""]
    assert engine.loaded == 2
