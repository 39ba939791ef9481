"""Chooses the engine: WebAssembly where `wasmtime` is there, Python otherwise."""

from __future__ import annotations

import sys
from functools import cache

from talewright.runtime.engines.cache import Cache, default_cache
from talewright.runtime.engines.interface import Engine
from talewright.runtime.engines.python.host import PythonEngine


def best_engine(programs: Cache | None = None, *, baseline: bool = False) -> Engine:
    """The quickest engine there is. Compiled programs are kept in the user's cache, or in the one given.

    `baseline` is for programs that run little, such as those of tests: they are ready sooner, and slower.
    """
    try:
        from talewright.runtime.engines.wasm.host import WasmEngine
    except (ImportError, OSError) as problem:
        _say_slow(str(problem))
        return PythonEngine()
    return WasmEngine(default_cache() if programs is None else programs, baseline=baseline)


def share_cores() -> None:
    """Says that this process is one of several: its engine makes no threads of its own, even if it was made by `fork`."""
    try:
        from talewright.runtime.engines.wasm.host import compile_on_one_core
    except (ImportError, OSError):
        return
    compile_on_one_core()


@cache
def _say_slow(problem: str) -> None:
    """Says once why games will be slow."""
    print(
        f"wasmtime cannot be used ({problem}): games are played by the Python engine, which is much slower; "
        "`pip install wasmtime` brings the other.",
        file=sys.stderr,
    )
