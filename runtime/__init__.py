"""The generic interpreter: plays a document, knows no game.

`load` makes a document ready to play, `Game` plays it, `Session` seats people and bots and can undo,
save and replay. A `Decision` is what a seat is asked; an `Agent` is anything that answers one. A `Trace` keeps
what happened. `docs/python.md` shows each at work.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from talewright.runtime.game import Agent as Agent
    from talewright.runtime.game import Decision as Decision
    from talewright.runtime.game import Game as Game
    from talewright.runtime.game import Option as Option
    from talewright.runtime.program import Program as Program
    from talewright.runtime.session import Session as Session
    from talewright.runtime.tracing import Trace as Trace

__all__ = ["Agent", "Decision", "Game", "Option", "Program", "Session", "Trace", "load"]

_HOMES = {
    "Agent": "game",
    "Decision": "game",
    "Game": "game",
    "Option": "game",
    "Program": "program",
    "Session": "session",
    "Trace": "tracing",
}


def load(
    document: dict[str, Any], options: dict[str, Any] | None = None, players: int | None = None, **how: Any
) -> "Program":
    """A document made ready to play under options, with so many players."""
    from talewright.runtime.faults import LoadError
    from talewright.runtime.program import Program
    from talewright.schemas.loading import check

    problems = check(document)
    if problems:
        raise LoadError(f"the document cannot be played: {problems[0]}")
    return Program(document, options, players, **how)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(f"talewright.runtime.{_HOMES[name]}"), name)
    raise AttributeError(name)
