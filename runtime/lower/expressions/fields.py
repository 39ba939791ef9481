"""Fields and properties of things, maps and bands."""

from __future__ import annotations

from collections.abc import Callable

from talewright.runtime.faults import misfit
from talewright.runtime.ir.build import ZERO, call, conditional, const, load, negate, truth
from talewright.runtime.ir.header import NOTHING_FITS
from talewright.runtime.ir.nodes import Const, Expression
from talewright.runtime.lower.builds.counters import count_band
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import each, element_type, lowers_value, value
from talewright.runtime.lower.expressions.modifiers import modified_field
from talewright.runtime.lower.expressions.texts import PROSE, TITLE
from talewright.runtime.lower.expressions.values import of_kind, stored, token_number
from talewright.runtime.lower.rules.traits import trait_parameter
from talewright.runtime.lower.statements.effects import borne, hand_over
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.types import is_list, none_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.names import TeamRef
from talewright.schemas.nodes.types import Type


@lowers_value(r.FieldOf)
def field_of(code: Code, node: r.FieldOf) -> Expression:
    field = code.program.world.fields.get((node.owner, node.name))
    if field is None:
        return trait_parameter(code, value(code, node.of), node.owner, node.name)
    own = borne(code, node)
    if own is not None:
        return hand_over(code, own, field.type)
    thing = code.keep(value(code, node.of))
    maybe = node.maybe or maybe_none(code, node.of)
    if field.tag == "edges":
        return ways_of(code, stored(code, thing, field, maybe), thing)
    if field.first not in code.program.modifiers:
        return stored(code, thing, field, maybe, others=node.maybe)
    lender = node.of
    if isinstance(lender, r.FieldOf):
        lends = code.program.world.fields.get((lender.owner, lender.name))
        if lends is not None and "lends all" in lends.declaration.flags:
            return modified_field(code, field, thing, code.keep(value(code, lender.of)))
    return modified_field(code, field, thing)


def ways_of(code: Code, slot: Expression, thing: Expression) -> Expression:
    """The ways on from a page, as something to hand on: `[2, their rows, the page]`."""
    code.uses_stack()
    held = code.keep(slot)
    made = code.hold(0)
    with code.if_(held):
        code.assign(made, code.new_list(held, thing))
    return made


# ------------------------------------------------------------------ properties
@lowers_value(r.Property)
def property_(code: Code, node: r.Property) -> Expression:
    """A property that every thing has."""
    thing = value(code, node.of)
    match node.name:
        case "place":
            return call("place_of", thing)
        case "holder":
            return call("holder_of", thing)
        case "owner":
            held = code.keep(thing)
            owner = load(held, code.names["OWNER"])
            return code.hold(conditional(owner, owner, call("holder_of", held)))
        case "sort":
            return load(thing, code.names["SORT"])
        case "title":
            return _about(code, TITLE, thing, maybe_none(code, node.of))
        case "prose":
            return _about(code, PROSE, thing, maybe_none(code, node.of))
        case "face":
            return load(thing, code.names["FACE_WORD"]) if "FACE_WORD" in code.names else ZERO
    handler = SPACE_PROPERTIES.get(node.name)
    if handler is None:
        raise misfit(f"nothing here has a property `{node.name}`")
    return handler(code, thing)


SPACE_PROPERTIES: dict[str, Callable[[Code, Expression], Expression]] = {}
"""Properties about the map, by name; `space` adds them."""


def _about(code: Code, which: int, thing: Expression, maybe: bool) -> Expression:
    """A text that the host makes of a thing: `[2, which, whose]`; of none it is none."""
    code.uses_stack()
    held = code.keep(thing)

    def made() -> Expression:
        return code.new_list(which, held)

    return code.choose(held, made, lambda: ZERO) if maybe else made()


@lowers_value(r.Decider)
def decider(code: Code, node: r.Decider) -> Expression:
    """The seat that decides for a thing, else the team of that role."""
    field = code.program.world.deciding_field(node.kind)
    if field is None:
        return value(code, node.of)
    thing = code.keep(value(code, node.of))
    return code.keep(stored(code, thing, field, maybe_none(code, node.of)))


# ------------------------------------------------------------------ containers
@lowers_value(r.SlotContent, r.PileTop)
def pile_top(code: Code, node: r.SlotContent | r.PileTop) -> Expression:
    where = value(code, node.of)
    if isinstance(where, Const) and where.value == 0:
        return ZERO
    return load(where, code.names["FIRST"])


