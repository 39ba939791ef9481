"""What the operators mean, on numbers of 32 bits: for folding, for the Python form of a program, and for tests."""

from __future__ import annotations

from talewright.runtime.ir.header import DIVISION_BY_ZERO, MOST, NONE, NONE_IN_ARITHMETIC, TOO_MUCH
from talewright.runtime.ir.nodes import BinaryOperator, CheckedOperator

MASK = 0xFFFFFFFF
LOWEST = -(2**31)
HIGHEST = 2**31 - 1
COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "ult"))
_MASK64 = (1 << 64) - 1


def wrap(number: int) -> int:
    """The signed number of 32 bits that is left of a larger one."""
    return ((number + 0x80000000) & MASK) - 0x80000000


def lowest_bit_of(bits: int) -> int:
    """The number of the lowest bit that is set, counted from 0; 32 if none is."""
    return (bits & -bits).bit_length() - 1 if bits else 32


def binary(operator: BinaryOperator, left: int, right: int) -> int | None:
    """What an operator gives, or nothing for a division by zero."""
    match operator:
        case "add":
            return wrap(left + right)
        case "sub":
            return wrap(left - right)
        case "mul":
            return wrap(left * right)
        case "div":
            return wrap(left // right) if right else None
        case "rem":
            return left % right if right else None
        case "and":
            return left & right
        case "or":
            return left | right
        case "xor":
            return left ^ right
        case "shl":
            return wrap(left << (right & 31))
        case "shr":
            return left >> (right & 31)
        case "eq":
            return int(left == right)
        case "ne":
            return int(left != right)
        case "lt":
            return int(left < right)
        case "le":
            return int(left <= right)
        case "gt":
            return int(left > right)
        case "ge":
            return int(left >= right)
        case "ult":
            return int(left & MASK < right & MASK)


def checked_fault(operator: CheckedOperator, left: int, right: int) -> int:
    """The number of the fault that arithmetic of the language ends in, or 0.

    The operands are numbers of the language or NONE. (Nothing else added to NONE comes back into the bounds, which is
    why sums need not look at their operands first.)
    """
    match operator:
        case "add":
            if -MOST <= left + right <= MOST:
                return 0
            return NONE_IN_ARITHMETIC if NONE in (left, right) else TOO_MUCH
        case "sub":
            if -MOST <= left - right <= MOST and left != NONE:
                return 0
            return NONE_IN_ARITHMETIC if NONE in (left, right) else TOO_MUCH
        case "mul" | "div" | "rem":
            if NONE in (left, right):
                return NONE_IN_ARITHMETIC
            if operator == "mul":
                return 0 if -MOST <= left * right <= MOST else TOO_MUCH
            if right == 0:
                return DIVISION_BY_ZERO
            exact = left // right if operator == "div" else left % right
            return 0 if -MOST <= exact <= MOST else TOO_MUCH


# Odd constants of splitmix64 and of its weights for streams.
STREAM_WEIGHT = 0xD1B54A32D192ED03
STEP_WEIGHT = 0x9E3779B97F4A7C15
FIRST_MIX = 0xBF58476D1CE4E5B9
SECOND_MIX = 0x94D049BB133111EB


def random_number(low: int, high: int, stream: int, step: int, count: int) -> int:
    """A number below `count` that depends on nothing but seed, stream and step: splitmix64, scaled by multiplication.

    `count` is read as an unsigned number, 0 as 2**32. No number is likelier than another by more than count / 2**64.
    """
    z = (low & MASK) | ((high & MASK) << 32)
    z = (z + (stream & MASK) * STREAM_WEIGHT + (step & MASK) * STEP_WEIGHT) & _MASK64
    z = ((z ^ (z >> 30)) * FIRST_MIX) & _MASK64
    z = ((z ^ (z >> 27)) * SECOND_MIX) & _MASK64
    z ^= z >> 31
    return wrap((z * ((count & MASK) or 1 << 32)) >> 64)
