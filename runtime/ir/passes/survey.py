"""What a function calls, and whether it asks or loops: found once, and used by every pass."""

from __future__ import annotations

from collections import Counter
from typing import Final

from talewright.runtime.ir.nodes import (
    Ask,
    AskingCall,
    AskingCallIndirect,
    Assign,
    Body,
    Call,
    CallIndirect,
    Const,
    Evaluate,
    Expression,
    Function,
    Local,
    Loop,
    Module,
    Store,
)
from talewright.runtime.ir.walk import BODIES, EXPRESSIONS, OPERANDS
from talewright.schemas.records import field, record

# An indirect call reaches every slot of its shape: whether it may ask, how many arguments, whether it has a result.
Shape = tuple[bool, int, bool]


@record
class Survey:
    """What stands in a function."""

    callees: Counter[str] = field(default_factory=Counter)
    """The functions that it calls by name, and in how many places."""
    shapes: set[Shape] = field(default_factory=set)
    asks: bool = False
    """Whether it has a decision, or calls one of the table that may ask."""
    asking_calls: bool = False
    """Whether some calls are written as those of functions that ask."""
    loops: bool = False


Surveys = dict[str, Survey]
_LEAVES: Final = frozenset((Const, Local))


def survey(function: Function) -> Survey:
    """Looks through one function."""
    found = Survey()
    _body(function.body, found)
    return found


def surveys(module: Module, known: Surveys | None = None) -> Surveys:
    """Looks through all functions that are not known yet."""
    known = known or {}
    return {function.name: known.get(function.name) or survey(function) for function in module.functions}


def _body(body: Body, found: Survey) -> None:
    for node in body:
        kind = type(node)
        for expression in EXPRESSIONS[kind](node):
            if type(expression) not in _LEAVES:
                _expression(expression, found)
        if kind is Assign or kind is Store or kind is Evaluate:
            continue
        if type(node) is AskingCall:
            found.callees[node.function] += 1
            found.asking_calls = True
        elif type(node) is AskingCallIndirect:
            found.shapes.add((True, len(node.arguments), False))
            found.asks = True
        elif type(node) is Ask:
            found.asks = True
        else:
            inside = BODIES.get(kind)
            if inside is not None:
                if kind is Loop:
                    found.loops = True
                for inner in inside(node):
                    if inner:
                        _body(inner, found)


def _expression(node: Expression, found: Survey) -> None:
    if type(node) is Call:
        found.callees[node.function] += 1
    elif type(node) is CallIndirect:
        found.shapes.add((False, len(node.arguments), node.result))
    for operand in OPERANDS[type(node)](node):
        if type(operand) not in _LEAVES:
            _expression(operand, found)
