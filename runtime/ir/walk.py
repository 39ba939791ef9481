"""Walks over nodes: the expressions in a node, the bodies in a statement, and a copy with statements replaced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from typing import Final

from talewright.runtime.ir.nodes import (
    Ask,
    AskingCall,
    AskingCallIndirect,
    Assign,
    Binary,
    Block,
    Body,
    Branch,
    Call,
    CallIndirect,
    Checked,
    Conditional,
    Const,
    Copy,
    Evaluate,
    Expression,
    Fault,
    Goto,
    If,
    Load,
    Local,
    Loop,
    LowestBit,
    Not,
    Parts,
    Random,
    Return,
    Statement,
    Store,
    Switch,
)

# For each class, how to get at what is in a node.
OPERANDS: Final[dict[type[Expression], Callable[..., tuple[Expression, ...]]]] = {
    Const: lambda node: (),
    Local: lambda node: (),
    Binary: lambda node: (node.left, node.right),
    Checked: lambda node: (node.left, node.right),
    Load: lambda node: (node.address,),
    Not: lambda node: (node.value,),
    LowestBit: lambda node: (node.value,),
    Conditional: lambda node: (node.condition, node.yes, node.no),
    Call: lambda node: node.arguments,
    CallIndirect: lambda node: (node.index, *node.arguments),
    Random: lambda node: (node.low, node.high, node.stream, node.step, node.count),
}

EXPRESSIONS: Final[dict[type[Statement], Callable[..., tuple[Expression, ...]]]] = {
    Assign: lambda node: (node.value,),
    Store: lambda node: (node.address, node.value),
    Evaluate: lambda node: (node.expression,),
    If: lambda node: (node.condition,),
    Return: lambda node: () if node.value is None else (node.value,),
    Copy: lambda node: (node.target, node.source, node.count),
    Switch: lambda node: (node.index,),
    AskingCall: lambda node: node.arguments,
    AskingCallIndirect: lambda node: (node.index, *node.arguments),
    **dict.fromkeys((Loop, Block, Branch, Fault, Ask, Parts, Goto), lambda node: ()),
}

BODIES: Final[dict[type[Statement], Callable[..., tuple[Body, ...]]]] = {
    If: lambda node: (node.then, node.otherwise),
    Loop: lambda node: (node.body,),
    Block: lambda node: (node.body,),
    Switch: lambda node: (*node.cases, node.default),
    Parts: lambda node: node.parts,
}
# What nothing comes after.
LEAVING: Final = frozenset((Branch, Return, Fault, Goto))


def operands(node: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is made of, in the order of evaluation."""
    return OPERANDS[type(node)](node)


def expressions(node: Statement) -> tuple[Expression, ...]:
    """The expressions of a statement itself, in the order of evaluation."""
    return EXPRESSIONS[type(node)](node)


def bodies(node: Statement) -> tuple[Body, ...]:
    """The bodies of a statement."""
    found = BODIES.get(type(node))
    return () if found is None else found(node)


def assigned(node: Statement) -> int | None:
    """The local that a statement itself sets."""
    match node:
        case Assign():
            return node.local
        case AskingCall() | AskingCallIndirect() | Ask():
            return node.result
        case _:
            return None


def count_reads(node: Expression, read: Counter[int]) -> None:
    """Counts how often each local is read in an expression."""
    if type(node) is Local:
        read[node.index] += 1
    for operand in OPERANDS[type(node)](node):
        count_reads(operand, read)


def calls(nodes: tuple[Expression, ...], found: list[Call | CallIndirect]) -> None:
    """Adds the calls in expressions; most have none, so that this has to be quick."""
    for node in nodes:
        kind = type(node)
        if kind is Const or kind is Local:
            continue
        if type(node) is Call or type(node) is CallIndirect:
            found.append(node)
        calls(OPERANDS[kind](node), found)


def statements(body: Body) -> list[Statement]:
    """All statements of a body, each before those inside of it."""
    found: list[Statement] = []
    _gather(body, found)
    return found


def _gather(body: Body, found: list[Statement]) -> None:
    for node in body:
        found.append(node)
        inner = BODIES.get(type(node))
        if inner is not None:
            for part in inner(node):
                if part:
                    _gather(part, found)


def leaves(body: Body) -> bool:
    """Whether nothing comes after it."""
    return bool(body) and type(body[-1]) in LEAVING


def rewritten(
    body: Body, change: Callable[[Statement], Body], kinds: Container[type[Statement]] = EXPRESSIONS
) -> Body:
    """A body in which every statement of certain kinds, its bodies done first, is replaced by what `change` makes of it.

    What does not change is not copied.
    """
    out: list[Statement] = []
    same = True
    for node in body:
        kind = type(node)
        new = _with_bodies(node, change, kinds) if kind in BODIES else node
        if kind in kinds:
            made = change(new)
            if len(made) != 1:
                same = False
                out.extend(made)
                continue
            new = made[0]
        if new is not node:
            same = False
        out.append(new)
    return body if same else tuple(out)


def with_bodies(node: Statement, parts: tuple[Body, ...]) -> Statement:
    """The same statement with other bodies, as many as it has."""
    match node:
        case If():
            return If(node.condition, parts[0], parts[1])
        case Loop():
            return Loop(node.label, parts[0], node.spot, node.times)
        case Block():
            return Block(node.label, parts[0])
        case Switch():
            return Switch(node.index, parts[:-1], parts[-1])
        case Parts():
            return Parts(node.entry, parts)
    return node


def _with_bodies(
    node: Statement, change: Callable[[Statement], Body], kinds: Container[type[Statement]]
) -> Statement:
    old = bodies(node)
    new = tuple(rewritten(body, change, kinds) for body in old)
    return (
        node if all(made is given for made, given in zip(new, old, strict=True)) else with_bodies(node, new)
    )
