"""What stands in the way of a call: what it says, where it stands, and whose rule it is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from talewright.runtime.ir.build import ZERO, const, load
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import Member, gather, value
from talewright.runtime.lower.rules.rules import each_applying, parts_of
from talewright.runtime.lower.statements.actions import (
    NEEDED,
    action_scope,
    arguments_of,
    ask_head,
    head_of,
    rules_of,
)
from talewright.runtime.model.types import TEXT, many, may_be_none, none_of
from talewright.runtime.model.world import plain
from talewright.runtime.observe.evaluator import Cells, Evaluator, Scope
from talewright.runtime.observe.values import Value
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import AnyOf, Anything
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.rules import ForbidRule
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record, replace
from talewright.schemas.wording import spaced


@record(frozen=True)
class Refusal:
    """One obstacle: what it says, where it stands, and whose rule it is (0: nobody's)."""

    reason: str
    at: int
    bearer: int = 0
    by: s.Requires | ForbidRule | None = None
    """The requirement that is not met, or the rule that forbids it."""
    missing: int | None = None
    """Of the parts of the action, the one that there is nothing for."""


def refusals(ev: Evaluator, action: ActionDeclaration, arguments: Sequence[Value]) -> tuple[Refusal, ...]:
    """What stands in the way of a call: a part that is missing, every rule that forbids it, the first requirement it fails."""
    with ev.memory.supposing():
        return refused(
            ev, action, [ev.cell(made, p.type) for p, made in zip(action.params, arguments, strict=True)]
        )


def refused(ev: Evaluator, action: ActionDeclaration, arguments: Cells) -> tuple[Refusal, ...]:
    """The same of a call whose arguments are cells."""
    for index, (parameter, argument) in enumerate(zip(action.params, arguments, strict=True)):
        needed = not may_be_none(parameter.type) and plain(parameter.type).tag in NEEDED
        if needed and argument == none_of(parameter.type):
            reason = f"there is no {_kind_words(parameter.type, parameter.name)} for it"
            return (Refusal(reason, action.at, missing=index),)
    with ev.memory.supposing():
        found, _ = ev.ask_of("refusals", action, arguments, partial(_obstacles, action))
        return tuple(_read(ev, action, *ev.words.items(row)) for row in ev.words.items(found))


def _read(ev: Evaluator, action: ActionDeclaration, rule: int, bearer: int, reason: int) -> Refusal:
    """One obstacle: a rule that forbids the call or, below zero, a statement of its head."""
    by = ev.program.world.rules[rule].rule if rule >= 0 else head_of(action)[-1 - rule]
    if isinstance(by, s.Choose):
        return Refusal("there is nothing to choose from", by.at)
    assert isinstance(by, ForbidRule | s.Requires)
    return Refusal(ev.text(reason), by.at, bearer, by)


def _obstacles(action: ActionDeclaration, code: Code) -> Type:
    """A list of rows: what refuses the call, who bears it, and its reason."""
    parameters: list[Expression] = [Local(index) for index in range(len(action.params))]
    parts = parts_of(action, parameters)

    def fill(push: Member) -> None:
        for entry in rules_of(code.program, "forbid", action.id):
            assert isinstance(entry.rule, ForbidRule)
            told = partial(_push, code, push, entry.number, entry.rule.reason)
            each_applying(code, entry, parts, action.verb, told)

    forbidden = code.hold(gather(code, fill, TEXT))
    code.when(load(forbidden), lambda: code.give(forbidden))
    head = head_of(action)

    def fails(node: s.Statement) -> None:
        number = -1 - next(index for index, one in enumerate(head) if one is node)
        reason = node.reason if isinstance(node, s.Requires) else None
        _push(code, lambda row: code.give(code.new_list(row)), number, reason, ZERO)

    with code.in_scope(action_scope(code.program, action)):
        ask_head(code, head, fails)
    return many(TEXT)


def _push(code: Code, push: Member, number: int, reason: Text | None, bearer: Expression) -> None:
    told = ZERO if reason is None else value(code, reason)
    push(code.new_list(const(number), bearer, told))


def _kind_words(type_: Type, name: str) -> str:
    """What a part of a call is, as people say it."""
    inner = plain(type_)
    if inner.tag == "thing":
        return spaced(inner.name)
    return name.replace("_", " ")


# ------------------------------------------------------------------ calls
def call_refusals(ev: Evaluator, call: s.Call, scope: Scope) -> tuple[tuple[Value, ...], tuple[Refusal, ...]]:
    """What a call that stands in the text would be given now, and what stands in its way; parts that are open are none."""
    action = ev.program.actions[call.action]
    with ev.memory.supposing():
        block, _ = ev.ask("arguments", call, scope, partial(_arguments, call, action))
        cells = ev.words.items(block)
        given = tuple(ev.read(cell, p.type) for cell, p in zip(cells, action.params, strict=True))
        return given, refused(ev, action, cells)


def _arguments(call: s.Call, action: ActionDeclaration, code: Code) -> Type:
    code.give(code.new_list(*arguments_of(code, closed(call), action)))
    return many(TEXT)


def closed(call: s.Call) -> s.Call:
    """A call with nothing in its open parts."""
    return replace(
        call, args=tuple(None if isinstance(given, Anything | AnyOf) else given for given in call.args)
    )
