"""Cuts functions at decisions, so that a game can stop there and go on later.

A function that may ask becomes numbered parts (`Parts`); a part begins behind each call that may ask. Where such a call
comes back with STATUS set, the function writes a frame `[size, function, part, live locals ...]` into a buffer and
returns; so do its callers, the innermost first. `kernel/storage/frames.py` moves the frames into the state and later takes the
topmost one to go on: RESUME holds its address, and the function is called with zeros. It reads the frame and goes to
its part. As long as nothing stops, locals stay locals, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import ZERO, add, binary, cell, const, load, negate, set_cell, store
from talewright.runtime.ir.header import (
    ANSWER,
    ASKING,
    BAD_CODE,
    BUFFER_TOP,
    FRAME_TOP,
    OPTIONS,
    POLICY,
    RESULT,
    RESUME,
    STATUS,
    TOO_DEEP,
)
from talewright.runtime.ir.nodes import (
    ASKING_STATEMENTS,
    Ask,
    AskingCall,
    AskingCallIndirect,
    Assign,
    Block,
    Body,
    Branch,
    Call,
    CallIndirect,
    Data,
    Evaluate,
    Fault,
    Function,
    Goto,
    If,
    Local,
    Loop,
    Module,
    Parts,
    Return,
    Statement,
    Switch,
)
from talewright.runtime.ir.passes.asking import DECIDE
from talewright.runtime.ir.passes.liveness import live_in_parts
from talewright.runtime.ir.walk import BODIES, bodies, rewritten, statements
from talewright.schemas.records import record, replace

# So many locals may wait in all, where a function stops: each is written and read in code of its own.
MOST_HELD: Final = 200_000

# Functions that cutting adds: `step(function, frame)` goes on from a frame.
STEP: Final = "step"
SPILL: Final = "spill"
# The cells of a frame before its locals.
FRAME_HEAD: Final = 3
# In the table of what frames hold, cells with effects that were handed over are named by so much more.
HANDED_OVER: Final = 1 << 16


@record(frozen=True)
class Regions:
    """Where frames are kept: in the state, and, while a game stops, in a buffer outside of it."""

    frames: int
    frames_end: int
    buffer: int
    buffer_end: int
    table: int = 0
    """Where the table of what frames hold is put; 0: nobody reads it."""


# How deep loops, blocks, conditions and switches may stand inside of each other before they become parts. Python, which
# one engine writes, has a bound for loops (20).
DEEPEST_STATEMENT: Final = 16


def nesting(body: Body) -> int:
    """How deep statements stand inside of each other."""
    deepest = 0
    for node in body:
        if type(node) in BODIES and type(node) is not Parts:
            for inner in bodies(node):
                deepest = max(deepest, 1 + nesting(inner))
    return deepest


def entering(name: str) -> str:
    """The function that puts the first frame of an entry, with its arguments, so that `step` begins it."""
    return f"enter_{name}"


def declared(module: Module, entries: Iterable[str] = ()) -> Module:
    """The module with empty functions in place of those that `cut` makes, so that others can call them before."""
    parameters = {function.name: function.parameters for function in module.functions}
    made = {STEP: 2} | {entering(name): parameters[name] for name in entries}
    empty = (Function(name, count, count, False, ()) for name, count in made.items())
    return replace(module, functions=(*module.functions, *empty))


def cut(
    module: Module, regions: Regions, entries: Iterable[str] = (), asking: Iterable[str] | None = None
) -> Module:
    """A settled module without anything that asks; `entries` are functions that a frame can begin.

    `asking` are the functions that may ask, where they are known already.
    """
    entries = tuple(entries)
    made = {STEP, *map(entering, entries)}
    module = replace(module, functions=tuple(it for it in module.functions if it.name not in made))
    if asking is None:
        asking = {
            function.name
            for function in module.functions
            if any(type(node) in ASKING_STATEMENTS for node in statements(function.body))
        }
    asking = {*asking, *entries}
    numbers: dict[str, int] = {}
    for function in module.functions:
        if function.name in asking:
            numbers[function.name] = len(numbers)
    functions: list[Function] = []
    holds: list[list[list[int]]] = []
    for function in module.functions:
        if function.name not in asking:
            functions.append(function)
            continue
        deep = nesting(function.body) > DEEPEST_STATEMENT
        cutter = _Cutter(function, numbers[function.name], everything=deep)
        functions.append(cutter.function())
        holds.append(cutter.holds())
        if function.name in entries:
            functions.append(_entry(function, numbers[function.name], cutter.saved(0), regions))
    parameters = {function.name: function.parameters for function in module.functions}
    functions.append(_step({name: parameters[name] for name in numbers}))
    functions.append(_spill(regions))
    data = module.data
    if regions.table:
        data = (*data, Data(regions.table, tuple(_frame_table(holds, regions.table))))
    return replace(module, functions=tuple(functions), data=data)


def _frame_table(holds: list[list[list[int]]], base: int) -> list[int]:
    """For each function the address of a row with, for each part, the address of `[n, cells of its frame ...]`.

    Cells that hold things are named by where they stand in the frame, those that hold lists of things by its negative, and
    those that hold effects by HANDED_OVER more.
    """
    cells = [0] * len(holds)
    known: dict[tuple[int, ...], int] = {}
    for number, parts in enumerate(holds):
        if not any(parts):
            continue
        row: list[int] = []
        for found in parts:
            key = tuple(found)
            if key and key not in known:
                known[key] = base + len(cells)
                cells += [len(key), *key]
            row.append(known[key] if key else 0)
        cells[number] = base + len(cells)
        cells += row
    return cells


def flattened(function: Function) -> Function:
    """A function that does not ask, with all its loops and blocks as parts: for engines that cannot nest deeply."""
    cutter = _Cutter(function, 0, everything=True)
    return cutter.function(resumable=False)


class _Cutter:
    """Cuts one function."""

    def __init__(self, function: Function, number: int, everything: bool = False) -> None:
        self.source = function
        self.number = number
        self.everything = everything
        self.entry = function.locals
        self.frame = function.locals + 1
        # Parts by the number they were given first, and in the order in which they stand.
        self.parts: list[list[Statement]] = []
        self.order: list[int] = []
        self.targets: dict[str, int] = {}
        # Where the function stops: these stand for a frame that is written and a return. Their part is where to go on.
        self.stops: list[Goto] = []
        self.hard = self.hard_labels(function.body)
        self.current = self.start(self.new())
        self.body(function.body)
        self.place = {part: position for position, part in enumerate(self.order)}
        self.live = live_in_parts([self.parts[part] for part in self.order], self.place)

    def function(self, resumable: bool = True) -> Function:
        source = self.source
        held = sum(self.live[self.place[stop.part]].bit_count() for stop in self.stops)
        if held > MOST_HELD:
            raise LoadError(
                f"the game is too large: `{source.name}` has {len(self.stops):,} decisions, and most of what it knows waits at each"
            )
        stops = {id(stop) for stop in self.stops}

        def finished(node: Statement) -> Body:
            assert type(node) is Goto
            part = self.place[node.part]
            return self.stop(part) if id(node) in stops else (Goto(part),)

        parts = tuple(rewritten(tuple(self.parts[part]), finished, (Goto,)) for part in self.order)
        resumed = {self.place[stop.part] for stop in self.stops} | {0}
        last = max(resumed)
        back = (
            Assign(self.frame, cell(RESUME)),
            set_cell(RESUME, ZERO),
            Assign(self.entry, load(Local(self.frame), 2)),
            Switch(
                Local(self.entry),
                tuple(self.restore(part) if part in resumed else _IMPOSSIBLE for part in range(last + 1)),
                _IMPOSSIBLE,
            ),
        )
        body: Body = (Parts(self.entry, parts),)
        if resumable:
            body = (If(cell(RESUME), back), *body)
        return replace(source, locals=source.locals + 2, body=body)

    def saved(self, part: int) -> list[int]:
        """The locals that a frame for a part holds, in order."""
        live = self.live[part]
        if part == 0:
            # The beginning: everything but the parameters is 0 yet.
            live &= (1 << self.source.parameters) - 1
        return [local for local in range(live.bit_length()) if live >> local & 1]

    def holds(self) -> list[list[int]]:
        """For each part what stands where in its frame, as the table names it."""
        source = self.source
        found: list[list[int]] = []
        for part in range(len(self.order)):
            cells: list[int] = []
            for place, local in enumerate(self.saved(part), FRAME_HEAD):
                if local in source.things:
                    cells.append(place)
                elif local in source.lists:
                    cells.append(-place)
                elif local in source.blocks:
                    cells.append(place + HANDED_OVER)
            found.append(cells)
        return found

    def stop(self, part: int) -> Body:
        """Writes a frame that goes on at a part, and returns."""
        saved = self.saved(part)
        arguments = (const(FRAME_HEAD + len(saved)), const(self.number), const(part))
        frame = Local(self.frame)
        if not saved:
            return (Evaluate(Call(SPILL, arguments)), Return())
        return (
            Assign(self.frame, Call(SPILL, arguments)),
            *(store(frame, FRAME_HEAD + place, Local(local)) for place, local in enumerate(saved)),
            Return(),
        )

    def restore(self, part: int) -> Body:
        """Reads the locals of a frame."""
        frame = Local(self.frame)
        return tuple(
            Assign(local, load(frame, FRAME_HEAD + place)) for place, local in enumerate(self.saved(part))
        )

    # Which statements become parts.

    def hard_labels(self, body: Body) -> set[str]:
        """Labels of loops and blocks that are cut: with a decision inside, or a branch to one that is cut."""
        facts: dict[str, set[str]] = {}
        hard: set[str] = set()
        self.look(body, [], facts, hard)
        waiting = list(hard)
        around: dict[str, list[str]] = {}
        for label, branches in facts.items():
            for other in branches:
                around.setdefault(other, []).append(label)
        while waiting:
            for label in around.get(waiting.pop(), ()):
                if label not in hard:
                    hard.add(label)
                    waiting.append(label)
        return hard

    def look(self, body: Body, outer: list[str], facts: dict[str, set[str]], hard: set[str]) -> None:
        """Notes for each loop and block which others are branched to from inside, and whether somebody is asked there."""
        for node in body:
            if type(node) is Branch:
                for label in outer:
                    if label != node.label:
                        facts[label].add(node.label)
            elif type(node) in ASKING_STATEMENTS:
                hard.update(outer)
            elif type(node) is Loop or type(node) is Block:
                facts[node.label] = set()
                if self.everything:
                    hard.add(node.label)
                self.look(node.body, [*outer, node.label], facts, hard)
            elif type(node) in BODIES:
                for inner in bodies(node):
                    self.look(inner, outer, facts, hard)

    def needs_cut(self, node: Statement) -> bool:
        """Whether a statement cannot stand inside of one part."""
        if type(node) in ASKING_STATEMENTS:
            return True
        if type(node) not in BODIES:
            return False
        if self.everything:
            return True
        if type(node) is Loop or type(node) is Block:
            return node.label in self.hard
        return any(self.needs_cut(inner) for body in bodies(node) for inner in body)

    # Making parts.

    def new(self) -> int:
        self.parts.append([])
        return len(self.parts) - 1

    def start(self, part: int) -> list[Statement]:
        """Goes on with a part, which stands behind the one before."""
        self.order.append(part)
        self.current = self.parts[part]
        return self.current

    def body(self, body: Body) -> None:
        for node in body:
            if not self.needs_cut(node):
                whole = self.hard and (type(node) is Branch or type(node) in BODIES)
                self.current.extend(rewritten((node,), self.uncut, (Branch,)) if whole else (node,))
            else:
                self.statement(node)
            if type(node) in _LEAVING:
                return

    def uncut(self, node: Statement) -> Body:
        """A statement inside of a part: a branch to what was cut becomes a jump between parts."""
        if type(node) is Branch and node.label in self.hard:
            return (Goto(self.targets[node.label]),)
        return (node,)

    def statement(self, node: Statement) -> None:
        match node:
            case If():
                self.if_(node)
            case Loop():
                head = self.new()
                self.targets[node.label] = head
                self.start(head)
                self.body(node.body)
            case Block():
                end = self.new()
                self.targets[node.label] = end
                self.body(node.body)
                self.start(end)
            case Switch():
                self.switch(node)
            case AskingCall():
                self.call(Evaluate(Call(node.function, node.arguments)), node.result)
            case AskingCallIndirect():
                self.call(Evaluate(CallIndirect(node.index, node.arguments, result=False)), node.result)
            case Ask():
                behind = self.new()
                now = (set_cell(ANSWER, Call(DECIDE, (cell(OPTIONS),))),)
                later = (set_cell(STATUS, const(ASKING)), self.stopping(behind))
                self.current.append(If(cell(POLICY), now, later))
                self.start(behind)
                self.current.append(Assign(node.result, cell(ANSWER)))
            case _:
                raise AssertionError(f"{type(node).__name__} cannot be cut")

    def stopping(self, part: int) -> Statement:
        stop = Goto(part)
        self.stops.append(stop)
        return stop

    def call(self, call: Statement, result: int | None) -> None:
        behind = self.new()
        self.current.append(call)
        self.current.append(If(cell(STATUS), (self.stopping(behind),)))
        self.start(behind)
        if result is not None:
            self.current.append(Assign(result, cell(RESULT)))

    def if_(self, node: If) -> None:
        condition, then, otherwise = node.condition, node.then, node.otherwise
        if not then:
            condition, then, otherwise = negate(condition), otherwise, ()
        end = self.new()
        other = self.new() if otherwise else end
        self.current.append(If(negate(condition), (Goto(other),)))
        self.body(then)
        if otherwise:
            if not (then and type(then[-1]) in _LEAVING):
                self.current.append(Goto(end))
            self.start(other)
            self.body(otherwise)
        self.start(end)

    def switch(self, node: Switch) -> None:
        end = self.new()
        starts = [self.new() for _ in (*node.cases, node.default)]
        self.current.append(
            Switch(node.index, tuple((Goto(start),) for start in starts[:-1]), (Goto(starts[-1]),))
        )
        for start, body in zip(starts, (*node.cases, node.default), strict=True):
            self.start(start)
            self.body(body)
            self.current.append(Goto(end))
        self.start(end)


_LEAVING: Final = frozenset((Branch, Return, Fault))
_IMPOSSIBLE: Final[Body] = (Fault(BAD_CODE),)


def _entry(function: Function, number: int, saved: list[int], regions: Regions) -> Function:
    """Puts a frame that begins a function."""
    size = FRAME_HEAD + len(saved)
    top = function.parameters
    frame = Local(top)
    return Function(
        entering(function.name),
        function.parameters,
        function.parameters + 1,
        False,
        (
            Assign(top, cell(FRAME_TOP)),
            If(binary("gt", frame, const(regions.frames_end - size - 1)), (Fault(TOO_DEEP, function.spot),)),
            store(frame, 0, const(size)),
            store(frame, 1, const(number)),
            store(frame, 2, ZERO),
            *(store(frame, FRAME_HEAD + place, Local(local)) for place, local in enumerate(saved)),
            store(frame, size, const(size)),
            set_cell(FRAME_TOP, add(frame, const(size + 1))),
        ),
    )


def _step(functions: dict[str, int]) -> Function:
    """Goes on from a frame: function, address of the frame."""
    cases: list[Body] = [
        (Evaluate(Call(name, (ZERO,) * parameters)),) for name, parameters in functions.items()
    ]
    return Function(
        STEP, 2, 2, False, (set_cell(RESUME, Local(1)), Switch(Local(0), tuple(cases), _IMPOSSIBLE))
    )


def _spill(regions: Regions) -> Function:
    """Takes room for a frame in the buffer and writes its head: size, function, part. Gives its address."""
    frame = Local(3)
    end = add(frame, Local(0))
    return Function(
        SPILL,
        3,
        4,
        True,
        (
            Assign(3, cell(BUFFER_TOP)),
            If(binary("gt", end, const(regions.buffer_end)), (Fault(TOO_DEEP),)),
            store(frame, 0, Local(0)),
            store(frame, 1, Local(1)),
            store(frame, 2, Local(2)),
            set_cell(BUFFER_TOP, end),
            Return(frame),
        ),
    )
