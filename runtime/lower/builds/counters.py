"""What reports count: places of the text that games reach, things that come into play and act, tracks, decisions.

Programs that nobody counts with have none of it. `kernel/play/tally.py`, `sums.py` and `option_counts.py` do the adding up.
"""

from __future__ import annotations

from talewright.runtime.ir.build import cell
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.kernel.play.option_counts import (
    AS_DICE,
    AS_OFFERS,
    AS_SPOTS,
    AS_SQUARES,
    AS_TEXTS,
    AS_THINGS,
    AS_WAYS,
    NOT_AT_ALL,
)
from talewright.runtime.lower.builds.measures import measure_name, measures_of
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.program import CountedSite, Program
from talewright.runtime.model import layout as regions
from talewright.runtime.model.types import is_block
from talewright.runtime.model.world import Field, Pile, RuleEntry, Thing, World, plain
from talewright.schemas.nodes.literals import IntLiteral, Text, WordLiteral
from talewright.schemas.nodes.names import SortRef, ThingRef
from talewright.schemas.nodes.rules import OfferRule
from talewright.schemas.nodes.tables import KindPattern, OtherwisePattern, RangePattern, ValuePattern
from talewright.schemas.nodes.things import Bands
from talewright.schemas.nodes.things import Code as CodeNode
from talewright.schemas.nodes.types import ANY
from talewright.schemas.records import record

# Values by which a package advises its bots, and values without their modifiers.
ADVICE = ("value:appeal", "value:score", "computed:appeal", "computed:score", "base:")
OWN_BEARERS = ("kind", "thing", "trait", "cast")
WORDS = {"instead_of": "instead of", "state": "when"}
# So many things are told one by one.
FEW = 8
# Kinds of things that no container takes: they are in play wherever they are, and nobody counts them.
NOT_COUNTED = ("Place", "Chapter", "Ending", "Direction")
CLOSED_FORMS = ("deck", "bag")
# Regions that the kernel knows by the same names.
REGIONS = (
    "COUNTERS", "COUNTERS_BEFORE", "COUNTERS_ASIDE", "HIT_GAMES", "SEEN", "MET_GAMES", "MET_WINS", "UNSEEN",
    "SUM_ROWS", "SUM_NUMBERS", "SUMS", "OFFERED", "OFFERED_BEFORE", "LAST_OFFERED",
    "LISTED", "PAGES", "CHOICES", "KEPT_SUMS",
)  # fmt: skip


# ------------------------------------------------------------------ places of the text
def count(code: Code, kind: str, name: str, at: int, owner: str = "") -> None:
    """Counts that a place of the text is reached."""
    if not code.program.build.counted:
        return
    site = code.program.site(CountedSite(kind, name, at, owner))
    # They are the first of the counters.
    address = regions.COUNTERS + site
    code.set(address, cell(address) + 1)


def count_rule(code: Code, entry: RuleEntry, me: Expression) -> None:
    """Counts that a rule runs, applies or forbids, and that its bearer acts."""
    if not code.program.build.counted:
        return
    owner = entry.owner if entry.bearer in ("thing", "chapter") else ""
    kind = "offer" if isinstance(entry.rule, OfferRule) else "rule"
    count(code, kind, rule_name(entry.rule), getattr(entry.rule, "at", 0), owner)
    if entry.bearer in OWN_BEARERS:
        code.do("count_acted", me)


def count_row(code: Code, table: str, pattern: object, at: int) -> None:
    """Counts that a row of a table or an arm of a match is taken; what only bots ask for is not counted."""
    if code.program.build.counted and not code.name.startswith(ADVICE):
        count(code, "row", f"{table}: {row_name(pattern)}", at)


def count_band(code: Code, rows: Expression, number: Expression) -> None:
    """Counts that a row of bands in a field is taken; what only bots ask for is not counted."""
    if code.program.build.counted and not code.name.startswith(ADVICE):
        code.do("count_band", rows, number)


def band_sites(program: Program, node: Bands, field: Field) -> list[int]:
    """The numbers of the rows of bands among the places that are counted."""
    if not program.build.counted:
        return []
    owner = _effect_owners(program).get(id(node), "")
    named = f"{owner or field.owner}.{field.name}"
    rows = [CountedSite("row", f"{named}: {row_name(row.pattern)}", row.at, owner) for row in node.rows]
    return [program.site(row) for row in rows]


def count_effect(code: Code, node: CodeNode, owner: str, field: str) -> None:
    """Counts that the effect in a field is carried out."""
    program = code.program
    if not program.build.counted:
        return
    whose = _effect_owners(program).get(id(node), "")
    at = next((int(at) for statement in node.body if (at := getattr(statement, "at", 0))), 0)
    count(code, "effect", f"{whose or owner}.{field}", at, whose)
    code.do("count_acted", code.scope.me)


