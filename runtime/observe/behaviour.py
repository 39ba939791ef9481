"""Effects and conditions that fields hold or that were handed over: their text, and whether it would do anything."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from talewright.runtime.ir.build import ZERO, const, negate
from talewright.runtime.ir.nodes import Expression
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.decisions.possible import possible
from talewright.runtime.lower.dispatch import condition, statement
from talewright.runtime.lower.expressions.collections import some
from talewright.runtime.lower.statements.actions import (
    action_scope,
    arguments_of,
    does_something,
    rules_of,
)
from talewright.runtime.model.types import none_of
from talewright.runtime.observe.evaluator import Evaluator, Scope
from talewright.runtime.observe.values import Behaviour, Value
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import AnyOf, Anything, EffectBlock
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.things import Code as CodeNode
from talewright.schemas.records import record

# Where the parts of a block stand that was handed over.
FIRST, SECOND, CAPTURED = 2, 3, 4
# So many calls deep it is looked whether anything would be done.
MOST_CALLS = 3


@record(frozen=True)
class Text:
    """The text of some behaviour, and what its names mean."""

    scope: Scope
    body: Sequence[s.Statement] = ()
    params: Sequence[int] = ()

    def given(self, arguments: Sequence[int]) -> Scope:
        """The scope with what the behaviour is given."""
        scope = self.scope
        for number, argument in zip(self.params, arguments, strict=False):
            scope = scope.bind(number, argument)
        return scope


def text_of(ev: Evaluator, held: Value) -> Text | None:
    """The text of the behaviour that a value is; none where there is none."""
    if not isinstance(held, Behaviour):
        return None
    if not held.handed_over:
        return _own(ev, held.slot, held.whose)
    name = ev.program.table[held.slot].function
    if name.startswith("borne"):
        return _own(ev, ev.memory[held.whose + FIRST], ev.memory[held.whose + SECOND])
    if name == "given condition":
        return Text(Scope())
    passage = ev.program.passages[held.slot]
    assert isinstance(passage.node, EffectBlock)
    scope = Scope(
        ev.captured(passage, held.whose + CAPTURED),
        passage.types,
        ev.memory[held.whose + FIRST],
        passage.owner,
        ev.memory[held.whose + SECOND],
    )
    return Text(scope, passage.node.body, passage.node.params or ())


def _own(ev: Evaluator, slot: int, thing: int) -> Text:
    passage = ev.program.passages[slot]
    node = passage.node
    assert isinstance(node, CodeNode)
    return Text(Scope({}, passage.types, thing, passage.owner), node.body, node.params)


# ------------------------------------------------------------------ doing anything
def does_anything(ev: Evaluator, held: Value, arguments: Sequence[int]) -> bool:
    """Whether any statement of an effect would do something, each by itself; what is said aloud does nothing.

    Looks inside the actions it calls, as far as no rule looks at them.
    """
    text = text_of(ev, held)
    if text is None:
        return True
    scope = text.given(arguments)
    with ev.memory.supposing():
        return ev.holds("does", text.body, scope, lambda code: _does_anything(code, text.body, 0))


def _does_anything(code: Code, body: Sequence[s.Statement], depth: int) -> Expression:
    outer = code.scope
    with code.search("does") as (found, leave):
        for node in body:
            match node:
                case s.Let() if not does_something(node.value):
                    statement(code, node)
                case s.Requires():
                    code.when(negate(condition(code, node.condition)), partial(leave, ZERO))
                case s.DoNothing() | s.CoreCall(verb="say"):
                    pass
                case s.Choose():
                    code.when(some(code, node.source), leave)
                    code.bind(node.local, const(none_of(code.local_type(node.local))))
                case s.Call():
                    code.when(_call_does_anything(code, node, depth), leave)
                case _:
                    code.when(possible(code, node), leave)
    code.scope = outer
    return found


def _call_does_anything(code: Code, node: s.Call, depth: int) -> Expression:
    """Whether a call is possible, and would do something."""
    program = code.program
    action = program.actions.get(node.action)
    if action is None:
        return ZERO
    hooked = any(rules_of(program, timing, action.id) for timing in ("before", "after", "instead_of"))
    left_open = any(isinstance(argument, Anything | AnyOf) for argument in node.args)
    if hooked or left_open or depth == MOST_CALLS:
        return possible(code, node)
    return code.choose(
        possible(code, node), partial(_action_does_anything, code, node, action, depth + 1), lambda: ZERO
    )


def _action_does_anything(code: Code, node: s.Call, action: ActionDeclaration, depth: int) -> Expression:
    arguments = arguments_of(code, node, action)
    scope = action_scope(code.program, action)
    given = {p.local: made for p, made in zip(action.params, arguments, strict=True)}
    with code.in_scope(scope.with_locals(given)):
        return _does_anything(code, action.body, depth)