@lowers_value(r.PileBottom)
def pile_bottom(code: Code, node: r.PileBottom) -> Expression:
    return load(value(code, node.of), code.names["LAST"])


@lowers_value(r.TokensOn)
def tokens_on(code: Code, node: r.TokensOn) -> Expression:
    return code.call("tokens_on", token_number(code.program, node.token), value(code, node.of))


# ------------------------------------------------------------------ who decides
def deciders(code: Code, by: object | None) -> Expression:
    """Who decides, as a bit for every seat; everybody if nobody is named."""
    if by is None:
        return const(code.program.all_seats())
    match by:
        case TeamRef():
            return const(code.program.team_mask(by.id))
        case r.Decider():
            return _through_field(code, by)
    type_ = type_of(code, by)
    if plain(type_).tag == "role":
        return value(code, by)
    if is_list(type_):
        mask = code.hold(0)
        each(
            code,
            by,
            lambda seat: code.assign(mask, mask | _seat(code, seat, element_type(code, by))),
        )
        return mask
    return _seat(code, code.keep(value(code, by)), type_)


def _seat(code: Code, thing: Expression, type_: Type) -> Expression:
    """The bit of a seat, or of the seat through which a thing decides."""
    bits = code.names["SEAT_BIT"]
    kind = plain(type_).name
    field = code.program.world.deciding_field(kind)
    if field is None or kind in code.program.world.settings.seats:
        return load(thing, bits)
    return load(stored(code, thing, field, True), bits)


def _through_field(code: Code, by: r.Decider) -> Expression:
    field = code.program.world.deciding_field(by.kind)
    bits = code.names["SEAT_BIT"]
    if field is None:
        return load(value(code, by.of), bits)
    thing = code.keep(value(code, by.of))
    seat = code.keep(stored(code, thing, field, maybe_none(code, by.of)))
    role = plain(field.type).name
    teams = [team for team in code.program.world.content.teams if team.role == role]
    nobody = const(code.program.team_mask(teams[0].id)) if teams else ZERO
    return code.choose(truth(seat), lambda: load(seat, bits), lambda: nobody)


# ------------------------------------------------------------------ maps and bands
@lowers_value(li.MapLiteral)
def map_literal(code: Code, node: li.MapLiteral) -> Expression:
    rows = [(code.keep(value(code, key)), code.keep(value(code, held))) for key, held in node.rows]
    return code.new_list(*(part for row in rows for part in row))


@lowers_value(r.LookUp)
def look_up(code: Code, node: r.LookUp) -> Expression:
    """The entry of a map: a list of keys and values in turn."""
    own = borne(code, node)
    if own is not None:
        return hand_over(code, own, type_of(code, node))
    inner = plain(type_of(code, node.of))
    rows = code.keep(value(code, node.of))
    if inner.tag == "bands":
        number = code.keep(value(code, node.key))
        count_band(code, rows, number)
        items = code.keep(call("band_items", rows, number))
        return conditional(items, load(items, 1), 0)
    nothing = none_of(type_of(code, node))
    return code.hold(call("look_up", rows, value(code, node.key), nothing))


@lowers_value(r.BandOf)
def band_of(code: Code, node: r.BandOf) -> Expression:
    """What the band of a number brings, as a list; a number outside every band is a fault."""
    rows, number = code.keep(value(code, node.of)), code.keep(value(code, node.number))
    found = code.call("band_items", rows, number)
    code.fault_if(negate(found), NOTHING_FITS)
    count_band(code, rows, number)
    if code.program.build.traced and code.scope.verb != "value":
        code.do("note_band", rows, number)
    return found


@lowers_value(r.LateField)
def late_field(code: Code, node: r.LateField) -> Expression:
    """A field that is found in play by what the thing is."""
    world = code.program.world
    thing = code.keep(value(code, node.of))
    found = code.hold(0)
    with code.block("late") as out:
        seen: set[str] = set()
        for (owner, name), field in world.fields.items():
            if name != node.name or field.first in seen or owner not in world.kinds:
                continue
            seen.add(field.first)
            with code.if_(of_kind(code, thing, owner)):
                code.assign(found, stored(code, thing, field, False))
                code.go(out)
    return found


@lowers_value(r.OneCopy)
def one_copy(code: Code, node: r.OneCopy) -> Expression:
    return code.call("one_copy", value(code, node.of))
