"""Choices: what cannot be chosen because what would be done with it is not possible, and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from talewright.runtime.lower.code import local_types
from talewright.runtime.lower.decisions.menus import conjuncts
from talewright.runtime.observe.evaluation.evaluator import Evaluator, Scope
from talewright.runtime.observe.evaluation.values import Value
from talewright.runtime.observe.possibility import Refusal, arguments_of, refusals
from talewright.runtime.observe.question import scope_of_question
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.queries import Filter, Question
from talewright.schemas.nodes.statements import Call, Choose
from talewright.schemas.nodes.types import Local
from talewright.schemas.records import record, replace


@record(frozen=True)
class LeftOut:
    """Something that is not among the options, the action that could not be done with it, and what stands in the way."""

    value: Value
    action: ActionDeclaration
    arguments: tuple[Value, ...]
    refusals: tuple[Refusal, ...]


def left_out(ev: Evaluator, asks: Choose, locals_: Sequence[Local]) -> Iterator[LeftOut]:
    """What a `choose ... where possible(...)` leaves out that a game stands at, in code with these locals."""
    asked = scope_of_question(ev)
    scope = replace(asked, types={**local_types(locals_), **asked.types})
    source = asks.source
    if not isinstance(source, Filter):
        return
    for member in ev.items(source.of, scope):
        inner = scope.bind(source.local, member)
        for test in conjuncts(source.test):
            if ev.condition(test, inner):
                continue
            if isinstance(test, Question) and test.question == "possible" and isinstance(test.call, Call):
                yield from _refused(ev, test.call, member, inner)
            break


def _refused(ev: Evaluator, call: Call, member: Value, scope: Scope) -> Iterator[LeftOut]:
    action = ev.program.actions.get(call.action)
    if action is None:
        return
    given = arguments_of(ev, call, action, scope)
    found = tuple(refusals(ev, action, given))
    if found:
        yield LeftOut(member, action, given, found)
