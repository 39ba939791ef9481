"""What is written down while a game is played, where somebody wants to know: what became of calls, which rules ran.

Tests ask for it afterwards: `done`, `refused`, `replaced`, `rolled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ZERO, Term, call, conditional, const, equal, load, negate, truth
from talewright.runtime.ir.header import NOWHERE
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.kernel.play.notes import ROW, RULE
from talewright.runtime.kernel.storage.heap import SHAPE_FLAT
from talewright.runtime.lower.builds.counters import count, count_rule
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import value, value_as
from talewright.runtime.lower.expressions.texts import same_text
from talewright.runtime.lower.expressions.values import has_trait, of_kind
from talewright.runtime.model.types import is_list, item_of
from talewright.runtime.model.world import RuleEntry, plain
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes.arguments import AnyOf, Anything, EffectBlock
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.document import spot_of
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.statements import Call, CoreCall
from talewright.schemas.nodes.types import Type

# What becomes of a call.
OUTCOMES = ("done", "refused", "replaced", "thwarted", "called")


def note_outcome(code: Code, outcome: str, action: ActionDeclaration) -> None:
    """Notes what became of a call of a declared action, whose parameters are the first locals."""
    if outcome == "called":
        count(code, "action", action.verb, action.at)
    if not code.program.build.traced:
        return
    number, width = const(code.program.action_number(action.id)), len(action.params)
    done = outcome == "done"
    parts = const(2 * width if done else width)
    row = code.call("note_call", OUTCOMES.index(outcome), number, parts)
    for index, parameter in enumerate(action.params):
        part = Local(index)
        rolled = plain(parameter.type).tag in ("pool", "dice")
        kept = call("noted_total", part) if rolled else _kept(part, parameter.type)
        code.put(row, kept, ROW + index)
        if done:
            code.put(row, _knowers(Local(index), parameter.type), ROW + width + index)
    code.do("end_row", row)


def _knowers(part: Expression, type_: Type) -> Expression:
    """Who knows the things that a part of a call is, when the call is done."""
    if is_list(type_):
        return call("keep_knowers", part) if item_of(plain(type_)).tag == "thing" else ZERO
    return call("knowers", part) if plain(type_).tag == "thing" else ZERO


def _kept(part: Expression, type_: Type) -> Expression:
    """A part of a call as it is written down: a list or a text as a copy."""
    if plain(type_).tag == "text":
        return call("keep_text", part)
    return call("keep_block", part) if is_list(type_) else part


def note_core(
    code: Code,
    outcome: str,
    verb: str,
    values: Mapping[int | str, Expression],
    types: Mapping[int | str, Type],
) -> None:
    """Notes what became of a call of a verb of the core, with its parts and which of them are lists."""
    if not code.program.build.traced:
        return
    number = const(code.program.action_number(f"core:{verb}"))
    row = code.call("note_call", OUTCOMES.index(outcome), number, len(CORE_PARTS) + 1)
    lists = 0
    for index, part in _core_parts(values):
        code.put(row, _kept(_noted(verb, values[part], part, types[part]), types[part]), ROW + index)
        lists |= is_list(types[part]) << index
    code.put(row, lists, ROW + len(CORE_PARTS))
    code.do("end_row", row)


CORE_PARTS = ("first", "token", "from", "where", "by", "for", "with", "using")
GOES = frozenset(("to", "at", "into", "on", "under"))


def _core_parts(parts: Iterable[int | str]) -> list[tuple[int, int | str]]:
    """The parts of a call of a verb, each with its place in a row; where something goes is one of them, whatever the word."""
    named = [("where" if part in GOES else part, part) for part in parts]
    return [(CORE_PARTS.index(str(name)), part) for name, part in named if name in CORE_PARTS]


def _noted(verb: str, held: Expression, part: int | str, type_: Type) -> Expression:
    """A part of a call of a verb as it is written down and asked for; what is written down is a copy."""
    if plain(type_).tag in ("pool", "dice"):
        rolled = part == "first" and verb in ("roll", "reroll")
        return call("dice_key" if rolled else "noted_total", held)
    return _told_apart(held, part, type_)


def _told_apart(value: Expression, part: int | str, type_: Type) -> Expression:
    """A container that something is done to, unlike any thing: both are numbers."""
    return -1 - value if part == "first" and plain(type_).tag == "pile" else value


def asks_about(code: Code, verb: str) -> bool:
    """Whether a test of this program asks how often a verb of the core was done."""
    return code.program.build.traced and verb in code.program.verbs_asked


def note_rule(code: Code, entry: RuleEntry) -> None:
    """Notes that a rule runs."""
    count_rule(code, entry, code.scope.me)
    if code.program.build.traced:
        spot = spot_of(entry.rule, NOWHERE)
        code.do("note_event", RULE, entry.number, code.scope.me, spot)


def note(code: Code, function: str, *parts: Term) -> None:
    """Notes something by a function of the kernel, where somebody wants to know."""
    if code.program.build.traced:
        code.do(function, *parts)


def note_row(code: Code, kind: int, first: Term, second: Term, third: Term = 0) -> None:
    """Notes something that has up to three parts."""
    note(code, "note_event", kind, first, second, third)


def note_reason(code: Code, reason: Text | None) -> None:
    """Notes why the call that is refused next is refused."""
    if code.program.build.traced and reason is not None:
        code.uses_stack()
        code.do("note_reason", value(code, reason))


# ------------------------------------------------------------------ questions of tests
def times(code: Code, node: q.Question) -> Expression:
    """How often a call had an outcome since the last `when`."""
    if not code.program.build.traced:
        raise LoadError(f"`{node.question}` can be asked only in a test")
    asked = node.call
    if isinstance(asked, CoreCall):
        return _times_core(code, node.question, asked)
    if not isinstance(asked, Call):
        raise LoadError(f"`{node.question}` asks about a call")
    action = code.program.actions.get(asked.action)
    if action is None:
        return ZERO
    tests: list[Callable[[Expression], Expression]] = []
    for index, (argument, parameter) in enumerate(zip(asked.args, action.params, strict=True)):
        test = _wanted(code, argument, parameter.type)
        if test is not None:
            tests.append(partial(_of_part, index, test))
    return _count(code, node.question, asked.action, tests)


def _of_part(index: int, test: Callable[[Expression], Expression], row: Expression) -> Expression:
    return test(load(row, ROW + index))


def _times_core(code: Code, question: str, asked: CoreCall) -> Expression:
    """How often a verb of the core had an outcome; of several things that it was done to, each counts."""
    from talewright.runtime.lower.statements.verbs import parts_of_call

    given = parts_of_call(code, asked)
    tests: list[Callable[[Expression], Expression]] = []
    for index, part in _core_parts(given.values):
        type_ = given.types[part]
        if plain(type_).tag == "any":
            continue
        held = code.keep(_noted(asked.verb, given.values[part], part, type_))
        if plain(type_).tag == "text":
            tests.append(partial(_is_text, code, index, held))
        else:
            tests.append(partial(_is_part, index, held, is_list(type_)))

    return _count(code, question, f"core:{asked.verb}", tests)


def _is_part(index: int, held: Expression, whole: bool, row: Expression) -> Expression:
    """Whether a part of a noted call of a verb is the one asked for, or one of its members is."""
    part = load(row, ROW + index)
    if whole:
        return truth(call("same_blocks", part, held, SHAPE_FLAT))
    several = load(row, ROW + len(CORE_PARTS)) & 1 << index
    return conditional(truth(several), truth(call("includes_item", part, held)), equal(part, held))


def _is_text(code: Code, index: int, held: Expression, row: Expression) -> Expression:
    """Whether a text of a noted call of a verb reads like the one asked for."""
    return truth(same_text(code, load(row, ROW + index), held))


def _count(
    code: Code, outcome: str, action: str, tests: list[Callable[[Expression], Expression]]
) -> Expression:
    found, row = code.hold(0), code.hold(0)
    key = const(OUTCOMES.index(outcome)), const(code.program.action_number(action))
    with code.loop() as (_, out):
        code.assign(row, call("next_call", row, *key))
        code.leave_if(negate(row), out)
        with code.if_(code.all_of([partial(test, row) for test in tests])):
            code.assign(found, found + 1)
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
    if tag == "text":
        return lambda part: truth(same_text(code, part, held))
    if is_list(type_):
        return lambda part: truth(call("same_blocks", part, held, SHAPE_FLAT))
    return lambda part: equal(part, held)
