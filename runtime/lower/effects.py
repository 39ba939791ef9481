"""Effects: what fields hold to be done, and blocks that are handed over.

An effect of a field is the number of its function in the table; the two after it say whether it can be done and whether it is
affordable. Handed over, an effect is a block `[n, function, ...]`: for a field's effect the function of this module that
unpacks it, the number in the table and the thing; for a block of statements its function and what it has captured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from talewright.runtime.ir.build import ONE, ZERO, add, const, load
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.actions import CLOSURES
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.columns import stored
from talewright.runtime.lower.dispatch import block, condition, lowers_statement, lowers_value, value, value_as
from talewright.runtime.lower.endings import finish_call
from talewright.runtime.lower.possible import EFFECTS, affordable, possible_block
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.scopes import local_types
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.world import Field, plain
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import CoreArguments, EffectBlock
from talewright.schemas.nodes.names import LocalRef
from talewright.schemas.nodes.things import Code as CodeNode
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.nodes.walking import binders, walk

DO, CAN, AFFORDS = 0, 1, 2


def effect_parameters(type_: Type) -> list[Type]:
    """The types of what an effect is given."""
    inner = plain(type_)
    found = []
    for argument in inner.args if inner.tag == "effect" else ():
        assert isinstance(argument, tuple)
        found.append(argument[1])
    return found


# ------------------------------------------------------------------ effects of fields
def effect_slot(program: Program, node: CodeNode, field: Field) -> int:
    """The number in the table of the function of an effect, a list of lines or a condition."""
    key = (id(node), field.tag)
    found = program.effect_slots.get(key)
    if found is not None:
        return found
    number = len(program.effect_slots)
    types = effect_parameters(field.type)
    if field.tag == "condition" or node.condition is not None:
        name = f"condition:{number}"
        slot = program.slot(name)
        program.effect_slots[key] = slot
        program.need(name, lambda: _condition_function(program, name, node, field))
        return slot
    name = f"effect:{number}"
    slot = program.slot(name, asks=True)
    program.effect_slots[key] = slot
    program.slot(f"can {name}")
    program.slot(f"affords {name}")
    program.need(name, lambda: _effect_function(program, name, node, field, types, DO))
    program.need(f"can {name}", lambda: _effect_function(program, f"can {name}", node, field, types, CAN))
    program.need(
        f"affords {name}", lambda: _effect_function(program, f"affords {name}", node, field, types, AFFORDS)
    )
    return slot


def _scope(node: CodeNode, field: Field, types: list[Type]) -> Scope:
    locals_: dict[int, Expression] = {number: Local(1 + i) for i, number in enumerate(node.params)}
    known = local_types(node.locals)
    known |= {number: type_ for number, type_ in zip(node.params, types, strict=False)}
    return Scope(locals_, types=known, me=Local(0), owner=field.owner, verb=field.name)


def _condition_function(program: Program, name: str, node: CodeNode, field: Field) -> Function:
    code = program.code(name, 1, scope=_scope(node, field, []))
    assert node.condition is not None
    code.give(condition(code, node.condition))
    return code.function()


def _effect_function(
    program: Program, name: str, node: CodeNode, field: Field, types: list[Type], which: int
) -> Function:
    code = program.code(name, 1 + len(types), gives=which != DO, scope=_scope(node, field, types))
    body: s.Body = node.body
    if field.tag == "lines":
        body = announced(program, body)
    if which == CAN:
        code.give(possible_block(code, body))
    elif which == AFFORDS:
        code.give(affordable(code, node.body))
    else:
        code.giving()
        block(code, body)
        return finish_call(code, ANY)
    return code.function()


def announced(program: Program, body: s.Body) -> s.Body:
    """Lines are tried one after the other, with a moment before each if some rule looks at it."""
    if not any(("core:next_line" == action) for _, action in program.action_rules):
        return (s.Possible("all", body, 0),)
    found: list[s.Statement] = []
    for line in body:
        found += [s.CoreCall("next_line", CoreArguments(), 0), s.Possible("all", (line,), 0)]
    return tuple(found)


# ------------------------------------------------------------------ running
@lowers_statement(s.RunEffect)
def run_effect(code: Code, node: s.RunEffect) -> None:
    _run(code, node.of, node.args)


@lowers_value(s.RunEffect)
def effect_result(code: Code, node: s.RunEffect) -> Expression:
    return _run(code, node.of, node.args)


def _run(code: Code, effect: object, arguments: Sequence[object]) -> Expression:
    """Runs an effect; what it gives, or none."""
    types = effect_parameters(type_of(code, effect))
    values = _arguments(code, arguments, types)
    made = code.hold(ZERO)
    if isinstance(effect, r.FieldOf) and (effect.owner, effect.name) in code.program.world.fields:
        field = code.program.world.fields[effect.owner, effect.name]
        thing = code.keep(value(code, effect.of))
        slot = code.keep(stored(code, thing, field, effect.maybe or maybe_none(code, effect.of)))
        code.when(slot, lambda: _assign(code, made, code.ask_indirect(slot, (thing, *values), True)))
        return made
    held = code.keep(value(code, effect))
    code.when(
        held, lambda: _assign(code, made, code.ask_indirect(load(held, 1), (held, *values), True))
    )
    return made


def _assign(code: Code, made: Local, result: Expression | None) -> None:
    assert result is not None
    code.assign(made, result)


def _arguments(code: Code, arguments: Sequence[object], types: list[Type]) -> tuple[Expression, ...]:
    made = [code.keep(value_as(code, a, t)) for a, t in zip(arguments, types, strict=False)]
    made += [ZERO] * (len(types) - len(made))
    return tuple(made)


def ask_effect(code: Code, effect: object, arguments: Sequence[object], which: int) -> Expression:
    """Whether an effect can be done, or is affordable; what is not there costs nothing."""
    types = effect_parameters(type_of(code, effect))
    values = _arguments(code, arguments, types)
    made = code.hold(ONE if which == AFFORDS else ZERO)
    if isinstance(effect, r.FieldOf) and (effect.owner, effect.name) in code.program.world.fields:
        field = code.program.world.fields[effect.owner, effect.name]
        thing = code.keep(value(code, effect.of))
        slot = code.keep(stored(code, thing, field, effect.maybe or maybe_none(code, effect.of)))
        code.when(slot, lambda: code.assign(made, code.indirect(_plus(slot, which), thing, *values)))
        return made
    held = code.keep(value(code, effect))
    code.when(
        held, lambda: code.assign(made, code.indirect(_plus(load(held, 1), which), held, *values))
    )
    return made


def _plus(slot: Expression, which: int) -> Expression:
    return add(slot, const(which))


EFFECTS.append(ask_effect)


@lowers_value(r.Holds)
def holds(code: Code, node: r.Holds) -> Expression:
    """Whether the condition in a field holds; one that is not there does not."""
    of = node.of
    if isinstance(of, r.FieldOf):
        field = code.program.world.fields[of.owner, of.name]
        thing = code.keep(value(code, of.of))
        slot = code.keep(stored(code, thing, field, of.maybe or maybe_none(code, of.of)))
        made = code.hold(ZERO)
        code.when(slot, lambda: code.assign(made, code.indirect(slot, thing)))
        return made
    held = code.keep(value(code, of))
    made = code.hold(ZERO)
    code.when(held, lambda: code.assign(made, code.indirect(load(held, 1), load(held, 2))))
    return made


# ------------------------------------------------------------------ handing over
def hand_over_field(code: Code, slot: Expression, thing: Expression, type_: Type) -> Expression:
    """The effect of a thing as a block: whoever runs it need not know whose it is."""
    program = code.program
    count = len(effect_parameters(type_))
    adapter = _adapter(program, count)
    code.uses_stack()
    held, made = code.keep(slot), code.hold(ZERO)

    def pack() -> None:
        code.assign(made, code.call("new_list"))
        for part in (const(adapter), held, thing):
            code.do("push", made, part)

    code.when(held, pack)
    return made


def _adapter(program: Program, count: int) -> int:
    """The functions that unpack an effect of a field with so many arguments."""
    name = f"borne:{count}"
    slot = program.slot(name, asks=True)
    program.slot(f"can {name}")
    program.slot(f"affords {name}")
    for which, prefix in ((DO, ""), (CAN, "can "), (AFFORDS, "affords ")):
        program.need(prefix + name, lambda which=which, prefix=prefix: _adapting(program, prefix + name, count, which))
    return slot


def _adapting(program: Program, name: str, count: int, which: int) -> Function:
    code = program.code(name, 1 + count, gives=which != DO)
    inner, thing = load(Local(0), 2), load(Local(0), 3)
    given = tuple(Local(1 + i) for i in range(count))
    if which == DO:
        code.ask_indirect(inner, (thing, *given))
    else:
        code.give(code.indirect(_plus(inner, which), thing, *given))
    return code.function()


def hand_over_block(code: Code, node: EffectBlock, type_: Type) -> Expression:
    """A block of statements with what it has captured: `[n, function, self, result, locals...]`."""
    program = code.program
    free = free_locals(node)
    types = effect_parameters(type_)
    name = f"block:{len(program.blocks)}"
    program.blocks.append(name)
    scope = code.scope
    slot = program.slot(name, asks=True)
    program.slot(f"can {name}")
    program.slot(f"affords {name}")
    for which, prefix in ((DO, ""), (CAN, "can "), (AFFORDS, "affords ")):
        program.need(
            prefix + name,
            lambda which=which, prefix=prefix: _block_function(program, prefix + name, node, types, free, scope, which),
        )
    code.uses_stack()
    captured = [code.keep(scope.locals[number]) for number in free]
    made = code.call("new_list")
    for part in (const(slot), scope.me, scope.result, *captured):
        code.do("push", made, part)
    return made


def _block_function(
    program: Program, name: str, node: EffectBlock, types: list[Type], free: list[int], outer: Scope, which: int
) -> Function:
    code = program.code(name, 1 + len(types), gives=which != DO)
    params = node.params or ()
    captured: dict[int, Expression] = {n: code.hold(load(Local(0), 4 + i)) for i, n in enumerate(free)}
    captured |= {number: Local(1 + i) for i, number in enumerate(params)}
    known = {**outer.types, **{n: t for n, t in zip(params, types, strict=False)}}
    code.scope = replace(
        outer, locals=captured, types=known, me=code.hold(load(Local(0), 2)), result=code.hold(load(Local(0), 3))
    )
    if which == CAN:
        code.give(possible_block(code, node.body))
    elif which == AFFORDS:
        code.give(affordable(code, node.body))
    else:
        block(code, node.body)
        return finish_call(code, ANY)
    return code.function()


CLOSURES.append(hand_over_block)


def free_locals(node: object) -> list[int]:
    """The locals that a node reads but does not bind itself."""
    bound: set[int] = set()
    read: set[int] = set()
    for inner in walk(node):  # type: ignore[arg-type]
        bound.update(binders(inner))
        if isinstance(inner, LocalRef):
            read.add(inner.number)
    return sorted(read - bound)


