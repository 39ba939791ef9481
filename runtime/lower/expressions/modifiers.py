"""Values and fields that rules modify."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ZERO, call, checked, negate
from talewright.runtime.ir.build import less as less_than
from talewright.runtime.ir.header import LEFT_OUT
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.builds.counters import count_rule
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.dispatch import (
    Member,
    block,
    can_loop,
    each,
    given,
    loops_without_list,
    lowers_value,
    value,
    value_as,
)
from talewright.runtime.lower.expressions.remembered import is_remembered, remember
from talewright.runtime.lower.expressions.values import stored
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import NO_PARTS, Parts, applies, each_bearer, rule_scope
from talewright.runtime.lower.statements.endings import finish_value
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.types import is_list, joins, may_be_none, none_of
from talewright.runtime.model.world import Field, RuleEntry
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes.declared import ValueDeclaration
from talewright.schemas.nodes.names import LocalRef, ValueCall
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.reads import BaseValue, FieldOf
from talewright.schemas.nodes.rules import ModifyRule
from talewright.schemas.nodes.types import ANY, Type


@lowers_value(ValueCall)
def value_call(code: Code, node: ValueCall) -> Expression:
    return call_value(code, node, f"value:{node.id}")


def call_value(code: Code, node: ValueCall, name: str) -> Expression:
    """The call of a declared value, with its modifiers or without."""
    declared = code.program.values.get(node.id)
    if declared is None:
        code.fault(LEFT_OUT)
        return ZERO
    types = parameter_types(declared)
    arguments = [value_as(code, argument, type_) for argument, type_ in zip(node.args, types, strict=True)]
    need_value(code.program, declared)
    return code.result(declared.type, name, *arguments)


# The definition of a value stands in place of a call if it has at most so many nodes.
MOST_NODES = 40


@loops_without_list(ValueCall)
def each_of_value(code: Code, node: ValueCall, body: Member) -> bool:
    """Runs a body for every member of a value without making the list, if its definition is short and nothing modifies it."""
    program = code.program
    declared = program.values.get(node.id)
    if declared is None or node.id in code.opened or not _is_short_loop(program, declared):
        return False
    types = parameter_types(declared)
    arguments = [
        code.keep(value_as(code, argument, type_)) for argument, type_ in zip(node.args, types, strict=True)
    ]
    outer, spot = code.scope, code.spot
    inner = value_scope(program, declared)
    inner = inner.with_locals(dict(zip(declared.params, arguments, strict=True)))

    def one(member: Expression) -> None:
        with code.in_scope(outer):
            body(member)

    code.opened.append(node.id)
    code.spot = declared.at
    with code.in_scope(inner):
        each(code, declared.value, one)
    code.opened.pop()
    code.spot = spot
    return True


def _is_short_loop(program: Program, declared: ValueDeclaration) -> bool:
    return (
        is_list(declared.type)
        and can_loop(declared.value)
        and not declared.guards
        and not program.modifiers.get(declared.id)
        and sum(1 for _ in walk(declared)) <= MOST_NODES
    )


def parameter_types(declared: ValueDeclaration) -> list[Type]:
    """The types of the parameters of a value."""
    types = local_types(declared.locals)
    return [types[number] for number in declared.params]


def need_value(program: Program, declared: ValueDeclaration) -> None:
    """Sees to it that the functions of a value are written."""
    made = f"value:{declared.id}"
    if is_remembered(program, declared):
        made = f"computed:{declared.id}"
        _function(program, f"value:{declared.id}", declared, partial(remember, declared, made))
    if program.modifiers.get(declared.id):
        _function(program, f"base:{declared.id}", declared, partial(_define, declared))
        _function(program, made, declared, partial(_modify, declared))
    else:
        _function(program, made, declared, partial(_define, declared))


def _function(
    program: Program, name: str, declared: ValueDeclaration, write: Callable[[Code], Function | None]
) -> None:
    def begun(code: Code) -> Function | None:
        code.spot = declared.at
        return write(code)

    program.function(name, len(declared.params), begun, scope=value_scope(program, declared))


def value_scope(program: Program, declared: ValueDeclaration) -> Scope:
    """What the names of a value mean."""
    types = local_types(declared.locals)
    locals_: dict[int, Expression] = {number: Local(i) for i, number in enumerate(declared.params)}
    me: Expression = program.thing(declared.chapter) if declared.chapter else ZERO
    return Scope(
        locals_, types=types, me=me, gives=declared.type, verb="value", chapter=declared.chapter or ""
    )


def _define(declared: ValueDeclaration, code: Code) -> Function:
    code.giving()
    if declared.value is not None:
        code.give(given(code, declared.value, declared.type))
    else:
        block(code, declared.body)
    return finish_value(code, declared.type)


def _modify(declared: ValueDeclaration, code: Code) -> Function:
    arguments = [Local(i) for i in range(len(declared.params))]
    types = parameter_types(declared)
    return _folded(
        code, declared.id, declared.type, arguments, types, lambda: call(f"base:{declared.id}", *arguments)
    )


def _folded(
    code: Code,
    what: str,
    type_: Type,
    arguments: Sequence[Expression],
    types: list[Type],
    base: Callable[[], Expression],
    borrower: Expression | None = None,
) -> Function:
    """The function that was begun, which gives something with its modifiers."""
    code.giving()
    code.give(fold(code, code.program.modifiers[what], type_, list(arguments), types, base, borrower))
    return finish_value(code, type_)


def fold(
    code: Code,
    entries: list[RuleEntry],
    type_: Type,
    arguments: list[Expression],
    types: list[Type],
    base: Callable[[], Expression],
    borrower: Expression | None = None,
) -> Expression:
    """What a value reads as: the last `=`, then sets, sums and bounds.

    A modifier of a field that is lent counts once, if it is about the borrower or about the lender.
    """
    made = code.fresh()
    whose = [[borrower], arguments] if borrower is not None else [arguments]
    in_order = [(_change(entry), entry) for entry in entries]

    def change(kind: str, entry: RuleEntry, amount: Expression) -> None:
        if kind in ("with", "without") or (kind in ("+", "-") and is_list(type_)):
            code.assign(made, code.pushed(joins(type_, more=kind in ("with", "+")), made, amount))
        elif kind in ("+", "-"):
            at = entry.rule.at  # type: ignore[union-attr]
            code.assign(made, checked("add" if kind == "+" else "sub", made, amount, at))
        else:
            held = code.keep(amount)
            with code.if_(less_than(made, held) if kind == "at least" else less_than(held, made)):
                code.assign(made, held)

    with code.block("set") as done:

        def settle(amount: Expression) -> None:
            code.assign(made, amount)
            code.go(done)

        for kind, entry in reversed(in_order):
            if kind == "=":
                _each_amount(code, entry, whose, types, type_, settle)
        code.assign(made, base())
    for kinds in (("with",), ("without",), ("+", "-"), ("at least", "at most")):
        for kind, entry in in_order:
            if kind in kinds:
                _each_amount(code, entry, whose, types, type_, partial(change, kind, entry))
    return made


def _change(entry: RuleEntry) -> str:
    assert isinstance(entry.rule, ModifyRule)
    return entry.rule.change


def _each_amount(
    code: Code,
    entry: RuleEntry,
    whose: list[list[Expression]],
    types: list[Type],
    type_: Type,
    use: Callable[[Expression], None],
) -> None:
    """The amount of a modifier for every bearer for which it is in force and applies to the first that it can apply to."""
    rule = entry.rule
    assert isinstance(rule, ModifyRule)

    def about(index: int, me: Expression) -> None:
        if index == len(whose):
            return
        arguments = whose[index]
        parts = NO_PARTS
        if rule.of is not None:
            parts = Parts({rule.of.parameter: arguments[0]}, {rule.of.parameter: types[0]})
        scope = rule_scope(code, entry, me, parts, "value")
        named = {
            number: (argument, type_)
            for number, argument, type_ in zip(rule.params, arguments, types, strict=False)
            if number is not None
        }
        scope = scope.with_locals({number: argument for number, (argument, _) in named.items()})
        known = {number for number, (_, type_) in named.items() if not may_be_none(type_)}
        with code.in_scope(scope.with_types({n: t for n, (_, t) in named.items()}, known)):

            def apply() -> None:
                count_rule(code, entry, me)
                use(given(code, rule.amount, type_))

            code.when(code.all_of(applies(code, entry, parts)), apply, partial(about, index + 1, me))

    each_bearer(code, entry, partial(about, 0))


# ------------------------------------------------------------------ fields
def modified_field(
    code: Code, field: Field, thing: Expression, borrower: Expression | None = None
) -> Expression:
    """A field with its modifiers; one that is lent also with those about the borrower."""
    lent = () if borrower is None else (borrower,)
    name = f"{'lent' if lent else 'field'}:{field.first}"
    name = code.program.function(name, 1 + len(lent), partial(_modify_field, field))
    return code.result(field.type, name, thing, *lent)


def _modify_field(field: Field, code: Code) -> Function:
    """The function of a thing, and of the borrower if the field is lent."""
    code.give_if(negate(Local(0)), none_of(field.type))
    return _folded(
        code,
        field.first,
        field.type,
        [Local(0)],
        [Type("thing", field.owner)],
        lambda: stored(code, Local(0), field, maybe=True),
        Local(1) if code.parameters > 1 else None,
    )


PLAIN_FUNCTIONS: dict[str, Callable[[Code, tuple[object, ...]], Expression]] = {}
"""Functions of the core without their modifiers; `space` enters them."""


def modified_function(code: Code, function: str, args: tuple[object, ...]) -> Expression:
    """The call of a function of the core that rules modify."""
    name = need_function(code.program, function, len(args))
    type_ = type_of(code, CoreFunctionCall(function, args))  # type: ignore[arg-type]
    return code.result(type_, name, *(code.keep(value(code, argument)) for argument in args))


def need_function(program: Program, function: str, count: int) -> str:
    """Sees to it that a function of the core is written with its modifiers; gives its name."""
    name = f"core:{function}:{count}"
    locals_: dict[int, Expression] = {number: Local(number) for number in range(count)}
    scope = Scope(locals_, verb="value")
    return program.function(name, count, partial(_modify_function, function), scope=scope)


def _modify_function(function: str, code: Code) -> Function:
    arguments = tuple(LocalRef(number) for number in code.scope.locals)
    type_ = type_of(code, CoreFunctionCall(function, arguments))
    return _folded(
        code,
        f"core:{function}",
        type_,
        list(code.scope.locals.values()),
        [ANY] * len(arguments),
        lambda: PLAIN_FUNCTIONS[function](code, arguments),
    )


@lowers_value(BaseValue)
def base_value(code: Code, node: BaseValue) -> Expression:
    """A value or field without its modifiers."""
    inner = node.of
    match inner:
        case ValueCall():
            modified = bool(code.program.modifiers.get(inner.id))
            return call_value(code, inner, f"base:{inner.id}" if modified else f"value:{inner.id}")
        case FieldOf():
            field = code.program.world.fields[inner.owner, inner.name]
            return stored(code, code.keep(value(code, inner.of)), field, maybe=True)
        case CoreFunctionCall():
            return PLAIN_FUNCTIONS[inner.function](code, inner.args)
    raise LoadError("`base` asks for a value or a field")
