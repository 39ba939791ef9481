"""Writes a module of the low-level form in the binary format of WebAssembly.

The module has no imports; its memory and its table cannot grow. Every function, export and memory cell is that of the
low-level form; a cell has four bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Final

from talewright.runtime.engines.interface import memory_pages
from talewright.runtime.engines.wasm import binary as b
from talewright.runtime.engines.wasm.threading import threaded
from talewright.runtime.ir.arithmetic import MASK, STEP_WEIGHT, STREAM_WEIGHT
from talewright.runtime.ir.build import cell, is_truth
from talewright.runtime.ir.header import MOST, NONE, RESUME
from talewright.runtime.ir.nodes import (
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
    Function,
    Goto,
    If,
    Load,
    Local,
    Loop,
    LowestBit,
    Module,
    Not,
    Parts,
    Random,
    Return,
    Statement,
    Store,
    Switch,
)
from talewright.runtime.ir.passes.cutting import SPILL
from talewright.runtime.ir.walk import LEAVING, leaves
from talewright.schemas.records import replace

ZERO: Final = Const(0)
ONE: Final = Const(1)
TIMES_FOUR: Final = b.constant(2) + b.SHL
# Names of places in a function, for branches that are not in the low-level form.
_ANONYMOUS: Final = ""
_TOP: Final = "\0top"


def emit(module: Module, *, thread: bool = True) -> bytes:
    """The bytes of a `.wasm` file, with the names of functions for traps and profilers; `thread` threads jumps."""
    functions = module.functions
    if thread:
        functions = tuple(replace(function, body=threaded(function.body)) for function in functions)
    types = _Types()
    index = {function.name: number for number, function in enumerate(module.functions)}
    results = {function.name: function.result for function in module.functions}
    helpers = b.helpers(len(index))
    seldom = frozenset((SPILL, *(function.name for function in module.functions if function.seldom)))
    writers = [_Writer(function, index, results, types, seldom) for function in functions]
    codes = [writer.code() for writer in writers]
    kinds = [types.number(function.parameters, function.result) for function in module.functions]
    kinds += [types.number(parameters, result) for _, parameters, result, _ in helpers]
    codes += [code for _, _, _, code in helpers]
    size = b.unsigned(len(module.table))
    pages = b.unsigned(memory_pages(module))
    exports = [b.named(name) + b"\x00" + b.unsigned(index[name]) for name in module.exports]
    exports.append(b.named("memory") + b"\x02\x00")
    parts = [
        b"\0asm\1\0\0\0",
        b.section(1, b.vector(types.encoded)),
        b.section(3, b.vector([b.unsigned(kind) for kind in kinds])),
        b.section(4, b"\x01\x70\x01" + size + size),
        b.section(5, b"\x01\x01" + pages + pages),
        b.section(7, b.vector(exports)),
    ]
    if module.table:
        slots = b.vector([b.unsigned(index[slot.function]) for slot in module.table])
        parts.append(b.section(9, b"\x01\x00" + b.constant(0) + b.END + slots))
    hints = [
        b.unsigned(number) + b.vector(writer.hints) for number, writer in enumerate(writers) if writer.hints
    ]
    parts.append(b.section(0, b.named("metadata.code.branch_hint") + b.vector(hints)))
    parts.append(b.section(10, b.vector(codes)))
    if module.data:
        parts.append(b.section(11, b.vector([_data(data.address, data.cells) for data in module.data])))
    every = [*index, *(name for name, _, _, _ in helpers)]
    content = b.vector([b.unsigned(number) + b.named(name) for number, name in enumerate(every)])
    parts.append(b.section(0, b.named("name") + b"\x01" + b.unsigned(len(content)) + content))
    return b"".join(parts)


def _data(address: int, cells: tuple[int, ...]) -> bytes:
    content = struct.pack(f"<{len(cells)}i", *cells)
    return b"\x00" + b.constant(address * 4) + b.END + b.unsigned(len(content)) + content


class _Types:
    """The types of functions that a module uses."""

    def __init__(self) -> None:
        self.encoded: list[bytes] = []
        self.numbers: dict[tuple[int, bool], int] = {}

    def number(self, parameters: int, result: bool) -> int:
        key = (parameters, result)
        if key not in self.numbers:
            self.numbers[key] = len(self.encoded)
            self.encoded.append(b"\x60" + b.vector([b.I32] * parameters) + b.vector([b.I32] * result))
        return self.numbers[key]


class _Writer:
    """Writes one function."""

    def __init__(
        self,
        function: Function,
        index: dict[str, int],
        results: dict[str, bool],
        types: _Types,
        seldom: frozenset[str],
    ) -> None:
        self.function = function
        self.index = index
        self.results = results
        self.types = types
        self.seldom = seldom
        self.out = bytearray()
        # Where conditions stand that hardly ever hold; at the end, how they are written.
        self.unlikely: list[int] = []
        self.hints: list[bytes] = []
        # Labels of what is around, innermost last.
        self.labels: list[str] = []
        # Temporaries of checked arithmetic: how many are in use, and how many there are. Each has three locals, two
        # of 32 bits for the operands and one of 64 for the result.
        self.busy = 0
        self.temporaries = 0
        # The local that holds the number of a part, and the part being written.
        self.entry = 0
        self.part = 0

    def code(self) -> bytes:
        function = self.function
        self.body(function.body)
        if function.result:
            self.out += b.constant(0)
        own = function.locals - function.parameters
        head = b.declared([(own, b.I32), *[(2, b.I32), (1, b.I64)] * self.temporaries])
        self.hints = [b.unsigned(len(head) + place) + b"\x01\x00" for place in self.unlikely]
        return b.code(head, bytes(self.out))

    # Expressions.

    def expression(self, node: Expression) -> None:
        _EXPRESSIONS[type(node)](self, node)

    def const(self, node: Const) -> None:
        self.out += b.constant(node.value)

    def local(self, node: Local) -> None:
        self.out += b.get(node.index)

    def address(self, node: Expression, offset: int) -> bytes:
        """Puts an address in bytes; gives the offset that the instruction adds."""
        if type(node) is Const:
            self.out += b.constant(0)
            return b.unsigned((node.value + offset) * 4)
        if offset < 0:
            self.expression(node)
            self.out += b.constant(offset) + b.ADD + TIMES_FOUR
            return b.unsigned(0)
        if type(node) is Binary and type(node.right) is Const:
            if node.operator == "mul" and 0 < node.right.value < 1 << 20:
                self.expression(node.left)
                self.out += b.constant(node.right.value * 4) + b.MUL
                return b.unsigned(offset * 4)
            if node.operator == "shl" and 0 <= node.right.value < 28:
                self.expression(node.left)
                self.out += b.constant(node.right.value + 2) + b.SHL
                return b.unsigned(offset * 4)
        self.expression(node)
        self.out += TIMES_FOUR
        return b.unsigned(offset * 4)

    def load(self, node: Load) -> None:
        offset = self.address(node.address, node.offset)
        self.out += b.LOAD + offset

    def binary(self, node: Binary) -> None:
        self.expression(node.left)
        operator = node.operator
        if operator == "div" or operator == "rem":
            if (
                type(node.right) is Const
                and node.right.value > 0
                and node.right.value & (node.right.value - 1) == 0
            ):
                power = node.right.value
                if operator == "div":
                    self.out += b.constant(power.bit_length() - 1) + b.SHR
                else:
                    self.out += b.constant(power - 1) + b.AND
                return
            self.expression(node.right)
            self.helper(b.FLOOR_DIV if operator == "div" else b.FLOOR_REM)
            return
        self.expression(node.right)
        self.out += b.OPERATIONS[operator]

    def helper(self, number: int) -> None:
        self.out += b.CALL + b.unsigned(len(self.index) + number)

    def checked(self, node: Checked) -> None:
        operator = node.operator
        if operator == "add" or operator == "sub":
            self.checked_sum(node)
            return
        self.expression(node.left)
        self.expression(node.right)
        self.out += b.constant(node.spot)
        self.helper({"mul": b.CHECKED_MUL, "div": b.CHECKED_DIV, "rem": b.CHECKED_REM}[operator])

    def checked_sum(self, node: Checked) -> None:
        """A sum in 64 bits; the operands are kept, for the fault to look at."""
        base = self.function.locals + 3 * self.busy
        self.busy += 1
        self.temporaries = max(self.temporaries, self.busy)
        left = self.kept(node.left, base)
        self.out += b.EXTEND
        right = self.kept(node.right, base + 1)
        self.busy -= 1
        self.out += (
            b.EXTEND + (b.ADD_64 if node.operator == "add" else b.SUB_64) + b.TEE + b.unsigned(base + 2)
        )
        self.out += b.constant_64(MOST) + b.ADD_64 + b.constant_64(2 * MOST) + b.GT_UNSIGNED_64
        if node.operator == "sub" and type(node.left) is not Const and type(node.right) is not Const:
            self.out += left + b.constant(NONE) + b.EQ + b.OR
        self.unlikely.append(len(self.out))
        self.out += b.IF + left + right + b.constant(node.spot)
        self.helper(b.ARITHMETIC_FAULT)
        self.out += b.constant_64(0) + b.SET + b.unsigned(base + 2) + b.END + b.get(base + 2) + b.WRAP

    def kept(self, node: Expression, slot: int) -> bytes:
        """Puts a value; gives the instruction that puts it again."""
        self.expression(node)
        if type(node) is Const:
            return b.constant(node.value)
        if type(node) is Local:
            return b.get(node.index)
        self.out += b.TEE + b.unsigned(slot)
        return b.get(slot)

    def negation(self, node: Not) -> None:
        self.expression(node.value)
        self.out += b.EQZ

    def lowest_bit(self, node: LowestBit) -> None:
        self.expression(node.value)
        self.out += b.COUNT_TRAILING_ZEROS

    def conditional(self, node: Conditional) -> None:
        condition, yes, no = node.condition, node.yes, node.no
        if no == ZERO and _cheap(yes) and is_truth(condition) and is_truth(yes):
            self.expression(condition)
            self.expression(yes)
            self.out += b.AND
        elif yes == ONE and _cheap(no) and is_truth(condition) and is_truth(no):
            self.expression(condition)
            self.expression(no)
            self.out += b.OR
        elif _cheap(yes) and _cheap(no):
            self.expression(yes)
            self.expression(no)
            self.condition(condition)
            self.out += b.SELECT
        else:
            self.condition(condition)
            self.out += b.IF_VALUE
            self.labels.append(_ANONYMOUS)
            self.expression(yes)
            self.out += b.ELSE
            self.expression(no)
            self.labels.pop()
            self.out += b.END

    def call(self, node: Call) -> None:
        for argument in node.arguments:
            self.expression(argument)
        self.out += b.CALL + b.unsigned(self.index[node.function])

    def call_indirect(self, node: CallIndirect) -> None:
        # The index is evaluated first in the low-level form, and last here.
        steady = type(node.index) in (Const, Local) or all(
            type(part) in (Const, Local) for part in node.arguments
        )
        if not steady:
            slot = self.function.locals + 3 * self.busy
            self.busy += 1
            self.temporaries = max(self.temporaries, self.busy)
            self.expression(node.index)
            self.out += b.SET + b.unsigned(slot)
        for argument in node.arguments:
            self.expression(argument)
        if steady:
            self.expression(node.index)
        else:
            self.busy -= 1
            self.out += b.get(slot)
        kind = self.types.number(len(node.arguments), node.result)
        self.out += b.CALL_INDIRECT + b.unsigned(kind) + b"\x00"

    def random(self, node: Random) -> None:
        base = self.function.locals + 3 * self.busy
        self.busy += 2
        self.temporaries = max(self.temporaries, self.busy)
        self.pair(node.low, node.high)
        self.weighed(node.stream, STREAM_WEIGHT)
        self.weighed(node.step, STEP_WEIGHT)
        total, count = base + 2, base + 5
        self.out += b.SET + b.unsigned(total)
        self.wide(node.count)
        self.out += b.SET + b.unsigned(count)
        # 0 stands for all numbers of 32 bits.
        self.out += b.get(count) + b.constant_64(1 << 32) + b.get(count) + b.WRAP
        self.out += b.SELECT + b.SET + b.unsigned(count)
        self.out += b.get(total) + b.random_number(total, count)
        self.busy -= 2

    def pair(self, low: Expression, high: Expression) -> None:
        """Puts two numbers as one of 64 bits; two cells that lie side by side are read at once."""
        match low, high:
            case Load(address=Const(value=0), offset=first), Load(address=Const(value=0), offset=second) if (
                second == first + 1
            ):
                self.out += b.constant(0) + b.LOAD_64 + b.unsigned(first * 4)
                return
        self.wide(low)
        self.wide(high)
        self.out += b.constant_64(32) + b.SHL_64 + b.OR_64

    def wide(self, node: Expression) -> None:
        """Puts a number without a sign as one of 64 bits."""
        self.expression(node)
        self.out += b.EXTEND_UNSIGNED

    def weighed(self, node: Expression, weight: int) -> None:
        """Adds a number, times its weight, to what has been put."""
        if type(node) is Const:
            self.out += b.constant_64((node.value & MASK) * weight & (1 << 64) - 1)
        else:
            self.wide(node)
            self.out += b.constant_64(weight) + b.MUL_64
        self.out += b.ADD_64

    # Conditions.

    def condition(self, node: Expression) -> None:
        """Puts a value of which only matters whether it is zero."""
        if type(node) is Binary and node.operator == "ne" and node.right == ZERO:
            node = node.left
        if type(node) is Binary and node.operator == "and" and node.right == ONE:
            bit = node.left
            if (
                type(bit) is Binary
                and bit.operator == "shr"
                and type(bit.right) is Const
                and 0 <= bit.right.value < 31
            ):
                node = Binary("and", bit.left, Const(1 << bit.right.value))
        self.expression(node)

    def branch_if(self, node: Expression, label: str) -> None:
        """Goes to a label if a condition holds."""
        if type(node) is Not:
            self.branch_unless(node.value, label)
        elif type(node) is Conditional and node.yes == ONE and not _cheap(node.no):
            self.branch_if(node.condition, label)
            self.branch_if(node.no, label)
        elif type(node) is Conditional and node.no == ZERO and not _cheap(node.yes):
            past = self.open_past()
            self.branch_unless(node.condition, past)
            self.branch_if(node.yes, label)
            self.close()
        else:
            self.condition(node)
            self.out += b.BRANCH_IF + self.depth(label)

    def branch_unless(self, node: Expression, label: str) -> None:
        """Goes to a label if a condition does not hold."""
        if type(node) is Not:
            self.branch_if(node.value, label)
        elif type(node) is Conditional and node.no == ZERO and not _cheap(node.yes):
            self.branch_unless(node.condition, label)
            self.branch_unless(node.yes, label)
        elif type(node) is Conditional and node.yes == ONE and not _cheap(node.no):
            past = self.open_past()
            self.branch_if(node.condition, past)
            self.branch_unless(node.no, label)
            self.close()
        else:
            self.condition(node)
            self.out += b.EQZ + b.BRANCH_IF + self.depth(label)

    def open_past(self) -> str:
        """Opens a block of our own; gives its label."""
        label = f"\0{len(self.labels)}"
        self.out += b.BLOCK
        self.labels.append(label)
        return label

    def close(self) -> None:
        self.labels.pop()
        self.out += b.END

    def depth(self, label: str) -> bytes:
        """How many blocks out a label is."""
        labels = self.labels
        position = len(labels) - 1
        while labels[position] != label:
            position -= 1
        return b.unsigned(len(labels) - 1 - position)

    # Statements.

    def body(self, body: Body) -> None:
        for statement in body:
            _STATEMENTS[type(statement)](self, statement)
            if type(statement) in LEAVING:
                return

    def assign(self, node: Assign) -> None:
        value = node.value
        _EXPRESSIONS[type(value)](self, value)
        self.out += b.set_(node.local)

    def store(self, node: Store) -> None:
        offset = self.address(node.address, node.offset)
        self.expression(node.value)
        self.out += b.STORE + offset

    def evaluate(self, node: Evaluate) -> None:
        expression = node.expression
        self.expression(expression)
        if type(expression) is Call:
            result = self.results[expression.function]
        elif type(expression) is CallIndirect:
            result = expression.result
        else:
            result = True
        if result:
            self.out += b.DROP

    def if_(self, node: If) -> None:
        condition, then, otherwise = node.condition, node.then, node.otherwise
        if type(condition) is Const:
            self.body(then if condition.value else otherwise)
            return
        if type(condition) is Not:
            condition = condition.value
            then, otherwise = otherwise, then
        if len(then) == 1 and not otherwise and type(then[0]) is Branch:
            self.branch_if(condition, then[0].label)
        elif len(otherwise) == 1 and not then and type(otherwise[0]) is Branch:
            self.branch_unless(condition, otherwise[0].label)
        elif not then and not otherwise:
            self.evaluate(Evaluate(condition))
        elif type(condition) is Conditional and not (_cheap(condition.yes) and _cheap(condition.no)):
            self.if_by_branches(condition, then, otherwise)
        elif not then:
            self.condition(condition)
            self.out += b.EQZ
            if self.is_unlikely(otherwise):
                self.unlikely.append(len(self.out))
            self.out += b.IF
            self.labels.append(_ANONYMOUS)
            self.body(otherwise)
            self.close()
        else:
            self.condition(condition)
            if self.is_unlikely(then):
                self.unlikely.append(len(self.out))
            self.out += b.IF
            self.labels.append(_ANONYMOUS)
            self.body(then)
            if otherwise:
                self.out += b.ELSE
                self.body(otherwise)
            self.close()

    def is_unlikely(self, body: Body) -> bool:
        """Whether a body is hardly ever needed: it ends the play, stops, goes on behind a stop, or calls what is seldom."""
        if not body:
            return False
        first, last = body[0], body[-1]
        if type(last) is Fault or (type(first) is Assign and first.value == _RESUMED):
            return True
        called = first.value if type(first) is Assign or type(first) is Return else None
        if type(first) is Evaluate:
            called = first.expression
        return type(called) is Call and called.function in self.seldom

    def if_by_branches(self, condition: Expression, then: Body, otherwise: Body) -> None:
        """For conditions of several parts: every part that decides branches at once."""
        if not otherwise:
            past = self.open_past()
            self.branch_unless(condition, past)
            self.body(then)
            self.close()
            return
        end = self.open_past()
        past = self.open_past()
        self.branch_unless(condition, past)
        self.body(then)
        if not leaves(then):
            self.out += b.BRANCH + self.depth(end)
        self.close()
        self.body(otherwise)
        self.close()

    def loop(self, node: Loop) -> None:
        self.out += b.LOOP
        self.labels.append(node.label)
        self.body(node.body)
        self.close()

    def block(self, node: Block) -> None:
        self.out += b.BLOCK
        self.labels.append(node.label)
        self.body(node.body)
        self.close()

    def branch(self, node: Branch) -> None:
        self.out += b.BRANCH + self.depth(node.label)

    def return_(self, node: Return) -> None:
        if node.value is not None:
            self.expression(node.value)
        self.out += b.RETURN

    def fault(self, node: Fault) -> None:
        self.out += b.constant(node.code) + b.constant(node.spot)
        self.helper(b.FAULT)
        # Behind a fault that is forgiven.
        self.out += (b.constant(0) if self.function.result else b"") + b.RETURN

    def copy(self, node: Copy) -> None:
        if (
            type(node.count) is Const
            and node.count.value <= _FEW_CELLS
            and _cheap(node.target)
            and _cheap(node.source)
        ):
            # All cells are read before the first is written: the stretches may overlap.
            written: list[bytes] = []
            for cell in range(node.count.value):
                written.append(self.address(node.target, cell))
                self.load(Load(node.source, cell))
            for offset in reversed(written):
                self.out += b.STORE + offset
            return
        for part in (node.target, node.source, node.count):
            self.expression(part)
        self.helper(b.COPY)

    def switch(self, node: Switch) -> None:
        if all(len(case) == 1 and type(case[0]) is Branch for case in node.cases):
            self.branch_table(node)
            return
        end = self.open_past()
        self.open_past()
        for _ in node.cases:
            self.open_past()
        self.expression(node.index)
        count = len(node.cases)
        self.out += b.BRANCH_TABLE + b.vector([b.unsigned(case) for case in range(count)]) + b.unsigned(count)
        for case in node.cases:
            self.close()
            self.body(case)
            if not leaves(case):
                self.out += b.BRANCH + self.depth(end)
        self.close()
        self.body(node.default)
        self.close()

    def branch_table(self, node: Switch) -> None:
        """A switch of which every case is a branch."""
        past = self.open_past()
        targets = [self.depth(case[0].label) for case in node.cases if type(case[0]) is Branch]
        self.expression(node.index)
        self.out += b.BRANCH_TABLE + b.vector(targets) + self.depth(past)
        self.close()
        self.body(node.default)

    def parts(self, node: Parts) -> None:
        count = len(node.parts)
        self.entry = node.entry
        self.out += b.LOOP
        self.labels.append(_TOP)
        for part in reversed(range(count)):
            self.out += b.BLOCK
            self.labels.append(f"\0part{part}")
        # Most calls begin at the beginning.
        self.out += b.get(node.entry) + b.EQZ + b.BRANCH_IF + b.unsigned(0)
        self.out += b.get(node.entry) + b.BRANCH_TABLE
        self.out += b.vector([b.unsigned(part) for part in range(count)]) + b.unsigned(count - 1)
        for part, body in enumerate(node.parts):
            self.close()
            self.part = part
            self.body(body)
        self.close()

    def goto(self, node: Goto) -> None:
        if node.part > self.part:
            self.out += b.BRANCH + self.depth(f"\0part{node.part}")
        else:
            self.out += b.constant(node.part) + b.SET + b.unsigned(self.entry) + b.BRANCH + self.depth(_TOP)


# How each node is written.
_EXPRESSIONS: Final[dict[type[Expression], Callable[..., None]]] = {
    Const: _Writer.const,
    Local: _Writer.local,
    Load: _Writer.load,
    Binary: _Writer.binary,
    Checked: _Writer.checked,
    Not: _Writer.negation,
    LowestBit: _Writer.lowest_bit,
    Conditional: _Writer.conditional,
    Call: _Writer.call,
    CallIndirect: _Writer.call_indirect,
    Random: _Writer.random,
}
_STATEMENTS: Final[dict[type[Statement], Callable[..., None]]] = {
    Assign: _Writer.assign,
    Store: _Writer.store,
    Evaluate: _Writer.evaluate,
    If: _Writer.if_,
    Loop: _Writer.loop,
    Block: _Writer.block,
    Branch: _Writer.branch,
    Return: _Writer.return_,
    Fault: _Writer.fault,
    Copy: _Writer.copy,
    Switch: _Writer.switch,
    Parts: _Writer.parts,
    Goto: _Writer.goto,
}

# How a function that stopped begins to go on.
_RESUMED: Final = cell(RESUME)


# So few cells are copied where they stand.
_FEW_CELLS: Final = 4


def _cheap(node: Expression, nodes: int = 3) -> bool:
    """Whether evaluating it without need costs less than a branch, has no effect and cannot be a fault."""
    kind = type(node)
    if kind is Const or kind is Local:
        return True
    if type(node) is Not:
        return _cheap(node.value, nodes)
    if type(node) is Binary and nodes and node.operator not in ("div", "rem"):
        return _cheap(node.left, nodes - 1) and _cheap(node.right, nodes - 1)
    return False
