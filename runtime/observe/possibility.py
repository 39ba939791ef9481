"""Whether something could be done now: only the head is asked, nothing is tried out.

`refusals` takes the same questions apart: what stands in the way, where it stands, and whose rule it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from talewright.runtime.lower.code import local_types
from talewright.runtime.lower.decisions.possible import GOES, PART_NAMES
from talewright.runtime.lower.statements.actions import NEEDED, does_something, head_of, rules_of
from talewright.runtime.model.types import may_be_none
from talewright.runtime.model.world import plain, waits_beyond
from talewright.runtime.observe.evaluation.bearers import applying, rank
from talewright.runtime.observe.evaluation.behaviour import ask_effect
from talewright.runtime.observe.evaluation.collections import of_kind_in_order, some
from talewright.runtime.observe.evaluation.evaluator import (
    Evaluator,
    Items,
    Scope,
    Unanswerable,
    as_thing,
    evaluates,
)
from talewright.runtime.observe.evaluation.payments import can_pay
from talewright.runtime.observe.evaluation.values import Value
from talewright.schemas.nodes import names as n
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import AnyOf, Anything, CoreArguments
from talewright.schemas.nodes.declared import ActionDeclaration
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.rules import ForbidRule, InsteadOfRule
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record
from talewright.schemas.wording import spaced

Arguments = tuple[Value, ...]
# So many calls deep it is looked whether anything would be done.
MOST_CALLS = 3


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


# ------------------------------------------------------------------ calls
def arguments_of(ev: Evaluator, node: s.Call, action: ActionDeclaration, scope: Scope) -> Arguments:
    """The arguments of a call from left to right, then defaults; open parts are none."""
    made: dict[int, Value] = {}
    for index, argument in enumerate(node.args):
        if argument is not None and not isinstance(argument, Anything | AnyOf):
            made[index] = ev.value_as(argument, action.params[index].type, scope)
    for index, parameter in enumerate(action.params):
        if index not in made:
            made[index] = None
            if parameter.default is not None:
                earlier = {p.local: made[i] for i, p in enumerate(action.params) if i in made}
                inner = Scope(earlier, local_types(action.locals), scope.me, scope.owner)
                made[index] = ev.value_as(parameter.default, parameter.type, inner)
    return tuple(made[index] for index in range(len(action.params)))


def action_scope(ev: Evaluator, action: ActionDeclaration, arguments: Sequence[Value]) -> Scope:
    """What the names of an action mean in a call."""
    types = {**local_types(action.locals), **{p.local: p.type for p in action.params}}
    me = ev.program.thing(action.chapter).value if action.chapter else None
    return Scope({p.local: a for p, a in zip(action.params, arguments, strict=True)}, types, me)


def refusals(ev: Evaluator, action: ActionDeclaration, arguments: Sequence[Value]) -> Iterator[Refusal]:
    """What stands in the way of a call: a part that is missing, every rule that forbids it, the first requirement it fails."""
    for index, (parameter, argument) in enumerate(zip(action.params, arguments, strict=True)):
        if not may_be_none(parameter.type) and plain(parameter.type).tag in NEEDED and argument is None:
            reason = f"there is no {_kind_words(parameter.type, parameter.name)} for it"
            yield Refusal(reason, action.at, missing=index)
            return
    parts: dict[int | str, Value] = dict(enumerate(arguments))
    found = False
    for entry in rules_of(ev.program, "forbid", action.id):
        rule = entry.rule
        assert isinstance(rule, ForbidRule)
        for bearer, scope in applying(ev, entry, parts):
            found = True
            yield Refusal(_told(ev, rule.reason, scope), rule.at, bearer.thing, rule)
    if found:
        return
    yield from _head(ev, action, action_scope(ev, action, arguments))


def _head(ev: Evaluator, action: ActionDeclaration, scope: Scope) -> Iterator[Refusal]:
    nodes = head_of(action)
    while nodes and isinstance(nodes[-1], s.Let):
        nodes.pop()
    for node in nodes:
        match node:
            case s.Requires():
                if not ev.condition(node.condition, scope):
                    yield Refusal(_told(ev, node.reason, scope), node.at, by=node)
                    return
            case s.Let():
                scope = _let(ev, node, scope)
            case s.Choose():
                if not some(ev, node.source, scope):
                    yield Refusal("there is nothing to choose from", node.at)
                    return


def _let(ev: Evaluator, node: s.Let, scope: Scope) -> Scope:
    type_ = scope.types.get(node.local, Type("any"))
    return scope.bind(node.local, ev.value_as(node.value, type_, scope))


def _told(ev: Evaluator, reason: Text | None, scope: Scope) -> str:
    return "" if reason is None else str(ev.value(reason, scope))


def _kind_words(type_: Type, name: str) -> str:
    """What a part of a call is, as people say it."""
    inner = plain(type_)
    if inner.tag == "thing":
        return spaced(inner.name)
    return name.replace("_", " ")


def can_call(ev: Evaluator, action: ActionDeclaration, arguments: Sequence[Value]) -> bool:
    """Whether a call is possible; if something replaces the action, whether that is."""
    if next(refusals(ev, action, arguments), None) is not None:
        return False
    parts: dict[int | str, Value] = dict(enumerate(arguments))
    rivals = [
        (rank(ev, entry, place, bearer), place, rule.body, scope)
        for place, entry in enumerate(rules_of(ev.program, "instead_of", action.id))
        if isinstance(rule := entry.rule, InsteadOfRule)
        for bearer, scope in applying(ev, entry, parts)
    ]
    if not rivals:
        return True
    _, _, body, scope = max(rivals, key=lambda rival: rival[0])
    return possible_block(ev, body, scope)


# ------------------------------------------------------------------ statements
def possible_block(ev: Evaluator, body: Sequence[s.Statement], scope: Scope) -> bool:
    """Whether a block could be done: its requirements and its first statement that does something."""
    for node in body:
        if isinstance(node, s.Let) and not does_something(node.value):
            scope = _let(ev, node, scope)
        elif isinstance(node, s.Requires):
            if not ev.condition(node.condition, scope):
                return False
        else:
            return possible(ev, node, scope)
    return True


def does_anything(ev: Evaluator, body: Sequence[s.Statement], scope: Scope, depth: int = 0) -> bool:
    """Whether any statement of a block would do something, each by itself; what is said aloud does nothing.

    Looks inside the actions it calls, as far as no rule looks at them.
    """
    for node in body:
        if isinstance(node, s.Let) and not does_something(node.value):
            scope = _let(ev, node, scope)
        elif isinstance(node, s.Requires):
            if not ev.condition(node.condition, scope):
                return False
        elif isinstance(node, s.DoNothing) or (isinstance(node, s.CoreCall) and node.verb == "say"):
            continue
        elif isinstance(node, s.Choose) and not some(ev, node.source, scope):
            scope = scope.bind(node.local, None)
        elif isinstance(node, s.Call):
            if _call_does_anything(ev, node, scope, depth):
                return True
        elif possible(ev, node, scope):
            return True
    return False


def _call_does_anything(ev: Evaluator, node: s.Call, scope: Scope, depth: int) -> bool:
    """Whether a call is possible, and would do something."""
    if not _possible_call(ev, node, scope):
        return False
    action = ev.program.actions[node.action]
    hooked = any(rules_of(ev.program, timing, action.id) for timing in ("before", "after", "instead_of"))
    left_open = any(isinstance(argument, Anything | AnyOf) for argument in node.args)
    if hooked or left_open or depth == MOST_CALLS:
        return True
    inner = action_scope(ev, action, arguments_of(ev, node, action, scope))
    return does_anything(ev, action.body, inner, depth + 1)


def possible(ev: Evaluator, node: object, scope: Scope) -> bool:
    """Whether one statement could be done."""
    match node:
        case s.Call():
            return _possible_call(ev, node, scope)
        case s.CoreCall():
            return _possible_verb(ev, node, scope)
        case s.RunEffect():
            return can_run(ev, node.of, node.args, scope)
        case s.If():
            for test, body in node.branches:
                if ev.condition(test, scope):
                    return possible_block(ev, body, scope)
            return bool(node.otherwise) and possible_block(ev, node.otherwise, scope)
        case s.ForEach():
            return some(ev, node.of, scope)
        case s.Possible():
            return any(possible_block(ev, (member,), scope) for member in node.members)
        case s.Choose():
            return node.mode in ("optional", "up to") or some(ev, node.source, scope)
        case s.ChooseOne():
            return any(o.when is None or ev.condition(o.when, scope) for o in node.options)
        case s.Change():
            return _possible_change(ev, node, scope)
    return True


def _possible_call(ev: Evaluator, node: s.Call, scope: Scope) -> bool:
    action = ev.program.actions.get(node.action)
    if action is None:
        return False
    arguments = arguments_of(ev, node, action, scope)
    open_parts = [i for i, argument in enumerate(node.args) if isinstance(argument, Anything | AnyOf)]
    return any(can_call(ev, action, filled) for filled in _filled(ev, action, arguments, open_parts))


def _filled(
    ev: Evaluator, action: ActionDeclaration, arguments: Arguments, open_parts: Sequence[int]
) -> Iterator[Arguments]:
    if not open_parts:
        yield arguments
        return
    part, *rest = open_parts
    for member in values_of_type(ev, action.params[part].type):
        yield from _filled(ev, action, (*arguments[:part], member, *arguments[part + 1 :]), rest)


def values_of_type(ev: Evaluator, type_: Type) -> Items:
    """Every value of a type that has an end."""
    inner = plain(type_)
    match inner.tag:
        case "truth":
            return (1, 0)
        case "thing":
            return tuple(of_kind_in_order(ev, inner.name))
        case "words":
            return tuple(ev.word(str(word)) for word in inner.args)
        case "range":
            low, high = inner.args
            assert isinstance(low, int)
            assert isinstance(high, int)
            return tuple(range(low, high + 1))
    raise Unanswerable("its values have no end")


def can_run(ev: Evaluator, effect: object, arguments: Sequence[object], scope: Scope) -> bool:
    """Whether the effect in a field or parameter could be done."""
    given = [ev.value(argument, scope) for argument in arguments]
    return ask_effect(ev, ev.value(effect, scope), given, possible_block, False)


def _possible_change(ev: Evaluator, node: s.Change, scope: Scope) -> bool:
    """A track can change if its marker would move, or something waits beyond its end."""
    track = ev.program.world.track_of(node.target)
    if track is None or waits_beyond(track, node.sign):
        return True
    held = marker(ev, node.target, scope)
    room = held < track.high if node.sign > 0 else track.low < held
    return room and ev.number(node.by, scope) > 0


def marker(ev: Evaluator, target: object, scope: Scope) -> int:
    """Where the marker of a track stands, whatever modifies what it reads as."""
    if isinstance(target, r.FieldOf):
        field = ev.program.world.fields[target.owner, target.name]
        return as_thing(ev.stored(ev.thing(target.of, scope), field))
    return ev.number(target, scope)


def _possible_verb(ev: Evaluator, node: s.CoreCall, scope: Scope) -> bool:
    """Whether a verb of the core would do anything."""
    args = node.args
    match node.verb:
        case "move" | "place" | "put" | "put_at" | "put_on":
            if node.many:
                return some(ev, args.first, scope)
            where = _destination(ev, args, scope)
            return bool(ev.kernel.call("can_move", ev.thing(args.first, scope), where))
        case "draw":
            where = ev.thing(args.source, scope)
            if where <= len(ev.program.world.things):
                return some(ev, args.source, scope)
            return bool(ev.kernel.call("can_draw", where))
        case "put_token" | "take_token":
            thing = args.on if node.verb == "put_token" else args.source
            count, token = ev.number(args.first, scope), ev.number(args.token, scope) - 1
            return bool(ev.kernel.call(f"can_{node.verb}", count, token, ev.thing(thing, scope)))
        case "remove" | "discard" | "reveal" | "show" | "flip":
            held = None if args.first is None else ev.value(args.first, scope)
            return held not in (None, ())
        case "pay":
            return can_pay(ev, node, scope)
        case "run":
            return can_run(ev, args.first, (), scope)
    return True


def _destination(ev: Evaluator, args: CoreArguments, scope: Scope) -> int:
    for name in GOES:
        argument = getattr(args, PART_NAMES[name])
        if argument is not None and not isinstance(argument, n.AreaRef):
            return ev.thing(argument, scope)
    return ev.program.world.pile_numbers["box"]


# ------------------------------------------------------------------ questions
@evaluates(q.Question)
def question(ev: Evaluator, node: q.Question, scope: Scope) -> Value:
    match node.question:
        case "possible":
            if node.effect is not None:
                return int(can_run(ev, node.effect, node.args, scope))
            return int(possible(ev, node.call, scope))
        case "affordable":
            if isinstance(node.call, s.RunEffect):
                given = [ev.value(argument, scope) for argument in node.call.args]
                return int(ask_effect(ev, ev.value(node.call.of, scope), given, affordable, True))
            assert node.call is not None
            return int(affordable(ev, (node.call,), scope))  # type: ignore[arg-type]
    raise Unanswerable(f"`{node.question}` is answered only in a test")


def affordable(ev: Evaluator, body: Sequence[s.Statement], scope: Scope) -> bool:
    """Whether every change of a block fits in full, on top of those before it."""
    return _Affording(ev).all(body, scope)


class _Affording:
    """Adds up what is paid with the same."""

    def __init__(self, ev: Evaluator) -> None:
        self.ev = ev
        self.paid: dict[object, int] = {}

    def all(self, body: Sequence[s.Statement], scope: Scope) -> bool:
        for node in body:
            if isinstance(node, s.Let):
                if does_something(node.value):
                    # What follows depends on what has not happened yet.
                    return True
                scope = _let(self.ev, node, scope)
            elif not self.one(node, scope):
                return False
            elif isinstance(node, s.Choose):
                return True
        return True

    def one(self, node: s.Statement, scope: Scope) -> bool:
        ev = self.ev
        match node:
            case s.Change() if isinstance(node.target, n.TrackRef | r.FieldOf):
                return self._change(node, scope)
            case s.CoreCall(verb="take_token"):
                args = node.args
                paid = self._add((args.token, args.source), ev.number(args.first, scope))
                token = ev.number(args.token, scope) - 1
                return ev.kernel.call("tokens_on", token, ev.thing(args.source, scope)) >= paid
            case s.Requires():
                return ev.condition(node.condition, scope)
            case s.If():
                for test, body in node.branches:
                    if ev.condition(test, scope):
                        return self.all(body, scope)
                return self.all(node.otherwise, scope)
        return possible(ev, node, scope)

    def _change(self, node: s.Change, scope: Scope) -> bool:
        track = self.ev.program.world.track_of(node.target)
        if track is None:
            return True
        paid = self._add(node.target, node.sign * self.ev.number(node.by, scope))
        reached = self.ev.number(node.target, scope) + paid
        above, below = waits_beyond(track, 1), waits_beyond(track, -1)
        return (below or track.low <= reached) and (above or reached <= track.high)

    def _add(self, key: object, amount: int) -> int:
        self.paid[key] = self.paid.get(key, 0) + amount
        return self.paid[key]
