"""What lowering made is let go of as soon as a program is there: without a collection of garbage."""

from __future__ import annotations

import gc

from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir.nodes import Function
from talewright.runtime.lower.assembly import assemble
from talewright.runtime.lower.program import Build
from talewright.schemas.garbage import no_collection
from talewright.schemas.nodes.codec import read_document

from .small_games import document

GAME = """
Ending gone "Gone"
state log: int = 0
action game:
    log + 1
    go to gone
"""


def _functions() -> int:
    return sum(type(found) is Function for found in gc.get_objects())


def test_a_program_leaves_no_functions_of_the_low_level_form_behind() -> None:
    nodes = read_document(document(GAME))
    kept = []
    with no_collection():
        for _ in range(2):
            program, module = assemble(nodes, {}, None, Build(events=True))
            running = WasmEngine(baseline=True).load(module)
            written = len(module.functions)
            del module
            kept.append((program, running, _functions()))
    # The first has the functions of the kernel read, which serve every program.
    assert written > 50
    assert kept[1][2] - kept[0][2] < 5
