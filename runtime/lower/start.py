"""What things, containers and states hold when a game begins.

What is known is written into memory at once; the rest is worked out by the function `initialise`, which runs once for a
program: what it leaves is the first image of every game.
"""

from __future__ import annotations

from collections.abc import Sequence

from talewright.runtime.ir.build import const
from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.ir.nodes import Const, Expression, Local
from talewright.runtime.kernel.memory import FORM_BAG, FORM_DECK, FORM_HAND, FORM_PILE, FORM_SLOT, UNLIMITED
from talewright.runtime.lower.builds.counters import band_sites
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.dispatch import (
    condition,
    given,
    listed,
    refuse_text_as_number,
    unknown,
    value,
    value_as,
)
from talewright.runtime.lower.expressions.storage import keep_block
from talewright.runtime.lower.expressions.values import fixed_literal
from talewright.runtime.lower.maps.ways import edge_rows
from talewright.runtime.lower.program import Passage, Program, pile_lies
from talewright.runtime.lower.statements.effects import effect_slot
from talewright.runtime.model.cells import SPOT
from talewright.runtime.model.constants import first_value, is_constant
from talewright.runtime.model.layout import STATIC
from talewright.runtime.model.types import HIGHEST, INT, LOWEST, is_block, is_list, none_of
from talewright.runtime.model.world import Field, Thing, World
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes.components import Container
from talewright.schemas.nodes.declared import PileDeclaration
from talewright.schemas.nodes.tables import RangePattern, ValuePattern
from talewright.schemas.nodes.things import (
    Bands,
    Drawing,
    Edge,
    Edges,
    FieldMap,
    InlineThings,
    Measured,
    PlanRows,
)
from talewright.schemas.nodes.things import Code as CodeNode
from talewright.schemas.nodes.types import Type

PILE = Type("pile", "Thing", ("pile", False))
FORMS = {"pile": FORM_PILE, "deck": FORM_DECK, "bag": FORM_BAG, "hand": FORM_HAND, "slot": FORM_SLOT}
PLACES = ("Place", "Chapter", "Ending", "Direction")


def initialise(program: Program) -> Code:
    """Writes what is known of the first state; gives the code of the function that works out the rest."""
    code = program.code("initialise", 0, gives=False)
    code.uses_stack()
    program.layout.cells[SPOT] = NOWHERE
    _locations(program)
    _tokens(program)
    _place_things(program, code)
    for thing in program.world.things:
        for field in program.world.fields_of(thing.kind).values():
            # A die shows its first face until it is rolled.
            if field.tag != "pile" and field.name != shown_face(program.world, field):
                _first_field(program, code, thing, field)
    _scalars(program, code)
    _fill_piles(program, code)
    code.do("hide_bags")
    return code


def shown_face(world: World, field: Field) -> str:
    """The name of the field that holds the face of a die, if a field is one of dice."""
    kind = world.kinds.get(field.owner)
    return "face" if kind is not None and kind.die is not None else ""


