"""The functions of the kernel as plain Python, on a copy of a machine's memory.

The kernel is written once, as restricted Python. Engines get it translated; here the same files run as they are, with the
addresses of a program, and what they write is taken back.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType

from talewright.runtime import kernel as kernel_folder
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.kernel import memory as declared
from talewright.runtime.observe.memory import Memory

FOLDER = Path(kernel_folder.__path__[0])
PREFIX = f"{kernel_folder.__name__}."
DECLARED = declared.__name__.removeprefix(PREFIX)

Function = Callable[..., int]
Names = dict[str, object]


class Chance(Exception):
    """Something that only chance can tell was asked for."""


class Kernel:
    """The kernel of a program over one memory."""

    def __init__(
        self, memory: Memory, constants: Mapping[str, int], lowered: Mapping[str, Callable[..., object]]
    ) -> None:
        """`lowered` are functions that a program has of its own: limits, and what stands in its table."""
        self.memory = memory
        self._constants = constants
        self._own: Names = {
            "M": memory, "copy": memory.copy, "fault": _fault, "random": _random, **lowered,
        }  # fmt: skip
        self._modules: dict[str, Names] = {}
        for name in _modules():
            self._load(name)
        self._functions: dict[str, Function] = {
            name: made
            for module in self._modules.values()
            for name, made in module.items()
            if isinstance(made, FunctionType) and made.__module__ == __name__
        }
        for name, module in self._modules.items():
            for wanted in _modules()[name].from_declared:
                module[wanted] = self._declared(wanted)

    def call(self, name: str, *arguments: int) -> int:
        """What a function gives; if that is a list, it must be read with `list_of`."""
        with self.memory.supposing():
            return self._function(name)(*arguments) or 0

    def list_of(self, name: str, *arguments: int) -> list[int]:
        """The members of the list that a function gives."""
        with self.memory.supposing():
            block = self._function(name)(*arguments)
            return self.memory.read(block + 1, max(0, self.memory[block])) if block else []

    def run(self, name: str, *arguments: int) -> int:
        """What a function gives; what it writes stays in the copy."""
        return self._function(name)(*arguments) or 0

    def _function(self, name: str) -> Function:
        return self._functions[name]

    # ------------------------------------------------------------------ loading
    def _load(self, name: str) -> Names:
        found = self._modules.get(name)
        if found is not None:
            return found
        source = _modules()[name]
        names: Names = {"__name__": __name__, **self._own}
        self._modules[name] = names
        for other, wanted in source.imported:
            names[wanted] = self._load(other)[wanted]
        for module, wanted in source.others:
            names[wanted] = self._own.get(wanted) or getattr(importlib.import_module(module), wanted)
        for wanted in source.from_declared:
            names[wanted] = self._declared(wanted)
        exec(source.code, names)
        return names

    def _declared(self, name: str) -> object:
        """What `memory.py` of the kernel only declares: an address, or a function that stands elsewhere."""
        if name in self._constants:
            return self._constants[name]
        if name in self._own:
            return self._own[name]
        functions = getattr(self, "_functions", {})
        return functions.get(name, getattr(declared, name))


class _Module:
    """One file of the kernel, compiled without its imports."""

    def __init__(self, path: Path) -> None:
        tree = ast.parse(path.read_text("utf-8"))
        self.imported: list[tuple[str, str]] = []
        self.others: list[tuple[str, str]] = []
        self.from_declared: list[str] = []
        body: list[ast.stmt] = []
        for node in tree.body:
            if not isinstance(node, ast.ImportFrom):
                body.append(node)
                continue
            module = (node.module or "").removeprefix(PREFIX)
            for alias in node.names:
                if module == DECLARED:
                    self.from_declared.append(alias.name)
                elif (node.module or "").startswith(PREFIX):
                    self.imported.append((module, alias.name))
                elif node.module != "__future__":
                    self.others.append((node.module or "", alias.name))
        tree.body = body
        self.code: CodeType = compile(tree, str(path), "exec", dont_inherit=True)


@cache
def _modules() -> dict[str, _Module]:
    """The files of the kernel by their names, folders first."""
    found = {
        ".".join(path.relative_to(FOLDER).with_suffix("").parts): path
        for path in sorted(FOLDER.rglob("*.py"))
    }
    return {
        name: _Module(path) for name, path in found.items() if path.stem != "__init__" and name != DECLARED
    }


def _fault(code: int, spot: int) -> None:
    raise EngineFault(code, spot)


def _random(low: int, high: int, stream: int, step: int, count: int) -> int:
    raise Chance("this depends on chance")
