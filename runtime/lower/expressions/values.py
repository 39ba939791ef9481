"""Expressions that give one value: literals, names, arithmetic, questions."""

from __future__ import annotations

from functools import partial

from talewright.runtime.faults import LoadError, misfit
from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    binary,
    both,
    call,
    cell,
    checked,
    conditional,
    const,
    equal,
    every,
    load,
    negate,
    truth,
    unlike,
)
from talewright.runtime.ir.header import NONE
from talewright.runtime.ir.nodes import BinaryOperator, CheckedOperator, Const, Expression, Local
from talewright.runtime.lower.builds.options import option_cell
from talewright.runtime.lower.builds.switches import is_switch, switched
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import condition, each, listed, lowers_value, unknown, value, value_as
from talewright.runtime.lower.expressions.storage import same_block, shape_of
from talewright.runtime.lower.expressions.texts import same_text
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.cells import CHAPTER, ENDING
from talewright.runtime.model.layout import STATIC
from talewright.runtime.model.types import THING, is_list, is_number, none_of
from talewright.runtime.model.world import Field, plain
from talewright.schemas.nodes import literals as li
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.types import Type


# ------------------------------------------------------------------ literals and names
def fixed_literal(program: Program, node: object) -> int:
    """The number that a literal or a name stands for, which is known before the game begins."""
    layout, world = program.layout, program.world
    match node:
        case li.IntLiteral():
            return node.value
        case li.TruthLiteral():
            return int(node.value)
        case li.NoneLiteral():
            return 0
        case li.WordLiteral() | li.MarkLiteral():
            return layout.word(node.value)
        case li.Text():
            return layout.fixed_list([program.text_number(node)])
        case li.SizeLiteral():
            return node.width * 256 + node.height
        case li.DiceLiteral():
            number = program.die_number(f"d{node.sides}", list(range(1, node.sides + 1)))
            return layout.fixed_block([-2, number, node.count])
        case n.DieRef():
            return layout.fixed_block([-2, named_die(program, node.id), 1])
        case r.FixedDice():
            return layout.fixed_block([-2, 0, fixed_literal(program, node.of)])
        case o.ManyDice():
            at = fixed_literal(program, node.dice) - STATIC
            form, die, count = layout.static[at : at + 3]
            return layout.fixed_block([form, die, count * fixed_literal(program, node.count)])
        case n.ThingRef():
            return program.thing(node.id).value
        case n.SortRef():
            return program.sort_number(node.id)
        case n.SeatRef():
            return world.seats.get((node.role, node.number), 0)
        case n.PileRef():
            return world.pile_numbers[node.id]
        case n.TokenRef():
            return 1 + token_number(program, node.id)
        case n.OptionRef():
            return option_cell(layout, world.settings.options[node.id])
        case n.KindRef():
            return 1 + list(world.kinds).index(node.id)
        case o.Sub():
            return fixed_literal(program, node.left) - fixed_literal(program, node.right)
    raise unknown(node)


def named_die(program: Program, name: str) -> int:
    """The number of a die that is declared."""
    declared = next(die for die in program.world.content.dice if die.id == name)
    return program.die_number(name, [fixed_literal(program, face) for face in declared.faces])


@lowers_value(
    li.IntLiteral, li.TruthLiteral, li.NoneLiteral, li.WordLiteral, li.MarkLiteral, li.SizeLiteral, li.DiceLiteral,
    n.DieRef, n.ThingRef, n.SortRef, n.SeatRef, n.PileRef, n.TokenRef, n.KindRef,
)  # fmt: skip
def literal(code: Code, node: object) -> Expression:
    return const(fixed_literal(code.program, node))


@lowers_value(n.OptionRef)
def option(code: Code, node: n.OptionRef) -> Expression:
    if is_switch(node):
        return switched(node)
    found = code.program.option_cells.get(node.id)
    return literal(code, node) if found is None else cell(found)


@lowers_value(n.AreaRef)
def area(code: Code, node: n.AreaRef) -> Expression:
    """Board, play, supply or box by name: what can be done with them is lowered where they stand."""
    return const(code.program.layout.word(f"area:{node.name}"))


