"""Makes nodes, with the obvious done at once: constants folded, addresses split into a part and an offset."""

from __future__ import annotations

from typing import Final

from talewright.runtime.ir import arithmetic
from talewright.runtime.ir.nodes import (
    Binary,
    BinaryOperator,
    Call,
    CallIndirect,
    Checked,
    CheckedOperator,
    Conditional,
    Const,
    Expression,
    Load,
    Local,
    LowestBit,
    Not,
    Random,
    Store,
)

# What functions take where numbers may stand for constants.
Term = Expression | int

ZERO: Final = Const(0)
ONE: Final = Const(1)

_OPPOSITES: Final[dict[BinaryOperator, BinaryOperator]] = {
    "eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt",
}  # fmt: skip
_MIRRORED: Final[dict[BinaryOperator, BinaryOperator]] = {
    "add": "add", "mul": "mul", "and": "and", "or": "or", "xor": "xor",
    "eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le",
}  # fmt: skip
# What x op x is, for a pure x.
_SAME: Final[dict[BinaryOperator, int]] = {
    "eq": 1, "le": 1, "ge": 1, "ne": 0, "lt": 0, "gt": 0, "ult": 0, "sub": 0, "xor": 0,
}  # fmt: skip


def const(value: int) -> Const:
    """A number."""
    return Const(value)


def as_expression(value: Term) -> Expression:
    """A number as a constant."""
    return Const(value) if isinstance(value, int) else value


def local(index: int) -> Local:
    """The value of a local."""
    return Local(index)


def load(address: Term, offset: int = 0) -> Load:
    """The cell at an address, whose constant part is put into the offset."""
    return Load(*split_address(address, offset))


def store(address: Term, offset: int, value: Term) -> Store:
    """Writes a cell, whose constant part of the address is put into the offset."""
    return Store(*split_address(address, offset), as_expression(value))


def cell(address: int) -> Load:
    """The cell at a fixed address."""
    return Load(ZERO, address)


def set_cell(address: int, value: Term) -> Store:
    """Writes the cell at a fixed address."""
    return Store(ZERO, address, as_expression(value))


def split_address(address: Term, offset: int = 0) -> tuple[Expression, int]:
    """An address as a part that must not be negative, and an offset of at least 0 where that can be."""
    address = as_expression(address)
    while (
        type(address) is Binary
        and address.operator == "add"
        and type(address.right) is Const
        and address.right.value + offset >= 0
    ):
        offset += address.right.value
        address = address.left
    if type(address) is Const:
        return ZERO, address.value + offset
    return address, offset


def binary(operator: BinaryOperator, left: Term, right: Term) -> Expression:
    """An operator on two values, simplified where that keeps every effect and fault."""
    left, right = as_expression(left), as_expression(right)
    if type(left) is Const:
        if type(right) is Const:
            folded = arithmetic.binary(operator, left.value, right.value)
            if folded is not None:
                return Const(folded)
        elif operator in _MIRRORED:
            operator, left, right = _MIRRORED[operator], right, left
    if type(right) is Const:
        return _with_constant(operator, left, right)
    if operator in _SAME and left == right and is_steady(left):
        return Const(_SAME[operator])
    return Binary(operator, left, right)


def _with_constant(operator: BinaryOperator, left: Expression, right: Const) -> Expression:
    """An operator on a value and a constant."""
    value = right.value
    if operator == "sub":
        operator, value = "add", arithmetic.wrap(-value)
        right = Const(value)
    if operator == "add" and type(left) is Binary and left.operator == "add" and type(left.right) is Const:
        value = arithmetic.wrap(value + left.right.value)
        left, right = left.left, Const(value)
    if value == 0:
        if operator in ("add", "or", "xor", "shl", "shr"):
            return left
        if operator == "eq":
            return negate(left)
        if operator == "ne" and is_truth(left):
            return left
        if operator in ("mul", "and") and is_steady(left):
            return ZERO
    if value == 1:
        if operator in ("mul", "div"):
            return left
        if is_truth(left):
            if operator in ("and", "eq"):
                return left
            if operator == "ne":
                return negate(left)
    if operator == "and" and value == -1:
        return left
    return Binary(operator, left, right)


def add(left: Term, right: Term) -> Expression:
    """The sum, wrapping around."""
    return binary("add", left, right)


def sub(left: Term, right: Term) -> Expression:
    """The difference, wrapping around."""
    return binary("sub", left, right)


