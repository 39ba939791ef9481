"""What a seat can know for certain: what is the same in every world of its information set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random

from talewright.report.table.visibility import ALL, Seat, hidden_fields, open_field, seats_of, visible
from talewright.runtime.ir.faults import EngineFault
from talewright.runtime.model.world import Field
from talewright.runtime.observe.functions import Unanswerable
from talewright.runtime.observe.view import View
from talewright.runtime.observe.worlds import SecretFields, Worlds

WORLDS = 48
DOUBT = "  Something about it depends on what you do not know."
# Errors that an impossible imagined world may raise.
NONSENSE = (EngineFault, Unanswerable, RecursionError, IndexError, KeyError, TypeError)

Lines = Callable[[], list[str]]


def whole(view: View, seat: Seat, make: Lines) -> list[str]:
    """The lines, if they are the same in every world of the seat's information set; otherwise a line that says so."""
    now = make()
    return now if all(other == now for other in elsewhere(view, seat, make)) else [DOUBT]


def certain(view: View, seat: Seat, make: Lines) -> list[str]:
    """The lines that are the same in every world of the seat's information set."""
    now = make()
    others = [set(lines or ()) for lines in elsewhere(view, seat, make)]
    kept = [line for line in now if all(line in other for other in others)]
    return kept if all(other == set(now) for other in others) else [*kept, DOUBT]


def elsewhere(view: View, seat: Seat, make: Lines, count: int = WORLDS) -> Iterator[list[str] | None]:
    """What the lines would be in so many other worlds; none where they make no sense."""
    if seat == ALL:
        return
    draw = Random(0)
    for one in seats_of(seat) or (0,):
        who = one or None
        worlds, fields = Worlds(view, one), SecretFields(view, _closed(view, who))
        with _rules_asleep(view, who) as some:
            if some:
                yield _made(make)
        if not worlds.groups and not fields.cells:
            continue
        for _ in range(count):
            with worlds.supposed(draw):
                fields.suppose(draw)
                yield _made(make)


def _made(make: Lines) -> list[str] | None:
    try:
        return make()
    except NONSENSE:
        return None


@contextmanager
def _rules_asleep(view: View, seat: int | None) -> Iterator[bool]:
    """Without the rules of things the seat does not know; whether there are such things."""
    hidden = {t.number for t in view.things if not visible(view, t.number, seat)}
    with view.evaluator.without_rules_of(hidden):
        yield bool(hidden)


def _closed(view: View, seat: int | None) -> list[tuple[Field, list[int], list[int]]]:
    """The hidden fields, with the things that have them and those of which the seat does not know them."""
    found = []
    for field, things in hidden_fields(view):
        unknown = [thing for thing in things if not open_field(view, thing, field, seat)]
        if unknown and field.tag != "pile":
            found.append((field, things, unknown))
    return found
