"""Menus: what they offer now, and what becomes of the offer that is taken.

An option is a block `[n, offer, bearer, what its label shows ...]`; passing is 0.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, const, equal, load, negate
from talewright.runtime.ir.nodes import Expression, Function, Local
from talewright.runtime.lower.builds.counters import count_rule
from talewright.runtime.lower.builds.notes import times
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.decisions.decisions import ask, merged, new_point, pick
from talewright.runtime.lower.decisions.describe import count_point, offer_labels
from talewright.runtime.lower.decisions.possible import (
    affordable,
    can_run,
    each_of_type,
    possible,
    possible_block,
)
from talewright.runtime.lower.dispatch import (
    Member,
    block,
    condition,
    each,
    each_of_list,
    gather,
    lowers_loop,
    lowers_statement,
    lowers_value,
    value,
    value_as,
)
from talewright.runtime.lower.expressions.fields import deciders
from talewright.runtime.lower.expressions.values import of_kind
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.rules import each_bearer
from talewright.runtime.lower.statements.actions import action_scope, head_of
from talewright.runtime.lower.statements.effects import AFFORDS, ask_effect
from talewright.runtime.lower.statements.endings import finish_value
from talewright.runtime.model.cells import MENU_ARGUMENTS
from talewright.runtime.model.types import TEXT, many, may_be_none, none_of
from talewright.runtime.model.world import RuleEntry, plain
from talewright.schemas.node_walk import free_locals, walk
from talewright.schemas.nodes import operators as o
from talewright.schemas.nodes import reads as r
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.arguments import AnyOf, Anything, EffectBlock
from talewright.schemas.nodes.declared import ActionDeclaration, MenuDeclaration
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.names import LocalRef, Offers
from talewright.schemas.nodes.queries import Question
from talewright.schemas.nodes.rules import OfferRule, Parameter

MANY_TIMES = 1 << 29


# ------------------------------------------------------------------ what an offer leaves open
def offer_of(entry: RuleEntry) -> OfferRule:
    """The rule of an entry that is an offer."""
    assert isinstance(entry.rule, OfferRule)
    return entry.rule


def mentions(text: Text, number: int) -> bool:
    """Whether a text shows a local."""
    return any(isinstance(node, LocalRef) and node.number == number for node in walk(text))


def shown_parts(rule: OfferRule) -> list[Parameter]:
    """What an offer leaves open and its label shows."""
    return [part for part in rule.unbound if mentions(rule.label, part.local)]


def asked_parts(rule: OfferRule) -> list[Parameter]:
    """What an offer leaves open and asks for once it is taken."""
    return [part for part in rule.unbound if not mentions(rule.label, part.local)]


def offer_scope(
    entry: RuleEntry, me: Expression, arguments: list[Expression], menu: MenuDeclaration
) -> Scope:
    """What the names of an offer mean before anything is filled in."""
    rule = offer_of(entry)
    types = local_types(rule.locals or ())
    locals_: dict[int, Expression] = {}
    sure: set[int] = set()
    for number, argument, parameter in zip(rule.params, arguments, menu.params, strict=True):
        if number is not None:
            locals_[number] = argument
            types[number] = parameter.type
            if not may_be_none(parameter.type):
                sure.add(number)
    types |= {part.local: part.type for part in rule.unbound}
    return Scope(
        locals_, types=types, me=me, owner=entry.owner, sure=frozenset(sure), verb="menu", rule=entry
    )


def taken_scope(
    menu: MenuDeclaration, code: Code, entry: RuleEntry, option: Expression, arguments: list[Expression]
) -> Scope:
    """What the names of an offer mean once it is an option: the parts that its label shows stand there."""
    shown = shown_parts(offer_of(entry))
    scope = offer_scope(entry, code.hold(load(option, 2)), arguments, menu)
    scope = scope.with_locals({part.local: code.hold(load(option, 3 + i)) for i, part in enumerate(shown)})
    return scope.with_types({}, {part.local for part in shown})


def each_value(code: Code, rule: OfferRule, part: Parameter, mask: Expression, body: Member) -> None:
    """Runs a body for everything that an open part can be, copies alike as one."""
    inner = plain(part.type)
    options = gather(code, lambda push: each_in_domain(code, rule, part, push), part.type)
    if inner.tag == "thing":
        merged(code, options, mask, part.type)
    each_of_list(code, options, body)


def each_in_domain(code: Code, rule: OfferRule, part: Parameter, push: Member) -> None:
    """What the head of the action says an open part must lie in, else every value of its type."""
    narrowed = _narrowed(code, rule, part)
    if narrowed is not None:
        narrowed(push)
        return
    each_of_type(code, part.type, part.name, push)


def _narrowed(code: Code, rule: OfferRule, part: Parameter) -> Callable[[Member], None] | None:
    """The container or set in which the action that an offer calls requires an open part to lie."""
    if not rule.body or not isinstance(rule.body[0], s.Call):
        return None
    node = rule.body[0]
    action = code.program.actions.get(node.action)
    if action is None:
        return None
    index = next((i for i, a in enumerate(node.args) if a == LocalRef(part.local)), None)
    if index is None:
        return None
    local = action.params[index].local
    for required in head_of(action):
        if not isinstance(required, s.Requires):
            continue
        for test in conjuncts(required.condition):
            source = source_of(test, local)
            if source is not None:
                scope = _call_scope(code, node, action, source)
                if scope is not None:
                    return partial(_each_in, code, scope, source, part)
    return None


def conjuncts(node: object) -> list[object]:
    """The conditions that must all hold for one to hold."""
    if isinstance(node, o.And):
        return [*conjuncts(node.left), *conjuncts(node.right)]
    return [node]


def source_of(test: object, local: int) -> object | None:
    """The container or set in which a condition says that a local lies."""
    if isinstance(test, o.LiesIn):
        thing: object = test.thing
        return r.PileItems(test.pile) if thing == LocalRef(local) else None
    if isinstance(test, o.Member):
        item: object = test.item
        return test.of if item == LocalRef(local) else None
    return None


def _call_scope(code: Code, node: s.Call, action: ActionDeclaration, source: object) -> Scope | None:
    """The scope of the action's head, if what the source reads is known before the open part is."""
    known: dict[int, Expression] = {}
    for argument, parameter in zip(node.args, action.params, strict=True):
        if argument is None or not set(free_locals(argument)) <= set(code.scope.locals):
            continue
        known[parameter.local] = code.keep(value_as(code, argument, parameter.type))
    if not set(free_locals(source)) <= set(known):
        return None
    base = action_scope(code.program, action)
    return Scope(known, types=base.types, me=base.me, sure=base.sure, verb=action.verb, action=action.id)


