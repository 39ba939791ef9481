"""Choices: what cannot be chosen because what would be done with it is not possible, and why."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from talewright.runtime.lower.code import Code, local_types
from talewright.runtime.lower.decisions.menus import conjuncts
from talewright.runtime.lower.dispatch import element_type, listed
from talewright.runtime.observe.evaluator import Evaluator
from talewright.runtime.observe.possibility import Refusal, call_refusals
from talewright.runtime.observe.question import scope_of_question
from talewright.runtime.observe.values import Value
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.queries import Filter, Question
from talewright.schemas.nodes.statements import Call, Choose
from talewright.schemas.nodes.types import Local, Type
from talewright.schemas.records import record, replace


@record(frozen=True)
class LeftOut:
    """Something that is not among the options, the action that could not be done with it, and what stands in the way."""

    value: Value
    action: ActionDeclaration
    arguments: tuple[Value, ...]
    refusals: tuple[Refusal, ...]


def left_out(ev: Evaluator, asks: Choose, locals_: Sequence[Local]) -> list[LeftOut]:
    """What a `choose ... where possible(...)` leaves out that a game stands at, in code with these locals."""
    asked = scope_of_question(ev)
    scope = replace(asked, types={**local_types(locals_), **asked.types})
    source = asks.source
    found: list[LeftOut] = []
    if not isinstance(source, Filter):
        return found
    with ev.memory.supposing():
        block, type_ = ev.ask("members", source, scope, partial(_members, source))
        for member in ev.words.items(block):
            inner = scope.bind(source.local, member)
            failed = next((test for test in conjuncts(source.test) if not ev.condition(test, inner)), None)
            if (
                isinstance(failed, Question)
                and failed.question == "possible"
                and isinstance(failed.call, Call)
            ):
                action = ev.program.actions.get(failed.call.action)
                given, why = ((), ()) if action is None else call_refusals(ev, failed.call, inner)
                if action is not None and why:
                    found.append(LeftOut(ev.read(member, type_), action, given, why))
    return found


def _members(source: Filter, code: Code) -> Type:
    code.give(listed(code, source.of))
    return element_type(code, source.of)
