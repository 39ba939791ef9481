"""Dice: what is to be rolled, rolls, and what is read off them."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import call, cell, const, equal, load, set_cell, truth
from talewright.runtime.ir.header import STACK_TOP, TOO_MUCH
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.kernel.memory import DIE_FACE, DIE_PURPOSE, DIE_REROLLED
from talewright.runtime.lower.builds.notes import note
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import (
    Member,
    condition,
    each,
    each_of_list,
    listed,
    lowers_loop,
    lowers_value,
    value,
)
from talewright.runtime.lower.expressions.collections import CORE_FUNCTIONS, Arguments
from talewright.runtime.lower.expressions.values import fixed_literal, named_die
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.statements.verbs import Verb, verb
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.cells import DICE_TOP
from talewright.runtime.model.layout import DICE_RECORDS, DIE_CELLS
from talewright.runtime.model.types import INT, is_number
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import arguments as a
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.declaration import Node

# So often are dice rolled until they will do.
MOST_ROLLS = 10_000


@lowers_value(o.ManyDice)
def many_dice(code: Code, node: o.ManyDice) -> Expression:
    return code.pushed("times_dice", value(code, node.dice), value(code, node.count))


@lowers_value(r.FixedDice, a.DoneFixedDice)
def fixed_dice(code: Code, node: r.FixedDice) -> Expression:
    return code.pushed("fixed_dice", value(code, node.of))


@lowers_value(r.PoolTotal, a.DonePoolTotal)
def pool_total(code: Code, node: r.PoolTotal) -> Expression:
    if is_number(type_of(code, node.of)):
        return value(code, node.of)
    return code.hold(call("pool_total", value(code, node.of)))


@lowers_value(r.DieValue, a.DoneDieValue)
def die_value(code: Code, node: r.DieValue) -> Expression:
    type_ = plain(type_of(code, node.of))
    made = value(code, node.of)
    if is_number(type_):
        return made
    if type_.tag in ("pool", "dice"):
        return code.hold(call("pool_total", made))
    return _part(made, DIE_FACE)


def _part(die_: Expression, which: int) -> Expression:
    """A part of the record of a rolled die."""
    return load(die_ * DIE_CELLS, DICE_RECORDS + which)


@lowers_value(r.DieProperty)
def die_property(code: Code, node: r.DieProperty) -> Expression:
    which = {"face": DIE_FACE, "rerolled": DIE_REROLLED, "purpose": DIE_PURPOSE}[node.name]
    return _part(value(code, node.of), which)


@lowers_value(r.PoolProperty)
def pool_property(code: Code, node: r.PoolProperty) -> Expression:
    return truth(code.call("all_equal", value(code, node.of)))


@lowers_value(r.PoolDice, a.DonePoolDice, r.AsPool)
def pool_dice(code: Code, node: r.PoolDice) -> Expression:
    if plain(type_of(code, node.of)).tag not in ("pool", "dice"):
        return listed(code, node.of)
    # Where dice may stand, a number may, too; dice that nobody has rolled show nothing.
    return code.pushed("shown_dice", value(code, node.of))


@lowers_loop(r.EachDie, a.DoneEachDie)
def each_die(code: Code, node: r.EachDie, body: Member) -> None:
    each(code, node.of, lambda die_: body(_part(die_, DIE_FACE)))


# ------------------------------------------------------------------ rolling
@verb("roll")
def roll(code: Code, call_: Verb) -> Expression | None:
    node = call_.node
    purpose = call_.part("for")
    roller = call_.part("by")
    code.program.purposes.update(_purposes(code, node.args.purpose))
    if call_.has("from"):
        code.uses_stack()
        into = call_.part("into") if call_.has("into") else const(code.program.world.pile_numbers["limbo"])
        made = code.call("roll_things", call_.part("first"), call_.part("from"), into, purpose)
        note(code, "note_thing_dice", purpose, roller, made)
        return made
    if plain(call_.types["first"]).tag == "thing":
        die_ = code.hold(call_.part("first"))
        shown = code.call("roll_thing", die_, purpose)
        note(code, "note_thing_die", purpose, roller, die_)
        return shown
    if isinstance(node.args.first, n.DieRef) and type_of(code, node).tag != "pool":
        number = const(named_die(code.program, node.args.first.id))
        face = code.call("roll_face", number, purpose)
        note(code, "note_face", purpose, roller, number, face)
        return face
    code.uses_stack()
    if node.until is not None:
        return _roll_until(code, call_, purpose, roller)
    made = code.call("roll_pool", call_.part("first"), purpose, roller)
    note(code, "note_roll", purpose, roller, made)
    return made


def _purposes(code: Code, node: Node | None) -> list[str]:
    """The words that dice may be rolled for by one call."""
    if node is None:
        return []
    if isinstance(node, li.WordLiteral):
        return [node.value]
    words = plain(type_of(code, node)).args or code.program.layout.words
    return [str(word) for word in words]


def _roll_until(code: Code, call_: Verb, purpose: Expression, roller: Expression) -> Expression:
    """Rolls until the total will do."""
    node = call_.node
    assert node.local is not None
    made = code.hold(0)
    left = code.hold(MOST_ROLLS)
    mark, dice = code.hold(cell(STACK_TOP)), code.hold(cell(DICE_TOP))
    with code.loop() as (_, out):
        code.fault_if(equal(left, 0), TOO_MUCH)
        code.assign(left, left - 1)
        code.emit(set_cell(STACK_TOP, mark), set_cell(DICE_TOP, dice))
        code.assign(made, call("roll_pool", call_.part("first"), purpose, roller))
        with code.bound(node.local, code.hold(call("pool_total", made)), INT):
            code.leave_if(condition(code, node.until), out)
    return made


@verb("reroll")
def reroll(code: Code, call_: Verb) -> None:
    if plain(call_.types["first"]).tag == "die":
        code.do("reroll_die", call_.part("first"))
        note(code, "note_die_again", call_.part("first"))
    else:
        each_of_list(code, call_.part("first"), partial(code.do, "reroll_die"))
        note(code, "note_reroll", call_.part("first"))


def _rolled(code: Code, args: Arguments) -> Expression:
    """How many dice were rolled for a purpose since the last `when` of a test."""
    return code.call("count_rolled", value(code, args[0]))


CORE_FUNCTIONS["rolled"] = _rolled


# ------------------------------------------------------------------ dice that are things
def lay_out_dice(program: Program) -> None:
    """Tables of dice that are things: which die each is, where its face stands, and what lies opposite."""
    world, layout = program.world, program.layout
    dice, faces = [0] * layout.width, [0] * layout.width
    for kind in world.content.kinds:
        if kind.die is None:
            continue
        shown = [fixed_literal(program, face) for face in kind.die.faces]
        number = program.die_number(kind.id, shown)
        column = layout.columns[f"{kind.id}.face"]
        for thing in world.of_kind(kind.id):
            dice[thing], faces[thing] = number, column.address + thing
            layout.cells[column.address + thing] = shown[0]
        pairs: list[int] = []
        for pair in kind.die.opposite.items if isinstance(kind.die.opposite, li.SetLiteral) else ():
            assert isinstance(pair, o.Pair)
            left, right = fixed_literal(program, pair.left), fixed_literal(program, pair.right)
            pairs += [left, right, right, left]
        program.opposites[number] = tuple(pairs)
    layout.names["THING_DIE"] = layout.fixed(dice)
    layout.names["THING_FACE"] = layout.fixed(faces)