def _effect_owners(program: Program) -> dict[int, str]:
    """The sorts in whose own fields effects stand."""
    if not program.effect_owners:
        for thing in program.world.things:
            if thing.declaration is not None:
                for held in (thing.declaration.fields or {}).values():
                    program.effect_owners.setdefault(id(held), thing.sort)
    return program.effect_owners


def rule_name(rule: object) -> str:
    """A rule in few words."""
    if isinstance(rule, OfferRule):
        return f'offer "{label_text(rule.label)}"'
    word = type(rule).__name__.removesuffix("Rule")
    word = "".join(f"_{c.lower()}" if c.isupper() and i else c.lower() for i, c in enumerate(word))
    about = next(
        (
            str(found)
            for part in ("action", "value", "field", "period")
            if (found := getattr(rule, part, None))
        ),
        "",
    )
    about = about.removeprefix("core:").partition("/")[0]
    if word == "period":
        return f"at {getattr(rule, 'edge', '')} of {about}".strip()
    return f"{WORDS.get(word, word)} {about}".strip()


def label_text(text: Text) -> str:
    """The fixed part of a text, dots for what play fills in."""
    return "".join(part if isinstance(part, str) else "…" for part in text.parts)


def row_name(pattern: object) -> str:
    """A row or arm by its key."""
    match pattern:
        case OtherwisePattern():
            return "otherwise"
        case RangePattern():
            low, high = _plain(pattern.low), _plain(pattern.high)
            return low if low == high else f"{low}..{high}"
        case ValuePattern():
            return _plain(pattern.value)
        case KindPattern():
            return pattern.kind
    return "when"


def _plain(node: object) -> str:
    match node:
        case IntLiteral() | WordLiteral():
            return str(node.value)
        case ThingRef() | SortRef():
            return node.id
        case None:
            return ""
    return "…"


# ------------------------------------------------------------------ things
def is_counted(world: World, thing: Thing) -> bool:
    """Whether anybody asks how often a thing is met: not seats or dice, not parts of others, not where the story goes on."""
    return (
        not thing.owner
        and thing.number < world.first_made
        and thing.kind not in world.settings.seats
        and world.kinds[thing.kind].die is None
        and not any(world.is_a(thing.kind, kind) for kind in NOT_COUNTED)
    )


def is_stock(pile: Pile) -> bool:
    """Whether things lie there until their turn comes: decks, bags, and piles that begin with something in them."""
    declared = pile.declaration
    filled = declared is not None and bool(getattr(declared, "content", None))
    return pile.form in CLOSED_FORMS or (pile.form == "pile" and not pile.owner and filled)


def counted_sorts(world: World) -> list[str]:
    """The sorts that somebody asks about; the first stands for all others."""
    return list(dict.fromkeys(["", *(t.sort if is_counted(world, t) else "" for t in world.things)]))


# ------------------------------------------------------------------ tables for the kernel
def lay_out_counters(program: Program) -> None:
    """Addresses outside of the state."""
    names = program.layout.names
    singles = (
        "GAME_NUMBER",
        "START_PAGE",
        "OPTIONS_USED",
        "SUMS_USED",
        "VARIED",
        "VARIED_LOW",
        "VARIED_HIGH",
        "EXPLORERS",
        "IMAGINING",
        "MEASURING",
        "COUNTED_DECISIONS",
        "TAKEN_OPTION",
        "NOT_KEPT",
        "CAME_BEFORE",
    )
    for offset, name in enumerate(singles):
        names[name] = regions.COUNTS + offset
    for name in REGIONS:
        names[name] = getattr(regions, name)
    names["COUNTING"] = 1
    names["LISTED_END"] = regions.PAGES
    names["PAGES_END"] = regions.CHOICES
    names["CHOICES_END"] = regions.KEPT_SUMS


def counting_tables(program: Program) -> None:
    """Tables over everything that was lowered."""
    world, layout = program.world, program.layout
    names = layout.names
    sorts = {sort: number for number, sort in enumerate(counted_sorts(world))}
    names["SITES"] = sites = len(program.sites_counted)
    names["SLOTS"] = len(sorts)
    names["HITS"] = regions.COUNTERS
    names["CAME"] = regions.COUNTERS + sites
    names["ACTED"] = regions.COUNTERS + sites + len(sorts)
    names["COUNTER_CELLS"] = sites + 2 * len(sorts)
    slots = [0, *(sorts.get(thing.sort, 0) for thing in world.things)]
    names["COUNTED_SLOT"] = layout.fixed(slots)
    closed = [0] * (layout.locations + 1)
    closed[0] = 1
    for pile in world.piles:
        # A thing comes into play when this number becomes smaller. In limbo lies what was drawn and not put anywhere yet: it has
        # come up.
        closed[pile.number] = -1 if pile.id == "limbo" else int(pile.id == "box" or is_stock(pile))
    names["CLOSED"] = layout.fixed(closed)
    names["LED_ON"] = int(program.sets_up)
    sampled = sampled_tracks(program)
    rows = [
        cell_ for number, track in enumerate(sampled) for part in track.cells for cell_ in (number, *part)
    ]
    names["SAMPLED"] = layout.fixed_list(rows)
    measures = [program.slot(measure_name(measure)) for measure in measures_of(program)]
    names["MEASURES"] = layout.fixed_list(measures)
    forms = [_form(program, number) for number in range(len(program.points))] or [0]
    names["POINT_FORM"] = layout.fixed(forms)
    _keep_options(program, forms)
    names["ANYTIME"] = int(program.interrupts())
    names["DIE_COLUMN"] = layout.fixed(_die_cells(program))


