"""Worlds that a seat cannot tell apart, supposed in a copy of memory: what it does not know is dealt anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random

from talewright.runtime.model.layout import Column
from talewright.runtime.model.types import is_list, item_of
from talewright.runtime.model.world import Field, plain
from talewright.runtime.observe.view import View
from talewright.schemas.nodes.types import Type

# What lies where a thing lies, rather than belonging to the thing.
AT_PLACE = ("WHERE", "NEXT", "PREVIOUS", "KNOWN", "FORCED", "SHOWN")
NAMES_THINGS = ("NEXT", "PREVIOUS")
Swaps = Mapping[int, int]


class Worlds:
    """Everything hidden from a seat (0: from those who only watch) as a game stands, ready to be dealt anew."""

    def __init__(self, view: View, seat: int) -> None:
        self.view = view
        groups: dict[str, list[int]] = {}
        faces = view.program.layout.names.get("FACES", 0)
        for thing in view.things:
            turns = faces and view.memory[faces + thing.number]
            if not _known(view, thing.number, seat) and not turns:
                groups.setdefault(view.back(thing.number), []).append(thing.number)
        self.groups = [things for things in groups.values() if len(things) > 1]
        self._one_pair = False

    @contextmanager
    def supposed(self, draw: Random) -> Iterator[None]:
        """Another world: everything is dealt anew or, every other time, two things change places."""
        self._one_pair = not self._one_pair
        swaps: dict[int, int] = {}
        if self._one_pair and self.groups:
            one, other = draw.sample(draw.choice(self.groups), 2)
            swaps = {one: other, other: one}
        else:
            for things in self.groups:
                swaps.update(zip(things, draw.sample(things, len(things)), strict=True))
        with self.view.memory.supposing():
            self._rename({a: b for a, b in swaps.items() if a != b})
            yield

    def _rename(self, swaps: Swaps) -> None:
        """Where the first of each pair lay, the second lies now, with what can be seen of it from outside."""
        view, names = self.view, self.view.program.layout.names
        for name in AT_PLACE:
            self._move(names[name], swaps, name in NAMES_THINGS)
        locations = range(1, view.program.layout.locations + 1)
        for name in ("FIRST", "LAST"):
            for where in locations:
                self._map(names[name] + where, swaps)
        for number in range(len(view.program.world.content.tokens)):
            self._tokens(names["TOKEN_CELL"] + number * view.program.layout.width, swaps)
        for column in view.program.layout.columns.values():
            if not column.static:
                self._field(column, swaps)
        for state in view.program.world.content.states:
            at = view.program.layout.state_cells.get(state.id)
            if at is not None:
                self._reference(at, state.type, swaps)

    def _move(self, column: int, swaps: Swaps, things: bool) -> None:
        memory = self.view.memory
        kept = {other: memory[column + one] for one, other in swaps.items()}
        for thing, cell in kept.items():
            memory[column + thing] = cell
        if things:
            for number in range(1, self.view.program.layout.things + 1):
                self._map(column + number, swaps)

    def _map(self, at: int, swaps: Swaps) -> None:
        cell = self.view.memory[at]
        if cell in swaps:
            self.view.memory[at] = swaps[cell]

    def _tokens(self, column: int, swaps: Swaps) -> None:
        memory = self.view.memory
        cells = {one: memory[column + one] for one in swaps}
        kept = {other: memory[cells[one]] for one, other in swaps.items() if cells[one] and cells[other]}
        for thing, count in kept.items():
            memory[cells[thing]] = count

    def _field(self, column: Column, swaps: Swaps) -> None:
        memory = self.view.memory
        kept = {
            other: memory[column.address + one]
            for one, other in swaps.items()
            if column.low <= one <= column.high and column.low <= other <= column.high
        }
        for thing, cell in kept.items():
            memory[column.address + thing] = cell
        inner = plain(column.type)
        if "thing" in (inner.tag, item_of(inner).tag):
            for thing in range(column.low, column.high + 1):
                self._reference(column.address + thing, column.type, swaps)

    def _reference(self, at: int, type_: Type, swaps: Swaps) -> None:
        """What a cell of a type names, when other things lie there."""
        inner = plain(type_)
        if inner.tag == "thing":
            self._map(at, swaps)
        elif is_list(inner) and item_of(inner).tag == "thing" and self.view.memory[at]:
            block = self.view.memory[at]
            for offset in range(1, self.view.memory[block] + 1):
                self._map(block + offset, swaps)


def _known(view: View, thing: int, seat: int) -> bool:
    return view.knows(seat, thing) if seat else view.face_up(thing)


# ------------------------------------------------------------------ hidden fields
class SecretFields:
    """Hidden fields whose values a seat does not know, and what they might be."""

    def __init__(self, view: View, closed: list[tuple[Field, list[int], list[int]]]) -> None:
        """`closed`: each field with all things that have it, and with those of which the seat does not know it."""
        self.view = view
        self.cells: list[tuple[int, list[int]]] = []
        for field, things, unknown in closed:
            column = view.program.layout.columns[field.first]
            held = [view.memory[column.address + thing] for thing in things]
            possible = self._possible(field, held)
            self.cells += [(column.address + thing, possible) for thing in unknown]

    def _possible(self, field: Field, held: list[int]) -> list[int]:
        inner = plain(field.type)
        program = self.view.program
        match inner.tag:
            case "thing":
                return [*program.world.of_kind(inner.name), *held]
            case "words":
                words = [program.layout.words.get(str(word), 0) for word in inner.args]
                return [*(word for word in words if word), *held]
            case "ints":
                return [*(number for number in inner.args if isinstance(number, int)), *held]
            case "truth":
                return [1, 0]
            case "int" | "range" | "target":
                return [*held, *(number + step for number in held for step in (-1, 1))]
        return held

    def suppose(self, draw: Random) -> None:
        """Lets hidden fields hold something else, until what is supposed is taken back."""
        for at, possible in self.cells:
            self.view.memory[at] = draw.choice(possible)
