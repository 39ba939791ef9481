"""No program hangs, crashes the process or leaves its memory: it ends in a fault, the same in every engine."""

from __future__ import annotations

import pytest

from talewright.runtime.engines.interface import PAGE, Engine, EngineFault
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.faults import LoadError
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import ZERO, add, binary, cell, const
from talewright.runtime.ir.header import (
    BAD_ADDRESS,
    BAD_CALL,
    DEPTH,
    DIVISION_BY_ZERO,
    FAILED,
    FAULT_CODE,
    FAULT_SPOT,
    FAULTED,
    FORGIVING,
    LENIENT,
    NONE,
    NONE_IN_ARITHMETIC,
    NOWHERE,
    STATUS,
    STEPS,
    TOO_DEEP,
    TOO_MUCH,
)
from talewright.runtime.ir.passes.metering import in_cycles, meter
from talewright.runtime.ir.validate import validate
from talewright.schemas.records import replace

ENGINES: list[Engine] = [WasmEngine(), WasmEngine(baseline=True), PythonEngine()]
every_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)


def function(*body: n.Statement, parameters: int = 1, result: bool = True, name: str = "main") -> n.Function:
    return n.Function(name, parameters, parameters + 2, result, body, spot=77)


def module(
    *functions: n.Function, table: tuple[n.Slot, ...] = (), exports: tuple[str, ...] = ("main",)
) -> n.Module:
    made = n.Module(functions, table, exports)
    validate(made)
    return made


def fault_of(engine: Engine, program: n.Module, *arguments: int, steps: int = 1000) -> tuple[int, int]:
    """The fault in which a program ends; the header must say the same, and the machine must go on."""
    machine = engine.load(program).machine()
    machine.write(STEPS, [steps])
    with pytest.raises(EngineFault) as found:
        machine.call("main", *arguments)
    fault = found.value
    assert machine.read(STATUS, 1) == [FAULTED]
    assert machine.read(FAULT_CODE, 1) == [fault.code]
    assert machine.read(FAULT_SPOT, 1) == [fault.spot]
    machine.write(0, [0] * 16)
    assert machine.read(0, 16) == [0] * 16
    return fault.code, fault.spot


@every_engine
@pytest.mark.parametrize(
    "endless",
    [
        n.Loop("a", (n.Branch("a"),), spot=5),
        n.Loop("a", (n.If(const(1), (n.Branch("a"),)),), spot=5),
        n.Loop("a", (n.If(n.Local(0), (n.Branch("a"),)), n.Branch("a")), spot=5),
        n.Block("x", (n.Loop("a", (n.If(n.Not(n.Local(0)), (n.Branch("x"),)), n.Branch("a")), spot=5),)),
        n.Loop("o", (n.Loop("a", (n.Branch("o"),)),), spot=5),
        n.Loop("o", (n.Loop("a", (n.If(n.Local(0), (n.Branch("o"),)), n.Branch("a"))),), spot=5),
    ],
)
def test_an_endless_loop_runs_out_of_steps(engine: Engine, endless: n.Statement) -> None:
    program = meter(module(function(endless)), 100)
    code, _ = fault_of(engine, program, 1)
    assert code == TOO_MUCH


@every_engine
def test_a_loop_that_ends_in_time_costs_its_steps(engine: Engine) -> None:
    count = n.Assign(1, add(n.Local(1), const(1)))
    test = n.If(binary("ge", n.Local(1), n.Local(0)), (n.Branch("out"),))
    loop = n.Block("out", (n.Loop("again", (test, count, n.Branch("again")), spot=9),))
    program = meter(module(function(loop, n.Return(n.Local(1)))), 100)
    machine = engine.load(program).machine()
    machine.write(STEPS, [100])
    assert machine.call("main", 100) == 100
    assert machine.read(STEPS, 1) == [0]
    assert fault_of(engine, program, 101, steps=100) == (TOO_MUCH, 9)


def recursive(deepest: int) -> n.Module:
    again = n.Call("main", (add(n.Local(0), const(-1)),))
    body = (n.If(n.Local(0), (n.Return(add(again, const(1))),)), n.Return(ZERO))
    return meter(module(function(*body)), deepest)


@every_engine
def test_calls_that_go_too_deep_are_a_fault(engine: Engine) -> None:
    program = recursive(200)
    machine = engine.load(program).machine()
    machine.write(STEPS, [10000])
    assert machine.call("main", 199) == 199
    assert machine.read(DEPTH, 1) == [0]
    assert fault_of(engine, program, 200) == (TOO_DEEP, 77)
    assert fault_of(engine, program, -1, steps=10**9) == (TOO_DEEP, 77)


@every_engine
def test_a_stack_that_overflows_is_a_fault_even_if_nobody_counts(engine: Engine) -> None:
    again = n.Return(add(n.Call("main", (n.Local(0),)), const(1)))
    assert fault_of(engine, module(function(again)), 1) == (TOO_DEEP, NOWHERE)


