"""What is simplified when it is built gives what it gave before."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.runtime.engines.interface import EngineFault
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir import build
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import ONE, ZERO, add, conditional, const, equal, load, negate, store

from .programs import CELLS, NUMBERS, OPERATORS

A = n.Local(0)
B = n.Local(1)


def rebuilt(node: n.Expression) -> n.Expression:
    """The same expression, made by the constructors that simplify."""
    match node:
        case n.Binary():
            return build.binary(node.operator, rebuilt(node.left), rebuilt(node.right))
        case n.Not():
            return negate(rebuilt(node.value))
        case n.Conditional():
            return conditional(rebuilt(node.condition), rebuilt(node.yes), rebuilt(node.no))
        case n.Load():
            return load(rebuilt(node.address), node.offset)
        case _:
            return node


def made(random: Random, depth: int) -> n.Expression:
    kind = random.randrange(8 if depth else 3)
    if kind < 1:
        return n.Const(random.choice(NUMBERS))
    if kind < 3:
        return n.Local(random.randrange(2))
    if kind < 6:
        operator = random.choice(OPERATORS)
        right = made(random, depth - 1)
        if operator in ("div", "rem"):
            right = n.Const(random.choice((1, 2, 3, 8, -1, -2, -7, 64, 2**31 - 1, -(2**31))))
        return n.Binary(operator, made(random, depth - 1), right)
    if kind < 7:
        return n.Not(made(random, depth - 1))
    return n.Conditional(made(random, depth - 1), made(random, depth - 1), made(random, depth - 1))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_a_simplified_expression_has_the_same_value(seed: int) -> None:
    random = Random(seed)
    functions = []
    for number in range(20):
        node = made(random, 4)
        functions.append(n.Function(f"raw{number}", 2, 2, True, (n.Return(node),)))
        functions.append(n.Function(f"new{number}", 2, 2, True, (n.Return(rebuilt(node)),)))
    module = n.Module(tuple(functions), exports=tuple(function.name for function in functions))
    machines = [WasmEngine().load(module).machine(), PythonEngine().load(module).machine()]
    for number in range(20):
        for _ in range(3):
            arguments = random.choice(NUMBERS), random.choice(NUMBERS)
            found = {
                machine.call(f"{form}{number}", *arguments) for machine in machines for form in ("raw", "new")
            }
            assert len(found) == 1


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (add(const(2), const(3)), const(5)),
        (add(const(2**31 - 1), const(1)), const(-(2**31))),
        (add(const(3), A), n.Binary("add", A, const(3))),
        (add(add(A, const(3)), const(4)), n.Binary("add", A, const(7))),
        (build.sub(A, const(4)), n.Binary("add", A, const(-4))),
        (build.sub(A, A), ZERO),
        (build.mul(A, ONE), A),
        (build.binary("div", const(1), ZERO), n.Binary("div", const(1), ZERO)),
        (equal(A, ZERO), n.Not(A)),
        (equal(A, A), ONE),
        (equal(n.Call("f"), n.Call("f")), n.Binary("eq", n.Call("f"), n.Call("f"))),
        (negate(equal(A, B)), n.Binary("ne", A, B)),
        (negate(negate(A)), n.Not(n.Not(A))),
        (negate(negate(equal(A, B))), n.Binary("eq", A, B)),
        (conditional(ONE, A, n.Call("f")), A),
        (conditional(equal(A, B), ONE, ZERO), equal(A, B)),
        (build.both(ONE, A), n.Binary("ne", A, ZERO)),
        (build.both(ZERO, n.Call("f")), ZERO),
        (build.either(equal(A, B), ONE), ONE),
        (build.every([]), ONE),
        (build.some([]), ZERO),
        (build.every([equal(A, B)]), equal(A, B)),
        (load(add(A, const(7)), 3), n.Load(A, 10)),
        (load(add(A, const(-2)), 10), n.Load(A, 8)),
        (load(add(A, const(-2))), n.Load(n.Binary("add", A, const(-2)), 0)),
        (load(const(50), 3), n.Load(ZERO, 53)),
        (store(const(50), 3, A), n.Store(ZERO, 53, A)),
        (build.checked("add", const(2), const(3), 1), const(5)),
        (build.checked("add", const(10**9), const(3), 1), n.Checked("add", const(10**9), const(3), 1)),
    ],
)
def test_the_obvious_is_done_at_once(found: object, expected: object) -> None:
    assert found == expected


def test_an_effect_is_never_dropped() -> None:
    call = n.Call("f")
    assert build.mul(call, ZERO) == n.Binary("mul", call, ZERO)
    assert build.binary("and", n.Load(A), ZERO) == n.Binary("and", n.Load(A), ZERO)
    assert conditional(call, A, A) == n.Conditional(call, A, A)
    assert not build.is_steady(n.Checked("add", A, B, 1))
    assert not build.is_steady(n.Binary("div", A, B))


def test_a_condition_stops_where_it_is_decided() -> None:
    bad = n.Load(n.Local(1))
    body = (
        n.Store(ZERO, CELLS, build.both(n.Local(0), build.truth(bad))),
        n.Store(ZERO, CELLS + 1, build.either(negate(n.Local(0)), build.truth(bad))),
    )
    module = n.Module((n.Function("main", 2, 2, False, body),), exports=("main",))
    for engine in (WasmEngine(), PythonEngine()):
        machine = engine.load(module).machine()
        machine.call("main", 0, -1)
        assert machine.read(CELLS, 2) == [0, 1]
        with pytest.raises(EngineFault):
            machine.call("main", 1, -1)


@pytest.mark.parametrize(
    ("made", "operator", "left", "right"),
    [
        (A + B, "add", A, B),
        (A - B, "sub", A, B),
        (5 - A, "sub", n.Const(5), A),
        (A * 3, "mul", A, n.Const(3)),
        (A // 3, "div", A, n.Const(3)),
        (A & B, "and", A, B),
        (A | B, "or", A, B),
        (A << 2, "shl", A, n.Const(2)),
        (A >> 2, "shr", A, n.Const(2)),
        (A < B, "lt", A, B),
        (A <= 7, "le", A, n.Const(7)),
        (A > B, "gt", A, B),
        (A >= 7, "ge", A, n.Const(7)),
    ],
)
def test_operators_of_python_make_nodes(
    made: n.Expression, operator: n.BinaryOperator, left: n.Expression, right: n.Expression
) -> None:
    assert made == build.binary(operator, left, right)
    assert isinstance(made, n.Binary)
    assert made.operator == operator


def test_what_is_calculated_is_simplified_at_once() -> None:
    there = A + 1
    assert there + 2 == add(A, const(3))
    assert load(A + 4, 1) == n.Load(A, 5)
    assert A + 0 is A
