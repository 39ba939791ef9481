"""Running calls that somebody asks for: `during`, `stop ACTION`, cells that begin anew, rules that last until a call ends."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from talewright.runtime.ir.build import ZERO, both, call, cell, const, equal, load, set_cell, store, unlike
from talewright.runtime.ir.header import STACK_TOP, TOO_DEEP
from talewright.runtime.ir.nodes import Branch, Copy, Expression, If, Local
from talewright.runtime.kernel.storage.calls import RUN_CELLS
from talewright.runtime.kernel.storage.heap import SHAPE_FLAT
from talewright.runtime.lower.code import Code, Scope, local_types
from talewright.runtime.lower.dispatch import lowers_statement, lowers_value, value, value_as
from talewright.runtime.lower.expressions.storage import drop_blocks, keep_block
from talewright.runtime.lower.program import Program
from talewright.runtime.lower.rules.traits import look_at_grants
from talewright.runtime.lower.rules.watched import TABLE, field_name, state_name, track_name
from talewright.runtime.model.cells import DIRTY, GOING, LEAVING, NOT_LEAVING, RUN_TOP, STOP_DEPTH, STOPPING
from talewright.runtime.model.layout import IMAGE
from talewright.runtime.model.types import INT, is_block, is_list, none_of
from talewright.schemas.nodes import statements as s
from talewright.schemas.nodes.components import FieldDeclaration
from talewright.schemas.nodes.declared import MenuDeclaration, StateDeclaration, TrackDeclaration
from talewright.schemas.nodes.operators import During
from talewright.schemas.nodes.types import Type
from talewright.schemas.records import field, record

NO_STOP = 1 << 30

Periodic = StateDeclaration | FieldDeclaration | TrackDeclaration | MenuDeclaration


@record(frozen=True)
class Stretch:
    """Cells that show their first values again when a call begins, and the name that they are watched by."""

    first: int
    count: int
    type: Type
    name: str = ""
    state: StateDeclaration | None = None
    """Whose cell it is, if it is that of a state: only its first value is worked out again."""

    @property
    def is_one_value(self) -> bool:
        """Whether it is one cell that is known by what it holds."""
        return self.state is not None or (self.count == 1 and not is_block(self.type))


@record(frozen=True)
class Kept:
    """What belongs to the same moments, as it was before a call began."""

    inner: Expression
    """Whether a call that it belongs to runs around this one."""
    stretches: list[tuple[Stretch, Local]] = field(default_factory=list)
    """With what each held: the value of one cell, else the address of a copy."""


@record(frozen=True)
class Moment:
    """A call that has begun: how deep it runs, and what comes back when it ends."""

    verb: str
    depth: Local | None = None
    kept: tuple[Kept, ...] = ()
    """What comes back, by the calls around this one to which it belongs."""

    def stop_ends_here(self, code: Code) -> None:
        """A `stop` that was meant for this call has done its work."""
        if self.depth is None or not code.program.facts.stops:
            return
        mine = both(equal(cell(LEAVING), STOPPING), equal(cell(STOP_DEPTH), self.depth))
        code.when(mine, lambda: code.set(LEAVING, NOT_LEAVING))


def begin_moment(code: Code, verb: str, first: Expression) -> Moment:
    """A call begins: it is noted if somebody asks for it, and its cells show their defaults."""
    program = code.program
    again = program.facts.periodic.get(f"verb:{verb}", [])
    if verb not in program.facts.framed and not again:
        return Moment(verb)
    depth = code.hold(cell(RUN_TOP))
    kept = {moments: Kept(_runs_around(code, moments)) for moments in dict.fromkeys(map(_moments, again))}
    if verb in program.facts.awaited:
        code.do("begin_awaited", program.verb_number(verb))
        look_at_grants(code, True)
    code.fault_if(depth + RUN_CELLS > program.run_end(), TOO_DEEP)
    code.emit(store(depth, 0, program.verb_number(verb)), store(depth, 1, first))
    code.set(RUN_TOP, depth + RUN_CELLS)
    _mark(code, verb)
    for declared in again:
        before = kept[_moments(declared)].stretches
        for stretch in _stretches(program, declared):
            if all(stretch != other for other, _ in before):
                before.append((stretch, _remember(code, stretch)))
            _begin_anew(code, stretch)
    return Moment(verb, depth, tuple(kept.values()))


def _stretches(program: Program, declared: Periodic) -> list[Stretch]:
    layout = program.layout
    match declared:
        case StateDeclaration():
            at = layout.state_cells.get(declared.id)
            name = state_name(declared.id)
            return [] if at is None else [Stretch(at, 1, declared.type, name, declared)]
        case TrackDeclaration():
            return [Stretch(layout.track_cells[declared.id], 1, INT, track_name(declared.id))]
        case MenuDeclaration():
            return [Stretch(at, count, INT) for at, count in program.once_cells(declared.id)]
        case FieldDeclaration():
            field_ = next(f for f in program.world.fields.values() if f.declaration is declared)
            column = layout.columns[field_.first]
            count = column.high - column.low + 1
            return [Stretch(column.address + column.low, count, column.type, field_name(field_.first))]


def _mark(code: Code, verb: str) -> None:
    """A call that begins or ends changes what is running, and what shows its default again."""
    again = code.program.facts.periodic.get(f"verb:{verb}", [])
    names = [stretch.name for declared in again for stretch in _stretches(code.program, declared)]
    if code.program.is_watched(TABLE, *names):
        code.set(DIRTY, 1)


def _moments(declared: Periodic) -> tuple[str, ...]:
    """The moments at which something shows its default again."""
    if isinstance(declared, MenuDeclaration):
        return () if declared.once_per is None else (declared.once_per,)
    return tuple(declared.per)


def _runs_around(code: Code, moments: tuple[str, ...]) -> Expression:
    """Whether a call of one of some actions is running."""
    verbs = [moment.removeprefix("verb:") for moment in moments if moment.startswith("verb:")]
    running: Expression = ZERO
    for verb in verbs:
        running = running | code.call("running_call", code.program.verb_number(verb))
    return code.hold(running)


def _remember(code: Code, stretch: Stretch) -> Local:
    if stretch.state is not None and is_list(stretch.type):
        return code.pushed("copy_list", cell(stretch.first))
    if stretch.is_one_value:
        return code.hold(cell(stretch.first))
    code.uses_stack()
    kept = code.hold(cell(STACK_TOP))
    code.set(STACK_TOP, kept + stretch.count)
    code.emit(Copy(kept, const(stretch.first), const(stretch.count)))
    return kept


def _restore(code: Code, stretch: Stretch, kept: Local) -> None:
    first, count = const(stretch.first), const(stretch.count)
    if stretch.state is not None and is_list(stretch.type):
        code.do("store_blocks", first, kept, SHAPE_FLAT)
    elif stretch.is_one_value:
        code.set(stretch.first, kept)
    else:
        if is_block(stretch.type):
            drop_blocks(code, first, count, stretch.type)
        code.emit(Copy(first, kept, count))


def begin_anew(code: Code, declared: Periodic) -> None:
    """What belongs to a moment shows what it holds at first."""
    for stretch in _stretches(code.program, declared):
        _begin_anew(code, stretch)


def _begin_anew(code: Code, stretch: Stretch) -> None:
    at = stretch.first
    if stretch.state is not None:
        _begin_state(code, stretch.state, at)
    elif stretch.count == 1:
        code.set(at, cell(IMAGE + at))
    else:
        code.emit(Copy(const(at), const(IMAGE + at), const(stretch.count)))


def _begin_state(code: Code, declared: StateDeclaration, at: int) -> None:
    default: Expression = const(none_of(declared.type))
    with code.in_scope(Scope({}, types=local_types(declared.locals))):
        if declared.default is not None:
            default = value_as(code, declared.default, declared.type)
        elif is_list(declared.type):
            default = const(code.program.layout.fixed_list([]))
    if is_block(declared.type):
        keep_block(code, const(at), default, declared.type)
    else:
        code.set(at, default)


def end_moment(code: Code, moment: Moment) -> None:
    """A call ends, in whatever way: rules that lasted so long are gone; what an outer call had comes back."""
    if moment.depth is None:
        return
    code.set(RUN_TOP, moment.depth)
    _mark(code, moment.verb)
    if moment.verb in code.program.facts.awaited:
        code.do("end_until", moment.depth)
        look_at_grants(code, True)

    def restore(before: Kept) -> None:
        for stretch, kept in before.stretches:
            _restore(code, stretch, kept)

    def forget(before: Kept) -> None:
        for stretch, kept in before.stretches:
            if stretch.state is None and is_block(stretch.type):
                drop_blocks(code, kept, const(stretch.count), stretch.type)

    for before in moment.kept:
        code.when(before.inner, partial(restore, before), partial(forget, before))


def run_in_batch(
    code: Code, stopped: Local, run: Callable[[], None], leave: str = "", exit_: bool = False
) -> None:
    """Runs one of the rules of a moment: a stop waits until the others have run, a `go to` leaves at once.

    `leave` is the label to leave to, if it is another than that of the text around; `exit_` says that the body ends here.
    """
    with code.block("ran") as ran, code.leaving_to(ran, ran if exit_ else ""):
        run()
    code.emit(If(equal(cell(LEAVING), GOING), (Branch(leave or code.leave),)))
    with code.if_(cell(LEAVING)):
        # It is put off until the other rules of its moment have run; the outermost target wins.
        target = cell(STOP_DEPTH)
        with code.if_(target < stopped):
            code.assign(stopped, target)
        code.set(LEAVING, NOT_LEAVING)


def stop_again(code: Code, stopped: Local, leave: bool = False) -> None:
    """Takes up a stop that was put off, if one was; perhaps leaves what is around."""
    with code.if_(unlike(stopped, NO_STOP)):
        code.emit(set_cell(STOP_DEPTH, stopped), set_cell(LEAVING, STOPPING))
        if leave:
            code.go(code.leave)


@lowers_statement(s.Stop)
def stop(code: Code, node: s.Stop) -> None:
    """Leaves a loop, the body, or a running action by name."""
    if node.moment is None:
        code.go(code.loops[-1] if code.loops else code.exit)
        return
    verb = node.moment.partition(":")[2]
    depth = code.call("running_call", code.program.verb_number(verb))
    with code.if_(depth):
        code.set(STOP_DEPTH, depth - 1)
        code.set(LEAVING, STOPPING)
        code.go(code.leave)


@lowers_value(During)
def during(code: Code, node: During) -> Expression:
    """Whether an action or period is under way."""
    form, _, name = node.moment.partition(":")
    if form == "period":
        return load(0, code.program.period_cell(name))
    verb = const(code.program.verb_number(name))
    if node.of is None:
        return call("running_call", verb) > 0
    return call("running_of", verb, value(code, node.of))