# ------------------------------------------------------------------ locations
def _locations(program: Program) -> None:
    """Fixed columns over things and containers."""
    world, layout = program.world, program.layout
    names, width = layout.names, layout.width
    sorts = [0, *(program.sort_number(t.sort) if _exists(world, t) else 0 for t in world.things)]
    # Containers can be asked, too: they are of no sort.
    sorts += [0] * len(world.piles)
    # What is made in play has no sort until then.
    names["SORT"] = layout.reserve(sorts) if world.pools else layout.fixed(sorts)
    copies = [layout.fixed_list([])] * width
    for numbers in world.sorts.values():
        if numbers:
            copies[numbers[0]] = layout.fixed_list(numbers)
    names["COPIES"] = layout.fixed(copies)
    twins = [int(len(world.sorts.get(t.sort, ())) > 1 or world.can_be_made(t.sort)) for t in world.things]
    names["HAS_TWINS"] = layout.fixed([0, *twins])
    kinds = {kind: number for number, kind in enumerate(world.kinds, 1)}
    names["KIND_NUMBER"] = layout.fixed([0, *(kinds[t.kind] for t in world.things)])
    names["OWNER"] = layout.fixed([0, *(t.owner for t in world.things)])
    owners = {pile.owner for pile in world.piles}
    # Nothing can be moved that is none, and nothing to nowhere: both need a closer look.
    names["OWNS"] = layout.fixed([1, *(int(t.number in owners) for t in world.things)])
    bits = [0] * width
    for number in world.seats.values():
        bits[number] = program.seat_bit(number)
    names["SEAT_BIT"] = layout.fixed(bits)
    names["ON_TABLE"] = layout.fixed([0, *(int(world.is_a(t.kind, "Place")) for t in world.things)])
    names["KIND_LIES"] = layout.fixed([2, *(kind_lies(world, t.kind) for t in world.things)])
    count = layout.locations + 1
    columns = {
        name: [0] * count for name in ("LIES", "FORM", "OWNER_OF", "HOLDER_SEAT", "RETURNS", "STREAM_OF")
    }
    columns["CAPACITY"] = [0, *[UNLIMITED] * (count - 1)]
    columns["LIES"] = [2] * count
    for pile in world.piles:
        at = pile.number
        columns["LIES"][at] = pile_lies(pile)
        columns["FORM"][at] = FORMS[pile.form]
        columns["OWNER_OF"][at] = pile.owner
        columns["STREAM_OF"][at] = (
            layout.stream(f"pile:{pile.id}") if pile.form in ("deck", "bag") else layout.stream("pile")
        )
        if pile.form == "hand" and pile.owner:
            field = world.deciding_field(world.thing(pile.owner).kind)
            if field is not None:
                columns["HOLDER_SEAT"][at] = layout.columns[field.first].address + pile.owner
        declared = pile.declaration
        if declared is None:
            continue
        columns["RETURNS"][at] = int(declared.returning)
        if declared.most is not None:
            limit = declared.most.value
            columns["CAPACITY"][at] = limit.value if isinstance(limit, li.IntLiteral) else -2
    for name, cells in columns.items():
        names[name] = layout.fixed(cells)
    for name in ("box", "limbo"):
        names[name.upper()] = world.pile_numbers[name]


def kind_lies(world: World, kind: str) -> int:
    """How things of a kind lie when they are put down: 0 down, 1 up, 2 as they lay before."""
    for name in world.lineage.get(kind, ()):
        declared = world.kinds.get(name)
        if declared is not None and declared.lies is not None:
            return int(declared.lies == "face_up")
    return 2


def _exists(world: World, thing: Thing) -> bool:
    """Whether a thing is there from the start."""
    return thing.number < world.first_made


def _tokens(program: Program) -> None:
    """Cells for tokens on the things that may hold them."""
    world, layout = program.world, program.layout
    tokens = world.content.tokens
    layout.names["TOKENS"] = len(tokens)
    layout.names["TOKEN_SUPPLY"] = layout.reserve([t.count or (1 << 29) for t in tokens])
    cells: list[int] = []
    for token in tokens:
        holders = {
            k
            for k in world.kinds
            if any(h.token == token.id for o in world.lineage[k] for h in world.kinds[o].holds)
        }
        gained = any(held.token == token.id for trait in world.traits.values() for held in trait.holds)
        column = [0] * layout.width
        for thing in world.things:
            # Any token may lie on a place; whoever gains a trait may hold what the trait holds.
            if thing.kind in holders or gained or world.is_a(thing.kind, "Place"):
                column[thing.number] = layout.reserve([0])
        cells += column
    layout.names["TOKEN_CELL"] = layout.fixed(cells)


def _place_things(program: Program, code: Code) -> None:
    """Things begin in the box; places, pages and directions nowhere."""
    world, layout = program.world, program.layout
    box = world.pile_numbers["box"]
    names = layout.names
    last = 0
    for thing in world.things:
        layout.cells[names["FACE"] + thing.number] = 1
        layout.cells[names["KNOWN"] + thing.number] = -1
        if not _exists(world, thing) or any(world.is_a(thing.kind, kind) for kind in PLACES):
            continue
        layout.cells[names["WHERE"] + thing.number] = box
        layout.cells[names["PREVIOUS"] + thing.number] = last
        if last:
            layout.cells[names["NEXT"] + last] = thing.number
        else:
            layout.cells[names["FIRST"] + box] = thing.number
        last = thing.number
        layout.cells[names["COUNT"] + box] += 1
    layout.cells[names["LAST"] + box] = last


# ------------------------------------------------------------------ fields
def _first_field(program: Program, code: Code, thing: Thing, field: Field) -> None:
    column = program.layout.columns[field.first]
    at = column.address + thing.number
    node = first_value(program.world, thing, field)
    if is_constant(node):
        cells = program.layout.static if column.static else program.layout.cells
        cells[at - STATIC if column.static else at] = fixed_value(program, node, field)
    elif _exists(program.world, thing):
        _note_first(code, f"{thing.id}.{field.name}", thing.declaration)
        write_first(program, code, const(thing.number), field, node)


