"""Behaviour: effects, lines and conditions that fields hold, and blocks that are handed over.

A field holds the number of a function in the table; for what is done, the two after it say whether it can be done and
whether it is affordable. Handed over, behaviour is a block `[n, function, ...]`: for that of a field a function of this module
that unpacks it, the number in the table and the thing; for a block of statements its function and what it has captured.
A field to which something handed over was given holds such a block. Where a condition is wanted, yes and no may stand, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, both, equal, load, negate, unlike
from talewright.runtime.ir.header import NONE
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.kernel.play.notes import EFFECT
from talewright.runtime.kernel.storage.heap import SHAPE_FLAT
from talewright.runtime.lower.builds.counters import count_effect
from talewright.runtime.lower.builds.notes import note_row
from talewright.runtime.lower.code import Code, Scope, local_names, local_types
from talewright.runtime.lower.decisions.possible import affordable, possible_block
from talewright.runtime.lower.dispatch import (
    block,
    condition,
    lowers_statement,
    lowers_value,
    value,
    value_as,
)
from talewright.runtime.lower.expressions.values import field_cell, stored
from talewright.runtime.lower.program import Passage, Program
from talewright.runtime.lower.statements.endings import finish_call
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.cells import DIRTY
from talewright.runtime.model.layout import STATIC
from talewright.runtime.model.types import BEHAVIOUR
from talewright.runtime.model.world import Field, plain
from talewright.schemas.node_walk import free_locals
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import CoreArguments, EffectBlock
from talewright.schemas.nodes.things import Code as CodeNode
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import record, replace

# The functions of what is done, in the order of the table, and how the names of each begin.
DO, CAN, AFFORDS = 0, 1, 2
# A condition has one function.
CONDITION = -1
FORMS = ("", "can ", "affords ")


def effect_parameters(type_: Type) -> list[Type]:
    """The types of what an effect is given."""
    inner = plain(type_)
    found = []
    for argument in inner.args if inner.tag == "effect" else ():
        assert isinstance(argument, tuple)
        found.append(argument[1])
    return found


def behaviour_type(field: Field) -> Type:
    """The type of the behaviour in a field, or in the rows of a table in it."""
    inner = plain(field.type)
    held = inner.args[1] if inner.tag == "map" else inner
    assert isinstance(held, Type)
    return held


# ------------------------------------------------------------------ effects of fields
def effect_slot(program: Program, node: CodeNode, field: Field) -> int:
    """The number in the table of the function of an effect, a list of lines or a condition."""
    key = (id(node), field.tag)
    found = program.effect_slots.get(key)
    if found is not None:
        return found
    number = len(program.effect_slots)
    types = effect_parameters(behaviour_type(field))
    scope = _scope(node, field, types)
    if node.condition is not None:
        write = partial(_condition, node.condition)
        slot = program.slot(program.function(f"condition:{number}", 1, write, scope=scope))
    else:
        slot = _functions(program, f"effect:{number}", types, partial(_effect, node, field), scope)
    program.effect_slots[key] = slot
    program.passages[slot] = Passage(node, scope.types, field.owner)
    return slot


def _functions(
    program: Program,
    name: str,
    types: list[Type],
    write: Callable[[int, Code], Function | None],
    scope: Scope | None = None,
) -> int:
    """The functions of what is done stand behind one another in the table; gives the number of the first."""
    for which, prefix in enumerate(FORMS):
        program.slot(prefix + name, asks=which == DO)
        program.function(prefix + name, 1 + len(types), partial(write, which), which != DO, scope)
    return program.slot(name)


def _scope(node: CodeNode, field: Field, types: list[Type]) -> Scope:
    locals_: dict[int, Expression] = {number: Local(1 + i) for i, number in enumerate(node.params)}
    known = local_types(node.locals)
    known |= dict(zip(node.params, types, strict=False))
    names = local_names(node.locals)
    return Scope(locals_, types=known, names=names, me=Local(0), owner=field.owner, verb=field.name)


def _condition(node: object, code: Code) -> None:
    code.give(condition(code, node))


def _effect(node: CodeNode, field: Field, which: int, code: Code) -> Function:
    body: s.Body = node.body
    if which != AFFORDS and plain(behaviour_type(field)).tag == "lines":
        body = announced(code.program, body)
    if which == DO:
        code.giving()
        count_effect(code, node, field.owner, field.name)
    return _written(code, body, which)


def _written(code: Code, body: s.Body, which: int) -> Function:
    """The function that was begun, which runs a block, or says whether that can be done or is affordable."""
    if which == DO:
        block(code, body)
        return finish_call(code, ANY)
    code.give(possible_block(code, body) if which == CAN else affordable(code, body))
    return code.function()


# One call, so that its rules are lowered once for all lines.
_NEXT_LINE = s.CoreCall("next_line", CoreArguments(), 0)


def announced(program: Program, body: s.Body) -> s.Body:
    """Lines are tried one after the other, with a moment before each if some rule looks at it."""
    if not any((action == "core:next_line") for _, action in program.action_rules):
        return (s.Possible("all", body, 0),)
    found: list[s.Statement] = []
    for line in body:
        found += [_NEXT_LINE, s.Possible("all", (line,), 0)]
    return tuple(found)


# ------------------------------------------------------------------ running
@lowers_statement(s.RunEffect)
@lowers_value(s.RunEffect)
def run_effect(code: Code, node: s.RunEffect) -> Expression:
    """Runs an effect; what it gives, or none."""
    values = _arguments(code, node.args, effect_parameters(type_of(code, node.of)))
    made = code.hold(0)

    def run(slot: Expression, whose: Expression) -> None:
        note_row(code, EFFECT, slot, whose, 1)
        code.assign(made, code.ask_indirect(slot, (whose, *values)))
        note_row(code, EFFECT, slot, whose, 0)

    _with_function(code, node.of, run)
    return made


@record(frozen=True)
class Borne:
    """Behaviour that a thing bears: the cell of its field, or of the row of a table in its field."""

    cell: Expression
    thing: Expression
    written: bool
    """Whether the field can hold a block that was handed over."""


def borne(code: Code, node: object) -> Borne | None:
    """The behaviour of a thing that an expression names; none where it names what was handed over."""
    fields = code.program.world.fields
    field = fields.get((node.owner, node.name)) if isinstance(node, r.FieldOf) else None
    if isinstance(node, r.FieldOf) and field is not None and field.tag in BEHAVIOUR:
        thing = code.keep(value(code, node.of))
        made = code.keep(stored(code, thing, field, node.maybe or maybe_none(code, node.of)))
        return Borne(made, thing, field.first in code.program.facts.written)
    if (
        isinstance(node, r.LookUp)
        and isinstance(node.of, r.FieldOf)
        and plain(type_of(code, node)).tag in BEHAVIOUR
    ):
        field = fields[node.of.owner, node.of.name]
        thing = code.keep(value(code, node.of.of))
        rows = stored(code, thing, field, node.of.maybe or maybe_none(code, node.of.of))
        return Borne(code.call("look_up", rows, value(code, node.key), 0), thing, False)
    return None


def _is_handed_over(made: Expression) -> Expression:
    """Whether a cell holds the address of a block rather than a number in the table."""
    return made > STATIC - 1


def _with_function(code: Code, node: object, use: Callable[[Expression, Expression], None]) -> None:
    """Runs a body with the function of some behaviour and what it is called with, if there is any."""
    own = borne(code, node)
    if own is None:
        held = code.keep(value(code, node))
        code.when(held, lambda: use(load(held, 1), held))
        return
    slot = own.cell

    def one_of_two() -> None:
        code.when(_is_handed_over(slot), lambda: use(load(slot, 1), slot), lambda: use(slot, own.thing))

    code.when(slot, one_of_two if own.written else lambda: use(slot, own.thing))


def _arguments(code: Code, arguments: Sequence[object], types: list[Type]) -> tuple[Expression, ...]:
    made = [code.keep(value_as(code, a, t)) for a, t in zip(arguments, types, strict=False)]
    made += [ZERO] * (len(types) - len(made))
    return tuple(made)


def ask_effect(code: Code, effect: object, arguments: Sequence[object], which: int) -> Expression:
    """Whether an effect can be done, or is affordable; what is not there costs nothing."""
    values = _arguments(code, arguments, effect_parameters(type_of(code, effect)))
    made = code.hold(int(which == AFFORDS))

    def ask(slot: Expression, whose: Expression) -> None:
        code.assign(made, code.indirect(slot + which, whose, *values))

    _with_function(code, effect, ask)
    return made


@lowers_value(r.Holds)
def holds(code: Code, node: r.Holds) -> Expression:
    """Whether a condition holds; one that is not there does not."""
    made = code.hold(0)
    own = borne(code, node.of)
    if own is not None:
        _with_function(code, node.of, lambda slot, whose: code.assign(made, code.indirect(slot, whose)))
        return made
    held = code.keep(value(code, node.of))
    code.when(
        _is_handed_over(held),
        lambda: code.assign(made, code.indirect(load(held, 1), held)),
        lambda: code.assign(made, equal(held, 1)),
    )
    return made


# ------------------------------------------------------------------ handing over
def hand_over(code: Code, own: Borne, type_: Type) -> Expression:
    """The behaviour of a thing as a block: whoever runs it need not know whose it is."""
    adapter = _adapter(code.program, effect_parameters(type_), plain(type_).tag == "condition")
    code.uses_stack()
    made = code.hold(own.cell)

    is_number = negate(_is_handed_over(own.cell)) if own.written else ONE
    with code.if_(both(own.cell, is_number)):
        code.assign(made, code.new_list(adapter, own.cell, own.thing))
    return made


def write_behaviour(code: Code, node: s.Assign) -> None:
    """Gives a field behaviour: that of another field becomes its bearer's own, what was handed over stays as it is."""
    target = node.target
    assert isinstance(target, r.FieldOf)
    field = code.program.world.fields[target.owner, target.name]
    thing = code.keep(value(code, target.of))
    at = code.keep(field_cell(code, thing, field))
    own = borne(code, node.value)
    code.uses_stack()
    made = code.keep(own.cell if own is not None else value_as(code, node.value, field.type))
    if own is None and field.tag == "condition":
        made = _as_condition(code, made)
    with code.if_(thing):
        code.when(
            _is_handed_over(made),
            lambda: code.do("store_blocks", at, made, SHAPE_FLAT),
            lambda: code.do("store_number", at, made),
        )
        code.set(DIRTY, 1)


