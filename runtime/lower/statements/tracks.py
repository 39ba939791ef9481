"""Tracks: the marker moves first, then what it has crossed happens."""

from __future__ import annotations

from functools import partial

from talewright.runtime.ir.build import (
    ZERO,
    both,
    cell,
    conditional,
    const,
    either,
    equal,
    load,
    negate,
    unlike,
)
from talewright.runtime.ir.nodes import Expression, Local
from talewright.runtime.lower.builds.counters import count
from talewright.runtime.lower.code import Code, Scope, local_names, local_types
from talewright.runtime.lower.dispatch import block
from talewright.runtime.lower.expressions.values import field_cell
from talewright.runtime.lower.rules.watched import field_name, track_name
from talewright.runtime.lower.statements.moments import NO_STOP, run_in_batch, stop_again
from talewright.runtime.model.cells import ASLEEP, DIRTY
from talewright.runtime.model.world import Field
from talewright.schemas.nodes.components import TrackBody, TrackHook
from talewright.schemas.nodes.declared import TrackDeclaration

BEYOND = 1 << 29
Track = TrackDeclaration | TrackBody


def move_track(code: Code, name: str, to: Expression, landing: bool) -> None:
    """Moves the marker of a track at top level."""
    track = next(t for t in code.program.world.content.tracks if t.id == name)
    _move(code, name, track, code.program.layout.track_cells[name], None, ZERO, to, landing)


def move_field_track(code: Code, field: Field, thing: Expression, to: Expression, landing: bool) -> None:
    """Moves the marker of a track that is a field."""
    track = field.declaration.track
    assert track is not None
    _move(code, f"{field.owner}.{field.name}", track, 0, field, thing, to, landing)


def _move(
    code: Code,
    name: str,
    track: Track,
    at: int,
    field: Field | None,
    owner: Expression,
    to: Expression,
    landing: bool,
) -> None:
    write = partial(_track, name, track, at, field)
    function = code.program.function(f"track:{name}", 3, write, gives=False)
    code.ask_call(function, (owner, to, int(landing)))


def _track(name: str, track: Track, at: int, field: Field | None, code: Code) -> None:
    """track(owner, to, landing): the marker goes to its place inside the range; then hooks run in order of crossing."""
    program = code.program
    owner, to, landing = Local(0), Local(1), Local(2)
    low, high = const(track.low), const(track.high)
    if field is not None:
        code.leave_if(negate(owner), code.exit)
    address: Expression = const(at) if field is None else field_cell(code, owner, field)
    before = code.hold(load(address))
    after = code.hold(conditional(to < low, low, conditional(high < to, high, to)))
    code.put(address, after)
    watched = track_name(name) if field is None else field_name(field.first)
    if program.is_watched(watched):
        code.set(DIRTY, 1)
    if program.build.traced:
        number = program.number("track", name)
        code.do("note_marker", number, owner, before, after)
    if program.build.tested:
        code.leave_if(cell(ASLEEP), code.exit)
    spaces: list[tuple[str, int, TrackHook]] = [(h.when, space, h) for h in track.hooks for space in h.spaces]
    if spaces:
        _run_hooks(code, spaces, before, to, after, landing, field, owner)


def _run_hooks(
    code: Code,
    spaces: list[tuple[str, int, TrackHook]],
    before: Local,
    to: Local,
    after: Local,
    landing: Local,
    field: Field | None,
    owner: Local,
) -> None:
    """Notes how far off each hook lies that is due, then runs the nearest until none is left."""
    due = [code.hold(_distance(when, space, before, to, after, landing)) for when, space, _ in spaces]
    stopped = code.hold(NO_STOP)
    with code.loop() as (again, out):
        nearest = code.hold(NO_STOP)
        for distance in due:
            code.assign(nearest, conditional(distance < nearest, distance, nearest))
        code.leave_if(equal(nearest, NO_STOP), out)
        for (_, _, hook), distance in zip(spaces, due, strict=True):
            with code.if_(equal(distance, nearest)):
                code.assign(distance, NO_STOP)
                types, names = local_types(hook.locals), local_names(hook.locals)
                kind = field.owner if field else ""
                spaces_named = ", ".join(map(str, hook.spaces))
                with code.in_scope(Scope({}, types=types, names=names, me=owner, owner=kind, verb="track")):
                    count(code, "hook", f"{code.name.partition(':')[2]} {hook.when} {spaces_named}", hook.at)
                    run_in_batch(code, stopped, partial(block, code, hook.body), exit_=True)
                code.go(again)
    stop_again(code, stopped)


def _distance(
    when: str, space: int, before: Expression, to: Expression, after: Expression, landing: Expression
) -> Expression:
    """How many steps from where the marker was a space lies, if it is due; NO_STOP if not."""
    where = const(space)
    if when == "below":
        return conditional(to < where, BEYOND, NO_STOP)
    if when == "above":
        return conditional(where < to, BEYOND, NO_STOP)
    up = both(before < where, negate(after < where))
    down = both(where < before, negate(where < after))
    passed = either(up, down)
    met = equal(where, after) if when == "on" else conditional(landing, equal(where, after), passed)
    moved = unlike(after, before)
    steps = conditional(before < where, where - before, before - where)
    return conditional(both(moved, met), steps, NO_STOP)
