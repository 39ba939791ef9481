"""Random programs do the same in every engine, cell for cell, also where they end in a fault."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine

from ..ir.programs import Maker, cut_module, play

# A seed has no smaller form that would say more.
MANY = settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
SEEDS = st.integers(0, 2**32)


@pytest.mark.unwatched
@MANY
@given(SEEDS)
def test_programs_do_the_same_in_both_engines(seed: int) -> None:
    module = cut_module(Maker(Random(seed)).module())
    wasm = play(WasmEngine().load(module).machine(), seed % 7 - 3)
    python = play(PythonEngine().load(module).machine(), seed % 7 - 3)
    assert wasm.fault == python.fault
    assert wasm.states == python.states
