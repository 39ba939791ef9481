"""What can be said to a seat for certain: the same in every world that the seat cannot tell from this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from talewright.report.table.visibility import Seat, hidden_fields, open_field, visible
from talewright.runtime.dealing import Deal
from talewright.runtime.faults import MISPLACED, Fault
from talewright.runtime.game import Game
from talewright.runtime.glimpsing import glimpse

WORLDS = 48
DOUBT = "  Something about it depends on what you do not know."

Lines = Callable[[], list[str]]


def whole(game: Game, seat: Seat, make: Lines) -> list[str]:
    """Lines as they are if nothing the seat does not know could change them; else only that it could."""
    now = make()
    return now if all(other == now for other in elsewhere(game, seat, make)) else [DOUBT]


def certain(game: Game, seat: Seat, make: Lines) -> list[str]:
    """Those of some lines that would stand there whatever lies where the seat does not see."""
    now = make()
    others = [set(lines or ()) for lines in elsewhere(game, seat, make)]
    kept = [line for line in now if all(line in other for other in others)]
    return kept if all(other == set(now) for other in others) else [*kept, DOUBT]


def elsewhere(game: Game, seat: Seat, make: Lines) -> Iterator[list[str] | None]:
    """What the lines would be in other worlds; none where they make no sense."""
    if seat == "all":
        return
    draw = Random(0)
    for one in (seat,) if isinstance(seat, int) else seat or (None,):
        deal, fields = _Worlds(game, one), _secret_fields(game, one)
        with _rules_asleep(game, one) as some:
            if some:
                yield _made(make)
        if not deal.groups and not fields:
            continue
        for _ in range(WORLDS):
            with _unwatched(game), glimpse(game, deal, draw), _otherwise(fields, draw):
                yield _made(make)


def _made(make: Lines) -> list[str] | None:
    try:
        return make()
    except (Fault, RecursionError, *MISPLACED):
        return None


class _Worlds(Deal):
    """Deals everything anew, or, every other time, lets two things change places."""

    def __init__(self, game: Game, seat: int | None) -> None:
        super().__init__(game, () if seat is None else (seat,))
        self.both = False

    def world(self, draw: Random) -> dict[int, int]:
        self.both = not self.both
        if self.both or not self.groups:
            return super().world(draw)
        one, other = draw.sample(draw.choice(self.groups), 2)
        swapped = {one: other, other: one}
        self._swap(swapped)
        return swapped


@contextmanager
def _unwatched(game: Game) -> Iterator[None]:
    """While worlds are only supposed, no rule comes into force or goes."""
    watch = game.space["WATCH"]
    game.space["WATCH"] = [None] * len(watch)
    try:
        yield
    finally:
        game.space["WATCH"] = watch


@contextmanager
def _rules_asleep(game: Game, seat: int | None) -> Iterator[bool]:
    """Without the rules of things the seat does not know; whether there are any."""
    hidden = {t.number for t in game.layout.things if not visible(game, t.number, seat)}
    kept = []
    for rules in game.space["LISTS"].values():
        if any(isinstance(entry[1], int) and entry[1] in hidden for entry in rules):
            kept.append((rules, list(rules)))
            rules[:] = [entry for entry in rules if entry[1] not in hidden]
    entries = [e for rules, before in kept for e in before if e[1] in hidden and e[3]]
    for entry in entries:
        entry[3] = False
    try:
        yield bool(kept)
    finally:
        for entry in entries:
            entry[3] = True
        for rules, before in kept:
            rules[:] = before


# ------------------------------------------------------------------ hidden fields
Column = tuple[list[Any], list[int], list[Any]]


def _secret_fields(game: Game, seat: int | None) -> list[Column]:
    """The columns of hidden fields, whose values the seat does not know, and what they might be."""
    found = []
    for field, things in hidden_fields(game):
        closed = [thing for thing in things if not open_field(game, thing, field, seat)]
        if closed and field.tag != "pile":
            column = game.space[f"F{field.number}"]
            found.append((column, closed, _possible([column[thing] for thing in things], field, game)))
    return found


def _possible(values: list[Any], field: Any, game: Game) -> list[Any]:
    kind = field.type[2][0] if isinstance(field.type, list) and field.type[0] == "optional" else field.type
    if isinstance(kind, list) and kind[0] == "thing":
        return [*game.layout.of_kind(kind[1]), *values]
    if isinstance(kind, list) and kind[0] in ("words", "ints"):
        return [*kind[2], *values]
    if any(isinstance(value, bool) for value in values):
        return [True, False]
    return [*values, *(value + step for value in values if isinstance(value, int) for step in (-1, 1))]


@contextmanager
def _otherwise(fields: list[Column], draw: Random) -> Iterator[None]:
    """Hidden fields hold something else."""
    kept = [(column, thing, column[thing]) for column, things, _ in fields for thing in things]
    for column, things, possible in fields:
        for thing in things:
            column[thing] = draw.choice(possible)
    try:
        yield
    finally:
        for column, thing, value in kept:
            column[thing] = value