def _each_in(code: Code, scope: Scope, source: object, part: Parameter, push: Member) -> None:
    kind = plain(part.type).name

    def one(member: Expression) -> None:
        code.when(
            of_kind(code, member, kind) if kind in code.program.world.kinds else ONE, lambda: push(member)
        )

    with code.in_scope(scope):
        each(code, source, one)


def fill_in(
    code: Code, rule: OfferRule, parts: list[Parameter], mask: Expression, found: Callable[[], None]
) -> None:
    """Runs a body for every way to fill in some open parts, one inside the other."""
    if not parts:
        found()
        return

    def one(member: Expression) -> None:
        with code.bound(parts[0].local, member, parts[0].type):
            fill_in(code, rule, parts[1:], mask, found)

    each_value(code, rule, parts[0], mask, one)


def can_be_filled(code: Code, rule: OfferRule, parts: list[Parameter], mask: Expression) -> Expression:
    """Whether an offer is possible with something in its open parts."""
    if not parts:
        return possible_block(code, rule.body)
    with code.search("filled") as (found, leave):
        fill_in(code, rule, parts, mask, lambda: code.when(possible_block(code, rule.body), leave))
    return found


# ------------------------------------------------------------------ menus
def need_menu(program: Program, name: str) -> str:
    """The function menu(who decides, arguments ...) that lists what a menu offers now."""
    menu = program.menus[name]
    return program.function(f"menu:{name}", 1 + len(menu.params), partial(_list_offers, menu))


def _list_offers(menu: MenuDeclaration, code: Code) -> Function:
    mask = Local(0)
    arguments: list[Expression] = [Local(1 + i) for i in range(len(menu.params))]
    code.giving()

    def fill(push: Member) -> None:
        for entry in code.program.offers.get(menu.id, []):
            each_bearer(code, entry, partial(_offer, code, menu, entry, arguments, mask, push))

    code.give(gather(code, fill, TEXT))
    return finish_value(code, many(TEXT))


