"""What is known of the values of locals at a place: the lowest and the highest each can be.

The Python form need not wrap numbers that cannot overflow, nor look at indexes that cannot be negative.
"""

from __future__ import annotations

from typing import Final

from talewright.runtime.ir.arithmetic import HIGHEST, LOWEST
from talewright.runtime.ir.build import ONE, ZERO
from talewright.runtime.ir.nodes import (
    Assign,
    Binary,
    BinaryOperator,
    Body,
    Conditional,
    Const,
    Expression,
    Local,
    Not,
)
from talewright.runtime.ir.walk import assigned, statements

Range = tuple[int, int]
FULL: Final[Range] = (LOWEST, HIGHEST)

_OPPOSITES: Final[dict[BinaryOperator, BinaryOperator]] = {
    "eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt",
}  # fmt: skip
_MIRRORED: Final[dict[BinaryOperator, BinaryOperator]] = {
    "eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le",
}  # fmt: skip


class Ranges:
    """The ranges of the locals at one place; what is not in it can be anything."""

    __slots__ = ("known",)

    def __init__(self, known: dict[int, Range] | None = None) -> None:
        self.known = known if known is not None else {}

    def copy(self) -> Ranges:
        return Ranges(dict(self.known))

    def get(self, local: int) -> Range:
        return self.known.get(local, FULL)

    def put(self, local: int, found: Range) -> None:
        if found == FULL:
            self.known.pop(local, None)
        else:
            self.known[local] = found

    def narrow(self, local: int, lowest: int, highest: int) -> None:
        low, high = self.get(local)
        self.put(local, (max(low, lowest), min(high, highest)))

    def forget(self, locals_: frozenset[int]) -> Ranges:
        return Ranges({local: found for local, found in self.known.items() if local not in locals_})

    def joined(self, other: Ranges) -> Ranges:
        """What holds after one of two ways."""
        both = Ranges()
        for local, (low, high) in self.known.items():
            if local in other.known:
                other_low, other_high = other.known[local]
                both.put(local, (min(low, other_low), max(high, other_high)))
        return both

    def assume(self, condition: Expression, holds: bool) -> None:
        """Adds what follows from a condition that was just found to hold, or not to."""
        match condition:
            case Not():
                self.assume(condition.value, not holds)
            case Local():
                if not holds:
                    self.put(condition.index, (0, 0))
                elif self.get(condition.index)[0] == 0:
                    self.narrow(condition.index, 1, HIGHEST)
            case Conditional() if holds and condition.no == ZERO:
                self.assume(condition.condition, True)
                self.assume(condition.yes, True)
            case Conditional() if not holds and condition.yes == ONE:
                self.assume(condition.condition, False)
                self.assume(condition.no, False)
            case Binary() if condition.operator in _OPPOSITES:
                operator = condition.operator if holds else _OPPOSITES[condition.operator]
                self.compare(operator, condition.left, condition.right)
                self.compare(_MIRRORED[operator], condition.right, condition.left)
            case _:
                pass

    def compare(self, operator: BinaryOperator, left: Expression, right: Expression) -> None:
        """Adds what a comparison says of its left side."""
        if type(left) is not Local:
            return
        if type(right) is Const:
            low = high = right.value
        elif type(right) is Local:
            low, high = self.get(right.index)
        else:
            low, high = FULL
        match operator:
            case "lt":
                self.narrow(left.index, LOWEST, high - 1)
            case "le":
                self.narrow(left.index, LOWEST, high)
            case "gt":
                self.narrow(left.index, low + 1, HIGHEST)
            case "ge":
                self.narrow(left.index, low, HIGHEST)
            case "eq":
                self.narrow(left.index, low, high)
            case "ne":
                own_low, own_high = self.get(left.index)
                if low == high == own_low:
                    self.narrow(left.index, low + 1, HIGHEST)
                elif low == high == own_high:
                    self.narrow(left.index, LOWEST, high - 1)
            case _:
                pass


def changed_locals(body: Body) -> tuple[frozenset[int], frozenset[int]]:
    """The locals that a body sets, and those of them that it does nothing to but add positive constants."""
    every: set[int] = set()
    otherwise: set[int] = set()
    for node in statements(body):
        local = assigned(node)
        if local is None:
            continue
        every.add(local)
        match node:
            case Assign(value=Binary(operator="add", left=Local(index=source), right=Const(value=step))):
                if source == local and step > 0:
                    continue
            case _:
                pass
        otherwise.add(local)
    return frozenset(every), frozenset(every - otherwise)
