"""The part of a generated program that makes things while the game runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.bookspace import GAME, SORTS
    from talewright.runtime.thingbook import go_home

FIRST_MADE: int
go_home_plainly = go_home


def new_thing(kind: str) -> int:
    return GAME.make(kind, None)  # type: ignore[no-any-return]


def core_copy(thing: Any) -> int | None:
    """A new thing like another, or like the first of a sort."""
    if thing is None:
        return None
    if isinstance(thing, str):
        thing = SORTS[thing][0]
    return GAME.make(None, thing)  # type: ignore[no-any-return]


def go_home(thing: int) -> None:  # type: ignore[no-redef]
    """A thing that was made in play is gone for good once it lies in the box."""
    go_home_plainly(thing)
    if thing >= FIRST_MADE:
        GAME.vanish(thing)
