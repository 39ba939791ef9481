"""Whether something could be done now: only the head is asked, nothing is tried out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ONE, ZERO, both, call, const, every, load, negate, truth, unlike
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.dispatch import Member, condition, each, statement, value
from talewright.runtime.lower.expressions.collections import some
from talewright.runtime.lower.expressions.values import field_cell, token_value
from talewright.runtime.lower.statements.actions import arguments_of, does_something, need_possible
from talewright.runtime.lower.typing import type_of
from talewright.runtime.model.types import is_list, none_of
from talewright.runtime.model.world import plain, waits_beyond
from talewright.schemas.node_walk import walk
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import AnyOf, Anything, CoreArguments
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.names import ThingsOfKind
from talewright.schemas.nodes.types import Type

# The parts of verbs: their names in rules and in nodes, in the order in which they are evaluated.
PART_NAMES = {
    "first": "first", "token": "token", "from": "source", "to": "to", "into": "into", "on": "on", "under": "under",
    "at": "place", "by": "by", "for": "purpose", "with": "partner", "using": "using",
}  # fmt: skip
# Parts that are a container or a place: something goes there.
GOES = ("to", "at", "into", "on", "under")


def possible_block(code: Code, body: Sequence[s.Statement]) -> Expression:
    """Whether a block could be done: its requirements and its first statement that does something."""
    outer = code.scope
    questions: list[Callable[[], Expression]] = []
    for node in body:
        if isinstance(node, s.Let) and not does_something(node.value):
            questions.append(partial(_let, code, node))
            continue
        if isinstance(node, s.Requires):
            questions.append(partial(condition, code, node.condition))
            continue
        questions.append(partial(possible, code, node))
        break
    made = code.all_of(questions)
    code.scope = outer
    return made


def _open(code: Code, option: s.Choice) -> Expression:
    """Whether one of several ways can be chosen."""
    return ONE if option.when is None else condition(code, option.when)


def _let(code: Code, node: s.Let) -> Expression:
    statement(code, node)
    return ONE


def possible(code: Code, node: object) -> Expression:
    """Whether one statement could be done."""
    match node:
        case s.Call():
            return _possible_call(code, node)
        case s.CoreCall():
            return _possible_verb(code, node)
        case s.RunEffect():
            return can_run(code, node.of, node.args)
        case s.If():
            otherwise = node.otherwise
            return _of_branches(
                code,
                list(node.branches),
                partial(possible_block, code),
                lambda: possible_block(code, otherwise) if otherwise else ZERO,
            )
        case s.ForEach():
            return some(code, node.of)
        case s.Possible():
            return code.any_of([partial(possible_block, code, (member,)) for member in node.members])
        case s.Choose():
            return ONE if node.mode in ("optional", "up to") else some(code, node.source)
        case s.ChooseOne():
            return code.any_of([partial(_open, code, option) for option in node.options])
        case s.Change():
            return _possible_change(code, node)
    return ONE


def _of_branches(
    code: Code,
    branches: list[tuple[object, s.Body]],
    ask: Callable[[s.Body], Expression],
    otherwise: Callable[[], Expression],
) -> Expression:
    """A question about the one branch that would run."""
    if not branches:
        return otherwise()
    test, body = branches[0]
    return code.choose(
        condition(code, test),
        lambda: ask(body),
        lambda: _of_branches(code, branches[1:], ask, otherwise),
    )


def _possible_call(code: Code, node: s.Call) -> Expression:
    action = code.program.actions.get(node.action)
    if action is None:
        return ZERO
    open_parts = [i for i, argument in enumerate(node.args) if isinstance(argument, Anything | AnyOf)]
    name = need_possible(code.program, action)
    if not open_parts:
        return code.hold(call(name, *arguments_of(code, node, action)))
    return _open_call(code, node, action, open_parts, name)


def each_of_type(code: Code, type_: Type, name: str, push: Member) -> None:
    """Every value of a type that has an end."""
    inner = plain(type_)
    match inner.tag:
        case "truth":
            push(ONE)
            push(ZERO)
        case "thing":
            each(code, ThingsOfKind(inner.name), push)
        case "words":
            for word in inner.args:
                push(const(code.program.layout.word(str(word))))
        case "range":
            low, high = inner.args
            assert isinstance(low, int)
            assert isinstance(high, int)
            with code.count_up(low, high + 1) as number:
                push(number)
        case _:
            raise LoadError(f"nobody can choose `{name}`: its values have no end")


def _open_call(
    code: Code, node: s.Call, action: ActionDeclaration, open_parts: list[int], name: str
) -> Expression:
    """Whether a call is possible with something in its open parts."""
    closed = s.Call(
        node.action, tuple(None if i in open_parts else a for i, a in enumerate(node.args)), node.at
    )
    made = arguments_of(code, closed, action)
    with code.search() as (found, leave):

        def step(index: int, values: list[Expression]) -> None:
            if index == len(open_parts):
                code.when(truth(call(name, *values)), leave)
                return
            part = open_parts[index]
            parameter = action.params[part]

            def one(member: Expression) -> None:
                step(index + 1, [*values[:part], member, *values[part + 1 :]])

            each_of_type(code, parameter.type, parameter.name, one)

        step(0, list(made))
    return found


def _possible_change(code: Code, node: s.Change) -> Expression:
    """A track can change if its marker would move, or something waits beyond its end."""
    target, world = node.target, code.program.world
    track = world.track_of(target)
    if track is None:
        return ONE
    if isinstance(target, r.FieldOf):
        field = world.fields[target.owner, target.name]
        held: Expression = load(field_cell(code, code.keep(value(code, target.of)), field))
    else:
        held = value(code, target)
    if waits_beyond(track, node.sign):
        return ONE
    room = held < track.high if node.sign > 0 else held > track.low
    return both(room, value(code, node.by) > 0)


def _possible_verb(code: Code, node: s.CoreCall) -> Expression:
    """Whether a verb of the core would do anything."""
    args = node.args
    match node.verb:
        case "move" | "place" | "put" | "put_at" | "put_on":
            if node.many:
                return some(code, args.first)
            where = destination_of(code, args)
            return truth(code.call("can_move", value(code, args.first), where))
        case "draw":
            if plain(type_of(code, args.source)).tag != "pile":
                return some(code, args.source)
            return truth(code.call("can_draw", value(code, args.source)))
        case "put_token" | "take_token":
            thing = args.on if node.verb == "put_token" else args.source
            token = token_value(code, args.token)
            return truth(code.call(f"can_{node.verb}", value(code, args.first), token, value(code, thing)))
        case "remove" | "discard" | "reveal" | "show" | "flip":
            if args.first is None:
                return ZERO
            if is_list(type_of(code, args.first)):
                return some(code, args.first)
            return unlike(value(code, args.first), none_of(type_of(code, args.first)))
        case "pay":
            from talewright.runtime.lower.decisions.payments import can_pay

            return can_pay(code, node)
        case "run":
            return can_run(code, args.first, ())
    return ONE


def destination(code: Code, argument: object) -> Expression:
    """The location that an expression names: a container, what stands on a thing, or the box."""
    if isinstance(argument, n.AreaRef):
        return const(code.program.world.pile_numbers["box"])
    return value(code, argument)


def destination_of(code: Code, args: CoreArguments) -> Expression:
    for name in GOES:
        argument = getattr(args, PART_NAMES[name])
        if argument is not None:
            return destination(code, argument)
    return const(code.program.world.pile_numbers["box"])


def can_run(code: Code, effect: object, arguments: Sequence[object]) -> Expression:
    """Whether the effect in a field or parameter could be done."""
    from talewright.runtime.lower.statements.effects import CAN, ask_effect

    return ask_effect(code, effect, arguments, CAN)


def affordable(code: Code, body: Sequence[object]) -> Expression:
    """Whether every change of a block fits in full, on top of those before it."""
    sums: dict[object, Local] = {}
    for node in (inner for part in body for inner in walk(part)):  # type: ignore[arg-type]
        key = _paid(node)
        if key is not None and key not in sums:
            sums[key] = code.hold(0)
    return _affords_all(code, body, sums)


def _paid(node: object) -> object | None:
    """What a statement pays with, so that what is paid with the same is added up."""
    match node:
        case s.Change(target=n.TrackRef() | r.FieldOf()):
            return node.target
        case s.CoreCall(verb="take_token"):
            return (node.args.token, node.args.source)
    return None


def _affords_all(code: Code, body: Sequence[object], sums: dict[object, Local]) -> Expression:
    asked: list[object] = []
    for node in body:
        if isinstance(node, s.Let) and does_something(node.value):
            # What follows depends on what has not happened yet.
            break
        asked.append(node)
        if isinstance(node, s.Choose):
            break
    return code.all_of([partial(_affords, code, node, sums) for node in asked])


def _affords(code: Code, node: object, sums: dict[object, Local]) -> Expression:
    match node:
        case s.Change() if isinstance(node.target, n.TrackRef | r.FieldOf):
            return _affords_change(code, node, sums[_paid(node)])
        case s.CoreCall(verb="take_token"):
            args = node.args
            paid = sums[_paid(node)]
            code.assign(paid, paid + value(code, args.first))
            have = code.call("tokens_on", token_value(code, args.token), value(code, args.source))
            return code.hold(negate(have < paid))
        case s.Let() if not does_something(node.value):
            return _let(code, node)
        case s.Requires():
            return condition(code, node.condition)
        case s.If():
            fits = partial(_affords_all, code, sums=sums)
            return _of_branches(code, list(node.branches), fits, partial(fits, node.otherwise))
    return possible(code, node)


def _affords_change(code: Code, node: s.Change, paid: Local) -> Expression:
    target = node.target
    track = code.program.world.track_of(target)
    if track is None:
        return ONE
    by = value(code, node.by)
    code.assign(paid, paid + by if node.sign > 0 else paid - by)
    reached = code.hold(value(code, target) + paid)
    fits = []
    if not waits_beyond(track, -1):
        fits.append(reached >= track.low)
    if not waits_beyond(track, 1):
        fits.append(reached <= track.high)
    return every(fits)