def _keep_options(program: Program, forms: list[int]) -> None:
    """Room for the sums of options, one for each thing or offer, and one for nothing; where there is none left, none."""
    names = program.layout.names
    kept_forms: list[int] = []
    kept: list[int] = []
    free = regions.KEPT_SUMS
    for number, form in enumerate(forms):
        count = 0
        if form == AS_OFFERS:
            count = len(program.world.rules) + 1
        elif form == AS_THINGS and not _may_be_dice(program, number):
            count = program.layout.locations + 1
        if free + count > regions.COUNTS_END:
            count = 0
        kept_forms.append(form if count or form == NOT_AT_ALL else 0)
        kept.append(free)
        free += count
    names["KEPT_SUM_CELLS"] = free - regions.KEPT_SUMS
    names["KEPT_FORM"] = program.layout.fixed(kept_forms)
    names["KEPT_FROM"] = program.layout.fixed(kept)


def _may_be_dice(program: Program, number: int) -> bool:
    """Whether the options of a decision may be dice, which are told apart by what they show, too."""
    world = program.world
    kind = plain(program.points[number].type or ANY).name
    some = map(world.thing, world.numbers_of_kind(kind)) if kind in world.kinds else world.things
    return any(world.kinds[thing.kind].die is not None for thing in some)


def counts_options(program: Program, number: int) -> bool:
    """Whether it is counted what is offered and taken at a decision: not of ways to pay, nor of rules to put in order."""
    return _form(program, number) != NOT_AT_ALL


_FORMS = {"thing": AS_THINGS, "die": AS_DICE, "cell": AS_SQUARES, "spot": AS_SPOTS, "text": AS_TEXTS}


def _form(program: Program, number: int) -> int:
    """How the options of a decision are told apart."""
    point = program.points[number]
    if number in program.menu_points:
        return AS_OFFERS
    if number in program.way_points:
        return AS_WAYS
    if point.form == "pay" or point.form not in ("choose", "next", "yes", "options"):
        return NOT_AT_ALL
    if point.type is None:
        return 0
    tag = plain(point.type).tag
    return _FORMS.get(tag, NOT_AT_ALL if is_block(point.type) else 0)


def _die_cells(program: Program) -> list[int]:
    """The cells with the faces of dice that are things."""
    cells = [0] * (program.layout.things + 1)
    for thing in program.world.things:
        if program.world.kinds[thing.kind].die is not None:
            column = program.layout.columns[f"{thing.kind}.face"]
            cells[thing.number] = column.address + thing.number
    return cells


@record(frozen=True)
class SampledTrack:
    """A track as it is looked at."""

    name: str
    cells: list[tuple[int, int, int]]
    """Each cell with the thing that must be in play for it to count, or 0, and whether it is one of many."""
    many: bool = False
    """Whether many things share it."""


def sampled_tracks(program: Program) -> list[SampledTrack]:
    """Tracks of the table, then those of things: each alone where they are few, else all of a kind together."""
    world, layout = program.world, program.layout
    made = [SampledTrack(name, [(at, 0, 0)]) for name, at in layout.track_cells.items()]
    seen: set[str] = set()
    for field in world.fields.values():
        if field.declaration.track is None or field.owner not in world.kinds or field.first in seen:
            continue
        seen.add(field.first)
        column = layout.columns[field.first]
        kinds = [k for k in world.kinds if any(f.first == field.first for f in world.fields_of(k).values())]
        things = [t for t in world.things if t.kind in kinds]
        seats = field.owner in world.settings.seats
        cells = [
            (
                column.address + t.number,
                0 if seats or any(world.is_a(t.kind, kind) for kind in NOT_COUNTED) else t.number,
            )
            for t in things
        ]
        if len(things) > FEW or (world.pools and not seats):
            many = [(at, thing, 1) for at, thing in cells]
            made.append(SampledTrack(f"{field.owner}.{field.name}", many, True))
        else:
            made += [
                SampledTrack(f"{thing.id}.{field.name}", [(at, away, 0)])
                for thing, (at, away) in zip(things, cells, strict=True)
            ]
    return made
