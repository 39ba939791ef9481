"""Programs with short functions in place of their calls do what they did before."""

from __future__ import annotations

from random import Random

from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.header import TOO_DEEP, TOO_MUCH
from talewright.runtime.ir.kernel import translate_text
from talewright.runtime.ir.passes.pipeline import finished

from .programs import CELLS, DEEPEST, LOG_END, REGIONS, Maker, Played, cut_module, play, playable

MANY = settings(max_examples=60, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
SEEDS = st.integers(0, 2**32)


def inlined_module(module: n.Module) -> n.Module:
    """The module as an engine runs it, with short functions in place of their calls."""
    return finished(module, REGIONS, ("main",), DEEPEST, inline=True, thorough=True)


def written(played: Played) -> list[bytes]:
    """What a program had written at every stop."""
    return [state[CELLS * 4 : LOG_END * 4] for state in played.states]


@MANY
@given(SEEDS)
def test_a_program_does_the_same_with_functions_in_place_of_calls(seed: int) -> None:
    module = Maker(Random(seed), cycles=seed % 3 == 0).module()
    before = play(PythonEngine().load(cut_module(module)).machine(), seed % 5)
    after = play(WasmEngine().load(inlined_module(module)).machine(), seed % 5)
    # Functions that are gone count neither as deep nor as steps.
    assume(before.fault is None or before.fault[0] not in (TOO_MUCH, TOO_DEEP))
    assert after.fault == before.fault
    assert written(after) == written(before)


SAMPLE = """
from talewright.runtime.ir.intrinsics import M

BOX = 100


def twice(a: int) -> int:
    return a + a


def later(a: int) -> int:
    M[BOX] += a
    return M[BOX]


def least(a: int, b: int) -> int:
    if a < b:
        return a
    return b


def found(a: int) -> int:
    i = 0
    while i < 10:
        if M[BOX + i] == a:
            return i
        i += 1
    return -1


def main(seed: int) -> None:
    M[BOX] = seed
    M[BOX + 1] = twice(seed + 1)
    M[BOX + 2] = M[BOX] + later(3)
    M[BOX + 3] = later(4) + M[BOX]
    M[BOX + 4] = least(later(1), twice(later(1)))
    if M[BOX] > 5 and later(100) > 0:
        M[BOX + 5] = found(twice(21))
    i = 0
    while found(i) < 0 and i < 50:
        i += least(2, 1)
    M[BOX + 6] = i
"""


def test_values_are_worked_out_in_the_order_of_the_text() -> None:
    functions = translate_text(SAMPLE, "sample.py")
    module = playable(functions)
    assert {"twice", "least"}.isdisjoint(function.name for function in inlined_module(module).functions)
    for seed in range(-3, 9):
        before = play(PythonEngine().load(cut_module(module)).machine(), seed)
        after = play(PythonEngine().load(inlined_module(module)).machine(), seed)
        assert written(after) == written(before)
