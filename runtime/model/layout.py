"""The address of everything.

The state of a game comes first: header, streams, cells, columns, locations. Behind it, at fixed distances, lie what never
changes and the regions of which only the used part belongs to the state: heap, dice, records, frames, list stack.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from talewright.runtime.ir.header import NONE
from talewright.runtime.model.cells import GAME_HEADER_END
from talewright.runtime.model.constants import first_value, is_constant
from talewright.runtime.model.deferred import Deferring
from talewright.runtime.model.facts import Facts
from talewright.runtime.model.types import none_of
from talewright.runtime.model.world import Field, World
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record

# Cells before this belong to the state.
STATE_CELLS = 1 << 18
STATIC = STATE_CELLS
STATIC_CELLS = 1 << 19
IMAGE = STATIC + STATIC_CELLS
SCRATCH = IMAGE + STATE_CELLS
SCRATCH_CELLS = 1 << 16
# What lies there: lists that are collected, the frames of one stop, rigged chance.
GATHER = SCRATCH
BUFFER = SCRATCH + (1 << 15)
BUFFER_CELLS = 1 << 14
RIG_ROWS = BUFFER + BUFFER_CELLS
# How many steps the game has taken, and may take: they belong to no state.
GAME_STEPS = SCRATCH + SCRATCH_CELLS
PAY = GAME_STEPS + 2
PAY_CELLS = 1 << 15
HEAP = PAY + PAY_CELLS
HEAP_CELLS = 1 << 16
DICE_RECORDS = HEAP + HEAP_CELLS
DIE_CELLS = 5
MOST_DICE = 4096
# Running calls, rules for a while and traits.
RECORDS = DICE_RECORDS + MOST_DICE * DIE_CELLS
RECORD_CELLS = 1 << 16
FRAMES = RECORDS + RECORD_CELLS
FRAME_CELLS = 1 << 16
STACK = FRAMES + FRAME_CELLS
STACK_CELLS = 1 << 18
STACK_END = STACK + STACK_CELLS
MEMORY_CELLS = STACK_END
# Behind the memory of games that are only played: what is written down for the host.
EVENTS = MEMORY_CELLS
EVENT_CELLS = 1 << 18
# Behind that, where bots play: what they work with, and two copies of the game.
BOTS = EVENTS + EVENT_CELLS
BOT_CELLS = 1 << 19
COPY_CELLS = STATE_CELLS + HEAP_CELLS + MOST_DICE * DIE_CELLS + RECORD_CELLS + FRAME_CELLS + STACK_CELLS
WORLD_NOW = BOTS + BOT_CELLS
WORLD_IN_MIND = WORLD_NOW + COPY_CELLS
BOTS_END = WORLD_IN_MIND + COPY_CELLS
# Behind that, where games are counted: single cells; how often places of the text are reached and things come and act, now, before
# the game, and while a bot imagines others; in how many games; the table of sums; what the running game adds to it.
COUNTS = BOTS_END
MOST_COUNTERS = 1 << 16
MOST_THINGS = 1 << 15
SUM_ROWS = 1 << 16
SUM_CELLS = 8
MOST_LISTED = 1 << 18
MOST_PAGES = 1 << 12
MOST_CHOICES = 1 << 16
MOST_KEPT = 1 << 18
COUNTERS = COUNTS + 64
COUNTERS_BEFORE = COUNTERS + MOST_COUNTERS
COUNTERS_ASIDE = COUNTERS_BEFORE + MOST_COUNTERS
HIT_GAMES = COUNTERS_ASIDE + MOST_COUNTERS
SEEN = HIT_GAMES + MOST_COUNTERS
MET_GAMES = SEEN + MOST_THINGS
MET_WINS = MET_GAMES + MOST_THINGS
UNSEEN = MET_WINS + MOST_THINGS
# Options have the first numbers of sums, everything else those from SUM_ROWS on.
SUM_NUMBERS = UNSEEN + MOST_THINGS
SUMS = SUM_NUMBERS + SUM_ROWS
OFFERED = SUMS + 2 * SUM_ROWS * SUM_CELLS
OFFERED_BEFORE = OFFERED + SUM_ROWS
LAST_OFFERED = OFFERED_BEFORE + SUM_ROWS
LISTED = LAST_OFFERED + SUM_ROWS
PAGES = LISTED + MOST_LISTED
CHOICES = PAGES + MOST_PAGES
KEPT_SUMS = CHOICES + MOST_CHOICES
COUNTS_END = KEPT_SUMS + MOST_KEPT

# No machine has these cells: copies of its memory have one for every thing whose rules are left out of account.
DISREGARDED = 1 << 27

# Words are numbered from here, so that no word is also a thing.
WORD0 = 1 << 28

BITS = 32


@record(frozen=True)
class Column:
    """A field's cells: one for each thing in a stretch of numbers."""

    address: int
    """Where the cell of thing 0 would be."""
    low: int
    high: int
    static: bool
    type: Type


