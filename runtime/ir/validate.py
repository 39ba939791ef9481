"""Says whether a module is well formed. Run after every pass, so that a mistake is found where it was made."""

from __future__ import annotations

from typing import get_args

from talewright.runtime.ir.arithmetic import HIGHEST, LOWEST
from talewright.runtime.ir.nodes import (
    ASKING_STATEMENTS,
    AskingCall,
    Binary,
    BinaryOperator,
    Block,
    Body,
    Branch,
    Call,
    CallIndirect,
    Checked,
    CheckedOperator,
    Const,
    Evaluate,
    Expression,
    Fault,
    Function,
    Goto,
    Load,
    Local,
    Loop,
    Module,
    Parts,
    Return,
    Statement,
    Store,
)
from talewright.runtime.ir.walk import EXPRESSIONS, OPERANDS, assigned, bodies, expressions, operands

_BINARY = frozenset(get_args(BinaryOperator))
_CHECKED = frozenset(get_args(CheckedOperator))
# How many cells a module may have at most: a word or a number taken for an address then always lies outside.
MOST_CELLS = 1 << 25


class InvalidModule(Exception):
    """A module that no engine may run, and why."""


def validate(module: Module, *, asking: bool = True) -> None:
    """Raises `InvalidModule` at the first mistake. After cutting nothing may ask any more: `asking` is false."""
    functions: dict[str, Function] = {}
    for function in module.functions:
        if function.name in functions:
            raise InvalidModule(f"two functions are called {function.name!r}")
        functions[function.name] = function
    for slot in module.table:
        if slot.function not in functions:
            raise InvalidModule(f"the table names {slot.function!r}, which does not exist")
    for name in module.exports:
        if name not in functions:
            raise InvalidModule(f"the export {name!r} does not exist")
    if len(set(module.exports)) != len(module.exports):
        raise InvalidModule("an export is named twice")
    if not 0 < module.cells <= MOST_CELLS:
        raise InvalidModule(f"memory cannot have {module.cells} cells")
    for data in module.data:
        if data.address < 0 or data.address + len(data.cells) > module.cells:
            raise InvalidModule(f"data at {data.address} lies outside of memory")
        if data.cells and not LOWEST <= min(data.cells) <= max(data.cells) <= HIGHEST:
            raise InvalidModule(f"data at {data.address} has a number of more than 32 bits")
    for function in module.functions:
        _Checker(functions, function, asking).check()


class _Checker:
    """Walks through one function."""

    def __init__(self, functions: dict[str, Function], function: Function, asking: bool) -> None:
        self.functions = functions
        self.function = function
        self.asking = asking
        self.labels: list[str] = []
        self.parts = 0

    def check(self) -> None:
        function = self.function
        if not 0 <= function.parameters <= function.locals:
            self.fail("has fewer locals than parameters")
        self.body(function.body)

    def fail(self, what: str) -> None:
        raise InvalidModule(f"function {self.function.name!r} {what}")

    def slot(self, index: int | None) -> None:
        if index is not None and not (type(index) is int and 0 <= index < self.function.locals):
            self.fail(f"has no local {index}")

    def body(self, body: Body) -> None:
        if type(body) is not tuple:
            self.fail(f"has a body that is no tuple: {body!r:.80}")
        for statement in body:
            self.statement(statement)

    def statement(self, node: Statement) -> None:
        if type(node) not in EXPRESSIONS:
            self.fail(f"has an unknown node: {node!r:.80}")
        if type(node) in ASKING_STATEMENTS and not self.asking:
            self.fail("asks, although it was cut")
        self.slot(assigned(node))
        self.values(expressions(node), needed=type(node) is not Evaluate)
        match node:
            case Store():
                self.offset(node.address, node.offset)
            case Branch():
                if node.label not in self.labels:
                    self.fail(f"branches to {node.label!r}, which is not around it")
            case Return():
                if node.value is not None and not self.function.result:
                    self.fail("returns a value, and has no result")
                if node.value is None and self.function.result:
                    self.fail("returns no value, and has a result")
            case Fault():
                self.number(node.code)
                self.number(node.spot)
            case AskingCall():
                self.callee(node.function, node.arguments)
            case Goto():
                if self.labels or not 0 <= node.part < self.parts:
                    self.fail(f"goes to the part {node.part}, which it cannot")
            case Loop() | Block():
                if node.label in self.labels:
                    self.fail(f"has the label {node.label!r} inside of itself")
                self.labels.append(node.label)
            case Parts():
                if self.labels or self.parts:
                    self.fail("has parts inside of something else")
                self.slot(node.entry)
                self.parts = len(node.parts)
            case _:
                pass
        for body in bodies(node):
            self.body(body)
        if type(node) in (Loop, Block):
            self.labels.pop()
        elif type(node) is Parts:
            self.parts = 0

    def callee(self, name: str, arguments: tuple[Expression, ...]) -> Function:
        callee = self.functions.get(name)
        if callee is None:
            raise InvalidModule(f"function {self.function.name!r} calls {name!r}, which does not exist")
        if len(arguments) != callee.parameters:
            self.fail(f"calls {name!r} with {len(arguments)} arguments instead of {callee.parameters}")
        return callee

    def values(self, nodes: tuple[Expression, ...], needed: bool = True) -> None:
        if type(nodes) is not tuple:
            self.fail(f"has arguments that are no tuple: {nodes!r:.80}")
        for node in nodes:
            self.value(node, needed)

    def number(self, value: int) -> None:
        if type(value) is not int or not LOWEST <= value <= HIGHEST:
            self.fail(f"has a constant that is no number of 32 bits: {value!r}")

    def offset(self, address: Expression, offset: int) -> None:
        if type(offset) is not int or not -(2**29) <= offset < 2**29:
            self.fail(f"has an offset out of range: {offset!r}")
        if type(address) is Const and address.value + offset < 0:
            self.fail(f"reads or writes the cell {address.value + offset}")

    def value(self, node: Expression, needed: bool) -> None:
        if type(node) not in OPERANDS:
            self.fail(f"has an unknown node: {node!r:.80}")
        self.values(operands(node))
        match node:
            case Const():
                self.number(node.value)
            case Local():
                self.slot(node.index)
            case Load():
                self.offset(node.address, node.offset)
            case Binary():
                if node.operator not in _BINARY:
                    self.fail(f"has an unknown operator: {node.operator!r}")
            case Checked():
                if node.operator not in _CHECKED:
                    self.fail(f"has an unknown operator: {node.operator!r}")
                self.number(node.spot)
            case Call():
                callee = self.callee(node.function, node.arguments)
                if needed and not callee.result:
                    self.fail(f"uses the result of {node.function!r}, which has none")
            case CallIndirect():
                if needed and not node.result:
                    self.fail("uses the result of an indirect call that has none")
            case _:
                pass