@lowers_value(n.StateRef)
def state(code: Code, node: n.StateRef) -> Expression:
    return cell(state_cell(code, node.id))


@lowers_value(n.TrackRef)
def track(code: Code, node: n.TrackRef) -> Expression:
    return cell(track_cell(code, node.id))


def state_cell(code: Code, name: str) -> int:
    """The address of a state."""
    found = code.program.layout.state_cells.get(name)
    if found is None:
        raise LoadError(f"the state `{name}` does not exist under the options of this game")
    return found


def track_cell(code: Code, name: str) -> int:
    """The address of a track."""
    found = code.program.layout.track_cells.get(name)
    if found is None:
        raise LoadError(f"the track `{name}` does not exist under the options of this game")
    return found


def token_number(program: Program, name: str) -> int:
    """The number of a token, counted from 0; as a value it is one more, so that 0 is none."""
    return next(i for i, t in enumerate(program.world.content.tokens) if t.id == name)


def token_value(code: Code, node: object) -> Expression:
    """The number of the token that an expression names, counted from 0."""
    if isinstance(node, n.TokenRef):
        return const(token_number(code.program, node.id))
    return value(code, node) - 1


@lowers_value(n.LocalRef)
def local(code: Code, node: n.LocalRef) -> Expression:
    found = code.scope.locals.get(node.number)
    if found is None:
        raise misfit("a local name is read that has no value here")
    return code.of_type(found, code.local_type(node.number))


@lowers_value(n.SelfRef)
def self_(code: Code, node: n.SelfRef) -> Expression:
    return code.of_type(code.scope.me, THING)


@lowers_value(n.ResultRef)
def result(code: Code, node: n.ResultRef) -> Expression:
    return code.of_type(code.scope.result, code.scope.result_type)


@lowers_value(n.ChapterRef)
def chapter(code: Code, node: n.ChapterRef) -> Expression:
    return cell(CHAPTER)


@lowers_value(n.EndingRef)
def ended(code: Code, node: n.EndingRef) -> Expression:
    return cell(ENDING)


# ------------------------------------------------------------------ arithmetic and comparison
_ARITHMETIC: dict[type, CheckedOperator] = {
    o.Add: "add", o.Sub: "sub", o.Mul: "mul", o.Div: "div", o.Mod: "rem",
}  # fmt: skip
_COMPARISONS: dict[type, BinaryOperator] = {
    o.Eq: "eq", o.Ne: "ne", o.Lt: "lt", o.Le: "le", o.Gt: "gt", o.Ge: "ge",
}  # fmt: skip


@lowers_value(*_ARITHMETIC)
def arithmetic(code: Code, node: o.Add) -> Expression:
    left = value_as(code, node.left, type_of(code, node))
    right = value_as(code, node.right, type_of(code, node))
    return checked(_ARITHMETIC[type(node)], left, right, code.spot)


@lowers_value(*_COMPARISONS)
def comparison(code: Code, node: o.Eq) -> Expression:
    """A comparison with `none` is no."""
    number = type_of(code, o.Add(node.left, node.right))
    left, right = value_as(code, node.left, number), value_as(code, node.right, number)
    tests = []
    if maybe_none(code, node.left):
        left = code.keep(left)
        tests.append(unlike(left, NONE))
    if maybe_none(code, node.right):
        right = code.keep(right)
        tests.append(unlike(right, NONE))
    return every([*tests, binary(_COMPARISONS[type(node)], left, right)])


@lowers_value(o.Between)
def between(code: Code, node: o.Between) -> Expression:
    held = code.keep(value(code, node.of))
    low, high = value(code, node.low), value(code, node.high)
    return (
        both(low <= held, held <= high)
        if isinstance(low, Const)
        else every([unlike(held, NONE), low <= held, held <= high])
    )


@lowers_value(o.Same, o.SamePile)
def same(code: Code, node: o.Same) -> Expression:
    """Whether two values are the same; two nones are, too."""
    left_type, right_type = type_of(code, node.left), type_of(code, node.right)
    known = right_type if left_type.tag in ("none", "any") else left_type
    left, right = value_as(code, node.left, known), value_as(code, node.right, known)
    special = alike(code, left, right, known, isinstance(node, o.Same) and node.unordered)
    if special is not None:
        return special
    if is_number(left_type) != is_number(right_type) and "none" not in (left_type.tag, right_type.tag):
        return equal(_none_as(code, left, node.left), _none_as(code, right, node.right))
    return equal(left, right)