def _as_condition(code: Code, held: Expression) -> Expression:
    """Yes and no as a condition that always gives them."""
    slot = code.program.slot(code.program.function("given condition", 1, _give_held))
    made = code.hold(held)
    with code.if_(both(unlike(held, NONE), negate(_is_handed_over(held)))):
        code.assign(made, code.new_list(slot, held))
    return made


def _give_held(code: Code) -> None:
    code.give(load(Local(0), 2))


def _adapter(program: Program, types: list[Type], condition: bool) -> int:
    """The functions that unpack the behaviour of a field with so many arguments."""
    if condition:
        return program.slot(program.function("borne condition", 1, partial(_adapting, 0, CONDITION)))
    return _functions(program, f"borne:{len(types)}", types, partial(_adapting, len(types)))


def _adapting(count: int, which: int, code: Code) -> Function | None:
    """Calls one of the functions of what a block holds, for the thing that it holds."""
    slot = load(Local(0), 2)
    given: list[Expression] = [load(Local(0), 3), *(Local(1 + i) for i in range(count))]
    if which != DO:
        code.give(code.indirect(slot if which == CONDITION else slot + which, *given))
        return None
    code.giving()
    code.assign(code.giving(), code.ask_indirect(slot, given))
    return finish_call(code, ANY)


def hand_over_block(code: Code, node: EffectBlock, type_: Type) -> Expression:
    """A block of statements with what it has captured: `[n, function, self, result, locals...]`."""
    program = code.program
    free = free_locals(node)
    types = effect_parameters(type_)
    name = f"block:{len(program.blocks)}"
    program.blocks.append(name)
    scope = code.scope
    known = {**scope.types, **dict(zip(node.params or (), types, strict=False))}
    slot = _functions(program, name, types, partial(_block, node, free, replace(scope, types=known)))
    program.passages[slot] = Passage(node, known, scope.owner, tuple(free))
    captured = [code.keep(scope.locals[number]) for number in free]
    return code.new_list(slot, scope.me, scope.result, *captured)


def _block(node: EffectBlock, free: list[int], outer: Scope, which: int, code: Code) -> Function:
    captured: dict[int, Expression] = {n: code.hold(load(Local(0), 4 + i)) for i, n in enumerate(free)}
    captured |= {number: Local(1 + i) for i, number in enumerate(node.params or ())}
    me, result = code.hold(load(Local(0), 2)), code.hold(load(Local(0), 3))
    code.scope = replace(outer, locals=captured, me=me, result=result)
    return _written(code, node.body, which)
