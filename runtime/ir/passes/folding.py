"""Works out what is clear before a program runs.

Constants and copies of locals are followed from where they are set; cells that never change are read now; a test whose
answer is known leaves only the way that is taken. Functions that stand in place of their calls become much shorter by it.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from talewright.runtime.ir.build import (
    ONE,
    ZERO,
    binary,
    checked,
    conditional,
    is_steady,
    load,
    negate,
)
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
    Fault,
    Function,
    If,
    Load,
    Local,
    Loop,
    LowestBit,
    Not,
    Random,
    Return,
    Statement,
    Store,
    Switch,
)
from talewright.runtime.ir.walk import (
    BODIES,
    EXPRESSIONS,
    OPERANDS,
    assigned,
    bodies,
    count_reads,
    rewritten,
    statements,
    with_bodies,
)
from talewright.schemas.records import field, record, replace

# What is known is copied at each test. A function of more locals stays as it is: one without bound would fill the memory.
MOST_LOCALS: Final = 1000
# What is known of locals: a constant, another local that holds the same, or nothing but that it is not 0.
Known = dict[int, Const | Local | None]


def folded(function: Function, fixed: Data, cells: int) -> Function:
    """The same function without what is clear already; `fixed` are those of its memory cells that never change."""
    if function.locals > MOST_LOCALS:
        return function
    folder = _Folder(fixed, range(cells), function.things | function.lists | function.blocks)
    # Locals begin as 0. Those that hold what frames must name are left alone.
    known: Known = dict.fromkeys(range(function.parameters, function.locals), ZERO)
    body, _ = folder.body(function.body, known)
    return replace(function, body=_forwarded(*_without_unread(body)))


@record
class _Folder:
    """Walks through one function, in the order in which it runs."""

    fixed: Data
    cells: range
    """The addresses that there are."""
    framed: frozenset[int]
    """Locals that are looked for in frames: they stay what they are."""
    copied: set[int] = field(default_factory=set)
    """Locals of which another one has been a copy."""
    left: dict[str, Known] = field(default_factory=dict)
    """What all branches know that leave a block so far."""
    leaving: Counter[str] = field(default_factory=Counter)
    """How many branches leave a block so far."""

    # Expressions.

    def value(self, node: Expression, known: Known) -> Expression:
        """An expression with the same value."""
        match node:
            case Const():
                return node
            case Local():
                found = known.get(node.index)
                return node if found is None else found
            case Load():
                address, offset = self.address(node.address, node.offset, known)
                if type(address) is Const:
                    cell = address.value + offset - self.fixed.address
                    if 0 <= cell < len(self.fixed.cells):
                        return Const(self.fixed.cells[cell])
                return Load(address, offset)
            case Binary(operator="eq" | "ne", right=Const(value=0)):
                tested = self.test(node.left, known)
                if type(tested) is Const:
                    return Const(int((tested.value == 0) == (node.operator == "eq")))
                return binary(node.operator, self.value(node.left, known), ZERO)
            case Binary():
                return binary(node.operator, self.value(node.left, known), self.value(node.right, known))
            case Checked():
                left, right = self.value(node.left, known), self.value(node.right, known)
                return checked(node.operator, left, right, node.spot)
            case Not():
                return negate(self.test(node.value, known))
            case LowestBit():
                return LowestBit(self.value(node.value, known))
            case Conditional():
                condition = self.test(node.condition, known)
                yes = self.value(node.yes, self.learned(condition, known, True))
                no = self.value(node.no, self.learned(condition, known, False))
                return conditional(condition, yes, no)
            case Call():
                return Call(node.function, self.values(node.arguments, known))
            case CallIndirect():
                index = self.value(node.index, known)
                return CallIndirect(index, self.values(node.arguments, known), node.result)
            case Random():
                return Random(*self.values(OPERANDS[Random](node), known))

    def address(self, node: Expression, offset: int, known: Known) -> tuple[Expression, int]:
        """An address, as a part and an offset; one that is clear and wrong stays as it is, and is a fault if anybody gets there."""
        made = self.value(node, known)
        if type(made) is not Const:
            return made, offset
        if made.value < 0 or made.value + offset not in self.cells:
            return node, offset
        return ZERO, made.value + offset

    def values(self, nodes: tuple[Expression, ...], known: Known) -> tuple[Expression, ...]:
        return tuple([self.value(node, known) for node in nodes])

    def test(self, node: Expression, known: Known) -> Expression:
        """An expression of which only matters whether it is 0."""
        match node:
            case Local(index=index) if index in known and known[index] is None:
                return ONE
            case Binary(operator="ne", left=left, right=Const(value=0)):
                return self.test(left, known)
            case Not():
                return negate(self.test(node.value, known))
            case Conditional():
                condition = self.test(node.condition, known)
                yes = self.test(node.yes, self.learned(condition, known, True))
                no = self.test(node.no, self.learned(condition, known, False))
                return condition if yes == ONE and no == ZERO else conditional(condition, yes, no)
            case Local():
                made = self.value(node, known)
                return made if made == node or type(made) is not Local else self.test(made, known)
        return self.value(node, known)

    def learned(self, condition: Expression, known: Known, holds: bool) -> Known:
        """What is known where a condition holds, or does not; the same object if that is nothing new."""
        new: Known = {}
        _learn(condition, holds, new)
        for local in self.framed & new.keys():
            if new[local] not in (None, ZERO):
                del new[local]
        return {**known, **new} if new else known

    # Statements.

    def body(self, body: Body, known: Known) -> tuple[Body, Known | None]:
        """A body, and what is known behind it: nothing if nobody gets there. `known` is changed."""
        out: list[Statement] = []
        for node in body:
            after = self.statement(node, known, out)
            if after is None:
                return tuple(out), None
            known = after
        return tuple(out), known

    def statement(self, node: Statement, known: Known, out: list[Statement]) -> Known | None:
        """Adds what a statement becomes; gives what is known behind it."""
        match node:
            case Assign():
                value = self.value(node.value, known)
                out.append(Assign(node.local, value))
                self.assign(node.local, value, known)
            case Store():
                address, offset = self.address(node.address, node.offset, known)
                out.append(Store(address, offset, self.value(node.value, known)))
            case Evaluate():
                value = self.value(node.expression, known)
                if not is_steady(value):
                    out.append(Evaluate(value))
            case Copy():
                out.append(Copy(*self.values((node.target, node.source, node.count), known)))
            case AskingCall():
                out.append(AskingCall(node.function, self.values(node.arguments, known), node.result))
            case AskingCallIndirect():
                index = self.value(node.index, known)
                out.append(AskingCallIndirect(index, self.values(node.arguments, known), node.result))
            case If():
                return self.choice(node, known, out)
            case Switch():
                return self.switch(node, known, out)
            case Loop():
                return self.loop(node, known, out)
            case Block():
                return self.block(node, known, out)
            case Branch():
                before = self.left.get(node.label)
                self.left[node.label] = known if before is None else _both_know(before, known)
                self.leaving[node.label] += 1
                out.append(node)
                return None
            case Return():
                out.append(Return(None if node.value is None else self.value(node.value, known)))
                return None
            case Fault():
                out.append(node)
                return None
            case _:
                out.append(node)
        if type(node) is not Assign and (local := assigned(node)) is not None:
            self.forget(local, known)
        return known

    def assign(self, local: int, value: Expression, known: Known) -> None:
        if value == Local(local):
            return
        self.forget(local, known)
        if local in self.framed and value != ZERO:
            return
        match value:
            case Const():
                known[local] = value
            case Local(index=index):
                known[local] = value
                self.copied.add(index)

    def forget(self, local: int, known: Known) -> None:
        """Nothing is known any longer of a local, and of its copies."""
        known.pop(local, None)
        if local in self.copied:
            for other in [other for other, held in known.items() if held == Local(local)]:
                del known[other]

    def choice(self, node: If, known: Known, out: list[Statement]) -> Known | None:
        condition = self.test(node.condition, known)
        if type(condition) is Const:
            body, after = self.body(node.then if condition.value else node.otherwise, known)
            out.extend(body)
            return after
        then, after_then = self.body(node.then, dict(self.learned(condition, known, True)))
        otherwise, after_otherwise = self.body(node.otherwise, dict(self.learned(condition, known, False)))
        if then or otherwise:
            out.append(If(condition, then, otherwise))
        elif not is_steady(condition):
            out.append(Evaluate(condition))
        return _met([after for after in (after_then, after_otherwise) if after is not None])

    def switch(self, node: Switch, known: Known, out: list[Statement]) -> Known | None:
        index = self.value(node.index, known)
        if type(index) is Const:
            inside = 0 <= index.value < len(node.cases)
            body, after = self.body(node.cases[index.value] if inside else node.default, known)
            out.extend(body)
            return after
        ways = [self.body(body, dict(known)) for body in (*node.cases, node.default)]
        *cases, default = [body for body, _ in ways]
        out.append(Switch(index, tuple(cases), default))
        return _met([after for _, after in ways if after is not None])

    def loop(self, node: Loop, known: Known, out: list[Statement]) -> Known | None:
        for inner in statements(node.body):
            local = assigned(inner)
            if local is not None:
                self.forget(local, known)
        body, after = self.body(node.body, known)
        self.left.pop(node.label, None)
        out.append(Loop(node.label, body, node.spot, node.times))
        return after

    def block(self, node: Block, known: Known, out: list[Statement]) -> Known | None:
        body, after = self.body(node.body, known)
        left, leaving = self.left.pop(node.label, None), self.leaving.pop(node.label, 0)
        if body and body[-1] == Branch(node.label):
            # Leaving at the end is what happens anyway.
            body = body[:-1]
            leaving -= 1
        if leaving:
            out.append(Block(node.label, body))
        else:
            out.extend(body)
        return _met([known for known in (left, after) if known is not None])


def _learn(condition: Expression, holds: bool, new: Known) -> None:
    match condition:
        case Local(index=index):
            new[index] = None if holds else ZERO
        case Not(value=value):
            _learn(value, not holds, new)
        case Binary(operator="eq", left=Local(index=index), right=Const() as right) if holds:
            new[index] = right
        case Binary(operator="ne", left=Local(index=index), right=Const() as right) if not holds:
            new[index] = right
        case Conditional(condition=first, yes=second, no=Const(value=0)) if holds:
            _learn(first, True, new)
            _learn(second, True, new)
        case Conditional(condition=first, yes=Const(value=1), no=second) if not holds:
            _learn(first, False, new)
            _learn(second, False, new)


def _met(ways: list[Known]) -> Known | None:
    """What is known where several ways come together; nothing if there are none."""
    if not ways:
        return None
    first, *others = ways
    for other in others:
        first = _both_know(first, other)
    return first


def _both_know(one: Known, other: Known) -> Known:
    # Mostly it is the very same; comparing nodes takes longer.
    return {
        local: held
        for local, held in one.items()
        if local in other and (other[local] is held or other[local] == held)
    }


def _forwarded(body: Body, read: Counter[int]) -> Body:
    """A body in which a value that is made for nothing but the test behind it stands in that test; `read` says how often
    each local is read."""

    def joined(node: Statement) -> Body:
        inner = tuple(_joined(part, read) for part in bodies(node))
        return (with_bodies(node, inner),)

    return _joined(rewritten(body, joined, BODIES), read)


def _joined(body: Body, read: Counter[int]) -> Body:
    """The same for the statements of one body."""
    out: list[Statement] = []
    for node in body:
        if out and type(node) is If and type(out[-1]) is Assign and read[out[-1].local] == 1:
            made = _in_place(node.condition, out[-1].local, out[-1].value)
            if made is not None:
                out[-1] = If(made, node.then, node.otherwise)
                continue
        out.append(node)
    return tuple(out)


def _in_place(condition: Expression, local: int, value: Expression) -> Expression | None:
    """A condition with a value in place of a local that it looks at first; nothing if it does not."""
    match condition:
        case Local(index=index):
            return value if index == local else None
        case Not():
            made = _in_place(condition.value, local, value)
            return None if made is None else negate(made)
        case Conditional():
            made = _in_place(condition.condition, local, value)
            return None if made is None else conditional(made, condition.yes, condition.no)
        case Binary():
            made = _in_place(condition.left, local, value)
            return None if made is None else binary(condition.operator, made, condition.right)
        case Load():
            made = _in_place(condition.address, local, value)
            return None if made is None else load(made, condition.offset)
    return None


def _without_unread(body: Body) -> tuple[Body, Counter[int]]:
    """A body without locals that are set and never read, and how often each of the others is read."""
    read: Counter[int] = Counter()
    for node in statements(body):
        for expression in EXPRESSIONS[type(node)](node):
            count_reads(expression, read)
    # What was read by values that are gone; perhaps nobody else reads it.
    gone: Counter[int] = Counter()

    def needed(node: Statement) -> Body:
        assert type(node) is Assign
        if read[node.local]:
            return (node,)
        if not is_steady(node.value):
            return (Evaluate(node.value),)
        count_reads(node.value, gone)
        return ()

    while True:
        body = rewritten(body, needed, (Assign,))
        if not gone:
            return body, read
        read.subtract(gone)
        gone.clear()
