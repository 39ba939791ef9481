"""A private copy of a machine's memory.

Cells are fetched when they are first asked for, so that the copy shows the game as it stood then only as long as nobody plays
on: whoever plays on makes a new one. What is written here stays here.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from talewright.runtime.engines.interface import Readable
from talewright.runtime.model.layout import DISREGARDED

BITS = 10
PAGE = 1 << BITS


class Memory:
    """Cells by address, as the kernel sees them: `M[address]`."""

    def __init__(self, source: Readable) -> None:
        self._source = source
        self._pages: dict[int, list[int]] = {}
        self._before: list[tuple[int, int]] = []
        """What cells held before they were written, oldest first."""

    @property
    def cells(self) -> int:
        """How many cells the memory has."""
        return self._source.cells

    def __getitem__(self, address: int) -> int:
        page = self._pages.get(address >> BITS)
        if page is None:
            page = self._fetch(address >> BITS)
        return page[address & PAGE - 1]

    def __setitem__(self, address: int, cell: int) -> None:
        self._before.append((address, self[address]))
        # Functions in Python may give True for 1.
        self._pages[address >> BITS][address & PAGE - 1] = int(cell)

    def __len__(self) -> int:
        return self._source.cells

    def read(self, address: int, count: int) -> list[int]:
        """Cells as they are in this copy."""
        return [self[at] for at in range(address, address + count)]

    def copy(self, target: int, source: int, count: int) -> None:
        """Copies cells; the stretches may overlap."""
        for offset, cell in enumerate(self.read(source, count)):
            self[target + offset] = cell

    @contextmanager
    def supposing(self) -> Iterator[None]:
        """What is written inside is taken back at the end."""
        mark = len(self._before)
        try:
            yield
        finally:
            while len(self._before) > mark:
                address, cell = self._before.pop()
                self._pages[address >> BITS][address & PAGE - 1] = cell

    def lay_down(self, address: int, cell: int) -> None:
        """Writes a cell that is not taken back."""
        if self[address] != cell:
            self._pages[address >> BITS][address & PAGE - 1] = cell

    def _fetch(self, number: int) -> list[int]:
        if number << BITS >= DISREGARDED:
            page = self._pages[number] = [0] * PAGE
            return page
        if number < 0 or number << BITS >= self._source.cells:
            raise IndexError(f"there is no cell {number << BITS}")
        first = number << BITS
        page = self._source.read(first, min(PAGE, self._source.cells - first))
        self._pages[number] = page
        return page
