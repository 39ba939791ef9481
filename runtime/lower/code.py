"""One function while it is being written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

from talewright.runtime.faults import LoadError
from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    Term,
    as_expression,
    call,
    cell,
    conditional,
    negate,
    set_cell,
    store,
)
from talewright.runtime.ir.header import NOWHERE, STACK_TOP, TOO_MUCH
from talewright.runtime.ir.nodes import (
    AskingCall,
    AskingCallIndirect,
    Assign,
    Block,
    Body,
    Branch,
    Call,
    CallIndirect,
    Const,
    Evaluate,
    Expression,
    Fault,
    Function,
    If,
    Local,
    Loop,
    Return,
    Statement,
    Store,
)
from talewright.runtime.model.cells import LEAVING
from talewright.runtime.model.layout import STACK_END
from talewright.runtime.model.types import BEHAVIOUR, is_block, item_of
from talewright.runtime.model.world import plain
from talewright.schemas.nodes.types import ANY, Type
from talewright.schemas.records import field, record, replace

if TYPE_CHECKING:
    from talewright.runtime.lower.program import Program
    from talewright.runtime.model.world import RuleEntry

END = "end"
# No function has more: loops over one or two things are written out, and such loops in each other would double without end.
# WebAssembly takes 50,000; the bundled games need 500.
MOST_LOCALS = 10_000
# And so many statements: what compiles a function needs memory for each of them.
MOST_STATEMENTS = 100_000
# The function of a rule has its bearer, the result of the call, then the parts of the call as parameters.
RULE_PARTS = 2


@record(frozen=True)
class Scope:
    """What the names of the document mean at one point: locals, `self`, `result` and the text around."""

    locals: dict[int, Expression]
    """What the numbered locals of the document are."""
    types: dict[int, Type] = field(default_factory=dict)
    me: Expression = ZERO
    """`self`: the bearer of a rule, the owner of a field."""
    owner: str = ""
    """The kind or trait that `self` is known to be of."""
    result: Expression = ZERO
    result_type: Type = ANY
    gives: Type = ANY
    """The type of what `give` gives."""
    names: dict[int, str] = field(default_factory=dict)
    """What the locals are called in the text."""
    sure: frozenset[int] = frozenset()
    """Locals that are never none."""
    verb: str = ""
    """The verb by which decisions and streams of chance are named."""
    action: str = ""
    chapter: str = ""
    in_test: bool = False
    """Whether this is a step of a test, where the host can be asked for what only it knows."""
    usual: str = ""
    """The function that runs what this replaces, for `as usual`; it takes the same parts as the rule, and a rank."""
    below: tuple[Expression, ...] = ()
    """The rank of the replacement whose text this is: what is usual stands below it."""
    parts: tuple[int | str, ...] = ()
    """The parts of the call that a rule is about, in order: they stand in locals from RULE_PARTS on."""
    rule: RuleEntry | None = None
    instance: Expression | None = None
    """The record of the rule for a while, or of the gained trait, whose text this is."""

    def with_locals(self, more: dict[int, Expression]) -> Scope:
        """The scope with the values of some more locals."""
        return replace(self, locals={**self.locals, **more})

    def unsure(self, number: int) -> Scope:
        """The scope in which a local may be none."""
        return replace(self, sure=self.sure - {number})

    def with_types(self, types: dict[int, Type], sure: set[int]) -> Scope:
        """The scope with the types of some more locals, and which of them are never none."""
        return replace(self, types={**self.types, **types}, sure=self.sure | sure)


def local_types(locals_: Iterable[object]) -> dict[int, Type]:
    """The types of locals by their number."""
    return {number: getattr(local, "type", ANY) for number, local in enumerate(locals_)}


def local_names(locals_: Iterable[object]) -> dict[int, str]:
    """The names of locals by their number."""
    return {number: str(getattr(local, "name", local)) for number, local in enumerate(locals_)}


@record
class Code:
    """The statements of one function, written from the top; expressions may put statements before themselves."""

    program: Program
    name: str
    parameters: int
    gives: bool = True
    """Whether the function returns a value."""
    scope: Scope = field(default_factory=lambda: Scope({}))
    statements: list[Statement] = field(default_factory=list)
    added: int = 0
    """How many locals there are besides the parameters."""
    labels: int = 0
    loops: list[str] = field(default_factory=list)
    """Labels to branch to for `stop`, the innermost last."""
    mark: int | None = None
    """The local that remembers where the list stack stood on entry, if anything is put there."""
    stack_uses: int = 0
    """How often something was put there."""
    written: int = 0
    """How many statements were written, inside of others too."""
    spot: int = NOWHERE
    given: int | None = None
    """The local that holds what the function gives."""
    exit: str = END
    """The label that `give` and `stop` go to."""
    instances: dict[int, Expression] = field(default_factory=dict)
    """The records of rules for a while that are being looked at, by the number of the rule."""
    things: set[int] = field(default_factory=set)
    """Locals that hold things."""
    lists: set[int] = field(default_factory=set)
    """Locals that hold lists of things."""
    named: set[int] = field(default_factory=set)
    """Locals that hold nothing but what the text names."""
    blocks: set[int] = field(default_factory=set)
    """Locals that hold effects which were handed over."""
    opened: list[str] = field(default_factory=list)
    """The values whose definitions are being written in place of calls."""
    leave: str = END
    """The label to go to while a `go to` or `stop` leaves the running calls."""

    @property
    def names(self) -> dict[str, int]:
        """Addresses and counts by the names by which kernel files know them."""
        return self.program.layout.names

    # ------------------------------------------------------------------ locals and statements
    def fresh(self) -> Local:
        """A new local."""
        self.added += 1
        if self.added > MOST_LOCALS:
            raise LoadError(
                "too much is nested here: give parts of it names of their own, as values or actions"
            )
        return Local(self.parameters + self.added - 1)

    def emit(self, *statements: Statement) -> None:
        """Adds statements."""
        self.statements.extend(statements)
        self.written += len(statements)
        if self.written > MOST_STATEMENTS:
            raise LoadError("too much stands here: divide it into several values, actions or rules")

    def keep(self, value: Expression) -> Expression:
        """The value as it is now, cheap to use more than once."""
        if isinstance(value, Const | Local):
            return value
        return self.hold(value)

    def hold(self, value: Term) -> Local:
        """The value as it is now, in a local of its own."""
        made = self.fresh()
        self.assign(made, value)
        return made

    def assign(self, target: Local, value: Term) -> None:
        """Sets a local."""
        self.emit(Assign(target.index, as_expression(value)))

    def set(self, address: int, value: Term) -> None:
        """Writes the cell at a fixed address."""
        self.emit(set_cell(address, value))

    def put(self, address: Term, value: Term, offset: int = 0) -> None:
        """Writes the cell at an address that is worked out."""
        self.emit(store(address, offset, value))

    def label(self, word: str) -> str:
        """A label that nothing else has."""
        self.labels += 1
        return f"{word}{self.labels}"

    @contextmanager
    def captured(self) -> Iterator[list[Statement]]:
        """Collects what is written inside instead of adding it."""
        outer, self.statements = self.statements, []
        inner = self.statements
        try:
            yield inner
        finally:
            self.statements = outer

    @contextmanager
    def in_scope(self, scope: Scope) -> Iterator[None]:
        """What is written inside stands in another scope."""
        outer, self.scope = self.scope, scope
        try:
            yield
        finally:
            self.scope = outer

    def within(self, **changes: object) -> AbstractContextManager[None]:
        """Changes the scope for what is written inside."""
        return self.in_scope(replace(self.scope, **changes))

    def bind(self, number: int, value: Expression, type_: Type | None = None, sure: bool = False) -> None:
        """Gives a local of the document its meaning from here on."""
        scope = self.scope
        types = scope.types if type_ is None else {**scope.types, number: type_}
        known = scope.sure | {number} if sure else scope.sure - {number}
        self.scope = replace(scope, locals={**scope.locals, number: value}, types=types, sure=known)
        self.of_type(value, types.get(number, ANY))

    @contextmanager
    def bound(self, number: int, value: Expression, type_: Type | None = None) -> Iterator[None]:
        """Inside, a local of the document has a value that is not none."""
        with self.in_scope(self.scope):
            self.bind(number, value, type_, sure=True)
            yield

    def local_type(self, number: int) -> Type:
        """The type of a local of the document."""
        return self.scope.types.get(number, ANY)

    def of_type(self, found: Expression, type_: Type) -> Expression:
        """The same value; if it stands in a local, what kind of value the local holds is noted."""
        if isinstance(found, Local) and found.index not in self.named:
            inner = plain(type_)
            if inner.tag == "thing":
                self.things.add(found.index)
            elif inner.tag in ("list", "set") and plain(item_of(inner)).tag == "thing":
                self.lists.add(found.index)
            elif inner.tag in BEHAVIOUR:
                self.blocks.add(found.index)
        return found

    # ------------------------------------------------------------------ control
    @contextmanager
    def if_(self, condition: Expression) -> Iterator[None]:
        """What is written inside is done only if a condition holds; one that is known to fail takes no text of the document."""
        with self.captured() as body:
            yield
        if isinstance(condition, Const):
            self.emit(*(body if condition.value else ()))
        elif body:
            self.emit(If(condition, tuple(body)))

    def when(
        self,
        condition: Expression,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        """One of two blocks; what cannot happen is not even written."""
        if isinstance(condition, Const):
            if condition.value:
                then()
            elif otherwise is not None:
                otherwise()
            return
        with self.captured() as yes:
            then()
        no: list[Statement] = []
        if otherwise is not None:
            with self.captured() as no:
                otherwise()
        if yes or no:
            self.emit(If(condition, tuple(yes), tuple(no)))

    def choose(
        self, condition: Expression, yes: Callable[[], Expression], no: Callable[[], Expression]
    ) -> Expression:
        """One of two values; what the other needs is not done."""
        if isinstance(condition, Const):
            return yes() if condition.value else no()
        with self.captured() as before_yes:
            value_yes = yes()
        with self.captured() as before_no:
            value_no = no()
        if not before_yes and not before_no:
            return conditional(condition, value_yes, value_no)
        made = self.fresh()
        self.emit(
            If(
                condition,
                (*before_yes, Assign(made.index, value_yes)),
                (*before_no, Assign(made.index, value_no)),
            )
        )
        return made

    def all_of(self, questions: list[Callable[[], Expression]]) -> Expression:
        """Whether every question is answered with yes, asked in order until one is not."""
        if not questions:
            return ONE
        first = questions[0]()
        if len(questions) == 1:
            return first
        return self.choose(first, lambda: self.all_of(questions[1:]), lambda: ZERO)

    def any_of(self, questions: list[Callable[[], Expression]]) -> Expression:
        """Whether some question is answered with yes, asked in order until one is."""
        if not questions:
            return ZERO
        first = questions[0]()
        if len(questions) == 1:
            return first
        return self.choose(first, lambda: ONE, lambda: self.any_of(questions[1:]))

    @contextmanager
    def block(self, word: str = "out") -> Iterator[str]:
        """A block that a branch to its label leaves."""
        label = self.label(word)
        with self.captured() as body:
            yield label
        while body and body[-1] == If(cell(LEAVING), (Branch(label),)):
            # Behind it comes the end anyway.
            body.pop()
        self.emit(Block(label, tuple(body)))

    @contextmanager
    def search(
        self, word: str = "found", otherwise: Expression = ZERO
    ) -> Iterator[tuple[Local, Callable[..., None]]]:
        """A block that is left once something is found; gives the local that holds it and what leaves with a value."""
        found = self.hold(otherwise)
        with self.block(word) as out:

            def leave(value: Expression = ONE) -> None:
                self.assign(found, value)
                self.go(out)

            yield found, leave

    @contextmanager
    def leaving_to(self, leave: str, exit_: str = "") -> Iterator[None]:
        """Where to go, inside, while something leaves the running calls, and when the body is over."""
        outer = self.leave, self.exit, self.loops
        self.leave, self.exit = leave, exit_ or self.exit
        if exit_:
            self.loops = []
        try:
            yield
        finally:
            self.leave, self.exit, self.loops = outer

    @contextmanager
    def of_record(self, rule: int, record: Local) -> Iterator[Local]:
        """Inside, a rule for a while is known by its record."""
        outer = self.instances
        self.instances = {**outer, rule: record}
        try:
            yield record
        finally:
            self.instances = outer

    @contextmanager
    def loop(self, times: int = 0) -> Iterator[tuple[str, str]]:
        """An endless loop, or one of so many times; gives the label that goes round again and the one that leaves."""
        again, out = self.label("again"), self.label("out")
        with self.captured() as body:
            yield again, out
        self.emit(Block(out, (Loop(again, (*body, Branch(again)), self.spot, times),)))

    @contextmanager
    def count_up(self, low: Term, high: Term) -> Iterator[Local]:
        """Once for each number from low up to below high, which is worked out once."""
        low, high = as_expression(low), as_expression(high)
        end = self.keep(high)
        index = self.hold(low)
        known = max(0, high.value - low.value) if isinstance(low, Const) and isinstance(high, Const) else 0
        with self.loop(known) as (_, out):
            self.leave_if(negate(index < end), out)
            yield index
            self.assign(index, index + 1)

    def go(self, label: str) -> None:
        """Leaves a block, or goes round a loop again."""
        self.emit(Branch(label))

    def leave_if(self, condition: Expression, label: str) -> None:
        """Leaves a block or loop if a condition holds."""
        with self.if_(condition):
            self.go(label)

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """A loop that `stop` leaves."""
        with self.block("stopped") as out:
            self.loops.append(out)
            yield
            self.loops.pop()

    def fault_if(self, condition: Expression, code: int, spot: int | None = None) -> None:
        """Ends the game with an error of play if a condition holds."""
        with self.if_(condition):
            self.fault(code, spot)

    def fault(self, code: int, spot: int | None = None) -> None:
        """Ends the game with an error of play."""
        self.emit(Fault(code, self.spot if spot is None else spot))

    # ------------------------------------------------------------------ calls
    def do(self, function: str, *arguments: Term) -> None:
        """Calls a function that gives nothing and does not ask."""
        self.emit(Evaluate(call(function, *arguments)))

    def call(self, function: str, *arguments: Term) -> Local:
        """The result of a function that does not ask, worked out here."""
        return self.hold(call(function, *arguments))

    def ask_call(self, function: str, arguments: Sequence[Term]) -> None:
        """Calls a function that may ask or leave."""
        self.emit(AskingCall(function, tuple(map(as_expression, arguments))))
        self.leave_if_leaving()

    def ask_for(self, function: str, arguments: Sequence[Term]) -> Local:
        """The result of a function that may ask or leave."""
        made = self.fresh()
        self.emit(AskingCall(function, tuple(map(as_expression, arguments)), made.index))
        self.leave_if_leaving()
        return made

    def ask_indirect(self, index: Expression, arguments: Sequence[Expression]) -> Local:
        """The result of a function of the table that may ask or leave."""
        made = self.fresh()
        self.emit(AskingCallIndirect(index, tuple(arguments), made.index))
        self.leave_if_leaving()
        return made

    def indirect(self, index: Expression, *arguments: Expression) -> Local:
        """The result of a function of the table that does not ask."""
        return self.hold(CallIndirect(index, arguments))

    def leave_if_leaving(self) -> None:
        """Goes to the end of the function if a `go to` or `stop` is on its way out."""
        self.emit(If(cell(LEAVING), (Branch(self.leave),)))

    # ------------------------------------------------------------------ the list stack
    def pushed(self, function: str, *arguments: Term) -> Local:
        """The block that a function puts on the list stack."""
        self.uses_stack()
        return self.call(function, *arguments)

    def uses_stack(self) -> None:
        """Says that something is put on the list stack, which must be taken down at the end."""
        self.stack_uses += 1
        if self.mark is None:
            self.mark = self.fresh().index

    def new_list(self, *items: Term) -> Local:
        """A list of some items on top of the stack."""
        held = [self.keep(as_expression(item)) for item in items]
        self.uses_stack()
        made = self.hold(cell(STACK_TOP))
        end = made + (len(items) + 1)
        self.emit(If(end > STACK_END, (Fault(TOO_MUCH, self.spot),)))
        for place, item in enumerate((len(items), *held)):
            self.put(made, item, place)
        self.set(STACK_TOP, end)
        return made

    def result(self, type_: Type, function: str, *arguments: Term) -> Local:
        """What a function gives that is of a type."""
        return self.pushed(function, *arguments) if is_block(type_) else self.call(function, *arguments)

    @contextmanager
    def released(self) -> Iterator[None]:
        """Takes down what is put on the stack inside."""
        with self.captured() as body:
            yield
        if any(map(_moves_stack, body)):
            top = self.hold(cell(STACK_TOP))
            self.emit(*body)
            self.set(STACK_TOP, top)
        else:
            self.emit(*body)

    # ------------------------------------------------------------------ the end
    def give(self, value: Term | None) -> None:
        """Leaves the function with a value."""
        if value is not None:
            self.assign(self.giving(), value)
        self.go(self.exit)

    def give_if(self, condition: Expression, value: Term) -> None:
        """Leaves the function with a value if a condition holds."""
        with self.if_(condition):
            self.give(value)

    def giving(self) -> Local:
        """The local that holds what the function gives."""
        if self.given is None:
            self.given = self.fresh().index
        return Local(self.given)

    def function(self, epilogue: Body = (), default: Expression = ZERO) -> Function:
        """The function that was written; it has one end, where the stack is taken down."""
        prologue: list[Statement] = []
        if self.given is not None and default != ZERO:
            prologue.append(Assign(self.given, default))
        if self.mark is not None:
            prologue.append(Assign(self.mark, cell(STACK_TOP)))
        closing: list[Statement] = list(epilogue)
        if self.mark is not None and not epilogue:
            closing.append(set_cell(STACK_TOP, Local(self.mark)))
        if self.gives:
            closing.append(Return(default if self.given is None else Local(self.given)))
        body = (*prologue, Block(END, tuple(self.statements)), *closing)
        holds = frozenset(self.things), frozenset(self.lists), frozenset(self.blocks)
        return Function(
            self.name, self.parameters, self.parameters + self.added, self.gives, body, self.spot, *holds
        )


def _moves_stack(statement: Statement) -> bool:
    """Whether a statement may leave something on the list stack."""
    return any(
        isinstance(part, _CALLS) or (isinstance(part, Store) and part.offset == STACK_TOP)
        for part in parts(statement)
    )


_CALLS = (Call, CallIndirect, AskingCall, AskingCallIndirect)


def parts(node: object) -> Iterator[object]:
    """A node of the low-level form and everything in it."""
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        if isinstance(one, tuple):
            stack.extend(one)
        else:
            stack.extend(getattr(one, name) for name in getattr(one, "__match_args__", ()))
