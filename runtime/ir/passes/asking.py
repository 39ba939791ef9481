"""Finds which functions may ask, and writes every call the way its function needs it.

Lowering and kernel files need not know who asks: `settle` turns calls of functions that ask into `AskingCall`, and
`AskingCall` of the others into plain calls. A function that asks leaves its result in RESULT.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from talewright.runtime.ir.build import ZERO, cell, set_cell
from talewright.runtime.ir.header import RESULT
from talewright.runtime.ir.nodes import (
    AskingCall,
    Assign,
    Body,
    Call,
    CallIndirect,
    Evaluate,
    Expression,
    Function,
    Local,
    Module,
    Return,
    Statement,
)
from talewright.runtime.ir.passes.survey import Survey, Surveys, surveys
from talewright.runtime.ir.validate import InvalidModule
from talewright.runtime.ir.walk import calls, expressions, rewritten
from talewright.schemas.records import replace

# The function that answers at once when the host is not to be asked.
DECIDE: Final = "decide"


def called(nodes: tuple[Expression, ...]) -> list[str]:
    """The functions that expressions call by name."""
    found: list[Call | CallIndirect] = []
    calls(nodes, found)
    return [node.function for node in found if type(node) is Call]


def may_ask(module: Module, known: Surveys | None = None) -> frozenset[str]:
    """The functions with a decision in them, or in what they call."""
    callers: dict[str, list[str]] = {}
    waiting: list[str] = []
    for caller, found in (surveys(module) if known is None else known).items():
        for name in found.callees:
            callers.setdefault(name, []).append(caller)
        if found.asks:
            waiting.append(caller)
    asking = set(waiting)
    while waiting:
        for caller in callers.get(waiting.pop(), ()):
            if caller not in asking:
                asking.add(caller)
                waiting.append(caller)
    return frozenset(asking)


def settle(module: Module, entries: Iterable[str] = (), known: Surveys | None = None) -> Module:
    """The same module, with every call as its function needs it.

    Functions that ask, those in slots that may ask, and `entries` lose their result: it is left in RESULT.
    """
    known = surveys(module) if known is None else known
    asking = may_ask(module, known)
    silent = {slot.function for slot in module.table if not slot.asks}
    for name in asking & silent:
        raise InvalidModule(f"{name!r} asks, and stands in a slot of the table that does not")
    for name in asking & set(module.exports):
        raise InvalidModule(f"{name!r} asks, so that the host cannot call it: make it an entry")
    results = {function.name: function.result for function in module.functions}
    leaving = asking | frozenset(slot.function for slot in module.table if slot.asks) | frozenset(entries)
    for name in leaving & silent:
        raise InvalidModule(f"{name!r} stands in slots of both kinds")
    settler = _Settler(asking, leaving, results)
    functions = [
        settler.function(function) if _concerned(function, known[function.name], leaving) else function
        for function in module.functions
    ]
    return replace(module, functions=tuple(functions))


def _concerned(function: Function, found: Survey, leaving: frozenset[str]) -> bool:
    """Whether a function has calls that may have to be written otherwise, or leaves its result elsewhere."""
    return found.asking_calls or function.name in leaving or not leaving.isdisjoint(found.callees)


class _Settler:
    """Rewrites functions."""

    def __init__(self, asking: frozenset[str], leaving: frozenset[str], results: dict[str, bool]) -> None:
        self.asking = asking
        # Functions that leave their result in RESULT.
        self.leaving = leaving
        self.results = results
        self.locals = 0
        self.name = ""

    def function(self, function: Function) -> Function:
        self.locals = function.locals
        self.name = function.name
        leaves = function.name in self.leaving and function.result
        body = rewritten(function.body, self.statement)
        if leaves:
            body = rewritten(body, _left_result, (Return,))
            body = (*body, set_cell(RESULT, ZERO))
        return replace(function, locals=self.locals, result=function.result and not leaves, body=body)

    def new(self) -> int:
        self.locals += 1
        return self.locals - 1

    def call(self, node: Call, result: int | None) -> Body:
        """A call that is a statement, with its result in a local."""
        if node.function in self.asking:
            return (AskingCall(node.function, node.arguments, result),)
        if result is None:
            return (Evaluate(node),)
        if self.results[node.function] and node.function not in self.leaving:
            return (Assign(result, node),)
        return (Evaluate(node), Assign(result, cell(RESULT)))

    def statement(self, node: Statement) -> Body:
        match node:
            case AskingCall():
                self.silent(node.arguments)
                return self.call(Call(node.function, node.arguments), node.result)
            case Evaluate(expression=Call() as call):
                self.silent(call.arguments)
                return self.call(call, None)
            case Assign(value=Call() as call):
                self.silent(call.arguments)
                return self.call(call, node.local)
            case Return(value=Call() as call) if call.function in self.leaving:
                self.silent(call.arguments)
                slot = self.new()
                return (*self.call(call, slot), Return(Local(slot)))
            case _:
                self.silent(expressions(node))
                return (node,)

    def silent(self, nodes: tuple[Expression, ...]) -> None:
        """Refuses a call inside of an expression whose function asks or leaves its result elsewhere."""
        for name in called(nodes):
            if name in self.leaving:
                raise InvalidModule(
                    f"{self.name!r} calls {name!r}, which may ask, inside of an expression: "
                    "put the call before it, as a statement"
                )


def _left_result(node: Statement) -> Body:
    match node:
        case Return(value=value) if value is not None:
            return (set_cell(RESULT, value), Return())
        case _:
            return (node,)
