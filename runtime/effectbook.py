"""The fixed part of a program that runs effects and blocks, and reads fields that only play can tell."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import GAME, NOT_NOW
    from talewright.runtime.rulebook import fold
    from talewright.runtime.setbook import second_of


def run_field(column: list[Any], thing: int | None, args: tuple[Any, ...]) -> Any:
    if thing is None:
        return None
    effect = column[thing]
    return None if effect is None else effect[0](thing, *args)


def can_field(column: list[Any], thing: int | None, args: tuple[Any, ...]) -> bool:
    if thing is None:
        return False
    effect = column[thing]
    return effect is not None and bool(effect[1](thing, *args))


def run_block(block: Any, args: tuple[Any, ...]) -> Any:
    return None if block is None else block[0](*args)


def can_block(block: Any, args: tuple[Any, ...]) -> bool:
    return block is not None and bool(block[1](*args))


def affords(effect: Any, args: tuple[Any, ...]) -> bool:
    """Whether every change of an effect fits in full; what is not there costs nothing."""
    return effect is None or bool(effect[2](*args))


def borne(behaviour: Any, thing: int | None) -> Any:
    """What a thing does, or what it asks, as something to hand on: nobody else need know whose it is."""
    if isinstance(behaviour, tuple):
        return tuple(partial(part, thing) for part in behaviour)
    return partial(behaviour, thing) if callable(behaviour) else behaviour


def kept(behaviour: Any) -> Any:
    """Behaviour that was handed on, as a field keeps it: its bearer is no part of it."""
    if isinstance(behaviour, tuple):
        return tuple(partial(_unborne, part) for part in behaviour)
    return partial(_unborne, behaviour) if callable(behaviour) else behaviour


def _unborne(part: Any, thing: int, *args: Any) -> Any:
    return part(*args)


def condition_of(test: Any, *bearer: int | None) -> bool:
    return bool(test(*bearer)) if callable(test) else bool(test)


def no_row(key: Any) -> None:
    raise Fault("R3", f"{key} stands in no row of the table")


def no_arm(value: Any) -> None:
    raise Fault("R3", f"{value} fits none of the arms")


def late_field(thing: Any, name: str) -> Any:
    return GAME.late_field(thing, name)


def lent_field(column: list[Any], rules: list[Any], borrower: int | None, lenders: list[Any]) -> Any:
    """A field read through another thing, with the modifiers of both."""
    lender = None if borrower is None else lenders[borrower]
    if lender is None:
        return None
    if not rules:
        return column[lender]
    found = []
    for entry in rules:
        made = entry[2](entry[1], borrower)
        if made is NOT_NOW:
            made = entry[2](entry[1], lender)
        if made is not NOT_NOW:
            found.append([entry[0], made, second_of, True, entry[4]])
    return fold(column[lender], found, ())


def core_times(moment: Any) -> int:
    return 0
