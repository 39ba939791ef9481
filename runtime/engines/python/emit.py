"""Writes a module of the low-level form as Python source.

The memory is a list `M`. Functions are called `f0`, `f1` and so on, locals `v0`, `v1`: no word of a package gets into the
source. Numbers wrap around at 32 bits as in WebAssembly, unless what they are made of shows that they need not. A negative
address never reads from the end of the list: it is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from talewright.runtime.ir.arithmetic import HIGHEST, LOWEST
from talewright.runtime.ir.build import ONE, ZERO, is_truth, negate
from talewright.runtime.ir.header import MOST, NONE
from talewright.runtime.ir.nodes import (
    Assign,
    Binary,
    BinaryOperator,
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
from talewright.runtime.ir.passes.cutting import DEEPEST_STATEMENT, flattened, nesting
from talewright.runtime.ir.passes.liveness import live_at_entry, used
from talewright.runtime.ir.walk import LEAVING, leaves, operands, statements
from talewright.schemas.records import record

_SYMBOLS: Final[dict[BinaryOperator, str]] = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "//",
    "rem": "%",
    "and": "&",
    "or": "|",
    "xor": "^",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}
# The lowest and the highest that a value can be.
Range = tuple[int, int]
TRUTH: Final[Range] = (0, 1)
FULL: Final[Range] = (LOWEST, HIGHEST)
# Python reads no more than 200 parentheses inside of each other; deeper expressions become functions of their own.
_DEEPEST_EXPRESSION: Final = 40
# How large a number may become before it must be wrapped.
_LARGEST: Final = 1 << 64


@record(frozen=True)
class Text:
    """An expression in Python, and the range of its value, which may go beyond 32 bits until it is wrapped."""

    source: str
    range: Range


def emit(module: Module) -> str:
    """The source: functions, and for each way of calling the functions of the table that can be called so."""
    names = {function.name: f"f{number}" for number, function in enumerate(module.functions)}
    shapes = {function.name: (function.parameters, function.result) for function in module.functions}
    lines: list[str] = []
    tables: dict[tuple[int, bool], None] = {}
    for function in module.functions:
        lines += function_lines(function, names, tables)
    for shape in tables:
        rows = [
            f"{number}: {names[slot.function]}"
            for number, slot in enumerate(module.table)
            if shapes[slot.function] == shape
        ]
        lines.append(f"{table_name(*shape)} = {{{', '.join(rows)}}}")
    return "\n".join(lines) + "\n"


def function_lines(
    function: Function, names: Mapping[str, str], tables: dict[tuple[int, bool], None]
) -> list[str]:
    """One function, with the names of all in the source; the shapes of what it calls of the table are added."""
    if nesting(function.body) > DEEPEST_STATEMENT:
        function = flattened(function)
    return _Writer(function, names, tables).source()


def table_name(parameters: int, result: bool) -> str:
    return f"T{parameters}{'r' if result else ''}"


@record
class _PythonLoop:
    """A `while` of the source: the labels to which a branch is a `break` or a `continue` of it."""

    breaks: set[str]
    continues: set[str]
    # Labels further out that are reached by leaving this loop.
    through: set[str]


class _Writer:
    """Writes one function."""

    def __init__(
        self, function: Function, names: Mapping[str, str], tables: dict[tuple[int, bool], None]
    ) -> None:
        self.function = function
        self.names = names
        self.tables = tables
        self.lines: list[str] = []
        self.outlined: list[str] = []
        self.indent = "    "
        self.depth = 0
        self.loops: list[_PythonLoop] = []
        self.marks: dict[str, int] = {}
        self.entry = 0
        self.branched = {node.label for node in statements(function.body) if type(node) is Branch}
        self.expressions: dict[type[Expression], Callable[..., Text]] = {
            Const: self.const,
            Local: self.local,
            Load: self.load,
            Binary: self.binary,
            Checked: self.checked,
            Not: self.negation,
            LowestBit: self.lowest_bit,
            Conditional: self.conditional,
            Call: self.call,
            CallIndirect: self.call_indirect,
            Random: self.random,
        }
        self.statements: dict[type[Statement], Callable[..., None]] = {
            Assign: self.assign,
            Store: self.store,
            Evaluate: self.evaluate,
            If: self.if_,
            Loop: self.loop,
            Block: self.block,
            Branch: self.branch,
            Return: self.return_,
            Fault: self.fault,
            Copy: self.copy,
            Switch: self.switch,
            Parts: self.parts,
            Goto: self.goto,
        }

    def source(self) -> list[str]:
        function = self.function
        self.body(function.body)
        if function.result and not leaves(function.body):
            self.put("return 0")
        parameters = ", ".join(f"v{local}" for local in range(function.parameters))
        head = [f"def {self.names[function.name]}({parameters}):"]
        first = live_at_entry(function) >> function.parameters
        unset = [
            f"v{local + function.parameters}" for local in range(first.bit_length()) if first >> local & 1
        ]
        if self.marks:
            unset.append("x")
        if unset:
            head.append(f"    {' = '.join(unset)} = 0")
        return [*self.outlined, *head, *(self.lines or ["    pass"])]

    def put(self, line: str) -> None:
        self.lines.append(self.indent + line)

    @contextmanager
    def indented(self) -> Iterator[None]:
        """What is put inside stands one step to the right."""
        outer = self.indent
        self.indent += "    "
        yield
        self.indent = outer

    # Expressions.

    def expression(self, node: Expression) -> Text:
        """A value that may still have to be wrapped."""
        if self.depth >= _DEEPEST_EXPRESSION and operands(node):
            return self.outline(node)
        self.depth += 1
        text = self.expressions[type(node)](node)
        self.depth -= 1
        return text

    def exact(self, node: Expression) -> Text:
        """A value of 32 bits."""
        return _wrapped(self.expression(node))

    def outline(self, node: Expression) -> Text:
        """Puts an expression into a function of its own."""
        locals_ = used((node,))
        names = ", ".join(f"v{local}" for local in range(locals_.bit_length()) if locals_ >> local & 1)
        depth, self.depth = self.depth, 0
        text = self.exact(node)
        self.depth = depth
        name = f"{self.names[self.function.name]}_{len(self.outlined)}"
        self.outlined.append(f"def {name}({names}): return {text.source}")
        return Text(f"{name}({names})", text.range)

    def const(self, node: Const) -> Text:
        return Text(str(node.value) if node.value >= 0 else f"({node.value})", (node.value, node.value))

    def local(self, node: Local) -> Text:
        return Text(f"v{node.index}", FULL)

    def address(self, node: Expression, offset: int) -> str:
        """An index into memory that cannot be negative."""
        if type(node) is Const:
            return str(node.value + offset)
        return self.index(self.expression(node), offset)

    def index(self, base: Text, offset: int) -> str:
        source, low = base.source, base.range[0]
        if offset < 0:
            source, low, offset = f"({source} - {-offset})", low + offset, 0
        if low < 0 and source.isidentifier():
            source = f"({source} if {source} >= 0 else bad())"
        elif low < 0:
            source = f"(t if (t := {source}) >= 0 else bad())"
        return f"{source} + {offset}" if offset else source

    def load(self, node: Load) -> Text:
        return Text(f"M[{self.address(node.address, node.offset)}]", FULL)

    def binary(self, node: Binary) -> Text:
        operator = node.operator
        match operator:
            case "add" | "sub" | "mul":
                return self.arithmetic(node)
            case "and" | "or" | "xor":
                return self.bits(node)
            case "shl" | "shr":
                return self.shift(node)
            case "ult":
                return self.unsigned_less(node)
            case "div" | "rem":
                left, right = self.exact(node.left), self.exact(node.right)
                source = f"({left.source} {_SYMBOLS[operator]} {right.source})"
                low, high = right.range
                if operator == "div":
                    # Only the lowest number by -1 is too large.
                    return Text(source, (LOWEST, HIGHEST + 1) if low <= -1 <= high else FULL)
                return Text(source, (min(0, low + 1), max(0, high - 1)))
            case _:
                left, right = self.exact(node.left), self.exact(node.right)
                return Text(f"({left.source} {_SYMBOLS[operator]} {right.source})", TRUTH)

    def arithmetic(self, node: Binary) -> Text:
        left, right = self.expression(node.left), self.expression(node.right)
        found = _combined(node.operator, left.range, right.range)
        if not -_LARGEST < found[0] <= found[1] < _LARGEST:
            left, right = _wrapped(left), _wrapped(right)
            found = _combined(node.operator, left.range, right.range)
        if node.operator == "add" and type(node.right) is Const and node.right.value < 0:
            return Text(f"({left.source} - {-node.right.value})", found)
        return Text(f"({left.source} {_SYMBOLS[node.operator]} {right.source})", found)

    def bits(self, node: Binary) -> Text:
        # Bits beyond the 32nd do not matter to those below, but to the sign.
        left, right = self.exact(node.left), self.exact(node.right)
        (low, high), (other_low, other_high) = left.range, right.range
        source = f"({left.source} {_SYMBOLS[node.operator]} {right.source})"
        if node.operator == "and":
            if low >= 0 or other_low >= 0:
                return Text(
                    source, (0, min(high if low >= 0 else HIGHEST, other_high if other_low >= 0 else HIGHEST))
                )
        elif low >= 0 and other_low >= 0:
            return Text(source, (0, (1 << max(high, other_high).bit_length()) - 1))
        return Text(source, FULL)

    def shift(self, node: Binary) -> Text:
        left = self.exact(node.left)
        count = (
            str(node.right.value & 31)
            if type(node.right) is Const
            else f"({self.exact(node.right).source} & 31)"
        )
        if node.operator == "shl":
            most = node.right.value & 31 if type(node.right) is Const else 31
            low, high = left.range
            return Text(f"({left.source} << {count})", (min(low << most, low), max(high << most, high)))
        low, high = left.range
        return Text(f"({left.source} >> {count})", (min(low, 0), max(high, 0)))

    def unsigned_less(self, node: Binary) -> Text:
        left, right = self.exact(node.left), self.exact(node.right)
        if right.range[0] >= 0:
            return Text(f"(0 <= {left.source} < {right.source})", TRUTH)
        return Text(f"({left.source} & {0xFFFFFFFF} < {right.source} & {0xFFFFFFFF})", TRUTH)

    def checked(self, node: Checked) -> Text:
        left, right = self.exact(node.left), self.exact(node.right)
        bounds = (-MOST, MOST)
        operator = node.operator
        if operator in ("add", "sub") and _repeatable(node.left) and _repeatable(node.right):
            # None less none would be 0.
            both_none = operator == "sub" and left.range[0] == NONE == right.range[0]
            surely = f" and {left.source} != {NONE}" if both_none else ""
            fault = f"arithmetic_fault({operator!r}, {left.source}, {right.source}, {node.spot})"
            test = f"{-MOST} <= (t := {left.source} {_SYMBOLS[operator]} {right.source}) <= {MOST}{surely}"
            return Text(f"(t if {test} else {fault})", bounds)
        return Text(f"checked_{operator}({left.source}, {right.source}, {node.spot})", bounds)

    def negation(self, node: Not) -> Text:
        return Text(f"(not {self.exact(node.value).source})", TRUTH)

    def lowest_bit(self, node: LowestBit) -> Text:
        return Text(f"lowest_bit_of({self.exact(node.value).source})", (0, 32))

    def conditional(self, node: Conditional) -> Text:
        condition, yes, no = self.exact(node.condition), self.exact(node.yes), self.exact(node.no)
        found = (min(yes.range[0], no.range[0]), max(yes.range[1], no.range[1]))
        if node.no == ZERO:
            return Text(f"({condition.source} and {yes.source})", found)
        if node.yes == ZERO:
            return Text(f"(not {condition.source} and {no.source})", found)
        if node.yes == ONE and is_truth(node.condition):
            return Text(f"({condition.source} or {no.source})", found)
        return Text(f"({yes.source} if {condition.source} else {no.source})", found)

    def call(self, node: Call) -> Text:
        arguments = ", ".join(self.exact(argument).source for argument in node.arguments)
        return Text(f"{self.names[node.function]}({arguments})", FULL)

    def call_indirect(self, node: CallIndirect) -> Text:
        shape = (len(node.arguments), node.result)
        self.tables[shape] = None
        index = self.exact(node.index).source
        arguments = ", ".join(self.exact(argument).source for argument in node.arguments)
        if any(_contains(argument, _DEPENDING) for argument in node.arguments):
            # What the arguments do comes before the fault of a slot that does not fit.
            return Text(f"{table_name(*shape)}.get({index}, bad_call)({arguments})", FULL)
        return Text(f"{table_name(*shape)}[{index}]({arguments})", FULL)

    def random(self, node: Random) -> Text:
        parts = (node.low, node.high, node.stream, node.step, node.count)
        return Text(f"random({', '.join(self.exact(part).source for part in parts)})", FULL)

    def condition(self, node: Expression) -> str:
        """A value of which only matters whether it is zero."""
        if type(node) is Binary and node.operator == "ne" and node.right == ZERO:
            node = node.left
        return self.exact(node).source

    # Statements.

    def body(self, body: Body) -> None:
        before = len(self.lines)
        for node in body:
            self.statements[type(node)](node)
            if type(node) in LEAVING:
                break
        if len(self.lines) == before:
            self.put("pass")

    def inner(self, body: Body) -> None:
        """A body one step to the right."""
        with self.indented():
            self.body(body)

    def assign(self, node: Assign) -> None:
        self.put(f"v{node.local} = {self.exact(node.value).source}")

    def store(self, node: Store) -> None:
        first, then = node.address, node.value
        either = _contains(first, _ACTING) or _contains(then, _ACTING)
        if either and _contains(first, _DEPENDING) and _contains(then, _DEPENDING):
            # Python evaluates the value first; the low-level form, the address.
            base = self.expression(node.address)
            self.put(f"a = {base.source}")
            value = self.exact(node.value)
            where = self.index(Text("a", base.range), node.offset)
        else:
            value = self.exact(node.value)
            where = self.address(node.address, node.offset)
        self.put(f"M[{where}] = {value.source}")

    def evaluate(self, node: Evaluate) -> None:
        self.put(self.expression(node.expression).source)

    def if_(self, node: If) -> None:
        condition, then, otherwise = node.condition, node.then, node.otherwise
        if not then:
            condition, then, otherwise = negate(condition), otherwise, ()
        self.put(f"if {self.condition(condition)}:")
        self.inner(then)
        if otherwise:
            self.put("else:")
            self.inner(otherwise)

    def block(self, node: Block, outer: frozenset[str] = frozenset()) -> None:
        """A block; `outer` are the labels of blocks that end where it ends."""
        labels = outer | {node.label}
        body = node.body
        if not labels & self.branched:
            self.body(body)
            return
        *first, last = body or (Evaluate(ZERO),)
        if type(last) in (Block, Loop) and not any(
            type(inner) is Branch and inner.label in labels for inner in statements(tuple(first))
        ):
            # Where the last statement ends, the block does: one loop of Python serves both.
            for statement in first:
                self.statements[type(statement)](statement)
            if type(last) is Block:
                self.block(last, labels)
            elif type(last) is Loop:
                self.loop(last, labels)
        else:
            self.python_loop("while True:", body, _PythonLoop(set(labels), set(), set()), ends="break")

    def loop(self, node: Loop, outer: frozenset[str] = frozenset()) -> None:
        """A loop; `outer` are the labels of blocks that end where it ends."""
        body = node.body
        if node.label not in self.branched and not outer & self.branched:
            self.body(body)
            return
        ends = "break"
        if body and type(body[-1]) is Branch and body[-1].label == node.label:
            body, ends = body[:-1], ""
        head = "while True:"
        match body:
            case (If(condition=condition, then=(Branch(label=label),), otherwise=()), *rest) if (
                label in outer
            ):
                stays = negate(condition)
                source = self.condition(stays)
                head = f"while {source}:" if source != "1" else head
                body = tuple(rest)
            case _:
                pass
        self.python_loop(head, body, _PythonLoop(set(outer), {node.label}, set()), ends)

    def python_loop(self, head: str, body: Body, loop: _PythonLoop, ends: str) -> None:
        """A `while`, and after it what goes on to labels further out."""
        self.put(head)
        self.loops.append(loop)
        self.inner(body)
        if ends and not leaves(body):
            self.put(f"    {ends}")
        self.loops.pop()
        for label in sorted(loop.through):
            self.put(f"if x == {self.marks[label]}:")
            with self.indented():
                self.leave(label)

    def branch(self, node: Branch) -> None:
        self.leave(node.label)

    def leave(self, label: str) -> None:
        """Goes to a label; through several loops of Python, by a mark in `x`."""
        loop = self.loops[-1]
        if label in loop.breaks or label in loop.continues:
            if label in self.marks:
                self.put("x = 0")
            self.put("break" if label in loop.breaks else "continue")
            return
        loop.through.add(label)
        mark = self.marks.setdefault(label, len(self.marks) + 1)
        self.put(f"x = {mark}")
        self.put("break")

    def return_(self, node: Return) -> None:
        self.put("return" if node.value is None else f"return {self.exact(node.value).source}")

    def fault(self, node: Fault) -> None:
        self.put(f"fault({node.code}, {node.spot})")
        # Behind a fault that is forgiven.
        self.put("return 0" if self.function.result else "return")

    def copy(self, node: Copy) -> None:
        parts = (self.exact(part).source for part in (node.target, node.source, node.count))
        self.put(f"copy({', '.join(parts)})")

    def switch(self, node: Switch) -> None:
        self.put(f"s = {self.exact(node.index).source}")
        if not node.cases:
            self.body(node.default)
            return
        self.put(f"if 0 <= s < {len(node.cases)}:")
        with self.indented():
            self.dispatch("s", 0, len(node.cases), lambda case: self.body(node.cases[case]))
        self.put("else:")
        self.inner(node.default)

    def dispatch(self, name: str, first: int, end: int, write: Callable[[int], None]) -> None:
        """Chooses by halves among numbers from the first up to before the end, of which it certainly is one."""
        if end - first == 1:
            write(first)
            return
        middle = (first + end) // 2
        self.put(f"if {name} < {middle}:")
        with self.indented():
            self.dispatch(name, first, middle, write)
        self.put("else:")
        with self.indented():
            self.dispatch(name, middle, end, write)

    def parts(self, node: Parts) -> None:
        self.entry = node.entry

        def write(part: int) -> None:
            body = node.parts[part]
            self.body(body)
            if not leaves(body):
                self.put(f"v{node.entry} = {part + 1}" if part + 1 < len(node.parts) else "break")

        self.put("while True:")
        with self.indented():
            self.dispatch(f"v{node.entry}", 0, len(node.parts), write)

    def goto(self, node: Goto) -> None:
        self.put(f"v{self.entry} = {node.part}")
        self.put("continue")


def _wrapped(text: Text) -> Text:
    """A value of 32 bits."""
    low, high = text.range
    if low >= LOWEST and high <= HIGHEST:
        return text
    return Text(f"(t if {LOWEST} <= (t := {text.source}) <= {HIGHEST} else wrap(t))", FULL)


def _combined(operator: str, left: Range, right: Range) -> Range:
    """The range of a sum, a difference or a product."""
    (low, high), (other_low, other_high) = left, right
    if operator == "add":
        return low + other_low, high + other_high
    if operator == "sub":
        return low - other_high, high - other_low
    corners = (low * other_low, low * other_high, high * other_low, high * other_high)
    return min(corners), max(corners)


def _repeatable(node: Expression) -> bool:
    """Whether evaluating it twice does no harm and costs little."""
    kind = type(node)
    if kind is Const or kind is Local:
        return True
    if type(node) is Load:
        return type(node.address) in (Const, Local)
    return False


# What may change memory, or end in a fault that is not one of addresses; and what also depends on when it is evaluated.
_ACTING: Final = frozenset((Call, CallIndirect, Checked))
_DEPENDING: Final = _ACTING | {Load}


def _contains(node: Expression, kinds: frozenset[type[Expression]]) -> bool:
    """Whether there are any of these in an expression, or a division, which may be one by zero."""
    if type(node) in kinds or (type(node) is Binary and node.operator in ("div", "rem")):
        return True
    return any(_contains(part, kinds) for part in operands(node))
