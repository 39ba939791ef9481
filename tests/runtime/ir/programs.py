"""Programs in the low-level form for tests: random ones, and what is needed to play them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

import talewright.runtime.kernel as kernel_package
from talewright.runtime.engines.interface import EngineFault, Machine
from talewright.runtime.ir import nodes as n
from talewright.runtime.ir.build import add, binary, cell, const, load, set_cell, store
from talewright.runtime.ir.header import ASKING, OPTIONS, STATUS, STEPS
from talewright.runtime.ir.kernel import translate, translate_text
from talewright.runtime.ir.passes.cutting import Regions
from talewright.runtime.ir.passes.pipeline import finished

# Where programs write: 64 cells that they choose, and a log.
CELLS = 100
LOG = 300
LOG_END = 900
TAPE = 900
GAME_STEPS = 950
REGIONS = Regions(frames=1000, frames_end=3000, buffer=3000, buffer_end=5000)
STATE_END = 3000
STEP_LIMIT = 3000
CONSTANTS = {
    "FRAMES": REGIONS.frames,
    "FRAMES_END": REGIONS.frames_end,
    "BUFFER": REGIONS.buffer,
    "STEP_LIMIT": STEP_LIMIT,
    "LOG": LOG,
    "LOG_END": LOG_END,
    "TAPE": TAPE,
    "GAME_STEPS": GAME_STEPS,
    "MOST_STEPS": GAME_STEPS + 1,
}
DEEPEST = 30

DRIVER = """
from talewright.runtime.ir.header import OPTIONS, STATUS, STEPS
from talewright.runtime.ir.intrinsics import M, ask


def note(value: int) -> None:
    if LOG + M[LOG] < LOG_END - 1:
        M[LOG] += 1
        M[LOG + M[LOG]] = value


