"""What every engine offers: a program made from a module, and machines that each play one game with it at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from talewright.runtime.engines.cache import Cache
from talewright.runtime.ir.faults import EngineFault as EngineFault
from talewright.runtime.ir.nodes import Module

# The cells of a page of WebAssembly: memory is a whole number of pages in every engine.
PAGE: Final = 16384


class Readable(Protocol):
    """Something with cells: a machine, or a copy of its memory."""

    @property
    def cells(self) -> int:
        """How many cells the memory has."""

    def __getitem__(self, address: int) -> int:
        """One cell as it is now."""

    def read(self, address: int, count: int) -> list[int]:
        """Cells as they are now."""


class Machine(Readable, Protocol):
    """A memory of its own, and the functions of the program that work on it."""

    def call(self, export: str, *arguments: int) -> int:
        """Calls an exported function; one without a result gives 0. Raises `EngineFault`."""

    def __setitem__(self, address: int, cell: int) -> None:
        """Sets one cell."""

    def write(self, address: int, cells: Sequence[int]) -> None:
        """Sets cells."""

    def snapshot(self, address: int, count: int) -> bytes:
        """Cells as bytes, four for each, the lowest first."""

    def restore(self, address: int, snapshot: bytes) -> None:
        """Puts cells back that `snapshot` gave."""


class Program(Protocol):
    """A module that an engine has made ready."""

    def machine(self) -> Machine:
        """A new machine, whose memory holds the data of the module and zeros."""

    def kept(self) -> bytes:
        """What `Engine.reload` makes the same program of; nothing where it was not kept."""


class Engine(Protocol):
    """A way to run modules."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def programs(self) -> Cache | None:
        """Where programs are kept, if anywhere."""

    def load(self, module: Module) -> Program:
        """Makes a module ready to run. It must be valid and cut."""

    def reload(self, kept: bytes) -> Program | None:
        """A program that was loaded before, from what its `kept` gave; none if it is no longer there."""


def memory_pages(module: Module) -> int:
    """How many pages the memory of a module has."""
    return -(-module.cells // PAGE)


def no_cell(address: int) -> IndexError:
    """What an address is refused with that would count from the end of memory."""
    return IndexError(f"there is no cell {address}")


def check_stretch(address: int, count: int, cells: int) -> None:
    """Refuses a stretch that the host asks for and memory does not have."""
    if address < 0 or count < 0 or address + count > cells:
        raise ValueError(f"cells {address} to {address + count} do not lie in a memory of {cells} cells")
