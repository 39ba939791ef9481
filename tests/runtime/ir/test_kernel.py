"""Restricted Python means the same as Python and as the low-level form; what is not part of it is refused."""

from __future__ import annotations

import importlib.util
import itertools
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from talewright.runtime.engines.interface import EngineFault, Machine
from talewright.runtime.engines.python.host import PythonEngine
from talewright.runtime.engines.wasm.host import WasmEngine
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.header import SEED_HIGH, SEED_LOW
from talewright.runtime.ir.intrinsics import M
from talewright.runtime.ir.kernel import KernelError, translate, translate_text
from talewright.runtime.ir.validate import validate
from talewright.runtime.kernel.components import chance

from .programs import kernel_file

SAMPLE = '''
"""Sample functions."""

from __future__ import annotations

from talewright.runtime.ir.intrinsics import M, copy, fault, random

BASE = 100
SIZE = BASE - 84
TWICE = SIZE * 2


def sieve(limit: int) -> int:
    """How many primes there are."""
    count = 0
    i = 0
    while i < limit:
        M[BASE + i] = i > 1
        i += 1
    i = 2
    while True:
        if i * i >= limit:
            break
        if not M[BASE + i]:
            i += 1
            continue
        j = i * i
        while j < limit:
            M[BASE + j] = 0
            j += i
        i += 1
    i = 0
    while i < limit:
        count += M[BASE + i]
        i += 1
    return count


def bump(at: int) -> int:
    M[at] += 1
    return M[at]


def order(a: int, b: int) -> int:
    M[90] = 91
    M[91] = 0
    M[92] = 0
    M[M[90]] = bump(90) * 10 + a
    M[90] = 91
    M[M[90]] += bump(90)
    M[94] = 0
    M[bump(94) + 92] += b
    return M[91] + M[92] * 100 + M[93] * 10000


def lazily(a: int, b: int) -> int:
    M[95] = 0
    first = a > 0 and bump(95) > 0
    second = a > 0 or bump(95) > 5
    third = a and b
    fourth = a or b
    if not (a < b <= 10) and (a == 3 or b == -2 or bump(95) == 7):
        first += 10
    return first + second * 2 + third * 4 + fourth * 8 + M[95] * 1000 + (1 if a < b < 5 else 2 if b else 3)


def numbers(a: int, b: int) -> int:
    a = a % 1000
    b = b % 77 + 1
    c: int = -a + ~b
    c = c // b * 3 - c % b + (a << 3) - (c >> 2) ^ (a & 21 | b)
    if c > 500:
        c -= 7
    elif c < -500:
        c //= 2
    elif c == 3:
        pass
    else:
        c ^= TWICE
    return c


def stretch(at: int, count: int) -> int:
    M[BASE] = 5
    M[BASE + 1] = 6
    copy(BASE + at, BASE, count)
    if M[BASE + at] > 5:
        fault(9)
    return M[BASE + at + 1]


def counted(low: int, high: int) -> int:
    """Counts up and down, leaves a loop and goes on with it; its end is worked out once."""
    total = 0
    M[BASE] = high
    for i in range(low, M[BASE]):
        M[BASE] += 3
        if i == low + 9:
            break
        if i % 3 == 1:
            continue
        for j in range(i, low - 2, -1):
            if j % 4 == 3:
                continue
            total = (total * 7 + j) % 10007
    for i in range(4):
        total ^= i << 9
    return total


def thrown(seed: int, step: int) -> int:
    return random(seed, seed * 3, 7, step, 20)
'''

EXPORTS = ("sieve", "order", "lazily", "numbers", "stretch", "counted", "thrown")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Callable[..., int]]:
    """The functions as Python runs them."""
    path = tmp_path_factory.mktemp("kernel") / "sample_kernel.py"
    path.write_text(SAMPLE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("sample_kernel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sample_kernel"] = module
    spec.loader.exec_module(module)
    return {name: getattr(module, name) for name in EXPORTS}


@pytest.fixture(scope="module")
def machines() -> list[Machine]:
    """The functions in both engines."""
    module = n.Module(translate_text(SAMPLE, "sample.py"), exports=EXPORTS)
    validate(module)
    return [WasmEngine().load(module).machine(), PythonEngine().load(module).machine()]


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(EXPORTS), st.integers(-20, 30), st.integers(-20, 30))
def test_a_kernel_function_gives_the_same_in_python_and_in_both_engines(
    plain: dict[str, Callable[..., int]], machines: list[Machine], name: str, a: int, b: int
) -> None:
    arguments = (a * 10,) if name == "sieve" else (a, b)
    found: list[object] = []
    M[:] = [0] * 1000
    try:
        expected: object = int(plain[name](*arguments))
    except EngineFault as fault:
        expected = (fault.code, fault.spot)
    except IndexError:
        expected = "address"
    for machine in machines:
        machine.write(0, [0] * 1000)
        try:
            found.append(machine.call(name, *arguments))
        except EngineFault as fault:
            found.append("address" if fault.code > 100 else (fault.code, fault.spot))
    if name == "stretch" and a < 0:
        # Plain Python does not mind a negative index as long as the sum is none.
        assert found == [found[0]] * 2
        return
    assert found == [expected, expected]
    if expected != "address":
        for machine in machines:
            end = 60 if isinstance(expected, tuple) else 0
            assert machine.read(60 if end else 0, 900) == [int(cell) for cell in M[60 if end else 0 :][:900]]


