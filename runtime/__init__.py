"""The generic interpreter: plays a document, knows no game.

`load` makes a document ready to play, `Game` plays it, `Session` seats people and bots and can undo,
save and replay. A `Decision` is what a seat is asked; an `Agent` is anything that answers one. A `Trace` keeps
what happened. `docs/python.md` shows each at work.

`model` is what exists in a game, `lower` leads from the document to the functions of `ir`, `kernel` has what every game needs,
`engines` run it, `host` reads decisions and texts out of memory, `session` seats people, `observe` looks without changing
anything, `proving` runs tests, `space` reads drawings of maps. `faults` are errors of play, `reading` reads files that anybody
may have written.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talewright.runtime.observe.trace import Trace as Trace
    from talewright.runtime.session import Agent as Agent
    from talewright.runtime.session import Decision as Decision
    from talewright.runtime.session import Game as Game
    from talewright.runtime.session import Option as Option
    from talewright.runtime.session import Program as Program
    from talewright.runtime.session import Session as Session
    from talewright.runtime.session import load as load

__all__ = ["Agent", "Decision", "Game", "Option", "Program", "Session", "Trace", "load"]


def __getattr__(name: str) -> object:
    # What plays is imported when it is first asked for: commands that do not play start quickly.
    if name not in __all__:
        raise AttributeError(name)
    from importlib import import_module

    home = "observe.trace" if name == "Trace" else "session"
    return getattr(import_module(f"talewright.runtime.{home}"), name)
