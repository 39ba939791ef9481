"""The fixed part of a program that tells the story: ways on, pages, endings, and what outlasts a game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from talewright.runtime.faults import Fault

if TYPE_CHECKING:
    from talewright.runtime.bookspace import ENDED, GAME, GameOver, GoTo, S


def left_out(sort: str, name: str) -> Any:
    raise Fault("R17", f"the {sort} `{name}` does not exist under the options of this game")


def say(text: Any) -> None:
    GAME.say(text)


def go_to(target: int | None) -> None:
    if target is None:
        raise Fault("R13", "`go to` leads nowhere")
    raise GoTo(target)


class OpenWays(dict[int, Any]):
    """By which conditions hold: what becomes of the ways that are open then."""

    def __init__(self, rows: Any, make: Callable[[Any], Any]) -> None:
        self.rows = rows
        self.make = make

    def __missing__(self, holding: int) -> Any:
        open_, bit = [], 1
        for row in self.rows:
            if row[0] is None:
                open_.append(row)
            else:
                if holding & bit:
                    open_.append(row)
                bit <<= 1
        made = self[holding] = self.make(open_)
        return made


class Ways(tuple[Any, ...]):
    """The ways on of a page, and what tells which of them are open."""

    open: Any
    targets: Any
    options: Any


def ways(rows: Any, opened: Callable[[], int]) -> Ways:
    made = Ways(rows)
    made.open = opened
    made.targets = _by_outcome(rows, lambda open_: tuple(row[2] for row in open_))
    made.options = _by_outcome(rows, GAME.labelled)
    return made


def _by_outcome(rows: Any, make: Callable[[Any], Any]) -> Any:
    """What becomes of the ways by which conditions hold: a plain list where these are few."""
    made = OpenWays(rows, make)
    conditions = sum(row[0] is not None for row in rows)
    return made if conditions > 2 else [made[holding] for holding in range(1 << conditions)]


def next_page(target: int | None) -> int:
    if target is None:
        raise Fault("R13", "`go to` leads nowhere")
    return target


def follow_edges(edges: Any, by: Any) -> None:
    GAME.follow(edges, by)


def core_edge(edges: Any) -> int | None:
    """The first way on whose condition holds."""
    for test, _, target, otherwise in edges or ():
        if otherwise or test is None or test():
            return int(target)
    return None


def core_ways(edges: Any) -> list[int]:
    """Every page that some ways on lead to."""
    return [int(target) for _, _, target, _ in edges or () if target is not None]


def core_fallback(edges: Any) -> int | None:
    """Where ways on lead when no condition holds."""
    return next((int(target) for _, _, target, otherwise in edges or () if otherwise), None)


def play_page(page: int) -> None:
    GAME.play_page(page)


def end_game(ending: int) -> None:
    S[ENDED] = ending
    raise GameOver


def core_newcomers(seats: Any) -> list[int]:
    return GAME.newcomers(seats)  # type: ignore[no-any-return]


def core_roster(kind: Any, seat: Any) -> list[int]:
    return GAME.roster(kind, seat)  # type: ignore[no-any-return]
