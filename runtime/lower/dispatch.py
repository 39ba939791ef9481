"""Which function lowers which node.

`value` gives an expression, `condition` one that is 1 or 0, `each` runs a body for every member of a collection, `listed`
makes a list of it, `statement` writes a statement. Modules enter their functions with the decorators.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from talewright.runtime.faults import LoadError, misfit
from talewright.runtime.ir.build import (
    ZERO,
    cell,
    const,
    equal,
    is_truth,
    load,
    negate,
    set_cell,
    store,
    truth,
)
from talewright.runtime.ir.header import STACK_TOP, TOO_MUCH
from talewright.runtime.ir.nodes import Assign, Body, Expression, Fault, If, Local, Statement
from talewright.runtime.ir.walk import rewritten
from talewright.runtime.lower.code import Code
from talewright.runtime.lower.typing import COUNTED, maybe_none, type_of
from talewright.runtime.model.cells import GATHER_TOP, SPOT
from talewright.runtime.model.layout import STACK_END
from talewright.runtime.model.types import is_block, is_list, is_number, item_of, none_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.declaration import Node
from talewright.schemas.nodes.literals import NoneLiteral, SetLiteral, Text
from talewright.schemas.nodes.names import StateRef, ThingsOfKind
from talewright.schemas.nodes.queries import CoreFunctionCall, Question
from talewright.schemas.nodes.reads import FieldOf, LookUp
from talewright.schemas.nodes.types import Type

Lowers = Callable[..., Expression]
Loops = Callable[..., None]
Member = Callable[[Expression], None]
Handler = TypeVar("Handler", bound=Callable[..., object])

_VALUES: dict[type, Lowers] = {}
_LOOPS: dict[type, Loops] = {}
_WITHOUT_LIST: dict[type, Callable[..., bool]] = {}
_STATEMENTS: dict[type, Loops] = {}


def lowers_value(*nodes: type) -> Callable[[Handler], Handler]:
    """Enters a function (code, node) that gives the value of a node."""
    return _entering(_VALUES, nodes)


def lowers_loop(*nodes: type) -> Callable[[Handler], Handler]:
    """Enters a function (code, node, body) that runs the body for every member of a collection."""
    return _entering(_LOOPS, nodes)


def loops_without_list(*nodes: type) -> Callable[[Handler], Handler]:
    """Enters a function (code, node, body) that does the same for some nodes, and says whether it did; else there is a list."""
    return _entering(_WITHOUT_LIST, nodes)


def lowers_statement(*nodes: type) -> Callable[[Handler], Handler]:
    """Enters a function (code, node) that writes a statement."""
    return _entering(_STATEMENTS, nodes)


def _entering(entries: dict[type, Any], nodes: Iterable[type]) -> Callable[[Handler], Handler]:
    def entered(handler: Handler) -> Handler:
        for node in nodes:
            assert node not in entries, f"{node.__name__} is lowered twice"
            entries[node] = handler
        return handler

    return entered


def unknown(node: object) -> LoadError:
    """What is said of a node that cannot be lowered."""
    if node is None:
        return misfit("something is missing here")
    word = type(node).declared.word if isinstance(node, Node) else ""
    return misfit(f"`{word}` cannot stand here" if word else "something here cannot be played")


# ------------------------------------------------------------------ expressions
def value(code: Code, node: object) -> Expression:
    """The value of an expression."""
    handler = _VALUES.get(type(node))
    if handler is not None:
        return handler(code, node)
    if type(node) in _LOOPS:
        return listed(code, node)
    raise unknown(node)


def value_as(code: Code, node: object, type_: Type) -> Expression:
    """The value of an expression where something of a type is wanted: `none` is that type's."""
    if isinstance(node, NoneLiteral):
        return const(none_of(type_))
    refuse_text_as_number(node, type_)
    if plain(type_).tag == "role":
        from talewright.runtime.lower.expressions.fields import deciders

        return deciders(code, node)
    made = value(code, node)
    have = type_of(code, node)
    if is_list(type_) and not is_list(have) and have.tag not in ("any", "role"):
        return single(code, made, maybe_none(code, node), have)
    return made


def refuse_text_as_number(node: object, type_: Type) -> None:
    """Refuses a damaged document; in memory, a text is a number like any other."""
    if isinstance(node, Text) and is_number(type_):
        raise misfit("a text stands where a number is wanted")


def single(code: Code, item: Expression, maybe: bool, type_: Type) -> Expression:
    """A list of one member, or of none if there is nothing."""
    code.uses_stack()
    held = code.keep(item)
    if not maybe:
        return code.new_list(held)
    made = code.new_list()
    code.when(equal(held, none_of(type_)), lambda: None, lambda: code.do("push", made, held))
    return made


