"""Loops pay for their steps, those that count for all of them at once."""

from __future__ import annotations

import pytest

from talewright.runtime.engines.interface import EngineFault
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir.build import add, binary, const
from talewright.runtime.ir.header import STEPS, TOO_MUCH
from talewright.runtime.ir.kernel import translate_text
from talewright.runtime.ir.nodes import (
    Assign,
    Block,
    Body,
    Branch,
    Call,
    Function,
    If,
    Local,
    Loop,
    Module,
    Return,
)
from talewright.runtime.ir.passes.metering import meter

LIMIT = 1000
LOWEST = -(2**31)
ENGINES = (WasmEngine(), PythonEngine())

SAMPLE = """
from talewright.runtime.ir.intrinsics import M

BOX = 100


def up(i: int, end: int) -> int:
    while i < end:
        i += 1
    return i


def up_to(i: int, end: int) -> int:
    while i <= end:
        i += 1
    return i


def down(i: int, end: int) -> int:
    while i > end:
        i -= 1
    return i


def left_early(i: int, end: int) -> int:
    while i < end:
        if i == 3:
            return i
        i += 1
    return i


def moving_bound(i: int, end: int) -> int:
    while i < end:
        if i == 3:
            end = 5
        i += 1
    return i


def by_twos(i: int, end: int) -> int:
    while i < end:
        i += 2
    return i


def by_memory(i: int, end: int) -> int:
    M[BOX] = end
    while i < M[BOX]:
        i += 1
    return i
"""


def metered() -> Module:
    functions = translate_text(SAMPLE, "sample.py")
    return meter(Module(functions, exports=tuple(function.name for function in functions)), 10)


@pytest.mark.parametrize(
    ("name", "start", "end", "steps"),
    [
        ("up", 0, 7, 7),
        ("up", 7, 7, 0),
        ("up", 9, 7, 0),
        ("up", 0, LIMIT, LIMIT),
        ("up_to", 0, 7, 8),
        ("up_to", 8, 7, 0),
        ("down", 7, 0, 7),
        ("down", 0, 7, 0),
        # It pays for the times that do not happen, too.
        ("left_early", 0, 9, 9),
        ("moving_bound", 0, 9, 5),
        ("by_twos", 0, 9, 5),
        ("by_memory", 0, 7, 7),
    ],
)  # fmt: skip
def test_steps_are_paid(name: str, start: int, end: int, steps: int) -> None:
    for engine in ENGINES:
        machine = engine.load(metered()).machine()
        machine.write(STEPS, [LIMIT])
        machine.call(name, start, end)
        assert machine.read(STEPS, 1) == [LIMIT - steps]


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("up", 0, LIMIT + 1),
        ("up", LOWEST, 2**31 - 1),
        ("down", 2**31 - 1, LOWEST),
        ("by_memory", 0, LIMIT + 1),
    ],
)
def test_without_steps_it_is_a_fault(name: str, start: int, end: int) -> None:
    for engine in ENGINES:
        machine = engine.load(metered()).machine()
        machine.write(STEPS, [LIMIT])
        with pytest.raises(EngineFault) as caught:
            machine.call(name, start, end)
        assert caught.value.code == TOO_MUCH


DEEP = 60


def doubling() -> Module:
    """Each function calls the one before it twice."""
    functions = [Function("f0", 0, 0, True, (Return(const(1)),))]
    for number in range(1, DEEP):
        before = Call(f"f{number - 1}")
        functions.append(Function(f"f{number}", 0, 0, True, (Return(binary("or", before, before)),)))
    return Module(tuple(functions), exports=("f8", f"f{DEEP - 1}"))


def nesting(depth: int) -> Function:
    """Short loops of known length in each other."""
    body: Body = ()
    for number in range(depth):
        leave = If(binary("ge", Local(number), const(3)), (Branch(f"out{number}"),))
        on = (Assign(number, add(Local(number), const(1))), Branch(f"again{number}"))
        body = (
            Assign(number, const(0)),
            Block(f"out{number}", (Loop(f"again{number}", (leave, *body, *on), times=3),)),
        )
    return Function(f"nested{depth}", 0, depth, True, (*body, Return(const(1))))


def nested() -> Module:
    return Module((nesting(2), nesting(DEEP)), exports=("nested2", f"nested{DEEP}"))


@pytest.mark.parametrize(
    ("module", "little", "much"), [(doubling(), "f8", "f59"), (nested(), "nested2", "nested60")]
)
def test_little_is_free_and_what_multiplies_is_not(module: Module, little: str, much: str) -> None:
    for engine in ENGINES:
        machine = engine.load(meter(module, 10)).machine()
        machine.write(STEPS, [LIMIT])
        assert machine.call(little) == 1
        assert machine.read(STEPS, 1) == [LIMIT]
        with pytest.raises(EngineFault) as caught:
            machine.call(much)
        assert caught.value.code == TOO_MUCH
        assert machine.read(STEPS, 1) == [0]
