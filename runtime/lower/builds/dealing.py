"""What bots need to know of memory: which cells name things, so that hidden ones can be dealt anew."""

from __future__ import annotations

from collections.abc import Callable

from talewright.runtime.kernel.bots.deal import BORNE, HOLDS_OFFERS, HOLDS_THINGS
from talewright.runtime.lower.builds.hints import has_hints, score_functions, weighers
from talewright.runtime.lower.decisions.menus import shown_parts
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import captures
from talewright.runtime.model import layout as regions
from talewright.runtime.model.constants import first_value
from talewright.runtime.model.layout import Column
from talewright.runtime.model.types import BEHAVIOUR, item_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.literals import MarkLiteral, WordLiteral
from talewright.schemas.nodes.rules import OfferRule
from talewright.schemas.nodes.types import ANY, Type

WINNING = frozenset(("victory", "win", "won", "success", "triumph", "good"))
# The region of bots: single cells, what options weigh and are worth, then columns.
WEIGHTS, WORTH, WORTH_FIRST, SEARCHED, REMEMBERED, COLUMNS = (
    64 + part * 4096 for part in (0, 1, 2, 3, 9, 17)
)
REMEMBERED_ROWS = 4096
DEAL_COLUMNS_USED = 10


def holds_things(type_: Type) -> bool:
    """Whether a cell of a type holds a thing."""
    return plain(type_).tag == "thing"


def holds_lists(type_: Type) -> bool:
    """Whether a cell of a type holds a list of things."""
    inner = plain(type_)
    return inner.tag in ("list", "set") and holds_things(item_of(inner))


def lay_out_bots(program: Program) -> None:
    """The cells that bots use, and those that do not depend on what is lowered."""
    names, layout = program.layout.names, program.layout
    width = max(layout.locations, len(program.world.kinds)) + 64
    if COLUMNS + DEAL_COLUMNS_USED * width > regions.BOT_CELLS:
        width = layout.width
    for offset, name in enumerate(
        (
            "BOT",
            "BOT_LOW",
            "BOT_HIGH",
            "BOT_STEP",
            "APART",
            "WORTH_VARIES",
            "ITERATIONS",
            "SCORE_LOW",
            "SCORE_HIGH",
            "TRAITS_BORN",
            "REMEMBERING",
            "REMEMBERED_EPOCH",
        )
    ):
        names[name] = regions.BOTS + 1 + offset
    names["WEIGHTS"] = regions.BOTS + WEIGHTS
    names["WORTH"] = regions.BOTS + WORTH
    names["WORTH_FIRST"] = regions.BOTS + WORTH_FIRST
    names["SEARCHED"] = regions.BOTS + SEARCHED
    names["REMEMBERED"] = regions.BOTS + REMEMBERED
    names["REMEMBERED_ROWS"] = REMEMBERED_ROWS
    names["NOW"] = regions.BOTS + COLUMNS
    names["SCRATCH_COLUMN"] = names["NOW"] + width
    names["SCRATCH_WIDTH"] = width
    names["WORLD_NOW"] = regions.WORLD_NOW
    names["WORLD_IN_MIND"] = regions.WORLD_IN_MIND


def dealing_tables(program: Program) -> None:
    """Tables over everything that was lowered."""
    names, layout, world = program.layout.names, program.layout, program.world
    kinds = {kind: number for number, kind in enumerate(world.kinds)}
    names["BACK"] = layout.fixed([0, *(kinds[thing.kind] for thing in world.things)])
    names["BACKS"] = len(kinds)
    written = [column for first, column in layout.columns.items() if first in program.facts.written]
    names["DEAL_COLUMNS"] = layout.fixed([_columns_of(program, kind) for kind in kinds])
    names["DEAL_THINGS"] = _stretches(program, written, holds_things)
    names["DEAL_LISTS"] = _stretches(program, written, holds_lists)
    names["POINT_HOLDS"] = layout.fixed(
        [_options_hold(program, number) for number in range(len(program.points))] or [0]
    )
    names["OFFER_THINGS"] = layout.fixed([_shown_bits(entry.rule) for entry in world.rules] or [0])
    names["MENU_THINGS"] = layout.fixed(
        [
            _bits([p.type for p in program.menu_points[n].params]) if n in program.menu_points else 0
            for n in range(len(program.points))
        ]
        or [0]
    )
    names["UNTIL_THINGS"] = layout.fixed(_captured_bits(program))
    names["EFFECT_THINGS"] = layout.fixed([_effect_bits(program, slot) for slot in range(len(program.table))])
    behaviour = [c for c in layout.columns.values() if plain(c.type).tag in BEHAVIOUR and c.high >= c.low]
    names["BEHAVIOUR_COLUMNS"] = layout.fixed_list(
        [layout.fixed([c.address, c.low, c.high]) for c in behaviour]
    )
    names["SITE_THINGS"] = layout.fixed(_site_bits(program))
    names["VERB_THINGS"] = layout.fixed(_verb_bits(program))
    names["PAYING"] = layout.fixed([int(point.form == "pay") for point in program.points] or [0])
    names["SEATS"] = layout.fixed_list(list(world.seats.values()))
    names["TEAM_MASKS"] = layout.fixed_list([program.team_mask(team.id) for team in world.content.teams])
    names["WON"] = layout.fixed([0, *(int(is_victory(program, thing.number)) for thing in world.things)])