def decide(count: int) -> int:
    M[TAPE] += 1
    return (M[TAPE] * 7 + M[TAPE] // 3) % count


def open_game(seed: int) -> None:
    drop_frames()
    M[STATUS] = 0
    M[STEPS] = STEP_LIMIT
    M[MOST_STEPS] = 1000000
    enter_main(seed)
"""

EXPORTS = ("open_game", "run", "answer", "step")


def kernel_file(name: str) -> Path:
    """A file of the kernel."""
    (found,) = Path(kernel_package.__path__[0]).rglob(f"{name}.py")
    return found


def driver() -> tuple[n.Function, ...]:
    """What opens, runs and answers."""
    return (
        *translate_text(DRIVER, "driver.py", CONSTANTS),
        *translate(kernel_file("frames"), CONSTANTS),
    )


def playable(functions: tuple[n.Function, ...], table: tuple[n.Slot, ...] = ()) -> n.Module:
    """A module whose function `main` can be played."""
    exports = ("open_game", "run", "answer")
    data = (n.Data(CELLS, tuple(range(3, 67))),)
    return n.Module((*functions, *driver()), table, exports, data, 16384)


def cut_module(module: n.Module) -> n.Module:
    """The module as an engine runs it."""
    return finished(module, REGIONS, ("main",), DEEPEST, thorough=True)


@dataclass
class Played:
    """What came of a game: the state at each stop and at the end, and the fault if there was one."""

    states: list[bytes]
    fault: tuple[int, int] | None
    machine: Machine


def choice(turn: int, count: int) -> int:
    """The answer to a question, as `decide` of the driver gives it."""
    return (turn * 7 + turn // 3) % count


def play(machine: Machine, seed: int, elsewhere: object = None, most: int = 60) -> Played:
    """Plays a game; with a program in `elsewhere`, every stop is saved and goes on in a new machine of it."""
    states: list[bytes] = []
    try:
        machine.call("open_game", seed)
        while machine.call("run") == ASKING and len(states) < most:
            state = machine.snapshot(0, STATE_END)
            states.append(state)
            if elsewhere is not None:
                machine = elsewhere.machine()  # type: ignore[attr-defined]
                machine.restore(0, state)
            machine.call("answer", choice(len(states), machine.read(OPTIONS, 1)[0]))
    except EngineFault as fault:
        states.append(machine.snapshot(0, STATE_END))
        return Played(states, (fault.code, fault.spot), machine)
    states.append(machine.snapshot(0, STATE_END))
    return Played(states, None, machine)


OPERATORS: tuple[n.BinaryOperator, ...] = (
    "add", "sub", "mul", "div", "rem", "and", "or", "xor", "shl", "shr", "eq", "ne", "lt", "le", "gt", "ge", "ult",
)  # fmt: skip
CHECKED: tuple[n.CheckedOperator, ...] = ("add", "sub", "mul", "div", "rem")
NUMBERS = (0, 1, 2, 3, 5, 7, 31, 32, 100, -1, -2, -7, 10**9, -(10**9), 2**31 - 1, -(2**31), 2**30, 65535)


class Maker:
    """Makes random functions `main`, `f1` ... : each calls only later ones, except where `cycles` is set."""

    def __init__(
        self, random: Random, *, asking: bool = True, faulty: bool = True, cycles: bool = False
    ) -> None:
        self.random = random
        self.asking = asking
        self.faulty = faulty
        self.count = random.randint(2, 4)
        self.shapes = [(1, False)] + [
            (random.randint(0, 3), random.random() < 0.6) for _ in range(self.count)
        ]
        self.cycles = cycles
        self.asks = [asking and random.random() < 0.6 for _ in range(self.count + 1)]
        self.asks[0] = asking
        # Only functions after the current one are called, so who asks is known from the back.
        self.number = 0
        self.locals = 0
        self.labels: list[str] = []
        self.made = 0
        self.budget = 0

    def module(self) -> n.Module:
        functions = [self.function(number) for number in range(self.count + 1)]
        return playable(tuple(functions), self.table())

    def table(self) -> tuple[n.Slot, ...]:
        return tuple(n.Slot(self.name(k), self.asks[k]) for k in range(1, self.count + 1))

    def name(self, number: int) -> str:
        return f"f{number}" if number else "main"

    def function(self, number: int) -> n.Function:
        parameters, result = self.shapes[number]
        self.number = number
        self.locals = parameters + self.random.randint(1, 5)
        self.budget = 60
        body = self.body(0)
        if result:
            body = (*body, n.Return(self.value(2)))
        return n.Function(self.name(number), parameters, self.locals, result, body, spot=500 + number)

    def callees(self, asks: bool) -> list[int]:
        first = 1 if self.cycles else self.number + 1
        return [k for k in range(first, self.count + 1) if self.asks[k] == asks]

    # Expressions.

    def value(self, depth: int) -> n.Expression:
        r = self.random
        kind = r.randrange(14 if depth > 0 else 3)
        if kind < 1:
            return n.Const(r.choice(NUMBERS))
        if kind < 3:
            return n.Local(r.randrange(self.locals))
        if kind < 6:
            return binary(
                r.choice(OPERATORS[:3] + OPERATORS[5:]), self.value(depth - 1), self.value(depth - 1)
            )
        if kind < 7:
            return self.division(depth)
        if kind < 9:
            return n.Load(*self.place(depth))
        if kind < 10:
            return r.choice((n.Not, n.LowestBit))(self.value(depth - 1))
        if kind < 11:
            return n.Conditional(self.value(depth - 1), self.value(depth - 1), self.value(depth - 1))
        if kind < 12:
            return n.Random(*(self.value(min(depth - 1, 1)) for _ in range(5)))
        if kind < 13 and self.faulty and r.random() < 0.4:
            small = [binary("rem", self.value(depth - 1), const(2000)) for _ in range(2)]
            pair = small if r.random() < 0.7 else [small[0], n.Const(r.choice((0, 10**9, -(2**31), 5)))]
            if r.random() < 0.1:
                pair.reverse()
            return n.Checked(r.choice(CHECKED), pair[0], pair[1], r.randrange(1, 400))
        return self.call(depth)

    def division(self, depth: int) -> n.Expression:
        divisor = self.value(depth - 1)
        if not self.faulty or self.random.random() < 0.9:
            divisor = binary("or", divisor, const(1))
        return n.Binary(self.random.choice(("div", "rem")), self.value(depth - 1), divisor)

    def place(self, depth: int) -> tuple[n.Expression, int]:
        """An address that is good, or, seldom, one that may not be."""
        r = self.random
        if r.random() < 0.3:
            return n.Const(0), CELLS + r.randrange(64)
        if self.faulty and r.random() < 0.03:
            # Beyond the end or before the beginning, and never a cell that the driver needs.
            return n.Binary("or", n.Binary("shr", self.value(depth - 1), const(3)), const(1 << 20)), r.choice(
                (0, CELLS)
            )
        return binary("and", self.value(depth - 1), const(31)), CELLS + r.randrange(32)

    def call(self, depth: int) -> n.Expression:
        r = self.random
        chosen = [k for k in self.callees(False) if self.shapes[k][1]]
        if not chosen:
            return n.Local(r.randrange(self.locals))
        k = r.choice(chosen)
        arguments = tuple(self.value(depth - 1) for _ in range(self.shapes[k][0]))
        if r.random() < 0.3:
            index: n.Expression = const(k - 1)
            if self.faulty and r.random() < 0.1:
                index = self.value(1)
            return n.CallIndirect(index, arguments, True)
        return n.Call(self.name(k), arguments)

    # Statements.

    def body(self, depth: int) -> n.Body:
        out: list[n.Statement] = []
        for _ in range(self.random.randint(1, 5)):
            if self.budget <= 0:
                break
            out.extend(self.statement(depth))
        return tuple(out)

    def label(self) -> str:
        self.made += 1
        return f"l{self.made}"

    def statement(self, depth: int) -> list[n.Statement]:
        r = self.random
        self.budget -= 1
        kind = r.randrange(22 if depth < 4 else 9)
        if kind < 4:
            return [n.Assign(r.randrange(self.locals), self.value(3))]
        if kind < 6:
            return [n.Store(*self.place(3), self.value(3))]
        if kind < 7:
            return [n.Evaluate(n.Call("note", (self.value(2),)))]
        if kind < 8:
            return self.leave()
        if kind < 9:
            parts = (binary("and", self.value(2), const(31)) for _ in range(2))
            target, source = (add(part, const(CELLS)) for part in parts)
            return [n.Copy(target, source, binary("and", self.value(1), const(15)))]
        if kind < 12:
            return [
                n.If(self.value(3), self.body(depth + 1), self.body(depth + 1) if r.random() < 0.5 else ())
            ]
        if kind < 14:
            return [self.loop(depth)]
        if kind < 15:
            label = self.label()
            self.labels.append(label)
            body = self.body(depth + 1)
            self.labels.pop()
            return [n.Block(label, body)]
        if kind < 16:
            cases = tuple(self.body(depth + 1) for _ in range(r.randint(0, 5)))
            return [n.Switch(binary("and", self.value(2), const(7)), cases, self.body(depth + 1))]
        return self.ask()

    def loop(self, depth: int) -> n.Statement:
        """A loop that may be left at its head, and is gone round if a local says so."""
        r = self.random
        label, end = self.label(), self.label()
        local = r.randrange(self.locals)
        self.labels += [label, end]
        body = self.body(depth + 1)
        self.labels = self.labels[:-2]
        count = n.Assign(local, binary("and", add(n.Local(local), const(1)), const(r.choice((3, 7)))))
        again: n.Body = (n.If(n.Local(local), (n.Branch(label),)),)
        if r.random() < 0.5:
            test = n.If(binary("gt", n.Local(local), const(r.randint(0, 3))), (n.Branch(end),))
            return n.Block(end, (n.Loop(label, (test, *body, count, n.Branch(label))),))
        return n.Block(end, (n.Loop(label, (*body, count, *again)),))

    def leave(self) -> list[n.Statement]:
        r = self.random
        if self.labels and r.random() < 0.7:
            return [n.If(self.value(2), (n.Branch(r.choice(self.labels)),))]
        if r.random() < 0.1 and self.faulty:
            return [n.If(n.Not(self.value(2)), (n.Fault(r.choice((5, 9)), r.randrange(300)),))]
        value = self.value(2) if self.shapes[self.number][1] else None
        return [n.If(n.Not(self.value(2)), (n.Return(value),))]

    def ask(self) -> list[n.Statement]:
        r = self.random
        if not self.asks[self.number]:
            return [n.Assign(r.randrange(self.locals), self.value(3))]
        result = r.randrange(self.locals)
        chosen = self.callees(True)
        if chosen and r.random() < 0.6:
            k = r.choice(chosen)
            arguments = tuple(self.value(2) for _ in range(self.shapes[k][0]))
            if r.random() < 0.3:
                return [n.AskingCallIndirect(const(k - 1), arguments, result if self.shapes[k][1] else None)]
            return [n.AskingCall(self.name(k), arguments, result if self.shapes[k][1] else None)]
        return [
            set_cell(OPTIONS, add(binary("and", self.value(1), const(3)), const(1))),
            n.Ask(result),
            n.Evaluate(n.Call("note", (n.Local(result),))),
        ]


__all__ = ["STATUS", "STEPS", "Maker", "cell", "cut_module", "load", "play", "playable", "store"]
