"""Bounds what a program may do: steps between two decisions, and how deep its calls go.

Every time round a loop and every entry of a function in a call cycle costs one of STEPS; without one it is a fault. A loop
that counts towards a bound pays for all its times when it begins. Short loops of known length are free.
Functions in call cycles count DEPTH up when they begin and down when they return. This comes before cutting: a function
that stops keeps its depth, and goes on with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from talewright.runtime.ir.build import add, binary, cell, const, less, set_cell
from talewright.runtime.ir.header import DEPTH, STEPS, TOO_DEEP, TOO_MUCH
from talewright.runtime.ir.nodes import (
    ASKING_STATEMENTS,
    Assign,
    Binary,
    Body,
    Branch,
    Const,
    Expression,
    Fault,
    Function,
    If,
    Local,
    Loop,
    Module,
    Return,
    Statement,
)
from talewright.runtime.ir.passes.survey import Shape, Surveys, surveys
from talewright.runtime.ir.walk import assigned, rewritten, statements
from talewright.schemas.records import record, replace

# A loop that goes round so often at most costs nothing: what is around it pays.
FEW_TIMES: Final = 64


def meter(module: Module, deepest: int, known: Surveys | None = None) -> Module:
    """The same module with its steps counted, and calls in cycles no deeper than `deepest`."""
    known = surveys(module) if known is None else known
    cyclic = in_cycles(module, known)
    return replace(
        module,
        functions=tuple(
            _Meter(function).metered(deepest if function.name in cyclic else None)
            if function.name in cyclic or known[function.name].loops
            else function
            for function in module.functions
        ),
    )


@record
class _Meter:
    """Writes the counting into one function."""

    function: Function
    counter: int | None = None
    result: int | None = None

    def metered(self, deepest: int | None) -> Function:
        function = self.function
        body = rewritten(function.body, self.count_loop, (Loop,))
        if deepest is not None:
            body = self.counted_depth(body, deepest)
        added = (self.counter, self.result)
        count = max([function.locals, *(slot + 1 for slot in added if slot is not None)])
        return replace(function, locals=count, body=body)

    def new(self) -> int:
        return self.function.locals + (self.counter is not None) + (self.result is not None)

    def step(self, spot: int) -> Body:
        if self.counter is None:
            self.counter = self.new()
        left = Local(self.counter)
        return (
            Assign(self.counter, cell(STEPS)),
            If(less(left, const(1)), (Fault(TOO_MUCH, spot),)),
            set_cell(STEPS, add(left, const(-1))),
        )

    def count_loop(self, node: Statement) -> Body:
        if type(node) is not Loop or 0 < node.times <= FEW_TIMES:
            return (node,)
        times = times_of(node)
        if times is not None:
            return (*self.steps(times, node.spot), node)
        match node.body:
            # The test of a `while` comes first: a time round that does not happen costs nothing.
            case (If(then=(Branch(label=label),), otherwise=()) as test, *rest) if label != node.label:
                return (Loop(node.label, (test, *self.step(node.spot), *rest), node.spot),)
            case body:
                return (Loop(node.label, (*self.step(node.spot), *body), node.spot),)

    def steps(self, times: Times, spot: int) -> Body:
        """Pays for a loop that counts; as a number without a sign, so that the way from end to end of all numbers counts too."""
        if self.counter is None:
            self.counter = self.new()
        count = Local(self.counter)
        return (
            If(
                less(times.low, times.high),
                (
                    Assign(self.counter, add(binary("sub", times.high, times.low), const(times.more))),
                    # No step is left, however many there were: so a fault is known as one of steps.
                    If(binary("ult", cell(STEPS), count), (set_cell(STEPS, const(0)), Fault(TOO_MUCH, spot))),
                    set_cell(STEPS, binary("sub", cell(STEPS), count)),
                ),
            ),
        )

    def counted_depth(self, body: Body, deepest: int) -> Body:
        body = rewritten(body, self.count_return, (Return,))
        step = self.step(self.function.spot)
        assert self.counter is not None
        depth = Local(self.counter)
        return (
            *step,
            Assign(self.counter, cell(DEPTH)),
            If(binary("ge", depth, const(deepest)), (Fault(TOO_DEEP, self.function.spot),)),
            set_cell(DEPTH, add(depth, const(1))),
            *body,
            _SHALLOWER,
        )

    def count_return(self, node: Statement) -> Body:
        if type(node) is not Return:
            return (node,)
        if node.value is None or type(node.value) in (Const, Local):
            return (_SHALLOWER, node)
        if self.result is None:
            self.result = self.new()
        return (Assign(self.result, node.value), _SHALLOWER, Return(Local(self.result)))


@record(frozen=True)
class Times:
    """How often a loop goes round: from a number to another one, and so many times more."""

    low: Expression
    high: Expression
    more: int


# When a loop ends, by how its index is compared with the bound: whether it counts up, and whether the bound itself counts.
_ENDS: Final[dict[str, tuple[int, int]]] = {"ge": (1, 0), "gt": (1, 1), "le": (-1, 0), "lt": (-1, 1)}


def times_of(loop: Loop) -> Times | None:
    """How often a loop goes round that counts one by one, at its end, towards a bound which stays as it is; else nothing.

    Loops of the text are not among them, `repeat` and menus: they may have a large bound, and be left long before it.
    """
    match loop.body:
        case (
            If(
                condition=Binary(
                    operator=operator, left=Local(index=index), right=Const() | Local() as bound
                ),
                then=(Branch(label=out),),
                otherwise=(),
            ),
            *rest,
            Assign() as last,
            Branch(label=again),
        ) if out != loop.label and again == loop.label and operator in _ENDS:
            step, more = _ENDS[operator]
        case _:
            return None
    if last != Assign(index, add(Local(index), const(step))):
        return None
    for node in statements(tuple(rest)):
        if type(node) in ASKING_STATEMENTS or (type(node) is Branch and node.label == loop.label):
            return None
        changed = assigned(node)
        if changed is not None and (changed == index or bound == Local(changed)):
            return None
    low, high = (Local(index), bound) if step > 0 else (bound, Local(index))
    return Times(low, high, more)


_SHALLOWER = set_cell(DEPTH, add(cell(DEPTH), const(-1)))


def in_cycles(module: Module, known: Surveys | None = None) -> frozenset[str]:
    """The functions that may be called again before they return."""
    shapes: dict[Shape, list[str]] = {}
    functions = {function.name: function for function in module.functions}
    for slot in module.table:
        function = functions[slot.function]
        shape = (slot.asks, function.parameters, function.result and not slot.asks)
        shapes.setdefault(shape, []).append(slot.function)
    graph: dict[str, set[str]] = {}
    for name, found in (surveys(module) if known is None else known).items():
        graph[name] = set(found.callees).union(*(shapes.get(shape, ()) for shape in found.shapes))
    cyclic: set[str] = set()
    for group in _components(graph):
        if len(group) > 1 or group[0] in graph[group[0]]:
            cyclic.update(group)
    return frozenset(cyclic)


def _components(graph: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Groups of functions that reach each other (Tarjan's algorithm, without recursion)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    path: list[str] = []
    on_path: set[str] = set()
    groups: list[list[str]] = []
    for root in graph:
        if root in numbers:
            continue
        work = [(root, iter(graph[root]))]
        numbers[root] = lowest[root] = len(numbers)
        path.append(root)
        on_path.add(root)
        while work:
            name, targets = work[-1]
            for target in targets:
                if target not in numbers:
                    numbers[target] = lowest[target] = len(numbers)
                    path.append(target)
                    on_path.add(target)
                    work.append((target, iter(graph[target])))
                    break
                if target in on_path:
                    lowest[name] = min(lowest[name], numbers[target])
            else:
                work.pop()
                if work:
                    caller = work[-1][0]
                    lowest[caller] = min(lowest[caller], lowest[name])
                if lowest[name] == numbers[name]:
                    group: list[str] = []
                    while not group or group[-1] != name:
                        group.append(path.pop())
                        on_path.discard(group[-1])
                    groups.append(group)
    return groups
