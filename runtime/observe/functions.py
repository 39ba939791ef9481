"""The functions of a program as plain Python over copies of its memory, each written when it is first called.

What a document means is said once, by its lowering. Somebody who looks asks for more than a machine can be asked: for one
condition of a rule, or for what a menu leaves out. So the document is lowered once more, which gives the same numbers
and addresses, and whatever is asked is lowered after it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import partial
from threading import RLock
from types import CodeType
from typing import Final

from talewright.runtime.engines.python.emit import function_lines, table_name
from talewright.runtime.engines.python.host import ERRORS, surroundings
from talewright.runtime.faults import LoadError
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.ir.header import TOO_MUCH
from talewright.runtime.ir.nodes import Ask as AskStatement
from talewright.runtime.ir.nodes import (
    AskingCall,
    AskingCallIndirect,
    Call,
    Evaluate,
    Function,
    Loop,
    Statement,
)
from talewright.runtime.ir.passes.survey import survey
from talewright.runtime.ir.walk import rewritten
from talewright.runtime.lower.assembly import SPARE_TEXTS, Lowered, kernel_functions, lower
from talewright.runtime.lower.code import Code, Scope
from talewright.runtime.lower.program import Build, Program
from talewright.runtime.model.layout import STATIC
from talewright.runtime.observe.memory import Memory
from talewright.schemas.garbage import built_to_stay
from talewright.schemas.nodes.literals import Text
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import record, replace

_STEP: Final = Evaluate(Call("step", ()))
_ASKS: Final = Evaluate(Call("asks", ()))
_ASKING: Final = (AskingCall, AskingCallIndirect, AskStatement)
# So many times round loops and into functions one question may take.
MOST_STEPS = 1_000_000
# A new function: what is asked is worked out by it, and the type of what that gives.
Write = Callable[[Code], Type]


class Unanswerable(Exception):
    """Something was asked that cannot be told: it asks, rolls or changes something, or nobody can lower it."""


class Chance(Unanswerable):
    """Something that only chance can tell was asked for."""


@record(frozen=True)
class Asked:
    """A function that was lowered because somebody asks: its name, and the type of what it gives."""

    name: str
    type: Type


@record(frozen=True)
class Source:
    """A function in Python: its code, and what it calls by name and by the shapes of the table."""

    code: CodeType
    called: tuple[str, ...]
    tables: tuple[tuple[int, bool], ...]


class _Names(dict[str, str]):
    """What functions are called in the source: no word of a package gets there."""

    def __missing__(self, name: str) -> str:
        made = self[name] = f"f{len(self)}"
        return made


class Functions:
    """Python for the functions of a program that is played."""

    def __init__(self, played: Program) -> None:
        self.names = _Names(step="step", asks="asks")
        self._lock = RLock()
        build = replace(played.build, looked_at=True)
        self._lower = partial(lower, played.document, played.world.settings.options, played.players, build)
        self._sources: dict[str, Source] = {}
        self._asked: dict[Hashable, Asked] = {}
        self._kept: list[object] = []
        """What was asked about: while it is kept, nothing else takes its identity."""
        self._kernel = kernel_functions(played)
        self._again: Lowered | None = None
        self._fixed = 0
        """Where what is laid down for questions begins."""

    @property
    def lowered(self) -> Lowered:
        """The document lowered once more, for what needs more than the kernel, and lowered on."""
        with self._lock:
            if self._again is None:
                with built_to_stay():
                    self._again = self._lower()
                program = self._again.program
                self._fixed = len(program.layout.static)
                program.texts += [Text(())] * SPARE_TEXTS
                # What is asked from now on leaves no traces.
                program.build = Build(looked_at=True)
            return self._again

    @property
    def is_lowered(self) -> bool:
        """Whether somebody has asked for more than the kernel."""
        return self._again is not None

    @property
    def program(self) -> Program:
        """The program of what was lowered once more."""
        return self.lowered.program

    def laid_down(self, since: int) -> Iterator[tuple[int, int]]:
        """The cells that questions need beside those of the game, from a place on: place and cell."""
        if self._again is not None:
            static = self.program.layout.static
            for place in range(max(since, self._fixed), len(static)):
                yield place, static[place]

    def asked(self, what: str, about: object, parameters: int, scope: Scope, write: Write) -> Asked:
        """The function that answers a question about something."""
        key = (what, id(about), tuple(scope.locals), scope.owner)
        with self._lock:
            found = self._asked.get(key)
            if found is None:
                self._kept.append(about)
                found = self._asked[key] = self._lowered(parameters, scope, write)
            return found

    def _lowered(self, parameters: int, scope: Scope, write: Write) -> Asked:
        program, functions = self.program, self.lowered.functions
        known = len(program.layout.names)
        code = program.code(f"asked:{len(self._asked)}", parameters, scope=scope)
        try:
            type_ = write(code)
            # What it gives stays on the stack of the copy.
            code.mark = None
            functions[code.name] = code.function()
            program.write_needed()
        except (LoadError, RecursionError) as error:
            raise Unanswerable(str(error) or "it nests too deeply") from None
        functions.update(program.functions)
        program.functions.clear()
        if len(program.layout.names) > known:
            # Some functions of the kernel read tables that are laid down for those who call them.
            self._kernel = kernel_functions(program)
        return Asked(code.name, type_)

    def source(self, name: str) -> Source:
        """A function in Python."""
        found = self._sources.get(name)
        if found is not None:
            return found
        with self._lock:
            function = self._function(name)
            body = rewritten(function.body, _bounded, (Loop, *_ASKING))
            function = replace(function, body=(_STEP, *body))
            tables: dict[tuple[int, bool], None] = {}
            text = "\n".join(function_lines(function, self.names, tables))
            code = compile(text, "<tale>", "exec", dont_inherit=True, optimize=2)
            found = self._sources[name] = Source(code, tuple(survey(function).callees), tuple(tables))
            return found

    def _function(self, name: str) -> Function:
        of_kernel = self._kernel.get(name)
        return self.lowered.functions[name] if of_kernel is None else of_kernel()


def _bounded(node: Statement) -> tuple[Statement, ...]:
    """Every time round a loop is a step; whatever may ask somebody is not done."""
    if isinstance(node, Loop):
        return (Loop(node.label, (_STEP, *node.body), node.spot, node.times),)
    return (_ASKS,)


class Running:
    """The functions of a program over one copy of its memory."""

    def __init__(self, functions: Functions, memory: Memory) -> None:
        self.functions, self.memory = functions, memory
        self._left = 0
        self._fixed = 0
        self._space: dict[str, object] = {
            **surroundings(memory),
            "copy": memory.copy,
            "random": _chance,
            "step": self._step,
            "asks": _asks,
        }

    def call(self, name: str, *arguments: int) -> int:
        """What a function gives; what it writes stays in the copy."""
        self._left = MOST_STEPS
        try:
            return int(self._callable(name)(*arguments) or 0)
        except tuple(ERRORS) as error:
            raise EngineFault(ERRORS[type(error)]) from None

    def _callable(self, name: str) -> Callable[..., int]:
        known = self._space.get(self.functions.names[name])
        return self._load(name) if known is None else known  # type: ignore[return-value]

    def _load(self, name: str) -> object:
        functions, space = self.functions, self._space
        source = functions.source(name)
        exec(source.code, space)
        for called in source.called:
            space.setdefault(functions.names[called], partial(self._first_call, called))
        for shape in source.tables:
            space.setdefault(table_name(*shape), _Table(self, shape[0]))
        self._place_fixed()
        return space[functions.names[name]]

    def _first_call(self, name: str, *arguments: int) -> object:
        self._load(name)
        return self._callable(name)(*arguments)

    def _place_fixed(self) -> None:
        """Puts into the copy what was laid down for questions, and stays."""
        for place, cell in self.functions.laid_down(self._fixed):
            self.memory.lay_down(STATIC + place, cell)
            self._fixed = place + 1

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise EngineFault(TOO_MUCH)


class _Table:
    """The functions of the table by their numbers, for calls of one shape."""

    def __init__(self, running: Running, parameters: int) -> None:
        self._running, self._parameters = running, parameters

    def __getitem__(self, number: int) -> Callable[..., int]:
        table = self._running.functions.program.table
        if not 0 < number < len(table):
            raise KeyError(number)
        return self._running._callable(table[number].function)

    def get(self, number: int, otherwise: Callable[..., int]) -> Callable[..., int]:
        """The function with a number."""
        try:
            return self[number]
        except KeyError:
            return otherwise


def _chance(low: int, high: int, stream: int, step: int, count: int) -> int:
    raise Chance("this depends on chance")


def _asks() -> None:
    raise Unanswerable("this is known only when it happens")
