"""Values and fields, with the rules that modify them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.lower.code import local_types
from talewright.runtime.model.types import is_list, is_plain_list
from talewright.runtime.model.world import Field, RuleEntry
from talewright.runtime.observe.evaluation.bearers import bearers, fits, holds, rule_scope
from talewright.runtime.observe.evaluation.evaluator import (
    NOT_THERE,
    NOTHING_THERE,
    Evaluator,
    Scope,
    Unanswerable,
    as_items,
    calculated,
    evaluates,
    minus,
    union,
)
from talewright.runtime.observe.evaluation.values import Value
from talewright.schemas.nodes.declared import ValueDeclaration
from talewright.schemas.nodes.names import ValueCall
from talewright.schemas.nodes.queries import CoreFunctionCall
from talewright.schemas.nodes.reads import BaseValue, FieldOf
from talewright.schemas.nodes.rules import ModifyRule
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record

BOUNDS = ("at least", "at most")


@record(frozen=True)
class Change:
    """What one modifier does now: its sign, its amount, whether its condition holds, and whose it is (0: nobody's)."""

    entry: RuleEntry
    amount: Value
    counts: bool
    bearer: int

    @property
    def sign(self) -> str:
        """`=`, `+`, `-`, `at least`, `at most`, `with` or `without`."""
        assert isinstance(self.entry.rule, ModifyRule)
        return self.entry.rule.change

    @property
    def at(self) -> int:
        """Where it stands."""
        assert isinstance(self.entry.rule, ModifyRule)
        return self.entry.rule.at


@evaluates(ValueCall)
def value_call(ev: Evaluator, node: ValueCall, scope: Scope) -> Value:
    declared = ev.program.values.get(node.id)
    if declared is None:
        raise EngineFault(NOT_THERE)
    return declared_value(ev, declared, call_arguments(ev, node, declared, scope))


def call_arguments(ev: Evaluator, node: ValueCall, declared: ValueDeclaration, scope: Scope) -> list[Value]:
    """What a value is called with."""
    types = local_types(declared.locals)
    wanted = [types[number] for number in declared.params]
    return [ev.value_as(argument, type_, scope) for argument, type_ in zip(node.args, wanted, strict=True)]


def declared_value(ev: Evaluator, declared: ValueDeclaration, arguments: Sequence[Value]) -> Value:
    """A declared value with its modifiers."""
    entries = ev.program.modifiers.get(declared.id, [])
    return fold(ev, entries, declared.type, arguments, lambda: bare_value(ev, declared, arguments))


def bare_value(ev: Evaluator, declared: ValueDeclaration, arguments: Sequence[Value]) -> Value:
    """A declared value without its modifiers."""
    me = ev.program.thing(declared.chapter).value if declared.chapter else None
    locals_ = dict(zip(declared.params, arguments, strict=True))
    scope = Scope(locals_, local_types(declared.locals), me)
    if declared.value is not None:
        return ev.value_as(declared.value, declared.type, scope)
    return BODIES[0](ev, declared.body, scope, declared.type)


BODIES: list[Callable[..., Value]] = []
"""What a block of statements gives; `bodies` enters it."""


def field_value(ev: Evaluator, thing: int, field: Field, borrower: int = 0) -> Value:
    """A field with its modifiers; one that is lent also with those about the borrower."""
    entries = ev.program.modifiers.get(field.first, [])
    if not entries or not thing:
        return ev.stored(thing, field)
    return fold(ev, entries, field.type, [thing], lambda: ev.stored(thing, field), borrower)


@evaluates(BaseValue)
def base_value(ev: Evaluator, node: BaseValue, scope: Scope) -> Value:
    inner = node.of
    match inner:
        case ValueCall():
            declared = ev.program.values[inner.id]
            return bare_value(ev, declared, call_arguments(ev, inner, declared, scope))
        case FieldOf():
            return ev.stored(ev.thing(inner.of, scope), ev.program.world.fields[inner.owner, inner.name])
        case CoreFunctionCall():
            return PLAIN_FUNCTIONS[inner.function](ev, inner.args, scope)
    raise Unanswerable("`base` asks for a value or a field")


PLAIN_FUNCTIONS: dict[str, Callable[..., Value]] = {}
"""Functions of the core without their modifiers; `places` enters them."""


def changes(
    ev: Evaluator, entry: RuleEntry, type_: Type, arguments: Sequence[Value], borrower: int = 0
) -> Iterator[Change]:
    """What a modifier does for everybody for whom it is in force and whose pattern fits.

    A modifier of a field that is lent counts once, if it is about the borrower or about the lender.
    """
    rule = entry.rule
    assert isinstance(rule, ModifyRule)
    for bearer in bearers(ev, entry):
        found: Change | None = None
        for about in ([borrower], arguments) if borrower else (arguments,):
            parts = {} if rule.of is None else {rule.of.parameter: about[0]}
            named = {
                number: argument
                for number, argument in zip(rule.params, about, strict=False)
                if number is not None
            }
            scope = rule_scope(ev, entry, bearer, parts).bind_all(named)
            if not fits(ev, entry, scope, parts):
                continue
            if holds(ev, entry, scope):
                amount = (
                    ev.items(rule.amount, scope) if is_list(type_) else ev.value_as(rule.amount, type_, scope)
                )
                found = Change(entry, amount, True, bearer.thing)
                break
            found = Change(entry, None, False, bearer.thing)
        if found is not None:
            yield found


def fold(
    ev: Evaluator,
    entries: Sequence[RuleEntry],
    type_: Type,
    arguments: Sequence[Value],
    base: Callable[[], Value],
    borrower: int = 0,
) -> Value:
    """What a value reads as: the last `=`, then sets, sums and bounds."""

    def counting(order: Iterable[RuleEntry], *signs: str) -> Iterator[Change]:
        for entry in order:
            assert isinstance(entry.rule, ModifyRule)
            if entry.rule.change in signs:
                found = changes(ev, entry, type_, arguments, borrower)
                yield from (change for change in found if change.counts)

    setting = next(counting(reversed(entries), "="), None)
    made = base() if setting is None else setting.amount
    for sign in ("with", "without"):
        for change in counting(entries, sign):
            made = joined(sign, made, change.amount, type_)
    for change in counting(entries, "+", "-"):
        made = joined(change.sign, made, change.amount, type_) if is_list(type_) else shifted(made, change)
    for change in counting(entries, *BOUNDS):
        made = bounded(made, change)
    return made


def joined(sign: str, made: Value, amount: Value, type_: Type) -> Value:
    """A set or list with more, or less."""
    join = union if sign in ("with", "+") else minus
    return join(as_items(made), as_items(amount), is_plain_list(type_))


def shifted(made: Value, change: Change) -> Value:
    """A number with something added or taken away."""
    amount = change.amount
    if not isinstance(made, int) or not isinstance(amount, int):
        raise EngineFault(NOTHING_THERE)
    return calculated(int.__add__ if change.sign == "+" else int.__sub__, made, amount)


def bounded(made: Value, change: Change) -> Value:
    """A number that is at least or at most something; none is less than every number."""
    lowest = -(2**31)
    have = made if isinstance(made, int) else lowest
    bound = change.amount if isinstance(change.amount, int) else lowest
    if change.sign == "at least":
        return change.amount if have < bound else made
    return change.amount if bound < have else made
