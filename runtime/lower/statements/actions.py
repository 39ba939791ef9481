"""Calls of declared actions: the passes of the reference, from the gate to the look at state rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from talewright.runtime.ir.build import ZERO, both, cell, const, equal, negate, set_cell, truth
from talewright.runtime.ir.header import LEFT_OUT, RESULT
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.kernel.play.notes import LEFT
from talewright.runtime.lower.builds.counters import count_rule
from talewright.runtime.lower.builds.notes import note_outcome, note_reason, note_row
from talewright.runtime.lower.code import END, RULE_PARTS, Code, Scope, local_names, local_types
from talewright.runtime.lower.dispatch import (
    block,
    condition,
    lowers_statement,
    lowers_value,
    own_list,
    statement,
    unknown,
    value_as,
)
from talewright.runtime.lower.expressions.collections import some
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.checks import look_at_checks
from talewright.runtime.lower.rules.rules import (
    Parts,
    Rank,
    Take,
    each_applying,
    parts_of,
    run_rule,
    taking_part,
)
from talewright.runtime.lower.rules.watch import look
from talewright.runtime.lower.statements.endings import finish_call
from talewright.runtime.lower.statements.moments import (
    NO_STOP,
    begin_moment,
    end_moment,
    run_in_batch,
    stop_again,
)
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.cells import (
    ASLEEP,
    CALLS_RUNNING,
    CHAPTER,
    DICE_TOP,
    GOING,
    HALT_PAGE,
    HALT_VERB,
    HALTED,
    LEAVING,
    ROUNDS,
    TARGET,
)
from talewright.runtime.model.types import is_block, is_list, may_be_none, none_of
from talewright.runtime.model.world import RuleEntry, plain
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import AnyOf, Anything, EffectBlock
from talewright.schemas.nodes.declared import ActionDeclaration, OrderDeclaration
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.rules import ForbidRule, InsteadOfRule

# A part that a call cannot do without: `none` there refuses the call.
NEEDED = ("thing", "words", "pile", "cell", "spot")
CALLS = (s.Call, s.CoreCall, s.RunEffect, s.RunTable)


# ------------------------------------------------------------------ calling
@lowers_statement(s.Call)
def call_statement(code: Code, node: s.Call) -> None:
    called = _called(code, node)
    if called is not None:
        code.ask_call(need_action(code.program, called), arguments_of(code, node, called))


@lowers_value(s.Call)
def call_result(code: Code, node: s.Call) -> Expression:
    called = _called(code, node)
    if called is None:
        return ZERO
    if is_block(called.gives):
        code.uses_stack()
    return code.ask_for(need_action(code.program, called), arguments_of(code, node, called))


def _called(code: Code, node: s.Call) -> ActionDeclaration | None:
    """The declared action that is called; one that does not exist under these options is a fault."""
    action = code.program.actions.get(node.action)
    if action is None:
        code.fault(LEFT_OUT, node.at)
    elif any(a is not None and _is_several(code, a, action, index) for index, a in enumerate(node.args)):
        raise unknown(node)
    return action


def _is_several(code: Code, argument: object, action: ActionDeclaration, index: int) -> bool:
    """Whether a set stands where one thing is wanted."""
    if isinstance(argument, EffectBlock | Anything | AnyOf):
        return False
    wanted = plain(action.params[index].type).tag
    return wanted in ("thing", "int") and is_list(type_of(code, argument))


def arguments_of(code: Code, node: s.Call, action: ActionDeclaration) -> tuple[Expression, ...]:
    """The arguments of a call from left to right, then defaults."""
    made: dict[int, Expression] = {}
    for index, argument in enumerate(node.args):
        if argument is not None:
            made[index] = code.keep(argument_value(code, argument, action, index))
    for index, parameter in enumerate(action.params):
        if index in made:
            continue
        if parameter.default is None:
            made[index] = const(none_of(parameter.type))
            continue
        earlier = {p.local: made[i] for i, p in enumerate(action.params) if i in made}
        with code.within(locals=earlier, types=local_types(action.locals)):
            made[index] = code.keep(value_as(code, parameter.default, parameter.type))
    return tuple(made[index] for index in range(len(action.params)))


def argument_value(code: Code, argument: object, action: ActionDeclaration, index: int) -> Expression:
    """One argument of a call."""
    if isinstance(argument, EffectBlock):
        from talewright.runtime.lower.statements.effects import hand_over_block

        return hand_over_block(code, argument, action.params[index].type)
    type_ = action.params[index].type
    if is_list(type_) and is_list(type_of(code, argument)):
        return own_list(code, argument)
    return value_as(code, argument, type_)


# ------------------------------------------------------------------ the functions of an action
def _function(
    program: Program,
    action: ActionDeclaration,
    form: str,
    write: Callable[[Code, ActionDeclaration], Function | None],
    gives: bool = False,
    ranked: bool = False,
) -> str:
    """A function with the parameters of an action, perhaps with the two cells of a rank behind them."""

    def begun(code: Code) -> Function | None:
        code.spot = action.at
        code.giving()
        return write(code, action)

    scope = action_scope(program, action)
    return program.function(f"{form}:{action.id}", len(action.params) + 2 * ranked, begun, gives, scope)


def need_action(program: Program, action: ActionDeclaration) -> str:
    """The function that calls an action."""
    return _function(program, action, "action", _call)


def action_scope(program: Program, action: ActionDeclaration) -> Scope:
    """What the names of an action mean."""
    types = local_types(action.locals)
    types |= {parameter.local: parameter.type for parameter in action.params}
    locals_: dict[int, Expression] = {p.local: Local(i) for i, p in enumerate(action.params)}
    sure = frozenset(
        p.local
        for p in action.params
        if not may_be_none(p.type) and plain(p.type).tag in (*NEEDED, "list", "set")
    )
    me: Expression = program.thing(action.chapter) if action.chapter else ZERO
    return Scope(
        locals_,
        types=types,
        names=local_names(action.locals),
        me=me,
        sure=sure,
        gives=action.gives,
        verb=action.verb,
        action=action.id,
        chapter=action.chapter or "",
    )


def _parameters(action: ActionDeclaration) -> list[Expression]:
    return [Local(index) for index in range(len(action.params))]


def rules_of(program: Program, timing: str, action: str) -> list[RuleEntry]:
    """The rules of an action with a timing, lowest first."""
    return program.action_rules.get((timing, action), [])


def gate(
    code: Code, action: ActionDeclaration, refuse: Callable[[], None], head: bool = True, tells: bool = False
) -> None:
    """Asks every `forbid` and `requires`; `tells` says whether their reasons are noted."""

    def refuse_for(reason: Text | None) -> None:
        if tells:
            note_reason(code, reason)
        refuse()

    for index, parameter in enumerate(action.params):
        if not may_be_none(parameter.type) and plain(parameter.type).tag in NEEDED:
            code.when(equal(Local(index), none_of(parameter.type)), refuse)
    parts = parts_of(action, _parameters(action))
    for entry in rules_of(code.program, "forbid", action.id):
        assert isinstance(entry.rule, ForbidRule)
        reasoned = partial(refuse_for, entry.rule.reason)
        each_applying(code, entry, parts, action.verb, partial(_forbid, code, entry, reasoned))
    if head:
        ask_head(code, head_of(action), lambda node: refuse_for(getattr(node, "reason", None)))


def _forbid(code: Code, entry: RuleEntry, refuse: Callable[[], None], me: Expression) -> None:
    count_rule(code, entry, me)
    refuse()


def ask_head(
    code: Code, nodes: Sequence[s.Statement], refuse: Callable[[s.Requires | s.Choose], None]
) -> None:
    """Asks the statements that say when an action is possible, and refuses for the first that does not hold."""
    nodes = list(nodes)
    while nodes and isinstance(nodes[-1], s.Let):
        nodes.pop()
    outer = code.scope
    for node in nodes:
        match node:
            case s.Requires():
                code.spot = node.at
                code.when(negate(condition(code, node.condition)), partial(refuse, node))
            case s.Let():
                statement(code, node)
            case s.Choose():
                code.when(negate(some(code, node.source)), partial(refuse, node))
    code.scope = outer


def head_of(action: ActionDeclaration) -> list[s.Statement]:
    """The statements of an action that say when it is possible."""
    head: list[s.Statement] = []
    for node in action.body:
        if isinstance(node, s.Requires) or (isinstance(node, s.Let) and not does_something(node.value)):
            head.append(node)
        elif isinstance(node, s.Choose) and node.head and node.mode is None:
            head.append(node)
            break
        else:
            break
    return head


def does_something(node: object) -> bool:
    """Whether an expression does more than to look."""
    for inner in walk(node):  # type: ignore[arg-type]
        if isinstance(inner, q.Question):
            return False
        if isinstance(inner, (*CALLS, q.RandomOne, q.Agreed, q.NewThing)):
            return True
        if isinstance(inner, q.CoreFunctionCall) and inner.function in ("shuffled", "copy"):
            return True
    return False


def need_possible(program: Program, action: ActionDeclaration) -> str:
    """The function that says whether a call is possible."""
    return _function(program, action, "can", _is_possible, gives=True)


def _is_possible(code: Code, action: ActionDeclaration) -> None:
    from talewright.runtime.lower.decisions.possible import possible_block
    from talewright.runtime.lower.rules.rivals import replace

    gate(code, action, lambda: code.give(0), head=True)
    parts = parts_of(action, _parameters(action))

    def ask(entry: RuleEntry, me: Expression, rank: Rank) -> None:
        rule = entry.rule
        assert isinstance(rule, InsteadOfRule)
        code.give(possible_block(code, rule.body))

    replace(code, rules_of(code.program, "instead_of", action.id), parts, action.verb, None, ask, False)
    code.give(1)


def _call(code: Code, action: ActionDeclaration) -> Function:
    program = code.program
    dice = code.hold(cell(DICE_TOP)) if program.facts.rolls else None
    if program.build.tested:
        with code.if_(cell(ASLEEP)):
            # While a test sets the table an action is just its body.
            _run_body(code, action)
            code.go(END)

    def refuse() -> None:
        note_outcome(code, "refused", action)
        code.go(END)

    with_rules = bool(rules_of(program, "instead_of", action.id))
    code.spot = action.at
    gate(code, action, refuse, tells=True)
    if action.id == code.program.round_action():
        code.set(ROUNDS, cell(ROUNDS) + 1)
        if program.build.counted:
            code.do("sample_round")
    if with_rules:
        replace_or_run(code, action, None)
    else:
        passes(code, action)
    look(code)
    look_at_checks(code)
    if program.build.tested and action.id in program.world.content.start_after:
        with code.if_(both(truth(cell(HALT_PAGE)), equal(cell(HALT_PAGE), cell(CHAPTER)))):
            halt(code)
    return finish_call(code, action.gives, dice)


def halt(code: Code) -> None:
    """Leaves everything that runs, because a test begins or ends here."""
    code.emit(set_cell(HALTED, 1), set_cell(TARGET, 0), set_cell(LEAVING, GOING))
    code.go(code.leave)


def _run_body(code: Code, action: ActionDeclaration) -> None:
    """The body of an action without its requirements."""
    block(code, [node for node in action.body if not isinstance(node, s.Requires)])


def replace_or_run(code: Code, action: ActionDeclaration, below: Rank | None) -> None:
    """The highest replacement that applies, below those that said `as usual`; else the action itself."""
    from talewright.runtime.lower.rules.rivals import replace

    program = code.program
    parts = parts_of(action, _parameters(action))
    with code.block("replaced") as done:

        def take(entry: RuleEntry, me: Expression, rank: Rank) -> None:
            note_outcome(code, "replaced", action)
            run_rule(code, entry, me, parts, action.verb, partial(usual, program, action), rank)
            code.assign(code.giving(), cell(RESULT))
            code.go(done)

        entries = rules_of(program, "instead_of", action.id)
        replace(code, entries, parts, action.verb, below, take, True)
        name = _function(program, action, "passes", _passes)
        code.assign(code.giving(), code.ask_for(name, _parameters(action)))


def usual(program: Program, action: ActionDeclaration) -> str:
    """The function that runs an action below a replacement, whose rank it takes."""
    return _function(program, action, "usual", _usual, ranked=True)


def _usual(code: Code, action: ActionDeclaration) -> Function:
    count = len(action.params)
    replace_or_run(code, action, Rank(Local(count), Local(count + 1)))
    return finish_call(code, action.gives)


def _passes(code: Code, action: ActionDeclaration) -> Function:
    passes(code, action)
    return finish_call(code, action.gives)


@lowers_statement(s.AsUsual)
def as_usual(code: Code, node: s.AsUsual) -> None:
    """Runs what a rule replaces, perhaps with a parameter changed; its result is the result."""
    scope = code.scope
    assert scope.rule is not None
    assert scope.usual
    arguments: list[Expression] = [Local(RULE_PARTS + index) for index in range(len(scope.parts))]
    if node.changed is not None:
        number, changed = node.changed
        slots = {slot.local: slot.parameter for slot in scope.rule.rule.slots}  # type: ignore[union-attr]
        index = scope.parts.index(slots[number])
        arguments[index] = code.keep(value_as(code, changed, code.local_type(number)))
    code.assign(code.giving(), code.ask_for(scope.usual, (*arguments, *scope.below)))


def passes(code: Code, action: ActionDeclaration) -> None:
    """Begin, before, gate again, body, after, end."""
    program = code.program
    parts = parts_of(action, _parameters(action))
    if program.build.tested:
        inside = both(truth(cell(CALLS_RUNNING)), equal(cell(HALT_VERB), program.verb_number(action.verb)))
        code.when(inside, lambda: halt(code))
        code.set(CALLS_RUNNING, cell(CALLS_RUNNING) + 1)
    note_outcome(code, "called", action)
    moment = begin_moment(code, action.verb, Local(0) if action.params else ZERO)
    with code.block("end") as end:
        befores = rules_of(program, "before", action.id)
        with code.leaving_to(end):
            run_pass(code, befores, parts, action.verb, order=program.order_of(action.verb))
            if befores:

                def thwart() -> None:
                    note_outcome(code, "thwarted", action)
                    code.go(end)

                gate(code, action, thwart)
        with code.block("body") as out, code.leaving_to(out, out):
            _run_body(code, action)
        moment.stop_ends_here(code)
        code.leave_if(cell(LEAVING), end)
        note_outcome(code, "done", action)
        _run_after(code, action, Parts(parts.values, parts.types, code.giving(), action.gives), end)
    moment.stop_ends_here(code)
    end_moment(code, moment)
    note_row(code, LEFT, 0, 0)
    if program.build.tested:
        code.set(CALLS_RUNNING, cell(CALLS_RUNNING) - 1)
    code.leave_if_leaving()


def _run_after(code: Code, action: ActionDeclaration, parts: Parts, end: str) -> None:
    """Runs the rules after an action; one that stops something outside lets the others of its moment finish."""
    entries = rules_of(code.program, "after", action.id)
    if not entries:
        return
    stopped = code.hold(NO_STOP)

    def run(entry: RuleEntry, me: Expression) -> None:
        run_in_batch(code, stopped, lambda: run_rule(code, entry, me, parts, action.verb), end)

    run_pass(code, entries, parts, action.verb, run, code.program.order_of(action.verb))
    stop_again(code, stopped)


def run_pass(
    code: Code,
    entries: list[RuleEntry],
    parts: Parts,
    verb: str,
    run: Take | None = None,
    order: OrderDeclaration | None = None,
) -> None:
    """Runs the rules of a pass in their order, or in the one that somebody decides."""

    def just_run(entry: RuleEntry, me: Expression) -> None:
        run_rule(code, entry, me, parts, verb)

    if order is not None and entries:
        from talewright.runtime.lower.rules.rivals import run_in_chosen_order

        run_in_chosen_order(code, order, entries, parts, verb, run or just_run)
        return
    take = taking_part(code, entries, run or just_run)
    for entry in entries:
        each_applying(code, entry, parts, verb, partial(take, entry), steady=False)
