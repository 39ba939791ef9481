"""A game as it stands, as bytes: what undo goes back to, and what tells whether anything has changed."""

from __future__ import annotations

from hashlib import blake2b

from talewright.runtime.engines.interface import Machine
from talewright.runtime.host.words import Words
from talewright.runtime.ir.header import ANSWER, BUFFER_TOP, FRAME_TOP, RESULT, RESUME, STACK_TOP, STEPS
from talewright.runtime.lower.program import Program
from talewright.runtime.model.cells import (
    CHAPTER,
    DECISION,
    DECISIONS,
    DICE_TOP,
    ENDING,
    EVENT_TOP,
    FORCE_CLOCK,
    GATHER_TOP,
    HEAP_TOP,
    ROUNDS,
    RUN_TOP,
    SPOT,
    TEXTS,
    TRAIT_TOP,
    UNTIL_TOP,
)
from talewright.runtime.model.layout import (
    DICE_RECORDS,
    DIE_CELLS,
    FRAMES,
    GATHER,
    HEAP,
    PAY,
    PAY_CELLS,
    STACK,
)
from talewright.runtime.model.world import plain
from talewright.schemas.records import record

CELL_BYTES = 4
# What counts up by itself, and what the last answer left: it says nothing about how the game stands.
PASSING = (RESULT, ANSWER, STEPS, BUFFER_TOP, RESUME, DECISIONS, ROUNDS, FORCE_CLOCK, EVENT_TOP, TEXTS, SPOT)

# Types of states whose values read the same however the program was built.
TOLD = frozenset(("int", "range", "ints", "truth", "target", "thing", "sort", "words", "list", "set"))


@record(frozen=True)
class Snapshot:
    """Stretches of memory, by the address of their first cell."""

    stretches: tuple[tuple[int, bytes], ...]


def take_snapshot(program: Program, machine: Machine) -> Snapshot:
    """Everything that belongs to the game now."""
    return Snapshot(tuple((at, machine.snapshot(at, count)) for at, count in _stretches(program, machine)))


def put_back(machine: Machine, snapshot: Snapshot) -> None:
    """The game as it stood."""
    for at, content in snapshot.stretches:
        machine.restore(at, content)


def standing(program: Program, machine: Machine) -> bytes:
    """What can make the game go on differently, without what only counts: equal bytes, equal games."""
    (_, state), *rest = take_snapshot(program, machine).stretches
    cells = bytearray(state)
    counters = [point.counter for point in program.points if point.counter]
    # Choices that are drawn inside the engine have a stream behind all others.
    choices = program.layout.names["STREAMS"] + len(program.layout.streams)
    for at in (*PASSING, *counters, choices):
        cells[at * CELL_BYTES : (at + 1) * CELL_BYTES] = bytes(CELL_BYTES)
    whole = blake2b(bytes(cells), digest_size=16)
    for _, content in rest:
        whole.update(content)
    return whole.digest()


def digest(words: Words) -> str:
    """The table in a few letters, the same in every process and for every way to build the program."""
    layout, world = words.program.layout, words.program.world
    whole = blake2b(digest_size=8)
    names = [words.thing(n).id if n else "" for n in (words.cell(CHAPTER), words.cell(ENDING))]
    whole.update(repr(names).encode())
    for name in ("WHERE", "NEXT", "FACE", "KNOWN"):
        whole.update(repr(words.machine.read(layout.names[name], layout.width)).encode())
    tokens = words.machine.read(layout.names["TOKEN_CELL"], layout.width * len(world.content.tokens))
    whole.update(repr([words.cell(at) for at in tokens if at]).encode())
    for track, at in sorted(layout.track_cells.items()):
        whole.update(repr((track, words.cell(at))).encode())
    for state in world.content.states:
        if state.id in layout.state_cells and plain(state.type).tag in TOLD:
            value = words.value(words.cell(layout.state_cells[state.id]), state.type)
            whole.update(repr((state.id, value)).encode())
    return whole.hexdigest()


def _stretches(program: Program, machine: Machine) -> list[tuple[int, int]]:
    """The used part of every region: state, heap, dice, records, frames, list stack, lists being gathered, ways to pay."""
    heap, dice, frames, stack, gathered, point = (
        machine.read(at, 1)[0] for at in (HEAP_TOP, DICE_TOP, FRAME_TOP, STACK_TOP, GATHER_TOP, DECISION)
    )
    names = program.layout.names
    records = [
        (names[name], machine.read(top, 1)[0] - names[name])
        for name, top in (("RUN", RUN_TOP), ("UNTIL", UNTIL_TOP), ("TRAIT_RECORDS", TRAIT_TOP))
    ]
    found = [
        (0, len(program.layout.cells)),
        (HEAP, heap - HEAP),
        (DICE_RECORDS, dice * DIE_CELLS),
        *records,
        (FRAMES, frames - FRAMES),
        (STACK, stack - STACK),
        (GATHER, gathered - GATHER),
    ]
    paying = point < len(program.points) and program.points[point].form == "pay"
    return [*found, (PAY, PAY_CELLS)] if paying else found