def test_cycles_are_found_through_names_and_through_the_table() -> None:
    a = function(n.Return(n.Call("b", (ZERO,))), name="a")
    b = function(n.Return(n.CallIndirect(ZERO, (ZERO,))), name="b")
    c = function(n.Return(n.Call("a", (ZERO,))), name="c")
    d = function(n.Return(ZERO), parameters=2, name="d")
    program = module(a, b, c, d, table=(n.Slot("c"), n.Slot("d")), exports=())
    assert in_cycles(program) == {"a", "b", "c"}
    assert in_cycles(module(a, b, c, d, table=(n.Slot("d"),), exports=())) == frozenset()


LAST = PAGE - 1


@every_engine
@pytest.mark.parametrize("address", [-1, PAGE, -5, 1 << 28, 1_000_000_000, -1_000_000_000])
def test_an_address_outside_of_memory_is_a_fault(engine: Engine, address: int) -> None:
    read = module(function(n.Return(n.Load(n.Local(0)))))
    write = module(function(n.Store(n.Local(0), 0, const(1)), result=False))
    assert fault_of(engine, read, address) == (BAD_ADDRESS, NOWHERE)
    assert fault_of(engine, write, address) == (BAD_ADDRESS, NOWHERE)


@every_engine
def test_a_negative_address_is_a_fault_whatever_the_offset(engine: Engine) -> None:
    assert fault_of(engine, module(function(n.Return(n.Load(n.Local(0), 10)))), -1) == (BAD_ADDRESS, NOWHERE)
    assert fault_of(engine, module(function(n.Return(n.Load(n.Local(0), -1)))), 0) == (BAD_ADDRESS, NOWHERE)
    machine = engine.load(module(function(n.Return(n.Load(n.Local(0), -1))))).machine()
    machine.write(LAST, [5])
    assert machine.call("main", PAGE) == 5


@every_engine
@pytest.mark.parametrize(
    ("target", "source", "count"),
    [(-1, 0, 2), (0, -1, 2), (0, 0, -1), (LAST, 0, 2), (0, LAST, 2), (PAGE + 1, 0, 1), (0, 0, 1 << 28)],
)
def test_a_copy_that_leaves_memory_is_a_fault(engine: Engine, target: int, source: int, count: int) -> None:
    copy = n.Copy(n.Local(0), n.Local(1), n.Local(2))
    program = module(function(copy, parameters=3, result=False))
    assert fault_of(engine, program, target, source, count) == (BAD_ADDRESS, NOWHERE)
    machine = engine.load(program).machine()
    machine.write(100, [1, 2, 3])
    machine.call("main", 101, 100, 3)
    assert machine.read(100, 4) == [1, 1, 2, 3]


@every_engine
@pytest.mark.parametrize("count", [0, 1, 2, 23, 24, 25, 26, 200])
@pytest.mark.parametrize("distance", [-30, -1, 0, 1, 2, 30])
def test_cells_are_copied_as_they_were(engine: Engine, count: int, distance: int) -> None:
    copy = n.Copy(n.Local(0), n.Local(1), n.Local(2))
    machine = engine.load(module(function(copy, parameters=3, result=False))).machine()
    machine.write(1000, list(range(1, count + 1)))
    machine.call("main", 1000 + distance, 1000, count)
    assert machine.read(1000 + distance, count) == list(range(1, count + 1))


@every_engine
def test_a_fault_that_is_forgiven_gives_nothing_and_is_noted(engine: Engine) -> None:
    divided = n.Checked("div", const(7), n.Local(0), 3)
    sum_ = n.Checked("add", divided, n.Checked("sub", n.Local(1), const(1), 4), 5)
    program = module(function(n.Return(sum_), parameters=2))
    assert fault_of(engine, program, 0, 1) == (DIVISION_BY_ZERO, 3)
    machine = engine.load(program).machine()
    machine.write(LENIENT, [FORGIVING])
    assert machine.call("main", 2, 1) == 3
    assert machine.read(LENIENT, 1) == [FORGIVING]
    assert machine.call("main", 0, 5) == 4
    assert machine.read(LENIENT, 1) == [FAILED]
    assert machine.call("main", 2, NONE) == 3


@every_engine
@pytest.mark.parametrize("index", [-1, 2, 3, 1 << 30])
def test_a_call_by_a_wrong_number_is_a_fault(engine: Engine, index: int) -> None:
    one = function(n.Return(const(1)), name="one")
    two = function(n.Return(const(2)), name="two", parameters=2)
    main = function(n.Return(n.CallIndirect(n.Local(0), (ZERO,))))
    program = module(main, one, two, table=(n.Slot("one"), n.Slot("two")))
    assert fault_of(engine, program, index) == (BAD_CALL, NOWHERE)
    # The function is there, and takes another number of arguments.
    assert fault_of(engine, program, 1) == (BAD_CALL, NOWHERE)
    assert engine.load(program).machine().call("main", 0) == 1


