"""What restricted Python may use besides its own functions, and what it means when it runs as plain Python.

`kernel` translates these names to nodes; here they work on `M`, a list, so that kernel functions can be tested as they
are written. A test fills `M` (`M[:] = [0] * 1000`) before it calls one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, ParamSpec, TypeVar

from talewright.runtime.ir.arithmetic import lowest_bit_of, random_number
from talewright.runtime.ir.faults import EngineFault

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

M: list[int] = []
"""The memory."""


def seldom(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Marks a function that is needed in few of its calls' places: it is never inlined, so that its callers stay short."""
    return function


def copy(target: int, source: int, count: int) -> None:
    """Copies cells; the stretches may overlap."""
    if count == 0:
        return
    if min(target, source, count) < 0 or max(target, source) + count > len(M):
        raise IndexError(f"copy({target}, {source}, {count}) leaves the memory of {len(M)} cells")
    M[target : target + count] = M[source : source + count]


def fault(code: int) -> NoReturn:
    """Ends the play; the code must be a constant."""
    raise EngineFault(code)


def random(low: int, high: int, stream: int, step: int, count: int) -> int:
    """The `step`-th number of a stream, from 0 to below `count` (0 stands for 2**32)."""
    return random_number(low, high, stream, step, count)


def lowest_bit(bits: int) -> int:
    """The number of the lowest bit that is set, counted from 0; 32 if none is."""
    return lowest_bit_of(bits)


def call_table(index: int, *arguments: int) -> int:
    """Calls the function in a slot of the table and gives its result."""
    raise NotImplementedError("plain Python has no table")


def run_table(index: int, *arguments: int) -> None:
    """Calls the function without a result in a slot of the table."""
    raise NotImplementedError("plain Python has no table")


def ask() -> int:
    """Asks which of M[OPTIONS] options is chosen; may only be the whole right side of an assignment."""
    raise NotImplementedError("plain Python cannot stop at a decision")


def ask_table(index: int, *arguments: int) -> int:
    """Calls the function in a slot that may ask; stands alone, or is the whole right side of an assignment."""
    raise NotImplementedError("plain Python cannot stop at a decision")
