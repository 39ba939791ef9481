"""What elaborating brings to light, kept apart file by file so that a file's share can be used again."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any
from zlib import crc32

from talewright.compiler.symbols.scope import IR
from talewright.dsl.diagnostics import Diagnostic
from talewright.schemas.records import field, record

Spot = tuple[str, int, int]
_BITS = 24
_MASK = (1 << _BITS) - 1


class KeptSpots:
    """Places from an earlier run, packed: of thousands, a few are asked for."""

    def __init__(self, names: list[str], numbers: bytes) -> None:
        self._names = names
        self._numbers = array("I", numbers)

    def __getitem__(self, at: int) -> Spot:
        name, start, end = self._numbers[3 * at : 3 * at + 3]
        return self._names[name], start, end

    def __len__(self) -> int:
        return len(self._numbers) // 3

    def __iter__(self) -> Iterator[Spot]:
        return (self[at] for at in range(len(self)))


def pack_spots(spots: Iterable[Spot]) -> tuple[list[str], bytes]:
    """Names and numbers from which `KeptSpots` gives the same places."""
    names: dict[str, int] = {}
    numbers = array("I")
    for name, start, end in spots:
        numbers.extend((names.setdefault(name, len(names)), start, end))
    return list(names), numbers.tobytes()


@record
class Facts:
    """The share of one file: its code, its places in the text, and the names it uses."""

    number: int
    used: set[str] = field(default_factory=set)
    modified: set[str] = field(default_factory=set)
    idle_where: list[tuple[Any, Any]] = field(default_factory=list)
    findings: list[Diagnostic] = field(default_factory=list)
    spots: list[Spot] | KeptSpots = field(default_factory=list)
    units: dict[str, IR] = field(default_factory=dict)
    loose: list[list[tuple[str, IR]]] = field(default_factory=list)
    tests: list[IR] = field(default_factory=list)
    waits: set[tuple[str, str]] = field(default_factory=set)
    clean: bool = True
    kept: bool = False

    def pieces(self) -> Iterator[IR]:
        """Every piece of code of this share, and the rules inside each."""
        for group in (self.units.values(), (ir for part in self.loose for _, ir in part), self.tests):
            for ir in group:
                yield ir
                yield from ir.get("rules", ())

    def at(self, spot: Spot) -> int:
        """A number for a place; it tells the file too."""
        if isinstance(self.spots, KeptSpots):
            self.spots = list(self.spots)
        self.spots.append(spot)
        return (self.number << _BITS) + len(self.spots) - 1


class Shelf:
    """The facts of all files; what belongs to no single one, say a kind with extensions, lies in `rest`."""

    def __init__(self, files: Iterable[str] = ()) -> None:
        self.rest = Facts(0)
        self.by_file: dict[str, Facts] = {}
        self._by_number = {0: self.rest}
        # What the checks' shared walk noted of code that was taken from earlier runs, by the node's identity.
        self.notes: dict[int, tuple[tuple[Any, ...], ...]] = {}
        for name in files:
            number = crc32(name.encode("utf-8", "surrogatepass"))
            # A second name with the same number has no facts of its own, so nothing of it is ever kept.
            if number in self._by_number:
                continue
            self.by_file[name] = self._by_number[number] = Facts(number)

    def of(self, file: str) -> Facts:
        """The facts of a file."""
        return self.by_file.get(file, self.rest)

    def all(self) -> Iterator[Facts]:
        """Every share."""
        return iter(self._by_number.values())

    def put(self, file: str, facts: Facts) -> None:
        """Takes the facts of a file from an earlier run."""
        self.by_file[file] = self._by_number[facts.number] = facts

    def __getitem__(self, at: int) -> Spot:
        return self._by_number[at >> _BITS].spots[at & _MASK]

    def __iter__(self) -> Iterator[Spot]:
        for facts in self.all():
            yield from facts.spots

    def is_kept(self, item: IR) -> bool:
        """Whether a piece of content was taken from an earlier run."""
        return self._by_number[item.get("at", 0) >> _BITS].kept


def settle_spots(content: IR, shelf: Shelf) -> list[Spot]:
    """Numbers the places of the content in the order they appear, whatever was kept; gives them all."""
    spots: list[Spot] = []
    seen: set[int] = set()
    stack: list[Any] = [content]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if id(item) in seen:
                continue
            seen.add(id(item))
            at = item.get("at")
            if type(at) is int:
                item["at"] = len(spots)
                spots.append(shelf[at])
            stack.extend(reversed(item.values()))
        elif isinstance(item, (list, tuple)):
            stack.extend(reversed(item))
    return spots
