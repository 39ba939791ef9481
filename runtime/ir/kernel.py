"""Translates restricted Python to the low-level form.

A kernel file holds functions over numbers and the memory `M[...]`: assignment, `if`, `while`, `for i in range(low, high)` and
`range(high, low, -1)`, `break`, `continue`, `return`, calls, arithmetic, comparison, `and`, `or`, `not`, the conditional
expression. Names in capitals are constants: those given to the translator, those set in the file, and those it imports. A
file cannot set a constant that is given. Everything else is a `KernelError` with file and line. `intrinsics` says what a file
may call besides functions. A function whose body is `raise NotImplementedError` is only declared: another part of the
program makes it.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Final

from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    binary,
    both,
    conditional,
    is_truth,
    load,
    negate,
    store,
)
from talewright.runtime.ir.nodes import (
    Ask,
    AskingCallIndirect,
    Assign,
    Binary,
    BinaryOperator,
    Block,
    Branch,
    Call,
    CallIndirect,
    Const,
    Copy,
    Evaluate,
    Expression,
    Fault,
    Function,
    If,
    Local,
    Loop,
    LowestBit,
    Not,
    Random,
    Return,
    Statement,
)
from talewright.runtime.ir.walk import operands, statements

_OPERATORS: Final[dict[type[ast.operator], BinaryOperator]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.FloorDiv: "div",
    ast.Mod: "rem",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "shr",
}
_COMPARISONS: Final[dict[type[ast.cmpop], BinaryOperator]] = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
_INTRINSICS: Final = frozenset(
    ("copy", "fault", "random", "lowest_bit", "call_table", "run_table", "ask", "ask_table")
)


class KernelError(Exception):
    """Something in a kernel file that cannot be translated: file, line, and what it is."""


def translate(path: Path, constants: Mapping[str, int] | None = None) -> tuple[Function, ...]:
    """The functions of a kernel file."""
    return translate_text(path.read_text(encoding="utf-8"), str(path), constants)


def translate_text(text: str, file: str, constants: Mapping[str, int] | None = None) -> tuple[Function, ...]:
    """The functions of a kernel file that was read already."""
    tree = ast.parse(text, file)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    scope = _Scope(file, constants or {})
    scope.enter(node for node in tree.body if node not in functions)
    return tuple(_Translator(scope, node).function() for node in functions if not _only_declared(node))


def library(paths: Iterable[Path], constants: Mapping[str, int]) -> dict[str, Callable[[], Function]]:
    """How to translate each function of some kernel files, by name.

    A program needs a third of the kernel: a function is parsed when somebody wants it, once in a process.
    """
    found: dict[str, Callable[[], Function]] = {}
    for path in paths:
        source = _source(path)
        scope = _Scope(str(path), constants)
        scope.enter(source.outside)
        for name in source.functions:
            if name in found:
                raise KernelError(f"{path}: the kernel has two functions called {name}")
            found[name] = partial(_translated, scope, source, name)
    return found


class _Source:
    """A kernel file, of which the functions are still text."""

    def __init__(self, path: Path) -> None:
        self.file = str(path)
        outside: list[str] = []
        texts: dict[str, list[str]] = {}
        lines = outside
        decorators: list[str] = []
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(keepends=True)):
            if line.startswith("@"):
                decorators.append(line)
                outside.append("\n")
                continue
            if line.startswith("def "):
                # So many empty lines before it that every line has its number.
                lines = texts[line[4 : line.index("(")]] = ["\n" * (number - len(decorators)), *decorators]
                decorators.clear()
            elif line[:1].isalpha() or line[:1] in ("_", '"'):
                lines = outside
            lines.append(line)
            if lines is not outside:
                outside.append("\n")
        self.outside = ast.parse("".join(outside), self.file).body
        self._texts = {name: "".join(text) for name, text in texts.items()}
        self._parsed: dict[str, ast.FunctionDef] = {}
        self.functions = [name for name, text in self._texts.items() if not self._declares(name, text)]

    def function(self, name: str) -> ast.FunctionDef:
        """The tree of a function."""
        if name not in self._parsed:
            (node,) = ast.parse(self._texts[name], self.file).body
            assert isinstance(node, ast.FunctionDef)
            self._parsed[name] = node
        return self._parsed[name]

    def _declares(self, name: str, text: str) -> bool:
        return "raise NotImplementedError" in text and _only_declared(self.function(name))


@cache
def _source(path: Path) -> _Source:
    return _Source(path)


def _translated(scope: _Scope, source: _Source, name: str) -> Function:
    return _Translator(scope, source.function(name)).function()


class _Scope:
    """The constants that the functions of one file see."""

    def __init__(self, file: str, given: Mapping[str, int]) -> None:
        self.file = file
        self.given = given
        self.own: dict[str, int] = {}
        self.imported: dict[str, str] = {}

    def error(self, node: ast.AST, what: str) -> KernelError:
        return KernelError(f"{self.file}:{getattr(node, 'lineno', 0)}: {what}")

    def enter(self, nodes: Iterable[ast.stmt]) -> None:
        """Takes in what stands outside of functions."""
        for node in nodes:
            match node:
                case ast.ImportFrom():
                    self.imports(node)
                case (
                    ast.Assign(targets=[ast.Name(id=name)])
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr())
                ):
                    self.constant(node, name, node.value)
                case ast.Expr(value=ast.Constant(value=str())):
                    pass
                case _:
                    raise self.error(node, "a kernel file holds imports, constants and functions")

    def imports(self, node: ast.ImportFrom) -> None:
        if node.module == "__future__":
            return
        for alias in node.names:
            if alias.asname is not None or node.level or node.module is None or alias.name == "*":
                raise self.error(node, "import names as they are: from package.module import NAME")
            self.imported[alias.name] = node.module

    def constant(self, node: ast.stmt, name: str, value: ast.expr | None) -> None:
        if name != name.upper() or value is None:
            raise self.error(node, f"{name}: only constants, in capitals, stand outside of functions")
        if name in self.given:
            raise self.error(
                node, f"{name} is also given to the translator: rename the constant of this file"
            )
        self.own[name] = self.number(value)

    def number(self, node: ast.expr) -> int:
        found = _Translator(self, None).value(node)
        if not isinstance(found, Const):
            raise self.error(node, "a constant must be a number known when the file is translated")
        return found.value

    def find(self, node: ast.AST, name: str) -> int:
        if name in self.given:
            return self.given[name]
        if name in self.own:
            return self.own[name]
        if name in self.imported:
            value = getattr(importlib.import_module(self.imported[name]), name, None)
            if isinstance(value, int):
                return value
        raise self.error(node, f"the constant {name} has no number")


class _Translator:
    """Translates one function."""

    def __init__(self, scope: _Scope, node: ast.FunctionDef | None) -> None:
        self.scope = scope
        self.node = node
        self.slots: dict[str, int] = {}
        self.count = 0
        self.loops: list[str] = []
        self.made = 0
        self.result = False
        # Names that have counted a loop which is over.
        self.over: set[str] = set()

    def error(self, node: ast.AST, what: str) -> KernelError:
        return self.scope.error(node, what)

    def function(self) -> Function:
        node = self.node
        assert node is not None
        given = node.args
        if given.posonlyargs or given.kwonlyargs or given.vararg or given.kwarg or given.defaults:
            raise self.error(node, "parameters are plain: no defaults, no stars")
        match node.decorator_list:
            case []:
                seldom = False
            case [ast.Name(id="seldom")]:
                seldom = True
            case _:
                raise self.error(node, "functions have no decorators but `seldom`")
        for argument in given.args:
            if not _is_number_type(argument.annotation):
                raise self.error(argument, f"parameter {argument.arg} must be declared as int or bool")
            self.slots[argument.arg] = self.new()
        match node.returns:
            case ast.Constant(value=None):
                self.result = False
            case returns if _is_number_type(returns):
                self.result = True
            case _:
                raise self.error(node, f"{node.name} must be declared to give int, bool or None")
        parameters = self.count
        self.find_locals(node)
        body = self.body(node.body)
        return Function(node.name, parameters, self.count, self.result, body, seldom=seldom)

    def find_locals(self, node: ast.FunctionDef) -> None:
        """A slot for every name that the function assigns, as Python has it."""
        for inner in _assigned_names(node):
            if inner.id not in self.slots:
                if inner.id == inner.id.upper() and inner.id != "_":
                    raise self.error(inner, f"{inner.id} is a constant and cannot be assigned")
                self.slots[inner.id] = self.new()

    def new(self) -> int:
        self.count += 1
        return self.count - 1

    def label(self, name: str) -> str:
        self.made += 1
        return f"{name}{self.made}"

    # Statements.

    def body(self, nodes: Sequence[ast.stmt]) -> tuple[Statement, ...]:
        out: list[Statement] = []
        for node in nodes:
            self.statement(node, out)
        return tuple(out)

    def statement(self, node: ast.stmt, out: list[Statement]) -> None:
        match node:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value, out)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, value, out)
            case ast.AnnAssign(target=ast.Name(), value=None) | ast.Pass():
                pass
            case ast.AugAssign():
                self.change(node, out)
            case ast.If():
                self.branch(node, out)
            case ast.While(orelse=[]):
                out.append(self.loop(node))
            case ast.For(target=ast.Name(id=name), orelse=[]):
                self.count_loop(node, name, out)
            case ast.Break():
                out.append(Branch(f"{self.loops[-1]}.end"))
            case ast.Continue():
                out.append(Branch(self.loops[-1]))
            case ast.Return():
                if (node.value is not None) != self.result:
                    raise self.error(node, "what is returned does not go with the declared result")
                out.append(Return(None if node.value is None else self.value(node.value)))
            case ast.Expr(value=ast.Call() as call):
                self.run(call, out)
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case _:
                raise self.error(node, f"{type(node).__name__} is not part of restricted Python")

    def branch(self, node: ast.If, out: list[Statement]) -> None:
        """One of two bodies; where a constant decides, only that one is written."""
        test = self.condition(node.test)
        if isinstance(test, Const):
            out.extend(self.body(node.body if test.value else node.orelse))
        else:
            out.append(If(test, self.body(node.body), self.body(node.orelse)))

    def assign(self, target: ast.expr, node: ast.expr, out: list[Statement]) -> None:
        match target:
            case ast.Name(id=name):
                slot = self.slots[name]
                self.over.discard(name)
                match node:
                    case ast.Call(func=ast.Name(id="ask"), args=[]):
                        out.append(Ask(slot))
                    case ast.Call(func=ast.Name(id="ask_table"), args=[index, *arguments]):
                        out.append(AskingCallIndirect(self.value(index), self.values(arguments), slot))
                    case _:
                        out.append(Assign(slot, self.value(node)))
            case ast.Subscript(value=ast.Name(id="M"), slice=address):
                # Python evaluates the value first; the low-level form, the address.
                value, where = self.value(node), self.value(address)
                if _calls(value) and not _unchanging(where):
                    slot = self.new()
                    out.append(Assign(slot, value))
                    value = Local(slot)
                out.append(store(where, 0, value))
            case _:
                raise self.error(target, "only a local or M[...] can be assigned")

    def change(self, node: ast.AugAssign, out: list[Statement]) -> None:
        operator = _OPERATORS.get(type(node.op))
        if operator is None:
            raise self.error(node, f"{type(node.op).__name__} is not part of restricted Python")
        match node.target:
            case ast.Name(id=name):
                slot = self.slots[name]
                out.append(Assign(slot, binary(operator, Local(slot), self.value(node.value))))
            case ast.Subscript(value=ast.Name(id="M"), slice=address):
                where, value = self.value(address), self.value(node.value)
                if _calls(where) or (_calls(value) and not _unchanging(where)):
                    slot = self.new()
                    out.append(Assign(slot, where))
                    where = Local(slot)
                out.append(store(where, 0, binary(operator, load(where), value)))
            case _:
                raise self.error(node, "only a local or M[...] can be changed")

    def loop(self, node: ast.While) -> Statement:
        label = self.label("while")
        test = self.condition(node.test)
        self.loops.append(label)
        body = self.body(node.body)
        self.loops.pop()
        leave: tuple[Statement, ...] = ()
        if not (isinstance(test, Const) and test.value):
            leave = (If(negate(test), (Branch(f"{label}.end"),)),)
        return Block(f"{label}.end", (Loop(label, (*leave, *body, Branch(label))),))

    def count_loop(self, node: ast.For, name: str, out: list[Statement]) -> None:
        """A loop over numbers: its ends are worked out before it, and what counts belongs to it alone."""
        step = 1
        match node.iter:
            case ast.Call(func=ast.Name(id="range"), args=[_] | [_, _] as ends, keywords=[]):
                first, end = self.values([ast.Constant(0), *ends][-2:])
            case ast.Call(
                func=ast.Name(id="range"),
                args=[*ends, ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=1))],
                keywords=[],
            ) if len(ends) == 2:
                step = -1
                first, end = self.values(ends)
            case _:
                raise self.error(node, "a loop goes over a range of numbers, one by one")
        if any(inner.id == name for part in node.body for inner in _assigned_names(part)):
            raise self.error(node, f"{name} counts the loop, which cannot change it")
        slot = self.slots[name]
        if not isinstance(end, Const):
            bound = Local(self.new())
            out.append(Assign(bound.index, end))
            end = bound
        out.append(Assign(slot, first))
        label = self.label("for")
        self.loops.append(label)
        self.over.discard(name)
        body = self.body(node.body)
        self.over.add(name)
        self.loops.pop()
        if any(isinstance(part, Branch) and part.label == label for part in statements(body)):
            # `continue` goes to the end of the body: what counts stands behind it.
            body = (Block(label, body),)
            label = f"{label}.again"
        leave = binary("ge" if step > 0 else "le", Local(slot), end)
        counted = Assign(slot, binary("add", Local(slot), Const(step)))
        last = f"{label.removesuffix('.again')}.end"
        out.append(Block(last, (Loop(label, (If(leave, (Branch(last),)), *body, counted, Branch(label))),)))

    def run(self, node: ast.Call, out: list[Statement]) -> None:
        """A call that stands as a statement."""
        match node:
            case ast.Call(func=ast.Name(id="copy"), args=[target, source, count], keywords=[]):
                out.append(Copy(self.value(target), self.value(source), self.value(count)))
            case ast.Call(func=ast.Name(id="fault"), args=[code], keywords=[]):
                which = self.value(code)
                if not isinstance(which, Const):
                    raise self.error(node, "the code of a fault must be a constant")
                out.append(Fault(which.value))
            case ast.Call(func=ast.Name(id="run_table"), args=[index, *arguments], keywords=[]):
                out.append(Evaluate(CallIndirect(self.value(index), self.values(arguments), result=False)))
            case ast.Call(func=ast.Name(id="ask_table"), args=[index, *arguments], keywords=[]):
                out.append(AskingCallIndirect(self.value(index), self.values(arguments)))
            case _:
                out.append(Evaluate(self.value(node)))

    # Expressions.

    def values(self, nodes: Sequence[ast.expr]) -> tuple[Expression, ...]:
        return tuple(self.value(node) for node in nodes)

    def condition(self, node: ast.expr) -> Expression:
        """A value of which only matters whether it is zero."""
        match node:
            case ast.BoolOp(op=ast.Or(), values=[*first, last]):
                result = self.condition(last)
                for part in reversed(first):
                    result = conditional(self.condition(part), ONE, result)
                return result
            case ast.BoolOp(op=ast.And(), values=[*first, last]):
                result = self.condition(last)
                for part in reversed(first):
                    result = conditional(self.condition(part), result, ZERO)
                return result
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negate(self.condition(operand))
            case _:
                return self.value(node)

    def value(self, node: ast.expr) -> Expression:
        match node:
            case ast.Constant(value=bool() | int() as number):
                return Const(int(number))
            case ast.Name(id=name):
                return self.name(node, name)
            case ast.BinOp():
                operator = _OPERATORS.get(type(node.op))
                if operator is None:
                    raise self.error(node, f"{type(node.op).__name__} is not part of restricted Python")
                return binary(operator, self.value(node.left), self.value(node.right))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return binary("sub", ZERO, self.value(operand))
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return binary("xor", self.value(operand), Const(-1))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return negate(self.condition(operand))
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp():
                return self.choice(node)
            case ast.IfExp():
                return conditional(self.condition(node.test), self.value(node.body), self.value(node.orelse))
            case ast.Subscript(value=ast.Name(id="M"), slice=address):
                return load(self.value(address))
            case ast.Call(func=ast.Name(id=name), keywords=[]):
                return self.call(node, name)
            case _:
                raise self.error(node, f"{type(node).__name__} is not part of restricted Python")

    def name(self, node: ast.expr, name: str) -> Expression:
        if name in self.over:
            raise self.error(node, f"{name} is known only in the loop that it counts")
        if name in self.slots:
            return Local(self.slots[name])
        if name == name.upper():
            return Const(self.scope.find(node, name))
        raise self.error(node, f"{name} is neither a local nor a constant")

    def comparison(self, node: ast.Compare) -> Expression:
        left = self.value(node.left)
        result: Expression | None = None
        for position, (operation, right_node) in enumerate(zip(node.ops, node.comparators, strict=True)):
            operator = _COMPARISONS.get(type(operation))
            if operator is None:
                raise self.error(node, f"{type(operation).__name__} is not part of restricted Python")
            right = self.value(right_node)
            if position < len(node.ops) - 1 and _calls(right):
                raise self.error(right_node, "a call in the middle of a chain of comparisons")
            this = binary(operator, left, right)
            result = this if result is None else both(result, this)
            left = right
        assert result is not None
        return result

    def choice(self, node: ast.BoolOp) -> Expression:
        """`and` and `or` as Python has them: the value is that of the side that decided."""
        result = self.value(node.values[-1])
        for part_node in reversed(node.values[:-1]):
            part = self.value(part_node)
            if isinstance(node.op, ast.And):
                result = conditional(part, result, ZERO)
            elif is_truth(part):
                result = conditional(part, ONE, result)
            elif not _calls(part):
                result = conditional(part, part, result)
            else:
                raise self.error(
                    part_node, "a call on the left of `or` must be a comparison, or stand in a condition"
                )
        return result

    def call(self, node: ast.Call, name: str) -> Expression:
        if name not in _INTRINSICS:
            return Call(name, self.values(node.args))
        match name, node.args:
            case "random", [low, high, stream, step, count]:
                return Random(
                    self.value(low), self.value(high), self.value(stream), self.value(step), self.value(count)
                )
            case "lowest_bit", [bits]:
                return LowestBit(self.value(bits))
            case "call_table", [index, *arguments]:
                return CallIndirect(self.value(index), self.values(arguments), result=True)
            case _:
                raise self.error(node, f"{name} cannot be used here, or not with {len(node.args)} arguments")


@cache
def _assigned_names(node: ast.stmt) -> tuple[ast.Name, ...]:
    """The names that a function or statement assigns, level by level; the kernel is translated for many programs."""
    found: list[ast.Name] = []
    level: list[ast.AST] = [node]
    while level:
        inner: list[ast.AST] = []
        for one in level:
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                found.append(one)
            # Nothing else can hold a name that is assigned.
            for part in ("targets", "target", "elts", "body", "orelse"):
                below = getattr(one, part, ())
                inner.extend(below if isinstance(below, list | tuple) else (below,))
        level = inner
    return tuple(found)


def _only_declared(node: ast.FunctionDef) -> bool:
    """Whether a function is only declared, as `raise NotImplementedError`, and made elsewhere."""
    match node.body:
        case [*_, ast.Raise(exc=ast.Name(id="NotImplementedError"))] if len(node.body) <= 2:
            return True
        case _:
            return False


def _is_number_type(annotation: ast.expr | None) -> bool:
    return isinstance(annotation, ast.Name) and annotation.id in ("int", "bool")


def _calls(value: Expression) -> bool:
    """Whether a call is in it, which may change memory."""
    return type(value) in (Call, CallIndirect) or any(map(_calls, operands(value)))


def _unchanging(value: Expression) -> bool:
    """Whether a write to memory cannot change it."""
    return type(value) in _OF_LOCALS and all(map(_unchanging, operands(value)))


_OF_LOCALS: Final = frozenset((Const, Local, Binary, Not, LowestBit))
