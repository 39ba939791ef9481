"""Bounds what a program may do: steps between two decisions, and how deep its calls go.

Every time round a loop and every entry of a function in a call cycle costs one of STEPS; without one it is a fault. A loop
that counts towards a bound pays for all its times when it begins. Short loops of known length are free, and so are other
calls, as long as what they lead to is little: loops in loops, or calls that each call twice, would multiply without end. What
is more pays at the entry of its function, and a time round a loop that does much costs more than one.
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
    AskingCall,
    AskingCallIndirect,
    Assign,
    Binary,
    Block,
    Body,
    Branch,
    Call,
    CallIndirect,
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
    Switch,
)
from talewright.runtime.ir.passes.survey import Shape, Surveys, surveys
from talewright.runtime.ir.walk import EXPRESSIONS, assigned, calls, rewritten, statements
from talewright.schemas.records import field, record, replace

# A loop that goes round so often at most may cost nothing: what is around it pays.
FEW_TIMES: Final = 64
# So many statements may run for one step.
FREE_WORK: Final = 1 << 12


def meter(module: Module, deepest: int, known: Surveys | None = None) -> Module:
    """The same module with its steps counted, and calls in cycles no deeper than `deepest`."""
    known = surveys(module) if known is None else known
    functions = {function.name: function for function in module.functions}
    shapes = _shapes(module)
    graph = _graph(known, shapes)
    work = Work(shapes)
    # What is called comes before what calls it.
    for group in _components(graph):
        cyclic = _is_cyclic(group, graph)
        if cyclic:
            # Every entry pays for itself.
            work.of |= dict.fromkeys(group, 1)
        for name in group:
            metering = _Meter(functions[name], work)
            functions[name] = metering.metered(deepest if cyclic else None)
    return replace(module, functions=tuple(functions.values()))


@record
class Work:
    """How many statements a call of each function leads to that nobody pays for."""

    shapes: Mapping[Shape, list[str]]
    of: dict[str, int] = field(default_factory=dict)
    of_shape: dict[Shape, int] = field(default_factory=dict)

    def in_statement(self, node: Statement) -> int:
        """That of a statement and its calls, without the statements inside."""
        found: list[Call | CallIndirect] = []
        calls(EXPRESSIONS[type(node)](node), found)
        done = 1
        for call in found:
            if isinstance(call, Call):
                done += self.of[call.function]
            else:
                done += self._indirect((False, len(call.arguments), call.result))
        if type(node) is AskingCall:
            done += self.of[node.function]
        elif type(node) is AskingCallIndirect:
            done += self._indirect((True, len(node.arguments), False))
        return done

    def _indirect(self, shape: Shape) -> int:
        if shape not in self.of_shape:
            self.of_shape[shape] = max((self.of[name] for name in self.shapes.get(shape, ())), default=0)
        return self.of_shape[shape]


@record
class _Meter:
    """Writes the counting into one function."""

    function: Function
    work: Work
    counter: int | None = None
    result: int | None = None

    def metered(self, deepest: int | None) -> Function:
        function = self.function
        body, done = self.in_body(function.body)
        price = 1 + done // FREE_WORK
        if deepest is not None:
            body = self.counted_depth(body, deepest, price)
        elif price > 1:
            body, done = (*self.step(function.spot, price), *body), 1
        if deepest is None:
            self.work.of[function.name] = done
        if body is function.body:
            return function
        added = (self.counter, self.result)
        count = max([function.locals, *(slot + 1 for slot in added if slot is not None)])
        return replace(function, locals=count, body=body)

    def new(self) -> int:
        return self.function.locals + (self.counter is not None) + (self.result is not None)

    def step(self, spot: int, price: int = 1) -> Body:
        if self.counter is None:
            self.counter = self.new()
        left = Local(self.counter)
        # No step is left, however many there were: so a fault is known as one of steps.
        none_left = (set_cell(STEPS, const(0)),) if price > 1 else ()
        return (
            Assign(self.counter, cell(STEPS)),
            If(less(left, const(price)), (*none_left, Fault(TOO_MUCH, spot))),
            set_cell(STEPS, add(left, const(-price))),
        )

    def in_body(self, body: Body) -> tuple[Body, int]:
        """A body whose loops pay, and how many statements it runs that are not paid for."""
        out: list[Statement] = []
        same, done = True, 0
        for node in body:
            done += self.work.in_statement(node)
            made: Body = (node,)
            match node:
                case Loop():
                    made, inner = self.counted_loop(node)
                    done += inner
                case Block():
                    held, inner = self.in_body(node.body)
                    done += inner
                    if held is not node.body:
                        made = (Block(node.label, held),)
                case If():
                    (then, one), (otherwise, other) = self.in_body(node.then), self.in_body(node.otherwise)
                    done += max(one, other)
                    if then is not node.then or otherwise is not node.otherwise:
                        made = (If(node.condition, then, otherwise),)
                case Switch():
                    cases = [self.in_body(case) for case in (*node.cases, node.default)]
                    done += max(inner for _, inner in cases)
                    made = (Switch(node.index, tuple(held for held, _ in cases[:-1]), cases[-1][0]),)
                case _:
                    pass
            if len(made) != 1 or made[0] is not node:
                same = False
            out.extend(made)
        return (body if same else tuple(out)), done

    def counted_loop(self, node: Loop) -> tuple[Body, int]:
        """A loop that pays unless it does little, and how much of what it does is not paid for."""
        body, done = self.in_body(node.body)
        if body is not node.body:
            node = Loop(node.label, body, node.spot, node.times)
        if 0 < node.times <= FEW_TIMES and node.times * done <= FREE_WORK:
            return (node,), node.times * done
        price = 1 + done // FREE_WORK
        times = times_of(node) if price == 1 else None
        if times is not None:
            return (*self.steps(times, node.spot), node), 1
        match node.body:
            # The test of a `while` comes first: a time round that does not happen costs nothing.
            case (If(then=(Branch(label=label),), otherwise=()) as test, *rest) if label != node.label:
                body = (test, *self.step(node.spot, price), *rest)
            case body:
                body = (*self.step(node.spot, price), *body)
        return (Loop(node.label, body, node.spot),), 1

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
                    If(binary("ult", cell(STEPS), count), (set_cell(STEPS, const(0)), Fault(TOO_MUCH, spot))),
                    set_cell(STEPS, binary("sub", cell(STEPS), count)),
                ),
            ),
        )

    def counted_depth(self, body: Body, deepest: int, price: int) -> Body:
        body = rewritten(body, self.count_return, (Return,))
        step = self.step(self.function.spot, price)
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
    graph = _graph(surveys(module) if known is None else known, _shapes(module))
    return frozenset(name for group in _components(graph) if _is_cyclic(group, graph) for name in group)


def _is_cyclic(group: list[str], graph: Mapping[str, Iterable[str]]) -> bool:
    return len(group) > 1 or group[0] in graph[group[0]]


def _shapes(module: Module) -> dict[Shape, list[str]]:
    """The functions that an indirect call of each shape may reach."""
    shapes: dict[Shape, list[str]] = {}
    functions = {function.name: function for function in module.functions}
    for slot in module.table:
        function = functions[slot.function]
        shape = (slot.asks, function.parameters, function.result and not slot.asks)
        shapes.setdefault(shape, []).append(slot.function)
    return shapes


def _graph(known: Surveys, shapes: Mapping[Shape, list[str]]) -> dict[str, set[str]]:
    """Which functions each function may call."""
    return {
        name: set(found.callees).union(*(shapes.get(shape, ()) for shape in found.shapes))
        for name, found in known.items()
    }


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