def test_the_kernel_of_the_engine_can_be_translated() -> None:
    for path in sorted(kernel_file("memory").parent.rglob("*.py")):
        if path.stem not in ("__init__", "memory"):
            translate(path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("for i in M: pass", "a loop goes over a range of numbers, one by one"),
        ("for i in range(0, 9, 2): pass", "a loop goes over a range of numbers, one by one"),
        ("for i in range(3): i += 1", "i counts the loop, which cannot change it"),
        ("x = [i for i in range(3)]", "ListComp is not part of restricted Python"),
        ("x = [1]", "List is not part of restricted Python"),
        ("x = 1 / a", "Div is not part of restricted Python"),
        ("x = 1.5", "Constant is not part of restricted Python"),
        ("x = a in M", "In is not part of restricted Python"),
        ("x = y + 1", "y is neither a local nor a constant"),
        ("x = UNKNOWN", "the constant UNKNOWN has no number"),
        ("BASE = 3", "BASE is a constant and cannot be assigned"),
        ("x = M[1:2]", "Slice is not part of restricted Python"),
        ("x = a.b", "Attribute is not part of restricted Python"),
        ("x, y = 1, 2", "only a local or M"),
        ("a.b = 2", "only a local or M"),
        ("return", "does not go with the declared result"),
        ("fault(a)", "the code of a fault must be a constant"),
        ("x = copy(1, 2, 3)", "copy cannot be used here"),
        ("x = random(1)", "random cannot be used here, or not with 1 arguments"),
        ("x = f(a) or 3", "a call on the left of `or`"),
        ("x = a < f(a) < 3", "a call in the middle of a chain"),
        ("x = (y := 3)", "NamedExpr is not part of restricted Python"),
        ("x = f(a=1)", "Call is not part of restricted Python"),
        ("del a", "Delete is not part of restricted Python"),
        ("try:\n        pass\n    finally:\n        pass", "Try is not part of restricted Python"),
    ],
)
def test_what_is_not_restricted_python_is_refused_with_file_and_line(line: str, message: str) -> None:
    text = f"BASE = 1\n\n\ndef f(a: int) -> int:\n    {line}\n    return 1\n"
    with pytest.raises(KernelError) as found:
        translate_text(text, "some/file.py")
    assert message in str(found.value)
    assert str(found.value).startswith("some/file.py:5: ")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(a) -> int: return 1", "parameter a must be declared as int or bool"),
        ("def f(a: str) -> int: return 1", "parameter a must be declared as int or bool"),
        ("def f(a: int): return 1", "must be declared to give int, bool or None"),
        ("def f(a: int = 2) -> int: return 1", "no defaults"),
        ("def f(*a: int) -> int: return 1", "no defaults, no stars"),
        ("@g\ndef f() -> int: return 1", "no decorators"),
        ("class A: pass", "holds imports, constants and functions"),
        ("x = 1", "only constants, in capitals"),
        ("A = f()", "a constant must be a number"),
        ("from os import *", "import names as they are"),
        ("from os import path as p", "import names as they are"),
    ],
)
def test_what_a_kernel_file_cannot_hold(text: str, message: str) -> None:
    with pytest.raises(KernelError, match=message):
        translate_text(text, "file.py")


def test_what_has_counted_a_loop_is_not_read_behind_it() -> None:
    """Python leaves the last number there, the low-level form the end of the loop."""
    with pytest.raises(KernelError, match=r"f\.py:3: i is known only in the loop that it counts"):
        translate_text("def f(a: int) -> int:\n    for i in range(a): M[i] = 1\n    return i", "f.py")