def mul(left: Term, right: Term) -> Expression:
    """The product, wrapping around."""
    return binary("mul", left, right)


def equal(left: Term, right: Term) -> Expression:
    """Whether two cells are the same."""
    return binary("eq", left, right)


def unlike(left: Term, right: Term) -> Expression:
    """Whether two cells differ."""
    return binary("ne", left, right)


def less(left: Term, right: Term) -> Expression:
    """Whether the left number is smaller."""
    return binary("lt", left, right)


def at_most(left: Term, right: Term) -> Expression:
    """Whether the left number is not larger."""
    return binary("le", left, right)


def checked(operator: CheckedOperator, left: Expression, right: Term, spot: int) -> Expression:
    """Arithmetic of the language; folded if it cannot end in a fault."""
    right = as_expression(right)
    if (
        type(left) is Const
        and type(right) is Const
        and not arithmetic.checked_fault(operator, left.value, right.value)
    ):
        folded = arithmetic.binary(operator, left.value, right.value)
        if folded is not None:
            return Const(folded)
    return Checked(operator, left, right, spot)


def negate(value: Expression) -> Expression:
    """1 for zero, 0 for everything else."""
    if type(value) is Const:
        return ZERO if value.value else ONE
    if type(value) is Not and is_truth(value.value):
        return value.value
    if type(value) is Binary and value.operator in _OPPOSITES:
        return Binary(_OPPOSITES[value.operator], value.left, value.right)
    return Not(value)


def truth(value: Expression) -> Expression:
    """1 for everything but zero."""
    return value if is_truth(value) else binary("ne", value, ZERO)


def conditional(condition: Expression, yes: Term, no: Term) -> Expression:
    """One of two values; the other is not evaluated."""
    yes, no = as_expression(yes), as_expression(no)
    if type(condition) is Const:
        return yes if condition.value else no
    if type(condition) is Not and no != ZERO and yes != ONE:
        condition, yes, no = condition.value, no, yes
    if yes == no and is_steady(condition):
        return yes
    if yes == ONE and no == ZERO and is_truth(condition):
        return condition
    if yes == ZERO and no == ONE:
        return negate(condition)
    return Conditional(condition, yes, no)


def both(left: Expression, right: Expression) -> Expression:
    """Whether both are true; the right one is evaluated only if the left one is."""
    return conditional(left, truth(right), ZERO)


def either(left: Expression, right: Expression) -> Expression:
    """Whether one is true; the right one is evaluated only if the left one is not."""
    return conditional(left, ONE, truth(right))


def every(conditions: list[Expression]) -> Expression:
    """Whether all are true, asked in order."""
    result: Expression = ONE
    for condition in reversed(conditions):
        result = truth(condition) if result == ONE else both(condition, result)
    return result


def some(conditions: list[Expression]) -> Expression:
    """Whether one is true, asked in order."""
    result: Expression = ZERO
    for condition in reversed(conditions):
        result = truth(condition) if result == ZERO else either(condition, result)
    return result


def call(function: str, *arguments: Term) -> Call:
    """A call of a function that does not ask."""
    return Call(function, tuple(map(as_expression, arguments)))


def is_truth(value: Expression) -> bool:
    """Whether it is certainly 0 or 1."""
    kind = type(value)
    if kind is Not:
        return True
    if type(value) is Binary:
        if value.operator in arithmetic.COMPARISONS:
            return True
        return value.operator in ("and", "or", "xor") and is_truth(value.left) and is_truth(value.right)
    if type(value) is Conditional:
        return is_truth(value.yes) and is_truth(value.no)
    return type(value) is Const and value.value in (0, 1)


def is_steady(value: Expression) -> bool:
    """Whether it has no effect and cannot end in a fault, so that it need not be evaluated at all."""
    match value:
        case Const() | Local():
            return True
        case Load():
            return type(value.address) is Const
        case Not() | LowestBit():
            return is_steady(value.value)
        case Binary():
            if value.operator in ("div", "rem") and not (type(value.right) is Const and value.right.value):
                return False
            return is_steady(value.left) and is_steady(value.right)
        case Conditional():
            return is_steady(value.condition) and is_steady(value.yes) and is_steady(value.no)
        case Random():
            return all(
                is_steady(part) for part in (value.low, value.high, value.stream, value.step, value.count)
            )
        case Checked() | Call() | CallIndirect():
            return False
