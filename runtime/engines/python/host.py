"""Runs programs as Python: where there is no `wasmtime`, and as the oracle of tests."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from traceback import walk_tb
from types import CodeType
from typing import Final, NoReturn, Protocol

from talewright.runtime.engines.interface import PAGE, EngineFault, check_stretch, memory_pages, no_cell
from talewright.runtime.engines.python.emit import emit
from talewright.runtime.ir.arithmetic import binary, checked_fault, lowest_bit_of, random_number, wrap
from talewright.runtime.ir.header import (
    BAD_ADDRESS,
    BAD_CALL,
    DIVISION_BY_ZERO,
    FAILED,
    FAULT_CODE,
    FAULT_SPOT,
    FAULTED,
    LENIENT,
    NOWHERE,
    SPARED,
    STATUS,
    STEPS,
    TOO_DEEP,
)
from talewright.runtime.ir.nodes import CheckedOperator, Module

# Calls in cycles are counted, and end long before Python's own bound then does.
_DEEPEST_CALLS: Final = 20_000
# What an error of Python in a program is called.
ERRORS: Final[dict[type[Exception], int]] = {
    IndexError: BAD_ADDRESS,
    KeyError: BAD_CALL,
    ZeroDivisionError: DIVISION_BY_ZERO,
    RecursionError: TOO_DEEP,
}


class PythonMachine:
    """A memory of its own, and the functions that work on it."""

    def __init__(self, module: Module, code: CodeType) -> None:
        self.cells = memory_pages(module) * PAGE
        self._memory = memory = [0] * self.cells
        for data in module.data:
            memory[data.address : data.address + len(data.cells)] = data.cells
        space = {**surroundings(memory), "copy": _copying(memory)}
        exec(code, space)
        names = {function.name: f"f{number}" for number, function in enumerate(module.functions)}
        self._names = {written: name for name, written in names.items()}
        shapes = {function.name: function.parameters for function in module.functions}
        self._functions: dict[str, tuple[Callable[..., int | None], int]] = {}
        for name in module.exports:
            function = space[names[name]]
            assert callable(function)
            self._functions[name] = (function, shapes[name])

    def call(self, export: str, *arguments: int) -> int:
        function, parameters = self._functions[export]
        if len(arguments) != parameters:
            raise TypeError(f"{export} takes {parameters} arguments, not {len(arguments)}")
        before = sys.getrecursionlimit()
        try:
            sys.setrecursionlimit(max(before, _DEEPEST_CALLS))
            return int(function(*array("i", arguments)) or 0)
        except EngineFault as fault:
            fault.functions = self._running(fault)
            raise
        except tuple(ERRORS) as error:
            code, running = ERRORS[type(error)], self._running(error)
        finally:
            sys.setrecursionlimit(before)
        memory = self._memory
        memory[STATUS], memory[FAULT_CODE], memory[FAULT_SPOT] = FAULTED, code, NOWHERE
        raise EngineFault(code, functions=running)

    def _running(self, error: BaseException) -> tuple[str, ...]:
        """The functions on the way to an error, the innermost first."""
        way = [frame.f_code.co_name for frame, _ in walk_tb(error.__traceback__)]
        return tuple(self._names[name] for name in reversed(way) if name in self._names)

    def __getitem__(self, address: int) -> int:
        if address < 0:
            raise no_cell(address)
        return self._memory[address]

    def __setitem__(self, address: int, cell: int) -> None:
        self.write(address, [cell])

    def read(self, address: int, count: int) -> list[int]:
        return self._stretch(address, count).tolist()

    def write(self, address: int, cells: Sequence[int]) -> None:
        check_stretch(address, len(cells), self.cells)
        self._memory[address : address + len(cells)] = array("i", cells).tolist()

    def snapshot(self, address: int, count: int) -> bytes:
        return _little(self._stretch(address, count)).tobytes()

    def restore(self, address: int, snapshot: bytes) -> None:
        cells = array("i", snapshot)
        self.write(address, _little(cells))

    def _stretch(self, address: int, count: int) -> array[int]:
        check_stretch(address, count, self.cells)
        # Cells may hold True for 1; an array makes numbers of them.
        return array("i", self._memory[address : address + count])


def _little(cells: array[int]) -> array[int]:
    """The same cells with the lowest byte first, whatever the machine."""
    if sys.byteorder == "big":
        cells.byteswap()
    return cells


class Cells(Protocol):
    """A memory that the source works on."""

    def __getitem__(self, address: int, /) -> int: ...
    def __setitem__(self, address: int, cell: int, /) -> None: ...


def surroundings(memory: Cells) -> dict[str, object]:
    """The names that the source uses, but for that which copies cells."""

    def fault(code: int, spot: int) -> None:
        memory[FAULT_CODE], memory[FAULT_SPOT] = code, spot
        if memory[LENIENT]:
            memory[LENIENT] = FAILED
            memory[SPARED] += memory[STEPS]
            memory[STEPS] = 0
            return
        memory[STATUS] = FAULTED
        raise EngineFault(code, spot)

    def bad() -> NoReturn:
        raise IndexError

    def bad_call(*arguments: int) -> NoReturn:
        raise KeyError

    def arithmetic_fault(operator: CheckedOperator, left: int, right: int, spot: int) -> int:
        fault(checked_fault(operator, left, right), spot)
        return 0

    def checked(operator: CheckedOperator) -> Callable[[int, int, int], int]:
        def compute(left: int, right: int, spot: int) -> int:
            code = checked_fault(operator, left, right)
            result = None if code else binary(operator, left, right)
            if result is None:
                fault(code, spot)
                return 0
            return result

        return compute

    operators: tuple[CheckedOperator, ...] = ("add", "sub", "mul", "div", "rem")
    return {
        "__builtins__": {},
        "M": memory,
        "wrap": wrap,
        "bad": bad,
        "bad_call": bad_call,
        "fault": fault,
        "random": random_number,
        "lowest_bit_of": lowest_bit_of,
        "arithmetic_fault": arithmetic_fault,
        **{f"checked_{operator}": checked(operator) for operator in operators},
    }


def _copying(memory: list[int]) -> Callable[[int, int, int], None]:
    def copy(target: int, source: int, count: int) -> None:
        if count == 0:
            return
        if target < 0 or source < 0 or count < 0 or target + count > cells or source + count > cells:
            raise IndexError
        memory[target : target + count] = memory[source : source + count]

    cells = len(memory)
    return copy


class PythonProgram:
    """A module as compiled Python; machines share it."""

    def __init__(self, module: Module) -> None:
        self._module = module
        self._code = compile(emit(module), "<tale>", "exec", dont_inherit=True, optimize=2)

    def machine(self) -> PythonMachine:
        return PythonMachine(self._module, self._code)

    def kept(self) -> bytes:
        return b""


class PythonEngine:
    """Plain Python."""

    name = "python"
    programs: Final = None

    def load(self, module: Module) -> PythonProgram:
        return PythonProgram(module)

    def reload(self, kept: bytes) -> None:
        return None