@record
class Layout(Deferring):
    """Addresses, and the first content of memory."""

    world: World
    facts: Facts
    things: int = 0
    """The largest number a thing can have; those beyond the declared ones are made in play."""
    locations: int = 0
    cells: list[int] = field(default_factory=lambda: [0] * GAME_HEADER_END)
    """The state as it is before anything runs."""
    static: list[int] = field(default_factory=list)
    """What never changes."""
    records: int = 0
    """How many cells there are for records."""
    names: dict[str, int] = field(default_factory=dict)
    """Addresses and counts by the names that the kernel knows them by."""
    state_cells: dict[str, int] = field(default_factory=dict)
    track_cells: dict[str, int] = field(default_factory=dict)
    columns: dict[str, Column] = field(default_factory=dict)
    streams: dict[str, int] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=dict)
    _first_names: dict[str, frozenset[str]] = field(default_factory=dict)
    word_names: list[str] = field(default_factory=lambda: [""])
    _blocks: dict[tuple[int, ...], int] = field(default_factory=dict)
    _kind_bits: dict[str, tuple[int, int]] = field(default_factory=dict)

    def reserve(self, values: Iterable[int]) -> int:
        """New cells of the state; gives the address of the first."""
        at = len(self.cells)
        self.cells.extend(values)
        return at

    def reserve_records(self, count: int) -> int:
        """New cells of which only the used part belongs to the state; gives the address of the first."""
        at = RECORDS + self.records
        self.records += count
        return at

    def fixed(self, values: Sequence[int]) -> int:
        """Cells that never change; gives the address of the first."""
        at = STATIC + len(self.static)
        self.static.extend(values)
        return at

    def fixed_list(self, items: Sequence[int]) -> int:
        """A list that never changes."""
        return self.fixed_block([len(items), *items])

    def fixed_block(self, cells: Sequence[int]) -> int:
        """A block that never changes: one that holds the same is the same."""
        key = tuple(cells)
        if key not in self._blocks:
            self._blocks[key] = self.fixed(key)
        return self._blocks[key]

    def word(self, name: str) -> int:
        """The number of a word."""
        if name not in self.words:
            self.words[name] = WORD0 + len(self.word_names)
            self.word_names.append(name)
        return self.words[name]

    def stream(self, name: str) -> int:
        """The number of a stream of chance."""
        return self.streams.setdefault(name, len(self.streams))

    def kind_bit(self, kind: str) -> tuple[int, int]:
        """The address of a column of bits, and the bit that says whether a thing is of a kind."""
        return self._kind_bits[kind]

    @property
    def width(self) -> int:
        """How many cells a column over all things has."""
        return self.things + 1

    # ------------------------------------------------------------------ building
    def build(self) -> None:
        """Gives addresses to what the world has."""
        world = self.world
        self.things = len(world.things)
        self.locations = self.things + len(world.piles)
        self._kinds()
        self._scalars()
        self._locations()
        for entry in world.fields.values():
            if entry.first not in self.columns and entry.tag != "pile":
                self._column(entry)

    def _kinds(self) -> None:
        kinds = list(self.world.kinds)
        for start in range(0, len(kinds), BITS):
            # Containers can be asked, too: they are of no kind.
            column = [0] * (self.locations + 1)
            for bit, kind in enumerate(kinds[start : start + BITS]):
                for number in self.world.numbers_of_kind(kind):
                    column[number] |= 1 << bit
            at = self.fixed([_signed(bits) for bits in column])
            for bit, kind in enumerate(kinds[start : start + BITS]):
                self._kind_bits[kind] = (at, bit)

    def _scalars(self) -> None:
        for state in self.world.content.states:
            if self.world.may_be(state.guards):
                self.state_cells[state.id] = self.reserve([none_of(state.type)])
        for track in self.world.content.tracks:
            if self.world.may_be(track.guards):
                self.track_cells[track.id] = self.reserve([track.low])

    def _locations(self) -> None:
        width, locations = self.width, self.locations + 1
        for name in ("WHERE", "NEXT", "PREVIOUS", "FACE", "KNOWN", "FORCED", "SHOWN"):
            self.names[name] = self.reserve([0] * width)
        for name in ("FIRST", "LAST", "COUNT"):
            self.names[name] = self.reserve([0] * locations)

    def _column(self, entry: Field) -> None:
        """Cells for one field, over the things of all kinds that share it."""
        world = self.world
        owners = [owner for (owner, name), other in world.fields.items() if other.first == entry.first]
        numbers = [n for o in owners for n in world.numbers_of_kind(o)] if entry.owner in world.kinds else []
        if entry.owner in world.traits:
            low, high = 1, self.things
        else:
            low, high = min(numbers, default=1), max(numbers, default=0)
        count = max(0, high - low + 1)
        first = [none_of(entry.type)] * count
        copied = any(pool.copies and entry.first in self._firsts(pool.kind) for pool in world.pools)
        static = (
            entry.first not in self.facts.written
            and not copied
            and all(
                is_constant(first_value(world, thing, entry))
                for thing in world.things[max(low - 1, 0) : max(high, 0)]
                if entry.first in self._firsts(thing.kind)
            )
        )
        at = self.fixed(first) if static else self.reserve(first)
        self.columns[entry.first] = Column(at - low, low, high, static, entry.type)

    def _firsts(self, kind: str) -> frozenset[str]:
        """The fields of a kind by where they were declared first."""
        found = self._first_names.get(kind)
        if found is None:
            found = frozenset(entry.first for entry in self.world.fields_of(kind).values())
            self._first_names[kind] = found
        return found


def _signed(bits: int) -> int:
    """A word of bits as a signed number."""
    return bits - (1 << BITS) if bits >= 1 << (BITS - 1) else bits


__all__ = ["NONE", "WORD0", "Column", "Layout"]
