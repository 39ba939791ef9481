"""The binary format of WebAssembly: its numbers, its instructions, and the functions that every program needs."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from talewright.runtime.ir.arithmetic import FIRST_MIX, SECOND_MIX
from talewright.runtime.ir.header import (
    DIVISION_BY_ZERO,
    FAILED,
    FAULT_CODE,
    FAULT_SPOT,
    FAULTED,
    LENIENT,
    MOST,
    NONE,
    NONE_IN_ARITHMETIC,
    NOWHERE,
    SPARED,
    STATUS,
    STEPS,
    TOO_MUCH,
)
from talewright.runtime.ir.nodes import BinaryOperator

UNREACHABLE: Final = b"\x00"
BLOCK: Final = b"\x02\x40"
LOOP: Final = b"\x03\x40"
IF: Final = b"\x04\x40"
IF_VALUE: Final = b"\x04\x7f"
ELSE: Final = b"\x05"
END: Final = b"\x0b"
BRANCH: Final = b"\x0c"
BRANCH_IF: Final = b"\x0d"
BRANCH_TABLE: Final = b"\x0e"
RETURN: Final = b"\x0f"
CALL: Final = b"\x10"
CALL_INDIRECT: Final = b"\x11"
DROP: Final = b"\x1a"
SELECT: Final = b"\x1b"
GET: Final = b"\x20"
SET: Final = b"\x21"
TEE: Final = b"\x22"
LOAD: Final = b"\x28\x02"
LOAD_64: Final = b"\x29\x02"
STORE: Final = b"\x36\x02"
MEMORY_COPY: Final = b"\xfc\x0a\x00\x00"
# On numbers of 32 bits.
EQZ: Final = b"\x45"
COUNT_TRAILING_ZEROS: Final = b"\x68"
EQ: Final = b"\x46"
NE: Final = b"\x47"
LT: Final = b"\x48"
DIV: Final = b"\x6d"
REM: Final = b"\x6f"
ADD: Final = b"\x6a"
SUB: Final = b"\x6b"
MUL: Final = b"\x6c"
AND: Final = b"\x71"
OR: Final = b"\x72"
XOR: Final = b"\x73"
SHL: Final = b"\x74"
SHR: Final = b"\x75"
WRAP: Final = b"\xa7"
# On numbers of 64 bits.
EXTEND: Final = b"\xac"
EXTEND_UNSIGNED: Final = b"\xad"
GT_UNSIGNED_64: Final = b"\x56"
ADD_64: Final = b"\x7c"
SUB_64: Final = b"\x7d"
MUL_64: Final = b"\x7e"
AND_64: Final = b"\x83"
OR_64: Final = b"\x84"
XOR_64: Final = b"\x85"
SHL_64: Final = b"\x86"
SHR_UNSIGNED_64: Final = b"\x88"

OPERATIONS: Final[dict[BinaryOperator, bytes]] = {
    "add": ADD,
    "sub": SUB,
    "mul": MUL,
    "and": AND,
    "or": OR,
    "xor": XOR,
    "shl": SHL,
    "shr": SHR,
    "eq": EQ,
    "ne": NE,
    "lt": LT,
    "ult": b"\x49",
    "gt": b"\x4a",
    "le": b"\x4c",
    "ge": b"\x4e",
}

I32: Final = b"\x7f"
I64: Final = b"\x7e"


@lru_cache(1 << 16)
def unsigned(number: int) -> bytes:
    """A number that is not negative, seven bits a byte."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def signed(number: int) -> bytes:
    """A number with its sign, seven bits a byte."""
    out = bytearray()
    while not -64 <= number < 64:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number & 127)
    return bytes(out)


@lru_cache(1 << 16)
def constant(number: int) -> bytes:
    """Puts a number of 32 bits."""
    return b"\x41" + signed(number)


def constant_64(number: int) -> bytes:
    """Puts a number of 64 bits, given as signed or unsigned."""
    return b"\x42" + signed(number - (1 << 64) if number >= 1 << 63 else number)


