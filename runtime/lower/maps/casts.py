"""Casts: the figures of a chapter, where they stand, and what they bring for as long as it is played."""

from __future__ import annotations

from talewright.runtime.ir.build import both, const, equal, load
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.dispatch import each_of_list, value
from talewright.runtime.lower.expressions.values import bears_trait, of_kind
from talewright.runtime.lower.maps.space import lay_map
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.traits import gain
from talewright.runtime.lower.start import write_first
from talewright.runtime.lower.statements.verbs import Verb, core_call, verb
from talewright.runtime.model.cells import DIRTY
from talewright.runtime.model.layout import IMAGE
from talewright.runtime.model.types import THING
from talewright.runtime.model.world import Field
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import CoreArguments
from talewright.schemas.nodes.declared import ThingDeclaration
from talewright.schemas.nodes.literals import IntLiteral
from talewright.schemas.nodes.names import AreaRef, LocalRef, TokenRef
from talewright.schemas.nodes.things import CastGroup, CastLine

FIGURE, PLACE = 1 << 20, (1 << 20) + 1


def with_casts(program: Program) -> list[ThingDeclaration]:
    """The chapters that have a cast."""
    return [thing for thing in program.world.content.things if thing.cast]


def lay_out_casts(program: Program) -> None:
    """For every thing whether it belongs to the cast, and the line whose rules it bears."""
    if with_casts(program):
        program.layout.names["IN_CAST"] = program.layout.reserve([0] * program.layout.width)
        program.layout.names["CAST_LINE"] = program.layout.reserve([0] * program.layout.width)


@verb("stage")
def stage(code: Code, call_: Verb) -> None:
    """Lays a chapter's map and puts its cast in place."""
    program = code.program
    page = code.keep(call_.part("first"))
    lay_map(code, page)
    if with_casts(program):
        name = program.function("set cast", 1, _set_cast, gives=False)
        code.ask_call(name, (page,))


def _set_cast(code: Code) -> None:
    """set cast(chapter)."""
    for chapter in with_casts(code.program):
        with code.if_(equal(Local(0), code.program.thing(chapter.id))):
            for line in chapter.cast:
                _line(code, line)
            code.set(DIRTY, 1)
            code.go(code.exit)


def _line(code: Code, line: CastLine) -> None:
    """One line of a cast: who and what comes where, with which traits, fields and rules."""
    code.spot = line.at
    with code.in_scope(Scope({}, types=local_types(line.locals), verb="cast")):
        place = code.keep(value(code, line.place))
        for group in line.groups:
            if group.token is not None:
                _put_tokens(code, group, place)
                continue
            assert group.thing is not None
            number = code.program.world.number.get(group.thing)
            if number is not None:
                _figure(code, line, const(number), place)
                continue
            code.uses_stack()
            count = 1 if group.count is None else group.count
            copies = code.call("copies_in_box", code.program.sort_number(group.thing), count)
            each_of_list(code, copies, lambda figure: _figure(code, line, figure, place))


def _put_tokens(code: Code, group: CastGroup, place: Expression) -> None:
    assert group.token is not None
    count = IntLiteral(1 if group.count is None else group.count)
    with code.bound(PLACE, place, THING):
        args = CoreArguments(first=count, token=TokenRef(group.token), on=LocalRef(PLACE))
        core_call(code, s.CoreCall("put_token", args, group.at))


def _figure(code: Code, line: CastLine, figure: Expression, place: Expression) -> None:
    """One figure of a line."""
    program = code.program
    names = program.layout.names
    code.put(figure, 1, names["IN_CAST"])
    with code.bound(FIGURE, figure, THING):
        code.bind(PLACE, place, THING, sure=True)
        args = CoreArguments(first=LocalRef(FIGURE), place=LocalRef(PLACE))
        core_call(code, s.CoreCall("station", args, line.at))
    with code.in_scope(Scope({}, types=local_types(line.locals), me=figure, verb="cast")):
        for node in line.traits:
            code.uses_stack()
            gain(code, figure, value(code, node))
    for field, written in line_fields(program, line):
        _write_field(code, field, figure, written)
    entries = program.world.cast_rules.get(id(line), ())
    if entries:
        code.put(figure, program.number("cast line", str(id(line))), names["CAST_LINE"])


def line_fields(program: Program, line: CastLine) -> list[tuple[Field, object]]:
    """The fields that a line writes: of the figures themselves, and of traits that they have."""
    found: dict[str, tuple[Field, object]] = {}
    for name, node in (line.fields or {}).items():
        for (_, other), field in program.world.fields.items():
            if other == name:
                found.setdefault(field.first, (field, node))
    return list(found.values())


def _write_field(code: Code, field: Field, figure: Expression, node: object) -> None:
    """Writes a field of a figure, if the figure has it."""
    own = field.owner in code.program.world.kinds
    with code.if_((of_kind if own else bears_trait)(code, figure, field.owner)):
        write_first(code.program, code, figure, field, node, "cast")


def drop_cast(code: Code) -> None:
    """The cast of a chapter that is over: its traits, fields and rules go."""
    program = code.program
    chapters = with_casts(program)
    if not chapters:
        return
    names = program.layout.names
    fields = {
        field.first: field
        for chapter in chapters
        for line in chapter.cast
        for field, _ in line_fields(program, line)
    }
    with code.count_up(1, program.layout.things + 1) as thing, code.if_(load(thing, names["IN_CAST"])):
        code.do("lose_traits", thing, 0)
        code.put(thing, 0, names["IN_CAST"])
        code.put(thing, 0, names["CAST_LINE"])
        for field in fields.values():
            column = program.layout.columns[field.first]
            with code.if_(both(column.low <= thing, thing <= column.high)):
                code.put(thing, load(thing, IMAGE + column.address), column.address)


@verb("clear")
def clear(code: Code, call_: Verb) -> None:
    """Takes everything off a place, or off the whole map."""
    if code.program.grid is not None:
        code.do("clear_grid")
    elif isinstance(call_.node.args.first, AreaRef):
        code.do("clear_board")
    else:
        code.do("clear_place", call_.part("first"))
