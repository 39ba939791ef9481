"""The short games of `tests/fixtures/play`, compiled once."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from talewright.compiler.passes import compile_package
from talewright.runtime.session import Program, Session, load
from talewright.runtime.session.bots import bot

GAMES = Path(__file__).parents[2] / "fixtures" / "play"


@cache
def document(name: str = "island") -> dict[str, Any]:
    """A game's document."""
    made = compile_package(str(GAMES / name)).document
    assert made is not None
    return made


@cache
def program(name: str = "island") -> Program:
    """A game's program, with tracing."""
    return load(document(name), traced=True)


def session(seed: int = 1, name: str = "island", who: str = "random") -> Session:
    """A session of bots."""
    made = Session(program(name), seed)
    made.default = bot(who, seed)
    return made
