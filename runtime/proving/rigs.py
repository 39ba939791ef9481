"""What chance will bring in a test: rows in memory that the kernel reads before it draws or rolls."""

from __future__ import annotations

from talewright.runtime.engines.interface import Machine
from talewright.runtime.host.words import Words
from talewright.runtime.kernel.memory import RIG_DIE, RIG_RANDOM
from talewright.runtime.model.cells import RIGS
from talewright.runtime.model.layout import RIG_ROWS
from talewright.runtime.proving.failures import Failure
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record

# The cells of a row before its values: key, how many, how many were used.
HEAD = 3
# The keys of dice that nobody rolls go down from here.
UNKNOWN = -(1 << 30)


@record
class Row:
    """What is rigged for one source of chance."""

    key: int
    name: str
    values: list[int] = field(default_factory=list)
    used: int = 0
    must_be_used: bool = True


class Rigs:
    """The rigged chance of one test."""

    def __init__(self, words: Words, machine: Machine) -> None:
        self.words = words
        self.machine = machine
        self.rows: list[Row] = []

    def add(self, what: str, values: list[int], types: tuple[Type, ...]) -> None:
        """Says what a die, a container or `random` will bring."""
        program = self.words.program
        if what == "random":
            self._row(RIG_RANDOM, what).values = list(values)
            self.write()
            return
        pile = program.world.pile_numbers.get(what)
        if pile is None:
            self._add_die(what, values)
            return
        held = program.world.piles[pile - len(program.world.things) - 1]
        if held.kind in program.world.kinds and program.world.kinds[held.kind].die is not None:
            self._add_die(held.kind, values)
            return
        chosen = self._on_top(pile, values, types)
        if held.form == "bag":
            row = self._row(pile, what)
            row.values, row.must_be_used = chosen, False
            self.write()

    def left(self) -> Row | None:
        """What was rigged and never came."""
        self.read()
        return next((row for row in self.rows if row.must_be_used and row.used < len(row.values)), None)

    # ------------------------------------------------------------------ rows in memory
    def _row(self, key: int, name: str) -> Row:
        self.read()
        for row in self.rows:
            if row.key == key:
                del row.values[: row.used]
                row.used = 0
                return row
        self.rows.append(Row(key, name))
        return self.rows[-1]

    def _add_die(self, name: str, values: list[int]) -> None:
        number = self.words.program.dice.get(name)
        # What nobody can roll is left over in the end.
        key = UNKNOWN - len(self.rows) if number is None else RIG_DIE + number[0]
        self._row(key, name).values.extend(values)
        self.write()

    def read(self) -> None:
        """Takes over how much was used."""
        at = RIG_ROWS
        for row in self.rows:
            row.used = self.words.cell(at + 2)
            at += HEAD + len(row.values)

    def write(self) -> None:
        """Puts the rows into memory."""
        cells = [cell for row in self.rows for cell in (row.key, len(row.values), row.used, *row.values)]
        self.machine.write(RIG_ROWS, cells)
        self.machine.write(RIGS, [len(self.rows)])

    # ------------------------------------------------------------------ cards
    def _on_top(self, pile: int, values: list[int], types: tuple[Type, ...]) -> list[int]:
        """Puts cards on top of a pile, the first named to be drawn first."""
        source = self.words.column("REFILL", pile)
        chosen: list[int] = []
        for value, type_ in zip(values, types, strict=True):
            chosen.append(self._copy(value, pile, source, chosen) if type_.tag == "sort" else value)
        for thing in chosen:
            if self.words.column("WHERE", thing) not in (pile, source):
                raise self._elsewhere(thing)
        for thing in reversed(chosen):
            self.machine.call("put_on_top", thing, pile)
        return chosen

    def _copy(self, sort: int, pile: int, source: int, chosen: list[int]) -> int:
        program = self.words.program
        name = program.world.thing(sort).sort if sort <= len(program.world.things) else ""
        free = [thing for thing in program.world.sorts.get(name, ()) if thing not in chosen]
        for where in (pile, source):
            for thing in free:
                if where and self.words.column("WHERE", thing) == where:
                    return thing
        raise self._elsewhere(sort)

    def _elsewhere(self, thing: int) -> Failure:
        title = self.words.title(thing)
        return Failure(f"`rig` names {title}, which lies neither in the pile nor in its source")
