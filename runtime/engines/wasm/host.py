"""Runs WebAssembly by `wasmtime`.

A call goes through the C function for unchecked calls: the comfortable one of the Python package takes ten times as long.
The package lets go of the interpreter lock during a call, so machines of one program can run in threads, one each.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import pickle
import platform
import re
import struct
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Final

import wasmtime
import wasmtime._managed
from wasmtime import _ffi as ffi

from talewright.runtime.engines.cache import Cache, key
from talewright.runtime.engines.interface import EngineFault, check_stretch, no_cell
from talewright.runtime.engines.wasm.emit import emit
from talewright.runtime.faults import LoadError
from talewright.runtime.ir.header import (
    BAD_ADDRESS,
    BAD_CALL,
    BAD_CODE,
    DIVISION_BY_ZERO,
    FAULT_CODE,
    FAULT_SPOT,
    FAULTED,
    NOWHERE,
    STATUS,
    TOO_DEEP,
)
from talewright.runtime.ir.nodes import Module
from talewright.schemas.garbage import no_collection

# What a trap that the program did not make itself is called.
_TRAPS: Final = {
    wasmtime.TrapCode.MEMORY_OUT_OF_BOUNDS: BAD_ADDRESS,
    wasmtime.TrapCode.STACK_OVERFLOW: TOO_DEEP,
    wasmtime.TrapCode.TABLE_OUT_OF_BOUNDS: BAD_CALL,
    wasmtime.TrapCode.INDIRECT_CALL_TO_NULL: BAD_CALL,
    wasmtime.TrapCode.BAD_SIGNATURE: BAD_CALL,
    wasmtime.TrapCode.INTEGER_DIVISION_BY_ZERO: DIVISION_BY_ZERO,
}
# The stack of native frames. Calls in cycles are counted, and end long before it does.
_STACK_BYTES: Final = 1 << 20


# The number of the baseline compiler among the strategies of the C interface; the Python package has no name for it yet.
# Where there is none for a system or processor, asking for it ends the process, so that only these ask.
_WINCH: Final = 2
_HAS_WINCH: Final = sys.platform == "linux" and platform.machine() == "x86_64"
# Its frames are larger; `wasmtime` allows no more.
_BASELINE_STACK_BYTES: Final = 2 << 20


def compile_on_one_core() -> None:
    """From now on this process compiles without threads: it is one of several, or made by `fork`, which takes no threads along."""
    _SHARED["cores"] = True
    native_engine.cache_clear()


# Whether the cores are shared with other processes that compile.
_SHARED: Final = {"cores": False}


@cache
def native_engine(baseline: bool = False) -> wasmtime.Engine:
    """A compiler, one of each sort for the process.

    The baseline compiler takes a third of the time; what it makes takes twice as long to run.
    """
    # What lives until the process ends is given back by the system: by then the package can no longer do it.
    atexit.register(setattr, wasmtime._managed.Managed, "__del__", lambda managed: None)
    config = wasmtime.Config()
    config.parallel_compilation = not _SHARED["cores"]
    # An image of memory, from its first page to its last, would be most of a small program.
    config.memory_init_cow = False
    if baseline:
        config.max_wasm_stack = _BASELINE_STACK_BYTES
        ffi.wasmtime_config_strategy_set(config.ptr(), _WINCH)
    else:
        config.max_wasm_stack = _STACK_BYTES
        config.cranelift_opt_level = "speed"
        ffi.wasmtime_config_wasm_branch_hinting_set(config.ptr(), True)
    return wasmtime.Engine(config)


_SYSTEM_ERROR: Final = re.compile(r"\(os error (\d+)\)")


@contextmanager
def _system_errors() -> Iterator[None]:
    """What the system refuses to `wasmtime`, such as memory beyond a limit, is an error of the system here too."""
    try:
        yield
    except wasmtime.WasmtimeError as problem:
        found = _SYSTEM_ERROR.search(str(problem))
        if found is None:
            raise
        number = int(found[1])
        raise OSError(number, os.strerror(number), "the memory of a game") from problem


# Which function a compiler refuses, and why.
_REFUSAL: Final = re.compile(
    r"::function\[(\d+)\].*(?:Compilation error|at offset \d+): (.*?)(?: \(at offset|$)", re.DOTALL
)
# What is too large to be read at all: then nobody says which function it is.
_LIMIT: Final = re.compile(r"\w[\w ]* exceeds limit of \d+")


@contextmanager
def _refusals(module: Module) -> Iterator[None]:
    """What is beyond the limits of the compiler, such as the number of locals, cannot be played."""
    try:
        yield
    except wasmtime.WasmtimeError as problem:
        said = str(problem)
        found = _REFUSAL.search(said)
        if found is None and (limit := _LIMIT.search(said)):
            raise LoadError(f"the game is too large to be compiled ({limit[0]})") from problem
        if found is None:
            raise
        name = module.functions[int(found[1])].name
        raise LoadError(f"the game is too large: `{name}` cannot be compiled ({found[2]})") from problem


# The same function as `ffi.wasmtime_func_call_unchecked`, with plain addresses: half the time for a short call.
_call = ffi.dll["wasmtime_func_call_unchecked"]
_call.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
_call.restype = ctypes.c_void_p


class _Entry:
    """An exported function, and the place for its arguments and its result."""

    __slots__ = ("function", "given", "parameters", "raw", "result", "values")

    def __init__(
        self,
        context: ctypes.c_void_p,
        trap: ctypes.c_void_p,
        function: wasmtime.Func,
        parameters: int,
        result: bool,
    ) -> None:
        self.function = function
        self.parameters = parameters
        self.result = result
        slots = max(parameters, int(result))
        self.raw = (ffi.wasmtime_val_raw_t * max(slots, 1))()
        # What the C function is given, made once: it is the same at every call.
        self.given = (
            context,
            ctypes.c_void_p(ctypes.addressof(function._func)),
            ctypes.c_void_p(ctypes.addressof(self.raw)),
            ctypes.c_size_t(slots),
            trap,
        )
        # Each argument has 16 bytes.
        self.values = memoryview(self.raw).cast("B").cast("i")


class WasmMachine:
    """A memory of its own, and the functions that work on it."""

    def __init__(
        self, engine: wasmtime.Engine, module: wasmtime.Module, signatures: Mapping[str, tuple[int, bool]]
    ) -> None:
        store = wasmtime.Store(engine)
        with _system_errors():
            exports = wasmtime.Instance(store, module, []).exports(store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        size = memory.data_len(store)
        # The memory never grows, so that it stays where it is as long as the store is there.
        self._bytes = memoryview(memory.get_buffer_ptr(store)).cast("B")
        self._view = self._bytes.cast("i")
        self._store = store
        context = ctypes.cast(store._context(), ctypes.c_void_p)
        self._trap = ctypes.POINTER(ffi.wasm_trap_t)()
        trap = ctypes.c_void_p(ctypes.addressof(self._trap))
        self._entries: dict[str, _Entry] = {}
        for name, (parameters, result) in signatures.items():
            function = exports[name]
            assert isinstance(function, wasmtime.Func)
            self._entries[name] = _Entry(context, trap, function, parameters, result)
        self.cells = size // 4

    def call(self, export: str, *arguments: int) -> int:
        entry = self._entries[export]
        if len(arguments) != entry.parameters:
            raise TypeError(f"{export} takes {entry.parameters} arguments, not {len(arguments)}")
        values = entry.values
        place = 0
        for argument in arguments:
            values[place] = argument
            place += 4
        error = _call(*entry.given)
        if error or self._trap:
            raise self._fault(error)
        return values[0] if entry.result else 0

    def _fault(self, error: int | None) -> EngineFault:
        """What a trap was: a fault that the program says itself, or one that we write into its header."""
        if error:
            raise wasmtime.WasmtimeError._from_ptr(ctypes.cast(error, ctypes.POINTER(ffi.wasmtime_error_t)))
        trap = wasmtime.Trap._from_ptr(type(self._trap).from_buffer_copy(self._trap))
        # Calls go on writing where they wrote this one.
        ctypes.memset(ctypes.byref(self._trap), 0, ctypes.sizeof(self._trap))
        kind = trap.trap_code
        view = self._view
        running = tuple(frame.func_name or "" for frame in trap.frames)
        if kind is wasmtime.TrapCode.UNREACHABLE and view[STATUS] == FAULTED:
            return EngineFault(view[FAULT_CODE], view[FAULT_SPOT], functions=running)
        code = _TRAPS.get(kind, BAD_CODE) if kind is not None else BAD_CODE
        view[STATUS], view[FAULT_CODE], view[FAULT_SPOT] = FAULTED, code, NOWHERE
        return EngineFault(code, NOWHERE, f"in function {running[0]}" if running else "", running)

    def __getitem__(self, address: int) -> int:
        if address < 0:
            raise no_cell(address)
        return self._view[address]

    def __setitem__(self, address: int, cell: int) -> None:
        if address < 0:
            raise no_cell(address)
        self._view[address] = cell

    def read(self, address: int, count: int) -> list[int]:
        if address < 0 or count < 0 or address + count > self.cells:
            check_stretch(address, count, self.cells)
        return self._view[address : address + count].tolist()

    def write(self, address: int, cells: Sequence[int]) -> None:
        check_stretch(address, len(cells), self.cells)
        self._bytes[address * 4 : (address + len(cells)) * 4] = struct.pack(f"<{len(cells)}i", *cells)

    def snapshot(self, address: int, count: int) -> bytes:
        check_stretch(address, count, self.cells)
        return self._bytes[address * 4 : (address + count) * 4].tobytes()

    def restore(self, address: int, snapshot: bytes) -> None:
        check_stretch(address, len(snapshot) // 4, self.cells)
        self._bytes[address * 4 : address * 4 + len(snapshot)] = snapshot


class WasmProgram:
    """A compiled module; machines share it."""

    def __init__(
        self,
        engine: wasmtime.Engine,
        compiled: wasmtime.Module,
        signatures: Mapping[str, tuple[int, bool]],
        name: str,
    ) -> None:
        self._engine = engine
        self._compiled = compiled
        self._signatures = signatures
        self._name = name

    def machine(self) -> WasmMachine:
        return WasmMachine(self._engine, self._compiled, self._signatures)

    def kept(self) -> bytes:
        return pickle.dumps((self._name, self._signatures)) if self._name else b""


class WasmEngine:
    """WebAssembly, compiled to machine code by `wasmtime`; with a cache, only once for each program."""

    def __init__(self, programs: Cache | None = None, *, baseline: bool = False) -> None:
        """`baseline` compiles quickly: for programs that run little."""
        self.programs = programs
        self.baseline = baseline and _HAS_WINCH
        self.name = "wasmtime, baseline" if self.baseline else "wasmtime"

    @property
    def _native(self) -> wasmtime.Engine:
        return native_engine(self.baseline)

    def load(self, module: Module) -> WasmProgram:
        with no_collection():
            # What is to be compiled quickly does without.
            code = emit(module, thread=not self.baseline)
        # `wasmtime` itself refuses what another version, processor or setting made.
        name = ""
        if self.programs is not None:
            name = key(self.name.encode(), _library(), code)
        compiled = self._compiled_before(name)
        if compiled is None:
            with _system_errors(), _refusals(module):
                compiled = wasmtime.Module(self._native, code)
            if self.programs is not None:
                self.programs.write(name, bytes(compiled.serialize()))
        return WasmProgram(self._native, compiled, signatures(module), name)

    def reload(self, kept: bytes) -> WasmProgram | None:
        name, known = pickle.loads(kept)
        compiled = self._compiled_before(name)
        return None if compiled is None else WasmProgram(self._native, compiled, known, name)

    def _compiled_before(self, name: str) -> wasmtime.Module | None:
        """The machine code that the cache keeps under a name."""
        if self.programs is None or self.programs.read(name) is None:
            return None
        try:
            return wasmtime.Module.deserialize_file(self._native, str(self.programs.path(name)))
        except wasmtime.WasmtimeError:
            return None


@cache
def _library() -> bytes:
    """Names the library of `wasmtime`. Asking the package for its version takes longer than reading a small program."""
    found = os.stat(ffi.dll._name)
    return f"{found.st_size} {found.st_mtime_ns}".encode()


def signatures(module: Module) -> dict[str, tuple[int, bool]]:
    """How many arguments each export takes, and whether it has a result."""
    functions = {function.name: function for function in module.functions}
    return {name: (functions[name].parameters, functions[name].result) for name in module.exports}
