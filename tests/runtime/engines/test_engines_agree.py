"""Random programs do the same in every engine, cell for cell, also where they end in a fault."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir.build import add, const, equal, less, mul
from talewright.runtime.ir.kernel import translate_text
from talewright.runtime.ir.nodes import Assign, Block, Branch, Function, If, Local, Loop, Module, Return

from ..ir.programs import Maker, cut_module, play

# A seed has no smaller form that would say more.
MANY = settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
SEEDS = st.integers(0, 2**32)


ENGINES: tuple[Engine, ...] = (WasmEngine(), WasmEngine(baseline=True), PythonEngine())


def assert_engines_agree(module: Module, argument: int) -> None:
    first, *others = (play(engine.load(module).machine(), argument) for engine in ENGINES)
    for other in others:
        assert other.fault == first.fault
        assert other.states == first.states


@MANY
@given(SEEDS)
def test_programs_do_the_same_in_every_engine(seed: int) -> None:
    module = cut_module(Maker(Random(seed)).module())
    assert_engines_agree(module, seed % 7 - 3)


@MANY
@given(SEEDS)
# The address of a store calls a function, and its value reads what that function changes.
@example(4197633693)
def test_functions_that_never_ask_do_the_same_in_every_engine(seed: int) -> None:
    """These keep their loops and blocks, one inside of the other, which cutting takes apart."""
    module = cut_module(Maker(Random(seed), asking=False, faulty=False).module())
    assert_engines_agree(module, seed % 7 - 3)


COUNTING = """
def upward(i: int, end: int) -> int:
    count = 0
    while i < end:
        i += 2
        count += 1
        if count == 6:
            break
    return i ^ count

def until(i: int, end: int) -> int:
    count = 0
    while i <= end and count < 6:
        i += 1
        count += 1
    return i ^ count

def downward(i: int, end: int) -> int:
    count = 0
    while i > end:
        i -= 2
        count += 1
        if count == 6:
            break
    return i ^ count

def either_way(i: int, end: int) -> int:
    if i >= end:
        return i - end
    if i == 5:
        end = i
    return end + i - 1

def outward(i: int, end: int) -> int:
    count = 0
    while i < 9:
        j = 0
        while j < 9:
            k = 0
            while k < 9:
                k += 1
                count += i + j * 10 + k * 100
                if k == end:
                    break
                if k + j == 7:
                    return count
            j += 1
            if i + j == end:
                break
        i += 1
    return count
"""

EXTREMES = (2**31 - 1, 2**31 - 2, 2**31 - 3, -(2**31), -(2**31) + 1, -(2**31) + 2, 0, 1, 5, -1)


@pytest.mark.parametrize("name", ["upward", "until", "downward", "either_way", "outward"])
def test_counting_near_the_bounds_wraps_in_every_engine(name: str) -> None:
    functions = translate_text(COUNTING, "counting.py")
    module = Module(functions, exports=tuple(function.name for function in functions))
    machines = [engine.load(module).machine() for engine in ENGINES]
    for first in EXTREMES:
        for second in EXTREMES:
            start = first % 12 - 3 if name == "outward" else first
            found = {machine.call(name, start, second) for machine in machines}
            assert len(found) == 1, (first, second)


def test_a_branch_through_several_loops_goes_where_it_should() -> None:
    """Each way out of three loops, and back to the head of each."""
    for target in ("a", "b", "c", "a.end", "b.end", "c.end"):
        leave = If(equal(Local(1), const(3)), (Branch(target),))
        once = If(equal(Local(1), const(6)), (Return(Local(2)),))
        inner = Block(
            "c.end",
            (Loop("c", (tick(1), leave, once, If(less(Local(1), const(8)), (Branch("c"),)))), note(7)),
        )
        middle = Block(
            "b.end", (Loop("b", (note(5), inner, If(less(Local(1), const(8)), (Branch("b"),)))), note(11))
        )
        outer = Block(
            "a.end", (Loop("a", (note(3), middle, If(less(Local(1), const(8)), (Branch("a"),)))), note(13))
        )
        function = Function("main", 1, 3, True, (outer, Return(Local(2))))
        module = Module((function,), exports=("main",))
        results = {engine.load(module).machine().call("main", 0) for engine in ENGINES}
        assert len(results) == 1, target


def tick(local: int) -> Assign:
    return Assign(local, add(Local(local), const(1)))


def note(number: int) -> Assign:
    """Adds a digit to local 2, so that its value tells the way that was gone."""
    return Assign(2, add(mul(Local(2), const(17)), const(number)))
