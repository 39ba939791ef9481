"""A whole module: lowered functions, kernel, first image, and what the host calls."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from pathlib import Path

from talewright.runtime import kernel as kernel_folder
from talewright.runtime.faults import LoadError, misfit
from talewright.runtime.ir.build import ZERO
from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.ir.kernel import library
from talewright.runtime.ir.nodes import Data, Function, Module, Return
from talewright.runtime.ir.passes.asking import DECIDE
from talewright.runtime.ir.passes.cutting import Regions
from talewright.runtime.ir.passes.pipeline import finished
from talewright.runtime.ir.passes.survey import Surveys, survey
from talewright.runtime.ir.validate import InvalidModule
from talewright.runtime.lower.builds.counters import counting_tables, lay_out_counters
from talewright.runtime.lower.builds.dealing import dealing_tables, hint_tables, lay_out_bots
from talewright.runtime.lower.builds.measures import measure_function, measure_name, measures_of
from talewright.runtime.lower.builds.trials import lower_trials
from talewright.runtime.lower.decisions import decisions, menus, payments, possible  # noqa: F401
from talewright.runtime.lower.decisions.describe import asked_in_texts
from talewright.runtime.lower.expressions import (  # noqa: F401
    braces,
    collections,
    dice,
    fields,
    membership,
    modifiers,
    tables,
    texts,
    values,
)
from talewright.runtime.lower.expressions.faces import lay_out_faces, turn_face
from talewright.runtime.lower.expressions.likeness import alike
from talewright.runtime.lower.expressions.limits import capacity_of, token_limit
from talewright.runtime.lower.expressions.modifiers import need_value
from talewright.runtime.lower.locating import located
from talewright.runtime.lower.maps import space  # noqa: F401
from talewright.runtime.lower.maps.casts import lay_out_casts
from talewright.runtime.lower.maps.grid import base_of
from talewright.runtime.lower.maps.space import lay_out_maps
from talewright.runtime.lower.program import MOST_RUNNING, Build, Program, prepare
from talewright.runtime.lower.rules.traits import born_with, lay_out_traits, same_trait, site_table
from talewright.runtime.lower.rules.until import lay_out_until
from talewright.runtime.lower.rules.watch import armed_by_move, first_force, moves_that_arm
from talewright.runtime.lower.rules.watched import TABLE
from talewright.runtime.lower.start import initialise

# Modules that enter what they lower.
from talewright.runtime.lower.statements import actions, effects, making, moments, statements, verbs  # noqa: F401
from talewright.runtime.lower.statements.lasting import lay_out_lasting
from talewright.runtime.lower.statements.story import has_fixed_pages, story
from talewright.runtime.model import layout as regions
from talewright.runtime.model.world import plain
from talewright.schemas.garbage import built_to_stay
from talewright.schemas.nodes.document import Document
from talewright.schemas.nodes.literals import Show
from talewright.schemas.records import record

DEEPEST = 400
EXPORTS = ("prepare", "begin", "run", "answer", "play_many", "play_on")
TOLD_EXPORTS = ("play_told", "choose_for_table")
BOT_EXPORTS = ("choose_option", "save_game", "load_game", "prepare_deals", "deal", "forget_deal")
COUNT_EXPORTS = (
    "play_counted",
    "drop_tally",
    "table_is_full",
    "forget_sums",
    "set_sum",
    "pages_passed_by",
)
COUNT_HOOKS = (
    ("begin_tally", 0, False),
    ("end_tally", 0, False),
    ("count_decision", 1, False),
    ("count_came", 1, False),
    ("count_came_back", 1, False),
    ("table_is_full", 0, True),
)
TRIAL_EXPORTS = ("drop_frames", "enter_trial", "put_on_top")
# Numbers for texts that come from outside: those that an earlier game of a campaign left.
SPARE_TEXTS = 256
KERNEL = Path(kernel_folder.__path__[0])


def assemble(
    document: Document,
    options: Mapping[str, object],
    players: int | None,
    build: Build,
    *,
    thorough: bool = False,
) -> tuple[Program, Module]:
    """Lowers a document for certain settings to a module that an engine can run; what cannot be played is a LoadError.

    `thorough` validates every pass.
    """
    with built_to_stay():
        lowered = lower(document, options, players, build)
        with located(document.sources, lambda: NOWHERE):
            return lowered.program, _module(lowered, thorough)


@record(frozen=True)
class Lowered:
    """A document lowered for certain settings: its own functions, without those of the kernel, and what is called from outside."""

    program: Program
    functions: dict[str, Function]
    entries: tuple[str, ...]
    exports: tuple[str, ...]


def lower(document: Document, options: Mapping[str, object], players: int | None, build: Build) -> Lowered:
    """Lowers a document for certain settings."""
    with located(document.sources, lambda: NOWHERE):
        program = prepare(document, options, players, build)
    with program.located():
        lowered = _lowered(program, build)
    program.function_spots = {name: function.spot for name, function in program.functions.items()}
    # A program outlives them.
    program.functions.clear()
    return lowered


def _lowered(program: Program, build: Build) -> Lowered:
    layout = program.layout
    layout.names["RUN"] = layout.reserve_records(2 * MOST_RUNNING)
    layout.names["TAKEN"] = layout.reserve([0] * layout.width) if build.tested else 0
    lay_out_until(program)
    dice.lay_out_dice(program)
    lay_out_traits(program)
    lay_out_casts(program)
    lay_out_maps(program)
    if build.bots:
        lay_out_bots(program)
    if build.counted:
        lay_out_counters(program)
    start = initialise(program)
    lay_out_faces(program, start)
    born_with(program, start)
    first_force(program, start)
    functions: dict[str, Function] = {
        "initialise": start.function(),
        "turn_face": program.written("turn_face", 1, turn_face, gives=False),
        # A program of tests plays steps of its own: whatever they do not reach is left out.
        "story": Function("story", 0, 0, False, ())
        if build.tested
        else program.written("story", 0, story, gives=False),
        "same_trait": program.written("same_trait", 4, same_trait),
    }
    entries: tuple[str, ...] = ("story",)
    exports: tuple[str, ...] = EXPORTS
    if build.tested:
        functions["trial"] = lower_trials(program)
        entries, exports = (*entries, "trial"), (*exports, *TRIAL_EXPORTS)
    if build.values:
        for declared in program.values.values():
            need_value(program, declared)
        exports = (*exports, *(f"value:{name}" for name in program.values))
    if build.events:
        exports = (*exports, *TOLD_EXPORTS)
    if build.bots:
        exports = (*exports, *BOT_EXPORTS)
    if build.counted:
        exports = (*exports, *COUNT_EXPORTS)
    exports = (*exports, *lay_out_lasting(program))
    for measure in measures_of(program):
        functions[measure_name(measure)] = measure_function(program, measure)
        exports = (*exports, measure_name(measure))
    functions["token_limit"] = program.written("token_limit", 2, token_limit)
    functions["capacity_of"] = program.written("capacity_of", 1, capacity_of)
    functions["alike"] = program.written("alike", 2, alike)
    functions["base_of"] = program.written("base_of", 1, base_of)
    functions["armed_by_move"] = program.written("armed_by_move", 1, armed_by_move, gives=False)
    layout.names["ARMED_BY_MOVE"] = layout.fixed(moves_that_arm(program))
    program.write_needed()
    if build.bots:
        hint_tables(program)
        program.write_needed()
        dealing_tables(program)
    if build.counted:
        counting_tables(program)
    functions |= program.functions
    for function in _hooks(program):
        functions.setdefault(function.name, function)
    _dice(program)
    site_table(program)
    _texts(program)
    if build.events:
        layout.names["IN_TEXTS"] = layout.fixed(
            [int(asked_in_texts(program, n)) for n in range(len(program.points))]
        )
    layout.names["STREAM_KEYS"] = layout.fixed([_stream_key(name) for name in (*layout.streams, "choices")])
    layout.names["STREAMS"] = layout.reserve([0] * (len(layout.streams) + 8))
    if build.bots:
        # Cutting writes the table of what frames hold behind everything else that never changes.
        layout.names["FRAME_TABLE"] = regions.STATIC + len(layout.static)
    return Lowered(program, functions, entries, exports)


def _module(lowered: Lowered, thorough: bool) -> Module:
    program, functions = lowered.program, lowered.functions
    layout, build = program.layout, program.build
    known = _add_kernel(program, functions, lowered.exports)
    fixed = Data(regions.STATIC, tuple(layout.static))
    module = Module(
        tuple(functions.values()),
        tuple(program.table),
        lowered.exports,
        (Data(0, tuple(layout.cells)), fixed),
        switches_at(build) + (build.switches + 1 if build.switches else 0),
    )
    places = Regions(
        regions.FRAMES,
        regions.FRAMES + regions.FRAME_CELLS,
        regions.BUFFER,
        regions.BUFFER + regions.BUFFER_CELLS,
        layout.names.get("FRAME_TABLE", 0),
    )
    _check_fit(program)
    # A check that does not hold names the action that broke it by the functions that run.
    # Options in cells would be taken for cells that never change. A program that only asks the checks runs once.
    inline = not (build.events or build.checked or build.open_options or build.checks)
    try:
        return finished(
            module, places, lowered.entries, DEEPEST, known, inline=inline, fixed=fixed, thorough=thorough
        )
    except InvalidModule as error:
        raise misfit("the program that it gives is wrong") from error


def _check_fit(program: Program) -> None:
    """What does not fit into its part of memory cannot be played."""
    for what, have, most in (
        ("state", len(program.layout.cells), regions.STATE_CELLS),
        ("records", program.layout.records, regions.RECORD_CELLS),
        ("fixed values", len(program.layout.static), regions.STATIC_CELLS),
        ("counters", program.layout.names.get("COUNTER_CELLS", 0), regions.MOST_COUNTERS),
    ):
        if have > most:
            raise LoadError(f"the game is too large: {have:,} cells of {what}, where {most:,} fit")


def _add_kernel(program: Program, functions: dict[str, Function], exports: Iterable[str]) -> Surveys:
    """Adds those functions of the kernel that the others or the host call; gives what each function calls."""
    kernel = kernel_functions(program)
    known = {name: survey(function) for name, function in functions.items()}
    wanted = [*exports, DECIDE]
    for found in known.values():
        wanted.extend(sorted(found.callees))
    while wanted:
        name = wanted.pop()
        if name in kernel and name not in functions:
            functions[name] = kernel[name]()
            known[name] = survey(functions[name])
            wanted.extend(sorted(known[name].callees))
    return known


def kernel_functions(program: Program) -> dict[str, Callable[[], Function]]:
    """How each function of the kernel that a program can use is made, by name."""
    build = program.build
    left_out = {
        "__init__",
        "memory",
        *(() if build.bots else ("bots",)),
        *(() if build.counted else ("tally", "sums", "option_counts")),
    }
    paths = [
        path for path in sorted(KERNEL.rglob("*.py")) if left_out.isdisjoint((path.stem, path.parent.name))
    ]
    return library(paths, kernel_constants(program))


def switches_at(build: Build) -> int:
    """Where the switches of a program that is broken on purpose lie: behind everything else."""
    if build.counted:
        return regions.COUNTS_END
    if build.bots:
        return regions.BOTS_END
    return regions.MEMORY_CELLS + (regions.EVENT_CELLS if build.events or build.traced else 0)


def _stream_key(name: str) -> int:
    """The name of a stream of chance as a number, the same in every build."""
    (key,) = struct.unpack("<i", blake2b(name.encode(), digest_size=4).digest())
    return int(key)


def _hooks(program: Program) -> list[Function]:
    """Functions that the kernel calls and this program has nothing to say to."""
    made = [Function("nothing", 0, 0, True, (Return(ZERO),))]
    if not program.build.bots:
        made.append(Function("choose_option", 0, 0, True, (Return(ZERO),)))
        made.append(Function("seed_bot", 2, 2, False, ()))
        made.append(Function("prepare_deals", 0, 0, False, ()))
    if not program.build.counted:
        for name, parameters, result in COUNT_HOOKS:
            made.append(Function(name, parameters, parameters, result, (Return(ZERO),) if result else ()))
    return made


def _dice(program: Program) -> None:
    """Tables of the kinds of dice: faces, and a stream for each die and purpose."""
    layout = program.layout
    faces, streams = [0], [0]
    purposes = sorted(program.purposes)
    for name, (_, cells) in program.dice.items():
        faces.append(layout.fixed_list(list(cells)))
        streams.append(layout.stream(f"die:{name}"))
        for purpose in purposes:
            layout.stream(f"die:{name}:{purpose}")
    ranks = {layout.word(purpose): rank for rank, purpose in enumerate(purposes, 1)}
    layout.names["FACE_LIST"] = layout.fixed(faces)
    opposites = [layout.fixed_list(program.opposites.get(number, ())) for number in range(len(faces))]
    layout.names["OPPOSITES"] = layout.fixed(opposites)
    layout.names["DIE_STREAM"] = layout.fixed(streams)
    layout.names["PURPOSE_RANK"] = layout.fixed(
        [ranks.get(regions.WORD0 + i, 0) for i in range(len(layout.word_names) + 1)]
    )


def _texts(program: Program) -> None:
    """Which of the shows of each text are lists, and which are nested."""
    lists, nested = [0], [0]
    for text in program.texts:
        shown = [plain(part.type).tag for part in text.parts if isinstance(part, Show)]
        lists.append(sum(1 << i for i, tag in enumerate(shown) if tag in ("list", "set", "pool", "dice")))
        nested.append(sum(1 << i for i, tag in enumerate(shown) if tag == "text"))
    program.own_texts = len(program.texts)
    spare = [0] * SPARE_TEXTS
    program.layout.names["TEXT_LISTS"] = program.layout.fixed(lists + spare)
    program.layout.names["TEXT_TEXTS"] = program.layout.fixed(nested + spare)


def kernel_constants(program: Program) -> dict[str, int]:
    """The addresses and counts that kernel files know by name."""
    layout = program.layout
    return {
        "TITLE_TEXTS": 0,
        **layout.names,
        "THINGS": layout.things,
        "FIRST_MADE": program.world.first_made,
        "WIDTH": layout.width,
        "STATE_END": len(layout.cells),
        "LOCATIONS": layout.locations,
        "POLICY_STREAM": len(layout.streams),
        "STREAM_COUNT": len(layout.streams),
        "SWITCHES": switches_at(program.build),
        "TABLE_WATCHED": int(program.is_watched(TABLE)),
        "FIXED_PAGES": int(has_fixed_pages(program)),
    }