def condition(code: Code, node: object) -> Expression:
    """Whether a condition holds: 1 or 0; what is none does not hold."""
    made = value(code, node)
    if maybe_none(code, node) and not is_truth(made):
        return equal(made, 1)
    if isinstance(node, Question) and node.question in COUNTED:
        return truth(made)
    return made


# ------------------------------------------------------------------ collections
def each(code: Code, node: object, body: Member) -> None:
    """Runs a body for every member of a collection."""
    handler = _LOOPS.get(type(node))
    if handler is not None:
        handler(code, node, body)
        return
    without_list = _WITHOUT_LIST.get(type(node))
    if without_list is None or not without_list(code, node, body):
        each_of_list(code, listed(code, node), body)


def can_loop(node: object) -> bool:
    """Whether the members of a collection can be looked at one after the other, without a list."""
    return type(node) in _LOOPS or is_in_braces(node)


def is_in_braces(node: object) -> bool:
    """Whether a set is written as its members, which are compared with each other."""
    return (
        isinstance(node, CoreFunctionCall)
        and node.function == "distinct"
        and isinstance(node.args[0], SetLiteral)
    )


def each_of_list(code: Code, things: Expression, body: Member) -> None:
    """Runs a body for every item of a list."""
    address = code.keep(things)
    count = code.keep(load(address))
    with code.count_up(0, count) as index:
        body(code.hold(load(address + index, 1)))


def listed(code: Code, node: object) -> Expression:
    """A collection as a list on the stack; one thing is a list of itself."""
    if type(node) not in _LOOPS:
        type_ = type_of(code, node)
        made = value(code, node)
        listed_by_itself = type_.tag in ("any", "role", "text") or plain(type_).tag in ("pool", "dice")
        if is_list(type_) or listed_by_itself:
            return made
        return single(code, made, maybe_none(code, node), type_)
    if isinstance(node, ThingsOfKind) and code.program.is_fixed(node.id):
        return const(code.program.layout.fixed_list(code.program.in_order(node.id)))
    return gather(code, lambda push: each(code, node, push), element_type(code, node))


def given(code: Code, node: object, type_: Type) -> Expression:
    """The value of an expression where something of a type is to be kept or given: a list is made of a loop."""
    return listed(code, node) if is_list(type_) else value_as(code, node, type_)


def own_list(code: Code, node: object) -> Expression:
    """A list that stays as it is now: what is stored may change later."""
    made = listed(code, node)
    if not isinstance(node, StateRef | FieldOf | LookUp):
        return made
    code.uses_stack()
    held = code.keep(made)
    return code.choose(held, lambda: code.call("copy_list", held), lambda: ZERO)


def gather(code: Code, fill: Callable[[Member], None], item: Type) -> Local:
    """A list of what a loop brings.

    It is made where the stack ends, if the loop leaves nothing else there. If it does, members are collected apart from the
    stack; at the end they are put where the stack began, unless they are themselves blocks that the loop has put there.
    """
    code.uses_stack()
    begin = code.hold(cell(STACK_TOP))
    member = code.fresh()
    before = code.stack_uses
    with code.captured() as body:
        fill(partial(code.assign, member))
    if code.stack_uses == before:
        # What is called works behind the members that are there already.
        top = cell(STACK_TOP)
        full = If(negate(top < STACK_END), (Fault(TOO_MUCH, code.spot),))
        code.set(STACK_TOP, begin + 1)
        code.emit(*_with_each(body, member, (full, store(top, 0, member), set_cell(STACK_TOP, top + 1))))
        code.put(begin, top - begin - 1)
        return begin
    base = code.hold(cell(GATHER_TOP))
    put = (store(cell(GATHER_TOP), 0, member), set_cell(GATHER_TOP, cell(GATHER_TOP) + 1))
    code.emit(*_with_each(body, member, put))
    return code.call("gathered", base, cell(STACK_TOP) if is_block(item) else begin)


def _with_each(body: Iterable[Statement], member: Local, put: Body) -> Body:
    """A loop in which something is done with each member once it is known."""

    def expanded(node: Statement) -> Body:
        return (node, *put) if isinstance(node, Assign) and node.local == member.index else (node,)

    return rewritten(tuple(body), expanded, (Assign,))


def element_type(code: Code, node: object) -> Type:
    """The type of the members of a collection."""
    return item_of(type_of(code, node))


# ------------------------------------------------------------------ statements
def statement(code: Code, node: object) -> None:
    """Writes one statement."""
    handler = _STATEMENTS.get(type(node))
    if handler is None:
        raise unknown(node)
    spot = getattr(node, "at", None)
    if isinstance(spot, int):
        code.spot = spot
        if code.program.build.events:
            code.set(SPOT, spot)
    handler(code, node)


def block(code: Code, body: Iterable[object]) -> None:
    """Writes the statements of a block, whose names are not seen outside of it."""
    outer = code.scope
    for node in body:
        statement(code, node)
    code.scope = outer
