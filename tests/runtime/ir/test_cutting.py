"""Functions that are cut at decisions do what they did before, wherever they stop."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from talewright.runtime.engines.interface import EngineFault
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import ZERO, add, cell, const, set_cell
from talewright.runtime.ir.header import (
    ANSWER,
    DEPTH,
    FRAME_TOP,
    OPTIONS,
    POLICY,
    RESULT,
    STATUS,
    STEPS,
    TOO_MUCH,
)
from talewright.runtime.ir.kernel import translate_text
from talewright.runtime.ir.passes.asking import DECIDE, may_ask, settle
from talewright.runtime.ir.passes.cutting import declared, flattened
from talewright.runtime.ir.passes.metering import meter
from talewright.runtime.ir.validate import InvalidModule, validate
from talewright.runtime.ir.walk import rewritten
from talewright.schemas.records import replace

from .programs import CELLS, DEEPEST, LOG_END, REGIONS, STEP_LIMIT, Maker, cut_module, play, playable

MANY = settings(max_examples=40, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
SEEDS = st.integers(0, 2**32)


def uncut_module(module: n.Module) -> n.Module:
    """The module in which `decide` answers at once: it cannot stop, and needs no cutting. `main` is called by the host."""
    settled = meter(settle(declared(module, ("main",)), ("main",)), DEEPEST)
    functions = tuple(replace(f, body=rewritten(f.body, answered)) for f in settled.functions)
    plain = replace(settled, functions=functions, exports=("main",))
    validate(plain, asking=False)
    return plain


def answered(node: n.Statement) -> n.Body:
    """What asks, answered at once."""
    match node:
        case n.AskingCall():
            return (n.Evaluate(n.Call(node.function, node.arguments)), *fetched(node.result, RESULT))
        case n.AskingCallIndirect():
            called = n.CallIndirect(node.index, node.arguments, result=False)
            return (n.Evaluate(called), *fetched(node.result, RESULT))
        case n.Ask():
            return (set_cell(ANSWER, n.Call(DECIDE, (cell(OPTIONS),))), *fetched(node.result, ANSWER))
    return (node,)


def fetched(result: int | None, address: int) -> n.Body:
    return () if result is None else (n.Assign(result, cell(address)),)


@MANY
@given(SEEDS)
def test_a_game_that_stops_goes_as_one_that_does_not(seed: int) -> None:
    module = Maker(Random(seed), cycles=seed % 3 == 0).module()
    asked = play(PythonEngine().load(cut_module(module)).machine(), seed % 5)
    plain = PythonEngine().load(uncut_module(module)).machine()
    plain.write(STEPS, [STEP_LIMIT])
    fault = None
    try:
        plain.call("main", seed % 5)
    except EngineFault as found:
        fault = (found.code, found.spot)
    # Each answer gives steps anew, so that the two may run out of them at different times.
    assume(fault is None or fault[0] != TOO_MUCH)
    assume(asked.fault is None or asked.fault[0] != TOO_MUCH)
    assume(len(asked.states) < 60)
    assert asked.fault == fault
    assert asked.machine.read(CELLS, LOG_END - CELLS) == plain.read(CELLS, LOG_END - CELLS)
    if fault is None:
        assert asked.machine.read(DEPTH, 1) == plain.read(DEPTH, 1) == [0]
        assert asked.machine.read(FRAME_TOP, 1) == [REGIONS.frames]


@MANY
@given(SEEDS)
def test_a_bot_that_answers_at_once_plays_the_same_game(seed: int) -> None:
    module = cut_module(Maker(Random(seed)).module())
    program = PythonEngine().load(module)
    asked = play(program.machine(), 1)
    machine = program.machine()
    machine.write(POLICY, [1])
    at_once = play(machine, 1)
    assume(
        not (asked.fault and asked.fault[0] == TOO_MUCH)
        and not (at_once.fault and at_once.fault[0] == TOO_MUCH)
    )
    assume(len(asked.states) < 60)
    assert at_once.fault == asked.fault
    assert len(at_once.states) == 1
    assert at_once.machine.read(CELLS, LOG_END - CELLS) == asked.machine.read(CELLS, LOG_END - CELLS)


@MANY
@given(SEEDS)
def test_a_game_goes_on_in_another_machine_and_another_engine(seed: int) -> None:
    module = cut_module(Maker(Random(seed), cycles=seed % 2 == 0).module())
    wasm, python = WasmEngine().load(module), PythonEngine().load(module)
    stays = play(wasm.machine(), seed % 5)
    moves = play(python.machine(), seed % 5, elsewhere=wasm)
    assert moves.fault == stays.fault
    assert moves.states == stays.states


@MANY
@given(SEEDS)
def test_loops_as_parts_do_what_loops_do(seed: int) -> None:
    module = uncut_module(Maker(Random(seed)).module())
    flat = replace(module, functions=tuple(map(flattened, module.functions)))
    validate(flat, asking=False)
    found = []
    for form in (module, flat):
        for engine in (PythonEngine(), WasmEngine()):
            machine = engine.load(form).machine()
            machine.write(STEPS, [STEP_LIMIT])
            fault = None
            try:
                machine.call("main", seed % 5)
            except EngineFault as trouble:
                fault = (trouble.code, trouble.spot)
            found.append((fault, machine.snapshot(0, LOG_END)))
    assert all(one == found[0] for one in found)


COUNTING = """
from talewright.runtime.ir.header import OPTIONS
from talewright.runtime.ir.intrinsics import M, ask