def hint_tables(program: Program) -> None:
    """The functions by which a package advises its bots; they may ask for more functions."""
    program.functions |= {function.name: function for function in score_functions(program)}
    slots = weighers(program) if has_hints(program) else [0] * len(program.points)
    program.layout.names["WEIGHER"] = program.layout.fixed(slots or [0])


def _columns_of(program: Program, kind: str) -> int:
    """What changes in play about the things of a kind, but for what they hold: a list of columns by their addresses."""
    world, layout = program.world, program.layout
    fields = {entry.first for entry in world.fields_of(kind).values()}
    fields |= {entry.first for entry in world.fields.values() if entry.owner in world.traits}
    columns = [column for first, column in layout.columns.items() if first in fields & program.facts.written]
    return layout.fixed_list(
        [layout.names[name] for name in ("WHERE", "KNOWN", "FORCED")]
        + [column.address for column in columns if not column.static and column.high >= column.low]
    )


def _options_hold(program: Program, number: int) -> int:
    """What the options of a decision are: things, offers of a menu, or neither."""
    if number in program.menu_points:
        return HOLDS_OFFERS
    if number in program.way_points:
        return 0
    return HOLDS_THINGS * holds_things(program.points[number].type or ANY)


def _stretches(program: Program, written: list[Column], holds: Callable[[Type], bool]) -> int:
    """Cells of states and fields that hold what is asked for: pairs of address and count."""
    cells: list[int] = []
    for state in program.world.content.states:
        at = program.layout.state_cells.get(state.id)
        if at is not None and holds(state.type):
            cells += [at, 1]
    for column in written:
        if not column.static and holds(column.type) and column.high >= column.low:
            cells += [column.address + column.low, column.high - column.low + 1]
    return program.layout.fixed_list(cells)


def _bits(types: list[Type]) -> int:
    return sum(1 << place for place, type_ in enumerate(types[:30]) if holds_things(type_))


def _shown_bits(rule: object) -> int:
    return _bits([part.type for part in shown_parts(rule)]) if isinstance(rule, OfferRule) else 0


def _captured_bits(program: Program) -> list[int]:
    bits = [0] * (len(program.world.rules) + 1)
    for entries in program.world.until_rules.values():
        for entry in entries:
            types, _ = program.until_around[entry.number]
            bits[entry.number] = _bits([types.get(number, ANY) for number in captures(program, entry)])
    return bits


def _effect_bits(program: Program, slot: int) -> int:
    """Which cells of an effect that was handed over hold things: `self`, `result`, then what it has captured."""
    name = program.table[slot].function
    if name.startswith("borne"):
        # The behaviour of a field, which is another one for another thing.
        return BORNE
    passage = program.passages.get(slot)
    if passage is None or not name.startswith("block:"):
        return 0
    return 1 | _bits([passage.types.get(number, ANY) for number in passage.captured]) << 2


def _site_bits(program: Program) -> list[int]:
    """Which captured cells of a gained trait hold things: `self`, then the locals around."""
    bits = [0] * (len(program.sites) + 1)
    for number, passage in program.site_passages.items():
        bits[number] = 1 | _bits([passage.types.get(local, ANY) for local in passage.captured]) << 1
    return bits


def _verb_bits(program: Program) -> list[int]:
    """Whether the first argument of a verb is a thing."""
    about = {a.verb for a in program.actions.values() if a.params and holds_things(a.params[0].type)}
    verbs = program.names_of("verb")
    return [int(verbs.get(number) in about) for number in range(max(verbs, default=0) + 1)]


def is_victory(program: Program, number: int) -> bool:
    """Whether a thing is an ending whose result is a victory."""
    thing = program.world.thing(number)
    field = program.world.fields_of(thing.kind).get("result")
    if field is None:
        return False
    result = first_value(program.world, thing, field)
    return isinstance(result, WordLiteral | MarkLiteral) and not WINNING.isdisjoint(result.value.split("_"))