def test_given_constants_reach_functions() -> None:
    (function,) = translate_text("def f() -> int: return SIZE", "f.py", {"SIZE": 44})
    assert function.body == (n.Return(n.Const(44)),)


def test_a_file_cannot_set_a_constant_that_is_given() -> None:
    """An address of the counters once replaced a number of the walks, which had the same name."""
    with pytest.raises(KernelError, match=r"f\.py:1: SIZE is also given to the translator"):
        translate_text("SIZE = 1\ndef f() -> int: return SIZE", "f.py", {"SIZE": 44})


def test_a_function_that_is_only_declared_is_left_to_others() -> None:
    text = 'def g() -> None:\n    """Made elsewhere."""\n    raise NotImplementedError\ndef f() -> None:\n    g()\n'
    (function,) = translate_text(text, "f.py")
    assert function.body == (n.Evaluate(n.Call("g")),)


def test_chance_is_the_same_in_python_and_in_both_engines() -> None:
    translated = translate(kernel_file("chance"), {"STREAMS": 50})
    module = n.Module(translated, exports=("seed_chance", "rand"))
    engines = [WasmEngine().load(module).machine(), PythonEngine().load(module).machine()]
    M[:] = [0] * 100
    assert chance.STREAMS == 0
    drawn: list[list[int]] = []
    for machine in engines:
        machine.call("seed_chance", 5, 0)
        rolls = [
            machine.call("rand", stream, sides)
            for sides in (1, 2, 6, 20, 10**9)
            for stream in (1, 2)
            for _ in "123"
        ]
        drawn.append([*rolls, *machine.read(0, 60)])
    assert drawn[0] == drawn[1]
    # One side is no chance; four kinds of dice were rolled three times in each stream.
    assert engines[0].read(50, 3) == [0, 12, 12]
    chance.seed_chance(5, 0)
    assert [M[SEED_LOW], M[SEED_HIGH]] == engines[0].read(SEED_LOW, 2)


def test_every_face_comes_up_as_often_as_another() -> None:
    module = n.Module(translate(kernel_file("chance"), {"STREAMS": 50}), exports=("seed_chance", "rand"))
    machine = WasmEngine().load(module).machine()
    counts = [0] * 6
    pairs = [0] * 36
    before = 0
    for seed in range(60):
        machine.call("seed_chance", seed, 0)
        machine.write(50, [0])
        for _ in range(200):
            now = machine.call("rand", 0, 6)
            counts[now] += 1
            pairs[before * 6 + now] += 1
            before = now
    # Chi squared with 5 and 35 degrees of freedom: larger in one of 1,000 draws.
    assert sum((count - 2000) ** 2 / 2000 for count in counts) < 20.5
    assert sum((count - 12000 / 36) ** 2 / (12000 / 36) for count in pairs) < 66.6


def test_neighbouring_seeds_and_streams_have_nothing_in_common() -> None:
    module = n.Module(
        translate(kernel_file("chance"), {"STREAMS": 50, "STREAM_KEYS": 80}), exports=("seed_chance", "rand")
    )
    machine = WasmEngine().load(module).machine()
    machine.write(80, list(range(5)))
    rows = []
    for seed in range(20):
        for stream in range(5):
            machine.call("seed_chance", seed, 0)
            machine.write(50, [0] * 10)
            rows.append(tuple(machine.call("rand", stream, 1000) for _ in range(20)))
    drawn = [number for row in rows for number in row]
    assert len(set(rows)) == 100
    same = sum(
        a == b for first, second in itertools.pairwise(rows) for a, b in zip(first, second, strict=True)
    )
    assert same < 12
    assert abs(sum(drawn) / len(drawn) - 499.5) < 20


def test_large_counts_are_not_biased() -> None:
    """Two thirds of 2**32 would be drawn twice as often by a remainder of 32 bits."""
    module = n.Module(translate(kernel_file("chance"), {"STREAMS": 50}), exports=("seed_chance", "rand"))
    machine = PythonEngine().load(module).machine()
    machine.call("seed_chance", 1, 2)
    count = 2**31 - 2**29
    low = sum(machine.call("rand", 0, count) < count // 2 for _ in range(4000))
    assert abs(low - 2000) < 130


def test_paths_are_read(tmp_path: Path) -> None:
    path = tmp_path / "k.py"
    path.write_text("def f() -> int:\n    return 3\n", encoding="utf-8")
    assert translate(path)[0].name == "f"