def vector(items: list[bytes]) -> bytes:
    """Items, and before them how many there are."""
    return unsigned(len(items)) + b"".join(items)


def section(number: int, content: bytes) -> bytes:
    """A section of a module."""
    return bytes([number]) + unsigned(len(content)) + content


def named(name: str) -> bytes:
    """A name in a module."""
    encoded = name.encode()
    return unsigned(len(encoded)) + encoded


def declared(local_types: list[tuple[int, bytes]]) -> bytes:
    """How many locals of each type a function has."""
    return vector([unsigned(count) + kind for count, kind in local_types if count])


NO_LOCALS: Final = declared([])


def code(head: bytes, body: bytes) -> bytes:
    """A function: its locals, and what it does."""
    content = head + body + END
    return unsigned(len(content)) + content


@lru_cache(1 << 12)
def get(index: int) -> bytes:
    """Puts a local."""
    return GET + unsigned(index)


@lru_cache(1 << 12)
def set_(index: int) -> bytes:
    """Takes a value into a local."""
    return SET + unsigned(index)


def _store_header(cell: int, value: bytes) -> bytes:
    return constant(0) + value + STORE + unsigned(cell * 4)


def _load_header(cell: int) -> bytes:
    return constant(0) + LOAD + unsigned(cell * 4)


# Functions that come after those of the program, in this order: name, parameters, result, code.
# They call each other by their distance from the first.
FAULT, ARITHMETIC_FAULT, FLOOR_DIV, FLOOR_REM, CHECKED_MUL, CHECKED_DIV, CHECKED_REM, COPY = range(8)


def helpers(first: int) -> list[tuple[str, int, bool, bytes]]:
    """The functions that instructions of the low-level form call."""
    stop = CALL + unsigned(first + FAULT)

    def fault_if(condition: bytes, fault: int, spot: bytes, instead: bytes = constant(0)) -> bytes:
        """Faults under a condition; where faults are forgiven, the helper gives 0, or nothing."""
        return condition + IF + constant(fault) + spot + stop + instead + RETURN + END

    none_left = get(0) + constant(NONE) + EQ
    none_right = get(1) + constant(NONE) + EQ
    a_none = none_left + none_right + OR
    quotient = get(0) + get(1) + CALL + unsigned(first + FLOOR_DIV)
    remainder = get(0) + get(1) + CALL + unsigned(first + FLOOR_REM)
    # Whether the remainder in local 2 has another sign than the divisor.
    uneven = get(2) + constant(0) + NE + get(2) + get(1) + XOR + constant(0) + LT + AND
    # Whether the number in local 3 is beyond the bounds of the language.
    beyond = get(3) + constant_64(MOST) + ADD_64 + constant_64(2 * MOST) + GT_UNSIGNED_64

    def checked(exact: bytes, by_zero: bytes) -> bytes:
        none = fault_if(a_none, NONE_IN_ARITHMETIC, get(2))
        result = exact + SET + unsigned(3) + fault_if(beyond, TOO_MUCH, get(2)) + get(3) + WRAP
        return code(declared([(1, I64)]), none + by_zero + result)

    by_zero = fault_if(get(1) + EQZ, DIVISION_BY_ZERO, get(2))
    return [
        (
            "fault",
            2,
            False,
            code(
                NO_LOCALS,
                _store_header(FAULT_CODE, get(0))
                + _store_header(FAULT_SPOT, get(1))
                # A fault that is forgiven leaves no steps, so that all loops end at once.
                + _load_header(LENIENT)
                + IF
                + _store_header(LENIENT, constant(FAILED))
                + _store_header(SPARED, _load_header(SPARED) + _load_header(STEPS) + ADD)
                + _store_header(STEPS, constant(0))
                + RETURN + END
                + _store_header(STATUS, constant(FAULTED))
                + UNREACHABLE,
            ),
        ),
        (
            # What a sum or a difference beyond the bounds is called: left, right, spot.
            "arithmetic_fault",
            3,
            False,
            code(NO_LOCALS, fault_if(a_none, NONE_IN_ARITHMETIC, get(2), b"") + constant(TOO_MUCH) + get(2) + stop),
        ),
        (
            "floor_div",
            2,
            True,
            code(
                declared([(1, I32)]),
                fault_if(get(1) + EQZ, DIVISION_BY_ZERO, constant(NOWHERE))
                # The lowest number by -1 would trap.
                + get(1) + constant(-1) + EQ + IF + constant(0) + get(0) + SUB + RETURN + END
                + get(0) + get(1) + REM + SET + unsigned(2)
                + get(0) + get(1) + DIV + uneven + SUB,
            ),
        ),
        (
            "floor_rem",
            2,
            True,
            code(
                declared([(1, I32)]),
                fault_if(get(1) + EQZ, DIVISION_BY_ZERO, constant(NOWHERE))
                + get(0) + get(1) + REM + SET + unsigned(2)
                + get(2) + get(1) + constant(0) + uneven + SELECT + ADD,
            ),
        ),
        ("checked_mul", 3, True, checked(get(0) + EXTEND + get(1) + EXTEND + MUL_64, b"")),
        ("checked_div", 3, True, checked(quotient + EXTEND, by_zero)),
        ("checked_rem", 3, True, checked(remainder + EXTEND, by_zero)),
        ("copy", 3, False, code(NO_LOCALS, _copy())),
    ]  # fmt: skip


