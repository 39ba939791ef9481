"""The nodes of the low-level form: functions over 32-bit locals and one memory of 32-bit cells.

Expressions are evaluated left to right and assign no local. Addresses count cells. A `Branch` to a `Loop` goes round
again, a `Branch` to a `Block` leaves it; falling off the end of either leaves it, too.
"""

from __future__ import annotations

from typing import Final, Literal, cast

from talewright.runtime.ir.header import NOWHERE
from talewright.schemas.records import record

BinaryOperator = Literal[
    "add",
    "sub",
    "mul",
    "div",
    "rem",
    "and",
    "or",
    "xor",
    "shl",
    "shr",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
    "ult",
]
CheckedOperator = Literal["add", "sub", "mul", "div", "rem"]


class Operand:
    """An expression, with which one can calculate as with a number in a kernel file: `thing + 1`, `seats & bit`.

    The result is an expression, simplified at once, and so is the result of a comparison: it is no truth of Python. Numbers
    may stand for constants. `==` compares nodes; `equal` makes the node that compares values.
    """

    __slots__ = ()

    def __add__(self, other: Expression | int) -> Expression:
        return _combined("add", self, other)

    def __sub__(self, other: Expression | int) -> Expression:
        return _combined("sub", self, other)

    def __mul__(self, other: Expression | int) -> Expression:
        return _combined("mul", self, other)

    def __floordiv__(self, other: Expression | int) -> Expression:
        return _combined("div", self, other)

    def __and__(self, other: Expression | int) -> Expression:
        return _combined("and", self, other)

    def __or__(self, other: Expression | int) -> Expression:
        return _combined("or", self, other)

    def __lshift__(self, other: Expression | int) -> Expression:
        return _combined("shl", self, other)

    def __rshift__(self, other: Expression | int) -> Expression:
        return _combined("shr", self, other)

    def __lt__(self, other: Expression | int) -> Expression:
        return _combined("lt", self, other)

    def __le__(self, other: Expression | int) -> Expression:
        return _combined("le", self, other)

    def __gt__(self, other: Expression | int) -> Expression:
        return _combined("gt", self, other)

    def __ge__(self, other: Expression | int) -> Expression:
        return _combined("ge", self, other)

    def __radd__(self, other: int) -> Expression:
        return _combined("add", other, self)

    def __rsub__(self, other: int) -> Expression:
        return _combined("sub", other, self)


def _combined(operator: BinaryOperator, left: Operand | int, right: Operand | int) -> Expression:
    # What simplifies nodes makes nodes.
    from talewright.runtime.ir.build import binary

    return binary(operator, cast(Expression, left), cast(Expression, right))


@record(frozen=True)
class Const(Operand):
    """A number of 32 bits, signed."""

    value: int


@record(frozen=True)
class Local(Operand):
    """The value of a local; parameters are the first ones."""

    index: int


@record(frozen=True)
class Load(Operand):
    """The cell at address + offset. A negative address is a fault, whatever the offset.

    WebAssembly sees addresses modulo 2**30: NONE would be cell 0 there. Only the Python form finds every bad address.
    """

    address: Expression
    offset: int = 0


@record(frozen=True)
class Binary(Operand):
    """Arithmetic that wraps around. `div` and `rem` round down as in Python; comparisons give 1 or 0."""

    operator: BinaryOperator
    left: Expression
    right: Expression


@record(frozen=True)
class Checked(Operand):
    """Arithmetic of the language: beyond its bounds, on `none` and by zero it is a fault at `spot`."""

    operator: CheckedOperator
    left: Expression
    right: Expression
    spot: int


@record(frozen=True)
class Not(Operand):
    """1 for zero, 0 for everything else."""

    value: Expression


@record(frozen=True)
class LowestBit(Operand):
    """The number of the lowest bit that is set, counted from 0; 32 if none is."""

    value: Expression


@record(frozen=True)
class Conditional(Operand):
    """One of two values; the other is not evaluated."""

    condition: Expression
    yes: Expression
    no: Expression


@record(frozen=True)
class Call(Operand):
    """A call of a function that does not ask. One without a result may only be evaluated."""

    function: str
    arguments: tuple[Expression, ...] = ()


@record(frozen=True)
class CallIndirect(Operand):
    """A call of the function in a slot of the table."""

    index: Expression
    arguments: tuple[Expression, ...] = ()
    result: bool = True