def _offer(
    code: Code,
    menu: MenuDeclaration,
    entry: RuleEntry,
    arguments: list[Expression],
    mask: Expression,
    push: Member,
    me: Expression,
) -> None:
    rule = offer_of(entry)
    shown, asked = shown_parts(rule), asked_parts(rule)
    with code.in_scope(offer_scope(entry, me, arguments, menu)):

        def found() -> None:
            with code.if_(can_be_filled(code, rule, asked, mask)):
                parts = (code.scope.locals[part.local] for part in shown)
                push(code.new_list(entry.number, me, *parts))

        questions: list[Callable[[], Expression]] = []
        if menu.once_per is not None:
            used = code.program.once_cell(entry, me)
            questions.append(lambda: negate(load(used)))
        if rule.when is not None:
            questions.append(lambda: condition(code, rule.when))
        code.when(code.all_of(questions), lambda: fill_in(code, rule, shown, mask, found))


def take_offer(
    code: Code,
    menu: MenuDeclaration,
    entry: RuleEntry,
    option: Expression,
    mask: Expression,
    arguments: list[Expression],
) -> None:
    """Does what an offer says: fills in what is open, then runs its statements."""
    take = partial(_take, menu, entry)
    name = code.program.function(f"offer:{entry.number}", 2 + len(menu.params), take, gives=False)
    code.ask_call(name, (option, mask, *arguments))


def _take(menu: MenuDeclaration, entry: RuleEntry, code: Code) -> None:
    rule = offer_of(entry)
    option, mask = Local(0), Local(1)
    arguments: list[Expression] = [Local(2 + i) for i in range(len(menu.params))]
    code.scope = taken_scope(menu, code, entry, option, arguments)
    asked = asked_parts(rule)
    code.spot = rule.at
    count_rule(code, entry, code.scope.me)
    verb_name = _offer_verb(code.program, rule)
    for index, part in enumerate(asked):
        point = new_point(code, "choose", part.name, part.type, None, f"{verb_name}.{part.name}")
        rest = asked[index + 1 :]

        def options(part: Parameter = part, rest: list[Parameter] = rest) -> Expression:
            def fill(push: Member) -> None:
                def one(member: Expression) -> None:
                    with code.bound(part.local, member, part.type):
                        test = can_be_filled(code, rule, rest, mask)
                        code.when(test, lambda: push(member))

                each_value(code, rule, part, mask, one)

            return gather(code, fill, part.type)

        outer = code.scope
        made = pick(code, point, mask, options, part.type, False, const(none_of(part.type)))
        code.scope = outer
        code.bind(part.local, made, part.type, sure=True)
    block(code, rule.body)


def _offer_verb(program: Program, rule: OfferRule) -> str:
    first = rule.body[0] if rule.body else None
    if isinstance(first, s.Call) and first.action in program.actions:
        return program.actions[first.action].verb
    return "menu"


@lowers_statement(s.OpenMenu)
def open_menu(code: Code, node: s.OpenMenu) -> None:
    program = code.program
    menu = program.menus[node.menu.id]
    arguments = [
        code.of_type(code.keep(value_as(code, argument, parameter.type)), parameter.type)
        for argument, parameter in zip(node.menu.args, menu.params, strict=True)
    ]
    mask = code.keep(deciders(code, node.by))
    point = new_point(code, "menu", "menu", None, node.prompt, f"menu.{menu.id}")
    program.menu_points[point] = menu
    passing = menu.pass_text is not None or node.up_to is not None or node.until_passed
    left = code.hold(
        const(MANY_TIMES) if node.until_passed else ONE if node.up_to is None else value(code, node.up_to)
    )
    listing = need_menu(program, menu.id)
    code.uses_stack()
    with code.loop() as (again, out):
        code.leave_if(left <= 0, out)
        with code.released():
            count_point(code, point)
            _note_arguments(code, arguments)
            options = code.call(listing, mask, *arguments)
            count = code.hold(load(options))
            code.leave_if(negate(count), out)
            taken = code.hold(load(options, 1))
            with code.if_(ONE if passing else count > 1):
                if passing:
                    code.do("push_option", options, 0)
                    code.assign(count, count + 1)
                entries = program.offers.get(menu.id, [])
                scope = partial(taken_scope, menu)
                labels = offer_labels(code, menu.id, arguments, entries, scope)
                index = ask(code, point, mask, options, count, labels, again)
                code.assign(taken, load(options + index, 1))
            code.leave_if(negate(taken), out)
            for entry in program.offers.get(menu.id, []):
                with code.if_(equal(load(taken, 1), entry.number)):
                    if menu.once_per is not None:
                        code.put(program.once_cell(entry, load(taken, 2)), 1)
                    take_offer(code, menu, entry, taken, mask, arguments)
        code.assign(left, left - 1)