# So few cells are copied one by one: an instruction for whole stretches costs more than they do.
FEW_CELLS: Final = 24


def _copy() -> bytes:
    """Copies cells: target, source, count. Local 2 counts down from the end, or up to 0 from the beginning."""
    times_four = constant(2) + SHL
    few = get(2) + constant(FEW_CELLS) + b"\x4d"

    def moved(target: bytes, source: bytes) -> bytes:
        return target + times_four + source + times_four + LOAD + unsigned(0) + STORE + unsigned(0)

    step = get(2) + constant(1) + SUB + SET + unsigned(2)
    # Behind the source: the last cells come first.
    backward = (
        BLOCK + LOOP
        + get(2) + EQZ + BRANCH_IF + unsigned(1)
        + step + moved(get(0) + get(2) + ADD, get(1) + get(2) + ADD)
        + BRANCH + unsigned(0) + END + END
    )  # fmt: skip
    forward = (
        BLOCK + LOOP
        + get(2) + EQZ + BRANCH_IF + unsigned(1)
        + moved(get(0), get(1))
        + get(0) + constant(1) + ADD + SET + unsigned(0)
        + get(1) + constant(1) + ADD + SET + unsigned(1)
        + step + BRANCH + unsigned(0) + END + END
    )  # fmt: skip
    either = get(0) + get(1) + b"\x49" + IF + forward + ELSE + backward + END
    whole = b"".join(get(index) + times_four for index in range(3)) + MEMORY_COPY
    return few + IF + either + ELSE + whole + END


def random_number(z: int, count: int) -> bytes:
    """As `arithmetic.random_number`, of a weighed sum that is put, with two locals of 64 bits: the sum, and how many there are."""
    out = SET + unsigned(z)
    mixed = get(z)
    for shift, factor in ((30, FIRST_MIX), (27, SECOND_MIX)):
        out += mixed + mixed + constant_64(shift) + SHR_UNSIGNED_64 + XOR_64
        out += constant_64(factor) + MUL_64 + SET + unsigned(z)
    out += mixed + mixed + constant_64(31) + SHR_UNSIGNED_64 + XOR_64 + SET + unsigned(z)
    # The upper 64 bits of z * count: (upper half * count + (lower half * count >> 32)) >> 32.
    upper = mixed + constant_64(32) + SHR_UNSIGNED_64 + get(count) + MUL_64
    lower = mixed + constant_64(0xFFFFFFFF) + AND_64 + get(count) + MUL_64 + constant_64(32) + SHR_UNSIGNED_64
    return out + upper + lower + ADD_64 + constant_64(32) + SHR_UNSIGNED_64 + WRAP
