"""Decisions: who is asked, among what, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from talewright.runtime.ir.build import ONE, ZERO, cell, const, equal, load, negate, set_cell
from talewright.runtime.ir.header import NONE_IN_ARITHMETIC, OPTIONS, STACK_TOP
from talewright.runtime.ir.nodes import Ask, Expression, Local
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.decisions.anytime import do_anytime, list_anytime
from talewright.runtime.lower.decisions.describe import Labels, choice_labels, count_point, describe
from talewright.runtime.lower.decisions.possible import possible_block
from talewright.runtime.lower.dispatch import (
    block,
    condition,
    element_type,
    gather,
    listed,
    lowers_statement,
    lowers_value,
    value,
)
from talewright.runtime.lower.expressions.collections import narrow
from talewright.runtime.lower.expressions.fields import deciders
from talewright.runtime.lower.expressions.texts import text_number
from talewright.runtime.lower.program import Point
from talewright.runtime.lower.statements.statements import _turn
from talewright.runtime.lower.statements.verbs import Verb, verb
from talewright.runtime.model.cells import DECIDER, DECISION, OPTION_LIST
from talewright.runtime.model.types import INT, many, none_of
from talewright.runtime.model.world import plain
from talewright.schemas.node_walk import free_locals
from talewright.schemas.nodes import queries as q
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.types import Type

Options = Callable[[], Expression]


# ------------------------------------------------------------------ asking
def ask(
    code: Code,
    point: int,
    mask: Expression,
    options: Expression,
    count: Expression,
    labels: Labels | None = None,
    again: str = "",
) -> Local:
    """Asks one of the deciders for the number of an option, counted from 0.

    Where something may be done at any time, that is offered behind the others; once it is done, the decision is worked out
    anew: `again` is the label to go to.
    """
    code.fault_if(negate(mask), NONE_IN_ARITHMETIC)
    extra: Expression = ZERO
    if code.program.interrupts():
        extra = code.call(list_anytime(code.program), options, mask)
    describe(code, point, mask, options, labels)
    code.emit(
        set_cell(DECISION, point),
        set_cell(DECIDER, mask),
        set_cell(OPTION_LIST, options),
        set_cell(OPTIONS, count + extra),
    )
    chosen = code.fresh()
    code.emit(Ask(chosen.index))
    if code.program.interrupts():
        with code.if_(count <= chosen):
            code.ask_call(do_anytime(code.program), (load(options + chosen, 1),))
            code.go(again)
    return chosen


@contextmanager
def worked_out_anew(code: Code) -> Iterator[str]:
    """A decision that begins again when something else was done in the middle of it; gives the label to go to then."""
    if not code.program.interrupts():
        yield ""
        return
    code.uses_stack()
    mark = code.hold(cell(STACK_TOP))
    with code.loop() as (again, out):
        code.set(STACK_TOP, mark)
        yield again
        code.go(out)


def new_point(
    code: Code,
    form: str,
    name: str,
    type_: Type | None = None,
    prompt: Text | None = None,
    id_: str = "",
    several: bool = False,
    asks: object = None,
) -> int:
    """A new place where somebody is asked; what the names stand for that the question reads is written down there."""
    number = 0 if prompt is None else text_number(code, prompt)
    name = id_ or f"{code.scope.verb or 'game'}.{name}"
    counter = code.program.cell(f"decision {name} {code.spot}") if code.program.build.events else 0
    scope = code.scope
    reads = {local: code.local_type(local) for local in free_locals(asks) if local in scope.locals}
    return code.program.point(
        Point(name, form, type_, code.spot, number, counter, several, reads, scope.owner)
    )


def pick(
    code: Code,
    point: int,
    mask: Expression,
    make: Options,
    type_: Type,
    optional: bool,
    nothing: Expression,
    labels: Labels | None = None,
) -> Local:
    """One of some options: none if there is nothing, the only one unasked, else whoever decides is asked."""
    code.uses_stack()
    count_point(code, point)
    found = code.hold(nothing)
    with worked_out_anew(code) as again, code.released():
        options = code.hold(make())
        merged(code, options, mask, type_)
        count = code.hold(load(options))

        def choose() -> None:
            if optional:
                code.do("push_option", options, nothing)
                code.assign(count, count + 1)
            index = ask(code, point, mask, options, count, labels, again)
            code.assign(found, load(options + index, 1))

        def take_only() -> None:
            with code.if_(count):
                code.assign(found, load(options, 1))

        if optional:
            code.when(count, choose)
        else:
            code.when(count > 1, choose, take_only)
    return found


def merged(code: Code, options: Expression, mask: Expression, type_: Type) -> None:
    """Leaves one of the options that are the same as far as the deciders know."""
    inner = plain(type_)
    if inner.tag == "die":
        code.do("merge_dice", options)
    elif inner.tag == "thing" and code.program.has_copies(inner.name):
        code.do("merge_things", options, mask)


@lowers_statement(s.Choose)
def choose(code: Code, node: s.Choose) -> None:
    if node.mode in (None, "optional"):
        _choose_one_thing(code, node)
    else:
        _choose_several(code, node)


def _choose_one_thing(code: Code, node: s.Choose) -> None:
    point = new_point(code, "choose", node.name, node.type, node.prompt, asks=node)
    mask = code.keep(deciders(code, node.by))
    outer = code.scope
    nothing = const(none_of(node.type))
    found = pick(
        code, point, mask, lambda: listed(code, node.source), node.type, node.mode == "optional", nothing
    )
    code.scope = outer
    if node.head and node.mode is None:
        code.leave_if(equal(found, nothing), code.exit)
    code.bind(node.local, found, node.type, sure=node.head and node.mode is None)


def _choose_several(code: Code, node: s.Choose) -> None:
    """Several of the options, one after another; with `having` what remains is narrowed before every pick."""
    point = new_point(code, "choose", node.name, node.type, node.prompt, several=True, asks=node)
    mask = code.keep(deciders(code, node.by))
    assert node.amount is not None
    amount = code.keep(value(code, node.amount))
    best = node.source if isinstance(node.source, q.Best) else None
    source = best.of if best is not None else node.source
    item = element_type(code, source)
    every = code.hold(code.pushed("copy_list", listed(code, source)))
    left = code.hold(code.call("copy_list", every))
    chosen = code.new_list()
    for things in (every, left, chosen):
        code.of_type(things, many(item))
    code.do("reserve_list", chosen, load(every))
    most = code.hold(load(every)) if node.mode == "at least" else amount
    nothing = const(none_of(item))
    mark = code.hold(cell(STACK_TOP))
    if node.mode == "exactly" and best is None:
        with code.if_(load(left) <= amount):
            count_point(code, point)
            code.do("take_all", chosen, left)
    with code.loop() as (again, out):
        code.set(STACK_TOP, mark)
        code.leave_if(negate(load(left)), out)
        code.leave_if(most <= load(chosen), out)
        offered = code.hold(code.call("copy_list", left))
        if best is not None:
            narrow(code, best, offered)
            code.leave_if(negate(load(offered)), out)
        if node.mode == "exactly":
            room = most - load(chosen)
            with code.if_(load(offered) <= room):
                code.do("take_these", chosen, left, offered)
                code.go(again)
        free: Expression = ZERO
        if node.mode == "up to":
            free = ONE
        elif node.mode == "at least":
            free = amount <= load(chosen)
        one = code.hold(nothing)
        count_point(code, point)
        merged(code, offered, mask, item)
        count = code.hold(load(offered))
        freely = code.hold(free)

        def ask_one() -> None:
            with code.if_(freely):
                code.do("push_option", offered, nothing)
                code.assign(count, count + 1)
            index = ask(code, point, mask, offered, count, None, again)
            code.assign(one, load(offered + index, 1))

        code.when(freely | (count > 1), ask_one, lambda: code.assign(one, load(offered, 1)))
        code.leave_if(equal(one, nothing), out)
        code.do("take_one", chosen, left, one)
    made = code.call("in_order_of", every, chosen)
    code.bind(node.local, made, Type("list", "", (item,)), sure=True)


@lowers_statement(s.ChooseOne)
def choose_one(code: Code, node: s.ChooseOne) -> None:
    point = new_point(code, "options", "choice", None, node.prompt, asks=node)
    code.program.choice_points[point] = node
    mask = code.keep(deciders(code, node.by))

    def options() -> Expression:
        def fill(push: Callable[[Expression], None]) -> None:
            for number, option in enumerate(node.options, 1):
                test = ONE if option.when is None else condition(code, option.when)
                code.when(test, partial(push, const(number)))

        return gather(code, fill, INT)

    outer = code.scope
    taken = pick(code, point, mask, options, INT, node.optional, ZERO, choice_labels(code, node))
    code.scope = outer
    for number, option in enumerate(node.options, 1):
        code.when(equal(taken, number), partial(block, code, option.body))


@lowers_statement(s.May)
def may(code: Code, node: s.May) -> None:
    point = new_point(code, "yes", "may", None, node.label, asks=node)
    test = possible_block(code, node.body)
    if test != ZERO:
        with code.if_(test), code.if_(ask_yes(code, point, deciders(code, node.by))):
            block(code, node.body)


def ask_yes(code: Code, point: int, mask: Expression) -> Expression:
    """Whether somebody says yes: the first of two options."""
    count_point(code, point)
    held, chosen = code.keep(mask), code.fresh()
    with worked_out_anew(code) as again:
        answers: Expression = const(code.program.layout.fixed_list([1, 0]))
        if again:
            answers = code.call("copy_list", answers)
        code.assign(chosen, ask(code, point, held, answers, const(2), None, again))
    return equal(chosen, 0)


@lowers_value(q.Agreed)
def agreed(code: Code, node: q.Agreed) -> Expression:
    """Whether every one of some seats says yes, asked in order until one says no."""
    point = new_point(code, "yes", "agreed", None, node.text)
    mask = code.keep(deciders(code, node.by))
    everybody = code.hold(1)
    with code.block("no") as out:
        for bit in range(code.program.seat_count()):
            with code.if_(mask & (1 << bit)):
                yes = ask_yes(code, point, const(1 << bit))
                code.assign(everybody, yes)
                code.leave_if(negate(everybody), out)
    return everybody


# ------------------------------------------------------------------ orders that somebody chooses
def chosen_loop(code: Code, node: s.ForEach) -> None:
    """A loop in which somebody picks who is next."""
    item = node.type or element_type(code, node.of)
    name = code.scope.names.get(node.local, "it")
    point = new_point(code, "next", name, item)
    mask = code.keep(deciders(code, node.chosen_by))
    left = code.hold(code.pushed("copy_list", listed(code, node.of)))
    code.of_type(left, many(item))
    outer = code.scope
    with code.stoppable(), _each_chosen(code, point, mask, left, item) as member:
        code.do("remove_item", left, member)
        code.scope = outer
        code.bind(node.local, member, item, sure=True)
        _turn(code, node, member)
    code.scope = outer


@contextmanager
def _each_chosen(
    code: Code, point: int, mask: Expression, left: Expression, item: Type
) -> Iterator[Expression]:
    """Until nothing is left of a list, what somebody picks as next."""
    with code.loop() as (_, out):
        code.leave_if(negate(load(left)), out)
        yield pick(code, point, mask, lambda: code.call("copy_list", left), item, False, const(none_of(item)))


@verb("arrange")
def arrange(code: Code, call_: Verb) -> Expression | None:
    """Asks for an order; gives the list."""
    item = element_type(code, call_.node.args.first)
    point = new_point(code, "next", "arrange", None)
    mask = code.keep(deciders(code, call_.node.args.by))
    left = code.hold(code.pushed("copy_list", call_.part("first")))
    made = code.new_list()
    for things in (left, made):
        code.of_type(things, many(item))
    code.do("reserve_list", made, load(left))
    with _each_chosen(code, point, mask, left, item) as member:
        code.do("take_one", made, left, member)
    return made
