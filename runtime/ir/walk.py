"""Walks over nodes: the expressions in a node, the bodies in a statement, and a copy with statements replaced."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
    Not,
    Parts,
    Random,
    Return,
    Statement,
    Store,
    Switch,
)


def operands(node: Expression) -> tuple[Expression, ...]:
    """The expressions that an expression is made of, in the order of evaluation."""
    match node:
        case Const() | Local():
            return ()
        case Binary() | Checked():
            return (node.left, node.right)
        case Load():
            return (node.address,)
        case Not():
            return (node.value,)
        case Conditional():
            return (node.condition, node.yes, node.no)
        case Call():
            return node.arguments
        case CallIndirect():
            return (node.index, *node.arguments)
        case Random():
            return (node.low, node.high, node.stream, node.step, node.count)


def expressions(node: Statement) -> tuple[Expression, ...]:
    """The expressions of a statement itself, in the order of evaluation."""
    match node:
        case Assign():
            return (node.value,)
        case Store():
            return (node.address, node.value)
        case Evaluate():
            return (node.expression,)
        case If():
            return (node.condition,)
        case Return():
            return () if node.value is None else (node.value,)
        case Copy():
            return (node.target, node.source, node.count)
        case Switch():
            return (node.index,)
        case AskingCall():
            return node.arguments
        case AskingCallIndirect():
            return (node.index, *node.arguments)
        case Loop() | Block() | Branch() | Fault() | Ask() | Parts() | Goto():
            return ()


def bodies(node: Statement) -> tuple[Body, ...]:
    """The bodies of a statement."""
    match node:
        case If():
            return (node.then, node.otherwise)
        case Loop() | Block():
            return (node.body,)
        case Switch():
            return (*node.cases, node.default)
        case Parts():
            return node.parts
        case _:
            return ()


def assigned(node: Statement) -> int | None:
    """The local that a statement itself sets."""
    match node:
        case Assign():
            return node.local
        case AskingCall() | AskingCallIndirect() | Ask():
            return node.result
        case _:
            return None


def subexpressions(node: Expression) -> Iterator[Expression]:
    """An expression and all that it is made of."""
    yield node
    for part in operands(node):
        yield from subexpressions(part)


def statements(body: Body) -> Iterator[Statement]:
    """All statements of a body, those inside of others included."""
    for node in body:
        yield node
        for inner in bodies(node):
            yield from statements(inner)


def rewritten(body: Body, change: Callable[[Statement], Body]) -> Body:
    """A copy in which every statement, its bodies done first, is replaced by what `change` makes of it."""
    out: list[Statement] = []
    for node in body:
        match node:
            case If():
                then, otherwise = rewritten(node.then, change), rewritten(node.otherwise, change)
                if then is not node.then or otherwise is not node.otherwise:
                    node = If(node.condition, then, otherwise)
            case Loop():
                node = Loop(node.label, rewritten(node.body, change), node.spot)
            case Block():
                node = Block(node.label, rewritten(node.body, change))
            case Switch():
                cases = tuple(rewritten(case, change) for case in node.cases)
                node = Switch(node.index, cases, rewritten(node.default, change))
            case Parts():
                node = Parts(node.entry, tuple(rewritten(part, change) for part in node.parts))
            case _:
                pass
        out.extend(change(node))
    return tuple(out)