@record(frozen=True)
class Random(Operand):
    """The `step`-th number of a stream of chance, from 0 to below `count` (0 stands for 2**32)."""

    low: Expression
    high: Expression
    stream: Expression
    step: Expression
    count: Expression


Expression = (
    Const | Local | Load | Binary | Checked | Not | LowestBit | Conditional | Call | CallIndirect | Random
)


@record(frozen=True)
class Assign:
    """Sets a local."""

    local: int
    value: Expression


@record(frozen=True)
class Store:
    """Writes the cell at address + offset."""

    address: Expression
    offset: int
    value: Expression


@record(frozen=True)
class Evaluate:
    """Evaluates for the effect; the value, if there is one, is dropped."""

    expression: Expression


@record(frozen=True)
class If:
    """One of two bodies."""

    condition: Expression
    then: Body
    otherwise: Body = ()


@record(frozen=True)
class Loop:
    """A body that a branch to its label starts again."""

    label: str
    body: Body
    spot: int = NOWHERE
    times: int = 0
    """How often it goes round at most, if that is known; else 0."""


@record(frozen=True)
class Block:
    """A body that a branch to its label leaves."""

    label: str
    body: Body


@record(frozen=True)
class Branch:
    """Goes to the loop or leaves the block of that label, which must be around it."""

    label: str


@record(frozen=True)
class Return:
    """Leaves the function, with its result if it has one."""

    value: Expression | None = None


@record(frozen=True)
class Fault:
    """Ends the play: writes STATUS, FAULT_CODE and FAULT_SPOT, and leaves everything."""

    code: int
    spot: int = NOWHERE


@record(frozen=True)
class Copy:
    """Copies `count` cells; the stretches may overlap."""

    target: Expression
    source: Expression
    count: Expression


@record(frozen=True)
class Switch:
    """The case of that number, or the default. No case runs into the next."""

    index: Expression
    cases: tuple[Body, ...]
    default: Body = ()


@record(frozen=True)
class AskingCall:
    """A call of a function that may ask; what it leaves in RESULT goes to a local."""

    function: str
    arguments: tuple[Expression, ...] = ()
    result: int | None = None


@record(frozen=True)
class AskingCallIndirect:
    """The same for the function in a slot of the table."""

    index: Expression
    arguments: tuple[Expression, ...] = ()
    result: int | None = None


@record(frozen=True)
class Ask:
    """A decision among OPTIONS; which one was chosen goes to a local."""

    result: int


@record(frozen=True)
class Parts:
    """Numbered bodies, each going on with the next; begins with the one whose number is in a local.

    Only cutting makes them. They stand in no loop, block or switch.
    """

    entry: int
    parts: tuple[Body, ...]


@record(frozen=True)
class Goto:
    """Goes to a part of the `Parts` around it; between the two stand no loops and no blocks."""

    part: int


Statement = (
    Assign | Store | Evaluate | If | Loop | Block | Branch | Return | Fault | Copy | Switch
    | AskingCall | AskingCallIndirect | Ask | Parts | Goto
)  # fmt: skip
Body = tuple[Statement, ...]
ASKING_STATEMENTS: Final = frozenset((Ask, AskingCall, AskingCallIndirect))


@record(frozen=True)
class Function:
    """A function; its locals are its parameters and as many more as it needs, which begin as 0."""

    name: str
    parameters: int
    locals: int
    """How many there are, parameters included."""
    result: bool
    body: Body
    spot: int = NOWHERE
    things: frozenset[int] = frozenset()
    """Locals that hold things: whoever exchanges things in a game that stopped must find them in its frames."""
    lists: frozenset[int] = frozenset()
    """Locals that hold lists of things."""
    blocks: frozenset[int] = frozenset()
    """Locals that hold effects which were handed over."""
    seldom: bool = False
    """Whether it is called so seldom that it should not stand in place of its calls."""


@record(frozen=True)
class Slot:
    """A place in the table of functions that are called by number.

    Functions in slots that may ask are called by `AskingCallIndirect`, the others by `CallIndirect`.
    """

    function: str
    asks: bool = False


@record(frozen=True)
class Data:
    """Cells that are there when a machine starts."""

    address: int
    cells: tuple[int, ...]


@record(frozen=True)
class Module:
    """A whole program."""

    functions: tuple[Function, ...]
    table: tuple[Slot, ...] = ()
    exports: tuple[str, ...] = ()
    data: tuple[Data, ...] = ()
    cells: int = 16384
    """The size of memory; a host may round it up."""
