"""Puts short functions in place of their calls.

A call costs more than what many functions of the kernel do. This comes when it is settled who asks: a function that may ask,
or be called again before it returns, stays a function. Functions that nobody calls any more are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from talewright.runtime.ir.nodes import (
    AskingCall,
    AskingCallIndirect,
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
    Data,
    Evaluate,
    Expression,
    Function,
    If,
    Load,
    Local,
    Loop,
    LowestBit,
    Module,
    Not,
    Random,
    Return,
    Statement,
    Store,
    Switch,
)
from talewright.runtime.ir.passes.cutting import DEEPEST_STATEMENT, nesting
from talewright.runtime.ir.passes.folding import folded
from talewright.runtime.ir.passes.metering import in_cycles
from talewright.runtime.ir.passes.survey import Surveys, survey
from talewright.runtime.ir.walk import BODIES, EXPRESSIONS, OPERANDS, assigned, count_reads, statements
from talewright.schemas.records import field, record, replace

# A function of so few nodes stands in place of all its calls.
MOST_NODES: Final = 64
# One that is called in few places may be larger, if the program grows by no more nodes than that.
MOST_NODES_FOR_FEW: Final = 1000
MOST_GROWTH: Final = 600
_ATOMS: Final = (Const, Local)


def inlined(
    module: Module, closed: frozenset[str], roots: Iterable[str], known: Surveys, fixed: Data
) -> Module:
    """The same module with short functions in place of their calls.

    `closed` stay functions, `roots` are called from outside, `fixed` are cells that never change.
    """
    functions = {function.name: function for function in module.functions}
    kept = {*roots, *module.exports, *(slot.function for slot in module.table)}
    copies = Counter(kept)
    for found in known.values():
        copies.update(found.callees)
    work = _Inliner(functions, closed | in_cycles(module, known), copies, fixed, module.cells)
    waiting = sorted(kept)
    while waiting:
        function = work.finished(waiting.pop())
        more = survey(function).callees.keys() - kept
        kept |= more
        waiting.extend(sorted(more))
    return replace(
        module, functions=tuple(work.done[name] for name in functions if name in kept and name in work.done)
    )


def size(body: Body, most: int) -> int:
    """How many nodes a body has; counting ends beyond `most`."""
    count = 0
    for node in statements(body):
        count += 1
        for expression in EXPRESSIONS[type(node)](node):
            count += _size(expression)
        if count > most:
            break
    return count


def _size(node: Expression) -> int:
    return 1 + sum(map(_size, OPERANDS[type(node)](node)))


@record
class _Inliner:
    """Works on functions, those first that they call."""

    functions: Mapping[str, Function]
    closed: frozenset[str]
    """Functions that stay functions."""
    copies: Counter[str]
    """How many copies there are of a function that stands in place of all its calls; one that is called from outside stays, too."""
    fixed: Data
    cells: int
    done: dict[str, Function] = field(default_factory=dict)
    short: dict[str, bool] = field(default_factory=dict)
    zeroed: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def finished(self, name: str) -> Function:
        """A function in which short ones stand in place of their calls, without what is clear then."""
        if name not in self.done:
            source = self.functions[name]
            made = folded(_Caller(self, source).finished(), self.fixed, self.cells)
            if nesting(source.body) <= DEEPEST_STATEMENT < nesting(made.body):
                made = folded(source, self.fixed, self.cells)
            self.done[name] = made
        return self.done[name]

    def is_short(self, name: str) -> bool:
        """Whether a function can stand in place of its calls."""
        if name not in self.short:
            stays = name in self.closed or self.functions[name].seldom
            self.short[name] = not stays and self._is_short(name)
        return self.short[name]

    def _is_short(self, name: str) -> bool:
        nodes = size(self.finished(name).body, MOST_NODES_FOR_FEW)
        return nodes <= MOST_NODES or (
            nodes <= MOST_NODES_FOR_FEW and nodes * (self.copies[name] - 1) <= MOST_GROWTH
        )

    def unset(self, function: Function) -> tuple[int, ...]:
        """The locals of a function that may be read before they are set: they are 0 when it begins."""
        if function.name not in self.zeroed:
            self.zeroed[function.name] = _unset(function)
        return self.zeroed[function.name]


def _unset(function: Function) -> tuple[int, ...]:
    """The locals that may be read before they are set: those that are met first in anything but a statement that sets them."""
    met, late = set(range(function.parameters)), set[int]()
    for node in function.body:
        found: Counter[int] = Counter()
        for inner in statements((node,)):
            for expression in EXPRESSIONS[type(inner)](inner):
                count_reads(expression, found)
            local = assigned(inner)
            if local is not None and type(node) is not Assign:
                found[local] += 1
        late |= found.keys() - met
        met |= found.keys()
        if type(node) is Assign:
            met.add(node.local)
    return tuple(sorted(late))


def _returns(body: Body) -> int:
    return sum(type(node) is Return for node in statements(body))


class _Caller:
    """Writes one function anew."""

    def __init__(self, inliner: _Inliner, function: Function) -> None:
        self.inliner = inliner
        self.source = function
        self.locals = function.locals
        self.copies = 0

    def finished(self) -> Function:
        body = self.body(self.source.body)
        return replace(self.source, locals=self.locals, body=body)

    def new(self, count: int = 1) -> int:
        self.locals += count
        return self.locals - count

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        same = True
        for node in body:
            made = self.statement(node)
            same = same and len(made) == 1 and made[0] is node
            out.extend(made)
        return body if same else tuple(out)

    def statement(self, node: Statement) -> list[Statement]:
        """A statement, behind what its calls have become."""
        before: list[Statement] = []
        match node:
            case Evaluate(expression=Call(function=name) as call) if self.inliner.is_short(name):
                arguments = self.arguments(call.arguments, before)
                value = self.put(name, arguments, before, None)
                return before if value is None else [*before, Evaluate(value)]
            case Assign(value=Call(function=name) as call) if self.inliner.is_short(name):
                arguments = self.arguments(call.arguments, before)
                value = self.put(name, arguments, before, node.local)
                return before if value is None else [*before, Assign(node.local, value)]
            case Loop():
                made = self.body(node.body)
                return [node if made is node.body else Loop(node.label, made, node.spot, node.times)]
            case Block():
                made = self.body(node.body)
                return [node if made is node.body else Block(node.label, made)]
        found = EXPRESSIONS[type(node)](node)
        values = self.arguments(found, before) if found else found
        if type(node) in BODIES or values is not found:
            node = self.with_values(node, values)
        return [*before, node]

    def with_values(self, node: Statement, values: tuple[Expression, ...]) -> Statement:
        match node:
            case If():
                return If(values[0], self.body(node.then), self.body(node.otherwise))
            case Switch():
                return Switch(
                    values[0], tuple(self.body(case) for case in node.cases), self.body(node.default)
                )
            case Assign():
                return Assign(node.local, values[0])
            case Store():
                return Store(values[0], node.offset, values[1])
            case Evaluate():
                return Evaluate(values[0])
            case Return():
                return Return(values[0])
            case Copy():
                return Copy(*values)
            case AskingCall():
                return AskingCall(node.function, values, node.result)
            case AskingCallIndirect():
                return AskingCallIndirect(values[0], values[1:], node.result)
        return node

    # Expressions.

    def arguments(self, nodes: tuple[Expression, ...], before: list[Statement]) -> tuple[Expression, ...]:
        """Expressions that are evaluated one after the other; what their calls have become goes to `before`.

        A call can be worked out before a statement if nothing that memory could change is evaluated ahead of it.
        """
        made: list[Expression] = []
        early = True
        for node in nodes:
            made.append(self.expression(node, before, early))
            early = early and type(made[-1]) in _ATOMS
        return nodes if all(new is old for new, old in zip(made, nodes, strict=True)) else tuple(made)

    def expression(self, node: Expression, before: list[Statement], early: bool) -> Expression:
        """An expression; `early` says that it is the first to be evaluated, so that it can be done before the statement."""
        kind = type(node)
        if kind is Const or kind is Local:
            return node
        match node:
            case Call(function=name) if self.inliner.is_short(name):
                return self.call(node, before, early)
            case Conditional():
                condition = self.expression(node.condition, before, early)
                yes = self.expression(node.yes, before, False)
                no = self.expression(node.no, before, False)
                if condition is node.condition and yes is node.yes and no is node.no:
                    return node
                return Conditional(condition, yes, no)
        operands = OPERANDS[kind](node)
        made: list[Expression] = []
        for operand in operands:
            made.append(self.expression(operand, before, early))
            early = early and type(made[-1]) in _ATOMS
        if all(new is old for new, old in zip(made, operands, strict=True)):
            return node
        return _rebuilt(node, made)

    def call(self, node: Call, before: list[Statement], early: bool) -> Expression:
        if early:
            arguments = self.arguments(node.arguments, before)
            slot = self.new()
            value = self.put(node.function, arguments, before, slot)
            return Local(slot) if value is None else value
        arguments = tuple(self.expression(argument, before, False) for argument in node.arguments)
        match self.inliner.finished(node.function).body:
            case (Return(value=value),) if value is not None and all(type(a) in _ATOMS for a in arguments):
                return _substituted(value, arguments)
        return Call(node.function, arguments)

    def put(
        self, name: str, arguments: tuple[Expression, ...], before: list[Statement], result: int | None
    ) -> Expression | None:
        """Writes what a call does; gives its value, unless that is put into the local `result`."""
        callee = self.inliner.finished(name)
        base = self.new(callee.locals)
        match callee.body:
            case (Return(value=value),) if value is not None:
                given: list[Expression] = []
                for index, argument in enumerate(arguments):
                    if type(argument) in _ATOMS:
                        given.append(argument)
                    else:
                        before.append(Assign(base + index, argument))
                        given.append(Local(base + index))
                return _substituted(value, tuple(given))
        before.extend(Assign(base + index, argument) for index, argument in enumerate(arguments))
        before.extend(Assign(base + index, Const(0)) for index in self.inliner.unset(callee))
        self.copies += 1
        copied = _Copier(base, f"{name}@{self.copies}", result)
        if callee.body and type(callee.body[-1]) is Return and _returns(callee.body) == 1:
            # The only way out is the end: nothing has to be left.
            before.extend(copied.body(callee.body)[:-1])
            return None
        body = copied.body(callee.body)
        if result is not None and callee.result:
            before.append(Assign(result, Const(0)))
        before.extend((Block(copied.end, body),) if copied.leaves else body)
        return None


@record
class _Copier:
    """Copies the body of a function into another one: locals and labels get other names, `Return` leaves a block."""

    base: int
    prefix: str
    result: int | None
    leaves: bool = False

    @property
    def end(self) -> str:
        return f"{self.prefix} returned"

    def body(self, body: Body) -> Body:
        out: list[Statement] = []
        for node in body:
            out.extend(self.statement(node))
        return tuple(out)

    def value(self, node: Expression) -> Expression:
        return _moved(node, self.base)

    def label(self, label: str) -> str:
        return f"{self.prefix}.{label}"

    def statement(self, node: Statement) -> Body:
        match node:
            case Assign():
                return (Assign(self.base + node.local, self.value(node.value)),)
            case Store():
                return (Store(self.value(node.address), node.offset, self.value(node.value)),)
            case Evaluate():
                return (Evaluate(self.value(node.expression)),)
            case If():
                return (If(self.value(node.condition), self.body(node.then), self.body(node.otherwise)),)
            case Loop():
                return (Loop(self.label(node.label), self.body(node.body), node.spot, node.times),)
            case Block():
                return (Block(self.label(node.label), self.body(node.body)),)
            case Branch():
                return (Branch(self.label(node.label)),)
            case Copy():
                return (Copy(self.value(node.target), self.value(node.source), self.value(node.count)),)
            case Switch():
                cases = tuple(self.body(case) for case in node.cases)
                return (Switch(self.value(node.index), cases, self.body(node.default)),)
            case Return():
                self.leaves = True
                leave = Branch(self.end)
                if node.value is None or self.result is None:
                    return (leave,) if node.value is None else (Evaluate(self.value(node.value)), leave)
                return (Assign(self.result, self.value(node.value)), leave)
        return (node,)


def _moved(node: Expression, base: int) -> Expression:
    """An expression whose locals are others."""
    if type(node) is Const:
        return node
    if type(node) is Local:
        return Local(node.index + base)
    operands = OPERANDS[type(node)](node)
    return _rebuilt(node, [_moved(operand, base) for operand in operands]) if operands else node


def _substituted(node: Expression, arguments: tuple[Expression, ...]) -> Expression:
    """An expression in which arguments stand for the first locals."""
    if type(node) is Const:
        return node
    if type(node) is Local:
        return arguments[node.index] if node.index < len(arguments) else Const(0)
    operands = OPERANDS[type(node)](node)
    return _rebuilt(node, [_substituted(operand, arguments) for operand in operands]) if operands else node


def _rebuilt(node: Expression, operands: list[Expression]) -> Expression:
    """The same expression with other operands."""
    match node:
        case Binary():
            return Binary(node.operator, operands[0], operands[1])
        case Checked():
            return Checked(node.operator, operands[0], operands[1], node.spot)
        case Load():
            return Load(operands[0], node.offset)
        case Not():
            return Not(operands[0])
        case LowestBit():
            return LowestBit(operands[0])
        case Conditional():
            return Conditional(operands[0], operands[1], operands[2])
        case Call():
            return Call(node.function, tuple(operands))
        case CallIndirect():
            return CallIndirect(operands[0], tuple(operands[1:]), node.result)
        case Random():
            return Random(*operands)
    return node