def _note_first(code: Code, name: str, declared: object) -> None:
    """Notes whose first value is worked out next, for whoever must say that it cannot be found."""
    code.program.first_values.append(name)
    code.set(SPOT, NOWHERE - len(code.program.first_values))
    at = getattr(declared, "at", None)
    if isinstance(at, int):
        code.spot = at


def write_first(
    program: Program, code: Code, thing: Expression, field: Field, node: object, verb: str = "init"
) -> None:
    """Writes the code that gives a field of a thing a value from its declaration, or from a line of a cast."""
    at = thing + program.layout.columns[field.first].address
    if is_constant(node):
        code.put(at, fixed_value(program, node, field))
        return
    with code.in_scope(Scope({}, me=thing, owner=field.owner, verb=verb)):
        if isinstance(node, Bands):
            code.put(at, _unfinished_block(code, _band_parts(program, node, field), field))
        elif isinstance(node, FieldMap):
            keep_block(code, at, _field_map(code, node, field), field.type)
        else:
            _keep(code, at, node, field.type)


def _keep(code: Code, at: Expression, node: object, type_: Type) -> None:
    """Puts the value of an expression into a cell of the state."""
    made = given(code, node, type_)
    if is_block(type_):
        keep_block(code, at, made, type_)
    else:
        code.put(at, made)


def _field_map(code: Code, node: FieldMap, field: Field) -> Expression:
    """A map of which not everything is known before the game begins: keys and values in turn."""
    parts = [code.keep(_map_part(code, part, field)) for row in node.rows for part in row]
    return code.new_list(*parts)


def _map_part(code: Code, node: object, field: Field) -> Expression:
    if is_constant(node):
        return const(fixed_value(code.program, node, field))
    return _field_map(code, node, field) if isinstance(node, FieldMap) else value(code, node)


def fixed_value(program: Program, node: object, field: Field) -> int:
    """The cell of a value that is known."""
    if node is None or isinstance(node, li.NoneLiteral):
        return none_of(field.type)
    match node:
        case CodeNode():
            return effect_slot(program, node, field)
        case Edges():
            return edge_rows(program, node, lambda row: _edge_condition(program, row, field))
        case Bands():
            parts = _band_parts(program, node, field)
            cells = [part if isinstance(part, int) else fixed_value(program, part, field) for part in parts]
            return program.layout.fixed_block(cells)
        case FieldMap() | li.MapLiteral():
            cells = [fixed_value(program, part, field) for row in node.rows for part in row]
            return program.layout.fixed_list(cells)
        case li.SetLiteral():
            items = [fixed_value(program, item, field) for item in node.items]
            return program.layout.fixed_list(items)
        case InlineThings():
            numbers = [program.world.number[name] for name in node.items]
            return program.layout.fixed_list(numbers) if is_list(field.type) else numbers[0]
        case Drawing() | PlanRows():
            # What is drawn is known elsewhere: the cell only tells that there is a drawing.
            return 1
    return fixed_literal(program, node)


def _band_parts(program: Program, node: Bands, field: Field) -> list[object]:
    """The cells of bands: how many there are, for each its ends and what it brings, then the places that are counted."""
    parts: list[object] = [len(node.rows)]
    for row in node.rows:
        match row.pattern:
            case RangePattern(low=low, high=high):
                # A band without an end goes as far as numbers do.
                parts += [LOWEST if low is None else low, HIGHEST if high is None else high, row.items]
            case ValuePattern(value=number):
                parts += [number, number, row.items]
            case _:
                raise unknown(row.pattern)
    return [*parts, *band_sites(program, node, field)]


def _unfinished_block(code: Code, parts: Sequence[object], field: Field) -> int:
    """A block of its own, into whose cells the code writes what is not known yet; whole numbers stand for themselves."""
    program = code.program
    at = program.layout.fixed([0] * len(parts))
    for position, part in enumerate(parts):
        if isinstance(part, int):
            program.layout.static[at - STATIC + position] = part
        elif is_constant(part):
            program.layout.static[at - STATIC + position] = fixed_value(program, part, field)
        elif isinstance(part, li.SetLiteral):
            inner = _unfinished_block(code, (len(part.items), *part.items), field)
            program.layout.static[at - STATIC + position] = inner
        else:
            code.put(at + position, value(code, part))
    return at


