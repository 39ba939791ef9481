"""Statements: changes, branches, loops."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.faults import misfit
from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    call,
    cell,
    checked,
    const,
    equal,
    load,
    negate,
    set_cell,
    unlike,
)
from talewright.runtime.ir.header import LEADS_NOWHERE, NONE_IN_ARITHMETIC, NOTHING_FITS
from talewright.runtime.ir.nodes import Branch, CheckedOperator, Const, Expression, Local
from talewright.runtime.kernel.play.notes import BAND
from talewright.runtime.lower.builds.counters import count_row
from talewright.runtime.lower.builds.notes import note_row
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.decisions.possible import possible_block
from talewright.runtime.lower.dispatch import (
    block,
    condition,
    each_of_list,
    element_type,
    given,
    listed,
    lowers_statement,
    own_list,
    statement,
    value,
    value_as,
)
from talewright.runtime.lower.expressions.storage import keep_block
from talewright.runtime.lower.expressions.values import alike, field_cell, has_trait, of_kind, state_cell
from talewright.runtime.lower.rules.watch import look
from talewright.runtime.lower.rules.watched import field_name, state_name
from talewright.runtime.lower.statements.actions import CALLS, does_something
from talewright.runtime.lower.statements.effects import write_behaviour
from talewright.runtime.lower.statements.tracks import move_field_track, move_track
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.cells import DIRTY, GOING, HELD, LEAVING, TARGET
from talewright.runtime.model.types import BEHAVIOUR, HIGHEST, LOWEST, is_block, is_list, joins, many, none_of
from talewright.runtime.model.world import Field, plain
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes import tables as t
from talewright.schemas.nodes.types import Type


@lowers_statement(s.DoNothing)
def do_nothing(code: Code, node: s.DoNothing) -> None:
    pass


@lowers_statement(s.Let)
def let(code: Code, node: s.Let) -> None:
    type_ = code.local_type(node.local)
    if type_.tag == "any":
        type_ = type_of(code, node.value)
    made = own_list(code, node.value) if is_list(type_) else value_as(code, node.value, type_)
    sure = not does_something(node.value) and not maybe_none(code, node.value)
    held = code.hold(made)
    if isinstance(made, Const):
        # What the text itself names is known to everybody, wherever it lies.
        code.named.add(held.index)
    code.bind(node.local, held, type_, sure)


# ------------------------------------------------------------------ changes
@lowers_statement(s.Assign)
def assign(code: Code, node: s.Assign) -> None:
    target = node.target
    if isinstance(target, r.FieldOf):
        field = code.program.world.fields.get((target.owner, target.name))
        if field is not None and field.tag in BEHAVIOUR:
            write_behaviour(code, node)
            return
    write(code, node.target, partial(given, code, node.value))


def write(code: Code, target: object, make: Callable[[Type], Expression]) -> None:
    """Puts a value into a local, state, track or field."""
    match target:
        case n.LocalRef():
            held = code.scope.locals.get(target.number)
            made = make(code.local_type(target.number))
            if not isinstance(held, Local):
                code.bind(target.number, code.hold(made), sure=False)
                return
            code.assign(held, made)
            if not isinstance(made, Const):
                code.named.discard(held.index)
            code.scope = code.scope.unsure(target.number)
        case n.StateRef():
            at = state_cell(code, target.id)
            type_ = type_of(code, target)
            _put(code, const(at), make(type_), type_, state_name(target.id))
        case n.TrackRef():
            move_track(code, target.id, make(Type("int")), landing=True)
        case r.FieldOf():
            _write_field(code, target, make)
        case r.LookUp():
            _write_entry(code, target, make)
        case _:
            raise misfit("what is written to cannot change")


def _put(code: Code, at: Expression, made: Expression, type_: Type, name: str) -> None:
    if is_block(type_):
        keep_block(code, at, made, type_)
    else:
        code.put(at, made)
    if code.program.is_watched(name):
        code.set(DIRTY, 1)


def _write_field(code: Code, target: r.FieldOf, make: Callable[[Type], Expression]) -> None:
    field = code.program.world.fields[target.owner, target.name]
    thing = code.keep(value(code, target.of))
    made = code.keep(make(field.type))
    if field.declaration.track is not None:
        move_field_track(code, field, thing, made, landing=True)
        return

    has = thing if maybe_none(code, target.of) else ONE
    if target.maybe:
        has = of_kind(code, thing, field.owner) if field.owner in code.program.world.kinds else thing
    code.when(has, lambda: _put_field(code, thing, field, made))


def _put_field(code: Code, thing: Expression, field: Field, made: Expression) -> None:
    """Writes a field; one that says whether rules are in force may bring some into force."""
    _put(code, field_cell(code, thing, field), made, field.type, field_name(field.first))
    if field.first in code.program.force_fields():
        code.do("armed_by_move", thing)


def _write_entry(code: Code, target: r.LookUp, make: Callable[[Type], Expression]) -> None:
    inner = plain(type_of(code, target.of))
    held = inner.args[1] if inner.tag == "map" else Type("any")
    assert isinstance(held, Type)
    key = code.keep(value(code, target.key))
    made = code.keep(make(held))
    rows = code.pushed("with_entry", value(code, target.of), key, made)
    write(code, target.of, lambda type_: rows)


@lowers_statement(s.Change)
def change(code: Code, node: s.Change) -> None:
    operator: CheckedOperator = "add" if node.sign > 0 else "sub"
    target = node.target
    match target:
        case n.TrackRef():
            amount = code.keep(value(code, node.by))
            to = checked(operator, value(code, target), amount, node.at)
            move_track(code, target.id, to, landing=False)
        case r.FieldOf():
            field = code.program.world.fields[target.owner, target.name]
            thing = code.keep(value(code, target.of))
            amount = code.keep(value(code, node.by))

            def move() -> None:
                to = checked(operator, load(field_cell(code, thing, field)), amount, node.at)
                if field.declaration.track is not None:
                    move_field_track(code, field, thing, to, landing=False)
                else:
                    _put_field(code, thing, field, to)

            code.when(
                thing if maybe_none(code, target.of) else ONE,
                move,
                lambda: code.fault(NONE_IN_ARITHMETIC, node.at),
            )
        case _:
            write(
                code,
                target,
                lambda type_: checked(operator, _number(code, target), value(code, node.by), node.at),
            )


def _number(code: Code, target: object) -> Expression:
    made = value(code, target)
    if plain(type_of(code, target)).tag in ("pool", "dice"):
        return call("pool_total", made)
    return made


@lowers_statement(s.Extend, s.Shrink)
def extend(code: Code, node: s.Extend | s.Shrink) -> None:
    code.uses_stack()

    def joined(type_: Type) -> Expression:
        function = joins(type_, more=isinstance(node, s.Extend))
        have = code.keep(value(code, node.target))
        return code.call(function, have, listed(code, node.items))

    write(code, node.target, joined)


@lowers_statement(s.Fill)
def fill(code: Code, node: s.Fill) -> None:
    code.uses_stack()
    code.do("fill", value(code, node.target), listed(code, node.items))


@lowers_statement(s.Give)
def give(code: Code, node: s.Give) -> None:
    code.give(given(code, node.value, code.scope.gives))


@lowers_statement(s.GoTo)
def go_to(code: Code, node: s.GoTo) -> None:
    target = code.keep(value(code, node.target))
    if maybe_none(code, node.target):
        code.fault_if(negate(target), LEADS_NOWHERE, node.at)
    leave_for(code, target)


def leave_for(code: Code, target: Expression) -> None:
    """Leaves everything for another page."""
    code.emit(set_cell(TARGET, target), set_cell(LEAVING, GOING), Branch(code.leave))


@lowers_statement(s.Requires)
def requires(code: Code, node: s.Requires) -> None:
    """Inside a rule or an effect a requirement ends it."""
    code.leave_if(negate(condition(code, node.condition)), code.exit)


# ------------------------------------------------------------------ branches
@lowers_statement(s.If)
def if_(code: Code, node: s.If) -> None:
    _branches(code, list(node.branches), node.otherwise)


def _branches(code: Code, branches: list[tuple[object, s.Body]], otherwise: s.Body) -> None:
    if not branches:
        block(code, otherwise)
        return
    test, body = branches[0]
    code.when(
        condition(code, test), lambda: block(code, body), lambda: _branches(code, branches[1:], otherwise)
    )


@lowers_statement(s.Branch)
def branch(code: Code, node: s.Branch) -> None:
    held = code.keep(value(code, node.of))
    type_ = type_of(code, node.of)
    with code.block("match") as out:
        for arm in sorted(node.arms, key=lambda arm: isinstance(arm.pattern, t.OtherwisePattern)):
            test = fits(code, arm.pattern, arm.when, held, type_)
            if test == ZERO:
                continue
            with code.if_(test):
                named = (
                    code.name.partition(":")[2].partition("/")[0]
                    if code.scope.verb == "value"
                    else code.scope.verb
                )
                count_row(code, named, arm.pattern, arm.at or node.at)
                _note_band(code, arm.pattern, held, type_)
                block(code, arm.body)
                code.go(out)
        # The result of a call may be left unanswered; a value that is matched must fit somewhere.
        if not isinstance(node.of, CALLS):
            code.fault(NOTHING_FITS, node.at)


def _note_band(code: Code, pattern: object, held: Expression, type_: Type) -> None:
    """Notes the range that a number lies in, where an action goes by it."""
    if not code.program.build.traced or code.scope.verb == "value" or not isinstance(pattern, t.RangePattern):
        return
    number = call("pool_total", held) if plain(type_).tag in ("pool", "dice") else held
    low = const(LOWEST) if pattern.low is None else value(code, pattern.low)
    high = const(HIGHEST) if pattern.high is None else value(code, pattern.high)
    note_row(code, BAND, number, low, high)


def fits(code: Code, pattern: object, when: object | None, held: Expression, type_: Type) -> Expression:
    """Whether a value fits the pattern of an arm or row."""
    questions: list[Callable[[], Expression]] = []
    match pattern:
        case t.RangePattern():
            number = call("pool_total", held) if plain(type_).tag in ("pool", "dice") else held
            number = code.keep(number)
            low, high = pattern.low, pattern.high
            if low is None:
                questions.append(lambda: unlike(number, none_of(Type("int"))))
            else:
                questions.append(lambda: value(code, low) <= number)
            if high is not None:
                questions.append(lambda: number <= value(code, high))
        case t.KindPattern():
            if pattern.kind in code.program.world.kinds:
                questions.append(lambda: of_kind(code, held, pattern.kind))
            else:
                questions.append(lambda: has_trait(code, held, pattern.kind))
        case t.ConditionPattern():
            questions.append(lambda: condition(code, pattern.condition))
        case t.ValuePattern():
            questions.append(lambda: _same_value(code, held, type_, pattern))
    if when is not None:
        questions.append(lambda: condition(code, when))
    return code.all_of(questions)


def _same_value(code: Code, held: Expression, type_: Type, pattern: t.ValuePattern) -> Expression:
    node = pattern.value
    if isinstance(node, n.SortRef) and plain(type_).tag == "thing":
        return equal(load(held, code.names["SORT"]), value(code, node))
    if plain(type_).tag in ("pool", "dice"):
        return equal(call("pool_total", held), value(code, node))
    wanted = value_as(code, node, type_)
    same = alike(code, held, wanted, type_, pattern.unordered)
    return equal(held, wanted) if same is None else same


# ------------------------------------------------------------------ loops
@lowers_statement(s.ForEach)
def for_each(code: Code, node: s.ForEach) -> None:
    if node.chosen_by is not None:
        from talewright.runtime.lower.decisions.decisions import chosen_loop

        chosen_loop(code, node)
        return
    outer = code.scope
    if node.pairs:
        _each_pair(code, node)
        code.scope = outer
        return
    things = code.keep(own_list(code, node.of))
    item = element_type(code, node.of)
    code.of_type(things, many(item))

    def one(member: Expression) -> None:
        code.scope = outer
        code.bind(node.local, code.hold(member), item, sure=True)
        _turn(code, node, member)

    with code.stoppable():
        each_of_list(code, things, one)
    code.scope = outer


def _turn(code: Code, node: s.ForEach, member: Expression) -> None:
    """One turn of a loop: the filter is asked again before it."""
    with code.block("next") as following:
        if isinstance(node.of, q.Filter):
            with code.bound(node.of.local, member, code.local_type(node.local)):
                test = condition(code, node.of.test)
            code.leave_if(negate(test), following)
        block(code, node.body)


def _each_pair(code: Code, node: s.ForEach) -> None:
    inner = plain(type_of(code, node.of))
    rows = code.keep(value(code, node.of))
    outer = code.scope
    if inner.tag == "map":
        first, second = inner.args
        count = code.keep(load(rows))
        with code.stoppable():
            index = code.hold(0)
            with code.loop() as (_, out):
                code.leave_if(count <= index, out)
                code.scope = outer
                _bind_pair(code, node, rows + index, first, second)
                code.assign(index, index + 2)
                block(code, node.body)
        return
    item = element_type(code, node.of)

    def one(pair: Expression) -> None:
        code.scope = outer
        first, second = item.args if item.tag == "two" else (Type("any"), Type("any"))
        _bind_pair(code, node, pair, first, second)
        block(code, node.body)

    with code.stoppable():
        each_of_list(code, rows, one)


def _bind_pair(code: Code, node: s.ForEach, at: Expression, first: object, second: object) -> None:
    """Gives the two names of a loop over pairs what stands in the next two cells."""
    code.bind(node.local, code.hold(load(at, 1)), first, sure=True)  # type: ignore[arg-type]
    if node.second is not None:
        code.bind(node.second, code.hold(load(at, 2)), second, sure=True)  # type: ignore[arg-type]


@lowers_statement(s.Repeat)
def repeat(code: Code, node: s.Repeat) -> None:
    left: Expression | None = None
    if node.times is not None:
        left = code.hold(value(code, node.times))
        if maybe_none(code, node.times):
            code.fault_if(equal(left, none_of(Type("int"))), NONE_IN_ARITHMETIC, node.at)

    with code.stoppable(), code.loop() as (_, out):
        if isinstance(left, Local):
            code.leave_if(left <= 0, out)
            code.assign(left, left - 1)
        if node.guard is not None:
            code.leave_if(negate(condition(code, node.guard)), out)
        block(code, node.body)


@lowers_statement(s.Together)
def together(code: Code, node: s.Together) -> None:
    """One moment: state rules are looked at when it is over."""
    code.set(HELD, cell(HELD) + 1)
    with code.block("held") as out, code.leaving_to(out):
        block(code, node.body)
    code.set(HELD, cell(HELD) - 1)
    code.leave_if_leaving()
    look(code)


@lowers_statement(s.Possible)
def possible(code: Code, node: s.Possible) -> None:
    if node.mode == "all":
        for member in node.members:
            code.when(possible_block(code, (member,)), partial(statement, code, member))
        return
    with code.block("first") as out:
        for member in node.members:
            test = possible_block(code, (member,))
            if test != ZERO:
                with code.if_(test):
                    block(code, (member,))
                    code.go(out)
