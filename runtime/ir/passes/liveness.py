"""Which locals are still needed at a place. Sets of locals are bits of a number: bit k is local k."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from talewright.runtime.ir.nodes import (
    Ask,
    AskingCall,
    AskingCallIndirect,
    Assign,
    Block,
    Branch,
    Const,
    Copy,
    Evaluate,
    Expression,
    Fault,
    Function,
    Goto,
    If,
    Local,
    Loop,
    Parts,
    Return,
    Statement,
    Store,
    Switch,
)
from talewright.runtime.ir.walk import EXPRESSIONS, OPERANDS


def used(nodes: tuple[Expression, ...]) -> int:
    """The locals that expressions read."""
    found = 0
    for node in nodes:
        if type(node) is Local:
            found |= 1 << node.index
        elif type(node) is not Const:
            found |= used(OPERANDS[type(node)](node))
    return found


def live_at_entry(function: Function) -> int:
    """The locals whose first values a function reads; beyond the parameters these are the ones that must begin as 0."""
    return _Analysis().before(function.body, 0)


def live_in_parts(parts: Sequence[Sequence[Statement]], place: Mapping[int, int] | None = None) -> list[int]:
    """The locals needed at the beginning of each part, where a part goes on with the next.

    `place` says where the part of a number stands, if the order is another.
    """
    live = [0] * (len(parts) + 1)
    analysis = _Analysis()
    analysis.parts = live
    analysis.place = range(len(parts)) if place is None else place
    changed = True
    while changed:
        changed = False
        for part in reversed(range(len(parts))):
            analysis.part = part
            now = analysis.before(parts[part], live[part + 1])
            if now != live[part]:
                live[part] = now
                # Where nothing goes back, the parts behind are final when one is looked at.
                changed = analysis.goes_back
    return live[:-1]


class _Analysis:
    """Goes backward through statements."""

    def __init__(self) -> None:
        self.labels: dict[str, int] = {}
        # What statements read themselves; loops are gone through more than once.
        self.reads: dict[int, int] = {}
        self.heads: dict[int, int] = {}
        self.parts: list[int] = []
        self.place: Sequence[int] | Mapping[int, int] = ()
        # The part that is looked at, and whether one goes to itself or to one before it.
        self.part = 0
        self.goes_back = False

    def before(self, body: Sequence[Statement], after: int) -> int:
        """The locals needed before a body, if those in `after` are needed behind it."""
        for node in reversed(body):
            after = self.statement(node, after)
        return after

    def statement(self, node: Statement, after: int) -> int:
        kind = type(node)
        if kind in _PLAIN:
            return after | self.read_by(node)
        if type(node) is Assign:
            return after & ~(1 << node.local) | self.read_by(node)
        match node:
            case If():
                after = self.before(node.then, after) | self.before(node.otherwise, after)
            case Block():
                self.labels[node.label] = after
                return self.before(node.body, after)
            case Loop():
                # Going round only ever adds, so that the last answer is a good beginning when an outer loop goes round.
                head = self.heads.get(id(node), 0)
                while True:
                    self.labels[node.label] = head
                    now = self.before(node.body, after) | head
                    if now == head:
                        self.heads[id(node)] = head
                        return head
                    head = now
            case Branch():
                return self.labels[node.label]
            case Switch():
                inside = self.before(node.default, after)
                for case in node.cases:
                    inside |= self.before(case, after)
                after = inside
            case Parts():
                return live_in_parts(node.parts)[0] | 1 << node.entry
            case Goto():
                target = self.place[node.part]
                self.goes_back = self.goes_back or target <= self.part
                return self.parts[target]
            case Fault():
                return 0
            case Return():
                after = 0
            case AskingCall() | AskingCallIndirect() | Ask():
                if node.result is not None:
                    after &= ~(1 << node.result)
            case _:
                raise AssertionError(f"{kind.__name__} is not known")
        return after | self.read_by(node)

    def read_by(self, node: Statement) -> int:
        """The locals that a statement itself reads."""
        reads = self.reads.get(id(node))
        if reads is None:
            reads = self.reads[id(node)] = used(EXPRESSIONS[type(node)](node))
        return reads


# Statements that only read locals.
_PLAIN: Final = frozenset((Store, Evaluate, Copy))
