"""What is written down while a game is played, where somebody wants to know: what became of calls, which rules ran.

Tests ask for it afterwards: `done`, `refused`, `replaced`, `rolled`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ONE, ZERO, add, call, const, equal, load, negate, store, truth
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.kernel.notes import ROW, RULE
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import value, value_as
from talewright.runtime.lower.values import has_trait, of_kind
from talewright.runtime.model.types import is_list
from talewright.runtime.model.world import RuleEntry, plain
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes.arguments import AnyOf, Anything, EffectBlock
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.statements import Call, CoreCall
from talewright.schemas.nodes.types import Type

# What becomes of a call.
OUTCOMES = ("done", "refused", "replaced", "thwarted", "called")


def note_outcome(code: Code, outcome: str, action: ActionDeclaration) -> None:
    """Notes what became of a call of a declared action, whose parameters are the first locals."""
    if not code.program.build.traced:
        return
    number = const(code.program.action_number(action.id))
    row = code.call("note_call", const(OUTCOMES.index(outcome)), number, const(len(action.params)))
    for index, parameter in enumerate(action.params):
        code.emit(store(row, ROW + index, _kept(Local(index), parameter.type)))
    code.do("end_row", row)


def _kept(part: Expression, type_: Type) -> Expression:
    """A part of a call as it is written down: a roll by its total, a list as a copy."""
    tag = plain(type_).tag
    if tag in ("pool", "dice"):
        return call("pool_total", part)
    if is_list(type_) or tag == "text":
        return call("keep_block", part)
    return part


def note_core(code: Code, outcome: str, node: CoreCall, values: dict[int | str, Expression]) -> None:
    """Notes what became of a call of a verb of the core."""
    if code.program.build.traced:
        number = const(code.program.action_number(f"core:{node.verb}"))
        code.do("end_row", code.call("note_call", const(OUTCOMES.index(outcome)), number, ZERO))


def note_rule(code: Code, entry: RuleEntry) -> None:
    """Notes that a rule runs."""
    if code.program.build.traced:
        spot = getattr(entry.rule, "at", 0)
        code.do("note_event", const(RULE), const(entry.number), code.scope.me, const(spot))


def note_roll(code: Code, purpose: Expression, count: Expression) -> None:
    """Notes that dice were rolled for a purpose."""
    if code.program.build.traced:
        code.do("note_roll", purpose, count)


# ------------------------------------------------------------------ questions of tests
def times(code: Code, node: q.Question) -> Expression:
    """How often a call had an outcome since the last `when`."""
    if not code.program.build.traced:
        raise LoadError(f"`{node.question}` can be asked only in a test")
    asked = node.call
    if isinstance(asked, CoreCall):
        return _count(code, node.question, f"core:{asked.verb}", lambda row: [])
    if not isinstance(asked, Call):
        raise LoadError(f"`{node.question}` asks about a call")
    action = code.program.actions.get(asked.action)
    if action is None:
        return ZERO
    wanted: list[tuple[int, Callable[[Expression], Expression]]] = []
    for index, (argument, parameter) in enumerate(zip(asked.args, action.params, strict=True)):
        test = _wanted(code, argument, parameter.type)
        if test is not None:
            wanted.append((index, test))

    def questions(row: Expression) -> list[Callable[[], Expression]]:
        return [partial(test, load(row, ROW + index)) for index, test in wanted]

    return _count(code, node.question, asked.action, questions)


def _count(
    code: Code, outcome: str, action: str, questions: Callable[[Expression], list[Callable[[], Expression]]]
) -> Expression:
    found, row = code.hold(ZERO), code.hold(ZERO)
    key = const(OUTCOMES.index(outcome)), const(code.program.action_number(action))
    with code.loop() as (_, out):
        code.assign(row, call("next_call", row, *key))
        code.leave_if(negate(row), out)
        code.when(code.all_of(questions(row)), lambda: code.assign(found, add(found, ONE)))
    return found


def _wanted(code: Code, argument: object, type_: Type) -> Callable[[Expression], Expression] | None:
    """The question whether a part that was noted is the one that is asked for; none where anything will do."""
    if argument is None or isinstance(argument, Anything | EffectBlock):
        return None
    if isinstance(argument, AnyOf):
        kind = argument.kind
        if kind in code.program.world.kinds:
            return lambda part: of_kind(code, part, kind)
        return lambda part: has_trait(code, part, kind)
    tag = plain(type_).tag
    if tag in ("pool", "dice"):
        total = code.keep(value(code, argument))
        return lambda part: equal(part, total)
    held = code.keep(value_as(code, argument, type_))
    if is_list(type_) or tag == "text":
        return lambda part: truth(call("same_list", part, held))
    return lambda part: equal(part, held)