def _note_arguments(code: Code, arguments: list[Expression]) -> None:
    """Writes down what a menu was opened with, for bots and for whoever asks why."""
    build = code.program.build
    if (build.bots or build.events) and arguments:
        code.set(MENU_ARGUMENTS, code.new_list(*arguments))


@lowers_loop(Offers)
def offers(code: Code, node: Offers, body: Member) -> None:
    """What a menu without parameters offers now."""
    made = code.pushed(need_menu(code.program, node.menu), code.program.all_seats())
    each_of_list(code, made, body)


# ------------------------------------------------------------------ questions about calls
@lowers_value(Question)
def question(code: Code, node: Question) -> Expression:
    match node.question:
        case "possible":
            if node.effect is not None:
                return can_run(code, node.effect, node.args)
            return possible(code, node.call)
        case "affordable":
            if isinstance(node.call, s.RunEffect):
                return ask_effect(code, node.call.of, node.call.args, AFFORDS)
            return affordable(code, (node.call,))
        case "offered":
            return _offered(code, node)
    return times(code, node)


def _offered(code: Code, node: Question) -> Expression:
    """Whether some menu would offer a call now, whoever it is opened for."""
    program = code.program
    asked = node.call
    assert isinstance(asked, s.Call)
    action = program.actions.get(asked.action)
    if action is None:
        return ZERO
    wanted: list[Expression | None] = [
        None
        if argument is None or isinstance(argument, Anything | AnyOf | EffectBlock)
        else code.keep(value_as(code, argument, parameter.type))
        for argument, parameter in zip(asked.args, action.params, strict=True)
    ]
    code.uses_stack()
    with code.search("offered") as (found, leave):
        for menu in program.menus.values():
            for entry in program.offers.get(menu.id, []):
                first = offer_of(entry).body[:1]
                if first and isinstance(first[0], s.Call) and first[0].action == asked.action:
                    _offered_by(code, menu, entry, first[0], wanted, leave)
    return found


def _offered_by(
    code: Code,
    menu: MenuDeclaration,
    entry: RuleEntry,
    call_: s.Call,
    wanted: list[Expression | None],
    yes: Callable[[], None],
) -> None:
    """Runs a body if one offer, for somebody who opens its menu, makes the call that is asked for."""
    rule = offer_of(entry)
    mask = const(code.program.all_seats())
    open_parts = {part.local: part for part in rule.unbound}

    def with_arguments(arguments: list[Expression]) -> None:
        if len(arguments) < len(menu.params):
            parameter = menu.params[len(arguments)]
            each_of_type(
                code, parameter.type, parameter.name, lambda member: with_arguments([*arguments, member])
            )
            return
        each_bearer(code, entry, lambda me: borne(me, arguments))

    def borne(me: Expression, arguments: list[Expression]) -> None:
        with code.in_scope(offer_scope(entry, me, arguments, menu)):
            test = ONE if rule.when is None else condition(code, rule.when)
            code.when(test, lambda: fill(0, []))

    def fill(index: int, tests: list[Callable[[], Expression]]) -> None:
        if index == len(wanted):
            code.when(code.all_of([*tests, lambda: possible_block(code, (call_,))]), yes)
            return
        argument, want = call_.args[index], wanted[index]
        part = open_parts.get(argument.number) if isinstance(argument, LocalRef) else None
        if part is None:
            if want is not None and argument is not None:
                tests = [*tests, lambda: equal(want, value(code, argument))]
            fill(index + 1, tests)
            return

        def one(member: Expression) -> None:
            with code.bound(part.local, member, part.type):
                fill(index + 1, tests)

        if want is None:
            each_value(code, rule, part, mask, one)
        else:
            one(want)

    with_arguments([])