def _edge_condition(program: Program, row: Edge, field: Field) -> int:
    types = local_types(row.locals)
    scope = Scope({}, types=types, me=Local(0), owner=field.owner, verb="chapter")

    def write(code: Code) -> None:
        code.spot = row.at
        code.give(condition(code, row.condition))

    name = f"way:{program.number('way', str(id(row)))}"
    slot = program.slot(program.function(name, 1, write, scope=scope))
    program.passages[slot] = Passage(row, types, field.owner)
    return slot


# ------------------------------------------------------------------ states and containers
def _scalars(program: Program, code: Code) -> None:
    world, layout = program.world, program.layout
    for track in world.content.tracks:
        at = layout.track_cells.get(track.id)
        if at is None or track.start is None:
            continue
        # What is known stands there before fields are worked out, which may ask for it.
        if is_constant(track.start.value):
            layout.cells[at] = _first_cell(program, track.start.value, INT)
        else:
            with code.in_scope(Scope({}, types=local_types(track.start.locals), verb="init")):
                code.set(at, value_as(code, track.start.value, INT))
    for state in world.content.states:
        at = layout.state_cells.get(state.id)
        if at is None:
            continue
        if is_list(state.type):
            layout.cells[at] = layout.fixed_list([])
        if state.default is None:
            continue
        if is_constant(state.default) and not is_block(state.type):
            layout.cells[at] = _first_cell(program, state.default, state.type)
        else:
            set_state(code, state.default, at, state)


def _first_cell(program: Program, node: object, type_: Type) -> int:
    """What the cell of a track or state holds first, if its value is known before the game begins."""
    if isinstance(node, li.NoneLiteral):
        return none_of(type_)
    refuse_text_as_number(node, type_)
    return fixed_literal(program, node)


def set_state(code: Code, default: object, at: int, state: object) -> None:
    """Gives a state its first value."""
    _note_first(code, state.id, state)  # type: ignore[attr-defined]
    scope = Scope({}, types=local_types(state.locals), verb="init")  # type: ignore[attr-defined]
    with code.in_scope(scope):
        _keep(code, const(at), default, state.type)  # type: ignore[attr-defined]


def _fill_piles(program: Program, code: Code) -> None:
    world = program.world
    for pile in world.piles:
        declared = pile.declaration
        content: object | None = None
        types: dict[int, object] = {}
        if isinstance(declared, PileDeclaration) and declared.content is not None:
            content, types = declared.content.value, local_types(declared.content.locals)  # type: ignore[assignment]
        elif isinstance(declared, Container):
            thing = world.thing(pile.owner)
            given = thing.fields.get(pile.field)
            default = world.fields_of(thing.kind)[pile.field].declaration.default
            content = given
            if content is None and isinstance(default, Measured):
                content, types = default.value, local_types(default.locals)  # type: ignore[assignment]
        if content is None or pile.owner >= world.first_made:
            continue
        owner = world.thing(pile.owner).kind if pile.owner else ""
        with code.in_scope(Scope({}, types=types, me=const(pile.owner), owner=owner, verb="init")):  # type: ignore[arg-type]
            if isinstance(content, InlineThings):
                numbers = [world.number[name] for name in content.items]
                made: Expression = const(program.layout.fixed_list(numbers))
            else:
                made = listed(code, content)
            code.do("put_list", made, pile.number, 1)
    _refills(program, code)


def _refills(program: Program, code: Code) -> None:
    """Which pile each deck takes in when it is empty; where only the game can say, the cells belong to its state."""
    layout, later = program.layout, dict[int, Expression]()
    cells = [0] * (layout.locations + 1)
    for pile in program.world.piles:
        declared = pile.declaration
        if declared is None or declared.reshuffles is None or isinstance(declared.reshuffles, li.NoneLiteral):
            continue
        owner = program.world.thing(pile.owner).kind if pile.owner else ""
        with code.in_scope(Scope({}, me=const(pile.owner), owner=owner, verb="init")):
            made = value_as(code, declared.reshuffles, PILE)
        if isinstance(made, Const):
            cells[pile.number] = made.value
        else:
            later[pile.number] = made
    first = layout.reserve(cells) if later else layout.fixed(cells)
    layout.names["REFILL"] = first
    for number, made in later.items():
        code.put(first + number, made)
