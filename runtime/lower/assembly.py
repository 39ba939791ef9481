"""A whole module: lowered functions, kernel, first image, and what the host calls."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from talewright.runtime import kernel as kernel_folder
from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ZERO
from talewright.runtime.ir.cutting import Regions
from talewright.runtime.ir.kernel import translate
from talewright.runtime.ir.nodes import Data, Function, Module, Return
from talewright.runtime.ir.passes import finished

# Modules that enter what they lower.
from talewright.runtime.lower import (  # noqa: F401
    actions,
    anytime,
    collections,
    decisions,
    dice,
    effects,
    fields,
    menus,
    modifiers,
    moments,
    payments,
    possible,
    space,
    statements,
    tables,
    texts,
    traits,
    until,
    values,
    verbs,
    watch,
)
from talewright.runtime.lower.casts import lay_out_casts
from talewright.runtime.lower.faces import lay_out_faces, turn_face_function
from talewright.runtime.lower.likeness import alike_function
from talewright.runtime.lower.limits import limit_functions
from talewright.runtime.lower.program import MOST_RUNNING, Build, Program, prepare
from talewright.runtime.lower.space import lay_out_maps
from talewright.runtime.lower.start import initialise
from talewright.runtime.lower.story import story_function
from talewright.runtime.lower.traits import born_with, lay_out_traits, same_trait_function, site_table
from talewright.runtime.lower.trials import lower_trials
from talewright.runtime.lower.until import lay_out_until
from talewright.runtime.lower.watch import armed_by_move_function
from talewright.runtime.model import layout as regions
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.literals import Show

DEEPEST = 400
BUFFER_CELLS = 1 << 14
GATHER = regions.SCRATCH
BUFFER = regions.SCRATCH + (1 << 15)
RIG_ROWS = BUFFER + BUFFER_CELLS
EXPORTS = ("prepare", "begin", "run", "answer", "play_many", "play_on")
TRIAL_EXPORTS = ("drop_frames", "enter_trial", "put_on_top")
KERNEL = Path(kernel_folder.__path__[0])


def assemble(
    document: Document, options: Mapping[str, object], players: int | None, build: Build
) -> tuple[Program, Module]:
    """Lowers a document for certain settings to a module that an engine can run."""
    program = prepare(document, options, players, build)
    layout = program.layout
    layout.names["RUN"] = layout.reserve([0] * (2 * MOST_RUNNING))
    layout.names["TAKEN"] = layout.reserve([0] * layout.width) if build.tested else 0
    lay_out_until(program)
    dice.lay_out_dice(program)
    lay_out_traits(program)
    lay_out_casts(program)
    lay_out_maps(program)
    start = initialise(program)
    lay_out_faces(program, start)
    born_with(program, start)
    functions: dict[str, Function] = {
        "initialise": start.function(),
        "turn_face": turn_face_function(program),
        "story": story_function(program),
        "same_trait": same_trait_function(program),
    }
    entries: tuple[str, ...] = ("story",)
    exports: tuple[str, ...] = EXPORTS
    if build.tested:
        functions["trial"] = lower_trials(program)
        entries, exports = (*entries, "trial"), (*exports, *TRIAL_EXPORTS)
    functions |= {function.name: function for function in limit_functions(program)}
    functions["alike"] = alike_function(program)
    functions["armed_by_move"] = armed_by_move_function(program)
    program.write_needed()
    functions |= program.functions
    for function in _hooks(program):
        functions.setdefault(function.name, function)
    _dice(program)
    site_table(program)
    _texts(program)
    layout.names["STREAMS"] = layout.reserve([0] * (len(layout.streams) + 8))
    constants = _constants(program)
    own: set[str] = set()
    for path in sorted(KERNEL.glob("*.py")):
        if path.stem not in ("__init__", "memory"):
            for function in translate(path, constants):
                if function.name in own:
                    raise LoadError(f"the kernel has two functions called {function.name}")
                own.add(function.name)
                functions.setdefault(function.name, function)
    data = (
        Data(0, tuple(layout.cells)),
        Data(regions.STATIC, tuple(layout.static)),
    )
    module = Module(
        tuple(functions.values()),
        tuple(program.table),
        exports,
        data,
        regions.MEMORY_CELLS + (regions.EVENT_CELLS if build.events or build.traced else 0),
    )
    places = Regions(regions.FRAMES, regions.FRAMES + regions.FRAME_CELLS, BUFFER, BUFFER + BUFFER_CELLS)
    return program, finished(module, places, entries, DEEPEST)


def _hooks(program: Program) -> list[Function]:
    """Functions that the kernel calls and this program has nothing to say to."""
    return [
        Function("nothing", 0, 0, True, (Return(ZERO),)),
    ]


def _dice(program: Program) -> None:
    """Tables of the kinds of dice: faces and streams."""
    layout = program.layout
    faces, streams = [0], [0]
    for name, (_, cells) in program.dice.items():
        faces.append(layout.fixed_list(list(cells)))
        streams.append(layout.stream(f"die:{name}"))
    layout.names["FACE_LIST"] = layout.fixed(faces)
    opposites = [layout.fixed_list(program.opposites.get(number, ())) for number in range(len(faces))]
    layout.names["OPPOSITES"] = layout.fixed(opposites)
    layout.names["DIE_STREAM"] = layout.fixed(streams)
    layout.names["PURPOSE_RANK"] = layout.fixed([0] * (len(layout.word_names) + 1))


def _texts(program: Program) -> None:
    """Which of the shows of each text are lists, and which are nested."""
    lists, nested = [0], [0]
    for text in program.texts:
        shown = [plain(part.type).tag for part in text.parts if isinstance(part, Show)]
        lists.append(sum(1 << i for i, tag in enumerate(shown) if tag in ("list", "set", "pool", "dice")))
        nested.append(sum(1 << i for i, tag in enumerate(shown) if tag == "text"))
    program.layout.names["TEXT_LISTS"] = program.layout.fixed(lists)
    program.layout.names["TEXT_TEXTS"] = program.layout.fixed(nested)


def _constants(program: Program) -> dict[str, int]:
    layout = program.layout
    return {
        **layout.names,
        "THINGS": layout.things,
        "WIDTH": layout.width,
        "HEAP": regions.HEAP,
        "HEAP_END": regions.HEAP + regions.HEAP_CELLS,
        "DICE": regions.DICE_RECORDS,
        "DICE_END": regions.MOST_DICE,
        "FRAMES": regions.FRAMES,
        "FRAMES_END": regions.FRAMES + regions.FRAME_CELLS,
        "BUFFER": BUFFER,
        "STACK": regions.STACK,
        "GATHER": GATHER,
        "IMAGE": regions.IMAGE,
        "STATE_END": len(layout.cells),
        "LOCATIONS": layout.locations,
        "EVENTS": regions.EVENTS,
        "EVENTS_END": regions.EVENTS + regions.EVENT_CELLS,
        "PAY": regions.PAY,
        "RIG_ROWS": RIG_ROWS,
    }
