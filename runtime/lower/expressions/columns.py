"""The cells of fields."""

from __future__ import annotations

from talewright.runtime.ir.build import conditional, const, load
from talewright.runtime.ir.nodes import Const, Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.model.types import none_of
from talewright.runtime.model.world import Field


def stored(code: Code, thing: Expression, field: Field, maybe: bool, others: bool = True) -> Expression:
    """What a field holds, without its modifiers; of none, or of a thing without the field, it is none.

    `maybe` says that it can be none, `others` that it can then be a thing without the field.
    """
    if field.tag == "pile":
        return pile_field(code, thing, field)
    column = code.program.layout.columns[field.first]
    nothing = const(none_of(field.type))
    if isinstance(thing, Const):
        if not column.low <= thing.value <= column.high:
            return nothing
        return load(thing, column.address)
    if not maybe:
        return load(thing, column.address)
    if not others or field.owner in code.program.world.traits:
        return conditional(thing, load(thing, column.address), nothing)
    return conditional(of_kind(code, thing, field.owner), load(thing, column.address), nothing)


def pile_field(code: Code, thing: Expression, field: Field) -> Expression:
    """The container in a field."""
    world = code.program.world
    if isinstance(thing, Const):
        return const(world.pile_fields.get((thing.value, field.name), 0))
    key = f"pile column {field.name}"
    names = code.program.layout.names
    if key not in names:
        numbers = [world.pile_fields.get((t, field.name), 0) for t in range(len(world.things) + 1)]
        names[key] = code.program.layout.fixed(numbers)
    return load(thing, names[key])


def field_cell(code: Code, thing: Expression, field: Field) -> Expression:
    """The address of the cell of a field of a thing that has it."""
    column = code.program.layout.columns[field.first]
    return thing + column.address