def alike(code: Code, left: Expression, right: Expression, type_: Type, unordered: bool) -> Expression | None:
    """Whether two values of a type are the same, where more than one cell tells; `None` where one does."""
    bare = plain(type_)
    if bare.tag == "text":
        return same_text(code, left, right)
    if unordered:
        return call("same_members", left, right, shape_of(type_))
    if bare.tag == "map":
        return call("same_map", left, right, shape_of(type_))
    if is_list(type_):
        return same_block(left, right, type_)
    if bare.tag == "spot":
        return call("same_spot", left, right)
    if bare.tag == "trait":
        return same_trait(code, code.keep(left), code.keep(right))
    return None


def _none_as(code: Code, made: Expression, node: object) -> Expression:
    """A value whose `none` is that of numbers."""
    type_ = type_of(code, node)
    if is_number(type_) or not maybe_none(code, node):
        return made
    held = code.keep(made)
    return conditional(held, held, NONE)


@lowers_value(o.And)
def and_(code: Code, node: o.And) -> Expression:
    return code.all_of([lambda: condition(code, node.left), lambda: condition(code, node.right)])


@lowers_value(o.Or)
def or_(code: Code, node: o.Or) -> Expression:
    return code.any_of([lambda: condition(code, node.left), lambda: condition(code, node.right)])


@lowers_value(o.Not)
def not_(code: Code, node: o.Not) -> Expression:
    return negate(condition(code, node.of))


@lowers_value(o.Pick)
def pick(code: Code, node: o.Pick) -> Expression:
    type_ = type_of(code, node)
    test = condition(code, node.condition)
    return code.choose(test, lambda: value_as(code, node.yes, type_), lambda: value_as(code, node.no, type_))


@lowers_value(q.Least, q.Greatest)
def extreme_of(code: Code, node: q.Least | q.Greatest) -> Expression:
    wanted: BinaryOperator = "lt" if isinstance(node, q.Least) else "gt"
    found = code.hold(value(code, node.items[0]))
    for item in node.items[1:]:
        other = code.keep(value(code, item))
        code.assign(found, conditional(binary(wanted, other, found), other, found))
    return found


@lowers_value(o.Rank)
def rank(code: Code, node: o.Rank) -> Expression:
    held = code.keep(value(code, node.of))
    made: Expression = const(NONE)
    for position, word in reversed(list(enumerate(node.words))):
        made = conditional(equal(held, code.program.layout.word(word)), position, made)
    return made


@lowers_value(r.AsInt)
def as_int(code: Code, node: r.AsInt) -> Expression:
    return value(code, node.of)


# ------------------------------------------------------------------ questions about things
@lowers_value(o.IsNone)
def is_none(code: Code, node: o.IsNone) -> Expression:
    type_ = type_of(code, node.of)
    made = value(code, node.of)
    if plain(type_).tag in ("list", "set"):
        return equal(made, 0)
    return equal(made, none_of(type_))


@lowers_value(o.IsKind)
def is_kind(code: Code, node: o.IsKind) -> Expression:
    return of_kind(code, value(code, node.of), node.kind)


def of_kind(code: Code, made: Expression, kind: str) -> Expression:
    """Whether a thing is of a kind; none is of none."""
    world = code.program.world
    if isinstance(made, Const):
        return ONE if made.value and world.is_a(world.thing(made.value).kind, kind) else ZERO
    at, bit = code.program.layout.kind_bit(kind)
    return load(made, at) >> bit & 1


@lowers_value(o.IsTrait)
def is_trait(code: Code, node: o.IsTrait) -> Expression:
    return has_trait(code, value(code, node.of), node.trait)


