"""Whether something is in a set: asked of the one thing where the set is told by conditions, so that no set is built."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.ir.build import both, call, equal, load, truth
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import (
    condition,
    each_of_list,
    element_type,
    listed,
    lowers_value,
    value,
    value_as,
)
from talewright.runtime.lower.expressions.modifiers import parameter_types, value_scope
from talewright.runtime.lower.expressions.texts import same_text
from talewright.runtime.lower.expressions.values import of_kind, same_trait
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.typing import maybe_none, type_of
from talewright.runtime.model.types import item_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes.declared import ValueDeclaration


@lowers_value(o.Member)
def member(code: Code, node: o.Member) -> Expression:
    item = code.keep(value_as(code, node.item, type_of(code, node.item)))
    if isinstance(node.of, n.ThingsOfKind):
        return of_kind(code, item, node.of.id)
    match plain(type_of(code, node.item)).tag:
        case "thing":
            return _holds(code, node.of, item)
        case "text":
            return _includes_like(code, node.of, item, same_text)
        case "trait":
            return _includes_like(code, node.of, item, same_trait)
    return _included(code, node.of, item)


def _holds(code: Code, node: object, thing: Expression) -> Expression:
    """Whether a thing, or none, is in a set of things. Conditions are asked of this thing alone."""
    match node:
        case n.ThingsOfKind() if not code.program.world.pools_of(node.id):
            return of_kind(code, thing, node.id)
        case r.PileItems():
            where = code.keep(value(code, node.of))
            inside = equal(load(thing, code.names["WHERE"]), where)
            return both(where, inside) if maybe_none(code, node.of) else inside
        case q.Filter() if plain(element_type(code, node.of)).tag == "thing":
            return code.all_of([lambda: _holds(code, node.of, thing), lambda: _passes(code, node, thing)])
        case n.ValueCall():
            declared = code.program.values.get(node.id)
            if declared is not None and _told_by_conditions(code.program, declared):
                return _asked(code, node, declared, thing)
    return _included(code, node, thing)


def _passes(code: Code, node: q.Filter, thing: Expression) -> Expression:
    with code.bound(node.local, thing, element_type(code, node.of)):
        return condition(code, node.test)


def _told_by_conditions(program: Program, declared: ValueDeclaration) -> bool:
    """Whether a value is the things that pass a test, and nothing modifies it."""
    return (
        isinstance(declared.value, q.Filter)
        and plain(item_of(declared.type)).tag == "thing"
        and not declared.guards
        and not program.modifiers.get(declared.id)
    )


def _asked(code: Code, node: n.ValueCall, declared: ValueDeclaration, thing: Expression) -> Expression:
    types = parameter_types(declared)
    arguments = [value_as(code, argument, type_) for argument, type_ in zip(node.args, types, strict=True)]
    name = f"member:{declared.id}"
    code.program.function(
        name, len(types) + 1, partial(_member, declared), scope=value_scope(code.program, declared)
    )
    return code.hold(call(name, *arguments, thing))


def _member(declared: ValueDeclaration, code: Code) -> None:
    """member:VALUE(arguments, thing): whether the thing is in the value with these arguments."""
    code.spot = declared.at
    code.give(_holds(code, declared.value, Local(len(declared.params))))


def _included(code: Code, node: object, item: Expression) -> Expression:
    """Whether a set or list, built for this question, has an item."""
    return truth(code.pushed("includes_item", listed(code, node), item))


def _includes_like(
    code: Code, items: object, wanted: Expression, same: Callable[[Code, Expression, Expression], Expression]
) -> Expression:
    """Whether one of some traits or texts is the same as another."""
    code.uses_stack()
    found = code.hold(0)

    def one(item: Expression) -> None:
        code.when(same(code, item, wanted), lambda: code.assign(found, 1))

    each_of_list(code, listed(code, items), one)
    return found
