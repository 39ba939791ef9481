"""Things made in play: `new K` and `copy(x)`.

Every kind that can be made has spare numbers behind those of all other things. A spare number has no sort until a thing is made
of it; what was made is gone for good once it lies in the box, and its number is not used again.
"""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import ZERO, cell, equal, load, negate
from talewright.runtime.ir.header import NOWHERE, TOO_MUCH
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import lowers_value, value
from talewright.runtime.lower.expressions.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.lower.expressions.storage import keep_block
from talewright.runtime.lower.expressions.values import field_cell
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.start import PLACES, write_first
from talewright.runtime.model.cells import DIRTY
from talewright.runtime.model.constants import first_value, is_constant
from talewright.runtime.model.types import BEHAVIOUR, is_block
from talewright.runtime.model.world import Field, Pool
from talewright.schemas.nodes.queries import NewThing

# The model of a thing that is made from its kind alone.
NO_MODEL = ZERO


@lowers_value(NewThing)
def new_thing(code: Code, node: NewThing) -> Expression:
    """A thing with what its kind says."""
    pool = next(pool for pool in code.program.world.pools if pool.kind == node.kind)
    return code.call(need_maker(code.program, pool), NO_MODEL)


def _copy(code: Code, args: Arguments) -> Expression:
    """A thing like another, or like the first of a sort; of none there is no copy."""
    return code.call(need_copier(code.program), value(code, args[0]))


CORE_FUNCTIONS["copy"] = _copy


def need_copier(program: Program) -> str:
    """The function that makes a thing like another."""
    return program.function("copy thing", 1, _copy_thing)


def _copy_thing(code: Code) -> None:
    """copy thing(model)."""
    program = code.program
    code.giving()
    pools = [pool for pool in program.world.pools if pool.copies]
    numbers = {pool.kind: number for number, pool in enumerate(pools, 1)}
    column = [0, *(numbers.get(thing.kind, 0) for thing in program.world.things)]
    column += [0] * (program.layout.width - len(column))
    kind = code.hold(load(Local(0), program.layout.fixed(column)))
    for number, pool in enumerate(pools, 1):
        with code.if_(equal(kind, number)):
            code.give(code.call(need_maker(program, pool), Local(0)))


def need_maker(program: Program, pool: Pool) -> str:
    """The function that makes things of a kind."""
    return program.function(f"make:{pool.kind}", 1, partial(_make, pool))


def _make(pool: Pool, code: Code) -> None:
    """make(model): a thing like another, or (0) like its kind says."""
    program = code.program
    made_cell = program.made_cell(pool)
    made = code.hold(cell(made_cell))
    code.fault_if(negate(made < pool.count), TOO_MUCH, NOWHERE)
    code.set(made_cell, made + 1)
    thing = code.hold(made + pool.first)
    code.put(thing, thing, code.names["SORT"])
    code.when(Local(0), partial(_copy_fields, code, pool, thing), partial(_first_fields, code, pool, thing))
    if any(program.world.is_a(pool.kind, kind) for kind in PLACES):
        code.do("armed_by_move", thing)
    else:
        code.do("put_in", thing, code.names["LIMBO"], 0)
    code.set(DIRTY, 1)
    code.give(thing)


def _fields(code: Code, pool: Pool) -> list[Field]:
    return [f for f in code.program.world.fields_of(pool.kind).values() if f.tag != "pile"]


def _first_fields(code: Code, pool: Pool, thing: Expression) -> None:
    """Fields whose first value is not known before the game begins."""
    program = code.program
    model = program.world.thing(pool.first)
    for field in _fields(code, pool):
        node = first_value(program.world, model, field)
        if not is_constant(node):
            write_first(program, code, thing, field, node)


def _copy_fields(code: Code, pool: Pool, thing: Expression) -> None:
    """What the model holds now; its sort is that of the copy, too."""
    sorts = code.names["SORT"]
    code.put(thing, load(Local(0), sorts), sorts)
    if not pool.copies:
        return
    words = code.names.get("FACE_WORD")
    if words is not None:
        code.put(thing, load(Local(0), words), words)
    for field in _fields(code, pool):
        held = load(field_cell(code, Local(0), field))
        at = field_cell(code, thing, field)
        if field.tag in BEHAVIOUR:
            code.do("copy_behaviour", at, held)
        elif is_block(field.type):
            keep_block(code, at, held, field.type)
        else:
            code.put(at, held)
