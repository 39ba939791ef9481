"""What survives a game: `record` writes a thing down with its lasting fields, `roster` calls back what was recorded before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from talewright.runtime.ir.build import ZERO, both, call, either, equal, load, negate, truth
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.kernel.components.lasting import IS_BACK, THING
from talewright.runtime.kernel.play.notes import RECORDED, ROW
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import element_type, gather, value
from talewright.runtime.lower.expressions.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.lower.expressions.values import field_cell, of_kind, stored
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.endings import finish_value
from talewright.runtime.lower.statements.making import need_copier, need_maker
from talewright.runtime.lower.statements.verbs import Verb, verb
from talewright.runtime.model.types import is_block, many
from talewright.runtime.model.world import Field, World, plain
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.types import Type

BROUGHT_CELLS = 1 << 12
LASTING = "lasting"


def lasting_fields(world: World) -> dict[str, dict[str, Field]]:
    """The fields that survive a game, of the kinds that have some."""
    found: dict[str, dict[str, Field]] = {}
    for kind in world.kinds:
        kept = {n: f for n, f in world.fields_of(kind).items() if LASTING in f.declaration.flags}
        if kept:
            found[kind] = kept
    return found


def calls_back(world: World) -> bool:
    """Whether anything in the document calls back what was recorded."""
    return any(isinstance(node, CoreFunctionCall) and node.function == "roster" for node in world.index.nodes)


def lay_out_lasting(program: Program) -> tuple[str, ...]:
    """Room for those who can be called back; gives what the host calls to fill it."""
    layout, world = program.layout, program.world
    back = calls_back(world)
    layout.names["BROUGHT"] = layout.reserve([0] * BROUGHT_CELLS) if back else 0
    if not back and not lasting_fields(world) and not any(LASTING in s.flags for s in world.content.states):
        return ()
    makers = [need_maker(program, pool) for pool in world.pools] if back else []
    copier = [need_copier(program)] if any(pool.copies for pool in world.pools) else []
    return ("store_blocks", "put_in", *makers, *copier)


# ------------------------------------------------------------------ writing
@verb("record")
def record(code: Code, call_: Verb) -> None:
    """Writes a thing with its lasting fields down for the host."""
    program = code.program
    if program.build.events:
        thing = code.keep(call_.part("first"))
        name = program.function("record thing", 1, _record_thing, gives=False)
        with code.if_(thing):
            code.do(name, thing)


def _record_thing(code: Code) -> None:
    """record thing(thing): a row with the thing, and its lasting fields in their order."""
    code.uses_stack()
    world = code.program.world
    kinds = list(lasting_fields(world).items())
    numbers = {kind: number for number, (kind, _) in enumerate(kinds, 1)}
    column = code.program.layout.fixed([0, *(numbers.get(thing.kind, 0) for thing in world.things)])
    kind = code.hold(load(Local(0), column))
    with code.if_(negate(kind)):
        code.do("end_row", call("new_row", RECORDED, Local(0), 0, 0))
    for number, (name, fields) in enumerate(kinds, 1):
        if any(thing.kind == name for thing in world.things):
            with code.if_(equal(kind, number)):
                _note_fields(code, list(fields.values()))


def _note_fields(code: Code, fields: list[Field]) -> None:
    row = code.call("new_row", RECORDED, Local(0), 0, len(fields))
    for index, field in enumerate(fields):
        if field.tag == "pile":
            held: Expression = call("keep_inside", stored(code, Local(0), field, True))
        else:
            held = load(field_cell(code, Local(0), field))
            if plain(field.type).tag == "text":
                held = call("keep_text", held)
            elif is_block(field.type):
                held = call("keep_block", held)
        code.put(row, held, ROW + index)
    code.do("end_row", row)


# ------------------------------------------------------------------ calling back
def _roster(code: Code, args: Arguments) -> Expression:
    """The things of a kind that an earlier game recorded for a seat: they are there from now on."""
    kind = element_type(code, args[0]).name
    seat = value(code, args[1]) if len(args) > 1 else ZERO
    return code.pushed(code.program.function(f"roster:{kind}", 1, partial(_roster_of, kind)), seat)


CORE_FUNCTIONS["roster"] = _roster


def _roster_of(kind: str, code: Code) -> Function:
    """roster(seat)."""
    code.giving()
    seat = Local(0)
    bit = code.hold(load(seat, code.names["SEAT_BIT"]))
    with _each_row(code) as row, code.if_(call("may_come", row, bit)):
        code.do("come_back", row)
        with code.if_(seat):
            _decide(code, load(row, THING), seat)

    def fill(push: Callable[[Expression], None]) -> None:
        with _each_row(code) as row:
            thing = code.hold(load(row, THING))
            with (
                code.if_(both(load(row, IS_BACK), of_kind(code, thing, kind))),
                code.if_(_belongs(code, thing, seat)),
            ):
                push(thing)

    code.give(gather(code, fill, Type("thing", kind)))
    return finish_value(code, many(Type("thing", kind)))


@contextmanager
def _each_row(code: Code) -> Iterator[Local]:
    row = code.hold(0)
    with code.loop() as (_, out):
        code.assign(row, call("next_brought", row))
        code.leave_if(negate(row), out)
        yield row


def _deciding(program: Program) -> dict[str, Field]:
    """The fields through which things that can be called back decide, by kind."""
    world = program.world
    lasting = lasting_fields(world)
    kinds = {pool.kind for pool in world.pools} | {
        thing.kind for thing in world.things if thing.kind in lasting
    }
    return {kind: field for kind in sorted(kinds) if (field := world.deciding_field(kind)) is not None}


def _decide(code: Code, thing: Expression, seat: Expression) -> None:
    """Whoever comes back decides through the seat that called."""
    held = code.hold(thing)
    for kind, field in _deciding(code.program).items():
        with code.if_(of_kind(code, held, kind)):
            code.put(field_cell(code, held, field), seat)


def _belongs(code: Code, thing: Expression, seat: Expression) -> Expression:
    """Whether a thing decides through a seat, or through nobody's."""
    mine = code.hold(1)
    for kind, field in _deciding(code.program).items():
        held = load(field_cell(code, thing, field))
        with code.if_(of_kind(code, thing, kind)):
            code.assign(mine, truth(either(equal(held, seat), negate(held))))
    return mine