def inner(dead: int, alive: int) -> int:
    M[OPTIONS] = 2
    dead = dead * 2
    M[200] = dead
    chosen = ask()
    return chosen + alive

def main(seed: int) -> None:
    unused = seed * 3
    M[201] = unused
    kept = seed + 1
    got = inner(unused, 50)
    M[202] = got + kept
"""


def test_only_live_locals_are_written_into_a_frame() -> None:
    module = cut_module(playable(translate_text(COUNTING, "counting.py")))
    machine = WasmEngine().load(module).machine()
    machine.call("open_game", 7)
    assert machine.call("run") == 1
    top = machine.read(FRAME_TOP, 1)[0]
    # main: head of 3 and `kept`; inner: head of 3 and `alive`; each followed by its size.
    assert top - REGIONS.frames == 2 * (3 + 1 + 1)
    frames = machine.read(REGIONS.frames, top - REGIONS.frames)
    assert frames[3:5] == [8, 4]
    assert frames[8:10] == [50, 4]
    machine.call("answer", 1)
    assert machine.call("run") == 0
    assert machine.read(202, 1) == [59]


def test_who_asks_is_found_through_calls_and_written_into_every_call() -> None:
    functions = translate_text(COUNTING, "counting.py")
    module = declared(playable(functions), ("main",))
    assert may_ask(module) == {"main", "inner"}
    settled = {function.name: function for function in settle(module, ("main",)).functions}
    assert not settled["inner"].result
    assert any(isinstance(node, n.AskingCall) for node in settled["main"].body)
    # One that does not ask is called as any other, even where lowering wrote it as asking.
    quiet = n.Function("quiet", 0, 0, True, (n.Return(const(4)),))
    loud = n.Function("main", 1, 2, False, (n.AskingCall("quiet", (), 1),))
    again = {function.name: function for function in settle(playable((quiet, loud))).functions}
    assert again["main"].body == (n.Assign(1, n.Call("quiet")),)


def test_a_question_inside_of_an_expression_is_refused() -> None:
    asks = n.Function("asks", 0, 1, True, (set_cell(OPTIONS, const(2)), n.Ask(0), n.Return(n.Local(0))))
    main = n.Function("main", 1, 2, False, (n.Assign(1, add(n.Call("asks"), const(1))),))
    with pytest.raises(InvalidModule, match=r"'main' calls 'asks', which may ask, inside of an expression"):
        cut_module(playable((asks, main)))


def test_a_slot_says_whether_its_functions_ask() -> None:
    asks = n.Function("asks", 0, 1, False, (set_cell(OPTIONS, const(2)), n.Ask(0)))
    main = n.Function("main", 1, 2, False, ())
    with pytest.raises(InvalidModule, match=r"'asks' asks, and stands in a slot of the table that does not"):
        cut_module(playable((asks, main), (n.Slot("asks"),)))


def test_a_function_that_does_not_ask_can_stand_in_a_slot_that_may() -> None:
    quiet = n.Function("quiet", 1, 1, True, (n.Return(add(n.Local(0), const(5))),))
    asks = n.Function("asks", 1, 1, True, (set_cell(OPTIONS, const(9)), n.Ask(0), n.Return(n.Local(0))))
    main = n.Function(
        "main",
        1,
        3,
        False,
        (
            n.AskingCallIndirect(ZERO, (n.Local(0),), 1),
            n.AskingCallIndirect(const(1), (n.Local(0),), 2),
            set_cell(200, n.Local(1)),
            set_cell(201, n.Local(2)),
        ),
    )
    module = cut_module(playable((quiet, asks, main), (n.Slot("quiet", True), n.Slot("asks", True))))
    for engine in (WasmEngine(), PythonEngine()):
        machine = engine.load(module).machine()
        machine.call("open_game", 30)
        assert machine.call("run") == 1
        machine.call("answer", 8)
        assert machine.call("run") == 0
        assert machine.read(200, 2) == [35, 8]
        assert machine.read(STATUS, 1) == [0]


def test_cells_are_read_as_constants_say() -> None:
    assert cell(STATUS) == n.Load(ZERO, STATUS)