@every_engine
@pytest.mark.parametrize(
    ("operator", "left", "right", "code"),
    [
        ("add", 10**9, 1, TOO_MUCH),
        ("add", NONE, 5, NONE_IN_ARITHMETIC),
        ("add", NONE, NONE, NONE_IN_ARITHMETIC),
        ("sub", NONE, NONE, NONE_IN_ARITHMETIC),
        ("sub", 3, NONE, NONE_IN_ARITHMETIC),
        ("sub", -(10**9), 1, TOO_MUCH),
        ("mul", 0, NONE, NONE_IN_ARITHMETIC),
        ("mul", 40000, 40000, TOO_MUCH),
        ("mul", 10**9, 10**9, TOO_MUCH),
        ("div", 1, 0, DIVISION_BY_ZERO),
        ("div", NONE, 1000, NONE_IN_ARITHMETIC),
        ("rem", 1, 0, DIVISION_BY_ZERO),
        ("rem", 5, NONE, NONE_IN_ARITHMETIC),
    ],
)
def test_arithmetic_of_the_language_has_bounds(
    engine: Engine, operator: n.CheckedOperator, left: int, right: int, code: int
) -> None:
    program = module(function(n.Return(n.Checked(operator, n.Local(0), n.Local(1), 31)), parameters=2))
    assert fault_of(engine, program, left, right) == (code, 31)
    # The same with operands that are more than locals.
    cells = n.Checked(operator, binary("xor", n.Local(0), cell(50)), n.Load(ZERO, 51), 32)
    program = module(function(n.Store(ZERO, 51, n.Local(1)), n.Return(cells), parameters=2))
    assert fault_of(engine, program, left, right) == (code, 32)


@every_engine
def test_arithmetic_within_its_bounds(engine: Engine) -> None:
    expected = {"add": -3, "sub": -11, "mul": -28, "div": -2, "rem": 1}
    for operator in ("add", "sub", "mul", "div", "rem"):
        program = module(function(n.Return(n.Checked(operator, n.Local(0), n.Local(1), 1)), parameters=2))
        assert engine.load(program).machine().call("main", -7, 4) == expected[operator]


@every_engine
@pytest.mark.parametrize("depth", [30, 100])
def test_what_stands_deep_inside_of_each_other_still_runs(engine: Engine, depth: int) -> None:
    value: n.Expression = n.Local(0)
    for _ in range(depth):
        value = n.Binary(
            "xor", value, n.Not(n.Checked("add", value, const(0), 1) if depth < 12 else n.Local(0))
        )
    body: n.Body = (n.Assign(1, add(n.Local(1), const(1))),)
    for number in range(depth):
        body = (n.Block(f"b{number}", (n.Loop(f"l{number}", (n.If(n.Local(0), body),)),)), *body[-1:])
    deep = function(*body, n.Return(add(n.Local(1), value)))
    program = meter(module(deep), 100)
    machine = engine.load(program).machine()
    machine.write(STEPS, [10**6])
    assert machine.call("main", 1) == depth + 2


@pytest.mark.parametrize("engine", ENGINES[:2], ids=lambda engine: engine.name)
def test_a_function_beyond_the_limits_of_the_compiler_is_refused(engine: Engine) -> None:
    large = replace(function(n.Return(ZERO), name="too large"), locals=60_000)
    with pytest.raises(LoadError, match=r"`too large` cannot be compiled \(too many locals"):
        engine.load(module(function(n.Return(ZERO)), large))


def test_a_function_that_is_too_long_to_be_read_is_refused() -> None:
    long = function(*(n.Store(ZERO, 0, const(10**9)),) * 700_000, n.Return(ZERO))
    with pytest.raises(LoadError, match=r"too large to be compiled \(function body size count exceeds limit"):
        WasmEngine(baseline=True).load(n.Module((long,), (), (long.name,)))


@every_engine
def test_the_host_cannot_read_or_write_beyond_memory(engine: Engine) -> None:
    machine = engine.load(module(function(n.Return(ZERO)))).machine()
    assert machine.cells == PAGE
    for address, count in ((-1, 1), (PAGE, 1), (PAGE - 1, 2)):
        with pytest.raises(ValueError, match="do not lie in a memory"):
            machine.read(address, count)
        with pytest.raises(ValueError, match="do not lie in a memory"):
            machine.write(address, [0] * count)
        with pytest.raises(ValueError, match="do not lie in a memory"):
            machine.restore(address, bytes(4 * count))
    with pytest.raises(TypeError, match="takes 1 arguments, not 2"):
        machine.call("main", 1, 2)