def has_trait(code: Code, thing: Expression, trait: str) -> Expression:
    """Whether a thing has a trait, or is lent it by what it holds in a field that lends all."""
    program = code.program
    lenders = program.world.lenders()
    if not lenders:
        return bears_trait(code, thing, trait)
    name = f"has:{trait}"
    return code.call(program.function(name, 1, partial(_has, trait, lenders)), thing)


def _has(trait: str, lenders: list[Field], code: Code) -> None:
    """has(thing): whether a thing has a trait, of its own or lent."""
    thing = Local(0)
    code.give_if(bears_trait(code, thing, trait), 1)
    for field in lenders:
        lender = load(thing, code.program.layout.columns[field.first].address)
        with code.if_(of_kind(code, thing, field.owner)):
            code.give_if(call(code.name, lender), 1)
    code.give(0)


def bears_trait(code: Code, thing: Expression, trait: str) -> Expression:
    """Whether a thing has a trait itself: a bit for every thing; the bit of none is never set."""
    at = code.program.trait_bits(trait)
    held = code.keep(thing)
    return load(held >> 5, at) >> (held & 31) & 1


@lowers_value(o.IsSort)
def is_sort(code: Code, node: o.IsSort) -> Expression:
    return equal(load(value(code, node.of), code.names["SORT"]), value(code, node.sort))


@lowers_value(o.IsFace)
def is_face(code: Code, node: o.IsFace) -> Expression:
    held = code.keep(value(code, node.of))
    up = load(held, code.names["FACE"])
    lies = up if node.face == "face_up" else negate(up)
    return both(held, lies) if maybe_none(code, node.of) else truth(lies)


@lowers_value(o.LiesIn)
def lies_in(code: Code, node: o.LiesIn) -> Expression:
    held, where = value(code, node.thing), value(code, node.pile)
    at = equal(load(held, code.names["WHERE"]), where)
    if maybe_none(code, node.pile) and maybe_none(code, node.thing):
        return both(where, at)
    return at


@lowers_value(o.Knows)
def knows(code: Code, node: o.Knows) -> Expression:
    what = code.keep(value(code, node.what))
    if not is_list(type_of(code, node.who)):
        return truth(call("knows", value(code, node.who), what))
    known = code.hold(1)
    each(code, node.who, lambda who: code.assign(known, both(known, truth(call("knows", who, what)))))
    return known


def same_trait(code: Code, first: Expression, second: Expression) -> Expression:
    """Whether two traits that were handed over are the same, with the same arguments; two nones are, too."""

    def both_named() -> Expression:
        one, other = (code.hold(load(block, 1)) for block in (first, second))
        alike = equal(call("site_trait", one), call("site_trait", other))
        return code.choose(
            alike,
            lambda: code.call("same_trait", one, first + 2, other, second + 2),
            lambda: ZERO,
        )

    named = both(truth(first), truth(second))
    return code.choose(named, both_named, lambda: equal(first, second))


@lowers_value(o.Includes)
def includes(code: Code, node: o.Includes) -> Expression:
    code.uses_stack()
    have = listed(code, node.of)
    want = code.keep(listed(code, node.items))
    inner = type_of(code, node.items)
    sorts = plain(inner).tag == "sort" or (is_list(inner) and "sort" in str(inner.args))
    of_sorts = sorts and "sort" not in str(type_of(code, node.of).args)
    return truth(code.call("includes_all", have, want, int(of_sorts)))


@lowers_value(o.SomeCopies)
def some_copies(code: Code, node: o.SomeCopies) -> Expression:
    return code.pushed("copies_in_box", value(code, node.of), value(code, node.count))


@lowers_value(o.Pair)
def pair(code: Code, node: o.Pair) -> Expression:
    left, right = code.keep(value(code, node.left)), code.keep(value(code, node.right))
    return code.new_list(left, right)


# ------------------------------------------------------------------ the cells of fields
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
    if key not in code.names:
        numbers = [world.pile_fields.get((t, field.name), 0) for t in range(len(world.things) + 1)]
        code.names[key] = code.program.layout.fixed(numbers)
    return load(thing, code.names[key])


def field_cell(code: Code, thing: Expression, field: Field) -> Expression:
    """The address of the cell of a field of a thing that has it."""
    column = code.program.layout.columns[field.first]
    return thing + column.address
