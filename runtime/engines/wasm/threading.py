"""Jump threading: where a block ends with a number that is only looked at, its exits go straight to what follows from it.

A function that stands in place of its call leaves a block with 0 or 1 in a local, and an `If` behind the block asks for that
local. The compiler of WebAssembly would make the number and ask for it.
"""

from __future__ import annotations

from talewright.runtime.ir.build import ONE, ZERO, is_truth, negate
from talewright.runtime.ir.nodes import (
    Assign,
    Binary,
    Block,
    Body,
    Branch,
    Conditional,
    Const,
    Expression,
    If,
    Local,
    Not,
    Statement,
)
from talewright.runtime.ir.walk import BODIES, LEAVING, bodies, with_bodies
from talewright.schemas.records import record


def threaded(body: Body) -> Body:
    """The same body, with its jumps threaded."""
    return _Threader().body(body)


@record
class _Exits:
    """Where the exits of a block go to, by what they leave in a local."""

    label: str
    local: int
    condition: Expression
    then: str
    otherwise: str
    threaded: bool = False
    kept: bool = False
    """Whether some exits still leave the block itself."""

    def target(self, value: Expression) -> str | None:
        """The label that a value leads to, if that is clear."""
        if type(value) is not Const:
            return None
        known = _known(self.condition, self.local, value.value)
        if type(known) is not Const:
            return None
        return self.then if known.value else self.otherwise


@record
class _Threader:
    count: int = 0
    """How many blocks have been taken apart: their labels are named by it."""

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        place = 0
        while place < len(body):
            node = body[place]
            following = body[place + 1] if place + 1 < len(body) else None
            if type(node) is Block and type(following) is If:
                made = self.threaded(node, following)
                if made is not None:
                    out.extend(made)
                    place += 2
                    continue
            if type(node) in BODIES:
                node = with_bodies(node, tuple(self.body(inner) for inner in bodies(node)))
            out.append(node)
            place += 1
        return tuple(out)

    def threaded(self, block: Block, test: If) -> Body | None:
        """A block and the test behind it, with exits that go straight on; nothing if there are none."""
        local = _tested(test.condition)
        if local is None:
            return None
        self.count += 1
        then, otherwise, end = (f"\0{self.count} {way}" for way in ("then", "otherwise", "end"))
        exits = _Exits(block.label, local, test.condition, then, otherwise)
        inner = _redirected(block.body, exits)
        if not exits.threaded:
            return None
        before = self.body((Block(block.label, inner),) if exits.kept else inner)
        if not (before and type(before[-1]) in LEAVING):
            before = (*before, If(test.condition, (Branch(then),), (Branch(otherwise),)))
        yes, no = self.body(test.then), self.body(test.otherwise)
        yes = (Block(then, before), *yes)
        if no and type(yes[-1]) not in LEAVING:
            return (Block(end, (Block(otherwise, (*yes, Branch(end))), *no)),)
        return (Block(otherwise, yes), *no)


def _tested(condition: Expression) -> int | None:
    """The local that a condition asks for first."""
    match condition:
        case Local(index=index):
            return index
        case Not(value=value) | Conditional(condition=value):
            return _tested(value)
        case Binary(operator="eq" | "ne", left=Local(index=index), right=Const()):
            return index
    return None


def _known(node: Expression, local: int, value: int) -> Expression:
    """A condition where a local has a value."""
    match node:
        case Local(index=index) if index == local:
            return Const(value)
        case Not():
            return negate(_known(node.value, local, value))
        case Conditional():
            condition = _known(node.condition, local, value)
            if type(condition) is not Const:
                return node
            return _known(node.yes if condition.value else node.no, local, value)
        case Binary(operator="eq", left=Local(index=index), right=Const() as right) if index == local:
            return ONE if value == right.value else ZERO
        case Binary(operator="ne", left=Local(index=index), right=Const() as right) if index == local:
            return ZERO if value == right.value else ONE
    return node


def _redirected(body: Body, exits: _Exits) -> Body:
    """A body whose exits go where their values lead to."""
    out: list[Statement] = []
    for place, node in enumerate(body):
        before = body[place - 1] if place else None
        if type(node) is Branch and node.label == exits.label:
            value = before.value if type(before) is Assign and before.local == exits.local else None
            target = None if value is None else exits.target(value)
            if target is not None:
                exits.threaded = True
                out.append(Branch(target))
            elif value is not None and exits.condition == Local(exits.local) and is_truth(value):
                # What is only looked at need not be made.
                exits.threaded = True
                out[-1] = If(
                    value,
                    (Assign(exits.local, ONE), Branch(exits.then)),
                    (Assign(exits.local, ZERO), Branch(exits.otherwise)),
                )
                return tuple(out)
            else:
                exits.kept = True
                out.append(node)
            continue
        if type(node) in BODIES:
            node = with_bodies(node, tuple(_redirected(inner, exits) for inner in bodies(node)))
        out.append(node)
    return tuple(out)
